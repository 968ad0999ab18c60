// SPDX-License-Identifier: Apache-2.0

package wood

import (
	"math"

	"boardd/rules"
)

// PassesOver reports whether a piece on its way from one square to another comes over a third one, or near it.
func PassesOver(from, over, to rules.Square) bool {
	const beside = 0.75 // squares beside the line
	off, ok := BesideLine(from, over, to)
	return ok && off < beside
}

// BesideLine is the distance, in squares, of the middle of a square from the line between two others. It is false if
// the square does not lie between them.
func BesideLine(from, over, to rules.Square) (squares float64, ok bool) {
	dx, dy := float64(to.File()-from.File()), float64(to.Rank()-from.Rank())
	ox, oy := float64(over.File()-from.File()), float64(over.Rank()-from.Rank())
	length := dx*dx + dy*dy
	if length == 0 || over == to {
		return 0, false
	}
	along := (ox*dx + oy*dy) / length
	return math.Abs(ox*dy-oy*dx) / math.Sqrt(length), along > 0 && along < 1
}

// Beside is the three to eight squares beside a square.
func Beside(s rules.Square) rules.Bitboard {
	const a, h = rules.Bitboard(0x0101010101010101), rules.Bitboard(0x8080808080808080)
	b := s.Bit()
	b |= b&^a>>1 | b&^h<<1
	return (b | b<<8 | b>>8) &^ s.Bit()
}
