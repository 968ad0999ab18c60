// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/sync/wire"
)

// toldAll is an event made here: since the stream was opened, the server has named every game that goes on.
const toldAll = "told all"

// event is a line of the stream of events.
type event struct {
	opened time.Time // of toldAll: when the stream was opened

	Type string `json:"type"` // gameStart, gameFinish, challenge, challengeCanceled, challengeDeclined; or one of ours
	Game struct {
		ID     string `json:"gameId"`
		Color  string `json:"color"` // of this account
		Compat struct {
			Board *bool `json:"board"` // a board may play it
		} `json:"compat"`
	} `json:"game"`
	Challenge struct {
		ID         string `json:"id"`
		Color      string `json:"finalColor"` // of the challenger
		Speed      string `json:"speed"`
		InitialFEN string `json:"initialFen"`
		Variant    struct {
			Key string `json:"key"`
		} `json:"variant"`
		Challenger struct {
			Name string `json:"name"`
		} `json:"challenger"`
		Dest struct {
			ID string `json:"id"`
		} `json:"destUser"`
		Direction string `json:"direction"` // in or out
	} `json:"challenge"`
}

// line is a line of the stream of a game: gameFull first, with the state in it, then gameState, chatLine and
// opponentGone.
type line struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Rated   bool   `json:"rated"`
	Speed   string `json:"speed"`
	Variant struct {
		Key string `json:"key"`
	} `json:"variant"`
	Clock *struct {
		Initial   int64 `json:"initial"`
		Increment int64 `json:"increment"`
	} `json:"clock"`
	White      player `json:"white"`
	Black      player `json:"black"`
	InitialFEN string `json:"initialFen"`
	State      *state `json:"state"`

	state
}

type player struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Level int    `json:"aiLevel"`
}

// state is how a game stands.
type state struct {
	Moves      string `json:"moves"` // UCI, with spaces
	White      int64  `json:"wtime"` // milliseconds
	Black      int64  `json:"btime"`
	Status     string `json:"status"`
	Winner     string `json:"winner"`
	WhiteDraw  bool   `json:"wdraw"`
	BlackDraw  bool   `json:"bdraw"`
	WhiteBack  bool   `json:"wtakeback"`
	BlackBack  bool   `json:"btakeback"`
	Expiration *struct {
		ToMove int64 `json:"millisToMove"`
	} `json:"expiration"`
}

// ended reports whether the game is over.
func (s *state) ended() bool { return s.Status != "" && s.Status != "created" && s.Status != "started" }

// draws reports whether a side offers a draw, and backs whether it asks to take back.
func (s *state) draws(side string) bool {
	return side == "white" && s.WhiteDraw || side == "black" && s.BlackDraw
}
func (s *state) backs(side string) bool {
	return side == "white" && s.WhiteBack || side == "black" && s.BlackBack
}

// end is how the game ended, in the words of the messages.
func (s *state) end() (outcome, reason string) {
	outcome = map[string]string{"white": game.WhiteWins, "black": game.BlackWins}[s.Winner]
	switch {
	case !s.ended():
		return "", ""
	case s.Status == "aborted" || s.Status == "noStart" && outcome == "":
		return game.NoResult, string(rules.Aborted)
	case outcome == "":
		outcome = game.Draw
	}
	word, ok := map[string]rules.Result{"mate": rules.Checkmate, "stalemate": rules.Stalemate, "outoftime": rules.Time,
		"draw": rules.Agreement}[s.Status]
	if !ok {
		word = rules.Resignation // it was left, or ended by the server
	}
	if outcome == game.Draw && word == rules.Resignation {
		word = rules.Agreement
	}
	return outcome, string(word)
}

// other is the opponent of a side.
func other(side string) string { return string(game.Side(side).Other()) }

// played is a game at the server.
type played struct {
	id    string // there
	ours  string // the id of our game
	side  string // that we play
	full  line
	state state
	start string   // stack FEN of the first position
	moves []string // coordinate moves

	takebacks int  // number of takebacks there, counted as in the game here
	asks      int  // times that the opponent asked to take back
	asking    bool // and does now
	old       bool // the state is the first one after connecting
}

// take reads a line of the game. It reports whether the state has changed.
func (p *played) take(l *line) (changed bool, err error) {
	s := &l.state
	switch l.Type {
	case "gameFull":
		if l.State == nil || l.Variant.Key != "standard" && l.Variant.Key != "fromPosition" {
			return false, fmt.Errorf("the game there is %q: only orthodox chess is played on a board", l.Variant.Key)
		}
		s = l.State
		p.full, p.old = *l, true
		v, err := rules.ByID("chess")
		if err != nil {
			return false, err
		}
		at := v.Start()
		if l.InitialFEN != "" && l.InitialFEN != "startpos" {
			if at, err = v.ParseFEN(l.InitialFEN); err != nil {
				return false, fmt.Errorf("the position there: %w", err)
			}
		}
		p.start = at.FEN()
	case "gameState":
		p.old = false
	default:
		return false, nil
	}
	moves, err := p.read(s.Moves)
	if err != nil {
		return false, err
	}
	if len(moves) < len(p.moves) {
		p.takebacks++
	}
	if asking := s.backs(other(p.side)); asking != p.asking {
		if p.asking = asking; asking {
			p.asks++
		}
	}
	p.moves, p.state = moves, *s
	return true, nil
}

// read makes coordinate moves of those of the server.
func (p *played) read(text string) (moves []string, err error) {
	v, err := rules.ByID("chess")
	if err != nil {
		return nil, err
	}
	at, err := v.ParseFEN(p.start)
	if err != nil {
		return nil, err
	}
	for i, word := range strings.Fields(text) {
		m, err := at.ParseMove(word)
		if err != nil {
			return nil, fmt.Errorf("move %d there: %w", i+1, err)
		}
		moves = append(moves, at.Coord(m))
		at.Play(m)
	}
	return moves, nil
}

// message is the game at the server, in the form of a board's message.
func (p *played) message(board string) *wire.Game {
	m := &wire.Game{Schema: wire.Schema, Game: p.ours, Variant: "chess",
		Seats: wire.Seats{White: board, Black: game.Lichess}, Start: p.start, Moves: p.moves, Takebacks: p.takebacks}
	if p.side == "black" {
		m.Seats = wire.Seats{White: game.Lichess, Black: board}
	}
	m.Outcome, m.Reason = p.state.end()
	theirs := other(p.side)
	if p.state.draws(theirs) {
		m.Offer = theirs
	}
	if p.asking {
		back := 1
		if p.turn() == theirs {
			back = 2
		}
		m.Ask = &wire.Ask{By: theirs, Number: p.asks, To: max(0, len(p.moves)-back)}
	}
	if c := p.full.Clock; c != nil && c.Initial > 0 {
		m.Timing = &wire.ClockSpec{Kind: game.Fischer, Initial: c.Initial, Increment: c.Increment}
		m.Clock = &wire.Clock{White: p.state.White, Black: p.state.Black}
		if len(p.moves) > 1 && !p.state.ended() {
			m.Clock.Running = p.turn()
		}
	}
	return m
}

// turn is the side to move.
func (p *played) turn() string {
	first := "white"
	if f := strings.Fields(p.start); len(f) > 1 && f[1] == "b" {
		first = "black"
	}
	if len(p.moves)%2 == 1 {
		return other(first)
	}
	return first
}

// names is who plays, for game files.
func (p *played) names(base string) *wire.Names {
	kind := "Casual"
	if p.full.Rated {
		kind = "Rated"
	}
	called := func(x player) string {
		if x.Level > 0 {
			return fmt.Sprintf("Lichess computer, level %d", x.Level)
		}
		return clip(x.Name)
	}
	return &wire.Names{Event: clip(strings.TrimSpace(kind + " " + p.full.Speed + " game")), Site: clip(base + "/" + p.id),
		White: called(p.full.White), Black: called(p.full.Black),
		WhiteTitle: clip(p.full.White.Title), BlackTitle: clip(p.full.Black.Title)}
}

func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > wire.MaxName {
		return strings.ToValidUTF8(s[:wire.MaxName], "")
	}
	return s
}

// mark stands, in the id of the game here, before the id of the game at the server.
const mark = "-li"

// gameID is an id for a game at the server. It is later than that of the game on the board.
func gameID(now time.Time, there, after string) string {
	id := game.NewID(now, 0, "")[:10] + mark + there
	if id > after {
		return id
	}
	return after + mark + there
}

// there is the id at the server of a game here, "" when it is played elsewhere.
func there(ours string) string {
	i := strings.LastIndex(ours, mark)
	if i < 0 {
		return ""
	}
	return ours[i+len(mark):]
}

// sound reports whether an id of the server may be used in an address and in an id.
func sound(id string) bool {
	return len(id) >= 4 && len(id) <= 16 &&
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// decode reads a line of a stream. A line that cannot be read is skipped, because the next one has the whole state
// again.
func decode[T any](data []byte) (v T, ok bool) {
	err := json.Unmarshal(data, &v)
	return v, err == nil
}
