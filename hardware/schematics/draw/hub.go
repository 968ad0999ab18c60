// SPDX-License-Identifier: Apache-2.0

package draw

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
	s.text(pt{84, 168}, 1.5, "AVDD 4.5 V for cells and converters of the rank: eight bridges of 1 kohm take 36 mA, "+
		"eight HX711 12 mA. Supply and reference are one: its value does not count, its noise little.\n"+
		"The converters' own regulator is not used: VSUP on DVDD, VFB on ground, VBG and BASE open (HX711 datasheet, "+
		"Analog Circuits).\n"+
		"Channel A, gain 128; channel B is grounded. XI on ground: the converter's own clock. RATE comes from the hub's "+
		"jumper: high is 80 a second.\n"+
		"R3x31 to R3x38, 1k at each DOUT: the converters do not feed an Arduino that is off. J3x09: ribbon to the hub's "+
		"shield, pin for pin.\n"+
		"100 ohm and 100n in front of the inputs keep radio out. Cell cables twisted, not longer than 0.3 m, screen to "+
		"GND at this end only.")
	for i, n := range []string{"SCK", "RATE"} {
		at := pt{90, 190 + 4*i}
		s.wire(at, at.right(8))
		s.hier(n, "input", at, pt{-1, 0})
		s.label(n, at.right(8), pt{1, 0})
	}
	s.ribbon(9, pt{290, 182}, "Hub", "", "SCK")
	return s
}

// ribbon draws the connector of the 16 wires between a board of cells and the hub's shield.
func (s *sheet) ribbon(n int, at pt, value, rank, clock string) {
	j := s.put(box16.with(value), n, at, 0)
	nets := []string{"+5V", "+5V", "GND", "GND", clock, "GND"}
	for i := range 8 {
		if rank == "" {
			nets = append(nets, "DOUT_"+files[i:i+1])
		} else {
			nets = append(nets, fmt.Sprintf("CELL_%s%s", string("abcdefgh"[i]), rank))
		}
	}
	for i, net := range append(nets, "RATE", "GND") {
		s.pinOf(j, fmt.Sprint(i+1), net)
	}
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
	dout, _ := s.end(u, "12")
	out := s.put(r1k, 31+i, dout.right(8), 1)
	out.ref.hide, out.val = true, spot{hide: true}
	near, far := s.sides(out)
	s.wire(dout, near)
	s.wire(far, far.right(2))
	s.hier("DOUT_"+files[i:i+1], "output", far.right(2), pt{1, 0})
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

// megaPins is the Arduino's pin of the cell on each square, rank by rank: its number, or A0 to A15.
var megaPins = [8][8]string{
	{"22", "23", "24", "25", "26", "27", "28", "29"},
	{"53", "52", "51", "50", "10", "11", "12", "13"},
	{"37", "36", "35", "34", "33", "32", "31", "30"},
	{"A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7"},
	{"A8", "A9", "A10", "A11", "A12", "A13", "A14", "A15"},
	{"49", "48", "47", "46", "45", "44", "43", "42"},
	{"21", "20", "19", "18", "38", "41", "40", "39"},
	{"17", "16", "6", "7", "8", "9", "15", "14"},
}

// megaRows holds the rows of pins of an Arduino Mega 2560 Rev3, by the names that its maker's schematic gives them.
var megaRows = []struct {
	name string
	pins []string
}{
	{"POWER", []string{"NC", "IOREF", "RESET", "3V3", "5V", "GND", "GND", "VIN"}},
	{"ADCL", []string{"A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7"}},
	{"ADCH", []string{"A8", "A9", "A10", "A11", "A12", "A13", "A14", "A15"}},
	{"PWML", []string{"0", "1", "2", "3", "4", "5", "6", "7"}},
	{"PWMH", []string{"8", "9", "10", "11", "12", "13", "GND", "AREF", "SDA", "SCL"}},
	{"COMM", []string{"14", "15", "16", "17", "18", "19", "20", "21"}},
}

// hubSheet is the shield that an Arduino Mega is plugged into: it has no processor of its own.
func hubSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/hub", title: "Hub: shield of an Arduino Mega 2560, clocks of eight ranks", lib: lib,
		notes: []string{
			"Pins as in hardware/firmware/hub/pins.h. The Arduino is bought:",
			"boot loader, USB, crystal and fuses are its maker's.",
		}}
	nets := map[string]string{"GND": "GND", "2": "RANK0", "3": "CLOCK", "4": "RANK1", "5": "RANK2"}
	for r, rank := range megaPins {
		for f, pin := range rank {
			nets[pin] = fmt.Sprintf("CELL_%s%d", string("abcdefgh"[f]), r+1)
		}
	}
	s.frame(box{12, 12, 200, 152}, "Under the Arduino: the rows of its pins, by its maker's names")
	for i, row := range megaRows {
		j := s.put(pins(len(row.pins), "Mega "+row.name), 20+i, pt{40 + 56*(i%3), 32 + 34*(i/3)}, 0).mirrored()
		s.arduino(j, row.pins, nets)
	}
	xio := []string{"5V", "5V"} // the header is below the shield, so its odd pins are the right column: 23, 25 and on
	for n := 22; n < 54; n += 2 {
		xio = append(xio, fmt.Sprint(n+1), fmt.Sprint(n))
	}
	s.arduino(s.put(pins36, 26, pt{96, 116}, 0), append(xio, "GND", "GND"), nets)
	s.text(pt{14, 142}, 1.5, "5V, VIN, 3V3, IOREF and RESET stay open: the Arduino has its own 5 V by USB, the "+
		"converters theirs from the board. Only grounds meet.\n"+
		"0 and 1 are the USB line. Opening it pulls RESET by DTR (the Arduino's own 100 nF): that is how its boot loader "+
		"is reached (boardd flash).")
	for i, n := range hubNames() {
		s.handOn(n, "passive", pt{24 + 26*(i/10), 170 + 4*(i%10)})
	}
	s.hubClock()
	for r := range 8 {
		s.ribbon(1+r, pt{228 + 54*(r%2), 72 + 26*(r/2)}, fmt.Sprintf("Cells %d", r+1), fmt.Sprint(r+1),
			fmt.Sprintf("SCK%d", r+1))
	}
	return s
}

// loadSheet is the hub's shield and the eight boards of cells.
func loadSheet(lib *library, hub, cells *sheet) *sheet {
	s := &sheet{file: "sheets/load", title: "Load cells: the hub's shield, eight boards of cells", lib: lib,
		notes: []string{
			"A ribbon of 16 wires from the shield to each board of cells.",
		}}
	left, right := hubNames()[:36], hubNames()[36:]
	h := s.child(hub, "Hub", pt{120, 20}, 60, 0, left, right)
	for _, n := range hubNames() {
		s.tie(h, n, 4, n)
	}
	for r := range 8 {
		k := s.child(cells, fmt.Sprintf("Cells %d", r+1), pt{40 + 34*r, 120}, 20, 3000+100*(r+1)-hubBase, cellNames(), nil)
		for f, n := range cellNames() {
			switch {
			case f < 8:
				s.tie(k, n, 3, fmt.Sprintf("CELL_%s%d", string("abcdefgh"[f]), r+1))
			case n == "SCK":
				s.tie(k, n, 3, fmt.Sprintf("SCK%d", r+1))
			case n == "RATE":
				s.tie(k, n, 3, n)
			}
		}
	}
	return s
}

// hubNames returns the wires from the hub's shield to the boards of cells.
func hubNames() []string {
	var names []string
	for r := range 8 {
		for f := range 8 {
			names = append(names, fmt.Sprintf("CELL_%c%d", 'a'+f, r+1))
		}
		names = append(names, fmt.Sprintf("SCK%d", r+1))
	}
	return append(names, "RATE")
}

// cellNames returns the wires of a rank's board of cells.
func cellNames() []string {
	var names []string
	for f := range 8 {
		names = append(names, "DOUT_"+files[f:f+1])
	}
	return append(names, "", "SCK", "RATE")
}

// arduino wires a row of the Arduino's pins.
func (s *sheet) arduino(j *part, names []string, nets map[string]string) {
	for i, n := range names {
		if net := nets[n]; net != "" {
			s.pinOf(j, fmt.Sprint(i+1), net)
		} else {
			s.open(j, fmt.Sprint(i+1))
		}
	}
}

// hubClock draws the demultiplexer that makes eight clocks of one, the jumper of the rate, and the supply of the
// converters.
func (s *sheet) hubClock() {
	s.frame(box{206, 12, 322, 58}, "Clocks, rate, supply")
	u := s.put(hct238, 1, pt{240, 34}, 0)
	for i, n := range []string{"RANK0", "RANK1", "RANK2", "CLOCK"} {
		pin := []string{"1", "2", "3", "6"}[i]
		in, _ := s.end(u, pin)
		r := s.put(r1k, 20+i, in.right(-6), 1)
		r.ref.hide, r.val = true, spot{hide: true}
		l, e := s.sides(r)
		s.wire(e, in)
		s.wire(l, l.right(-2))
		s.label(n, l.right(-2), pt{-1, 0})
	}
	for _, pin := range []string{"4", "5"} {
		at, _ := s.end(u, pin)
		s.wire(at, at.right(-2))
		s.global("GND", at.right(-2), pt{-1, 0})
	}
	for i, pin := range []string{"15", "14", "13", "12", "11", "10", "9", "7"} {
		out, _ := s.end(u, pin)
		r := s.put(r100, 10+i, out.right(5), 1)
		r.ref.hide, r.val = true, spot{hide: true}
		l, e := s.sides(r)
		s.wire(out, l)
		s.wire(e, e.right(2))
		s.label(fmt.Sprintf("SCK%d", i+1), e.right(2), pt{1, 0})
	}
	s.rail(u, "16", 1, "+5V")
	s.rail(u, "8", 1, "GND")
	pull := s.put(r10k, 1, pt{212, 52}, 0)
	s.net(pull, "1", 2, "CLOCK")
	s.rail(pull, "2", 1, "GND")
	c := s.put(c100n, 1, pt{268, 50}, 0)
	s.rail(c, "1", 1, "+5V")
	s.rail(c, "2", 1, "GND")
	big := s.put(c100u, 2, pt{280, 50}, 0)
	s.rail(big, "1", 1, "+5V")
	s.rail(big, "2", 1, "GND")
	rate := s.put(pins(3, "RATE"), 9, pt{300, 26}, 0)
	for i, n := range []string{"+5V", "RATE", "GND"} {
		s.pinOf(rate, fmt.Sprint(i+1), n)
	}
	feed := s.put(pins(4, "Feed of cells"), 10, pt{300, 42}, 0)
	for i, n := range []string{"+5V", "+5V", "GND", "GND"} {
		s.pinOf(feed, fmt.Sprint(i+1), n)
	}
	s.text(pt{206, 178 - 16}, 1.27, "R5320 to R5323: 1k, R5310 to R5317: 100R. R5301 holds the clock low while the hub "+
		"starts: an HX711 whose clock is high for 60 us goes to sleep.\n"+
		"RATE: a plug on 1 and 2 is 80 conversions a second, on 2 and 3 it is 10.")
}
