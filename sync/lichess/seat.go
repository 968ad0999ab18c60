// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// GameOptions is the game that is wanted.
type GameOptions struct {
	Opponent  string // computer, seek, anybody, or an account
	Level     int    // of the computer
	Minutes   int
	Increment int // seconds
	Rated     bool
}

// Update is what the seat says to the table, as a board would; one field is set.
type Update struct {
	Game  *wire.Game
	Old   bool          // Game was said just after connecting
	Names *wire.Names   // who plays
	Text  string        // for people
	Hurry time.Duration // time until the server ends the game if no move is made
}

// Seat plays one side of a board's games at the server.
type Seat struct {
	c     *Client
	board string
	wish  GameOptions
	said  chan Update // capacity 0

	mu    sync.Mutex
	ours  *wire.Game           // as the table shows it
	going map[string]time.Time // games of this account that go on there, and when the server last said so
	wake  chan struct{}        // capacity 1

	// ---- owned by Run
	game    *played       // nil while there is none
	listen  func()        // ends the stream of the game
	lines   chan streamed // of the stream of the game
	events  chan event
	done    chan error // of the one action that is on its way; capacity 1
	release func()     // ends that action
	doing   string     // that action, "" for none
	failed  string     // the action that the server refused last, not done again
	wished  string     // id of our game for which one was asked for
	asked   int        // number of the last request to take back that was sent
	paused  time.Time  // no action before then
	tries   int        // that failed one after the other
	heard   string     // the last trouble that was told
}

// streamed is a line of the stream of a game, with the id of the game.
type streamed struct {
	game string
	line line
}

// NewSeat is the seat of a board.
func NewSeat(c *Client, board string, w GameOptions) *Seat {
	return &Seat{c: c, board: board, wish: w, said: make(chan Update), wake: make(chan struct{}, 1),
		lines: make(chan streamed), events: make(chan event), done: make(chan error, 1)}
}

// Said is the channel of what the seat says; a nil seat says nothing.
func (s *Seat) Said() <-chan Update {
	if s == nil {
		return nil
	}
	return s.said
}

// Show takes the newest stored game of the table. It never waits.
func (s *Seat) Show(g *wire.Game) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if id := there(g.Game); at(g) && id != "" {
		s.note(id, g.Outcome == "")
	}
	s.ours = g
	select {
	case s.wake <- struct{}{}:
	default: // it will be looked at
	}
}

// at reports whether the server has a seat in a game.
func at(g *wire.Game) bool { return g.Seats.White == game.Lichess || g.Seats.Black == game.Lichess }

// Run plays until ctx ends.
func (s *Seat) Run(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var parts sync.WaitGroup
	defer parts.Wait()
	defer stop()
	parts.Go(func() { s.hearEvents(ctx) })
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case e := <-s.events:
			s.event(ctx, &parts, &e)
		case l := <-s.lines:
			if s.game != nil && l.game == s.game.id {
				s.line(ctx, &l.line)
			}
		case r := <-s.done:
			s.finished(ctx, r)
		case <-again.C:
		}
		s.consider(ctx)
	}
}

// tell says something to the table.
func (s *Seat) tell(ctx context.Context, said Update) {
	select {
	case s.said <- said:
	case <-ctx.Done():
	}
}

// trouble tells people, once as long as it stays the same.
func (s *Seat) trouble(ctx context.Context, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != s.heard {
		s.heard = text
		s.tell(ctx, Update{Text: text})
	}
}

func (s *Seat) table() *wire.Game {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ours
}

// hearGame keeps the stream of a game open until ctx ends or the game does.
func (s *Seat) hearGame(ctx context.Context, id string) {
	pause := retryLeast
	for ctx.Err() == nil {
		over := false
		_ = s.c.stream(ctx, http.MethodGet, "/api/board/game/stream/"+id, nil,
			func(data []byte) error { //nolint:errcheck // however it ended, it is opened again
				pause = retryLeast
				l, ok := decode[line](data)
				if !ok {
					return nil
				}
				over = l.state.ended() || l.State != nil && l.State.ended()
				select {
				case s.lines <- streamed{id, l}:
				case <-ctx.Done():
				}
				return nil
			})
		if over || rest(ctx, pause) != nil {
			return
		}
		pause = min(2*pause, retryMost/4) // a clock runs there
	}
}

// event takes an event.
func (s *Seat) event(ctx context.Context, parts *sync.WaitGroup, e *event) {
	ours := s.table()
	switch e.Type {
	case "gameStart":
		s.begin(ctx, parts, e, ours)
	case "gameFinish":
		s.hear(e.Game.ID, false)
	case toldAll:
		s.forget(e.opened)
	case "challenge":
		s.challenged(ctx, e, ours)
	case "challengeDeclined", "challengeCanceled":
		s.trouble(ctx, "Lichess: the challenge was not accepted; begin a new game to ask again")
	default:
		if why, ok := strings.CutPrefix(e.Type, "refused "); ok {
			s.trouble(ctx, "Lichess: %s", why)
		}
	}
}

// begin takes up a game that has begun at the server, or goes on there.
func (s *Seat) begin(ctx context.Context, parts *sync.WaitGroup, e *event, ours *wire.Game) {
	id := e.Game.ID
	if !sound(id) {
		return
	}
	s.hear(id, true)
	if s.game != nil && s.game.id == id || ours == nil || !at(ours) {
		return
	}
	mine := there(ours.Game) == id
	side := "white"
	if ours.Seats.White == game.Lichess {
		side = "black"
	}
	switch {
	case e.Game.Compat.Board != nil && !*e.Game.Compat.Board:
		s.trouble(ctx, "Lichess: the game %s is too fast or of another kind for a board", id)
		return
	case !mine && (ours.Outcome != "" || len(ours.Moves) > 1 || there(ours.Game) != ""):
		s.trouble(ctx, "Lichess: another game goes on there (%s): play it on the site, or begin a new game here", id)
		return
	case e.Game.Color != side:
		s.trouble(ctx, "Lichess: in the game %s this account plays %s, and this board %s: begin a game here with the "+
			"seats exchanged", id, e.Game.Color, side)
		return
	}
	if s.listen != nil {
		s.listen()
	}
	if s.doing == seekWord || strings.HasPrefix(s.doing, challengeWord) {
		s.release() // what was asked for is there
	}
	p := &played{id: id, side: side, ours: ours.Game, takebacks: ours.Takebacks}
	if !mine {
		p.ours, p.takebacks = gameID(time.Now(), id, ours.Game), 0
	}
	s.game, s.asked, s.failed, s.heard = p, 0, "", ""
	gone, stop := context.WithCancel(ctx)
	s.listen = stop
	parts.Go(func() { s.hearGame(gone, id) })
}

// line takes a line of the game's stream to the table.
func (s *Seat) line(ctx context.Context, l *line) {
	p := s.game
	before := p.takebacks
	first := l.Type == "gameFull"
	changed, err := p.take(l)
	if err != nil {
		s.trouble(ctx, "Lichess: %v", err)
		return
	}
	if !changed {
		return
	}
	if ours := s.table(); ours != nil && ours.Game == p.ours && p.takebacks > before {
		p.takebacks = max(before+1, ours.Takebacks) // already taken back here, as the opponent asked: the same takeback
	}
	s.hear(p.id, !p.state.ended())
	s.tell(ctx, Update{Game: p.message(s.board), Old: p.old})
	if first {
		s.tell(ctx, Update{Names: p.names(s.c.base)})
	}
	if x := p.state.Expiration; x != nil && p.turn() == p.side && !p.state.ended() {
		s.tell(ctx, Update{Hurry: time.Duration(x.ToMove) * time.Millisecond})
	}
}

// challenged answers a challenge. It is accepted if a game with anybody is wanted, and this board can play the game.
func (s *Seat) challenged(ctx context.Context, e *event, ours *wire.Game) {
	c := &e.Challenge
	if c.Direction == "out" || !sound(c.ID) || s.wish.Opponent != "anybody" || s.doing != "" || ours == nil ||
		!s.free(ours) {
		return
	}
	side := "white"
	if ours.Seats.White == game.Lichess {
		side = "black"
	}
	fits := (c.Variant.Key == "standard" || c.Variant.Key == "fromPosition") && c.Color == other(side) &&
		slices.Contains([]string{"blitz", "rapid", "classical", "correspondence"}, c.Speed)
	if fits {
		s.wished = ours.Game
		s.act(ctx, "accept "+c.ID,
			func(ctx context.Context) error { return s.c.post(ctx, "/api/challenge/"+c.ID+"/accept", nil, nil) })
		return
	}
	s.act(ctx, "decline "+c.ID, func(ctx context.Context) error {
		return s.c.post(ctx, "/api/challenge/"+c.ID+"/decline", url.Values{"reason": {"generic"}}, nil)
	})
}

// free reports whether a game with the server is wanted on the board, and has not begun.
func (s *Seat) free(ours *wire.Game) bool {
	return at(ours) && ours.Outcome == "" && len(ours.Moves) == 0 && there(ours.Game) == "" &&
		(s.game == nil || s.game.state.ended())
}
