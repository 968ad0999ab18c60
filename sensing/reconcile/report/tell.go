// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"strings"

	"boardd/rules"
	"boardd/sensing/wood"
)

// decidedBy returns the class of a move: which sensor shows it last, and whether the move could go on.
func decidedBy(g *wood.Geometry, p *rules.Position, m rules.Move, woods []rules.Wood, before, after *wood.Wood,
	touched *wood.Set) moveClass {
	var made *rules.Wood
	for i := range woods {
		if woods[i].Move == m {
			made = &woods[i]
		}
	}
	layered := p.Variant().Layered()
	unique := reedsShow(g, before, after)
	shown := occupied(made, layered, g.TwoDecks)
	for i := range woods {
		w := &woods[i]
		if w.Move == m {
			continue
		}
		if slidesFarther(m, w.Move) || pullsAway(g, p, m, w.Move, after) ||
			made.Touched&^w.Touched == 0 && made.Touched != w.Touched {
			return goesOn
		}
		if occupied(w, layered, g.TwoDecks) == shown {
			unique = unique && !onlyTouched(g, p, w.Move, before, touched)
		}
	}
	switch {
	case onlyTakesAway(before, after):
		return goesOn
	case unique && sameHeight(before, after):
		return bySequence
	case unique:
		return byPresence
	case g.Weights:
		return byWeight
	case sameHeight(before, after):
		return bySequence
	}
	return byHeight
}

// changesPile reports whether a pile of the lower deck grows or shrinks while its reed stays closed.
func changesPile(before, after *wood.Wood) bool {
	for q := range wood.Place(64) {
		if a, b := before[q], after[q]; a != "" && b != "" && len(a) != len(b) {
			return true
		}
	}
	return false
}

// pullsAway reports whether another move is the same one, with lower pieces pulled away afterwards.
func pullsAway(g *wood.Geometry, p *rules.Position, m, o rules.Move, after *wood.Wood) bool {
	if m.From() != o.From() || m.To() != o.To() {
		return false
	}
	q := *p
	q.Play(o)
	other := g.Lay(&q)
	a, b := string(after[m.To()]), string(other[m.To()])
	return len(b) > 0 && len(a) > len(b) && strings.HasSuffix(a, b)
}

// onlyTakesAway reports whether a move only takes pieces away: they may be in a hand that will put them elsewhere.
func onlyTakesAway(before, after *wood.Wood) bool {
	for q := range wood.Place(wood.Places) {
		if a, b := string(before[q]), string(after[q]); a != b && !strings.HasPrefix(a, b) && !strings.HasSuffix(a, b) {
			return false
		}
	}
	return true
}

// sameHeight reports whether some pile changes its pieces and not its height.
func sameHeight(before, after *wood.Wood) bool {
	for q := range wood.Place(wood.Places) {
		if a, b := before[q], after[q]; a != b && len(a) == len(b) {
			return true
		}
	}
	return false
}

// upperExchange reports whether some pile changes its upper pieces, and neither its height nor what stands lowest.
func upperExchange(before, after *wood.Wood) bool {
	for q := range wood.Place(64) {
		if a, b := before[q], after[q]; a != b && len(a) == len(b) && len(a) > 1 && a[0] == b[0] {
			return true
		}
	}
	return false
}

// reedsShow reports whether reeds can see every change of the wood: a square filled, emptied, or emptied on the way.
// Where there are load cells, an exchange does not count: to reeds, a captured piece that was put back looks like its
// captor.
func reedsShow(g *wood.Geometry, before, after *wood.Wood) bool {
	for q := range wood.Place(wood.Places) {
		a, b := before[q], after[q]
		if a != b && a != "" && b != "" && (a[0] == b[0] || g.Weights || g.Heights && len(a) != len(b)) {
			return false
		}
		if a == "" && len(b) > 1 && q < 64 && (g.Weights || g.Heights) {
			return false // a part of the pile may be in a hand
		}
	}
	return true
}

// onlyTouched reports whether another move changes only what was touched.
func onlyTouched(g *wood.Geometry, p *rules.Position, m rules.Move, before *wood.Wood, touched *wood.Set) bool {
	q := *p
	q.Play(m)
	after := g.Lay(&q)
	d := before.Diff(&after)
	return d[0]&^touched[0] == 0 && d[1]&^touched[1] == 0
}

// slidesFarther reports whether another move is the same slide, farther.
func slidesFarther(m, o rules.Move) bool {
	if m.From() != o.From() || m.IsCapture() {
		return false
	}
	f, t, u := m.From(), m.To(), o.To()
	df, dr := u.File()-f.File(), u.Rank()-f.Rank()
	mf, mr := t.File()-f.File(), t.Rank()-f.Rank()
	if df != 0 && dr != 0 && df*df != dr*dr {
		return false
	}
	n, k := max(df, -df, dr, -dr), max(mf, -mf, mr, -mr)
	return k > 0 && k < n && mf*n == df*k && mr*n == dr*k
}

// tellable reports whether the sensors of a good board can tell a move from another, given the places that were
// touched. They can if a sensor shows a difference between the wood that the moves leave. They also can if the other
// move needs a place that was not touched.
func tellable(g *wood.Geometry, p *rules.Position, m, other rules.Move, touched *wood.Set) bool {
	a, b, before := *p, *p, g.Lay(p)
	a.Play(m)
	b.Play(other)
	x, y := g.Lay(&a), g.Lay(&b)
	for q := range wood.Place(wood.Places) {
		if x[q] == y[q] {
			continue
		}
		if (x[q] == "") != (y[q] == "") || weightOrHeightDiffers(g, q, x[q], y[q]) {
			return true
		}
		if y[q] != before[q] && !touched.Has(q) {
			return true
		}
	}
	return false
}

// weightOrHeightDiffers reports whether an analog sensor can tell two piles on a place apart.
func weightOrHeightDiffers(g *wood.Geometry, q wood.Place, a, b wood.Pile) bool {
	if q >= 64 {
		return false
	}
	if g.Heights && len(a) != len(b) {
		return true
	}
	return g.Weights && math.Abs(massOf(g, a)-massOf(g, b)) > 9*math.Hypot(float64(g.CellNoise),
		float64(g.MassSpread)*math.Sqrt(float64(max(len(a), len(b)))))
}

func massOf(g *wood.Geometry, p wood.Pile) (sum float64) {
	for i := range len(p) {
		sum += float64(g.Mass[p[i]&127])
	}
	return sum
}
