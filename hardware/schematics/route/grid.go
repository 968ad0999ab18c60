// SPDX-License-Identifier: Apache-2.0

package route

import (
	"math"
	"slices"
)

// step is the grid's pitch in millimetres: between two pins of 2.54 mm there is always a place for a track of 0.2 mm.
const step = 0.2

// What a place of the grid is for copper of one width, from what is fixed there.
const (
	free    = 0
	blocked = -1
	// above: the number of the net whose pad is so near that nothing else may pass
)

// offset is a place relative to another.
type offset struct{ x, y int }

// class is one width of copper: a track's, or a via's.
type class struct {
	half  float64
	via   bool
	owner [layers][]int16  // by place: free, blocked, or the only net that may be there
	used  [layers][]uint16 // by place: how many wires are too near
	past  [layers][]uint16 // by place: how often wires crossed there
}

// grid is the board as the search sees it.
type grid struct {
	Board
	w, h    int
	numbers map[string]int16
	classes []*class        // the first is that of vias
	discs   [][][]offset    // by class of the copper and class of what passes: places too near
	mark    [layers][]int32 // scratch: which wire was here last
	serial  int32           // of mark
	search  *search
}

func newGrid(b Board) *grid {
	g := &grid{Board: b, w: int(math.Round(b.Width/step)) + 1, h: int(math.Round(b.Height/step)) + 1,
		numbers: map[string]int16{}}
	widths := []float64{}
	for i, n := range b.Nets {
		g.numbers[n.Name] = int16(i + 1)
		for _, w := range n.Widths {
			if !slices.Contains(widths, w) {
				widths = append(widths, w)
			}
		}
	}
	g.classes = append(g.classes, &class{half: b.Rules.Via / 2, via: true})
	for _, w := range widths {
		g.classes = append(g.classes, &class{half: w / 2})
	}
	for _, c := range g.classes {
		for l := range layers {
			c.owner[l], c.used[l], c.past[l] = make([]int16, g.w*g.h), make([]uint16, g.w*g.h), make([]uint16, g.w*g.h)
		}
		g.settle(c)
	}
	for l := range layers {
		g.mark[l] = make([]int32, g.w*g.h)
	}
	for _, a := range g.classes {
		var row [][]offset
		for _, c := range g.classes {
			row = append(row, disc(a.half+b.Rules.Gap+c.half))
		}
		g.discs = append(g.discs, row)
	}
	g.search = newSearch(g)
	return g
}

// classOf is the number of a track's class.
func (g *grid) classOf(width float64) int {
	return slices.IndexFunc(g.classes, func(c *class) bool { return !c.via && c.half == width/2 })
}

// disc is the places nearer than a distance.
func disc(near float64) []offset {
	n := int(near / step)
	var list []offset
	for y := -n; y <= n; y++ {
		for x := -n; x <= n; x++ {
			if math.Hypot(float64(x), float64(y))*step < near-1e-6 {
				list = append(list, offset{x, y})
			}
		}
	}
	return list
}

func (g *grid) at(x, y int) Point { return Point{float64(x) * step, float64(y) * step} }

func (g *grid) inside(x, y int) bool { return x >= 0 && y >= 0 && x < g.w && y < g.h }

// settle enters what is fixed: edge, pads, areas.
func (g *grid) settle(c *class) {
	edge := g.Rules.Edge + c.half - 1e-6
	for y := range g.h {
		for x := range g.w {
			p := g.at(x, y)
			if p.X < edge || p.Y < edge || p.X > g.Width-edge || p.Y > g.Height-edge {
				for l := range layers {
					c.owner[l][y*g.w+x] = blocked
				}
			}
		}
	}
	for _, p := range g.Pads {
		net := g.numbers[p.Net]
		gap := g.Rules.Gap
		if p.Hole && p.Net == "" {
			gap = max(gap, g.Rules.HoleEdge)
		}
		for l := range layers {
			if p.On[l] || c.via { // a via is on all layers
				g.keep(c, l, p.Box, gap+c.half, net)
			}
		}
		if c.via && net != 0 { // its own vias stay out of a pad, because they would draw off the solder
			for l := range layers {
				g.keep(c, l, p.Box, c.half+0.1, blocked)
			}
		}
	}
	for _, a := range g.Areas {
		net := g.numbers[a.Net]
		for l := range layers {
			if l == a.On || c.via {
				g.keep(c, l, a.Box, g.Rules.Gap+c.half, net)
			}
		}
	}
}

// keep reserves the places near a box for a net, or for none.
func (g *grid) keep(c *class, l Layer, b Box, near float64, net int16) {
	near -= 1e-6
	if net == 0 {
		net = blocked
	}
	for y := max(0, int((b.Min.Y-near)/step)); y <= min(g.h-1, int((b.Max.Y+near)/step)+1); y++ {
		for x := max(0, int((b.Min.X-near)/step)); x <= min(g.w-1, int((b.Max.X+near)/step)+1); x++ {
			if b.apart(g.at(x, y)) >= near {
				continue
			}
			o := &c.owner[l][y*g.w+x]
			if *o == free || *o == net {
				*o = net
			} else {
				*o = blocked
			}
		}
	}
}

// open reports whether copper of a class may be at a place, as far as fixed things are concerned.
func (c *class) open(l Layer, i int, net int16) bool {
	return c.owner[l][i] == free || c.owner[l][i] == net
}
