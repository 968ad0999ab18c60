package heights

import (
	"time"

	"boardd/rules"
)

// Focus chooses the squares that are measured as fast as their sensors can, while those beside them sit out: mostly a hand hangs
// there, and what it leaves behind decides what was done. It is pure; the zero Focus is on nothing.
type Focus struct {
	on, halo rules.Bitboard
	until    time.Time // then all others have their turn
	changed  bool      // a height has, since the squares were chosen
	after    int       // measurements made since then
	steady   [64]uint8 // how many measurements have agreed with the one before
}

const (
	sharp  = 500 * time.Millisecond // how long squares are kept at the most: a hand that is about to put something down is seldom there for longer
	seeing = 8                      // how many measurements are made after a change: as many as are ever averaged for tiles
	little = 5_000                  // micrometres, less than what a hand makes of a height that comes, goes, or moves to the next square
)

// On is the squares in focus. No two are neighbours.
func (f *Focus) On() rules.Bitboard { return f.on }

// Aside is the squares that sit out for those in focus.
func (f *Focus) Aside() rules.Bitboard { return f.halo }

// Seen notes a measurement, and what the one before said, in micrometres.
func (f *Focus) Seen(sq rules.Square, old, new int32) {
	if d := new - old; d > little || d < -little {
		f.steady[sq] = 0
	} else {
		f.steady[sq] = min(f.steady[sq]+1, seeing)
	}
	if f.on.Has(sq) {
		if f.changed {
			f.after++
		}
		f.changed = f.changed || f.steady[sq] == 0
	}
}

// Settled tells whether a square in focus shows something steady again since it changed: the game may have no need of it any more.
func (f *Focus) Settled(sq rules.Square) bool { return f.changed && f.steady[sq] > 0 }

// Choose chooses anew: what is in focus and awaited stays, and of the squares awaited that show something steady the highest come to it, under a hand itself
// rather than beside it. From time to time, and when what was seen to change has not settled, all squares have a round. known and value
// are what was measured last, in micrometres.
func (f *Focus) Choose(awaited, known rules.Bitboard, value *[64]int32, now time.Time) {
	if f.on != 0 && (now.After(f.until) || f.after >= seeing) {
		f.aim(0)
		return
	}
	if f.on == 0 {
		f.until = now.Add(sharp)
	}
	f.aim(f.on & awaited)
	if f.on == 0 {
		f.changed, f.after = false, 0
	}
	on := f.on
	for left := awaited & known &^ (f.on | f.halo); left != 0; {
		best := highest(left, value)
		left &^= best.Bit() | beside[best]
		if f.steady[best] > 0 {
			on |= best.Bit()
		}
	}
	f.aim(on)
}

// Leave gives all squares their turn.
func (f *Focus) Leave() { f.aim(0) }

func (f *Focus) aim(on rules.Bitboard) {
	f.on, f.halo = on, 0
	for sq := range on.Squares() {
		f.halo |= beside[sq]
	}
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
