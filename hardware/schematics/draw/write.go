// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/hardware/schematics/sexp"
)

// Short names for what this package writes most.
type quoted = sexp.Quoted

var (
	sx = sexp.New
	id = sexp.ID
)

// place gives a sheet and all below it their places in a project's tree, in the order in which they are drawn.
func place(project string, s *sheet, path string, base int, page *int) {
	*page++
	s.uses = append(s.uses, use{project, path, *page, base})
	for _, k := range s.kids {
		place(project, k.s, path+"/"+id("child", s.file, k.name), base+k.base, page)
	}
}

// write writes the file of a sheet.
func (s *sheet) write(dir string) error {
	root := sx("kicad_sch", sx("version", 20250114), sx("generator", quoted("eeschema")),
		sx("generator_version", quoted("9.0")),
		sx("uuid", quoted(s.id())), sx("paper", quoted("A3")), s.titleBlock(), s.symbols())
	for _, p := range s.junctions() {
		root.List = append(root.List, sx("junction", at(p), sx("diameter", 0), sx("color", 0, 0, 0, 0),
			uuid("junction", s.file, p)))
	}
	for i, w := range s.pieces() {
		root.List = append(root.List, sx("wire", sx("pts", xy(w[0]), xy(w[1])), stroke(0, "default"),
			uuid("wire", s.file, i)))
	}
	for i, f := range s.frames {
		root.List = append(root.List, sx("rectangle", pos("start", pt{f.box.x0, f.box.y0}),
			pos("end", pt{f.box.x1, f.box.y1}),
			stroke(0.15, "dash"), sx("fill", sx("type", "none")), uuid("frame", s.file, i)),
			s.note(mark{text: f.head, at: pt{f.box.x0 + 1, f.box.y0 + 1}, size: 2}, 1000+i))
	}
	for i, m := range s.marks {
		root.List = append(root.List, s.mark(m, i))
	}
	for i, p := range s.parts {
		root.List = append(root.List, s.part(p, i))
	}
	for _, k := range s.kids {
		root.List = append(root.List, s.kid(k))
	}
	if !strings.HasPrefix(s.file, "sheets/") {
		root.List = append(root.List, sx("sheet_instances", sx("path", quoted("/"), sx("page", quoted("1")))))
	}
	root.List = append(root.List, sx("embedded_fonts", "no"))
	var b strings.Builder
	root.Write(&b, 0)
	b.WriteByte('\n')
	name := filepath.Join(dir, s.file+".kicad_sch")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

func (s *sheet) titleBlock() *sexp.Node {
	n := sx("title_block", sx("title", quoted(s.title)), sx("date", quoted("2026-11-20")), sx("rev", quoted("1")),
		sx("company", quoted("boardd, boards with stacked pieces")))
	for i, t := range s.notes {
		n.List = append(n.List, sx("comment", i+1, quoted(t)))
	}
	return n
}

// symbols returns the definitions of all symbols on the sheet.
func (s *sheet) symbols() *sexp.Node {
	n := sx("lib_symbols")
	var done []string
	for _, p := range s.parts {
		if !slices.Contains(done, p.sym.id) {
			done = append(done, p.sym.id)
			n.List = append(n.List, p.sym.def)
		}
	}
	return n
}

func at(p pt) *sexp.Node { return pos("at", p) }
func xy(p pt) *sexp.Node { return pos("xy", p) }

func pos(word string, p pt) *sexp.Node {
	x, y := p.mm()
	return sx(word, x, y)
}

func atAngle(p pt, angle int) *sexp.Node {
	x, y := p.mm()
	return sx("at", x, y, angle)
}

func uuid(parts ...any) *sexp.Node { return sx("uuid", quoted(id(parts...))) }

func stroke(width float64, kind string) *sexp.Node {
	return sx("stroke", sx("width", width), sx("type", kind))
}

func effects(size float64, justify string, hide bool) *sexp.Node {
	e := sx("effects", sx("font", sx("size", size, size)))
	if justify != "" {
		e.List = append(e.List, sx("justify", justify))
	}
	if hide {
		e.List = append(e.List, sx("hide", "yes"))
	}
	return e
}

// note is a text, its upper left corner at the mark's place.
func (s *sheet) note(m mark, i int) *sexp.Node {
	return sx("text", quoted(m.text), sx("exclude_from_sim", "no"), atAngle(m.at, 0),
		sx("effects", sx("font", sx("size", m.size, m.size)), sx("justify", "left", "top")), uuid("text", s.file, i))
}

func (s *sheet) mark(m mark, i int) *sexp.Node {
	switch m.what {
	case "no_connect":
		return sx("no_connect", at(m.at), uuid("open", s.file, i))
	case "text":
		return s.note(m, i)
	}
	n := sx(m.what, quoted(m.text))
	if m.shape != "" {
		n.List = append(n.List, sx("shape", m.shape))
	}
	justify := "left"
	if m.angle == 180 || m.angle == 270 {
		justify = "right"
	}
	e := sx("effects", sx("font", sx("size", grid, grid)), sx("justify", justify))
	if m.what == "label" {
		e = sx("effects", sx("font", sx("size", grid, grid)), sx("justify", justify, "bottom"))
	}
	n.List = append(n.List, atAngle(m.at, m.angle), e, uuid(m.what, s.file, i))
	return n
}

// part is a symbol with its fields and one reference for each use of the sheet.
func (s *sheet) part(p *part, i int) *sexp.Node {
	n := sx("symbol", sx("lib_id", quoted(p.symbol)), atAngle(p.at, 90*p.turn))
	if p.flip {
		n.List = append(n.List, sx("mirror", "y"))
	}
	virtual := strings.HasPrefix(p.prefix, "#")
	n.List = append(n.List, sx("unit", 1), sx("exclude_from_sim", "no"), sx("in_bom", yes(!virtual && !p.bare)),
		sx("on_board", yes(!virtual)), sx("dnp", "no"), uuid("part", s.file, i))
	ref := p.name(0)
	if len(s.uses) > 0 {
		ref = p.name(s.uses[0].base)
	}
	n.List = append(n.List, s.field(p, "Reference", ref, p.ref), s.field(p, "Value", p.value, p.val))
	for _, f := range [][2]string{{"Footprint", p.footprint}, {"Datasheet", p.sheet}, {"MPN", p.mpn},
		{"Manufacturer", p.maker}, {"Second source", p.second}, {"EUR", p.price()}, {"Mate", p.mate()}} {
		if f[1] != "" || f[0] == "Footprint" || f[0] == "Datasheet" {
			n.List = append(n.List, s.field(p, f[0], f[1], spot{hide: true}))
		}
	}
	for _, q := range p.sym.pins {
		n.List = append(n.List, sx("pin", quoted(q.number), uuid("pin", s.file, i, q.number)))
	}
	inst := sx("instances")
	for _, project := range s.projects() {
		pr := sx("project", quoted(project))
		for _, u := range s.uses {
			if u.project == project {
				pr.List = append(pr.List, sx("path", quoted(u.path), sx("reference", quoted(p.name(u.base))), sx("unit", 1)))
			}
		}
		inst.List = append(inst.List, pr)
	}
	n.List = append(n.List, inst)
	return n
}

// projects are those that use the sheet, each once.
func (s *sheet) projects() []string {
	var list []string
	for _, u := range s.uses {
		if !slices.Contains(list, u.project) {
			list = append(list, u.project)
		}
	}
	return list
}

// name is the reference of a part where the sheet's base is that.
func (p *part) name(base int) string {
	if strings.HasPrefix(p.prefix, "#") {
		return fmt.Sprintf("%s%04d%03d", p.prefix, base, p.n)
	}
	return fmt.Sprintf("%s%d", p.prefix, base+p.n)
}

func (s *sheet) field(p *part, name, text string, at spot) *sexp.Node {
	angle := 0
	if p.turn%2 == 1 {
		angle = 90 // fields turn with the symbol: this stands them level again
	}
	j := at.justify
	if (p.flip || p.turn == 1) && j != "" { // KiCad turns the side of a text round with the symbol
		j = map[string]string{"left": "right", "right": "left"}[j]
	}
	return sx("property", quoted(name), quoted(text), atAngle(p.at.add(at.at), angle), effects(grid, j, at.hide))
}

func (s *sheet) kid(k *kid) *sexp.Node {
	x, y := pt{k.box.x0, k.box.y0}.mm()
	w, h := pt{k.box.x1 - k.box.x0, k.box.y1 - k.box.y0}.mm()
	key := id("child", s.file, k.name)
	rel, err := filepath.Rel(filepath.Dir(s.file), k.s.file+".kicad_sch")
	if err != nil {
		rel = k.s.file
	}
	prop := func(name, text string, x, y float64, justify ...string) *sexp.Node {
		j := sx("justify", "left")
		for _, w := range justify {
			j.List = append(j.List, &sexp.Node{Word: w})
		}
		return sx("property", quoted(name), quoted(text), sx("at", x, y, 0),
			sx("effects", sx("font", sx("size", grid, grid)), j))
	}
	n := sx("sheet", sx("at", x, y), sx("size", w, h), sx("exclude_from_sim", "no"), sx("in_bom", "yes"),
		sx("on_board", "yes"), sx("dnp", "no"),
		stroke(0.1524, "solid"), sx("fill", sx("color", 0, 0, 0, "0.0000")), sx("uuid", quoted(key)),
		prop("Sheetname", k.name, x, y-0.7, "bottom"), prop("Sheetfile", rel, x, y+h+0.6, "top"))
	for _, p := range k.pins {
		angle, j := 0, "right"
		if p.left {
			angle, j = 180, "left"
		}
		n.List = append(n.List, sx("pin", quoted(p.name), p.shape, atAngle(p.at, angle),
			sx("uuid", quoted(id("sheet pin", key, p.name))),
			sx("effects", sx("font", sx("size", grid, grid)), sx("justify", j))))
	}
	inst := sx("instances")
	for _, project := range s.projects() {
		pr := sx("project", quoted(project))
		for _, u := range s.uses {
			if u.project == project {
				pr.List = append(pr.List, sx("path", quoted(u.path),
					sx("page", quoted(fmt.Sprint(pageOf(k.s, project, u.path+"/"+key))))))
			}
		}
		inst.List = append(inst.List, pr)
	}
	n.List = append(n.List, inst)
	return n
}

func pageOf(s *sheet, project, path string) int {
	for _, u := range s.uses {
		if u.project == project && u.path == path {
			return u.page
		}
	}
	return 0
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
