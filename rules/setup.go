// SPDX-License-Identifier: Apache-2.0

package rules

// setup is what a game says of positions that are set up rather than reached (RULES 2.1).
type setup struct {
	put func(p *Position, s Square, stack []Piece) // sets up a stack, bottom to top
	// why such a stack is impossible there; "" if it is possible
	fault    func(s Square, stack []Piece) string
	home     func(p *Position, s Square) Piece                // the piece on the square, if it stands as castling asks
	passable func(p *Position, c Color, passed Square) string // why no pawn of c can just have passed; "" if one can
	early    bool                                             // pillar: pawns also pass their second rank
}

// pawnFault says why a pawn cannot stand on the square, at whatever level.
func pawnFault(s Square, pc Piece) string {
	if pc.Kind() != Pawn {
		return ""
	}
	switch {
	case rankOf(pc.Color(), 0).Has(s):
		return pc.String() + " on the first rank of its side"
	case rankOf(pc.Color(), 7).Has(s):
		return pc.String() + " on its last rank"
	}
	return ""
}

// passable returns why no pawn of c can just have passed the square. pawn tells what counts as standing on a square
// alone, and the squares of full are not empty.
func passable(c Color, passed Square, alone func(Square) Piece, full Bitboard) string {
	to, from := Square(int(passed)+c.forward()), Square(int(passed)-c.forward())
	switch {
	case alone(to) != NewPiece(c, Pawn):
		return "no " + c.String() + " pawn stands ready on " + to.String()
	case full.Has(passed):
		return "the passed square " + passed.String() + " is occupied"
	case full.Has(from):
		return "the square " + from.String() + " it came from is occupied"
	}
	return ""
}
