package reconcile

import (
	"math"
	"time"
)

// A load cell trembles when its readings keep on differing by more than noise does, for longer than a hand presses: a bad joint.
// It counts as one that does not answer until it has been calm for so long.
const (
	shaken  = 50.0            // readings that differ from the one before
	shaking = 3 * time.Second // the time in which that counts, fading
	calmed  = 2 * time.Second
)

// tremble follows how restless a load cell is.
type tremble struct {
	last   float64
	at     time.Time // of last
	level  float64   // readings that differed lately
	jolted time.Time // when one last did
	on     bool
}

// add takes a reading in and tells whether the cell trembles.
func (t *tremble) add(v float64, g *grade, at time.Time) bool {
	t.level *= math.Exp(-at.Sub(t.at).Seconds() / shaking.Seconds())
	if !t.at.IsZero() && math.Abs(v-t.last) > outlier*math.Sqrt2*g.noise {
		t.level++
		t.jolted = at
	}
	t.last, t.at = v, at
	t.on = t.level > shaken || t.on && at.Sub(t.jolted) < calmed
	return t.on
}
