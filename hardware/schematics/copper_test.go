// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardd/hardware/schematics/netlist"
	"boardd/hardware/schematics/sexp"
)

// copper is a printed board as its file has it. It has every pad, track, via and plane by its shape, in millimetres
// from the upper left corner. What it joins is computed from the shapes here, not by KiCad.
type copper struct {
	pieces        []piece
	parts         map[string]body
	width, height float64
	corner        [2]float64 // of the board on the drawing sheet
	touch         [][]int    // by piece, those that it touches
}

// piece is a straight piece of copper with round ends, or a pad, or a plane.
type piece struct {
	what   string // segment, via, pad, zone
	pin    netlist.Pin
	net    string
	layers string     // names of copper layers, with spaces around each
	a, b   [2]float64 // the ends of its spine
	r      float64    // half its width
	half   [2]float64 // of a pad: half its sides
	turn   float64    // of a pad, degrees
	edge   [][2]float64
}

// body is where a part stands.
type body struct {
	at    [2]float64
	turn  float64
	below bool
	pads  [2][2]float64 // the corners of what its pads cover
}

func readCopper(t *testing.T, file string) *copper {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := sexp.Parse(string(src))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	c := &copper{parts: map[string]body{}}
	corner, far := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, l := range root.All("gr_line") {
		if l.Get("layer").Arg(0) == "Edge.Cuts" {
			for _, end := range [][2]float64{point(l.Get("start")), point(l.Get("end"))} {
				for i := range 2 {
					corner[i], far[i] = min(corner[i], end[i]), max(far[i], end[i])
				}
			}
		}
	}
	c.width, c.height, c.corner = far[0]-corner[0], far[1]-corner[1], corner
	from := func(n *sexp.Node) [2]float64 { p := point(n); return [2]float64{p[0] - corner[0], p[1] - corner[1]} }
	nets := map[string]string{}
	for _, n := range root.All("net") {
		nets[n.Arg(0)] = n.Arg(1)
	}
	for _, s := range root.All("segment") {
		c.pieces = append(c.pieces, piece{what: "segment", net: nets[s.Get("net").Arg(0)], layers: " " +
			s.Get("layer").Arg(0) + " ",
			a: from(s.Get("start")), b: from(s.Get("end")), r: value64(s.Get("width").Arg(0)) / 2})
	}
	for _, v := range root.All("via") {
		c.pieces = append(c.pieces, piece{what: "via", net: nets[v.Get("net").Arg(0)], layers: every, a: from(v.Get("at")),
			b: from(v.Get("at")),
			r: value64(v.Get("size").Arg(0)) / 2})
	}
	for _, z := range root.All("zone") {
		p := piece{what: "zone", net: nets[z.Get("net").Arg(0)], layers: " " + z.Get("layer").Arg(0) + " "}
		for _, xy := range z.Get("polygon").Get("pts").All("xy") {
			p.edge = append(p.edge, from(xy))
		}
		c.pieces = append(c.pieces, p)
	}
	for _, f := range root.All("footprint") {
		c.footprint(f, from(f.Get("at")))
	}
	c.join()
	return c
}

const every = " F.Cu In1.Cu In2.Cu B.Cu "

func (c *copper) footprint(f *sexp.Node, at [2]float64) {
	ref := ""
	for _, p := range f.All("property") {
		if p.Arg(0) == "Reference" {
			ref = p.Arg(1)
		}
	}
	turn := value64(f.Get("at").Arg(2))
	b := body{at: at, turn: turn, below: f.Get("layer").Arg(0) == "B.Cu", pads: [2][2]float64{at, at}}
	for _, p := range f.All("pad") {
		off := spun(point(p.Get("at")), turn)
		m := [2]float64{at[0] + off[0], at[1] + off[1]}
		half := [2]float64{value64(p.Get("size").Arg(0)) / 2, value64(p.Get("size").Arg(1)) / 2}
		layers := " "
		for _, l := range p.Get("layers").List[1:] {
			if l.Text() == "*.Cu" {
				layers = every
			} else if strings.HasSuffix(l.Text(), ".Cu") {
				layers += l.Text() + " "
			}
		}
		if p.Arg(0) != "" && layers != " " {
			c.pieces = append(c.pieces, piece{what: "pad", pin: netlist.Pin{Ref: ref, Number: p.Arg(0)},
				net: p.Get("net").Arg(1), layers: layers, a: m, b: m,
				half: half, turn: value64(p.Get("at").Arg(2))})
		}
		reach := spun(half, value64(p.Get("at").Arg(2)))
		for i := range 2 {
			b.pads[0][i] = min(b.pads[0][i], m[i]-math.Abs(reach[i]))
			b.pads[1][i] = max(b.pads[1][i], m[i]+math.Abs(reach[i]))
		}
	}
	c.parts[ref] = b
}

// spun turns a point counterclockwise about the origin, y downwards.
func spun(p [2]float64, degrees float64) [2]float64 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return [2]float64{p[0]*c + p[1]*s, p[1]*c - p[0]*s}
}

func point(n *sexp.Node) [2]float64 { return [2]float64{value64(n.Arg(0)), value64(n.Arg(1))} }

func value64(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return f
}

// join finds which pieces touch.
func (c *copper) join() {
	c.touch = make([][]int, len(c.pieces))
	for i := range c.pieces {
		for j := range i {
			if touches(&c.pieces[i], &c.pieces[j]) {
				c.touch[i] = append(c.touch[i], j)
				c.touch[j] = append(c.touch[j], i)
			}
		}
	}
}

// shift moves a piece along the file, and finds what it touches there.
func (c *copper) shift(i int, by float64) {
	p := &c.pieces[i]
	p.a[1] += by
	p.b[1] += by
	for j := range c.touch {
		c.touch[j] = slices.DeleteFunc(c.touch[j], func(k int) bool { return k == i })
	}
	c.touch[i] = nil
	for j := range c.pieces {
		if j != i && touches(p, &c.pieces[j]) {
			c.touch[i] = append(c.touch[i], j)
			c.touch[j] = append(c.touch[j], i)
		}
	}
}

// touches reports whether two pieces share a layer and overlap. A plane keeps away from other nets, which KiCad's
// rules check, so it only touches pieces of its own net.
func touches(p, q *piece) bool {
	shared := false
	for _, l := range strings.Fields(p.layers) {
		shared = shared || strings.Contains(q.layers, " "+l+" ")
	}
	if !shared {
		return false
	}
	if q.what == "zone" {
		p, q = q, p
	}
	if p.what == "zone" {
		return q.what != "zone" && p.net == q.net && inside(p.edge, q.a)
	}
	if q.what == "pad" {
		p, q = q, p
	}
	if p.what != "pad" {
		return apart(p.a, p.b, q.a, q.b) < p.r+q.r
	}
	if q.what == "pad" {
		off, reach := spun([2]float64{q.a[0] - p.a[0], q.a[1] - p.a[1]}, -p.turn), spun(q.half, q.turn-p.turn)
		return math.Abs(off[0]) < p.half[0]+math.Abs(reach[0]) && math.Abs(off[1]) < p.half[1]+math.Abs(reach[1])
	}
	a := spun([2]float64{q.a[0] - p.a[0], q.a[1] - p.a[1]}, -p.turn)
	b := spun([2]float64{q.b[0] - p.a[0], q.b[1] - p.a[1]}, -p.turn)
	return fromBox(a, b, p.half) < q.r
}

// fromBox is the distance of a straight piece from a box around the origin, 0 when it enters the box.
func fromBox(a, b, half [2]float64) float64 {
	least := math.Inf(1)
	for _, p := range [][2]float64{a, b} {
		dx, dy := math.Abs(p[0])-half[0], math.Abs(p[1])-half[1]
		if dx <= 0 && dy <= 0 {
			return 0
		}
	}
	corners := [][2]float64{{-half[0], -half[1]}, {half[0], -half[1]}, {half[0], half[1]}, {-half[0], half[1]}}
	for i := range corners {
		least = min(least, apart(a, b, corners[i], corners[(i+1)%4]))
	}
	return least
}

// apart is the distance of two straight pieces.
func apart(a, b, c, d [2]float64) float64 {
	if side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0 {
		return 0
	}
	return min(beside(a, b, c), beside(a, b, d), beside(c, d, a), beside(c, d, b))
}

func side(a, b, p [2]float64) float64 { return (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0]) }

// beside is the distance of a point from a straight piece.
func beside(a, b, p [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/l))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}

// inside reports whether a point lies in a polygon.
func inside(edge [][2]float64, p [2]float64) bool {
	in := false
	for i := range edge {
		a, b := edge[i], edge[(i+1)%len(edge)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])*(b[0]-a[0])/(b[1]-a[1]) {
			in = !in
		}
	}
	return in
}

// nets is what the copper joins without some pieces: by pad, the number of its island.
func (c *copper) nets(gone ...int) map[netlist.Pin]int {
	island := make([]int, len(c.pieces))
	found := map[netlist.Pin]int{}
	for start := range c.pieces {
		if island[start] != 0 || slices.Contains(gone, start) {
			continue
		}
		todo := []int{start}
		island[start] = start + 1
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if p := c.pieces[i]; p.what == "pad" {
				found[p.pin] = start + 1
			}
			for _, j := range c.touch[i] {
				if island[j] == 0 && !slices.Contains(gone, j) {
					island[j] = start + 1
					todo = append(todo, j)
				}
			}
		}
	}
	return found
}

// same compares islands with a schematic's nets: pins that belong together must be joined, others not.
func same(islands map[netlist.Pin]int, n *netlist.Netlist) []error {
	var errs []error
	net := map[int]string{}
	for _, name := range n.Nets() {
		first := 0
		for _, p := range n.Pins(name) {
			i, ok := islands[p]
			switch {
			case !ok:
				errs = append(errs, fmt.Errorf("%s.%s of net %s has no pad", p.Ref, p.Number, name))
			case first == 0:
				first = i
			case i != first:
				errs = append(errs, fmt.Errorf("%s.%s is not joined to the rest of net %s", p.Ref, p.Number, name))
			}
			if other := net[i]; ok && other != "" && other != name {
				errs = append(errs, fmt.Errorf("%s.%s of net %s is joined to net %s", p.Ref, p.Number, name, other))
			}
			if ok {
				net[i] = name
			}
		}
	}
	for p := range islands {
		if n.Net(p) == "" {
			errs = append(errs, fmt.Errorf("the schematic has no pin %s.%s", p.Ref, p.Number))
		}
	}
	return errs
}
