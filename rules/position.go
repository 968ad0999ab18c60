// SPDX-License-Identifier: Apache-2.0

package rules

// Position is the state of a game between two moves: what stands where, whose turn it is, the rights and the counters.
// It is a plain value of 120 bytes without pointers. Assignment copies it, so keeping a copy is enough to take a move
// back. == compares everything, while Key compares only what repetition needs. The zero Position has no kings, and its
// methods mean nothing; positions come from Variant.Start and Variant.ParseFEN.
type Position struct {
	// lower holds the pieces on the board. In locking and superchess these are single pieces and the lowest of a
	// stack, in pillar the tops of the stacks. In meirav they are the buried pieces, in flying the pieces on the
	// ground. The field upper holds the overlaid pieces (locking, superchess), the top board (meirav) or the pieces
	// in the air (flying).
	lower, upper level
	below        pile // pillar: what lies under the tops
	key          uint64
	half, full   uint32 // half-moves since the last capture or pawn move; number of the move, from 1
	turn         Color
	rights       uint8  // castling rights, bit 0 = K, 1 = Q, 2 = k, 3 = q
	game         uint8  // its place in variants; a pointer would send every position of a search to the heap
	liberal      bool   // Variant.liberal, here because a rule set cannot look itself up in the table it stands in
	passed       Square // what a pawn passed by its double step and may be taken on, NoSquare if none
}

// Variant is the game.
func (p *Position) Variant() *Variant { return p.rules() }

func (p *Position) rules() *Variant { return variants[p.game] }

// Turn is the side to move.
func (p *Position) Turn() Color { return p.turn }

// HalfMoves counts the half-moves since the last capture or pawn move, for the fifty-move rule.
func (p *Position) HalfMoves() int { return int(p.half) }

// MoveNumber is the number of the move, from 1, raised after Black's move.
func (p *Position) MoveNumber() int { return int(p.full) }

// Key is equal for two positions of a game that count as the same for repetition. The first four fields of their FEN
// are then equal (RULES 2.1). For others it almost never is.
func (p *Position) Key() uint64 { return p.key }

// AppendStack appends what stands on the square, bottom to top. Flying: ground and air, the ground NoPiece when
// there is only a flyer. Meirav: the buried piece and the top piece.
func (p *Position) AppendStack(dst []Piece, s Square) []Piece {
	dst = p.below.append(dst, s)
	low, high := p.lower.at(s), p.upper.at(s)
	if low != NoPiece || high != NoPiece && p.rules().gaps {
		dst = append(dst, low)
	}
	if high != NoPiece {
		dst = append(dst, high)
	}
	return dst
}

// Levels is what stands on the square at the lower and at the upper of the two levels that every game is kept on.
// Locking, Superchess: on the board and overlaid. Meirav: buried and on the top board. Pillar: the top of the stack,
// and nothing. Flying: on the ground and in the air.
func (p *Position) Levels(s Square) (low, high Piece) { return p.lower.at(s), p.upper.at(s) }

// Occupied is the set of squares with at least one piece at any level.
func (p *Position) Occupied() Bitboard { return p.lower.occupied() | p.upper.occupied() }

// Locked is the set of squares on which a piece is locked under another; in meirav, the buried pieces; in flying none.
func (p *Position) Locked() Bitboard {
	if p.rules().gaps {
		return 0
	}
	return p.lower.occupied()&p.upper.occupied() | p.below.tall
}

// Checkers is the set of squares on which a piece stands that could take the king of the side to move.
func (p *Position) Checkers() Bitboard { return p.rules().checkers(still(p), p.turn) }

// InCheck reports whether the king of the side to move could be taken.
func (p *Position) InCheck() bool { return p.Checkers() != 0 }

// KingSquare is the square of the side's king, at whatever level.
func (p *Position) KingSquare(c Color) Square {
	return (p.lower.kind(King)&p.lower.of(c) | p.upper.kind(King)&p.upper.of(c)).first()
}

// AppendMoves appends all legal moves, in no particular order.
func (p *Position) AppendMoves(dst []Move) []Move {
	s := sink{list: true, moves: dst}
	p.rules().moves(still(p), still(&s))
	return s.moves
}

// CountMoves is the number of legal moves; it builds none of them.
func (p *Position) CountMoves() int {
	var s sink
	p.rules().moves(still(p), still(&s))
	return s.n
}
