package reconcile

import (
	"math"
	"time"
)

// An analog sensor trembles when its readings keep on differing by more than noise does: a load cell with a bad joint for longer than
// a hand presses, a height sensor with a scratched window more often than pieces come and go below it. It counts as one that does not
// answer until it has been calm for so long.
const (
	shaken    = 50.0            // readings of a load cell that differ from the one before
	flickered = 8.0             // the same of a height sensor: a piece that comes or goes is one, and each takes a hand a second
	shaking   = 3 * time.Second // the time in which that counts, fading
	calmed    = 2 * time.Second
)

// tremble follows how restless an analog sensor is.
type tremble struct {
	last   float64
	at     time.Time // of last
	level  float64   // readings that differed lately
	jolted time.Time // when one last did
	on     bool
}

// add takes a reading in and tells whether the cell trembles.
func (t *tremble) add(v float64, g *grade, most float64, at time.Time) bool {
	t.level *= math.Exp(-at.Sub(t.at).Seconds() / shaking.Seconds())
	if !t.at.IsZero() && math.Abs(v-t.last) > outlier*math.Sqrt2*g.noise {
		t.level++
		t.jolted = at
	}
	t.last, t.at = v, at
	t.on = t.level > most || t.on && at.Sub(t.jolted) < calmed
	return t.on
}

// interrupt says that what is read next need not have to do with what was read last.
func (t *tremble) interrupt() { t.last = math.NaN() }
