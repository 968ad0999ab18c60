// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// For how many readings a board must rest before they count.
const (
	restReeds   = 300 * time.Millisecond
	restWeights = 32 // frames: 0.4 s at 80 a second
	restHeights = 6  // sweeps: 0.5 s at 12 a second
)

// stirred is how far from the mean a value must be to count as a change. Settled cells are within 0.1 g, heights
// within 2 mm.
var stirred = map[sensing.Kind]float64{sensing.Weights: 1500, sensing.Heights: 8000, sensing.Scale: 2500}

// meter averages the values of one kind of sensor since something last changed.
type meter struct {
	kind  sensing.Kind
	n     [64]int
	sum   [64]float64
	sq    [64]float64
	known rules.Bitboard // squares that answered in the last reading
}

func (m *meter) take(r *sensing.Reading) {
	m.known = r.Known
	for s := range (r.Known &^ r.Stale).Squares() {
		v := float64(r.Value[s])
		if m.n[s] > 0 && math.Abs(v-m.mean(s)) > stirred[m.kind] {
			m.n[s], m.sum[s], m.sq[s] = 0, 0, 0
		}
		m.n[s]++
		m.sum[s] += v
		m.sq[s] += v * v
	}
}

func (m *meter) mean(s rules.Square) float64 { return m.sum[s] / float64(m.n[s]) }

// noise is the standard deviation since the last change.
func (m *meter) noise(s rules.Square) float64 {
	if m.n[s] < 2 {
		return 0
	}
	mean := m.mean(s)
	return math.Sqrt(max(0, m.sq[s]/float64(m.n[s])-mean*mean))
}

// rests returns the squares that have not changed for long enough.
func (m *meter) rests() (set rules.Bitboard) {
	need := restWeights
	if m.kind == sensing.Heights {
		need = restHeights
	}
	for s := range m.known.Squares() {
		if m.n[s] >= need {
			set |= s.Bit()
		}
	}
	return set
}

// clear forgets, so that what is averaged from now on belongs to the next step.
func (m *meter) clear() { m.n, m.sum, m.sq = [64]int{}, [64]float64{}, [64]float64{} }

// switches holds the reeds of one deck.
type switches struct {
	known, closed rules.Bitboard
	moved         time.Time // the last change
	at            time.Time // the last reading
}

func (w *switches) take(r *sensing.Reading) {
	if w.moved.IsZero() || r.Closed != w.closed || r.Known != w.known {
		w.moved = r.At
	}
	w.known, w.closed, w.at = r.Known, r.Closed, r.At
}

func (w *switches) rest() bool { return !w.moved.IsZero() && w.at.Sub(w.moved) >= restReeds }
