// SPDX-License-Identifier: Apache-2.0

package rules

// What a search asks of a position besides its legal moves: the few that change much, what a move touches, and the
// position with the turn passed.

// AppendTactics appends the legal moves that capture, that promote to a queen, or that land on an enemy piece without
// taking it (locking an enemy piece, occupying an enemy rook). Promotions to other kinds are left out, captures too.
func (p *Position) AppendTactics(dst []Move) []Move {
	s := sink{list: true, moves: dst, tactics: true}
	if !p.rules().layered {
		s.landed = p.lower.of(p.turn.Other()) &^ p.upper.occupied()
	}
	p.rules().moves(still(p), still(&s))
	return s.moves
}

// Touched is the squares whose stacks a legal move of this position changes, and possibly more.
func (p *Position) Touched(m Move) Bitboard {
	b := m.From().bit() | m.To().bit()
	if m&enPassant != 0 {
		b |= beyond(p.turn, m.To()).bit()
	}
	if m&castle != 0 {
		w := wingTo(p.turn, m.To())
		b |= w.rook.bit() | w.rookTo.bit()
	}
	return b
}

// Pass gives the turn to the opponent without a move, which no game allows and a search tries out. The side to move
// must not be in check.
func (p *Position) Pass() {
	p.key ^= keys.passed[p.passed] ^ keys.black
	p.passed = NoSquare
	p.half++
	p.full += uint32(p.turn)
	p.turn ^= 1
}

// Officers is the squares with a piece of the side, at whatever level, that is neither king nor pawn.
func (p *Position) Officers(c Color) Bitboard {
	return p.lower.of(c)&^(p.lower.kind(Pawn)|p.lower.kind(King)) | p.upper.of(c)&^(p.upper.kind(Pawn)|p.upper.kind(King))
}
