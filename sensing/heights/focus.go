// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"time"

	"boardd/rules"
)

// Focus chooses the squares that are measured as fast as their sensors can, while those beside them sit out: mostly a
// hand hangs there, and what it leaves behind decides what was done. It is pure; the zero Focus is on nothing.
type Focus struct {
	on, halo rules.Bitboard
	began    time.Time      // when squares were first chosen since all others had their turn
	changed  bool           // a height has, since the squares were chosen
	steady   [64]uint8      // how many measurements have agreed with the one before, 2 at most
	fresh    rules.Bitboard // what was measured since what hangs there came, or moved on
	peek     bool           // the squares are measured once, to see whether it hangs there rather
}

// little is less than what a hand makes of a height that comes, goes, or moves to the next square, micrometres.
const little = 5_000

// On is the squares in focus. No two are neighbours.
func (f *Focus) On() rules.Bitboard { return f.on }

// Aside is the squares that sit out for those in focus.
func (f *Focus) Aside() rules.Bitboard { return f.halo }

// Seen notes a measurement, and what the one before said, in micrometres.
func (f *Focus) Seen(sq rules.Square, old, new int32) {
	f.fresh |= sq.Bit()
	if d := new - old; d > little || d < -little {
		f.steady[sq] = 0
	} else if f.steady[sq] = min(f.steady[sq]+1, 2); f.steady[sq] == 1 && f.on.Has(sq) {
		f.fresh = sq.Bit()
	}
	f.changed = f.changed || f.on.Has(sq) && f.steady[sq] == 0
}

// Done reports whether it is time to choose again although a square in focus is still awaited. That is so if an
// awaited square beside it has not been measured since something arrived or moved, or if the squares in focus were
// measured only to find out where the hand is and all of them have been.
func (f *Focus) Done(awaited rules.Bitboard) bool {
	return awaited&f.halo&^f.fresh != 0 && !f.peek || f.peek && f.on&^f.fresh == 0
}

// Settled reports whether a square in focus shows something steady again since it changed: the game may have no need
// of it any more.
func (f *Focus) Settled(sq rules.Square) bool { return f.changed && f.steady[sq] > 0 }

// Choose updates the focus. Squares in focus that are still awaited stay. Of the awaited squares that show something
// steady, the highest are added, those under the hand itself rather than beside it. Where it is not known which they
// are, the squares beside are measured once. From time to time all squares have a round. known and value are what
// was measured last, in micrometres.
func (f *Focus) Choose(awaited, known rules.Bitboard, value *[64]int32, now time.Time) {
	kept := now.Sub(f.began)
	if f.on != 0 && (kept > sharp && awaited&f.halo != 0 || kept > alone) {
		f.Leave()
		return
	}
	if f.on == 0 {
		f.began = now
	}
	if awaited == 0 {
		f.fresh = 0
	}
	peeked := f.peek
	if f.peek = !f.peek && awaited&known&f.halo&^f.fresh != 0; f.peek {
		f.aim(apart(awaited & known &^ f.fresh))
		return
	}
	if peeked {
		f.aim(0)
	}
	f.aim(f.on & awaited)
	if f.on == 0 {
		f.changed = false
	}
	on := f.on
	for left := awaited & known &^ (f.on | f.halo); left != 0; {
		best := highest(left, value)
		left &^= best.Bit() | beside[best]
		if f.steady[best] > 0 || peeked {
			on |= best.Bit()
		}
	}
	f.aim(on)
}

// Leave gives all squares their turn.
func (f *Focus) Leave() {
	f.peek = false
	f.aim(0)
}

func (f *Focus) aim(on rules.Bitboard) {
	f.on, f.halo = on, 0
	for sq := range on.Squares() {
		f.halo |= beside[sq]
	}
}

// apart is as many of some squares as are not beside one another, from the first.
func apart(of rules.Bitboard) (some rules.Bitboard) {
	for sq := range of.Squares() {
		if beside[sq]&some == 0 {
			some |= sq.Bit()
		}
	}
	return some
}

func highest(of rules.Bitboard, value *[64]int32) rules.Square {
	best := rules.NoSquare
	for sq := range of.Squares() {
		if best == rules.NoSquare || value[sq] > value[best] {
			best = sq
		}
	}
	return best
}

// beside is the squares beside each, along its file and its rank.
var beside = func() (n [64]rules.Bitboard) {
	for sq := range rules.Square(64) {
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if f, r := sq.File()+d[0], sq.Rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8 {
				n[sq] |= rules.SquareAt(f, r).Bit()
			}
		}
	}
	return n
}()
