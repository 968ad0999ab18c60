// SPDX-License-Identifier: Apache-2.0

package route

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

var house = Rules{Gap: 0.2, Edge: 0.4, Via: 0.6, Drill: 0.3, HoleGap: 0.25, HoleEdge: 0.25}

// pad is a square one on the front or, with a hole, on both sides.
func pad(net string, x, y, side float64, hole bool) Pad {
	h := side / 2
	return Pad{Net: net, Box: Box{Point{x - h, y - h}, Point{x + h, y + h}}, Core: Box{Point{x - h + 0.1, y - h + 0.1},
		Point{x + h - 0.1, y + h - 0.1}},
		On: [2]bool{true, hole}, Hole: hole}
}

// thin gives each named net tracks of 0.2 mm.
func thin(names ...string) []Net {
	var list []Net
	for _, n := range names {
		list = append(list, Net{Name: n, Widths: []float64{0.2}})
	}
	return list
}

// faults is what is wrong with a layout: copper of two nets too near, or pads of a net that are not joined.
func faults(b Board, l Layout) []string {
	type body struct {
		net  string
		on   [2]bool
		a, b Point
		r    float64
		box  *Box
	}
	var all []body
	for i, p := range b.Pads {
		all = append(all, body{net: p.Net, on: p.On, box: &b.Pads[i].Box})
	}
	for _, t := range l.Tracks {
		on := [2]bool{}
		on[t.On] = true
		all = append(all, body{t.Net, on, t.A, t.B, t.Width / 2, nil})
	}
	for _, v := range l.Vias {
		all = append(all, body{v.Net, [2]bool{true, true}, v.At, v.At, b.Rules.Via / 2, nil})
	}
	// distance is that of two bodies, sampled along the first: to a hundredth, which is enough for gaps of a fifth
	distance := func(p, q body) float64 {
		if p.box != nil {
			p, q = q, p
		}
		if p.box != nil {
			return math.Inf(1) // two pads
		}
		least, n := math.Inf(1), 1+int(math.Hypot(p.a.X-p.b.X, p.a.Y-p.b.Y)/0.02)
		for i := range n + 1 {
			f := float64(i) / float64(n)
			at := Point{p.a.X + f*(p.b.X-p.a.X), p.a.Y + f*(p.b.Y-p.a.Y)}
			if q.box != nil {
				least = min(least, q.box.apart(at)-p.r)
				continue
			}
			dx, dy := q.b.X-q.a.X, q.b.Y-q.a.Y
			t := 0.0
			if l := dx*dx + dy*dy; l > 0 {
				t = max(0, min(1, ((at.X-q.a.X)*dx+(at.Y-q.a.Y)*dy)/l))
			}
			least = min(least, math.Hypot(at.X-q.a.X-t*dx, at.Y-q.a.Y-t*dy)-p.r-q.r)
		}
		return least
	}
	var list []string
	group := make([]int, len(all))
	for i := range group {
		group[i] = i
	}
	for i := range all {
		for j := range i {
			if all[i].on[0] && all[j].on[0] || all[i].on[1] && all[j].on[1] {
				d := distance(all[i], all[j])
				if all[i].net != all[j].net && d < b.Rules.Gap-0.01 {
					list = append(list, fmt.Sprintf("%s and %s are %.3f mm apart", all[i].net, all[j].net, d))
				}
				if all[i].net == all[j].net && d < 0.005 {
					from, to := group[i], group[j]
					for k := range group {
						if group[k] == from {
							group[k] = to
						}
					}
				}
			}
		}
	}
	first := map[string]int{}
	for i, p := range b.Pads {
		if g, ok := first[p.Net]; ok && g != group[i] && p.Net != "" {
			list = append(list, fmt.Sprintf("pads of %s are not joined", p.Net))
		}
		if _, ok := first[p.Net]; !ok {
			first[p.Net] = group[i]
		}
	}
	return list
}

// TestCrossing: nets that must cross do so on different layers.
func TestCrossing(t *testing.T) {
	b := Board{Width: 20, Height: 20, Rules: house, Nets: thin("across", "down"),
		Pads: []Pad{pad("across", 2, 10, 1, false), pad("across", 18, 10, 1, false), pad("down", 10, 2, 1, false),
			pad("down", 10, 18, 1, false)}}
	l, err := Find(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults(b, l) {
		t.Error(f)
	}
	if len(l.Vias) != 2 {
		t.Errorf("%d vias, want 2", len(l.Vias))
	}
	again, err := Find(b)
	if err != nil || !reflect.DeepEqual(l, again) {
		t.Errorf("the same board gave other tracks: %v", err)
	}
}

// TestWidths: a track is as wide as its net prefers where there is room, and narrower elsewhere.
func TestWidths(t *testing.T) {
	for _, c := range []struct {
		gap  float64 // between the two pads that it must pass
		want float64
	}{{1.6, 0.8}, {0.8, 0.2}} {
		b := Board{Width: 20, Height: 4, Rules: house, Nets: []Net{{Name: "supply", Widths: []float64{0.8, 0.2}}}}
		b.Pads = []Pad{pad("supply", 2, 2, 1, true), pad("supply", 18, 2, 1, true)}
		for l := range 2 {
			for _, y := range []Box{{Point{9, 0}, Point{11, 2 - c.gap/2}}, {Point{9, 2 + c.gap/2}, Point{11, 4}}} {
				b.Areas = append(b.Areas, Area{On: Layer(l), Box: y})
			}
		}
		l, err := Find(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range l.Tracks {
			if s.Width != c.want {
				t.Errorf("through %g mm: a track of %g mm, want %g", c.gap, s.Width, c.want)
			}
		}
	}
}

// TestPlane: a pad is joined to its plane by a via outside all pads. A pad with a hole needs none.
func TestPlane(t *testing.T) {
	b := Board{Width: 10, Height: 10, Rules: house,
		Nets: []Net{{Name: "ground", Widths: []float64{0.4, 0.2}, Plane: []Box{{Point{6, 1}, Point{9, 9}}}}},
		Pads: []Pad{pad("ground", 2, 2, 1, false), pad("ground", 8, 5, 1.6, true)}}
	l, err := Find(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Vias) != 1 || !b.Nets[0].Plane[0].Holds(l.Vias[0].At) {
		t.Fatalf("vias %v, want one in the plane", l.Vias)
	}
	for _, p := range b.Pads {
		if d := p.Box.apart(l.Vias[0].At); d < house.Via/2+0.1-1e-6 {
			t.Errorf("the via is %g mm from a pad", d)
		}
	}
}

// TestNoWay: a net that is walled in is named in the error, and nothing is laid.
func TestNoWay(t *testing.T) {
	b := Board{Width: 10, Height: 10, Rules: house, Nets: thin("shut", "free"),
		Pads: []Pad{pad("shut", 2, 5, 1, true), pad("shut", 8, 5, 1, true), pad("free", 7, 2, 1, true), pad("free", 7, 8,
			1, true)}}
	for l := range 2 {
		b.Areas = append(b.Areas, Area{On: Layer(l), Box: Box{Point{4, 0}, Point{5, 10}}})
	}
	l, err := Find(b)
	if err == nil || !strings.Contains(err.Error(), "no way for shut") || strings.Contains(err.Error(), "free") ||
		len(l.Tracks) != 0 {
		t.Errorf("%v with %d tracks, want an error that names the net shut", err, len(l.Tracks))
	}
}

// TestChance: on random boards no gap is too small, and nothing is unjoined.
func TestChance(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 23))
		b := Board{Width: 24, Height: 18, Rules: house}
		var names []string
		for i := range 10 {
			names = append(names, fmt.Sprint("n", i))
		}
		b.Nets = thin(names...)
		for place := range 30 {
			x, y := 2+4*float64(place%6)+r.Float64(), 2+3.4*float64(place/6)+r.Float64()
			b.Pads = append(b.Pads, pad(names[r.IntN(len(names))], x, y, 0.5+r.Float64(), r.IntN(2) == 0))
		}
		l, err := Find(b)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		for _, f := range faults(b, l) {
			t.Errorf("seed %d: %s", seed, f)
		}
	}
}
