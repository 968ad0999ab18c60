// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"time"

	"boardd/rules"
)

// Focus chooses the squares that are measured as fast as their sensors can, while their neighbours sit out. Usually a
// hand is there, and what it leaves behind decides which move was made. It is pure. The zero Focus is on nothing.
type Focus struct {
	on, halo rules.Bitboard
	began    time.Time      // when squares were first chosen since all others had their turn
	changed  bool           // a height has changed since the squares were chosen
	steady   [64]uint8      // how many measurements agreed with the one before, at most 2
	fresh    rules.Bitboard // squares measured since the hand came or moved on
	peek     bool           // the squares are measured once, to see whether the hand is there instead
}

// minChange is less than the change of a height, in micrometres, by a hand that comes, goes, or moves to the next
// square.
const minChange = 5_000

// On returns the squares in focus. No two are neighbours.
func (f *Focus) On() rules.Bitboard { return f.on }

// Aside returns the squares that sit out for those in focus.
func (f *Focus) Aside() rules.Bitboard { return f.halo }

// Seen notes a measurement and the one before, in micrometres.
func (f *Focus) Seen(sq rules.Square, old, new int32) {
	f.fresh |= sq.Bit()
	if d := new - old; d > minChange || d < -minChange {
		f.steady[sq] = 0
	} else if f.steady[sq] = min(f.steady[sq]+1, 2); f.steady[sq] == 1 && f.on.Has(sq) {
		f.fresh = sq.Bit()
	}
	f.changed = f.changed || f.on.Has(sq) && f.steady[sq] == 0
}

// Done reports whether it is time to choose again although a square in focus is still awaited. It is, if an awaited
// neighbour has not been measured since something arrived or moved. It is also time if the squares were measured only
// to find the hand, and all of them have been.
func (f *Focus) Done(awaited rules.Bitboard) bool {
	return awaited&f.halo&^f.fresh != 0 && !f.peek || f.peek && f.on&^f.fresh == 0
}

// Settled reports whether a square in focus is steady again after a change. The game may not need it any more.
func (f *Focus) Settled(sq rules.Square) bool { return f.changed && f.steady[sq] > 0 }

// Round updates the focus when a round of all squares begins, as Choose does. If the same squares have been in focus
// for long, all others have this round. It is a whole one: in half a round the squares that come first had no turn.
func (f *Focus) Round(awaited, known rules.Bitboard, value *[64]int32, now time.Time) {
	kept := now.Sub(f.began)
	if f.on != 0 && (kept > focusShared && awaited&f.halo != 0 || kept > focusAlone) {
		f.Leave()
		return
	}
	f.Choose(awaited, known, value, now)
}

// Choose updates the focus within a round. Squares in focus that are still awaited stay. Of the steady awaited squares
// the highest are added, which are under the hand itself rather than next to it. If it is not known which they are,
// the neighbours are measured once. known and value are the last measurements, in micrometres.
func (f *Focus) Choose(awaited, known rules.Bitboard, value *[64]int32, now time.Time) {
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

// apart chooses squares of which no two are neighbours, beginning with the first.
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
