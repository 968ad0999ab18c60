package reconcile

// meter follows one analog sensor of one place: a load cell in milligrams or a height in micrometres.
type meter struct {
	last   [3]int32 // the newest values, last[0] the newest
	n      int      // how many of them count, 0 when the sensor is unknown
	offset float64  // slow drift of the zero, learned while the wood is known
}

// add takes a new value.
func (m *meter) add(v int32) {
	m.last[2], m.last[1], m.last[0] = m.last[1], m.last[0], v
	m.n = min(m.n+1, len(m.last))
}

// forget says that the sensor did not answer: what it showed before counts no more.
func (m *meter) forget() { m.n = 0 }

// steady is the mean of the newest values less the drift. It holds only when there are three within the band; until
// then the load is still settling (a load cell takes about 50 ms, BOARD 1).
func (m *meter) steady(band int32) (mean float64, ok bool) {
	if m.n < len(m.last) {
		return 0, false
	}
	lo, hi := min(m.last[0], m.last[1], m.last[2]), max(m.last[0], m.last[1], m.last[2])
	mean = (float64(m.last[0])+float64(m.last[1])+float64(m.last[2]))/3 - m.offset
	return mean, hi-lo <= band
}

// drift moves the zero slowly towards what the steady value says it is, a 64th of the difference at a time, and never
// by more than the limit: a missing piece is not drift.
func (m *meter) drift(expected, limit float64, band int32) {
	mean, ok := m.steady(band)
	if !ok {
		return
	}
	if d := mean - expected; d < limit && d > -limit {
		m.offset += d / 64
	}
}
