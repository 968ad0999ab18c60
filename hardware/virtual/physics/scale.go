// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// CornerNoise is the factor between the noise of a cell under a corner and one under a square. Those at the corners
// are for 5 kg, the others for 1 kg.
const CornerNoise = 5.0

// bends is how much of a load the corners bear as a sheet that bends does, and not as a stiff one: 0 is stiff.
// Assumed, not measured.
const bends = 0.5

// lean is a hand on the rim.
type lean struct {
	from, until time.Duration
	load        scale.Load
}

// What hands lean with, and for how long: from a wrist to a forearm. Assumed, not measured.
const (
	leanLeast, leanMost = 150_000, 3_000_000 // mg
	rim                 = 205.0              // mm from the middle
)

// leanSometimes lets the hand lean on the rim that has just done something, as often as the level has it.
func (w *World) leanSometimes(at time.Duration) {
	if !w.o.Scale || w.rnd.Float64() >= w.o.Level.Lean {
		return
	}
	mg := leanLeast * math.Pow(leanMost/leanLeast, w.rnd.Float64())
	along := rim * (2*w.rnd.Float64() - 1)
	places := [4][2]float64{{along, -rim}, {along, rim}, {-rim, along}, {rim, along}}
	p := places[w.rnd.IntN(4)]
	span := leanShortest + time.Duration(w.rnd.Float64()*float64(leanLongest-leanShortest))
	w.Lean(at, scale.At(mg, p[0], p[1]), span)
}

// Lean lets a hand lean on the board for so long.
func (w *World) Lean(at time.Duration, load scale.Load, span time.Duration) {
	w.lean = lean{at, at + span, load}
}

// LeansUntil is when the hand that leaned on the board last has gone, or goes.
func (w *World) LeansUntil() time.Duration { return w.lean.until }

// leanLoad is what the cells feel of the hand on the rim: it comes and goes as a load settles.
func (w *World) leanLoad(at time.Duration) scale.Load {
	l := &w.lean
	if l.until == 0 || at < l.from {
		return scale.Load{}
	}
	part := 1 - math.Exp(-float64(min(at, l.until)-l.from)/float64(settle))
	if at > l.until {
		part *= math.Exp(-float64(at-l.until) / float64(settle))
	}
	return l.load.Times(part)
}

// Corner is what the load cell under a corner of the whole board shows at a time, in milligrams. ok is false when its
// converter does not answer, or there is none. The corners are those of a1, h1, a8 and h8, and their faults those of
// the cells of these squares.
func (w *World) Corner(at time.Duration, sq rules.Square) (mg float64, ok bool) {
	corner := slices.Index(scale.Squares[:], sq)
	c := &w.cells[sq]
	if corner < 0 || c.fault == CellAbsent {
		return 0, false
	}
	noise := CornerNoise * w.o.Level.CellNoise
	switch c.fault {
	case CellSaturated:
		return Full, true
	case CellNoisy:
		noise *= 50
	}
	sx, sy := scale.Side(corner)
	mg = w.leanLoad(at).Share()[corner] + CornerNoise*c.off(at) + noise*w.rnd.NormFloat64()
	for q := range rules.Square(64) {
		if load := w.cells[q].bears(at, w.o.Level.Creep); load != 0 {
			x, y := scale.Middle(q)
			off := &w.spots[sensing.Lower][q].off
			x, y = (x+off[0])/scale.Arm, (y+off[1])/scale.Arm
			mg += load * (1 + sx*x + sy*y + bends*sx*sy*x*y) / scale.Corners
		}
	}
	return mg, true
}

// bears is what stands and presses on the square at a time, as a cell under it would show it without drift.
func (c *cell) bears(at time.Duration, creep float64) float64 {
	if c.to == 0 && c.crept == 0 && c.still(at) {
		return 0
	}
	return c.shows(at, creep) - c.off(at)
}

// corners reads the scale, and reports whether seen wants more.
func (s *Sampler) corners(seen func(*sensing.Reading) bool) bool {
	s.begin(sensing.Scale, sensing.Lower)
	for _, sq := range scale.Squares {
		if mg, ok := s.w.Corner(s.now, sq); ok {
			s.out.Known |= sq.Bit()
			s.out.Value[sq] = int32(math.Round(mg))
		}
	}
	return seen(&s.out)
}
