// SPDX-License-Identifier: Apache-2.0

package rules

// sink takes what a rule set generates. A rule set gives whole sets ("the knight on g1 may go to these squares"),
// never single moves. So the same code serves three readers. To count, a sink adds up the sizes of the sets and builds
// no move. To list, it takes the sets apart. A loose sink asks for the moves that would be legal if the king did not
// matter. With it Why finds that a move fails only because of the king.
type sink struct {
	list  bool // take the sets apart into moves
	loose bool // the safety of the king is not asked for
	n     int  // how many moves were said
	moves []Move
	takes Bitboard // squares of arrival on which an enemy piece is taken

	// of a list: leave out what is neither a capture, a promotion to a queen, nor lands on a piece of landed
	tactics bool
	landed  Bitboard // enemies that a marked move may stand on without taking them
}

// add says that the piece on from may go to each square of the set.
func (s *sink) add(from Square, to Bitboard, tag Move) {
	s.n += to.Count()
	if s.list {
		s.spread(from, to, tag)
	}
}

// steps says that a piece may arrive on each square of the set by a step of delta squares.
func (s *sink) steps(to Bitboard, delta int, tag Move) {
	s.n += to.Count()
	if s.list {
		s.spreadSteps(to, delta, tag)
	}
}

// promotions is steps of pawns that become a knight, bishop, rook or queen as they arrive.
func (s *sink) promotions(to Bitboard, delta int, tag Move) {
	for k := Knight; k <= Queen; k++ {
		s.steps(to, delta, tag|promote(k))
	}
}

// spread is not inlined so that add is.
//
//go:noinline
func (s *sink) spread(from Square, to Bitboard, tag Move) {
	moves, takes := s.moves, s.takes
	if s.tactics {
		to &= s.sharp(tag)
	}
	for tag |= Move(from); to != 0; to &= to - 1 {
		t := to.first()
		moves = append(moves, tag|Move(t)<<6|captureOn(takes, t))
	}
	s.moves = moves
}

//go:noinline
func (s *sink) spreadSteps(to Bitboard, delta int, tag Move) {
	moves, takes := s.moves, s.takes
	if s.tactics {
		to &= s.sharp(tag)
	}
	for ; to != 0; to &= to - 1 {
		t := to.first()
		moves = append(moves, tag|move(Square(int(t)-delta), t)|captureOn(takes, t))
	}
	s.moves = moves
}

// captureOn is the capture mark if the square is in the set.
func captureOn(takes Bitboard, s Square) Move { return Move(takes>>(s&63)&1) * capture }

// one says a single move, whose marks are all in it.
func (s *sink) one(m Move) {
	s.n++
	if s.list && (!s.tactics || m&capture != 0 || s.sharp(m).Has(m.To())) {
		s.moves = append(s.moves, m)
	}
}

// sharp returns the squares of arrival that a list of tactics asks for, of moves with that tag.
func (s *sink) sharp(tag Move) Bitboard {
	switch k := tag.Promotion(); {
	case k == Queen:
		return ^Bitboard(0)
	case k != NoKind:
		return 0
	case tag&mark != 0:
		return s.takes | s.landed
	}
	return s.takes
}
