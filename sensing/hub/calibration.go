package hub

import (
	"fmt"
	"math"
	"sync"

	"boardd/rules"
	"boardd/sensing/hub/protocol"
)

// Calibration turns counts into milligrams, cell by cell: (count - Offset) * Gain.
type Calibration struct {
	Offset [64]int32   `json:"offset" yaml:"offset"` // counts with nothing on the square
	Gain   [64]float64 `json:"gain" yaml:"gain"`     // milligrams per count, usually 0.3 to 1
}

// Nominal is the calibration of cells that are all alike: no offset, half a milligram per count, which is a 1 kg cell of
// 1 mV/V at 128 times gain, 2^24 counts over 40 mV from 5 V of excitation, to 5 %. The virtual hub's cells are so.
func Nominal() Calibration {
	var c Calibration
	for i := range c.Gain {
		c.Gain[i] = 0.5
	}
	return c
}

// milligrams converts one count.
func (c *Calibration) milligrams(i int, raw int32) int32 {
	v := math.Round((float64(raw) - float64(c.Offset[i])) * c.Gain[i])
	return int32(max(math.MinInt32, min(math.MaxInt32, v)))
}

// window is how many frames a tare averages: 0.4 s at 80 a second.
const window = 32

// scales is the calibration in use and the frames that it can be renewed from.
type scales struct {
	mu  sync.Mutex
	cal Calibration
	raw [window][64]int32
	has [window]rules.Bitboard
	n   int
}

// weigh converts a frame and remembers it.
func (s *scales) weigh(w *protocol.Weights, known rules.Bitboard, mg *[64]int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw[s.n%window], s.has[s.n%window] = w.Raw, known
	s.n++
	for sq := range known.Squares() {
		mg[sq] = s.cal.milligrams(int(sq), w.Raw[sq])
	}
}

// mean is the average count of a cell over the window; ok is false if a frame of the window is missing or unknown.
func (s *scales) mean(sq rules.Square) (mean float64, ok bool) {
	for i := range window {
		if !s.has[i].Has(sq) {
			return 0, false
		}
		mean += float64(s.raw[i][sq]) / window
	}
	return mean, true
}

// Calibration is the calibration in use, for keeping.
func (h *Hub) Calibration() Calibration {
	h.scales.mu.Lock()
	defer h.scales.mu.Unlock()
	return h.scales.cal
}

// Tare takes what the given squares weigh now, averaged over the last 32 frames, for nothing. Ask it only for squares
// that are known to be empty. Squares that cannot be tared keep their offset and are named in the error.
func (h *Hub) Tare(empty rules.Bitboard) error {
	h.scales.mu.Lock()
	defer h.scales.mu.Unlock()
	var failed []string
	for sq := range empty.Squares() {
		m, ok := h.scales.mean(sq)
		if !ok {
			failed = append(failed, sq.String())
			continue
		}
		h.scales.cal.Offset[sq] = int32(math.Round(m))
	}
	if failed != nil {
		return fmt.Errorf("tare: no %d good frames in a row from %v", window, failed)
	}
	return nil
}

// minGainCounts is the least change of counts from which a gain is taken: noise is about 100 counts.
const minGainCounts = 5000

// Weigh sets the gain of a square from a known weight that stands on it, after Tare; mg is in milligrams.
func (h *Hub) Weigh(sq rules.Square, mg int32) error {
	h.scales.mu.Lock()
	defer h.scales.mu.Unlock()
	m, ok := h.scales.mean(sq)
	if !ok {
		return fmt.Errorf("weigh: no %d good frames in a row from %v", window, sq)
	}
	counts := m - float64(h.scales.cal.Offset[sq])
	if math.Abs(counts) < minGainCounts {
		return fmt.Errorf("weigh: %v moved by %.0f counts, want at least %d: is the weight on the square?", sq, counts, minGainCounts)
	}
	h.scales.cal.Gain[sq] = float64(mg) / counts
	return nil
}
