// SPDX-License-Identifier: Apache-2.0

package wire

import "encoding/json"

// Game is the whole game as the retained game topic shows it. Lists are written as [] when empty, never as null.
type Game struct {
	Schema  int      `json:"schema"`  // Schema
	Game    string   `json:"game"`    // id; of two games the one whose id sorts later is the newer
	Variant string   `json:"variant"` // id of the rule set: "chess", "locking", ...
	Options Options  `json:"options"`
	Seats   Seats    `json:"seats"`
	Start   string   `json:"start"`   // stack FEN of the first position
	Moves   []string `json:"moves"`   // coordinate moves from Start on
	SAN     []string `json:"san"`     // the same moves for people, same length
	FEN     string   `json:"fen"`     // position after the last move
	Turn    string   `json:"turn"`    // "white" or "black"
	Check   bool     `json:"check"`   // the side to move is in check
	Outcome string   `json:"outcome"` // "" while it goes on, "1-0", "0-1", "1/2-1/2"; "*" when aborted
	Reason  string   `json:"reason"`  // why it ended, "" while it goes on
	Legal   []string `json:"legal"`   // coordinate moves of the side to move; none once the game has ended
	Clock   *Clock   `json:"clock"`   // null when played without a clock
	Wood    Wood     `json:"wood"`

	Timing      *ClockSpec `json:"timing,omitempty"`    // by which clock it is played, for boards that join
	Offer       string     `json:"offer,omitempty"`     // "white" or "black": whose draw offer stands
	Takebacks   int        `json:"takebacks,omitempty"` // how many takebacks both sides have carried out; an older count is an older message
	Ask         *Ask       `json:"ask,omitempty"`       // a takeback that a side has asked for and that is not answered
	Declined    int        `json:"declined,omitempty"`  // the number of the last Ask of the other side that was declined
	Paused      bool       `json:"paused,omitempty"`
	Pauses      int        `json:"pauses,omitempty"`       // how often either side has stopped the clock or let it go on again; the higher count is the newer
	PauseReason string     `json:"pause_reason,omitempty"` // "desync": the wood of this board shows no position of the game; the clocks go on when it does
	Unstored    bool       `json:"unstored,omitempty"`     // the newest of it could not be stored yet: only the board's own page sees such a game
	Conflict    string     `json:"conflict,omitempty"`     // what another board says that contradicts this list, for people
	Seals       *Seals     `json:"seals,omitempty"`
}

// Seats says who plays which side: a board id, "local" or "engine".
type Seats struct {
	White string `json:"white"`
	Black string `json:"black"`
}

// Clock is what the clocks showed when the message was made, in milliseconds; negative values do not occur.
type Clock struct {
	White   int64  `json:"white_ms"`
	Black   int64  `json:"black_ms"`
	Running string `json:"running"`      // "white" or "black": whose time runs; "" when both stand
	At      string `json:"at,omitempty"` // RFC 3339 with milliseconds: when they showed it, by the board's own clock
}

// Ask is a request to take moves back.
type Ask struct {
	By     string `json:"by"`     // "white" or "black"
	Number int    `json:"number"` // counts the requests of one side in one game, from 1
	To     int    `json:"to"`     // how many plies would remain
}

// Wood is what stands on the board, compared with the game.
type Wood struct {
	Ply     int      `json:"ply"`               // the ply that the wood shows
	State   string   `json:"state"`             // synced, moving, executing, asking, wrong or setup
	Squares []Touch  `json:"squares"`           // those that a hand must touch
	Choices []string `json:"choices"`           // coordinate moves of an open question
	SAN     []string `json:"san,omitempty"`     // the same moves for people, same length
	Answers []Answer `json:"answers,omitempty"` // which square answers for which choice
	Kings   []string `json:"kings,omitempty"`   // the array stands in the middle of the game: squares whose king begins a new one when it is lifted and put back
}

// Answer is the square whose piece, lifted and put back, answers an open question with a move.
type Answer struct {
	Move   string `json:"move"`
	Square string `json:"square"`
	Deck   string `json:"deck"`
}

// The states of the wood.
const (
	Synced    = "synced"    // the wood shows the position
	Moving    = "moving"    // a piece is lifted, or the wood does not rest
	Executing = "executing" // a move made elsewhere is to be copied
	Asking    = "asking"    // several moves are possible, Choices lists them
	Wrong     = "wrong"     // the wood shows no position of the game
	Setup     = "setup"     // the first position is being put up
)

// Touch is one square whose pieces differ from what should stand there.
type Touch struct {
	Square string   `json:"square"` // "e2"
	Deck   string   `json:"deck"`   // "lower" or "upper"
	Want   []string `json:"want"`   // piece letters bottom to top
	See    int      `json:"see"`    // how many pieces the sensors see; -1 when they cannot tell
}

// Seals are the signatures of both sides over the chain of moves.
type Seals struct {
	White *Seal `json:"white,omitempty"`
	Black *Seal `json:"black,omitempty"`
}

// Seal is one side's signature over the game's beginning and its first Ply moves, and over its end when it had one.
type Seal struct {
	Ply       int    `json:"ply"`
	Takebacks int    `json:"takebacks,omitempty"` // carried out when it was given
	Outcome   string `json:"outcome,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Key       string `json:"key"` // Ed25519 public key, base64
	Sig       string `json:"sig"` // Ed25519 signature, base64
}

// MarshalJSON writes lists and options as empty, never as null.
func (g Game) MarshalJSON() ([]byte, error) {
	type plain Game
	p := plain(g)
	p.Moves, p.SAN, p.Legal = filled(p.Moves), filled(p.SAN), filled(p.Legal)
	if p.Options == nil {
		p.Options = Options{}
	}
	return json.Marshal(p)
}

// MarshalJSON writes the lists as empty, never as null.
func (w Wood) MarshalJSON() ([]byte, error) {
	type plain Wood
	p := plain(w)
	p.Squares, p.Choices = filled(p.Squares), filled(p.Choices)
	return json.Marshal(p)
}

// MarshalJSON writes an empty square as [], never as null.
func (t Touch) MarshalJSON() ([]byte, error) {
	type plain Touch
	p := plain(t)
	p.Want = filled(p.Want)
	return json.Marshal(p)
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
