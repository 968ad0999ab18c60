// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// look is a meter and the readings it takes.
type look struct {
	m  meter
	g  grade
	r  *rand.Rand
	at time.Time
}

func newLook(noise, unit float64, seed uint64) *look {
	g := geometry{Geometry: wood.Geometry{RangeNoise: int32(noise), CubeHeight: int32(unit)}}
	return &look{g: *g.eye(0), r: rand.New(rand.NewPCG(seed, 2)), at: time.Unix(1000, 0)}
}

func (l *look) read(value float64) {
	l.at = l.at.Add(30 * time.Millisecond)
	l.m.add(int32(value+l.g.noise*l.r.NormFloat64()), &l.g, l.at)
}

// TestMeterFindsSmallSteps: a step of one unit is found though it lies within the noise of a reading, mostly by a mean
// that holds nothing of what was before, and noise alone begins no new mean.
func TestMeterFindsSmallSteps(t *testing.T) {
	for _, c := range []struct {
		name        string
		noise, unit float64
		within      int
	}{
		{"cubes", 1340, 35_000, 2},
		{"tiles", 1340, 6_000, 8},
		{"cubes at rough", 13_400, 35_000, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			restarts, late, slid := 0, 0, 0
			const rounds = 200
			for seed := range uint64(rounds) {
				l := newLook(c.noise, c.unit, seed)
				for range 100 {
					l.read(0)
				}
				if l.m.since.After(time.Unix(1000, 0).Add(time.Second)) {
					restarts++
				}
				changed := l.at
				for n := 1; n <= 30; n++ {
					if l.read(c.unit); math.Abs(l.m.mean-c.unit) < c.unit/2 {
						break
					} else if n == c.within {
						late++
					}
				}
				if l.m.since.Before(changed.Add(-90 * time.Millisecond)) {
					slid++
				}
			}
			calm := c.unit < 2*outlier*c.noise // else a new mean costs nothing
			if calm && restarts > rounds/50 || late > rounds/20 || slid > rounds/4 {
				t.Errorf("of %d looks %d at nothing began a new mean, %d steps were not found within %d readings, %d means hold what was there before", rounds, restarts, late, c.within, slid)
			}
		})
	}
}

// TestGradePerSquare: a square whose sensor is worse than the others is given more readings, the others are not.
func TestGradePerSquare(t *testing.T) {
	g := geometry{Geometry: wood.Reference()}
	g.RangeNoises[27] = 13_000
	g.CellNoises[27] = 900
	if a, b := g.eye(27), g.eye(28); a.count <= b.count || a.least <= b.least || b.noise != float64(g.RangeNoise) {
		t.Errorf("eyes: %+v and %+v", *a, *b)
	}
	if a, b := g.cell(27), g.cell(28); a.noise != 900 || b.noise != float64(g.CellNoise) {
		t.Errorf("cells: %+v and %+v", *a, *b)
	}
}

// TestStaleReadings: values that were not measured again do not count again.
func TestStaleReadings(t *testing.T) {
	g := geometry{Geometry: wood.Reference()}
	g.TwoDecks, g.Heights = true, true
	var s seen
	r := sensing.Reading{At: time.Unix(1000, 0), Kind: sensing.Heights, Known: ^rules.Bitboard(0)}
	s.take(&g, &r)
	for range 20 {
		r.At = r.At.Add(16 * time.Millisecond)
		r.Stale = ^rules.Bitboard(1)
		s.take(&g, &r)
	}
	if s.height[0].n != longest || s.height[1].n != 1 {
		t.Errorf("a1 was read %d times, b1 %d times, want %d and 1", s.height[0].n, s.height[1].n, longest)
	}
}
