// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// act begins an action at the server, in a goroutine. There is one action at a time.
func (s *Seat) act(ctx context.Context, what string, do func(context.Context) error) {
	ctx, s.release = context.WithCancel(ctx)
	s.doing = what
	go func() { s.done <- do(ctx) }()
}

// finished takes in the result of an action. An action that was refused for good is not tried again. Others are, after
// a pause.
func (s *Seat) finished(ctx context.Context, err error) {
	what := s.doing
	s.doing = ""
	s.release()
	wish := strings.HasPrefix(what, askWord) || strings.HasPrefix(what, seekWord) ||
		strings.HasPrefix(what, challengeWord)
	switch {
	case err == nil:
		s.tries, s.failed = 0, ""
		if what == seekWord { // an opponent was found, or has to be sought again
			s.wished, s.paused = "", time.Now().Add(seekAgain)
		}
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
	case final(err):
		s.failed = what
		s.trouble(ctx, "Lichess refuses: %s: %v", what, err)
	default:
		if wish {
			s.wished = ""
		}
		s.tries++
		s.paused = time.Now().Add(min(retryMost, retryLeast<<min(s.tries, 6)))
		s.trouble(ctx, "Lichess cannot be reached, and is tried again: %v", err)
	}
}

// The ways to ask for a game.
const (
	askWord       = "ask for a game"
	seekWord      = "seek an opponent"
	challengeWord = "challenge "
)

// consider begins the next action that makes the game at the server the same as the one here.
func (s *Seat) consider(ctx context.Context) {
	ours := s.table()
	if (s.doing == seekWord || strings.HasPrefix(s.doing, challengeWord)) &&
		(ours == nil || ours.Game != s.wished || !s.free(ours)) {
		s.release() // nobody here waits for an opponent any more
	}
	if s.doing != "" || ours == nil || !at(ours) || time.Now().Before(s.paused) {
		return
	}
	p := s.game
	if p == nil || ours.Game != p.ours {
		if s.free(ours) && s.wished != ours.Game && ours.Wood.State == wire.Synced {
			s.ask(ctx, ours)
		}
		return
	}
	if p.state.Status == "" || p.state.ended() {
		return
	}
	what, path, form := s.next(p, ours)
	if what == "" || what == s.failed {
		return
	}
	if strings.HasPrefix(what, "ask") {
		s.asked = ours.Ask.Number
	}
	s.act(ctx, what, func(ctx context.Context) error { return s.c.post(ctx, "/api/board/game/"+p.id+path, form, nil) })
}

// next is the next request to the server: its name, "" for none, and its path and form.
func (s *Seat) next(p *played, ours *wire.Game) (what, path string, form url.Values) {
	theirs := other(p.side)
	n := len(p.moves)
	behind := len(ours.Moves) >= n && slices.Equal(ours.Moves[:n], p.moves)
	switch {
	case ours.Takebacks > p.takebacks && p.asking:
		return "take back", "/takeback/yes", nil
	case p.asking && ours.Declined >= p.asks:
		return fmt.Sprint("decline to take back ", p.asks), "/takeback/no", nil
	case behind && len(ours.Moves) > n && p.turn() == p.side && ours.Takebacks == p.takebacks:
		if ours.Offer == p.side {
			form = url.Values{"offeringDraw": {"true"}}
			return fmt.Sprintf("move %d %s", n+1, ours.Moves[n]), "/move/" + ours.Moves[n] + "?" + form.Encode(), nil
		}
		return fmt.Sprintf("move %d %s", n+1, ours.Moves[n]), "/move/" + ours.Moves[n], nil
	case !behind || len(ours.Moves) > n:
		return "", "", nil
	case ours.Outcome == game.NoResult:
		return "abort", "/abort", nil
	case ours.Reason == "resignation" && ours.Outcome == map[string]string{"white": game.BlackWins,
		"black": game.WhiteWins}[p.side]:
		return "resign", "/resign", nil
	case ours.Outcome == game.Draw && slices.Contains([]string{"agreement", "threefold-repetition", "fifty-moves"},
		ours.Reason) && !p.state.draws(p.side):
		return fmt.Sprint("draw after ", n), "/draw/yes", nil
	case ours.Outcome != "":
		return "", "", nil
	case ours.Offer == p.side && !p.state.draws(p.side):
		return fmt.Sprint("offer a draw after ", n), "/draw/yes", nil
	case p.state.draws(theirs) && ours.NoDraw == theirs:
		return fmt.Sprint("decline the draw after ", n), "/draw/no", nil
	case ours.Ask != nil && ours.Ask.By == p.side && ours.Ask.Number > s.asked:
		return fmt.Sprint("ask to take back ", ours.Ask.Number), "/takeback/yes", nil
	}
	return "", "", nil
}

// ask asks for a game.
func (s *Seat) ask(ctx context.Context, ours *wire.Game) {
	if s.wished = ours.Game; s.wish.Opponent == "anybody" {
		s.trouble(ctx, "Lichess: waiting for a challenge to this account")
		return
	}
	side := "white"
	if ours.Seats.White == game.Lichess {
		side = "black"
	}
	w := &s.wish
	form := url.Values{"color": {side}, "rated": {strconv.FormatBool(w.Rated)},
		"clock.limit": {strconv.Itoa(60 * w.Minutes)}, "clock.increment": {strconv.Itoa(w.Increment)},
		"variant": {"standard"}}
	if start := ours.Start; start != "" &&
		!strings.HasPrefix(start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") {
		form.Set("variant", "fromPosition")
		form.Set("fen", start)
		form.Set("rated", "false")
	}
	switch w.Opponent {
	case "computer":
		form.Del("rated")
		form.Set("level", strconv.Itoa(w.Level))
		s.act(ctx, askWord, func(ctx context.Context) error { return s.c.post(ctx, "/api/challenge/ai", form, nil) })
	case "seek":
		seek := url.Values{"color": {side}, "rated": {strconv.FormatBool(w.Rated)}, "time": {strconv.Itoa(w.Minutes)},
			"increment": {strconv.Itoa(w.Increment)}, "variant": {"standard"}}
		if form.Get("variant") != "standard" {
			s.trouble(ctx, "Lichess: nobody can be sought for a game that begins in another position: challenge an account, "+
				"or the computer")
			return
		}
		s.trouble(ctx, "Lichess: seeking an opponent")
		s.act(ctx, seekWord, func(ctx context.Context) error { return s.keep(ctx, "/api/board/seek", seek) })
	default:
		form.Set("keepAliveStream", "true")
		s.trouble(ctx, "Lichess: %s is challenged", w.Opponent)
		s.act(ctx, challengeWord+w.Opponent, func(ctx context.Context) error {
			return s.keep(ctx, "/api/challenge/"+url.PathEscape(w.Opponent), form)
		})
	}
}

// keep holds a request open until the server ends it, which it does when a game has begun or none will.
func (s *Seat) keep(ctx context.Context, path string, form url.Values) error {
	err := s.c.stream(ctx, http.MethodPost, path, form, func([]byte) error { return nil })
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
