// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Options is what world to make.
type Options struct {
	Level Level
	Seed  uint64
	Decks int          // 1 or 2
	Cube  int32        // micrometres, the height of a piece
	Mass  [128]float64 // mg by the letter of the piece
	Scale bool         // it stands on four load cells under its corners, and not each square on one of its own
}

// World is wood on squares and the sensors under and over it.
type World struct {
	o      Options
	rnd    *rand.Rand
	spots  [2][64]spot
	cells  [64]cell
	hover  [64]hover
	lean   lean
	eyes   [64]EyeFault
	wires  [2]wiring
	loose  map[byte][]piece  // pieces beside the board, by letter, the last one put away last
	moving [2]rules.Bitboard // reeds that are not at rest
	rests  [2]rules.Bitboard // where the others are closed
}

// piece is one piece of wood.
type piece struct {
	letter byte
	mass   float64 // mg
	magnet float64 // strength, negative when it is upside down
}

// spot is one square of a deck.
type spot struct {
	pile []piece
	off  [2]float64 // mm, of the lowest piece from the centre along the rank and along the file
	reed reed
}

// hover is a hand over a square.
type hover struct {
	from, until time.Duration
	mm          float64 // below the sensor
	reach       float64 // mm from the centre of the square to the edge of the hand
}

// New makes an empty world.
func New(o Options) *World {
	w := &World{o: o, rnd: rand.New(rand.NewPCG(o.Seed, 0x7068797369637321)), loose: map[byte][]piece{}}
	for d := range w.wires {
		w.wires[d] = straight()
		for sq := range w.spots[d] {
			w.spots[d][sq].reed = w.o.sorted(uint64(64*d + sq))
		}
	}
	for i := range w.cells {
		w.cells[i].drift = o.Level.Drift * w.rnd.NormFloat64()
	}
	return w
}

// Landing is how a piece is put down.
type Landing struct {
	Off   [2]float64    // mm off the centre along the rank and along the file
	Press float64       // mg with which the hand presses
	Held  time.Duration // for so long
}

// Untidy draws a landing as the level has them.
func (w *World) Untidy() Landing {
	l := &w.o.Level
	off := func() float64 { return max(-play, min(play, l.OffCentre*w.rnd.NormFloat64())) }
	return Landing{Off: [2]float64{off(), off()}, Press: math.Abs(l.Press * w.rnd.NormFloat64()),
		Held: time.Duration(10+w.rnd.Float64()*30) * ms}
}

// Set makes a pile stand on a square from a time on, bottom to top. Pieces that stood there below stay the same
// pieces. The others go to and come from those that lie beside the board.
func (w *World) Set(at time.Duration, d sensing.Deck, sq rules.Square, letters string, how Landing) {
	s := &w.spots[d][sq]
	keep := 0
	for keep < len(s.pile) && keep < len(letters) && s.pile[keep].letter == letters[keep] {
		keep++
	}
	for _, p := range s.pile[keep:] {
		w.loose[p.letter] = append(w.loose[p.letter], p)
	}
	grows := len(letters) > keep
	s.pile = s.pile[:keep]
	for i := keep; i < len(letters); i++ {
		s.pile = append(s.pile, w.fetch(letters[i]))
	}
	if keep == 0 {
		w.magnetize(at, d, sq, how.Off)
	}
	if d != sensing.Lower {
		return
	}
	press := 0.0
	if grows {
		press = how.Press
	}
	w.cells[sq].load(w.load(sq), at, w.o.Level.Creep, press, how.Held)
	w.leanSometimes(at)
}

// fetch takes a piece from beside the board, or makes one.
func (w *World) fetch(letter byte) piece {
	if l := w.loose[letter]; len(l) > 0 {
		w.loose[letter] = l[:len(l)-1]
		return l[len(l)-1]
	}
	l := &w.o.Level
	p := piece{letter: letter, mass: w.o.Mass[letter&127] + l.PieceMass*w.rnd.NormFloat64(),
		magnet: nominal * (1 + l.Magnet*w.rnd.NormFloat64())}
	if w.rnd.Float64() < l.Weak {
		p.magnet *= 0.6
	}
	if w.rnd.Float64() < l.Flipped {
		p.magnet = -p.magnet // which no reed minds: it has no polarity
	}
	return p
}

// magnetize lets the reed feel the lowest piece, or that there is none.
func (w *World) magnetize(at time.Duration, d sensing.Deck, sq rules.Square, off [2]float64) {
	s := &w.spots[d][sq]
	s.off = off
	strength := 0.0
	if len(s.pile) > 0 {
		strength = field(math.Abs(s.pile[0].magnet), math.Hypot(off[0], off[1]))
		if w.rnd.Float64() < w.o.Level.DeadSpot {
			strength = 0
		}
	}
	threshold := s.reed.closes
	if len(s.pile) > 0 && s.reed.on && s.reed.since < at {
		threshold = s.reed.opens // it was closed by the piece as it came over the centre
	}
	s.reed.toggles = math.Abs(strength-threshold) < uncertain
	s.reed.turn(strength >= threshold, at, w.bounce(), w.rnd.Uint64())
	w.note(d, sq)
}

func (w *World) bounce() time.Duration {
	b := w.o.Level.Bounce
	return b[0] + time.Duration(w.rnd.Float64()*float64(b[1]-b[0]))
}

// load is what stands on a lower square in milligrams.
func (w *World) load(sq rules.Square) (mg float64) {
	for _, p := range w.spots[sensing.Lower][sq].pile {
		mg += p.mass
	}
	return mg
}

// note keeps the sets of reeds that rest and that do not.
func (w *World) note(d sensing.Deck, sq rules.Square) {
	r := &w.spots[d][sq].reed
	w.moving[d] |= sq.Bit()
	w.rests[d] &^= sq.Bit()
	if r.closed(max(r.until, r.to) + 1) {
		w.rests[d] |= sq.Bit()
	}
}

// Shift moves what stands on a square to another place on it, as when it is adjusted.
func (w *World) Shift(at time.Duration, d sensing.Deck, sq rules.Square, how Landing) {
	if len(w.spots[d][sq].pile) == 0 {
		return
	}
	w.magnetize(at, d, sq, how.Off)
	if d == sensing.Lower {
		w.cells[sq].load(w.load(sq), at, w.o.Level.Creep, how.Press, how.Held)
	}
}

// Rock knocks what stands on a square: its reed opens and closes for a while, its weight is not steady. Over an empty
// square something passes that closes the reed: a piece that is dragged.
func (w *World) Rock(at time.Duration, d sensing.Deck, sq rules.Square, span time.Duration, mg float64) {
	r := &w.spots[d][sq].reed
	r.from, r.to = at, at+span
	w.note(d, sq)
	if d == sensing.Lower {
		w.cells[sq].load(w.load(sq), at, w.o.Level.Creep, mg, span)
	}
}

// Hover holds a hand over a square of the lower deck.
func (w *World) Hover(at time.Duration, sq rules.Square, span time.Duration) {
	w.hover[sq] = hover{at, at + span, 30 + 30*w.rnd.Float64(), palm + 8*math.Abs(w.rnd.NormFloat64())}
}

// Pile is what stands on a square, bottom to top.
func (w *World) Pile(d sensing.Deck, sq rules.Square) string {
	var b [16]byte
	s := b[:0]
	for _, p := range w.spots[d][sq].pile {
		s = append(s, p.letter)
	}
	return string(s)
}

// Stands reports whether the reed under a pile would rest closed: false also for an empty square.
func (w *World) Stands(d sensing.Deck, sq rules.Square) bool {
	r := &w.spots[d][sq].reed
	return len(w.spots[d][sq].pile) > 0 && r.on && !r.toggles
}

// Closed returns the reeds of a deck that are closed at a time, as the inputs show them.
func (w *World) Closed(at time.Duration, d sensing.Deck) rules.Bitboard {
	now := w.rests[d]
	for m := w.moving[d]; m != 0; m &= m - 1 {
		sq := first(m)
		r := &w.spots[d][sq].reed
		if !r.busy(at) {
			w.moving[d] &^= sq.Bit()
			continue
		}
		now &^= sq.Bit()
		if r.closed(at) {
			now |= sq.Bit()
		}
	}
	return w.wires[d].carry(now)
}

// carry is what the inputs show of the contacts.
func (w *wiring) carry(contacts rules.Bitboard) rules.Bitboard {
	if w.crossed == 0 && w.leaks == 0 {
		return contacts
	}
	out := contacts &^ w.crossed
	for m := w.crossed; m != 0; m &= m - 1 {
		if contacts.Has(rules.Square(w.from[first(m)])) {
			out |= first(m).Bit()
		}
	}
	for m := w.leaks; m != 0; m &= m - 1 {
		if contacts.Has(rules.Square(w.leak[first(m)])) {
			out |= first(m).Bit()
		}
	}
	return out
}

// Rests is when the reed of a square comes to rest, if nothing happens; a time in the past when it rests.
func (w *World) Rests(d sensing.Deck, sq rules.Square) time.Duration {
	r := &w.spots[d][sq].reed
	return max(r.until, r.to)
}

// Busy reports whether a reed may change by itself at a time.
func (w *World) Busy(at time.Duration) bool {
	for d := range w.moving {
		for m := w.moving[d]; m != 0; m &= m - 1 {
			if w.spots[d][first(m)].reed.busy(at) {
				return true
			}
		}
	}
	return false
}

func first(b rules.Bitboard) rules.Square { return rules.Square(bits.TrailingZeros64(uint64(b))) }
