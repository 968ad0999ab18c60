package reconcile

import "math"

// outlier is how many standard deviations a value may lie from what it should be before it contradicts.
const outlier = 4.5

// How many readings count: a value is settled when least of them agree; a mean is made of longest at most, so that slow
// drift is followed; and since readings a moment apart share some of their noise, a mean is trusted like one of trusted.
const (
	least   = 3
	longest = 16
	trusted = 4
)

// meter follows one analog sensor of one place: a load cell in milligrams or a height in micrometres. It keeps the mean
// since the value last changed.
type meter struct {
	mean   float64
	n      int     // readings in the mean, 0 when the sensor is unknown
	last   float64 // the newest reading
	off    float64 // how far the reading before lay from the mean
	offset float64 // slow drift of the zero, learned while the wood is known
	load   float64 // what is on it since its mean began, 0 when that is not known yet or nothing is
}

// add takes a new value of a sensor with the standard deviation noise. One reading that does not fit at all, or two in a
// row that are off to the same side, begin a new mean: a load still settles, or a piece came or
// went. It tells when it was the former.
func (m *meter) add(v int32, noise float64) (jumped bool) {
	before := m.last
	m.last = float64(v)
	off := m.last - m.mean
	const leans = 1.5
	switch {
	case m.n == 0 || math.Abs(off) > outlier*noise:
		jumped = m.n > 0
		m.mean, m.n, m.off, m.load = m.last, 1, 0, 0
	case math.Abs(off) > leans*noise && math.Abs(m.off) > leans*noise && off*m.off > 0:
		m.mean, m.n, m.off, m.load = (before+m.last)/2, least, 0, 0
	default:
		m.n = min(m.n+1, longest)
		m.mean, m.off = m.mean+off/float64(m.n), off
	}
	return jumped
}

// forget says that the sensor did not answer: what it showed before counts no more.
func (m *meter) forget() { m.n = 0 }

// steady is the mean less the drift. It holds only when enough readings agree; until then the load is still settling (a
// load cell takes about 50 ms, BOARD 1).
func (m *meter) steady() (mean float64, ok bool) { return m.mean - m.offset, m.n >= least }

// spread is the standard deviation of the mean of what has a variance of its own beside the noise of the sensor.
func (m *meter) spread(noise, variance float64) float64 {
	return math.Sqrt(noise*noise/float64(max(1, min(m.n, trusted))) + variance)
}

// drift moves the zero slowly towards what the mean says it is, and never by more than the limit: a missing piece is no
// drift. At 80 readings a second the zero follows within three seconds. Under a load the zero is held against what the
// load weighed at first, not against what it should weigh: that a piece is lighter than others of its kind is no drift, and
// once it is lifted the square would seem to hold what it lacked.
func (m *meter) drift(expected, limit float64) {
	mean, ok := m.steady()
	if d := mean - expected; !ok || d >= limit || d <= -limit {
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
