// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// drawing is all sheets, and the projects made of them.
type drawing struct {
	sheets []*sheet
	roots  map[string]*sheet
}

// draw makes everything.
func draw(lib *library) *drawing {
	rank, exp := rankSheet(lib), expanderSheet(lib)
	plugs, repeater := plugsSheet(lib), repeaterSheet(lib)
	deck := deckSheet(lib, rank, exp, plugs)
	pw, header := powerSheet(lib), piSheet(lib)
	cells, eyes := cellsSheet(lib), eyesSheet(lib)
	collector, pixels := collectorSheet(lib), pixelsSheet(lib)
	hub, heights, scale := hubSheet(lib), heightsSheet(lib, eyes, repeater), scaleSheet(lib)
	load := loadSheet(lib, hub, cells)
	d := &drawing{roots: map[string]*sheet{}}
	d.sheets = []*sheet{rank, exp, plugs, deck, pw, header, cells, eyes, hub, load, repeater, heights, scale, collector,
		pixels}
	d.roots["stack"] = stackRoot(lib, pw, header, deck, load)
	d.roots["twin"] = twinRoot(lib, pw, header, deck, heights)
	d.roots["scale"] = scaleRoot(lib, pw, header, deck, scale)
	d.roots["strip"] = stripRoot(lib, rank, exp)
	d.roots["reeds14"] = reeds14Root(lib, rank, collector)
	d.roots["apa102"] = apa102Root(lib, pixels)
	d.roots["pi"] = piRoot(lib, pw, header, plugs, repeater)
	d.roots["hub"] = hubRoot(lib, hub)
	d.roots["cells"] = cellsRoot(lib, cells)
	d.roots["eyes"] = eyesRoot(lib, eyes)
	d.roots["nano"] = nanoRoot(lib, scale)
	for _, name := range []string{"stack", "twin", "scale", "strip", "reeds14", "apa102", "pi", "hub", "cells", "eyes",
		"nano"} {
		r := d.roots[name]
		page := 0
		place(name, r, "/"+r.id(), 0, &page)
		d.sheets = append(d.sheets, r)
	}
	return d
}

const (
	powerBase, piBase, hubBase, heightsBase, plugsBase = 5100, 5200, 5300, 5400, 6000
)

// common places the sheets that all boards have: supply, Pi and lower deck.
func common(s, pw, header, deck *sheet) {
	p := s.child(pw, "Supply", pt{40, 40}, 40, powerBase, nil, []string{"PI_3V3"})
	h := s.child(header, "Pi", pt{120, 40}, 40, piBase, []string{"PI_3V3"}, []string{"LED_DATA", "SCL", "SDA", "~{INT}"})
	d := s.child(deck, "Lower deck", pt{200, 40}, 40, 0, []string{"DIN", "SCL", "SDA", "~{INT}", "A2"}, []string{"DOUT"})
	link(s, p, "PI_3V3", h, "PI_3V3", "PI_3V3")
	link(s, h, "LED_DATA", d, "DIN", "LED_DATA")
	for _, n := range []string{"SCL", "SDA", "~{INT}"} {
		link(s, h, n, d, n, n)
	}
	at, out := d.pin("A2")
	s.wire(at, at.add(out.times(4)))
	s.global("GND", at.add(out.times(4)), out)
}

// link wires two pins at one height and names the net.
func link(s *sheet, a *kid, from string, b *kid, to, net string) {
	x, _ := a.pin(from)
	y, _ := b.pin(to)
	s.wire(x, y)
	s.label(net, x.right(8), pt{1, 0})
}

// leave leaves a child's output open.
func leave(s *sheet, k *kid, name string) {
	at, _ := k.pin(name)
	s.marks = append(s.marks, mark{what: "no_connect", at: at})
}

func stackRoot(lib *library, pw, header, deck, hub *sheet) *sheet {
	s := &sheet{file: "stack/stack", title: "Stack board", lib: lib, notes: []string{
		"One deck of 64 squares: reed, light and load cell under every one.",
		"Drawn by hardware/schematics/draw; held against the drivers by tests.",
	}}
	common(s, pw, header, deck)
	s.child(hub, "Load cells", pt{120, 100}, 40, hubBase, nil, nil)
	leave(s, s.kids[2], "DOUT")
	s.text(pt{40, 120}, 2, "The hub hangs on the Pi by USB; its cells have the board's 5 V. Every wire between two "+
		"boards: bom/cables.md.\n\n"+
		"References: SW304, D304 reed and light of d3; U3304 converter of d3; hundreds are the rank, units the file.\n"+
		"Supply 51xx, Pi 52xx, hub 53xx, expanders 20xx; J6001 to J6008 on the Pi's board: the ranks' cables.\n\n"+
		"Bus: I2C1 at 400 kHz: expanders 0x20 to 0x23. Lights: SPI0, 64 in a chain, cap 2000 mA.")
	return s
}

func twinRoot(lib *library, pw, header, deck, heights *sheet) *sheet {
	s := &sheet{file: "twin/twin", title: "Twin board", lib: lib, notes: []string{
		"Two decks: reeds and lights on both, height sensors under the upper.",
		"Drawn by hardware/schematics/draw; held against the drivers by tests.",
	}}
	common(s, pw, header, deck)
	h := s.child(heights, "Heights", pt{120, 100}, 40, heightsBase, []string{"SCL", "SDA"}, nil)
	up := s.child(deck, "Upper deck", pt{200, 100}, 40, 800, []string{"DIN", "SCL", "SDA", "~{INT}", "A2"},
		[]string{"DOUT"})
	s.tie(h, "SCL", 6, "SCL")
	s.tie(h, "SDA", 6, "SDA")
	for _, n := range []string{"SCL", "SDA", "~{INT}"} {
		s.tie(up, n, 6, n)
	}
	at, out := up.pin("A2")
	s.wire(at, at.add(out.times(4)))
	s.global("+3V3", at.add(out.times(4)), out)
	s.tie(s.kids[2], "DOUT", 6, "LED_UP")
	s.tie(up, "DIN", 6, "LED_UP")
	leave(s, up, "DOUT")
	s.text(pt{40, 130}, 2, "References: SW304, D304 reed and light of d3 on the lower deck; SW1104, D1104 of d3 on the "+
		"upper one (ranks 9 to 16);\n"+
		"U4304 the height sensor over d3. Supply 51xx, Pi 52xx, repeater 54xx, expanders 20xx and 28xx.\n\n"+
		"Bus: I2C1 at 400 kHz: expanders 0x20 to 0x27, multiplexers 0x70 to 0x77, sensors 0x29. Lights: SPI0, 128 in a "+
		"chain, the lower deck first, cap 3000 mA.")
	return s
}

// stripRoot is the board of one rank. The expander is fitted on the strips of odd ranks.
func stripRoot(lib *library, rank, exp *sheet) *sheet {
	s := &sheet{file: "strip/strip", title: "Strip of one rank", lib: lib, notes: []string{
		"Eight make a deck. U2001, C2001, J2004: on strips of odd ranks only.",
	}}
	var out, left []string
	for i := range 8 {
		out = append(out, "REED_"+files[i:i+1])
		left = append(left, fmt.Sprintf("IN0_%s", files[i:i+1]))
	}
	r := s.child(rank, "Rank", pt{60, 30}, 40, 100, []string{"DIN", "DOUT", "", "SCL", "SDA", "~{INT}"}, out)
	var in1 []string
	for i := range 8 {
		in1 = append(in1, fmt.Sprintf("IN1_%s", files[i:i+1]))
	}
	x := s.child(exp, "Expander", pt{150, 30}, 40, 2000, append(left, "", "SCL", "SDA", "~{INT}"),
		append(in1, "", "A0", "A1", "A2"))
	for i := range 8 {
		a, _ := r.pin(out[i])
		b, _ := x.pin(left[i])
		s.wire(a, b)
		s.label("REED_"+files[i:i+1], a.right(12), pt{1, 0})
	}
	for _, n := range []string{"SCL", "SDA", "~{INT}"} {
		s.tie(r, n, 4, n)
		s.tie(x, n, 4, n)
	}
	for i := range 8 {
		at, out := x.pin(in1[i])
		s.wire(at, at.add(out.times(4)))
		s.label("NEXT_"+files[i:i+1], at.add(out.times(4)), out)
	}
	s.tie(r, "DIN", 4, "DIN")
	s.tie(r, "DOUT", 4, "DOUT")
	s.address(x, pt{150, 80})
	s.feeds(pt{60, 84}, "+5VL", "+3V3", "GND")
	s.text(pt{40, 110}, 2, "The same two sheets make the boards stack and twin, so what is tested there holds for the "+
		"strip.\n"+
		"Jumpers: A0, A1 the strip's pair of ranks (1+2: low, low; 3+4: A0 high; 5+6: A1 high; 7+8: both), A2 low on the "+
		"lower deck and high on the upper.")
	return s
}

// The projects of single printed boards. Each uses the sheets of the whole boards, so what is tested there holds for
// it.

// feeds names the supplies that a board has from its plugs, each with a pad to measure at.
func (s *sheet) feeds(at pt, names ...string) {
	for i, n := range names {
		at := at.right(16 * i)
		s.supply(n, at)
		s.wire(at, at.right(6))
		s.flag(at.right(6))
		tp := s.put(pad.with(n), 1+i, at.right(3), 0)
		tp.ref.hide = true
		tp.turn = 2
		tp.val = spot{at: pt{0, 6}}
	}
}

// address draws the three jumpers that give a chip its address.
func (s *sheet) address(x *kid, at pt) {
	jumper := kind{symbol: "Jumper:SolderJumper_3_Open", prefix: "JP", value: "",
		footprint: "Jumper:SolderJumper-3_P1.3mm_Open_Pad1.0x1.5mm", sheet: "~", bare: true}
	for i := range 3 {
		n := fmt.Sprintf("A%d", i)
		s.tie(x, n, 4, n)
		j := s.put(jumper.with(n), 1+i, at.right(30*i), 0)
		j.fields(pt{-2, -5}, pt{-2, -3}, "left")
		s.net(j, "2", 2, n)
		s.rail(j, "1", 2, "GND")
		e, _ := s.stub(j, "3", 2)
		s.wire(e, e.down(-2))
		s.supply("+3V3", e.down(-2))
	}
}

// piRoot is the board that a Raspberry Pi is plugged into.
func piRoot(lib *library, pw, header, plugs, repeater *sheet) *sheet {
	s := &sheet{file: "pi/pi", title: "Board of the Raspberry Pi: supply, bus, plugs of all ranks", lib: lib,
		notes: []string{
			"For every kind of board. One deck: J6801 to J6808, U5401, C5401, R5401, R5402, J5411 are left out.",
		}}
	p := s.child(pw, "Supply", pt{40, 40}, 40, powerBase, nil, []string{"PI_3V3"})
	h := s.child(header, "Pi", pt{120, 40}, 40, piBase, []string{"PI_3V3"}, []string{"LED_DATA", "SCL", "SDA", "~{INT}"})
	link(s, p, "PI_3V3", h, "PI_3V3", "PI_3V3")
	for _, n := range []string{"LED_DATA", "SCL", "SDA", "~{INT}"} {
		s.tie(h, n, 6, n)
	}
	for i, deck := range []string{"Lower deck", "Upper deck"} {
		k := s.child(plugs, deck, pt{200, 40 + 60*i}, 40, plugsBase+800*i, plugNames(), nil)
		for _, n := range []string{"SCL", "SDA", "~{INT}"} {
			s.tie(k, n, 6, n)
		}
		s.tie(k, "DIN", 6, []string{"LED_DATA", "LED_UP"}[i])
		if i == 0 {
			s.tie(k, "DOUT", 6, "LED_UP")
		} else {
			leave(s, k, "DOUT")
		}
		for _, n := range plugNames()[5:] {
			s.tie(k, n, 6, []string{"", "UP_"}[i]+n)
		}
	}
	r := s.child(repeater, "Repeater", pt{120, 100}, 40, heightsBase, []string{"SCL", "SDA"},
		[]string{"SCL_UP", "SDA_UP"})
	for _, n := range []string{"SCL", "SDA"} {
		s.tie(r, n, 6, n)
		s.tie(r, n+"_UP", 6, n+"_UP")
	}
	s.text(pt{40, 170}, 2, "The sheets are those of the boards stack, twin and scale.")
	return s
}

// hubRoot is the shield of an Arduino Mega.
func hubRoot(lib *library, hub *sheet) *sheet {
	s := &sheet{file: "hub/hub", title: "Hub: shield of an Arduino Mega 2560", lib: lib, notes: []string{
		"Plugged onto the Arduino from above, its rows of pins downwards.",
	}}
	h := s.child(hub, "Hub", pt{120, 30}, 60, hubBase, hubNames()[:36], hubNames()[36:])
	for _, n := range hubNames() {
		s.tie(h, n, 4, n)
	}
	s.feeds(pt{60, 130}, "+5V", "GND")
	return s
}

// cellsRoot is the board of a rank's load cells.
func cellsRoot(lib *library, cells *sheet) *sheet {
	s := &sheet{file: "cells/cells", title: "Board of a rank's eight load cells", lib: lib, notes: []string{
		"Eight make a stack board; all are alike. References are those of rank 1.",
	}}
	k := s.child(cells, "Cells", pt{60, 40}, 40, 3100, cellNames(), nil)
	for _, n := range cellNames() {
		if n != "" {
			s.tie(k, n, 6, n)
		}
	}
	s.feeds(pt{60, 84}, "+5V", "GND")
	return s
}

// eyesRoot is a rank's strip of height sensors.
func eyesRoot(lib *library, eyes *sheet) *sheet {
	s := &sheet{file: "eyes/eyes", title: "Strip of a rank's eight height sensors", lib: lib, notes: []string{
		"Eight make a twin board; the jumpers A0 to A2 say which. References are those of rank 1.",
	}}
	k := s.child(eyes, "Eyes", pt{60, 40}, 40, 4100, []string{"SCL", "SDA"}, []string{"A0", "A1", "A2"})
	s.tie(k, "SCL", 6, "SCL")
	s.tie(k, "SDA", 6, "SDA")
	s.address(k, pt{150, 80})
	s.feeds(pt{60, 84}, "+5V", "+3V3", "GND")
	return s
}

// nanoRoot is the board of a scale's Arduino Nano.
func nanoRoot(lib *library, scale *sheet) *sheet {
	s := &sheet{file: "nano/nano", title: "Board of the scale's Arduino Nano", lib: lib, notes: []string{
		"The Nano in two rows of sockets or soldered; the modules by wires of four.",
	}}
	s.child(scale, "Scale", pt{60, 40}, 40, hubBase, nil, nil)
	return s
}
