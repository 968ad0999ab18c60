// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strconv"

	"boardd/rules/say"
)

// Color is a side: White or Black.
type Color uint8

// The two sides, White first.
const (
	White Color = iota
	Black
)

// Other is the opponent of the side.
func (c Color) Other() Color { return c ^ 1 }

// String is "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// forward is the step of the side's pawns, in squares of the numbering a1 = 0.
func (c Color) forward() int { return 8 - 16*int(c) }

// Kind is what a piece is, whatever its side.
type Kind uint8

// The kinds. The numbers are not free: level reads rooks, bishops and queens off their bits.
const (
	NoKind Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// String is the name of the kind: "pawn", "knight" ... and "nothing" for NoKind.
func (k Kind) String() string {
	return [...]string{"nothing", "pawn", "knight", "bishop", "rook", "queen", "king", "?"}[k&7]
}

// letter is the kind's capital letter, '-' for NoKind.
func (k Kind) letter() byte { return "-PNBRQK?"[k&7] }

// Piece is a kind and a side: bits 0-2 the kind, bit 3 the side. NoPiece is 0, also the gap '-' under a flyer.
type Piece uint8

// NoPiece is the absence of a piece.
const NoPiece Piece = 0

// NewPiece is the piece of that side and kind.
func NewPiece(c Color, k Kind) Piece { return Piece(c)<<3 | Piece(k) }

// Color is the side of the piece; White for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }

// Kind is the kind of the piece.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Letter is the piece in stack FEN: "PNBRQK" for White, lower case for Black, '-' for NoPiece.
func (p Piece) Letter() byte {
	l := p.Kind().letter()
	if p.Color() == Black && p != NoPiece {
		l += 'a' - 'A'
	}
	return l
}

// String is the side and the kind, as in "white knight".
func (p Piece) String() string {
	if p == NoPiece {
		return "nothing"
	}
	return p.Color().String() + " " + p.Kind().String()
}

// ParsePiece reads a letter of stack FEN; '-' is NoPiece.
func ParsePiece(b byte) (Piece, error) {
	for p := NoPiece; p < 16; p++ {
		if p.Kind() <= King && p.Letter() == b && p != 8 {
			return p, nil
		}
	}
	return NoPiece, say.Error("piece %s: want one of PNBRQK or pnbrqk", strconv.QuoteRune(rune(b)))
}
