// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// Game is the whole game as the retained game topic shows it. Lists are written as [] when empty, never as null.
type Game struct {
	Schema  int      `json:"schema" is:"schema"` // Schema
	Game    string   `json:"game" is:"id"`       // id; of two games the one whose id sorts later is the newer
	Variant string   `json:"variant" is:"id"`    // id of the rule set: "chess", "locking", ...
	Options Options  `json:"options" is:"options"`
	Seats   Seats    `json:"seats"`
	Start   string   `json:"start" is:"fen"`               // stack FEN of the first position
	Moves   []string `json:"moves" is:"move" most:"plies"` // coordinate moves from Start on
	SAN     []string `json:"san" is:"san" most:"plies"`    // the same moves for people, same length
	FEN     string   `json:"fen" is:"fen"`                 // position after the last move
	Turn    string   `json:"turn" is:"side?"`              // "white" or "black"
	Check   bool     `json:"check" is:"flag"`              // the side to move is in check
	// "" while it goes on, "1-0", "0-1", "1/2-1/2"; "*" when aborted
	Outcome string `json:"outcome" is:"outcome"`
	Reason  string `json:"reason" is:"word"` // why the game ended, "" while it goes on
	// coordinate moves of the side to move; none once the game has ended
	Legal []string `json:"legal" is:"move" most:"legal"`
	Clock *Clock   `json:"clock"` // null when played without a clock
	Wood  Wood     `json:"wood"`

	// day of the first move, by the board's own clock: 2026-11-23
	Date  string `json:"date,omitempty" is:"word"`
	Names *Names `json:"names,omitempty"` // who plays, as far as somebody said it
	// what the clock of each mover showed after its move; missing when played without a clock
	Clocks []int64 `json:"clocks,omitempty" is:"ms" most:"plies"`
	// the time control, for boards that join
	Timing *ClockSpec `json:"timing,omitempty"`
	Offer  string     `json:"offer,omitempty" is:"side?"` // "white" or "black": whose draw offer stands
	// how many takebacks both sides have carried out; an older count is an older message
	Takebacks int `json:"takebacks,omitempty" is:"count"`
	// a takeback that a side has asked for and that is not answered
	Ask *Ask `json:"ask,omitempty"`
	// the number of the last Ask of the other side that was declined
	Declined int `json:"declined,omitempty" is:"count"`
	// the side whose draw offer was declined here since the last move
	NoDraw string `json:"no_draw,omitempty" is:"side?"`
	// open requests of either side
	Requests []Request `json:"requests,omitempty" most:"legal"`
	// this board's answer to the other one's last request that has a number
	Answered *Answered `json:"answered,omitempty"`
	Paused   bool      `json:"paused,omitempty" is:"flag"`
	// how often either side has paused the game or let it go on; the higher count is the newer
	Pauses int `json:"pauses,omitempty" is:"count"`
	// "desync": the wood of this board shows no position of the game; the clocks go on when it does. "rival-desync": that
	// of the other board does not. "copying": the engine's move is not on the board yet, for at most 30 s. "advising": it
	// waits for a blunder to be taken back
	PauseReason string `json:"pause_reason,omitempty" is:"word"`
	// the newest part could not be stored yet: only the board's own page gets such a game
	Unstored bool `json:"unstored,omitempty" is:"flag"`
	// what contradicts this game in another board's, for people
	Conflict     string     `json:"conflict,omitempty" is:"text"`
	ConflictSaid []Sentence `json:"conflict_said,omitempty" most:"said"` // the same, for catalogues of other languages
	Seals        *Seals     `json:"seals,omitempty"`
	Problem      *Problem   `json:"problem,omitempty"` // the game is a problem that is solved at this board
	// the number of the last change that a command may be about; it rises over a restart too. A command may name it
	Step int64 `json:"step,omitempty" is:"step"`
	// what would answer the move just made: the engine waits for it to be taken back
	Blunder *Best `json:"blunder,omitempty"`
}

// Problem is a problem: the side that begins has to find the only move that mates in a number of moves.
type Problem struct {
	Number int    `json:"number" is:"count"`         // in the list of the rule set, from 1
	Of     int    `json:"of" is:"count"`             // number of problems
	In     int    `json:"in" is:"count"`             // moves to the mate
	Only   int    `json:"only,omitempty" is:"count"` // problems of this many moves alone come; 0 or absent: all
	State  string `json:"state" is:"word"`           // "find", "refuted", "solved" or "given-up"
	Tries  int    `json:"tries" is:"count"`          // wrong ones
	Solved int    `json:"solved" is:"count"`         // problems since somebody began to solve them at this board
	Shown  int    `json:"shown" is:"count"`          // problems that are over since then
	Refute *Best  `json:"refute,omitempty"`          // what is proven to refute the try that stands on the board
	Key    *Best  `json:"key,omitempty"`             // when it is over, or after a while
}

// Best is one move.
type Best struct {
	Move string `json:"move" is:"move"`
	SAN  string `json:"san" is:"san"`
}

// Seats says who plays which side: a board id, "local" or "engine".
type Seats struct {
	White string `json:"white" is:"seat"`
	Black string `json:"black" is:"seat"`
}

// Names is who plays where, for people and for game files. "" and 0 are not known.
type Names struct {
	Event string `json:"event,omitempty" is:"word"` // of the tournament or match
	Site  string `json:"site,omitempty" is:"word"`
	Round string `json:"round,omitempty" is:"word"`
	Table string `json:"table,omitempty" is:"word"` // number of the game in its round
	White string `json:"white,omitempty" is:"word"` // "Surname, First name"
	Black string `json:"black,omitempty" is:"word"`

	WhiteTitle      string `json:"white_title,omitempty" is:"word"` // GM, WFM ...
	BlackTitle      string `json:"black_title,omitempty" is:"word"`
	WhiteFederation string `json:"white_federation,omitempty" is:"word"` // three letters
	BlackFederation string `json:"black_federation,omitempty" is:"word"`
	WhiteFIDE       int    `json:"white_fide,omitempty" is:"count"` // id at FIDE
	BlackFIDE       int    `json:"black_fide,omitempty" is:"count"`
}

// By is who plays a side.
func (s Seats) By(side string) string {
	if side == "white" {
		return s.White
	}
	return s.Black
}

// Clock is what the clocks showed when the message was made, in milliseconds, never negative.
type Clock struct {
	White   int64  `json:"white_ms" is:"ms"`
	Black   int64  `json:"black_ms" is:"ms"`
	Running string `json:"running" is:"side?"` // "white" or "black": whose time runs; "" when both stand
	// RFC 3339 with milliseconds: when they showed it, by the board's own clock
	At string `json:"at,omitempty" is:"word"`
}

// Ask is a request to take moves back.
type Ask struct {
	By     string `json:"by" is:"side"`       // "white" or "black"
	Number int    `json:"number" is:"number"` // counts the requests of one side in one game, from 1
	To     int    `json:"to" is:"ply"`        // how many plies would remain
}

// Request is an open request of one side to the other. It has all that pages and lights need. For the other board, Ask
// and Offer say the same about a takeback and a draw.
type Request struct {
	What string `json:"what" is:"request"` // takeback, draw, new, abort, adjust or hint
	By   string `json:"by" is:"side"`      // the side that asks
	// new, abort, adjust, hint: counts the requests of one board
	Number  int        `json:"number,omitempty" is:"count"`
	To      int        `json:"to,omitempty" is:"ply"`          // takeback: how many plies would remain
	Game    string     `json:"game,omitempty" is:"word"`       // new: the id it would have
	Variant string     `json:"variant,omitempty" is:"word"`    // new
	Options Options    `json:"options,omitempty" is:"options"` // new
	Seats   *Seats     `json:"seats,omitempty"`                // new
	Start   string     `json:"start,omitempty" is:"fen"`       // new: stack FEN, "" for the array
	Timing  *ClockSpec `json:"timing,omitempty"`               // new: its clock
	White   int64      `json:"white_ms,omitempty" is:"ms"`     // adjust: what White's clock would show
	Black   int64      `json:"black_ms,omitempty" is:"ms"`     // adjust: what Black's clock would show
}

// Answered is the answer to a request that has a number.
type Answered struct {
	Number   int  `json:"number" is:"number"`
	Accepted bool `json:"accepted" is:"flag"`
}

// Wood is how the wood stands, compared with the game.
type Wood struct {
	Ply int `json:"ply" is:"ply"` // the ply that the wood shows
	// synced, moving, executing, asking, wrong or setup
	State   string   `json:"state" is:"state?"`
	Squares []Touch  `json:"squares" most:"squares"`              // the squares that a hand must touch
	Choices []string `json:"choices" is:"move" most:"legal"`      // coordinate moves of an open question
	SAN     []string `json:"san,omitempty" is:"san" most:"legal"` // the same moves for people, same length
	Answers []Answer `json:"answers,omitempty" most:"legal"`      // which square answers for which choice
	// a move that is seen, but does not count yet: it is not sure enough for the other board, or the game is paused. A
	// promotion ends with its square, as e8, while it is not known what the pawn becomes
	Held string `json:"held,omitempty" is:"san"`
	// while the array stands in the middle of the game: squares whose king begins a new game when it is lifted and put
	// back
	Kings []string `json:"kings,omitempty" is:"square" most:"squares"`
}

// Answer is the square whose piece, lifted and put back, answers an open question with a move.
type Answer struct {
	Move   string `json:"move" is:"move"`
	Square string `json:"square" is:"square"`
	Deck   string `json:"deck" is:"deck"`
}

// The states of the wood.
const (
	Synced    = "synced"    // the wood shows the position
	Moving    = "moving"    // a piece is lifted, or the wood does not rest
	Executing = "executing" // a move made elsewhere is to be copied
	Asking    = "asking"    // several moves are possible, Choices lists them
	Wrong     = "wrong"     // the wood shows no position of the game
	Setup     = "setup"     // the first position is being set up
)

// Touch is one square whose pieces differ from those that should stand there.
type Touch struct {
	Square string   `json:"square" is:"square"`           // "e2"
	Deck   string   `json:"deck" is:"deck"`               // "lower" or "upper"
	Want   []string `json:"want" is:"piece" most:"stack"` // piece letters bottom to top
	See    int      `json:"see" is:"seen"`                // how many pieces the sensors see; -1 when they cannot tell
}

// Seals are the signatures of both sides over the chain of moves, and one of the board that publishes them. That is
// over what it asks and answers: its draw offer, its requests, its answers to those of the other board, and pauses.
type Seals struct {
	White *Seal `json:"white,omitempty"`
	Black *Seal `json:"black,omitempty"`
	// Ed25519 signature of the board that speaks over what it asks and answers, base64
	Said string `json:"said,omitempty" is:"base64"`
}

// Seal is one side's signature over the game's beginning, its first Ply moves, and its end if it has ended.
type Seal struct {
	Ply       int    `json:"ply" is:"ply"`
	Takebacks int    `json:"takebacks,omitempty" is:"count"` // number of takebacks before it was given
	Outcome   string `json:"outcome,omitempty" is:"outcome"`
	Reason    string `json:"reason,omitempty" is:"word"`
	Key       string `json:"key" is:"base64"` // Ed25519 public key, base64
	Sig       string `json:"sig" is:"base64"` // Ed25519 signature, base64
}

// String is the signature as game files and the journal have it.
func (s *Seal) String() string {
	return fmt.Sprintf("%d %d %s %s %s %s", s.Ply, s.Takebacks, cmp.Or(s.Outcome, "-"), cmp.Or(s.Reason, "-"), s.Key,
		s.Sig)
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
