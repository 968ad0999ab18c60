// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"

	"boardd/rules/say"
)

// setup is what a game says of positions that are set up rather than reached (RULES 2.1).
type setup struct {
	put func(p *Position, s Square, stack []Piece) // sets up a stack, bottom to top
	// why such a stack is impossible there; nil if it is possible
	fault    func(s Square, stack []Piece) error
	home     func(p *Position, s Square) Piece               // the piece on the square, if it stands as castling asks
	passable func(p *Position, c Color, passed Square) error // why no pawn of c can just have passed; nil if one can
	early    bool                                            // pillar: pawns also pass their second rank
}

// flaw is something that is wrong with a position. People read it, in the language of the page where they set it up;
// its arguments are in the form of those of a [Reason].
func flaw(format string, args ...any) error {
	s := say.That(format, args...)
	words := []string{}
	for _, a := range args {
		if _, within := a.(error); !within { // its words follow
			words = append(words, argument(a))
		}
	}
	s.Parts[0].Args = words
	return s.Refusal()
}

// counted is a number of things.
type counted struct {
	n     int
	thing string
}

// String is the number with what is counted.
func (c counted) String() string {
	if c.n == 1 {
		return "1 " + c.thing
	}
	return fmt.Sprintf("%d %ss", c.n, c.thing)
}

// pawnFault says why a pawn cannot stand on the square, at whatever level.
func pawnFault(s Square, pc Piece) error {
	if pc.Kind() != Pawn {
		return nil
	}
	switch {
	case rankOf(pc.Color(), 0).Has(s):
		return flaw("%s on the first rank of its side", pc)
	case rankOf(pc.Color(), 7).Has(s):
		return flaw("%s on its last rank", pc)
	}
	return nil
}

// passable returns why no pawn of c can just have passed the square. pawn tells what counts as standing on a square
// alone, and the squares of full are not empty.
func passable(c Color, passed Square, alone func(Square) Piece, full Bitboard) error {
	to, from := Square(int(passed)+c.forward()), Square(int(passed)-c.forward())
	switch {
	case alone(to) != NewPiece(c, Pawn):
		return flaw("no %s pawn stands ready on %s", c, to)
	case full.Has(passed):
		return flaw("the passed square %s is occupied", passed)
	case full.Has(from):
		return flaw("the square %s it came from is occupied", from)
	}
	return nil
}
