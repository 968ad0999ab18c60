// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"
)

// An analog sensor trembles when its readings keep on differing by more than noise does: a load cell with a bad joint for longer than
// a hand presses, a height sensor with a scratched window up and down and up again, which no hand does thirty times a second. It
// counts as one that does not answer until it has been calm for so long.
const (
	shaken    = 50.0            // readings of a load cell that differ from the one before
	flickered = 8.0             // readings of a height sensor that do, the other way than that one did
	shaking   = 3 * time.Second // the time in which that counts, fading
	calmed    = 2 * time.Second
)

// tremble follows how restless an analog sensor is.
type tremble struct {
	last   float64
	step   float64   // from the reading before to last
	at     time.Time // of last
	level  float64   // readings that differed lately
	jolted time.Time // when one last did
	on     bool
}

// add takes a reading of a load cell in and tells whether it trembles.
func (t *tremble) add(mg float64, g *grade, at time.Time) bool {
	if t.next(mg, g, at) {
		t.level++
	}
	return t.trembles(shaken, at)
}

// addHeight takes a reading of a height sensor in and tells whether it trembles.
func (t *tremble) addHeight(um float64, g *grade, at time.Time) bool {
	before := t.step
	if t.next(um, g, at) && before*t.step < 0 && math.Abs(before) > outlier*math.Sqrt2*g.noise {
		t.level++
	}
	return t.trembles(flickered, at)
}

// next takes a reading in and tells whether it differs from the one before by more than noise does.
func (t *tremble) next(v float64, g *grade, at time.Time) (jolted bool) {
	if t.level > 0 {
		t.level *= math.Exp(-at.Sub(t.at).Seconds() / shaking.Seconds())
	}
	if t.step = v - t.last; t.at.IsZero() {
		t.step = 0
	}
	if jolted = math.Abs(t.step) > outlier*math.Sqrt2*g.noise; jolted {
		t.jolted = at
	}
	t.last, t.at = v, at
	return jolted
}

func (t *tremble) trembles(most float64, at time.Time) bool {
	t.on = t.level > most || t.on && at.Sub(t.jolted) < calmed
	return t.on
}
