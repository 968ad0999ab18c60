// SPDX-License-Identifier: Apache-2.0

package game

import "fmt"

// Heard is what another board's game message says about a game.
type Heard struct {
	Board       string // whose message it is
	ID          string // game id
	Variant     string //
	Options     map[string]string
	White       string   // seats
	Black       string   //
	Start       string   // stack FEN
	Moves       []string // coordinate moves
	Outcome     string
	Reason      string
	Offer       Side // whose draw offer stands
	Takebacks   int
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
	Timing      *Timing // nil when the message does not tell it
	Old         bool    // it may have been said long ago: the clocks have run on since
}

// Conflict is what cannot be merged. Nothing was changed; people have to settle it.
type Conflict struct {
	Board  string // who says so
	Game   string // the other game that it speaks of, "" when it is this one
	Ply    int    // the first move that differs, from 1; 0 when no move does
	Ours   string // that move here, "" when there is none
	Theirs string // and there
	Why    string // in words
}

// Error says who contradicts, where and how.
func (c *Conflict) Error() string {
	if c.Game != "" {
		return fmt.Sprintf("board %s speaks of another game, %q: %s", c.Board, c.Game, c.Why)
	}
	return "board " + c.Board + " contradicts this game: " + c.Why
}

// left is the time of a side as the speaker tells it.
func (h Heard) left(s Side) *int64 {
	if s == White {
		return h.WhiteLeft
	}
	return h.BlackLeft
}
