// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// sheet is one file of a schematic. Coordinates are in grid units.
type sheet struct {
	file, title string
	notes       []string // comments of the title block
	lib         *library

	parts    []*part
	wires    [][2]pt
	marks    []mark
	kids     []*kid
	power    int // power symbols placed
	frames   []frame
	uses     []use
	problems []error
}

// part is a symbol that was placed.
type part struct {
	kind
	n    int // number within the sheet; an instance adds its base
	at   pt
	turn int // quarter turns counterclockwise
	sym  *symbol
	ref  spot
	val  spot
	flip bool // mirrored left to right
}

// spot is where a field stands, from the part's origin.
type spot struct {
	at      pt
	justify string // left, right or "" for the middle
	hide    bool
}

// mark is a label, a text or a sign on the sheet.
type mark struct {
	what, text, shape string
	at                pt
	angle             int
	size              float64
}

// frame is a box, with a heading, drawn around parts that belong together.
type frame struct {
	box  box
	head string
}

// kid is a sheet drawn as a box on its parent.
type kid struct {
	s    *sheet
	name string
	box  box
	pins []sheetPin
	base int // added to the numbers of all parts below
}

type sheetPin struct {
	name, shape string
	at          pt
	left        bool
}

// use is one place of a sheet in a project's tree.
type use struct {
	project, path string
	page          int
	base          int
}

func (s *sheet) id() string { return id("sheet", s.file) }

// put places a part. Its fields are above an integrated circuit, or beside a part with two pins.
func (s *sheet) put(k kind, n int, at pt, turn int) *part {
	sym, err := s.lib.get(k.symbol)
	if err != nil {
		s.problems = append(s.problems, fmt.Errorf("%s, %s%d: %w", s.file, k.prefix, n, err))
		sym = &symbol{id: k.symbol, def: sx("symbol", quoted(k.symbol))}
	}
	p := &part{kind: k, n: n, at: at, turn: turn & 3, sym: sym}
	b := sym.box.turn(p.turn)
	top := b.x1 + 1
	for _, q := range sym.pins {
		if out := q.out.turn(p.turn); out.y < 0 {
			top = min(top, q.at.turn(p.turn).x)
		}
	}
	switch {
	case k.prefix == "J":
		p.ref, p.val = spot{at: pt{b.x0, b.y0 - 3}, justify: "left"}, spot{at: pt{b.x0, b.y0 - 1}, justify: "left"}
	case len(sym.pins) > 2 && top <= b.x1 && k.prefix != "C":
		p.ref, p.val = spot{at: pt{top - 3, b.y0 - 3}, justify: "right"}, spot{at: pt{top - 3, b.y0 - 1}, justify: "right"}
	case len(sym.pins) <= 2 && p.turn%2 == 1:
		p.ref, p.val = spot{at: pt{0, b.y0 - 3}}, spot{at: pt{0, b.y0 - 1}}
		if b.y1-b.y0 > 6 {
			p.ref, p.val = spot{at: pt{b.x1 + 1, -1}, justify: "left"}, spot{at: pt{b.x1 + 1, 1}, justify: "left"}
		}
	case len(sym.pins) <= 2 && b.y1-b.y0 >= b.x1-b.x0 || k.prefix == "C" && p.turn == 0:
		p.ref, p.val = spot{at: pt{b.x1 + 1, -1}, justify: "left"}, spot{at: pt{b.x1 + 1, 1}, justify: "left"}
	default:
		p.ref, p.val = spot{at: pt{b.x0, b.y0 - 3}, justify: "left"}, spot{at: pt{b.x0, b.y0 - 1}, justify: "left"}
	}
	s.parts = append(s.parts, p)
	return p
}

// mirrored flips a part left to right.
func (p *part) mirrored() *part {
	p.flip = true
	return p
}

// fields moves reference and value.
func (p *part) fields(ref, val pt, justify string) *part {
	p.ref, p.val = spot{at: ref, justify: justify}, spot{at: val, justify: justify}
	return p
}

// end is where the wire of a pin begins, and the step that leads away from the part.
func (s *sheet) end(p *part, number string) (at, out pt) {
	for _, q := range p.sym.pins {
		if q.number == number {
			at, out = q.at, q.out
			if p.flip {
				at.x, out.x = -at.x, -out.x
			}
			return p.at.add(at.turn(p.turn)), out.turn(p.turn)
		}
	}
	s.problems = append(s.problems, fmt.Errorf("%s: %s%d (%s) has no pin %s", s.file, p.prefix, p.n, p.symbol, number))
	return p.at, pt{1, 0}
}

// wire draws straight pieces through all points.
func (s *sheet) wire(points ...pt) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a.x != b.x && a.y != b.y {
			s.problems = append(s.problems, fmt.Errorf("%s: wire from %v to %v is neither level nor upright", s.file, a, b))
		}
		if a != b {
			s.wires = append(s.wires, [2]pt{a, b})
		}
	}
}

// stub leads a wire away from a pin and returns its end.
func (s *sheet) stub(p *part, number string, length int) (end, out pt) {
	at, out := s.end(p, number)
	end = at.add(out.times(length))
	s.wire(at, end)
	return end, out
}

// net names the net of a pin with a label at the end of a stub.
func (s *sheet) net(p *part, number string, length int, name string) {
	end, out := s.stub(p, number, length)
	s.label(name, end, out)
}

// port gives the net of a pin to the parent sheet.
func (s *sheet) port(p *part, number string, length int, name, shape string) {
	end, out := s.stub(p, number, length)
	s.hier(name, shape, end, out)
}

// rail puts a power symbol at the end of a stub.
func (s *sheet) rail(p *part, number string, length int, name string) {
	end, _ := s.stub(p, number, length)
	s.supply(name, end)
}

// open says that a pin is left open on purpose.
func (s *sheet) open(p *part, numbers ...string) {
	for _, n := range numbers {
		at, _ := s.end(p, n)
		s.marks = append(s.marks, mark{what: "no_connect", at: at})
	}
}

// label names a net within the sheet.
func (s *sheet) label(name string, at, out pt) {
	s.marks = append(s.marks, mark{what: "label", text: name, at: at, angle: angle(out)})
}

// global is a supply's name where a power symbol has no room.
func (s *sheet) global(name string, at, out pt) {
	s.marks = append(s.marks, mark{what: "global_label", text: name, shape: "passive", at: at, angle: angle(out)})
}

func (s *sheet) hier(name, shape string, at, out pt) {
	s.marks = append(s.marks, mark{what: "hierarchical_label", text: name, shape: shape, at: at, angle: angle(out)})
}

// text writes a note; its place is its upper left corner.
func (s *sheet) text(at pt, size float64, lines string) {
	s.marks = append(s.marks, mark{what: "text", text: lines, at: at, size: size})
}

func (s *sheet) frame(b box, head string) { s.frames = append(s.frames, frame{b, head}) }

// supply places a power symbol.
func (s *sheet) supply(name string, at pt) {
	s.power++
	p := s.put(kind{symbol: "power:" + name, prefix: "#PWR", value: name}, s.power, at, 0)
	p.ref.hide = true
	p.val = spot{at: pt{0, -3}}
	if name == "GND" {
		p.val = spot{at: pt{0, 3}, hide: true}
	}
}

// flag tells the rules check that a net is driven from a connector.
func (s *sheet) flag(at pt) {
	s.power++
	p := s.put(kind{symbol: "power:PWR_FLAG", prefix: "#FLG", value: "PWR_FLAG"}, s.power, at, 0)
	p.ref.hide, p.val = true, spot{at: pt{0, -4}, hide: true}
}

// angle is the turn of a text that leads away in a direction.
func angle(out pt) int {
	switch out {
	case pt{-1, 0}:
		return 180
	case pt{0, -1}:
		return 90
	case pt{0, 1}:
		return 270
	}
	return 0
}

// child draws a sheet as a box with pins on its left and right side, two units apart, "" for a gap.
func (s *sheet) child(c *sheet, name string, at pt, width, base int, left, right []string) *kid {
	h := 2*max(len(left), len(right)) + 2
	k := &kid{s: c, name: name, box: box{at.x, at.y, at.x + width, at.y + h}, base: base}
	for i, n := range left {
		if n != "" {
			k.pins = append(k.pins, sheetPin{n, c.shape(n), pt{at.x, at.y + 2 + 2*i}, true})
		}
	}
	for i, n := range right {
		if n != "" {
			k.pins = append(k.pins, sheetPin{n, c.shape(n), pt{at.x + width, at.y + 2 + 2*i}, false})
		}
	}
	s.kids = append(s.kids, k)
	return k
}

// shape is that of the sheet's hierarchical label of a name.
func (s *sheet) shape(name string) string {
	for _, m := range s.marks {
		if m.what == "hierarchical_label" && m.text == name {
			return m.shape
		}
	}
	s.problems = append(s.problems, fmt.Errorf("%s: has no hierarchical label %s", s.file, name))
	return "passive"
}

// pin is where the wire of a child's pin begins.
func (k *kid) pin(name string) (at, out pt) {
	for _, p := range k.pins {
		if p.name == name {
			if p.left {
				return p.at, pt{-1, 0}
			}
			return p.at, pt{1, 0}
		}
	}
	panic("schematics: child " + k.name + " has no pin " + name) // a mistake in this program
}

// tie names the net of a child's pin.
func (s *sheet) tie(k *kid, name string, length int, net string) {
	at, out := k.pin(name)
	end := at.add(out.times(length))
	s.wire(at, end)
	switch net {
	case "GND", "+3V3":
		s.supply(net, end)
	default:
		s.label(net, end, out)
	}
}
