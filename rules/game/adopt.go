// SPDX-License-Identifier: Apache-2.0

package game

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"boardd/rules/say"
)

// Adopt returns the events by which this game takes over another board's list from the first difference on, whoever
// made the moves. It is the way out of a Conflict, which people choose on one of the two boards. Every move must be
// legal. The other board changes nothing; both then hold the same game.
func (g *Game) Adopt(h RemoteGame, at time.Time) ([]Event, error) {
	m := &merger{g: g.clone(), h: h, at: at, theirs: []Side{White, Black}}
	if len(g.setup.sidesOf(h.Board)) == 0 {
		return nil, fmt.Errorf("take over game %s: board %q plays no side of it", g.ID(), h.Board)
	}
	if err := m.sameGame(); err != nil {
		return nil, err
	}
	if err := m.emit(Event{Kind: Settled, Ply: m.common(), Count: h.Takebacks}); err != nil {
		return nil, err
	}
	for _, step := range []func() error{m.moves, m.takeResult} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return m.events, nil
}

// takeResult takes the other board's end of the game unseen.
func (m *merger) takeResult() error {
	if m.h.Outcome == m.g.Outcome() || m.h.Outcome == "" {
		return nil
	}
	return m.emit(Event{Kind: Ended, Outcome: m.h.Outcome, Reason: m.h.Reason, Remote: true})
}

// Invited returns the set-up of the game to which another board's message invites this board. The game must seat both,
// be legal, and be newer than current (nil when there is none). Of two games begun at the same time the one with the
// greater id wins on both boards. The error is a *ConflictError when the game is newer and cannot be one.
func Invited(h RemoteGame, board string, current *Game) (Setup, error) {
	s := Setup{
		ID: h.ID, Variant: h.Variant, Options: h.Options, White: h.White, Black: h.Black, Board: board, Start: h.Start,
		Clock: h.Timing,
	}
	if h.White != board && h.Black != board || len(s.sidesOf(h.Board)) == 0 { // an engine there is none of this board's
		return Setup{}, fmt.Errorf("game %s of board %s is not between it and this board", h.ID, h.Board)
	}
	if current != nil && h.ID <= current.ID() {
		return Setup{}, fmt.Errorf("game %s of board %s is not newer than %s", h.ID, h.Board, current.ID())
	}
	if err := CheckID(h.ID); err != nil {
		return Setup{}, &ConflictError{Board: h.Board, Game: h.ID, Why: say.Of(err)}
	}
	if _, err := s.position(); err != nil {
		return Setup{}, fmt.Errorf("game %s of board %s: %w", h.ID, h.Board, err)
	}
	return s, nil
}

// Contradiction returns why a message that invites to this set-up cannot be followed, nil when it can. For example, it
// has a move of a side that is played here, which was never made here. Then it is a *ConflictError, and the game here
// has to go on. A board that followed would have the set-up without any of the moves.
func (s Setup) Contradiction(h RemoteGame, at time.Time) error {
	e, err := Start(s, at)
	if err != nil {
		return err
	}
	g, err := New(e)
	if err != nil {
		return err
	}
	_, err = g.Merge(h, at)
	var c *ConflictError
	if errors.As(err, &c) {
		c.Game = h.ID
	}
	return err
}

// RemoteGame is what another board's game message says about a game.
type RemoteGame struct {
	Board     string // whose message it is
	ID        string // game id
	Variant   string //
	Options   map[string]string
	White     string   // seats
	Black     string   //
	Start     string   // stack FEN
	Moves     []string // coordinate moves
	Outcome   string
	Reason    string
	Asked     bool // the board that hears this has asked for that end
	Offer     Side // whose draw offer stands
	Takebacks int
	// how many of the moves this board itself has signed: they were made here, though they may have been lost since
	Own         int
	Unsigned    int       // how many of the last moves nobody has signed, although the speaker signs
	Signed      Statement // what the speaker has signed of it by the key that is believed
	Paused      bool
	Pauses      int // the speaker's count of pauses and resumptions
	PauseReason string
	Running     bool // the speaker's clock runs
	AskBy       Side // the open request to take moves back; Nobody for none
	AskNumber   int
	AskTo       int
	Declined    int    // number of the last request that the speaker declined
	NoDraw      Side   // whose draw offer the speaker has declined since the last move; Nobody for none
	WhiteLeft   *int64 // what the speaker's clocks show, milliseconds; nil without a clock
	BlackLeft   *int64
	Timing      *Timing // nil when the message does not say
	Unsaid      bool    // what it asks, and the terms of its game, are not signed, although the speaker signs
	Old         bool    // it may have been said long ago: the clocks have run on since
}

// Unsay leaves out what a message asks and answers: its board has not signed that.
func (h *RemoteGame) Unsay() {
	h.Unsaid = true
	h.Offer, h.NoDraw, h.AskBy, h.Declined = Nobody, Nobody, Nobody, 0
	h.Paused, h.Pauses, h.PauseReason, h.Running = false, 0, "", false
}

// Statement is how much a board has signed of a game: the later, the more. The zero Statement is nothing.
type Statement struct {
	Takebacks int
	Moves     int // how many of the moves, plus 1
	Over      bool
}

// Compare is negative if s is less than o, and positive if it is more.
func (s Statement) Compare(o Statement) int {
	end := map[bool]int{true: 1}
	return cmp.Or(cmp.Compare(s.Takebacks, o.Takebacks), cmp.Compare(s.Moves, o.Moves), end[s.Over]-end[o.Over])
}

// ConflictError is what cannot be merged. Nothing was changed; people have to settle it.
type ConflictError struct {
	Board  string // who says so
	Game   string // the other game that it speaks of, "" when it is this one
	Ply    int    // the first move that differs, from 1; 0 when no move does
	Ours   string // that move here, "" when there is none
	Theirs string // and there
	Why    say.Said
}

// Error says who contradicts, where and how.
func (c *ConflictError) Error() string { return c.Said().English }

// Said is the same for people.
func (c *ConflictError) Said() say.Said {
	if c.Game != "" {
		return say.That("board %s speaks of another game, %q: %s", c.Board, c.Game, c.Why)
	}
	return say.That("board %s contradicts this game: %s", c.Board, c.Why)
}

// left is the time of a side as the speaker tells it.
func (h RemoteGame) left(s Side) *int64 {
	if s == White {
		return h.WhiteLeft
	}
	return h.BlackLeft
}
