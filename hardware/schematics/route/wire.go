// SPDX-License-Identifier: Apache-2.0

package route

import (
	"cmp"
	"math"
	"slices"
)

// node is a place on a layer.
type node struct {
	on   Layer
	x, y int
}

// wire is what is laid as one: a net, or the path from one pad to its plane.
type wire struct {
	net     string
	number  int16
	classes []int // of its track, in the order of preference
	class   int   // that it was laid with
	pads    []Pad
	plane   []Box // for a way to a plane, which has one pad
	ways    [][]node
	vias    []node
	marks   [][layers][]int32 // by class: the places that it uses
	length  float64
}

// wires is all that is to be laid, short ones first.
func (g *grid) wires() []*wire {
	var list []*wire
	for _, n := range g.Nets {
		var classes []int
		for _, w := range n.Widths {
			classes = append(classes, g.classOf(w))
		}
		var pads []Pad
		for _, p := range g.Pads {
			if p.Net == n.Name && !g.poured(p) {
				pads = append(pads, p)
			}
		}
		if len(n.Plane) > 0 {
			for _, p := range pads {
				if m := p.Box.middle(); !p.Hole || !slices.ContainsFunc(n.Plane, func(b Box) bool { return b.Holds(m) }) {
					list = append(list, &wire{net: n.Name, number: g.numbers[n.Name], classes: classes, pads: []Pad{p},
						plane: n.Plane})
				}
			}
			continue
		}
		if len(pads) > 1 {
			w := &wire{net: n.Name, number: g.numbers[n.Name], classes: classes, pads: inOrder(pads)}
			for i := 1; i < len(w.pads); i++ {
				w.length += nearest(w.pads[:i], w.pads[i])
			}
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, func(a, b *wire) int { return cmp.Compare(a.length, b.length) })
	return list
}

// poured reports whether a pad is in an area of its own net, which joins it.
func (g *grid) poured(p Pad) bool {
	for _, a := range g.Areas {
		if a.Net == p.Net && p.Net != "" && p.On[a.On] && a.Box.Holds(p.Box.middle()) {
			return true
		}
	}
	return false
}

// inOrder returns the pads in an order in which each is near one before it.
func inOrder(pads []Pad) []Pad {
	list, rest := pads[:1:1], slices.Clone(pads[1:])
	for len(rest) > 0 {
		best := 0
		for i := range rest {
			if nearest(list, rest[i]) < nearest(list, rest[best])-1e-9 {
				best = i
			}
		}
		list, rest = append(list, rest[best]), slices.Delete(rest, best, best+1)
	}
	return list
}

func nearest(pads []Pad, to Pad) float64 {
	least := math.Inf(1)
	b := to.Box.middle()
	for _, p := range pads {
		a := p.Box.middle()
		least = min(least, math.Hypot(a.X-b.X, a.Y-b.Y))
	}
	return least
}

// nodes returns the places in a pad, on each of its layers.
func (g *grid) nodes(p Pad) []node {
	var list []node
	for l := range layers {
		if !p.On[l] {
			continue
		}
		for y := int(math.Ceil(p.Core.Min.Y/step - 1e-9)); float64(y)*step <= p.Core.Max.Y+1e-9; y++ {
			for x := int(math.Ceil(p.Core.Min.X/step - 1e-9)); float64(x)*step <= p.Core.Max.X+1e-9; x++ {
				if g.inside(x, y) {
					list = append(list, node{l, x, y})
				}
			}
		}
	}
	return list
}

// write puts a wire's tracks and vias into the layout. A way begins and ends at the edge of its pads.
func (w *wire) write(g *grid, out *Layout) {
	width := 2 * g.classes[w.class].half
	for _, way := range w.ways {
		way = w.outside(way, g)
		add := func(l Layer, a, b node) {
			if a != b {
				out.Tracks = append(out.Tracks, Track{w.net, l, width, g.at(a.x, a.y), g.at(b.x, b.y)})
			}
		}
		from := 0
		for i := 1; i < len(way); i++ {
			turned := i+1 == len(way) || way[i+1].on != way[i].on || way[i].on != way[i-1].on ||
				way[i+1].x-way[i].x != way[i].x-way[i-1].x || way[i+1].y-way[i].y != way[i].y-way[i-1].y
			if turned {
				if way[from].on == way[i].on {
					add(way[i].on, way[from], way[i])
				}
				from = i
			}
		}
	}
	for _, v := range w.vias {
		out.Vias = append(out.Vias, Via{w.net, g.at(v.x, v.y)})
	}
}

// outside is a way without its beginning inside a pad, except the last place there.
func (w *wire) outside(way []node, g *grid) []node {
	for len(way) > 1 && slices.ContainsFunc(w.pads, func(p Pad) bool {
		return p.On[way[0].on] && p.On[way[1].on] && p.Core.Holds(g.at(way[0].x, way[0].y)) && p.Core.Holds(g.at(way[1].x,
			way[1].y))
	}) {
		way = way[1:]
	}
	return way
}
