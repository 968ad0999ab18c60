// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"iter"
	"math/bits"

	"boardd/rules/say"
)

// Square is a square of the board, a1 = 0, b1 = 1 ... h8 = 63. On it a stack may stand.
type Square uint8

// NoSquare is the absence of a square, 64.
const NoSquare Square = 64

// Squares that castling names (RULES 1: the orthodox array).
const (
	a1, b1, c1, d1, e1, f1, g1, h1 Square = 0, 1, 2, 3, 4, 5, 6, 7
	a8, b8, c8, d8, e8, f8, g8, h8 Square = 56, 57, 58, 59, 60, 61, 62, 63
)

// SquareAt returns the square of a file and a rank, each 0..7 (a = 0, first rank = 0).
func SquareAt(file, rank int) Square { return Square(rank*8 + file) }

// ParseSquare reads a square in the form "e4".
func ParseSquare(s string) (Square, error) {
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return NoSquare, say.Error("square %q: want a file a-h and a rank 1-8, such as e4", s)
	}
	return SquareAt(int(s[0]-'a'), int(s[1]-'1')), nil
}

// File is the file of the square, 0 (a) to 7 (h).
func (s Square) File() int { return int(s & 7) }

// Rank is the rank of the square, 0 (White's first) to 7.
func (s Square) Rank() int { return int(s >> 3) }

// Bit is the set that holds this square alone; empty for NoSquare.
func (s Square) Bit() Bitboard { return 1 << s }

// String is the square as in "e4", and "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// bit is Bit without the look whether the square exists.
func (s Square) bit() Bitboard { return 1 << (s & 63) }

// Bitboard is a set of squares; bit i is Square(i).
type Bitboard uint64

// Has reports whether the set holds the square.
func (b Bitboard) Has(s Square) bool { return b&s.Bit() != 0 }

// Count is the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// Squares yields the squares of the set, a1 first.
func (b Bitboard) Squares() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; b != 0; b &= b - 1 {
			if !yield(b.first()) {
				return
			}
		}
	}
}

// first is the lowest square of the set, NoSquare if it is empty.
func (b Bitboard) first() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// last is the highest square of the set, which must not be empty.
func (b Bitboard) last() Square { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// many reports whether the set holds two squares or more.
func (b Bitboard) many() bool { return b&(b-1) != 0 }

// turned moves the whole set by n squares (8 is one rank up). What leaves the board comes in at the other
// end: the caller takes away first what would leave it.
func (b Bitboard) turned(n int) Bitboard { return Bitboard(bits.RotateLeft64(uint64(b), n)) }

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = fileA << 7
	rank1 Bitboard = 0xff
	rank8 Bitboard = rank1 << 56
	light Bitboard = 0x55aa55aa55aa55aa
)

// rankOf is the rank n (0..7) as the side c counts it: 0 is where its king starts.
func rankOf(c Color, n int) Bitboard {
	if c == Black {
		n = 7 - n
	}
	return rank1 << (8 * n)
}
