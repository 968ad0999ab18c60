// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"boardd/hardware/schematics/sexp"
)

// grid is the step of everything that is drawn, in millimetres: half of the pitch of pins in KiCad's libraries.
const grid = 1.27

// pt is a place on a sheet or a step, in grid units, y down.
type pt struct{ x, y int }

func (p pt) add(q pt) pt            { return pt{p.x + q.x, p.y + q.y} }
func (p pt) times(n int) pt         { return pt{p.x * n, p.y * n} }
func (p pt) right(n int) pt         { return pt{p.x + n, p.y} }
func (p pt) down(n int) pt          { return pt{p.x, p.y + n} }
func (p pt) mm() (float64, float64) { return float64(p.x) * grid, float64(p.y) * grid }

// turn rotates by quarter turns, counterclockwise as seen on the sheet.
func (p pt) turn(quarters int) pt {
	for range quarters & 3 {
		p = pt{p.y, -p.x}
	}
	return p
}

// box is a rectangle.
type box struct{ x0, y0, x1, y1 int }

func (b *box) add(p pt) {
	b.x0, b.y0 = min(b.x0, p.x), min(b.y0, p.y)
	b.x1, b.y1 = max(b.x1, p.x), max(b.y1, p.y)
}

// turn rotates a box about the origin.
func (b box) turn(quarters int) box {
	p, q := pt{b.x0, b.y0}.turn(quarters), pt{b.x1, b.y1}.turn(quarters)
	r := box{p.x, p.y, p.x, p.y}
	r.add(q)
	return r
}

// library finds symbols in KiCad's files and in ours.
type library struct {
	dirs  []string
	files map[string]*sexp.Node
	made  map[string]*symbol
}

func newLibrary(dirs ...string) *library {
	return &library{dirs: dirs, files: map[string]*sexp.Node{}, made: map[string]*symbol{}}
}

// symbol is a symbol of a library. What it extends is copied into it.
type symbol struct {
	id   string // Device:R
	def  *sexp.Node
	pins []pin
	box  box // of the body, in grid units, y down
}

// pin is where a wire ends, in grid units from the symbol's origin, y down.
type pin struct {
	number, name string
	at           pt
	out          pt // unit step away from the body
	hidden       bool
}

// get loads a symbol.
func (l *library) get(id string) (*symbol, error) {
	if s := l.made[id]; s != nil {
		return s, nil
	}
	lib, name, ok := strings.Cut(id, ":")
	if !ok {
		return nil, fmt.Errorf("symbol %q: want library:name", id)
	}
	def, err := l.flat(lib, name)
	if err != nil {
		return nil, err
	}
	s := &symbol{id: id, def: def}
	def.List[1] = &sexp.Node{Word: sexp.Quote(id)}
	s.measure()
	l.made[id] = s
	return s, nil
}

// file reads a library once.
func (l *library) file(lib string) (*sexp.Node, error) {
	if f := l.files[lib]; f != nil {
		return f, nil
	}
	for _, d := range l.dirs {
		b, err := os.ReadFile(filepath.Join(d, lib+".kicad_sym"))
		if err != nil {
			continue
		}
		f, err := sexp.Parse(string(b))
		if err != nil {
			return nil, fmt.Errorf("library %s: %w", lib, err)
		}
		l.files[lib] = f
		return f, nil
	}
	return nil, fmt.Errorf("symbol library %s is not in %v: install kicad-symbols 9", lib, l.dirs)
}

// flat is the definition of a symbol with what it extends.
func (l *library) flat(lib, name string) (*sexp.Node, error) {
	f, err := l.file(lib)
	if err != nil {
		return nil, err
	}
	for _, d := range f.All("symbol") {
		if d.Arg(0) != name {
			continue
		}
		base := d.Get("extends").Arg(0)
		if base == "" {
			return d.Clone(), nil
		}
		b, err := l.flat(lib, base)
		if err != nil {
			return nil, err
		}
		return extend(b, d, base, name), nil
	}
	return nil, fmt.Errorf("library %s has no symbol %s", lib, name)
}

// extend returns a copy of the base with the name and the properties of the symbol that extends it.
func extend(base, d *sexp.Node, from, to string) *sexp.Node {
	base.List[1] = &sexp.Node{Word: sexp.Quote(to)}
	for i, c := range base.List {
		switch c.Head() {
		case "property":
			for _, p := range d.All("property") {
				if p.Arg(0) == c.Arg(0) {
					base.List[i] = p.Clone()
				}
			}
		case "symbol":
			c.List[1] = &sexp.Node{Word: sexp.Quote(strings.Replace(c.Arg(0), from, to, 1))}
		}
	}
	return base
}

// measure finds pins and body.
func (s *symbol) measure() {
	s.box = box{1 << 20, 1 << 20, -1 << 20, -1 << 20}
	for _, unit := range s.def.All("symbol") {
		for _, p := range unit.All("pin") {
			a := p.Get("at")
			at := toPt(a.Arg(0), a.Arg(1))
			s.pins = append(s.pins, pin{p.Get("number").Arg(0), p.Get("name").Arg(0), at, outward(a.Arg(2)),
				p.Get("hide").Arg(0) == "yes"})
		}
		for _, g := range unit.List {
			s.graphic(g)
		}
	}
	if s.box.x0 > s.box.x1 {
		s.box = box{}
	}
}

func (s *symbol) graphic(g *sexp.Node) {
	switch g.Head() {
	case "rectangle", "arc":
		s.box.add(toPt(g.Get("start").Arg(0), g.Get("start").Arg(1)))
		s.box.add(toPt(g.Get("end").Arg(0), g.Get("end").Arg(1)))
	case "polyline":
		for _, xy := range g.Get("pts").All("xy") {
			s.box.add(toPt(xy.Arg(0), xy.Arg(1)))
		}
	case "circle":
		c := toPt(g.Get("center").Arg(0), g.Get("center").Arg(1))
		r := units(g.Get("radius").Arg(0))
		s.box.add(pt{c.x - r, c.y - r})
		s.box.add(pt{c.x + r, c.y + r})
	}
}

// outward is the step away from the body. The angle of a pin points to the body.
func outward(angle string) pt {
	switch angle {
	case "0":
		return pt{-1, 0}
	case "90":
		return pt{0, 1}
	case "180":
		return pt{1, 0}
	}
	return pt{0, -1}
}

// toPt turns a library's millimetres, y up, into grid units, y down.
func toPt(x, y string) pt { return pt{units(x), -units(y)} }

// units is millimetres in steps of the grid, to the nearest.
func units(mm string) int {
	f, err := strconv.ParseFloat(mm, 64)
	if err != nil {
		return 0
	}
	if f < 0 {
		return -int(-f/grid + 0.5)
	}
	return int(f/grid + 0.5)
}
