// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"math"
	"strings"

	"boardd/hardware/schematics/netlist"
	"boardd/hardware/schematics/route"
	"boardd/hardware/schematics/sexp"
)

// Short names for what this package writes most.
type (
	node   = sexp.Node
	quoted = sexp.Quoted
)

var sx = sexp.New

// mm is a place on a board, in millimetres from its upper left corner, y downwards. The strip's is that at the a side
// and rank 8.
type mm struct{ x, y float64 }

func (p mm) add(x, y float64) mm { return mm{p.x + x, p.y + y} }

// turned is the point after a counterclockwise turn, as seen from above.
func (p mm) turned(degrees float64) mm {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return mm{round(p.x*c + p.y*s), round(p.y*c - p.x*s)}
}

// round keeps tenths of micrometres, so that the same board has the same text everywhere.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// origin is the board's corner on the drawing sheet.
var origin = mm{10, 60}

// The layers of copper.
const (
	front  = "F.Cu"   // parts, short tracks
	ground = "In1.Cu" // one plane
	supply = "In2.Cu" // planes of supplies
	back   = "B.Cu"   // tracks; on the strip, lanes along it
)

// board is the layout as it grows.
type board struct {
	title    string
	size     mm
	net      *netlist.Netlist
	lib      Libraries
	codes    map[string]int
	pads     map[netlist.Pin]mm
	copper   []route.Pad
	placed   map[string]bool
	items    []*node
	serial   int
	problems []error
}

func newBoard(title string, size mm, n *netlist.Netlist, lib Libraries) *board {
	b := &board{title: title, size: size, net: n, lib: lib, codes: map[string]int{}, pads: map[netlist.Pin]mm{},
		placed: map[string]bool{}}
	for i, name := range n.Nets() {
		b.codes[name] = i + 1
	}
	return b
}

func (b *board) fault(format string, a ...any) {
	b.problems = append(b.problems, fmt.Errorf(format, a...))
}

// id is a new UUID for an element without a name of its own.
func (b *board) id() *node {
	b.serial++
	return sx("uuid", quoted(sexp.ID("layout", b.serial)))
}

// spot is where a part goes.
type spot struct {
	mm
	turn  float64
	below bool // on the lower side
	ref   mm   // of the printed reference, from the part
	up    bool // the reference reads upwards
}

// put places the footprint of a part of the schematic.
func (b *board) put(ref string, at spot) {
	part := b.net.Parts[ref]
	if part == nil {
		b.fault("%s has a place and is not in the schematic", ref)
		return
	}
	b.placed[ref] = true
	f := b.footprint(part.Footprint)
	f.List = append(f.List, sx("path", quoted(part.Path)))
	for _, a := range f.All("attr") {
		if text := fmt.Sprint(words(a)); part.Bare && !strings.Contains(text, "exclude_from_bom") {
			a.List = append(a.List, &node{Word: "exclude_from_bom"})
		}
	}
	for _, p := range f.All("pad") {
		pin := netlist.Pin{Ref: ref, Number: p.Arg(0)}
		name := b.net.Net(pin)
		b.copper = append(b.copper, shape(p, at, name))
		if name == "" {
			continue
		}
		p.List = append(p.List, sx("net", b.codes[name], quoted(netName(name))))
		b.pads[pin] = at.of(p)
	}
	b.stand(f, ref, part, at)
}

// stand turns a footprint, names it and takes it in. A nil part is mechanics.
func (b *board) stand(f *node, ref string, part *netlist.Part, at spot) {
	if at.below {
		flip(f)
	}
	f.List = append(f.List[:2:2],
		append([]*node{sx("uuid", quoted(sexp.ID("footprint", ref))), sx("at", origin.x+at.x, origin.y+at.y, at.turn)},
			f.List[2:]...)...)
	for _, c := range f.List {
		switch c.Head() {
		case "property":
			b.property(c, ref, part, at)
		case "fp_text", "pad":
			turn(c, at.turn)
		}
		if h := c.Head(); strings.HasPrefix(h, "fp_") || h == "pad" || h == "property" {
			without(c, "uuid")
			c.List = append(c.List, b.id())
		}
	}
	b.fields(f, part, at)
	b.items = append(b.items, f)
}

// fields adds the fields that the schematic has for a part and the library does not. Two of them are always written,
// because KiCad would otherwise add them with a new UUID each time.
func (b *board) fields(f *node, part *netlist.Part, at spot) {
	has := map[string]bool{}
	for _, p := range f.All("property") {
		has[p.Arg(0)] = true
	}
	for _, name := range []string{"Datasheet", "Description", "MPN", "Manufacturer", "Second source", "EUR", "Mate"} {
		text := ""
		if part != nil {
			text = part.Fields[name]
		}
		if has[name] || text == "" && name != "Datasheet" && name != "Description" {
			continue
		}
		layer := "F.Fab"
		if at.below {
			layer = "B.Fab"
		}
		f.List = append(f.List, sx("property", quoted(name), quoted(text), sx("at", 0, 0, at.turn),
			sx("layer", quoted(layer)), sx("hide", "yes"),
			b.id(), effects(1, 0.15, at.below)))
	}
}

// property sets one of a footprint's own texts.
func (b *board) property(c *node, ref string, part *netlist.Part, at spot) {
	text, value := "", ""
	if part != nil {
		value = part.Value
	}
	switch name := c.Arg(0); name {
	case "Reference":
		text = ref
		local := at.ref.turned(-at.turn)
		angle := 0.0
		if at.up {
			angle = 90
		}
		layer := "F.SilkS"
		if at.below {
			layer = "B.SilkS"
		}
		without(c, "at", "layer", "effects")
		c.List = append(c.List, sx("at", local.x, local.y, angle), sx("layer", quoted(layer)), effects(0.8, 0.12, at.below))
		if at.ref == (mm{}) {
			c.List = append(c.List, sx("hide", "yes"))
		}
	case "Value":
		text = value
		without(c, "hide")
		c.List = append(c.List, sx("hide", "yes"))
		turn(c, at.turn)
	default:
		if part != nil {
			text = part.Fields[name]
		}
		turn(c, at.turn)
	}
	c.List[2] = &node{Word: sexp.Quote(text)}
}

// pad is the middle of a part's pad.
func (b *board) pad(ref, number string) mm {
	at, ok := b.pads[netlist.Pin{Ref: ref, Number: number}]
	if !ok {
		b.fault("%s has no pad %s", ref, number)
	}
	return at
}

// name is the net of a part's pad.
func (b *board) name(ref, number string) string {
	return b.net.Net(netlist.Pin{Ref: ref, Number: number})
}

// track draws straight pieces of copper through all points.
func (b *board) track(net, layer string, width float64, points ...mm) {
	if b.codes[net] == 0 {
		b.fault("no net is called %q", net)
	}
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		if p == q {
			continue
		}
		b.items = append(b.items, sx("segment", sx("start", origin.x+p.x, origin.y+p.y),
			sx("end", origin.x+q.x, origin.y+q.y),
			sx("width", width), sx("layer", quoted(layer)), sx("net", b.codes[net]), b.id()))
	}
}

// via joins all layers at a place.
func (b *board) via(net string, at mm) {
	b.items = append(b.items, sx("via", sx("at", origin.x+at.x, origin.y+at.y), sx("size", viaSize),
		sx("drill", viaDrill),
		sx("layers", quoted(front), quoted(back)), sx("net", b.codes[net]), b.id()))
}
