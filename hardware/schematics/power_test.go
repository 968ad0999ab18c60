// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"boardd/hardware/schematics/netlist"
	"boardd/hardware/schematics/sexp"
)

// The least copper that a board house makes, and its resistance.
const (
	copperOhm   = 1.72e-8 // ohm metres, at 20 degrees
	outerThick  = 35e-6   // metres
	innerThick  = 17.5e-6
	viaPlate    = 20e-6  // of the hole's wall
	viaHole     = 0.3e-3 // its diameter
	boardThick  = 1.6e-3
	powerCell   = 0.4 // millimetres; a spoke is 0.6 wide
	viaAmperes  = 1.0 // what a via of 0.3 mm carries with 10 kelvin of warming, about (IPC-2221)
	wholeSupply = 4.4 // amperes of a twin board, from the sheet of the supply: lights 3, Pi 1.3, the rest 0.1
)

// sheetOf is a net's poured copper, cell by cell.
type sheetOf struct {
	w, h  int
	on    map[string][]bool // by layer
	nodes map[string][]int  // by layer and cell: its number, from 0
	count int
	ohms  []link
	vias  []int // of ohms: those through vias
}

type link struct {
	a, b int
	g    float64 // siemens
}

// poured reads a net's filled areas, pads and vias.
func poured(t *testing.T, board, net string) (*sheetOf, *copper) {
	t.Helper()
	src, err := os.ReadFile(layoutOf(board))
	if err != nil {
		t.Fatal(err)
	}
	root, err := sexp.Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	c := readCopper(t, layoutOf(board))
	s := &sheetOf{w: int(c.width / powerCell), h: int(c.height / powerCell), on: map[string][]bool{},
		nodes: map[string][]int{}}
	for _, l := range strings.Fields(every) {
		s.on[l] = make([]bool, s.w*s.h)
	}
	for _, z := range root.All("zone") {
		if z.Get("net_name").Arg(0) != net {
			continue
		}
		for _, f := range z.All("filled_polygon") {
			var edge [][2]float64
			for _, xy := range f.Get("pts").All("xy") {
				p := point(xy)
				edge = append(edge, [2]float64{p[0] - c.corner[0], p[1] - c.corner[1]})
			}
			s.fill(s.on[f.Get("layer").Arg(0)], edge)
		}
	}
	for _, p := range c.pieces {
		if p.what == "pad" && p.net == net {
			for _, l := range strings.Fields(p.layers) {
				s.each(p, func(i int) { s.on[l][i] = true })
			}
		}
	}
	for _, l := range strings.Fields(every) {
		s.nodes[l] = make([]int, s.w*s.h)
		for i, on := range s.on[l] {
			if s.nodes[l][i] = -1; on {
				s.nodes[l][i] = s.count
				s.count++
			}
		}
		thick := innerThick
		if l == "F.Cu" || l == "B.Cu" {
			thick = outerThick
		}
		g := thick / copperOhm // of a square
		for i := range s.w * s.h {
			if i%s.w+1 < s.w && s.on[l][i] && s.on[l][i+1] {
				s.ohms = append(s.ohms, link{s.nodes[l][i], s.nodes[l][i+1], g})
			}
			if i+s.w < s.w*s.h && s.on[l][i] && s.on[l][i+s.w] {
				s.ohms = append(s.ohms, link{s.nodes[l][i], s.nodes[l][i+s.w], g})
			}
		}
	}
	through := math.Pi * viaHole * viaPlate / (copperOhm * boardThick)
	for _, p := range c.pieces {
		if p.net != net || p.layers != every {
			continue
		}
		g := through
		if p.what == "pad" { // a hole of 1 mm, with a pin in it
			g = 10 * through
		}
		i := s.cell(p.a)
		before := -1
		for _, l := range strings.Fields(every) {
			if n := s.nodes[l][i]; n >= 0 {
				if before >= 0 {
					if p.what == "via" {
						s.vias = append(s.vias, len(s.ohms))
					}
					s.ohms = append(s.ohms, link{before, n, g})
				}
				before = n
			}
		}
	}
	return s, c
}

func (s *sheetOf) cell(p [2]float64) int {
	return min(s.h-1, int(p[1]/powerCell))*s.w + min(s.w-1, int(p[0]/powerCell))
}

// fill marks the cells whose middle is in a polygon.
func (s *sheetOf) fill(on []bool, edge [][2]float64) {
	for y := range s.h {
		at := (float64(y) + 0.5) * powerCell
		var cuts []float64
		for i, a := range edge {
			b := edge[(i+1)%len(edge)]
			if (a[1] > at) != (b[1] > at) {
				cuts = append(cuts, a[0]+(at-a[1])*(b[0]-a[0])/(b[1]-a[1]))
			}
		}
		slices.Sort(cuts)
		for k := 0; k+1 < len(cuts); k += 2 {
			for x := max(0, int(math.Ceil(cuts[k]/powerCell-0.5))); x < s.w && (float64(x)+0.5)*powerCell < cuts[k+1]; x++ {
				on[y*s.w+x] = true
			}
		}
	}
}

// each calls for the cells of a pad.
func (s *sheetOf) each(p piece, do func(cell int)) {
	reach := spun(p.half, p.turn)
	for y := p.a[1] - math.Abs(reach[1]); y <= p.a[1]+math.Abs(reach[1]); y += powerCell / 2 {
		for x := p.a[0] - math.Abs(reach[0]); x <= p.a[0]+math.Abs(reach[0]); x += powerCell / 2 {
			do(s.cell([2]float64{x, y}))
		}
	}
}

// load is a current that pads take from a net.
type load struct {
	pins []netlist.Pin
	amps float64
}

// volts solves the net with the source pads at 0 V and the currents of the loads. It returns the voltage drop to each
// load's pads, in volts, and the largest current through a via.
func (s *sheetOf) volts(t *testing.T, c *copper, source []netlist.Pin, loads []load) (drops []float64, via float64) {
	t.Helper()
	at := func(pins []netlist.Pin) []int {
		var list []int
		for _, p := range c.pieces {
			if p.what == "pad" && slices.Contains(pins, p.pin) {
				l := strings.Fields(p.layers)[0]
				list = append(list, s.nodes[l][s.cell(p.a)])
			}
		}
		if len(list) == 0 || slices.Contains(list, -1) {
			t.Fatalf("no copper at %v", pins)
		}
		return list
	}
	current, held := make([]float64, s.count), make([]bool, s.count)
	for _, n := range at(source) {
		held[n] = true
	}
	for _, l := range loads {
		nodes := at(l.pins)
		for _, n := range nodes {
			current[n] += l.amps / float64(len(nodes))
		}
	}
	v := s.solve(current, held)
	for _, l := range loads {
		worst := 0.0
		for _, n := range at(l.pins) {
			worst = max(worst, v[n])
		}
		drops = append(drops, worst)
	}
	for _, i := range s.vias {
		k := s.ohms[i]
		via = max(via, math.Abs(v[k.a]-v[k.b])*k.g)
	}
	return drops, via
}

// solve finds the voltages by conjugate gradients.
func (s *sheetOf) solve(current []float64, held []bool) []float64 {
	diagonal := make([]float64, s.count)
	for _, k := range s.ohms {
		diagonal[k.a] += k.g
		diagonal[k.b] += k.g
	}
	v, r, p, q := make([]float64, s.count), slices.Clone(current), make([]float64, s.count), make([]float64, s.count)
	var whole, before float64
	for i := range r {
		if held[i] || diagonal[i] == 0 {
			r[i], diagonal[i] = 0, math.Inf(1)
		}
	}
	for round := range 6000 {
		z := 0.0
		for i := range r {
			z += r[i] * r[i] / diagonal[i]
		}
		if round == 0 {
			whole = z
		}
		if z < 1e-8*whole {
			break
		}
		for i := range p {
			if p[i] = r[i]/diagonal[i] + p[i]*z/max(before, 1e-300); round == 0 {
				p[i] = r[i] / diagonal[i]
			}
			q[i] = 0
		}
		before = z
		for _, k := range s.ohms {
			f := k.g * (p[k.a] - p[k.b])
			q[k.a] += f
			q[k.b] -= f
		}
		up := 0.0
		for i := range q {
			if held[i] {
				q[i] = 0
			}
			up += p[i] * q[i]
		}
		step := z / up
		for i := range v {
			v[i] += step * p[i]
			r[i] -= step * q[i]
		}
	}
	return v
}

// TestSupplyOfThePisBoard: at full load the copper of the Pi's board loses less than 60 mV to the farthest rank and
// back, without fuses and transistor. No via carries more than it can.
func TestSupplyOfThePisBoard(t *testing.T) {
	t.Parallel()
	inFull(t)
	n := export(t, "pi")
	pins := func(ref string, numbers ...string) []netlist.Pin {
		var list []netlist.Pin
		for _, number := range numbers {
			list = append(list, netlist.Pin{Ref: ref, Number: number})
		}
		return list
	}
	var ranks, back []load
	for r := 1; r <= 8; r++ {
		for _, base := range []int{6000, 6800} {
			ref := fmt.Sprint("J", base+r)
			ranks = append(ranks, load{pins(ref, "1", "2"), 3.0 / 16})
			back = append(back, load{pins(ref, "3", "4"), 3.0 / 16})
		}
	}
	back = append(back, load{pins("J5201", "6", "9", "14", "20", "25", "30", "34", "39"), 1.3})
	farthest := 0.0
	for _, stage := range []struct {
		what   string
		source []netlist.Pin
		loads  []load
	}{
		{"from the plug to the fuse", pins("J5101", "1"), []load{{pins("F5101", "1"), wholeSupply}}},
		{"to the transistor", pins("F5101", "2"), []load{{pins("Q5101", "5", "6", "7", "8"), wholeSupply}}},
		{"to the lights' fuse and the Pi", pins("Q5101", "1", "2", "3"), []load{{pins("F5102", "1"), 3},
			{pins("J5201", "2", "4"), 1.3}}},
		{"to the ranks", pins("F5102", "2"), ranks},
		{"back", pins("J5101", "2"), back},
	} {
		s, c := poured(t, "pi", n.Net(stage.source[0]))
		drops, via := s.volts(t, c, stage.source, stage.loads)
		t.Logf("%s: at most %.1f mV, via %.2f A", stage.what, 1e3*slices.Max(drops), via)
		farthest += slices.Max(drops)
		if via > viaAmperes {
			t.Errorf("%s: a via carries %.2f A, more than %g", stage.what, via, viaAmperes)
		}
	}
	if farthest > 0.06 || farthest < 0.005 {
		t.Errorf("the copper loses %.1f mV, want 5 to 60", 1e3*farthest)
	}
}
