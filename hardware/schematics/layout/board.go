// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/netlist"
	"boardd/hardware/schematics/sexp"
)

// Short names for what this package writes most.
type (
	node   = sexp.Node
	quoted = sexp.Quoted
)

var sx = sexp.New

// mm is a place on the strip, in millimetres from its corner at the a side and rank 8: x along the rank, y towards rank 1.
type mm struct{ x, y float64 }

func (p mm) add(x, y float64) mm { return mm{p.x + x, p.y + y} }

// turned is the point after a turn against the clock as seen from above.
func (p mm) turned(degrees float64) mm {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return mm{round(p.x*c + p.y*s), round(p.y*c - p.x*s)}
}

// round keeps tenths of micrometres, so that the same board has the same text everywhere.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// origin is the strip's corner on the drawing sheet.
var origin = mm{10, 60}

// The layers of copper.
const (
	front  = "F.Cu"   // parts, short tracks
	ground = "In1.Cu" // one plane
	supply = "In2.Cu" // the lights' supply towards rank 8, 3.3 V towards rank 1
	back   = "B.Cu"   // lanes along the strip
)

// board is the layout as it grows.
type board struct {
	net        *netlist.Netlist
	footprints string
	codes      map[string]int
	pads       map[netlist.Pin]mm
	placed     map[string]bool
	items      []*node
	serial     int
	problems   []error
}

func newBoard(n *netlist.Netlist, footprints string) *board {
	b := &board{net: n, footprints: footprints, codes: map[string]int{}, pads: map[netlist.Pin]mm{}, placed: map[string]bool{}}
	for i, name := range n.Nets() {
		b.codes[name] = i + 1
	}
	return b
}

func (b *board) fault(format string, a ...any) {
	b.problems = append(b.problems, fmt.Errorf(format, a...))
}

// id numbers what has no name of its own.
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
	for _, p := range f.All("pad") {
		pin := netlist.Pin{Ref: ref, Number: p.Arg(0)}
		name := b.net.Net(pin)
		if name == "" {
			continue
		}
		p.List = append(p.List, sx("net", b.codes[name], quoted(name)))
		c := p.Get("at")
		local := mm{float(c.Arg(0)), float(c.Arg(1))}
		if at.below {
			local.y = -local.y
		}
		local = local.turned(at.turn)
		b.pads[pin] = mm{round(at.x + local.x), round(at.y + local.y)}
	}
	b.stand(f, ref, part, at)
}

// stand turns a footprint, names it and takes it in. A nil part is mechanics.
func (b *board) stand(f *node, ref string, part *netlist.Part, at spot) {
	if at.below {
		flip(f)
	}
	f.List = append(f.List[:2:2], append([]*node{sx("uuid", quoted(sexp.ID("footprint", ref))), sx("at", origin.x+at.x, origin.y+at.y, at.turn)}, f.List[2:]...)...)
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

// fields adds what the schematic says of a part and the library does not. Two that KiCad would add with another UUID each time stand always.
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
		f.List = append(f.List, sx("property", quoted(name), quoted(text), sx("at", 0, 0, at.turn), sx("layer", quoted(layer)), sx("hide", "yes"),
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

// footprint loads one from KiCad's libraries.
func (b *board) footprint(id string) *node {
	lib, name, _ := strings.Cut(id, ":")
	src, err := os.ReadFile(filepath.Join(b.footprints, lib+".pretty", name+".kicad_mod"))
	if err != nil {
		b.fault("%w; KiCad's footprints are needed", err)
		return sx("footprint", quoted(id))
	}
	f, err := sexp.Parse(string(src))
	if err != nil {
		b.fault("footprint %s: %w", id, err)
		return sx("footprint", quoted(id))
	}
	without(f, "version", "generator", "generator_version")
	f.List[1] = &node{Word: sexp.Quote(id)}
	return f
}

// turn adds a footprint's turn to the angle of a pad or text, which a board's file counts from the board.
func turn(c *node, degrees float64) {
	at := c.Get("at")
	a := math.Mod(float(at.Arg(2))+degrees, 360)
	at.List = append(at.List[:3:3], sx("", a).List[1])
}

// flip mirrors a footprint to the lower side.
func flip(f *node) {
	for i, c := range f.List {
		switch c.Head() {
		case "at", "start", "end", "mid", "center", "xy":
			if y := c.Arg(1); y != "" {
				c.List[2] = &node{Word: negative(y)}
			}
		case "layer", "layers":
			for j, w := range c.List[1:] {
				switch text := w.Text(); {
				case strings.HasPrefix(text, "F."):
					c.List[j+1] = &node{Word: sexp.Quote("B." + text[2:])}
				case strings.HasPrefix(text, "B."):
					c.List[j+1] = &node{Word: sexp.Quote("F." + text[2:])}
				}
			}
		case "effects":
			without(c, "justify")
			c.List = append(c.List, sx("justify", "mirror"))
		case "model":
			continue
		default:
			if f.List[i].IsList() {
				flip(c)
			}
		}
	}
}

// negative changes the sign of a number as it is written: the library has more digits than New keeps.
func negative(number string) string {
	if n, ok := strings.CutPrefix(number, "-"); ok || float(number) == 0 {
		return n
	}
	return "-" + number
}

// without drops lists from a list.
func without(n *node, heads ...string) {
	var keep []*node
	for _, c := range n.List {
		drop := false
		for _, h := range heads {
			drop = drop || c.IsList() && c.Head() == h
		}
		if !drop {
			keep = append(keep, c)
		}
	}
	n.List = keep
}

func effects(size, thickness float64, mirror bool) *node {
	e := sx("effects", sx("font", sx("size", size, size), sx("thickness", thickness)))
	if mirror {
		e.List = append(e.List, sx("justify", "mirror"))
	}
	return e
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
		b.items = append(b.items, sx("segment", sx("start", origin.x+p.x, origin.y+p.y), sx("end", origin.x+q.x, origin.y+q.y),
			sx("width", width), sx("layer", quoted(layer)), sx("net", b.codes[net]), b.id()))
	}
}

// via joins all layers at a place.
func (b *board) via(net string, at mm) {
	b.items = append(b.items, sx("via", sx("at", origin.x+at.x, origin.y+at.y), sx("size", viaSize), sx("drill", viaDrill),
		sx("layers", quoted(front), quoted(back)), sx("net", b.codes[net]), b.id()))
}

// float reads a number of a library's file, 0 where there is none.
func float(s string) float64 {
	var f float64
	if _, err := fmt.Sscan(s, &f); err != nil {
		return 0
	}
	return f
}
