// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math"
	"slices"

	"boardd/sensing/wood"
)

// geometry is what a board is, with what piles make of its sensors.
type geometry struct{ wood.Geometry }

// target is a pile and what the sensors of its place make of it.
type target struct {
	pile     wood.Pile
	mass     float64 // milligrams
	variance float64 // of mass, milligrams squared: what pieces of a kind differ by
	height   float64 // micrometres
}

// target is what a pile weighs and how high it stands.
func (g *geometry) target(p wood.Pile) target {
	var sum int32
	for i := range len(p) {
		sum += g.Mass[p[i]&127]
	}
	n, s := float64(len(p)), float64(g.MassSpread)
	return target{pile: p, mass: float64(sum), variance: n * s * s, height: n * float64(g.CubeHeight)}
}

// lightest is the mass of the lightest piece of the set, in milligrams; the pedestal is one.
func (g *geometry) lightest() float64 {
	least := int32(0)
	for _, m := range g.Mass {
		if m > 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return float64(least)
}

// tally knows what piles may weigh, to guess how many pieces stand on a square where no pile that is known fits.
type tally struct {
	sums   [mostCounted + 1][]float64 // by number of pieces: what that many may weigh, in milligrams, ascending
	spread float64                    // milligrams, standard deviation of one piece
	noise  float64                    // milligrams, of a reading
	mean   float64                    // milligrams, of a piece of the middle sort
}

// mostCounted is how many pieces are counted by what they can weigh together; more are counted by their mean.
const mostCounted = 5

func newTally(g *geometry) tally {
	t := tally{spread: float64(g.MassSpread), noise: float64(g.CellNoise), mean: float64(g.Mass['b'])}
	var kinds []float64
	for _, m := range g.Mass {
		if m > 0 {
			kinds = append(kinds, float64(m))
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	t.sums[0] = []float64{0}
	for k := 1; k <= mostCounted; k++ {
		var next []float64
		for _, s := range t.sums[k-1] {
			for _, m := range kinds {
				next = append(next, s+m)
			}
		}
		slices.Sort(next)
		t.sums[k] = slices.Compact(next)
	}
	return t
}

// fits tells whether so many pieces may weigh so much.
func (t *tally) fits(mg float64, pieces int) bool { return t.fitsOn(0, mg, pieces) }

// fitsOn tells whether so many pieces may weigh, together with so many others, so much more than those should weigh.
func (t *tally) fitsOn(others int, mg float64, pieces int) bool {
	if pieces < 0 || pieces > mostCounted {
		return true
	}
	near := outlier * math.Sqrt(float64(others+pieces)*t.spread*t.spread+t.noise*t.noise)
	sums := t.sums[pieces]
	i, _ := slices.BinarySearch(sums, mg-near)
	return i < len(sums) && sums[i] <= mg+near
}

// pieces is the least number of pieces, at least one, whose masses add up to what a cell shows.
func (t *tally) pieces(mg float64) int {
	for k := 1; k <= mostCounted; k++ {
		if t.fits(mg, k) {
			return k
		}
	}
	if t.mean <= 0 {
		return 1
	}
	return max(1, int(mg/t.mean+0.5))
}
