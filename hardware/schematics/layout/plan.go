// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"boardd/hardware/schematics/route"
)

// plan is a board whose tracks are found by search: where its parts are, which areas are poured, how wide its tracks
// are.
type plan struct {
	name, title string
	size        mm
	recesses    []route.Box // parts of the rectangle that are cut away, all at its lower edge, from left to right
	places      func(b *board) map[string]spot
	holes       []hole
	words       []word
	planes      []plane
	widths      map[string][]float64 // of a net's tracks, in the order of preference
	vias        func(b *board) []stitch
	bare        []route.Area // where no track may go
}

// hole is one for a screw.
type hole struct {
	mm
	kind string
}

const (
	m3  = "MountingHole:MountingHole_3.2mm_M3"
	m25 = "MountingHole:MountingHole_2.7mm_M2.5"
)

// word is a printed text.
type word struct {
	text string
	at   mm
	size float64
	up   bool // it reads upwards
	back bool // it is below
}

// plane is poured copper, between the layers of tracks or on one of them. On a layer of tracks nothing else may enter
// it.
type plane struct {
	net   string // a net, or the pin of a part that is on it
	layer string
	box   route.Box
	solid bool // pads are joined by all their edge
}

// stitch is a via that is not part of a wire.
type stitch struct {
	net string
	at  mm
}

// box is a rectangle by two corners.
func box(x0, y0, x1, y1 float64) route.Box {
	return route.Box{Min: route.Point{X: x0, Y: y0}, Max: route.Point{X: x1, Y: y1}}
}

// width of tracks that carry a supply, and of those that carry signals. A track of 0.2 mm and 35 um carries 0.7 A with
// 10 kelvin of warming, one of 0.4 mm 1.2 A (IPC-2221, outer layers).
var (
	supplyWidths = []float64{wide, thin}
	signalWidths = []float64{thin}
)

// plans holds the boards whose tracks are searched for.
var plans = []plan{pi, hub, cells, eyes, nano}

// netOf is the net that a plane names: "F101.2" is that of pin 2 of F101.
func (b *board) netOf(name string) string {
	if ref, pin, ok := strings.Cut(name, "."); ok && b.net.Parts[ref] != nil {
		return b.name(ref, pin)
	}
	return name
}

// lay makes a board from its plan.
func (b *board) lay(p plan) {
	places := p.places(b)
	b.references(p, places)
	for _, ref := range slices.Sorted(maps.Keys(places)) {
		b.put(ref, places[ref])
	}
	for ref := range b.net.Parts {
		if !b.placed[ref] {
			b.fault("%s of the schematic has no place", ref)
		}
	}
	for i, h := range p.holes {
		f := b.footprint(h.kind)
		for _, a := range f.All("attr") {
			a.List = append(a.List, &node{Word: "board_only"})
		}
		for _, pad := range f.All("pad") {
			b.copper = append(b.copper, shape(pad, spot{mm: h.mm}, ""))
		}
		b.stand(f, fmt.Sprintf("H%d", i+1), nil, spot{mm: h.mm})
	}
	b.outline(p.corners(b))
	for _, w := range p.words {
		b.word(w)
	}
	var stitches []stitch
	if p.vias != nil {
		stitches = p.vias(b)
	}
	for _, v := range stitches {
		b.via(b.netOf(v.net), v.at)
		b.copper = append(b.copper, route.Pad{Net: b.netOf(v.net), Box: around(v.at, viaSize/2, viaSize/2),
			On: [2]bool{true, true}, Hole: true})
	}
	for _, z := range p.planes {
		c := z.box
		b.area(b.netOf(z.net), z.layer, z.solid, []mm{{c.Min.X, c.Min.Y}, {c.Max.X, c.Min.Y}, {c.Max.X, c.Max.Y},
			{c.Min.X, c.Max.Y}})
	}
	b.search(p)
}

// search lets package route find the tracks.
func (b *board) search(p plan) {
	r := route.Board{Width: b.size.x, Height: b.size.y, Pads: b.copper, Areas: slices.Clone(p.bare),
		Rules: route.Rules{Gap: 0.2, Edge: 0.5, Via: viaSize, Drill: viaDrill, HoleGap: 0.25, HoleEdge: 0.3}}
	inner := map[string][]route.Box{}
	for _, z := range p.planes {
		switch z.layer {
		case front:
			r.Areas = append(r.Areas, route.Area{Net: b.netOf(z.net), On: route.Front, Box: z.box})
		case back:
			r.Areas = append(r.Areas, route.Area{Net: b.netOf(z.net), On: route.Back, Box: z.box})
		default:
			in := z.box // its vias stay within its edge
			in.Min.X, in.Min.Y, in.Max.X, in.Max.Y = in.Min.X+0.5, in.Min.Y+0.5, in.Max.X-0.5, in.Max.Y-0.5
			inner[b.netOf(z.net)] = append(inner[b.netOf(z.net)], in)
		}
	}
	for _, cut := range p.recesses {
		for _, l := range []route.Layer{route.Front, route.Back} {
			cut := cut
			cut.Min.X, cut.Max.X, cut.Min.Y = cut.Min.X-0.3, cut.Max.X+0.3, cut.Min.Y-0.3 // and the gap to any area: 0.5 in all
			r.Areas = append(r.Areas, route.Area{On: l, Box: cut})
		}
	}
	widths := map[string][]float64{}
	for name, w := range p.widths {
		widths[b.netOf(name)] = w
	}
	for _, name := range b.net.Nets() {
		if len(b.net.Pins(name)) < 2 {
			continue
		}
		n := route.Net{Name: name, Widths: widths[name], Plane: inner[name]}
		if n.Widths == nil {
			n.Widths = signalWidths
			if n.Plane != nil {
				n.Widths = supplyWidths
			}
		}
		r.Nets = append(r.Nets, n)
	}
	found, err := route.Find(r)
	if err != nil {
		b.problems = append(b.problems, err)
		return
	}
	for _, t := range found.Tracks {
		layer := front
		if t.On == route.Back {
			layer = back
		}
		b.track(t.Net, layer, t.Width, mm{round(t.A.X), round(t.A.Y)}, mm{round(t.B.X), round(t.B.Y)})
	}
	for _, v := range found.Vias {
		b.via(v.Net, mm{round(v.At.X), round(v.At.Y)})
	}
}

// corners is the board's edge, round its recesses.
func (p plan) corners(b *board) []mm {
	list := []mm{{0, 0}, {b.size.x, 0}}
	right := mm{b.size.x, b.size.y}
	var bottom []mm
	for _, c := range slices.Backward(p.recesses) {
		bottom = append(bottom, mm{c.Max.X, b.size.y}, mm{c.Max.X, c.Min.Y}, mm{c.Min.X, c.Min.Y}, mm{c.Min.X, b.size.y})
	}
	list = append(append(append(list, right), bottom...), mm{0, b.size.y})
	return slices.Compact(b.withoutSpikes(list))
}

// withoutSpikes drops a corner that a recess at the board's end cuts off.
func (b *board) withoutSpikes(list []mm) []mm {
	var keep []mm
	for i, c := range list {
		before, after := list[(i+len(list)-1)%len(list)], list[(i+1)%len(list)]
		if before == after || c == after {
			continue
		}
		keep = append(keep, c)
	}
	return keep
}

// of is where a pad of a footprint is on the board.
func (at spot) of(pad *node) mm {
	c := pad.Get("at")
	local := mm{float(c.Arg(0)), float(c.Arg(1))}
	if at.below {
		local.y = -local.y
	}
	local = local.turned(at.turn)
	return mm{round(at.x + local.x), round(at.y + local.y)}
}

// shape is a pad as the search sees it. Pads are vertical or horizontal.
func shape(pad *node, at spot, net string) route.Pad {
	m := at.of(pad)
	size := pad.Get("size")
	w, h := float(size.Arg(0))/2, float(size.Arg(1))/2
	if math.Mod(math.Abs(float(pad.Get("at").Arg(2))+at.turn), 180) == 90 {
		w, h = h, w
	}
	core := max(0.05, min(w, h)-0.1) / min(w, h) // a corner may be round
	if kind := pad.Arg(2); kind == "circle" || kind == "oval" {
		core = 0.6
	}
	s := route.Pad{Net: net, Box: around(m, w, h), Core: around(m, core*w, core*h), Hole: pad.Arg(1) != "smd"}
	for _, l := range pad.Get("layers").List[1:] {
		switch l.Text() {
		case "*.Cu":
			s.On = [2]bool{true, true}
		case "F.Cu", "B.Cu":
			s.On[map[bool]route.Layer{true: route.Back, false: route.Front}[(l.Text() == "B.Cu") != at.below]] = true
		}
	}
	return s
}

func around(m mm, w, h float64) route.Box { return box(m.x-w, m.y-h, m.x+w, m.y+h) }

// word prints a text.
func (b *board) word(w word) {
	layer, angle := "F.SilkS", 0
	if w.back {
		layer = "B.SilkS"
	}
	if w.up {
		angle = 90
	}
	b.items = append(b.items, sx("gr_text", quoted(w.text), sx("at", origin.x+w.at.x, origin.y+w.at.y, angle),
		sx("layer", quoted(layer)), b.id(),
		effects(w.size, 0.15, w.back)))
}
