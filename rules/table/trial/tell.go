// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"math"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// canTell reports whether settled sensors can tell the wood after a move from that before it, and from that after
// every other legal move. Some sensor must differ by six standard deviations.
func (g *game) canTell(p *rules.Position, m rules.Move) bool {
	before := g.geometry.Lay(p)
	after := *p
	after.Play(m)
	lies := g.geometry.Lay(&after)
	if !g.differ(&lies, &before) {
		return false
	}
	for _, other := range p.AppendMoves(nil) {
		if other == m {
			continue
		}
		q := *p
		q.Play(other)
		w := g.geometry.Lay(&q)
		if !g.differ(&lies, &w) {
			return false
		}
	}
	return true
}

// differ reports whether some sensor tells two woods apart. Weights and heights tell nothing where somebody leans.
func (g *game) differ(a, b *wood.Wood) bool {
	leant, rim := g.crew.Leant(g.script.First)
	off := 0.0 // g, of a weight on the rim
	if rim {
		off = leanOff * g.Factor
	}
	for p := range a {
		if a[p] == b[p] {
			continue
		}
		if (a[p] == "") != (b[p] == "") && g.scene.Works(sensing.Reeds, p) {
			return true
		}
		if p >= 64 || g.Board == physics.Reeds || g.Board == physics.Scale || !g.scene.Works(g.analog(), p) {
			continue
		}
		if leant.Has(rules.Square(p)) {
			continue
		}
		switch g.Board {
		case physics.Stack:
			pieces := float64(len(a[p]) + len(b[p]))
			apart := math.Abs(g.weighs(a[p])-g.weighs(b[p])) - off
			if apart >= sigmas*math.Hypot(g.scene.Noise(p), float64(g.geometry.MassSpread)/1000*math.Sqrt(pieces)) {
				return true
			}
		case physics.Twin:
			if math.Abs(float64(len(a[p])-len(b[p])))*cubeHeight >= sigmas*g.scene.RangeNoise(p) {
				return true
			}
		}
	}
	return g.Board == physics.Scale && leant == 0 && !rim && g.unbalanced(a, b)
}

// unbalanced reports whether the scale tells two woods apart, by weight or by where it is.
func (g *game) unbalanced(a, b *wood.Wood) bool {
	if f := g.scene.Fault; f != nil && f.Part == sensing.Scale && !g.scene.Works(sensing.Scale, f.Place) {
		return false
	}
	var apart, x, y, pieces, moved float64
	for p := range 64 {
		if a[p] == b[p] {
			continue
		}
		grams, at := g.weighs(b[p])-g.weighs(a[p]), physics.Middle(p)
		apart, x, y = apart+grams, x+grams*(at.X-physics.Board/2), y+grams*(at.Y-physics.Board/2)
		pieces, moved = pieces+float64(len(a[p])+len(b[p])), moved+g.weighs(a[p])+g.weighs(b[p])
	}
	noise := 2 * g.scene.CornerNoise() // of the sum of four
	spread := float64(g.geometry.MassSpread) / 1000 * math.Sqrt(pieces)
	if math.Abs(apart) >= sigmas*math.Hypot(noise, spread) {
		return true
	}
	lever := math.Hypot(noise*physics.Board/2, moved*offCentre)
	return math.Abs(x) >= sigmas*lever || math.Abs(y) >= sigmas*lever
}

// analog is what counts the pieces of a pile on this board.
func (g *game) analog() sensing.Kind {
	if g.Board == physics.Twin {
		return sensing.Heights
	}
	return sensing.Weights
}

// weighs is what a pile weighs by the kinds of its pieces, in g.
func (g *game) weighs(pile wood.Pile) (grams float64) {
	for i := range len(pile) {
		grams += float64(g.geometry.Mass[pile[i]]) / 1000
	}
	return grams
}
