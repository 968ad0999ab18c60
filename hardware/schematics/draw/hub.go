// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// cellsSheet is the eight load cells of a rank with their converters.
func cellsSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/cells", title: "Load cells of a rank: eight HX711", lib: lib, notes: []string{
		"U3x01 reads file a, U3x08 file h of rank x: U3304 is the converter of d3.",
	}}
	for i := range 8 {
		s.cell(i, pt{44 + 78*(i%4), 44 + 76*(i/4)})
	}
	u := s.put(ldo45, 9, pt{40, 178}, 0)
	in, _ := s.end(u, "1")
	en, _ := s.end(u, "3")
	s.wire(in, in.right(-10))
	s.wire(en, pt{in.x - 4, en.y}, pt{in.x - 4, in.y})
	s.supply("+5V", in.right(-10))
	c := s.put(c10u, 30, pt{26, 184}, 0)
	top, _ := s.end(c, "1")
	s.wire(top, pt{26, in.y})
	s.rail(c, "2", 1, "GND")
	s.rail(u, "2", 2, "GND")
	s.open(u, "4")
	out, _ := s.end(u, "5")
	s.wire(out, out.right(20))
	s.label("AVDD", out.right(20), pt{1, 0})
	c = s.put(c10u, 31, pt{56, 184}, 0)
	s.drop(c, out.y)
	s.text(pt{84, 168}, 1.5, "AVDD 4.5 V for cells and converters of the rank: eight bridges of 1 kohm take 36 mA, eight HX711 12 mA. Supply and reference are one: its value does not count, its noise little.\n"+
		"The converters' own regulator is not used: VSUP on DVDD, VFB on ground, VBG and BASE open (HX711 datasheet, Analog Circuits).\n"+
		"Channel A, gain 128; channel B is grounded. XI on ground: the converter's own clock. RATE comes from the hub: high is 80 a second.\n"+
		"100 ohm and 100n in front of the inputs keep radio out. Cell cables twisted, not longer than 0.3 m, screen to GND at this end only.")
	for i, n := range []string{"SCK", "RATE"} {
		at := pt{90, 190 + 4*i}
		s.wire(at, at.right(8))
		s.hier(n, "input", at, pt{-1, 0})
		s.label(n, at.right(8), pt{1, 0})
	}
	return s
}

// cell draws one channel.
func (s *sheet) cell(i int, o pt) {
	u := s.put(hx711, 1+i, o, 0)
	u.fields(pt{5, -18}, pt{5, -16}, "left")
	s.rail(u, "16", 1, "+5V")
	vsup, _ := s.end(u, "1")
	dvdd, _ := s.end(u, "16")
	s.wire(vsup, vsup.down(-1), dvdd.down(-1))
	s.rail(u, "5", 1, "GND")
	s.open(u, "2", "6", "13")
	s.net(u, "3", 2, "AVDD")
	fb, _ := s.end(u, "4")
	s.wire(fb, fb.right(-2))
	s.global("GND", fb.right(-2), pt{-1, 0})
	b1, _ := s.end(u, "10")
	b2, _ := s.end(u, "9")
	s.wire(b1, b1.right(-2), b2.right(-2), b2)
	s.wire(b2.right(-2), b2.right(-2).down(2))
	s.supply("GND", b2.right(-2).down(2))
	s.port(u, "12", 3, "DOUT_"+files[i:i+1], "output")
	s.net(u, "11", 3, "SCK")
	s.net(u, "15", 3, "RATE")
	xi, _ := s.end(u, "14")
	s.wire(xi, xi.right(3))
	s.global("GND", xi.right(3), pt{1, 0})
	plus, _ := s.end(u, "8")
	minus, _ := s.end(u, "7")
	s.wire(minus, minus.right(-3), pt{minus.x - 3, plus.y + 6}, pt{plus.x - 11, plus.y + 6})
	s.wire(plus, plus.right(-11))
	for k, sign := range []string{"+", "-"} {
		r := s.put(r100, 1+i+10*k, plus.add(pt{-14, 6 * k}), 1)
		if k == 1 {
			r.fields(pt{0, 2}, pt{0, 4}, "")
		}
		l, _ := s.sides(r)
		s.wire(l, l.right(-2))
		s.label("S"+sign+files[i:i+1], l.right(-2), pt{-1, 0})
	}
	c := s.put(c100n, 1+i, plus.add(pt{-7, 3}), 0)
	c.fields(pt{-3, -1}, pt{-3, 1}, "right")
	j := s.put(pins(4, "Cell "+string("abcdefgh"[i])), 1+i, pt{o.x + 20, o.y + 24}, 0)
	for k, n := range []string{"AVDD", "GND", "S-" + files[i:i+1], "S+" + files[i:i+1]} {
		s.pinOf(j, string(rune('1'+k)), n)
	}
	for k, v := range []string{"+5V", "AVDD"} {
		c := s.put(c100n, 11+i+10*k, pt{o.x - 26 + 12*k, o.y + 24}, 0)
		if v == "+5V" {
			s.rail(c, "1", 1, v)
		} else {
			s.net(c, "1", 1, v)
		}
		s.rail(c, "2", 1, "GND")
	}
}

// hubPins is the processor's pin of the cell on each square, rank by rank, drawn from the Arduino Mega's rows of pins.
var hubPins = [8][8]string{
	{"78", "77", "76", "75", "74", "73", "72", "71"},
	{"19", "20", "21", "22", "23", "24", "25", "26"},
	{"53", "54", "55", "56", "57", "58", "59", "60"},
	{"97", "96", "95", "94", "93", "92", "91", "90"},
	{"89", "88", "87", "86", "85", "84", "83", "82"},
	{"35", "36", "37", "38", "39", "40", "41", "42"},
	{"43", "44", "45", "46", "50", "51", "52", "70"},
	{"12", "13", "15", "16", "17", "18", "63", "64"},
}

// hubSheet is the processor that reads all load cells, with its USB line.
func hubSheet(lib *library, cells *sheet) *sheet {
	s := &sheet{file: "sheets/hub", title: "Hub: ATmega2560, clock to 64 converters, USB", lib: lib, notes: []string{
		"Pins as in hardware/firmware/hub/pins.h; an Arduino Mega 2560 may stand in.",
	}}
	u := s.put(mega, 1, pt{60, 100}, 0)
	u.fields(pt{6, -62}, pt{6, -60}, "left")
	s.rail(u, "10", 2, "+5V")
	avcc, _ := s.end(u, "100")
	vcc, _ := s.end(u, "10")
	s.wire(avcc, avcc.down(-1), vcc.down(-1))
	s.rail(u, "11", 2, "GND")
	used := map[string]bool{}
	for r, rank := range hubPins {
		for f, pin := range rank {
			s.net(u, pin, 3, fmt.Sprintf("CELL_%s%d", string("abcdefgh"[f]), r+1))
			used[pin] = true
		}
	}
	for pin, net := range map[string]string{"30": "~{RESET}", "34": "XTAL1", "33": "XTAL2", "2": "RXD", "3": "TXD", "7": "SCK", "5": "RATE"} {
		used[pin] = true
		_ = net
	}
	s.net(u, "30", 3, "~{RESET}")
	s.net(u, "34", 3, "XTAL1")
	s.net(u, "33", 3, "XTAL2")
	s.net(u, "98", 3, "AREF")
	s.net(u, "2", 3, "RXD")
	s.net(u, "3", 3, "TXD")
	s.net(u, "7", 3, "CLOCK")
	s.net(u, "5", 3, "RATE")
	for _, q := range u.sym.pins {
		if len(q.name) == 3 && q.name[0] == 'P' && !used[q.number] {
			s.open(u, q.number)
		}
	}
	s.hubCells(cells)
	s.hubClock()
	s.hubUSB()
	return s
}

// hubCells draws the eight ranks of cells.
func (s *sheet) hubCells(cells *sheet) {
	for r := range 8 {
		var names []string
		for f := range 8 {
			names = append(names, "DOUT_"+files[f:f+1])
		}
		k := s.child(cells, fmt.Sprintf("Cells %d", r+1), pt{118 + 52*(r%4), 16 + 36*(r/4)}, 22, 3000+100*(r+1)-hubBase, append(names, "", "SCK", "RATE"), nil)
		for f, n := range names {
			s.tie(k, n, 4, fmt.Sprintf("CELL_%s%d", string("abcdefgh"[f]), r+1))
		}
		s.tie(k, "SCK", 4, fmt.Sprintf("SCK%d", r+1))
		s.tie(k, "RATE", 4, "RATE")
	}
}

// hubClock draws the buffer that drives 64 clock inputs.
func (s *sheet) hubClock() {
	s.frame(box{106, 92, 204, 146}, "Clock: one buffer for each rank")
	b := s.put(hct541, 2, pt{150, 118}, 0)
	b.fields(pt{3, -18}, pt{3, -16}, "left")
	for i := range 8 {
		in, _ := s.end(b, fmt.Sprint(2+i))
		s.wire(in, in.right(-3))
		if i > 0 {
			s.wire(in.add(pt{-3, -2}), in.right(-3))
		}
		out, _ := s.end(b, fmt.Sprint(18-i))
		r := s.put(r100, 10+i, out.right(8), 1)
		_ = r
		s.parts[len(s.parts)-1].ref.hide, s.parts[len(s.parts)-1].val = true, spot{hide: true}
		l, e := s.sides(r)
		s.wire(out, l)
		s.wire(e, e.right(3))
		s.label(fmt.Sprintf("SCK%d", i+1), e.right(3), pt{1, 0})
	}
	s.text(pt{166, 127}, 1.27, "R5310 to R5317: 100R")
	first, _ := s.end(b, "2")
	s.wire(first.right(-3), first.right(-12))
	s.label("CLOCK", first.right(-12), pt{-1, 0})
	pull := s.put(r10k, 1, pt{first.x - 8, first.y + 6}, 0)
	pull.fields(pt{-2, -1}, pt{-2, 1}, "right")
	top, _ := s.ends(pull)
	s.wire(top, pt{top.x, first.y})
	s.rail(pull, "2", 1, "GND")
	g1, _ := s.end(b, "1")
	g2, _ := s.end(b, "19")
	s.wire(g1, g1.right(-2), g2.right(-2), g2)
	s.wire(g2.right(-2), g2.right(-2).down(2))
	s.supply("GND", g2.right(-2).down(2))
	s.rail(b, "20", 1, "+5V")
	s.rail(b, "10", 1, "GND")
	c := s.put(c100n, 1, pt{192, 108}, 0)
	s.rail(c, "1", 1, "+5V")
	s.rail(c, "2", 1, "GND")
	s.text(pt{166, 131}, 1.5, "R5301 holds the clock low while the\nhub starts: an HX711 whose clock is\nhigh for 60 us goes to sleep\n(datasheet, Reset and Power-Down).")
}

// hubUSB draws the serial line, the crystal, the reset and the programmer's pins.
func (s *sheet) hubUSB() {
	s.frame(box{208, 92, 318, 176}, "USB serial line, 500000 baud")
	j := s.put(usb, 1, pt{222, 118}, 0)
	s.wirePins(j, "A1", "A1")
	gnd, _ := s.end(j, "A1")
	shield, _ := s.end(j, "S1")
	s.wire(shield, gnd, gnd.down(1))
	s.supply("GND", gnd.down(1))
	s.net(j, "A4", 2, "VBUS")
	for _, n := range [][3]string{{"A7", "B7", "D-"}, {"A6", "B6", "D+"}} {
		a, _ := s.end(j, n[0])
		b, _ := s.end(j, n[1])
		s.wire(a, a.right(1), b.right(1), b)
		s.wire(a.right(1), a.right(2))
		s.label(n[2], a.right(2), pt{1, 0})
	}
	s.net(j, "A5", 2, "CC1")
	s.net(j, "B5", 2, "CC2")
	s.open(j, "A8", "B8")
	for i, n := range []string{"CC1", "CC2"} {
		r := s.put(r5k1, 5+i, pt{246 + 10*i, 152}, 0)
		s.net(r, "1", 1, n)
		s.rail(r, "2", 1, "GND")
	}
	e := s.put(usbEsd, 4, pt{226, 150}, 0)
	e.fields(pt{6, -6}, pt{6, -4}, "left")
	s.net(e, "1", 2, "D-")
	s.net(e, "3", 2, "D+")
	s.net(e, "6", 2, "D-")
	s.net(e, "4", 2, "D+")
	s.net(e, "5", 1, "VBUS")
	s.rail(e, "2", 1, "GND")
	u := s.put(ftdi, 3, pt{276, 124}, 0)
	u.fields(pt{8, -22}, pt{8, -20}, "left")
	s.net(u, "15", 3, "D+")
	s.net(u, "16", 3, "D-")
	vcc, _ := s.end(u, "20")
	io, _ := s.end(u, "4")
	s.wire(io, io.down(-2), vcc.down(-2), vcc)
	s.wire(io.down(-2), io.add(pt{-4, -2}))
	s.label("VBUS", io.add(pt{-4, -2}), pt{-1, 0})
	s.flag(vcc.add(pt{2, -2}))
	s.wire(vcc.down(-2), vcc.add(pt{2, -2}))
	for _, n := range []string{"25", "7", "18", "21"} {
		at, _ := s.end(u, n)
		s.wire(at, at.down(1))
	}
	a, _ := s.end(u, "25")
	b, _ := s.end(u, "21")
	s.wire(a.down(1), pt{b.x, b.y + 1})
	mid, _ := s.end(u, "7")
	s.wire(mid.down(1), mid.down(2))
	s.supply("GND", mid.down(2))
	test, _ := s.end(u, "26")
	s.wire(test, test.right(-2))
	s.global("GND", test.right(-2), pt{-1, 0})
	s.open(u, "19", "27", "28", "3", "11", "2", "9", "10", "6", "23", "22", "13", "14", "12")
	v3, _ := s.end(u, "17")
	c := s.put(c100n, 2, pt{v3.x - 12, v3.y + 3}, 0)
	c.fields(pt{-2, -1}, pt{-2, 1}, "right")
	top, _ := s.ends(c)
	s.wire(v3, top)
	s.rail(c, "2", 1, "GND")
	for i, n := range []struct{ pin, net string }{{"1", "RXD"}, {"5", "TXD"}} {
		out, _ := s.end(u, n.pin)
		r := s.put(r1k, 2+i, out.right(10), 1)
		if i == 1 {
			r.fields(pt{0, 3}, pt{0, 5}, "")
		}
		l, e := s.sides(r)
		s.wire(out, l)
		s.wire(e, e.right(3))
		s.label(n.net, e.right(3), pt{1, 0})
	}
	for i, k := range []kind{c100n, c10u} {
		c := s.put(k, 3+i, pt{298 + 11*i, 148}, 0)
		s.net(c, "1", 1, "VBUS")
		s.rail(c, "2", 1, "GND")
	}
	s.text(pt{214, 160}, 1.5, "The converter is fed by the cable, with 5 V levels (VCCIO on VBUS), the processor by the board.\n"+
		"1k keeps one from feeding the other. DTR is not wired: opening the port does not reset the hub.\n"+
		"Set the product name to \"boardd hub\" once (ftdi_eeprom): the udev rule finds the hub by it.")
	s.frame(box{106, 150, 204, 200}, "Crystal, reset, programmer, decoupling")
	y := s.put(xtal, 1, pt{126, 164}, 0)
	y.fields(pt{-4, -7}, pt{-4, -5}, "left")
	s.net(y, "1", 4, "XTAL1")
	s.net(y, "3", 4, "XTAL2")
	s.rail(y, "2", 1, "GND")
	for i, n := range []string{"XTAL1", "XTAL2"} {
		c := s.put(c22p, 5+i, pt{114 + 24*i, 182}, 0)
		s.net(c, "1", 2, n)
		s.rail(c, "2", 1, "GND")
	}
	r := s.put(r10k, 4, pt{154, 164}, 0)
	s.rail(r, "1", 1, "+5V")
	s.net(r, "2", 2, "~{RESET}")
	p := s.put(isp, 2, pt{176, 168}, 0)
	p.fields(pt{2, -12}, pt{2, -10}, "left")
	s.rail(p, "2", 1, "+5V")
	s.rail(p, "6", 1, "GND")
	s.net(p, "1", 2, "CELL_d2")
	s.net(p, "4", 2, "RXD")
	s.net(p, "3", 2, "CELL_b2")
	s.net(p, "5", 2, "~{RESET}")
	for i := range 5 {
		c := s.put(c100n, 7+i, pt{152 + 10*i, 190}, 0)
		c.fields(pt{2, -3}, pt{2, 3}, "left").val.hide = true
		if i == 4 {
			s.net(c, "1", 1, "AREF")
		} else {
			s.rail(c, "1", 1, "+5V")
		}
		s.rail(c, "2", 1, "GND")
	}
	s.text(pt{108, 196}, 1.27, "100n at pins 10, 31, 61 + 80, 100; AREF")
}

// wirePins joins two pins at one height.
func (s *sheet) wirePins(p *part, a, b string) {
	x, _ := s.end(p, a)
	y, _ := s.end(p, b)
	s.wire(x, pt{y.x, x.y})
}
