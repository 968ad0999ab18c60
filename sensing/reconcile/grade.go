// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"

	"boardd/rules"
	"boardd/sensing/wood"
)

// geometry is what a board is, and how good its analog sensors are, once that is worked out.
type geometry struct {
	wood.Geometry
	grades *[2][64]grade // of load cells and height sensors
}

// grade is how good an analog sensor is, in milligrams or micrometres.
type grade struct {
	noise float64 // standard deviation of a reading
	unit  float64 // the least change that has to be found: the lightest piece, or one cube
	floor float64 // what no mean is believed to be better than
	least int     // readings that make a mean
	count int     // readings that tell one unit beyond doubt
	below float64 // of a height: what is less is no hand, and where one reading tells one unit, one is enough
	slack float64 // see lean
	limit float64
}

// alarm is how much likelier, in nats, a change of one unit must make what was read than no change.
const alarm = 14.0

// lean is when readings that each fit the mean together do not: slack is by how many standard deviations one may lie off without
// counting, limit is how much more they may add up to. Where a unit stands far out of the noise, it is the tail of a load
// that settles that has to be found; where it does not, half of the unit is granted to noise.
func (g *grade) lean() (slack, limit float64) {
	if g.unit >= 2*outlier*g.noise {
		return 1, 1.5
	}
	slack = g.unit / g.noise / 2
	return slack, alarm / (2 * slack)
}

// aside is by how much higher neighbours that stand in the cone of a height sensor may shorten what it measures, micrometres.
const aside = 1000

// cell is how good the load cell of a square is.
func (g *geometry) cell(q rules.Square) *grade { return &g.graded()[0][q] }

// eye is how good the height sensor of a square is.
func (g *geometry) eye(q rules.Square) *grade { return &g.graded()[1][q] }

// graded works out how good the analog sensors are, once.
func (g *geometry) graded() *[2][64]grade {
	if g.grades != nil {
		return g.grades
	}
	g.grades = new([2][64]grade)
	light := g.lightest()
	for q := range 64 {
		mg, um := float64(either(g.CellNoises[q], g.CellNoise)), float64(either(g.RangeNoises[q], g.RangeNoise))
		g.grades[0][q] = grade{noise: mg, unit: light, floor: mg / 2, least: 3, count: 3}
		e := &g.grades[1][q]
		*e = grade{noise: um, unit: float64(g.CubeHeight), floor: max(aside, um/4)}
		z := 2 * outlier * um / e.unit
		e.count = max(1, int(math.Ceil(z*z)))
		e.least = max(2, min(8, (e.count+1)/2))
		if e.count == 1 {
			e.below = lowestHand - outlier*um
		}
	}
	for k := range g.grades {
		for q := range g.grades[k] {
			e := &g.grades[k][q]
			e.slack, e.limit = e.lean()
		}
	}
	return g.grades
}

func either(a, b int32) int32 {
	if a > 0 {
		return a
	}
	return b
}
