// SPDX-License-Identifier: Apache-2.0

package rules

import "math/bits"

// nibbles is a row of up to 32 pieces, four bits each, the first in the lowest bits: the lowest piece of a stack.
type nibbles struct{ lo, hi uint64 }

// up moves the row n places away from the first place. Pieces that pass the end are lost.
func (r nibbles) up(n int) nibbles {
	k := uint(4 * n)
	return nibbles{r.lo << k, r.hi<<k | r.lo>>(64-k) | r.lo<<(k-64)}
}

// down moves the row n places towards the first place. Pieces that pass it are lost.
func (r nibbles) down(n int) nibbles {
	k := uint(4 * n)
	return nibbles{r.lo>>k | r.hi<<(64-k) | r.hi>>(k-64), r.hi >> k}
}

// first keeps the first n pieces.
func (r nibbles) first(n int) nibbles {
	all := nibbles{^uint64(0), ^uint64(0)}.down(32 - n)
	return nibbles{r.lo & all.lo, r.hi & all.hi}
}

// or lays two rows over each other. Wherever one has a piece, the other must be empty.
func (r nibbles) or(s nibbles) nibbles { return nibbles{r.lo | s.lo, r.hi | s.hi} }

// at is the i-th piece.
func (r nibbles) at(i int) Piece { return Piece(r.down(i).lo & 15) }

// one is the row of a single piece.
func one(pc Piece) nibbles { return nibbles{lo: uint64(pc)} }

// pile is the pieces under the tops of the stacks of Pillar Chess (RULES 5.1), in one row. It goes square by square
// from a1, each stack from the bottom. Nothing ever leaves that board, so 32 places are enough, and a position stays a
// value. Rejected: a slice for each square (the heap), 64 stacks of 32 (2 KiB a copy).
type pile struct {
	tall Bitboard // squares on which something lies under the top
	ends uint64   // bit i: the i-th piece of the row is the last of its stack, just under the top
	row  nibbles
}

// pileRoom is how many pieces a pile holds.
const pileRoom = 32

// span is where the pieces under the top of the square begin in the row, or would, and how many they are.
func (b *pile) span(s Square) (start, n int) {
	ends := b.ends
	for range (b.tall & (s.bit() - 1)).Count() {
		start = bits.TrailingZeros64(ends) + 1
		ends &= ends - 1
	}
	if b.tall.Has(s) {
		n = bits.TrailingZeros64(ends) + 1 - start
	}
	return start, n
}

// under is the pieces under the top of the square, and how many they are.
func (b *pile) under(s Square) (nibbles, int) {
	if !b.tall.Has(s) {
		return nibbles{}, 0
	}
	start, n := b.span(s)
	return b.row.down(start).first(n), n
}

// take takes the pieces under the top of the square away.
func (b *pile) take(s Square) (nibbles, int) {
	if !b.tall.Has(s) {
		return nibbles{}, 0
	}
	start, n := b.span(s)
	taken := b.row.down(start).first(n)
	b.row = b.row.first(start).or(b.row.down(start + n).up(start))
	b.ends = b.ends&(1<<start-1) | b.ends>>(start+n)<<start
	b.tall &^= s.bit()
	return taken, n
}

// put lays n pieces under the top of a square under which nothing lies.
func (b *pile) put(s Square, r nibbles, n int) {
	if n == 0 {
		return
	}
	start, _ := b.span(s)
	b.row = b.row.first(start).or(r.up(start)).or(b.row.down(start).up(start + n))
	b.ends = b.ends&(1<<start-1) | 1<<(start+n-1) | b.ends>>start<<(start+n)
	b.tall |= s.bit()
}

// total is how many pieces the pile holds.
func (b *pile) total() int { return 64 - bits.LeadingZeros64(b.ends) }

// append appends the pieces under the top of the square, bottom first.
func (b *pile) append(dst []Piece, s Square) []Piece {
	r, n := b.under(s)
	for i := range n {
		dst = append(dst, r.at(i))
	}
	return dst
}

// key is the square's part of the key of the position.
func (b *pile) key(s Square) uint64 {
	if !b.tall.Has(s) {
		return 0
	}
	r, _ := b.under(s)
	return scramble(r.lo ^ scramble(r.hi^scramble(uint64(s))))
}
