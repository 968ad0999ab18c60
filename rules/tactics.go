// SPDX-License-Identifier: Apache-2.0

package rules

// What a search needs of a position besides its legal moves. These are the few moves that change much, what a move
// touches, and the position with the turn passed.

// AppendTactics appends the legal moves that capture, that promote to a queen, or that land on an enemy piece without
// taking it. Those lock an enemy piece or occupy an enemy rook. Promotions to other kinds are left out, captures too.
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

// Touched returns the squares whose stacks a legal move of this position changes, and possibly more.
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

// Officers returns the squares with a piece of the side, at whatever level, that is neither king nor pawn.
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

// Checks is what it takes to tell which moves of a position give check.
type Checks struct {
	near    Bitboard    // squares from which the enemy king can be struck on an empty board, and his own
	exact   bool        // the two below are known: in chess alone
	strikes [8]Bitboard // by kind, where such a piece strikes him
	opens   Bitboard    // squares of pieces that alone stand between one of their own and him
	king    Square
}

// Checks looks at the lines to the king of the side that is not to move.
func (p *Position) Checks() Checks {
	them := p.turn.Other()
	king := p.KingSquare(them) & 63
	c := Checks{near: bishopRays[king] | rookRays[king] | knightAttacks[king] | king.bit(), king: king}
	if !p.rules().trades {
		return c
	}
	occ, set := p.lower.occupied(), p.lower.pieceSet(p.turn)
	diag, ortho := bishopAttacks(king, occ), rookAttacks(king, occ)
	c.exact = true
	c.strikes = [8]Bitboard{Pawn: pawnAttacks[them&1][king], Knight: knightAttacks[king], Bishop: diag, Rook: ortho,
		Queen: diag | ortho}
	_, between := set.lineThreats(king, occ)
	c.opens = between & set.all
	return c
}

// MayCheck reports whether a legal move may give check; c comes from Checks. It is never false of one that
// does. In chess it is exact except for castling, promotions and captures in passing. In the other games it tells only
// whether the move touches a square from which, or across which, the enemy king can be attacked.
func (p *Position) MayCheck(m Move, c *Checks) bool {
	from, to := m.From(), m.To()
	if !c.exact || m&(enPassant|castle) != 0 || m.Promotion() != NoKind {
		return p.Touched(m)&c.near != 0
	}
	return c.strikes[p.lower.at(from).Kind()].Has(to) ||
		c.opens.Has(from) && !lines[c.king][from&63].Has(to)
}

// Pieces returns the squares with a piece of the side and of the kind, at whatever level.
func (p *Position) Pieces(c Color, k Kind) Bitboard {
	return p.lower.kind(k)&p.lower.of(c) | p.upper.kind(k)&p.upper.of(c)
}

// Kinds returns the squares with pieces of the side on the lower level, by kind.
func (p *Position) Kinds(c Color) [7]Bitboard {
	set := p.lower.pieceSet(c)
	return [7]Bitboard{Pawn: set.pawns, Knight: set.knights, Bishop: set.diag &^ set.ortho, Rook: set.ortho &^ set.diag,
		Queen: set.diag & set.ortho, King: set.kings}
}

// Strikes is what the pieces of one side strike. All holds what each kind does, the queens and the king as well.
type Strikes struct{ Pawns, Minors, Rooks, All Bitboard }

// Strikes looks at the pieces of the side on the lower level, which is all that orthodox chess has.
func (p *Position) Strikes(c Color) (by Strikes) {
	set, occ, up := p.lower.pieceSet(c), p.lower.occupied(), c.forward()
	by.Pawns = (set.pawns &^ fileA).turned(up-1) | (set.pawns &^ fileH).turned(up+1)
	for b := set.knights; b != 0; b &= b - 1 {
		by.Minors |= knightAttacks[b.first()&63]
	}
	for b := set.diag &^ set.ortho; b != 0; b &= b - 1 {
		by.Minors |= bishopAttacks(b.first(), occ)
	}
	for b := set.ortho &^ set.diag; b != 0; b &= b - 1 {
		by.Rooks |= rookAttacks(b.first(), occ)
	}
	by.All = by.Pawns | by.Minors | by.Rooks | kingAttacks[set.kings.first()&63]
	for b := set.diag & set.ortho; b != 0; b &= b - 1 {
		by.All |= bishopAttacks(b.first(), occ) | rookAttacks(b.first(), occ)
	}
	return by
}

// PawnKey is a number that two positions share if their pawns stand alike, at whatever level, and otherwise seldom.
func (p *Position) PawnKey() uint64 {
	key := uint64(p.Pieces(White, Pawn)) * 0x9e3779b97f4a7c15
	key ^= key >> 29
	key += uint64(p.Pieces(Black, Pawn)) * 0xbf58476d1ce4e5b9
	return key ^ key>>32
}
