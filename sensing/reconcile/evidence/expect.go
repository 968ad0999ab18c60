// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"math"

	"boardd/sensing/reconcile/world"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// Geometry is a board, with figures that are computed from its own.
type Geometry struct {
	wood.Geometry
	// the masses of the lightest and the heaviest piece of the set, in milligrams; the pedestal counts as a piece
	Lightest, Heaviest float64
}

// NewGeometry returns a board with these figures.
func NewGeometry(g *wood.Geometry) *Geometry {
	var least, most int32
	for _, m := range g.Mass {
		if most = max(most, m); m > 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return &Geometry{*g, float64(least), float64(most)}
}

// Target is a pile and what the sensors of its place should show.
type Target struct {
	Pile     wood.Pile
	Mass     float64 // milligrams
	Variance float64 // milligrams squared: pieces of a kind differ in mass
	Height   float64 // micrometres
}

// Target computes the mass and the height of a pile.
func (g *Geometry) Target(p wood.Pile) Target {
	var sum int32
	for i := range len(p) {
		sum += g.Mass[p[i]&127]
	}
	n, s := float64(len(p)), float64(g.MassSpread)
	return Target{Pile: p, Mass: float64(sum), Variance: n * s * s, Height: n * float64(g.CubeHeight)}
}

// Weighable reports whether a load cell can tell two piles apart.
func (g *Geometry) Weighable(a, b wood.Pile) bool {
	s, t := g.Target(a), g.Target(b)
	noise := float64(g.CellNoise)
	return math.Abs(s.Mass-t.Mass) > 2*world.Outlier*math.Sqrt(noise*noise+max(s.Variance, t.Variance))
}

// LoadChange is the load, with its variance, that pieces add which come to a place (sign 1) or leave it (sign -1).
func (g *Geometry) LoadChange(sign float64, pieces wood.Pile, p wood.Place) (load, variance scale.Load) {
	t := g.Target(pieces)
	x, y := scale.Middle(p.Square())
	off := world.PlacementSpread * world.PlacementSpread * t.Mass * t.Mass
	return scale.At(sign*t.Mass, x, y), scale.Load{MG: t.Variance, X: t.Variance*x*x + off, Y: t.Variance*y*y + off}
}

// Loads is what leaves a place of a scale board by a change, what comes to it, and the variance of both.
type Loads struct{ Off, On, Variance scale.Load }

// Moved returns the loads of a change from one pile to another.
func (g *Geometry) Moved(old, pile wood.Pile, p wood.Place) (l Loads) {
	if g.Scale {
		same := wood.Common(pile, old)
		l.Off, l.Variance = g.LoadChange(-1, old[same:], p)
		on, v := g.LoadChange(1, pile[same:], p)
		l.On, l.Variance = on, l.Variance.Plus(v)
	}
	return l
}
