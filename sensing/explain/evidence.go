// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"boardd/sensing/wood"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// evidence is what the sensors have said: of each sensor what it shows, since when, and what it showed on the way.
type evidence struct {
	g      *geometry
	origin time.Time
	now    tick
	epoch  tick // when this ply began

	known   wood.Set    // reeds that answer
	closed  wood.Set    // of all, those that were closed when they last answered
	once    wood.Set    // reeds that have ever answered
	answers [3]wood.Set // sensors that answered when their bank was last read
	heard   [3][2]bool  // banks that were ever read
	reeds   [wood.Places]contact
	swept   [2]tick // when the reeds of a deck were last read
	cells   [64]level
	eyes    [64]level
	noise   [2][64]float64 // standard deviation of a sample of each cell and eye
	trust   [3][wood.Places]trust

	spill  [64]float64    // mg that neighbouring cells bear of what was put on a square over its edge
	given  [64]float64    // mg that a cell bears of what stands beside it
	shared rules.Bitboard // squares of which either is not 0

	flipped       tick    // when any reed last flipped that does not chatter
	flippedBefore tick    // and before that
	stepped       tick    // when any cell or eye last began a new level
	looked        [2]step // the last two squares whose eye began a new level, the newer one first
}

// step is when the eye over a square began a new level.
type step struct {
	square rules.Square
	at     tick
}

// active is when anything was last seen to happen elsewhere than over a square.
func (e *evidence) active(p wood.Place) tick {
	if s := e.looked[0]; wood.Place(s.square) != p {
		return max(e.flipped, s.at)
	}
	return max(e.flipped, e.looked[1].at)
}

func newEvidence(g *geometry) evidence {
	e := evidence{g: g, flipped: never, flippedBefore: never, stepped: never, looked: [2]step{{at: never}, {at: never}}}
	for q := range 64 {
		e.noise[0][q] = float64(either(g.CellNoises[q], g.CellNoise))
		e.noise[1][q] = float64(either(g.RangeNoises[q], g.RangeNoise))
		e.cells[q].heard, e.eyes[q].heard = never, never
	}
	for k := range e.trust {
		for p := range e.trust[k] {
			e.trust[k][p].err = prior[k]
		}
	}
	return e
}

func either(a, b int32) int32 {
	if a > 0 {
		return a
	}
	return b
}

// tick is a time as evidence has it.
func (e *evidence) tick(at time.Time) tick {
	if e.origin.IsZero() {
		e.origin = at
	}
	return tick(at.Sub(e.origin))
}

// take takes one reading in.
func (e *evidence) take(r *sensing.Reading) {
	at := e.tick(r.At)
	e.now = max(e.now, at)
	if r.Kind <= sensing.Heights && r.Deck <= sensing.Upper {
		e.answers[r.Kind][r.Deck], e.heard[r.Kind][r.Deck] = r.Known, true
	}
	switch {
	case r.Deck > sensing.Upper:
	case r.Kind == sensing.Reeds:
		e.sweep(r, at)
	case r.Kind == sensing.Weights && r.Deck == sensing.Lower && e.g.Weights:
		e.weigh(r, at)
	case r.Kind == sensing.Heights && r.Deck == sensing.Lower && e.g.Heights:
		e.measure(r, at)
	}
}

func (e *evidence) sweep(r *sensing.Reading, at tick) {
	d := r.Deck
	if d == sensing.Upper && !e.g.TwoDecks {
		return
	}
	e.swept[d] = at
	turned := (r.Closed ^ e.closed[d]) & r.Known & e.once[d]
	e.known[d], e.closed[d] = r.Known, r.Closed&r.Known|e.closed[d]&^r.Known
	e.once[d] |= r.Known
	for q := range turned.Squares() {
		p := wood.PlaceAt(d, q)
		c := &e.reeds[p]
		switch undone := c.flip(at); {
		case c.chattering(at):
		case undone && e.flipped.within(at):
			e.flipped = e.flippedBefore // it was nothing
		case !undone:
			e.flippedBefore, e.flipped = e.flipped, at
		}
	}
}

func (e *evidence) weigh(r *sensing.Reading, at tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.cells[q]
		if at <= l.heard {
			continue
		}
		if l.add(float64(r.Value[q]), e.noise[0][q], cellStep, at) {
			e.stepped = max(e.stepped, at)
		}
	}
}

func (e *evidence) measure(r *sensing.Reading, at tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.eyes[q]
		if at <= l.heard {
			continue
		}
		if l.add(float64(r.Value[q]), e.noise[1][q], eyeStep, at) {
			e.stepped = max(e.stepped, at)
			if e.looked[0].square != q {
				e.looked[1] = e.looked[0]
			}
			e.looked[0] = step{q, at}
		}
	}
}

// heardCell reports whether the load cell under a place says anything now.
func (e *evidence) heardCell(p wood.Place) bool {
	return e.g.Weights && p < 64 && e.cells[p].n > 0 && e.now.since(e.cells[p].heard) < unheard
}

// heardEye reports whether the height sensor over a place says anything of what is there now: one that was last read before
// the reed flipped speaks of what was there before.
func (e *evidence) heardEye(p wood.Place) bool {
	return e.g.Heights && p < 64 && e.eyes[p].n > 0 && e.answers[sensing.Heights].Has(p) && e.eyes[p].heard >= e.reeds[p].last()
}

// turnedAt is when a sensor of a place last showed something new.
func (e *evidence) turnedAt(k sensing.Kind, p wood.Place) tick {
	switch {
	case k == sensing.Weights && p < 64:
		return e.cells[p].since
	case k == sensing.Heights && p < 64:
		return e.eyes[p].since
	}
	return e.reeds[p].last()
}

// lastAt is when anything last happened on a place, by what its sensors show.
func (e *evidence) lastAt(p wood.Place) tick {
	at := e.reeds[p].last()
	if p < 64 && e.cells[p].n > 0 {
		at = max(at, e.cells[p].since)
	}
	if p < 64 && e.eyes[p].n > 0 {
		at = max(at, e.eyes[p].since)
	}
	return at
}
