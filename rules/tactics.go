// SPDX-License-Identifier: Apache-2.0

package rules

// What a search needs of a position besides its legal moves: the few that change much, what a move touches, and the
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

// IsTactic reports whether AppendTactics lists a legal move of this position.
func (p *Position) IsTactic(m Move) bool {
	switch {
	case m.Promotion() != NoKind:
		return m.Promotion() == Queen
	case m&capture != 0:
		return true
	}
	return m&mark != 0 && !p.rules().layered && (p.lower.of(p.turn.Other()) &^ p.upper.occupied()).Has(m.To())
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

// Top is the topmost piece on the square, NoPiece if it is empty.
func (p *Position) Top(s Square) Piece {
	if pc := p.upper.at(s); pc != NoPiece {
		return pc
	}
	return p.lower.at(s)
}

// Mover is the kind that makes a legal move: of a stack, its top piece, unless the move is one of the lower deck.
func (p *Position) Mover(m Move) Kind {
	game := p.rules()
	if game.trades {
		return p.lower.at(m.From()).Kind()
	}
	if game.layered && (m.IsMarked() || game.gaps && !m.FromAir()) {
		if pc := p.lower.at(m.From()); pc != NoPiece {
			return pc.Kind()
		}
	}
	return p.Top(m.From()).Kind()
}

// MayCheck reports whether a legal move may give check. It is never false of one that does. In chess it is exact but
// for castling and captures in passing; in the other games it tells only whether the move touches a square from which,
// or across which, the enemy king can be struck.
func (p *Position) MayCheck(m Move) bool {
	them := p.turn.Other()
	king := p.KingSquare(them) & 63
	lines := bishopRays[king] | rookRays[king]
	if p.Touched(m)&(lines|knightAttacks[king]|king.bit()) == 0 {
		return false
	}
	if !p.rules().trades || m&(enPassant|castle) != 0 {
		return true
	}
	from, to := m.From(), m.To().bit()
	occ := p.lower.occupied()&^from.bit() | to
	kind := m.Promotion()
	if kind == NoKind {
		kind = p.lower.at(from).Kind()
	}
	var strikes Bitboard // from where such a piece strikes the king
	switch kind {
	case Pawn:
		strikes = pawnAttacks[them&1][king]
	case Knight:
		strikes = knightAttacks[king]
	case Bishop:
		strikes = bishopRays[king]
	case Rook:
		strikes = rookRays[king]
	case Queen:
		strikes = lines
	}
	if strikes&to != 0 && between[king][m.To()&63]&occ == 0 {
		return true
	}
	if lines&from.bit() == 0 {
		return false
	}
	army := p.lower.army(p.turn)
	return (bishopAttacks(king, occ)&army.diag|rookAttacks(king, occ)&army.ortho)&^(from.bit()|to) != 0
}

// PawnKey is a number that two positions share if their pawns stand alike, at whatever level, and otherwise seldom.
func (p *Position) PawnKey() uint64 {
	low, high := p.lower.kind(Pawn), p.upper.kind(Pawn)
	key := uint64(low&p.lower.of(White)|high&p.upper.of(White)) * 0x9e3779b97f4a7c15
	key ^= key >> 29
	key += uint64(low&p.lower.of(Black)|high&p.upper.of(Black)) * 0xbf58476d1ce4e5b9
	return key ^ key>>32
}
