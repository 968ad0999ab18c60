// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"math"
	"slices"
)

// Tally knows what numbers of pieces may weigh. It serves to guess how many stand on a square where no known pile
// fits.
type Tally struct {
	sums   [mostCounted + 1][]float64 // by number of pieces: all sums of their masses, in milligrams, ascending
	spread float64                    // milligrams, standard deviation of one piece
	noise  float64                    // milligrams, of a reading
	mean   float64                    // milligrams, of a typical piece
}

// tallied is how many standard deviations a weight may be off.
const tallied = 4.5

// mostCounted is the largest number of pieces that are counted by the sums of their masses. More are counted by the
// mean.
const mostCounted = 5

// NewTally is the tally for pieces of these masses, all in milligrams; 0 stands for none. mean is that of a typical
// piece, spread the standard deviation of one piece from its kind, and noise that of a reading.
func NewTally(masses []int32, mean, spread, noise float64) Tally {
	t := Tally{spread: spread, noise: noise, mean: mean}
	var kinds []float64
	for _, m := range masses {
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

// fits reports whether this many pieces may weigh mg together.
func (t *Tally) fits(mg float64, pieces int) bool { return t.fitsOn(0, mg, pieces) }

// fitsOn reports whether this many pieces may weigh mg together, where others is the number of pieces under them,
// which add to the spread.
func (t *Tally) fitsOn(others int, mg float64, pieces int) bool {
	if pieces < 0 || pieces > mostCounted {
		return true
	}
	near := tallied * math.Sqrt(float64(others+pieces)*t.spread*t.spread+t.noise*t.noise)
	sums := t.sums[pieces]
	i, _ := slices.BinarySearch(sums, mg-near)
	return i < len(sums) && sums[i] <= mg+near
}

// Pieces is the least number of pieces, at least one, whose masses add up to what a cell shows.
func (t *Tally) Pieces(mg float64) int {
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
