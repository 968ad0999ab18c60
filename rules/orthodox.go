// SPDX-License-Identifier: Apache-2.0

package rules

// What the rule sets have in common with orthodox chess: pins and checks along lines, attacks on a square, the
// steps of pawns. Each works on one plane of lines and on the set that strikes along it.

// lineThreats looks along the lines of a plane from the king. Enemy line pieces with nothing between are checkers. If
// one piece of either side stands between, its square is in blockers.
func (a *pieceSet) lineThreats(king Square, occ Bitboard) (checkers, blockers Bitboard) {
	king &= 63
	for b := bishopRays[king]&a.diag | rookRays[king]&a.ortho; b != 0; b &= b - 1 {
		mid := between[king][b.first()&63] & occ
		if mid == 0 {
			checkers |= b & -b
		} else if !mid.many() {
			blockers |= mid
		}
	}
	return checkers, blockers
}

// leapers is the set of knights and pawns that strike the square; c is the side of the piece on it.
func (a *pieceSet) leapers(s Square, c Color) Bitboard {
	return knightAttacks[s&63]&a.knights | pawnAttacks[c&1][s&63]&a.pawns
}

// attackers is the set of pieces of the set that strike the square; c is the side that would stand on it.
func (a *pieceSet) attackers(s Square, occ Bitboard, c Color) Bitboard {
	return knightAttacks[s&63]&a.knights | pawnAttacks[c&1][s&63]&a.pawns | kingAttacks[s&63]&a.kings |
		bishopAttacks(s, occ)&a.diag | rookAttacks(s, occ)&a.ortho
}

// strikes reports whether the set strikes the square.
func (a *pieceSet) strikes(s Square, occ Bitboard, c Color) bool { return a.attackers(s, occ, c) != 0 }

// safe keeps the squares that the set does not strike.
func (a *pieceSet) safe(b, occ Bitboard, c Color) Bitboard {
	for rest := b; rest != 0; rest &= rest - 1 {
		if a.strikes(rest.first(), occ, c) {
			b &^= rest & -rest
		}
	}
	return b
}

// strike is every square that the set strikes; c is its side.
func (a *pieceSet) strike(occ Bitboard, c Color) Bitboard {
	up := c.forward()
	all := (a.pawns &^ fileA).turned(up-1) | (a.pawns &^ fileH).turned(up+1)
	for b := a.knights; b != 0; b &= b - 1 {
		all |= knightAttacks[b.first()&63]
	}
	for b := a.diag; b != 0; b &= b - 1 {
		all |= bishopAttacks(b.first(), occ)
	}
	for b := a.ortho; b != 0; b &= b - 1 {
		all |= rookAttacks(b.first(), occ)
	}
	for b := a.kings; b != 0; b &= b - 1 {
		all |= kingAttacks[b.first()&63]
	}
	return all
}

// answers is the set of squares on which a piece other than the king answers the checks. It is every square when there
// is no check, and none for two checks. For one check it is the checker's square and those between.
func answers(king Square, checkers Bitboard) Bitboard {
	switch {
	case checkers == 0:
		return ^Bitboard(0)
	case checkers.many():
		return 0
	}
	return checkers | between[king&63][checkers.first()&63]
}

// advances says the pawns' steps straight ahead onto squares of land; pawns on squares of double may go two, over
// an empty square.
func (s *sink) advances(c Color, pawns, double, empty, land Bitboard, tag Move) {
	up, last := c.forward(), rankOf(c, 7)
	one := pawns.turned(up)
	two := (one & empty & double.turned(up)).turned(up) & land
	one &= land
	s.steps(one&^last, up, tag)
	s.steps(two, 2*up, tag|doubleStep)
	if one &= last; one != 0 {
		s.promotions(one, up, tag)
	}
}

// diagonals says the pawns' diagonal steps onto squares of want.
func (s *sink) diagonals(c Color, pawns, want Bitboard, tag Move) {
	up, last := c.forward(), rankOf(c, 7)
	left, right := (pawns&^fileA).turned(up-1)&want, (pawns&^fileH).turned(up+1)&want
	s.steps(left&^last, up-1, tag)
	s.steps(right&^last, up+1, tag)
	if (left|right)&last != 0 {
		s.promotions(left&last, up-1, tag)
		s.promotions(right&last, up+1, tag)
	}
}

// beyond is the square in front of s as the opponent of c sees it: where the pawn stands that passed s.
func beyond(c Color, s Square) Square { return Square(int(s) - c.forward()) }
