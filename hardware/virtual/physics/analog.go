// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Full is what a cell with an open bridge shows, in milligrams: 2^23 counts of half a milligram.
const Full = 1 << 22

// Weight is what a load cell shows at a time, in milligrams; ok is false when its converter does not answer.
func (w *World) Weight(at time.Duration, sq rules.Square) (mg float64, ok bool) {
	c := &w.cells[sq]
	noise := w.o.Level.CellNoise
	switch c.fault {
	case CellAbsent:
		return 0, false
	case CellSaturated:
		return Full, true
	case CellNoisy:
		noise *= 50
	}
	return c.shows(at, w.o.Level.Creep) + noise*w.rnd.NormFloat64(), true
}

// Settling returns the squares whose load cells show more than noise and drift at a time.
func (w *World) Settling(at time.Duration) (s rules.Bitboard) {
	for i := range w.cells {
		if !w.cells[i].still(at) {
			s |= 1 << i
		}
	}
	return s
}

// SensorHeight is the height of the height sensors above the lower deck, in mm. It is the decks' 150 mm less the
// module that hangs under the upper one.
const SensorHeight = 147.0

// The cone of a VL6180X is 25 degrees (datasheet DocID026171, section 1), half of it to each side. Squares are 50 mm,
// cubes 35 mm.
const (
	square  = 50.0
	halfTop = 17.5
	spread  = 0.2217 // tangent of 12.5 degrees
	palm    = 35.0   // mm, half the width of a hand
)

// Sight is what a height sensor measures.
type Sight struct {
	MM    float64 // the distance
	Noise float64 // to be added to it
	Found bool    // there was a target
}

// Sight is what the sensor over a square of the lower deck measures from one time to another.
func (w *World) Sight(from, to time.Duration, sq rules.Square) Sight {
	l := &w.o.Level
	fault := w.eyes[sq]
	if fault >= EyeBlind && fault != EyeNoisy || l.NoTarget > 0 && w.rnd.Float64() < l.NoTarget {
		return Sight{}
	}
	mm := SensorHeight - w.top(sq)
	if h, ok := w.hand(from, to, sq, mm); ok {
		mm = h
	} else {
		mm -= w.intruders(sq, mm)
	}
	noise := l.RangeNoise
	if fault == EyeNoisy {
		noise *= 10
	}
	return Sight{mm, noise * w.rnd.NormFloat64(), true}
}

// top is how high a pile of the lower deck stands, in mm.
func (w *World) top(sq rules.Square) float64 {
	return float64(len(w.spots[sensing.Lower][sq].pile)) * float64(w.o.Cube) / 1000
}

// hand is the distance of a hand over the square, or over a neighbour and reaching into the cone.
func (w *World) hand(from, to time.Duration, sq rules.Square, mm float64) (float64, bool) {
	if h := &w.hover[sq]; h.from < to && from < h.until {
		return min(mm, h.mm), true
	}
	for _, n := range neighbours[sq] {
		h := &w.hover[n]
		if h.from < to && from < h.until && square-h.reach < h.mm*spread {
			return min(mm, h.mm+10), true
		}
	}
	return 0, false
}

// intruders is how much higher neighbours in the cone shorten a distance, in mm: half a millimetre for each.
func (w *World) intruders(sq rules.Square, mm float64) (short float64) {
	for i, n := range neighbours[sq] {
		high := SensorHeight - w.top(n)
		if n == sq || high >= mm {
			continue
		}
		edge := square - halfTop + along(i)*w.spots[sensing.Lower][n].off[i/2]
		if reach := mm*spread - edge; reach > 0 {
			short += reach / 2
		}
	}
	return min(short, mm/8)
}

// along is 1 for neighbours whose offset away from the square is positive.
func along(i int) float64 { return float64(1 - 2*(i%2)) }

// neighbours of each square: towards h, towards a, towards rank 8, towards rank 1; the square itself where there is
// none.
var neighbours = func() (n [64][4]rules.Square) {
	for s := range rules.Square(64) {
		for i, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			f, r := s.File()+d[0], s.Rank()+d[1]
			n[s][i] = s
			if f >= 0 && f < 8 && r >= 0 && r < 8 {
				n[s][i] = rules.SquareAt(f, r)
			}
		}
	}
	return n
}()

// Round is a distance as the sensor gives it, in whole mm.
func (s Sight) Round() float64 { return max(0, min(255, math.Round(s.MM+s.Noise))) }
