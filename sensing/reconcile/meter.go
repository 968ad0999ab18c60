// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"
)

// outlier is how many standard deviations a value may lie from what it should be before it contradicts.
const outlier = 4.5

// longest is how many readings make a mean at most, so that slow drift is followed.
const longest = 16

// meter follows one analog sensor of one place: a load cell in milligrams or a height in micrometres. It keeps the mean
// since the value last changed.
type meter struct {
	mean   float64
	n      int        // readings in the mean, 0 when the sensor is unknown
	enough int        // readings that make a mean
	since  time.Time  // the first of them
	last   float64    // the newest reading
	leans  [2]leaning // whether readings lie above, and below, the mean
	heard  time.Time  // when it last answered
	offset float64    // slow drift of the zero, learned while the wood is known
	load   float64    // what is on it since its mean began, 0 when that is not known yet or nothing is
}

// leaning adds up by how much readings lie off the mean to one side, less what noise may do (a cumulative sum, E. S. Page 1954).
type leaning struct {
	sum   float64 // standard deviations
	total float64 // of the readings since the sum was last nothing
	n     int
	since time.Time
}

// add takes a new value. One reading that does not fit at all, or several that lean to the same side, begin a new mean: a load
// still settles, or a piece came or went. It tells when it was the latter, or may have been.
func (m *meter) add(v int32, g *grade, at time.Time) (jumped bool) {
	m.last, m.heard, m.enough = float64(v), at, g.least
	if m.last < g.below {
		m.enough = 1
	}
	if m.n == 0 || math.Abs(m.last-m.mean) > outlier*g.noise {
		jumped = m.n > 0
		m.begin(m.last, 1, at)
		return jumped
	}
	if l := m.lean(g, at); l != nil {
		if g.unit >= 2*outlier*g.noise {
			m.begin(l.total/float64(l.n), max(l.n, g.least), l.since) // it only settles, or trembles: no reason to wait for it
			return false
		}
		m.begin(l.total/float64(l.n), l.n, l.since)
		return true
	}
	m.n = min(m.n+1, longest)
	m.mean += (m.last - m.mean) / float64(m.n)
	return false
}

// lean adds the newest reading to the leanings and gives the one that is too much.
func (m *meter) lean(g *grade, at time.Time) *leaning {
	off := (m.last - m.mean) / (g.noise * math.Sqrt(1+1/float64(m.n)))
	for side := range m.leans {
		l := &m.leans[side]
		if l.sum = max(0, l.sum+off-g.slack); l.sum == 0 {
			l.n, l.total = 0, 0
		} else {
			if l.n++; l.n == 1 {
				l.since = at
			}
			l.total += m.last
		}
		if l.sum > g.limit && l.n > 1 {
			return l
		}
		off = -off
	}
	return nil
}

// begin begins a new mean.
func (m *meter) begin(mean float64, n int, since time.Time) {
	m.mean, m.n, m.since, m.load, m.leans = mean, n, since, 0, [2]leaning{}
}

// missing is for how long a sensor may not answer before what it showed counts no more: one reading that is lost says nothing, and
// on a quiet board the next one is long in coming.
const missing = 700 * time.Millisecond

// miss says that the sensor does not answer.
func (m *meter) miss(at time.Time) {
	if at.Sub(m.heard) > missing {
		m.forget()
	}
}

// forget says that what the sensor showed before counts no more.
func (m *meter) forget() { m.n = 0 }

// steady is the mean less the drift. It holds only when enough readings agree; until then the load is still settling (a
// load cell takes about 50 ms, BOARD 1), or a hand is passing.
func (m *meter) steady() (mean float64, ok bool) {
	return m.mean - m.offset, m.n > 0 && m.n >= m.enough
}

// spread is the standard deviation of the mean of what has a variance of its own beside the noise of the sensor. Readings a
// moment apart share some of their noise.
func (m *meter) spread(g *grade, variance float64) float64 {
	mean := max(g.noise/math.Sqrt(float64(max(1, m.n))), g.floor)
	return math.Sqrt(mean*mean + variance)
}

// drift moves the zero slowly towards what the mean says it is, and never by more than the limit: a missing piece is no
// drift, and a mean that is young still settles. At 80 readings a second the zero follows within three seconds. Under a load the zero is held against what the
// load weighed at first, not against what it should weigh: that a piece is lighter than others of its kind is no drift, and
// once it is lifted the square would seem to hold what it lacked.
func (m *meter) drift(expected, limit float64) {
	mean, ok := m.steady()
	if d := mean - expected; !ok || m.n < longest || d >= limit || d <= -limit {
		return
	}
	if expected != 0 {
		if m.load == 0 {
			m.load = mean
		}
		expected = m.load
	}
	m.offset += (mean - expected) / 256
}
