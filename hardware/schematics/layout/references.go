// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"maps"
	"slices"
	"strings"

	"boardd/hardware/schematics/route"
)

// refSize is the height of printed references, in millimetres.
const refSize = 0.8

// letters is how wide a text is: KiCad's stroke font, its widest letters counted.
func letters(text string, size float64) float64 { return size * (0.95*float64(len(text)) + 0.2) }

// references finds a place for every part's printed reference: beside the part, on no pad, hole, line or other text.
// One that has no place is not printed.
func (b *board) references(p plan, places map[string]spot) {
	var taken [2][]route.Box
	outline := map[string]route.Box{}
	for _, ref := range slices.Sorted(maps.Keys(places)) {
		part := b.net.Parts[ref]
		if part == nil {
			b.fault("%s has a place and is not in the schematic", ref)
			delete(places, ref)
			continue
		}
		f := b.footprint(part.Footprint)
		at := places[ref]
		side := sideOf(at.below)
		whole := around(at.mm, 0, 0)
		for _, pad := range f.All("pad") {
			s := shape(pad, at, "")
			whole = join(whole, s.Box)
			for i := range taken {
				if s.On[i] {
					taken[i] = append(taken[i], grown(s.Box, 0.2))
				}
			}
		}
		for _, line := range f.List {
			if strings.HasPrefix(line.Head(), "fp_") && line.Get("layer").Arg(0) == "F.SilkS" && line.Head() != "fp_text" {
				l := grown(extent(line, at), 0.2)
				taken[side] = append(taken[side], l)
				whole = join(whole, l)
			}
		}
		outline[ref] = whole
	}
	for _, h := range p.holes {
		for i := range taken {
			taken[i] = append(taken[i], around(h.mm, 2, 2))
		}
	}
	for _, w := range p.words {
		taken[sideOf(w.back)] = append(taken[sideOf(w.back)], textBox(w.at, w.text, w.size, w.up))
	}
	for _, c := range p.recesses {
		for i := range taken {
			taken[i] = append(taken[i], grown(c, 0.4))
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(places)) {
		at := places[ref]
		side, o := sideOf(at.below), outline[ref]
		at.ref = mm{}
		for _, c := range beside(o, letters(ref, refSize)) {
			text := textBox(c.at, ref, refSize, c.up)
			if text.Min.X < 0.4 || text.Min.Y < 0.4 || text.Max.X > b.size.x-0.4 || text.Max.Y > b.size.y-0.4 ||
				slices.ContainsFunc(taken[side], func(t route.Box) bool { return overlap(t, text) }) {
				continue
			}
			at.ref, at.up = mm{round(c.at.x - at.x), round(c.at.y - at.y)}, c.up
			taken[side] = append(taken[side], text)
			break
		}
		places[ref] = at
	}
}

func sideOf(below bool) route.Layer {
	if below {
		return route.Back
	}
	return route.Front
}

// candidate is a place for a text.
type candidate struct {
	at mm
	up bool
}

// beside returns the places for a text about a part, the best first.
func beside(o route.Box, length float64) []candidate {
	x, y := (o.Min.X+o.Max.X)/2, (o.Min.Y+o.Max.Y)/2
	const gap = refSize/2 + 0.25
	var list []candidate
	for _, far := range []float64{0, 0.4, 0.8, 1.3} {
		for _, slide := range []float64{0, 0.8, -0.8, 1.6, -1.6, 2.6, -2.6} {
			list = append(list, candidate{mm{x + slide, o.Min.Y - gap - far}, false}, candidate{mm{x + slide,
				o.Max.Y + gap + far}, false},
				candidate{mm{o.Min.X - gap - far, y + slide}, true}, candidate{mm{o.Max.X + gap + far, y + slide}, true},
				candidate{mm{o.Max.X + length/2 + 0.1 + far, y + slide}, false}, candidate{mm{o.Min.X - length/2 - 0.1 - far,
					y + slide}, false})
		}
	}
	return list
}

func textBox(at mm, text string, size float64, up bool) route.Box {
	w, h := letters(text, size)/2, size/2+0.15
	if up {
		w, h = h, w
	}
	return around(at, w, h)
}

// extent is the box round a line of a footprint on the board.
func extent(line *node, at spot) route.Box {
	var whole route.Box
	first := true
	var walk func(n *node)
	walk = func(n *node) {
		switch n.Head() {
		case "start", "end", "mid", "xy", "center":
			p := mm{float(n.Arg(0)), float(n.Arg(1))}
			if at.below {
				p.y = -p.y
			}
			p = p.turned(at.turn)
			dot := around(mm{at.x + p.x, at.y + p.y}, 0.06, 0.06)
			if whole = join(whole, dot); first {
				whole, first = dot, false
			}
			return
		}
		for _, c := range n.List {
			if c.IsList() {
				walk(c)
			}
		}
	}
	walk(line)
	return whole
}

func join(a, b route.Box) route.Box {
	return box(min(a.Min.X, b.Min.X), min(a.Min.Y, b.Min.Y), max(a.Max.X, b.Max.X), max(a.Max.Y, b.Max.Y))
}

func grown(b route.Box, by float64) route.Box {
	return box(b.Min.X-by, b.Min.Y-by, b.Max.X+by, b.Max.Y+by)
}

func overlap(a, b route.Box) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
