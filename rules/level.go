// SPDX-License-Identifier: Apache-2.0

package rules

// level is one storey of the board: what stands on each square of it, at most one piece. The four words are the four
// bits of the Piece code, so a level always has 32 bytes. A piece is read with four shifts. Every set that a move
// generator asks for, such as all rooks and queens of Black, takes two or three word operations. Rejected: one set
// per kind and side (twelve words to copy at every move), and 64 bytes of pieces.
type level [4]Bitboard

// at is the piece on the square.
func (l *level) at(s Square) Piece {
	s &= 63
	return Piece(l[0]>>s&1 | l[1]>>s&1<<1 | l[2]>>s&1<<2 | l[3]>>s&1<<3)
}

// flip puts the piece on every empty square of the set, or takes it from every square of the set where it stands.
func (l *level) flip(b Bitboard, p Piece) {
	l[0] ^= b & -Bitboard(p&1)
	l[1] ^= b & -Bitboard(p>>1&1)
	l[2] ^= b & -Bitboard(p>>2&1)
	l[3] ^= b & -Bitboard(p>>3)
}

// occupied is the set of squares with a piece.
func (l *level) occupied() Bitboard { return l[0] | l[1] | l[2] }

// of is the set of squares with a piece of the side.
func (l *level) of(c Color) Bitboard { return (l[0] | l[1] | l[2]) & (l[3] ^ (Bitboard(c) - 1)) }

// kind is the set of squares with a piece of that kind, of either side.
func (l *level) kind(k Kind) Bitboard {
	b := ^Bitboard(0)
	for i := range 3 {
		b &= l[i] ^ (Bitboard(k>>i&1) - 1)
	}
	return b
}

// pieceSet holds the pieces of one side on one level, by the way they move; queens are in both diag and ortho.
type pieceSet struct{ all, pawns, knights, diag, ortho, kings Bitboard }

// pieceSet sorts the side's pieces.
func (l *level) pieceSet(c Color) pieceSet {
	side := l[3] ^ (Bitboard(c) - 1)
	return pieceSet{
		all:     (l[0] | l[1] | l[2]) & side,
		pawns:   l[0] &^ (l[1] | l[2]) & side,
		knights: l[1] &^ (l[0] | l[2]) & side,
		diag:    l[0] & (l[1] ^ l[2]) & side,
		ortho:   l[2] &^ l[1] & side,
		kings:   l[1] & l[2] & side,
	}
}

// only keeps the pieces that stand on the squares of the set.
func (a pieceSet) only(b Bitboard) pieceSet {
	return pieceSet{a.all & b, a.pawns & b, a.knights & b, a.diag & b, a.ortho & b, a.kings & b}
}

// or is the union of two sets.
func (a pieceSet) or(b pieceSet) pieceSet {
	return pieceSet{a.all | b.all, a.pawns | b.pawns, a.knights | b.knights, a.diag | b.diag, a.ortho | b.ortho,
		a.kings | b.kings}
}

// differs returns the squares on which two levels are not the same.
func (l *level) differs(m *level) Bitboard {
	return (l[0] ^ m[0]) | (l[1] ^ m[1]) | (l[2] ^ m[2]) | (l[3] ^ m[3])
}
