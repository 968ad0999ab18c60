// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"math"

	"boardd/rules"
	"boardd/rules/say"
)

// Plate holds the figures of one board on its four cells: what they show for the empty board, and what each further
// milligram is worth.
type Plate struct {
	Zero [Corners]float64    // milligrams that a cell of the reference kind shows for the empty board
	Part [3][Corners]float64 // of the load's MG, X and Y, for each milligram that a cell shows
}

// Nominal returns the plate of a board whose cells are of the reference kind and in their places.
func Nominal() (p Plate) {
	for i := range sides {
		p.Part[0][i], p.Part[1][i], p.Part[2][i] = 1, sides[i][0]*Arm, sides[i][1]*Arm
	}
	return p
}

// Load is the load on the board when its cells show shown.
func (p *Plate) Load(shown *[Corners]float64) Load {
	var sum [3]float64
	for i, mg := range shown {
		for k := range sum {
			sum[k] += p.Part[k][i] * (mg - p.Zero[i])
		}
	}
	return Load{sum[0], sum[1], sum[2]}
}

// Bear is what the corners of a nominal board would bear, in milligrams: the same load, with the same twist.
func (p *Plate) Bear(shown *[Corners]float64) [Corners]float64 {
	bear := p.Load(shown).Share()
	var more [Corners]float64
	for i := range more {
		more[i] = shown[i] - p.Zero[i]
	}
	t := Twist(&more)
	for i := range bear {
		bear[i] += t * sides[i][0] * sides[i][1]
	}
	return bear
}

// Sample is what the cells show, less the empty board, while one piece stands on the middle of a square.
type Sample struct {
	Square rules.Square
	Shown  [Corners]float64 // milligrams of the reference kind
}

// least is the number of squares that a fit needs. spread is how far apart they must be, in mm (root mean square along
// each axis).
const (
	least  = 6
	spread = 60.0
)

// held is the weight of the nominal figures beside the samples, as a share of the samples. Where the samples show
// nothing, as with the twist of a stiff board, the nominal figures stay.
const held = 1e-6

// Fit finds the plate, except for its zero, by least squares from samples of one piece of mg milligrams on known
// squares. off is the distance in mm between each fitted sample and the middle of its square.
func Fit(mg float64, samples []Sample) (p Plate, off []float64, err error) {
	if err := spans(samples); err != nil {
		return p, nil, err
	}
	p = Nominal()
	var normal [Corners][Corners]float64
	weight := 0.0
	for _, s := range samples {
		for i := range normal {
			for j := range normal {
				normal[i][j] += s.Shown[i] * s.Shown[j]
			}
			weight += s.Shown[i] * s.Shown[i]
		}
	}
	for k := range p.Part {
		right := [Corners]float64{}
		for _, s := range samples {
			x, y := Middle(s.Square)
			want := [3]float64{mg, mg * x, mg * y}[k]
			for i := range right {
				right[i] += s.Shown[i] * want
			}
		}
		a := normal
		for i := range a {
			a[i][i] += held * weight
			right[i] += held * weight * p.Part[k][i]
		}
		if p.Part[k], err = solve(a, right); err != nil {
			return p, nil, err
		}
	}
	for _, s := range samples {
		x, y := p.Load(&s.Shown).Centre()
		wx, wy := Middle(s.Square)
		off = append(off, math.Hypot(x-wx, y-wy))
	}
	return p, off, nil
}

// spans checks that the squares are far enough apart, and that each sample has a load.
func spans(samples []Sample) error {
	if len(samples) < least {
		return say.Error("the piece was weighed on %d squares: %d are needed", len(samples), least)
	}
	var n, x, y, xx, yy, xy float64
	for _, s := range samples {
		sum := 0.0
		for _, mg := range s.Shown {
			sum += math.Abs(mg)
		}
		if sum == 0 {
			return say.Error("no cell felt the piece on %v", s.Square)
		}
		a, b := Middle(s.Square)
		n, x, y, xx, yy, xy = n+1, x+a, y+b, xx+a*a, yy+b*b, xy+a*b
	}
	vx, vy, c := xx/n-x*x/n/n, yy/n-y*y/n/n, xy/n-x*y/n/n
	if vx < spread*spread || vy < spread*spread || vx*vy-c*c < vx*vy/4 {
		return say.Error("the squares on which the piece was weighed lie too near together, or on one line: weigh it on " +
			"both sides of the board, near to you and far from you")
	}
	return nil
}

// solve solves four linear equations by elimination with pivots.
func solve(a [Corners][Corners]float64, b [Corners]float64) (x [Corners]float64, err error) {
	for i := range a {
		p := i
		for r := i + 1; r < Corners; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[p][i]) {
				p = r
			}
		}
		a[i], a[p], b[i], b[p] = a[p], a[i], b[p], b[i]
		if a[i][i] == 0 {
			return x, say.Error("the cells show too little to find their gains by")
		}
		for r := i + 1; r < Corners; r++ {
			f := a[r][i] / a[i][i]
			for c := i; c < Corners; c++ {
				a[r][c] -= f * a[i][c]
			}
			b[r] -= f * b[i]
		}
	}
	for i := Corners - 1; i >= 0; i-- {
		x[i] = b[i]
		for c := i + 1; c < Corners; c++ {
			x[i] -= a[i][c] * x[c]
		}
		x[i] /= a[i][i]
	}
	return x, nil
}
