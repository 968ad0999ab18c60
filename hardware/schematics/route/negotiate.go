// SPDX-License-Identifier: Apache-2.0

package route

import (
	"errors"
	"fmt"
	"slices"
)

const (
	firstToll = 15  // what a wire in the way costs in the first round
	growth    = 1.5 // factor by which it grows in each round
	mostToll  = 30000
	mostRound = 60
)

// negotiate lays all wires, and lays those that cross again, at a rising toll, until none does.
func (g *grid) negotiate(wires []*wire) (rounds int, err error) {
	toll := float64(firstToll)
	for rounds = range mostRound {
		crossing := 0
		var errs []error
		for _, w := range wires {
			if rounds > 0 && !g.crosses(w) {
				continue
			}
			crossing++
			g.use(w, -1)
			if err := g.lay(w, int32(toll)); err != nil {
				errs = append(errs, err)
			}
			g.use(w, +1)
		}
		if len(errs) > 0 {
			return rounds, errors.Join(errs...)
		}
		if crossing == 0 {
			return rounds, nil
		}
		for _, w := range wires {
			g.remember(w)
		}
		toll = min(toll*growth, mostToll)
	}
	var errs []error
	for _, w := range wires {
		if g.crosses(w) {
			errs = append(errs, fmt.Errorf("a wire of %s at %v still crosses another", w.net, w.pads[0].Box.middle()))
		}
	}
	return rounds, errors.Join(errs...)
}

// lay finds the ways of one wire.
func (g *grid) lay(w *wire, toll int32) error {
	for _, class := range w.classes {
		w.class, w.ways, w.vias = class, nil, nil
		if g.layWith(w, class, toll) {
			return nil
		}
	}
	w.ways, w.vias = nil, nil
	return fmt.Errorf("no way for %s from %v", w.net, w.pads[0].Box.middle())
}

func (g *grid) layWith(w *wire, class int, toll int32) bool {
	tree := g.nodes(w.pads[0])
	if w.plane != nil {
		way := g.search.way(w, class, tree, nil, toll)
		if way == nil {
			return false
		}
		w.take(way)
		w.ways[0] = way[:len(way)-1] // the change of layer is the via itself
		return true
	}
	for i := range w.pads[1:] {
		to := &w.pads[i+1]
		way := g.search.way(w, class, tree, to, toll)
		if way == nil {
			return false
		}
		w.take(way)
		tree = append(append(tree, way...), g.nodes(*to)...)
	}
	return true
}

// take adds a way, and its vias.
func (w *wire) take(way []node) {
	w.ways = append(w.ways, way)
	for i := 1; i < len(way); i++ {
		if way[i].on != way[i-1].on {
			w.vias = append(w.vias, way[i])
		}
	}
}

// use adds (by 1) or removes (by -1) the places at which a wire keeps others away.
func (g *grid) use(w *wire, by int) {
	if by < 0 {
		for c, m := range w.marks {
			for l := range layers {
				for _, i := range m[l] {
					g.classes[c].used[l][i]--
				}
			}
		}
		w.marks = nil
		return
	}
	w.marks = make([][layers][]int32, len(g.classes))
	for c := range g.classes {
		g.serial++
		stamp := func(l Layer, n node, d []offset) {
			for _, o := range d {
				x, y := n.x+o.x, n.y+o.y
				if !g.inside(x, y) || g.mark[l][y*g.w+x] == g.serial {
					continue
				}
				g.mark[l][y*g.w+x] = g.serial
				g.classes[c].used[l][y*g.w+x]++
				w.marks[c][l] = append(w.marks[c][l], int32(y*g.w+x))
			}
		}
		for _, way := range w.ways {
			for _, n := range way {
				stamp(n.on, n, g.discs[w.class][c])
			}
		}
		for _, v := range w.vias {
			for l := range layers {
				stamp(l, v, g.discs[0][c])
			}
		}
	}
}

// crosses reports whether a wire is too near another.
func (g *grid) crosses(w *wire) bool {
	return slices.ContainsFunc(w.vias, func(n node) bool { return g.shared(0, n) }) ||
		slices.ContainsFunc(w.ways, func(way []node) bool {
			return slices.ContainsFunc(way, func(n node) bool { return g.classes[w.class].used[n.on][n.y*g.w+n.x] > 1 })
		})
}

// shared reports whether more than one wire is too near a place for copper on all layers.
func (g *grid) shared(class int, n node) bool {
	for l := range layers {
		if g.classes[class].used[l][n.y*g.w+n.x] > 1 {
			return true
		}
	}
	return false
}

// remember raises the cost of the places where a wire crosses another.
func (g *grid) remember(w *wire) {
	for _, way := range w.ways {
		for _, n := range way {
			if i := n.y*g.w + n.x; g.classes[w.class].used[n.on][i] > 1 {
				g.classes[w.class].past[n.on][i]++
			}
		}
	}
	for _, n := range w.vias {
		if g.shared(0, n) {
			for l := range layers {
				g.classes[0].past[l][n.y*g.w+n.x]++
			}
		}
	}
}
