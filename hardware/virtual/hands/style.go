// SPDX-License-Identifier: Apache-2.0

package hands

import "time"

// Style is how people play: chances of each habit in one move, and times.
type Style struct {
	CaptorFirst float64 // of a capture: the captor is lifted before the captured piece
	OnTop       float64 // of a capture: the captor is put on top, and what it took is pulled away
	OneByOne    float64 // of taking several pieces: one after the other
	BothHands   float64 // of two pieces that move: both are lifted before one is put down
	Beside      float64 // of a top piece that is put aside and back: it lies beside the board, not in the other hand
	PawnFirst   float64 // of a promotion: the pawn is put on the last rank and then exchanged
	Drag        float64 // of a move along a line: the piece is dragged over the squares between

	Hover      float64 // the hand hangs over a piece and goes away again
	Hesitate   float64 // the piece is held for up to two seconds
	Touch      float64 // j'adoube: a piece is lifted and put back, or pushed to the middle
	Mind       float64 // change of mind: the piece is put down elsewhere first
	Brush      float64 // a neighbour is knocked
	Drop       float64 // the piece falls on a square nearby and stays there for a second
	QuickReply float64 // the other side begins within 150 ms
	Pace       Pace
	Think      time.Duration // between moves, at most
}

// Tidy people make every move in the same quiet way, captured piece first.
func Tidy() Style { return Style{Pace: Brisk(), Think: thinks} }

// ClubStyle is people in a club, at a game of some minutes. There is no source for such habits. The figures are chosen
// so that each order that docs/play.md allows occurs many hundred times in 100,000 moves.
func ClubStyle() Style {
	return Style{CaptorFirst: 0.4, OnTop: 0.1, OneByOne: 0.3, BothHands: 0.3, Beside: 0.3, PawnFirst: 0.3, Drag: 0.2,
		Hover: 0.05, Hesitate: 0.05, Touch: 0.01, Mind: 0.01, Brush: 0.01, Drop: 0.003, QuickReply: 0.05, Pace: Brisk(),
		Think: thinks}
}

// RoughStyle is ten times as untidy: what goes wrong goes wrong ten times as often, what is a matter of taste stays.
func RoughStyle() Style {
	s := ClubStyle()
	s.Hover, s.Hesitate, s.Touch, s.Mind, s.Brush, s.Drop, s.QuickReply = 0.3, 0.3, 0.1, 0.1, 0.1, 0.03, 0.2
	return s
}

// StyleByName is the style of a level of physics.
func StyleByName(level string) Style {
	switch level {
	case "club":
		return ClubStyle()
	case "rough":
		return RoughStyle()
	}
	return Tidy()
}
