// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

const files = "ABCDEFGH"

// rankSheet returns the eight squares of a rank: reeds and lights, and the connectors of the strip.
func rankSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/rank", title: "Rank: eight reeds, eight lights", lib: lib, notes: []string{
		"SW304 and D304 are reed and light of d3: hundreds rank, units file.",
		"Upper deck: ranks 9 to 16; SW1204 is the reed of d4 there.",
	}}
	s.frame(box{12, 12, 318, 78}, "Reeds to ground, active low")
	for i := range 8 {
		s.reed(i, pt{26 + 37*i, 0})
	}
	s.frame(box{12, 82, 318, 138}, "Lights, in a chain from a to h")
	s.lights()
	s.strips()
	s.text(pt{14, 70}, 1.5, "Pull-up 10k, 1k in series with the contact, 100n at the input: closing takes 0.1 ms, "+
		"opening 1.2 ms, a bounce of 75 us stays below 0.9 V (simulated: spice_test.go).\n"+
		"The series resistor keeps the capacitor's charge from welding the contact: 3.3 mA at most.")
	return s
}

// reed draws the input of one square.
func (s *sheet) reed(i int, o pt) {
	at := func(x, y int) pt { return o.add(pt{x, y}) }
	pull := s.put(r10k, 1+i, at(0, 24), 0)
	s.rail(pull, "1", 2, "+3V3")
	series := s.put(r1k, 11+i, at(0, 42), 0)
	sw := s.put(reed, 1+i, at(0, 55), 1)
	sw.fields(pt{4, -1}, pt{4, 1}, "left").val.hide = true
	c := s.put(c100n, 1+i, at(10, 40), 0)
	pullEnd, _ := s.end(pull, "2")
	seriesTop, _ := s.end(series, "1")
	cTop, _ := s.end(c, "1")
	node := at(0, 33)
	s.wire(pullEnd, node)
	s.wire(node, seriesTop)
	s.wire(node, at(10, 33))
	s.wire(at(10, 33), cTop)
	s.rail(c, "2", 2, "GND")
	seriesEnd, _ := s.end(series, "2")
	top, bottom := "2", "1"
	a, _ := s.end(sw, top)
	if b, _ := s.end(sw, bottom); b.y < a.y {
		top, bottom = bottom, top
		a = b
	}
	s.wire(seriesEnd, a)
	s.rail(sw, bottom, 2, "GND")
	s.wire(node, at(-4, 33))
	s.hier("REED_"+files[i:i+1], "output", at(-4, 33), pt{-1, 0})
}

// lights draws the chain with its fuse, its capacitors and the injection of power.
func (s *sheet) lights() {
	const bus, y = 94, 112
	f := s.put(ptc, 1, pt{20, bus}, 1)
	l, _ := s.end(f, "1")
	r, _ := s.end(f, "2")
	if l.x > r.x {
		l, r = r, l
	}
	s.wire(l, l.right(-2))
	s.supply("+5VL", l.right(-2))
	last := pt{306, bus}
	s.wire(r, last)
	s.label("V5", r.right(2), pt{1, 0})
	s.flag(pt{r.x + 10, bus})
	for i := range 8 {
		x := 34 + 33*i
		d := s.put(pixel, 1+i, pt{x, y}, 0)
		d.fields(pt{2, 6}, pt{2, 8}, "left")
		vdd, _ := s.end(d, "1")
		s.wire(vdd, pt{x, bus})
		s.rail(d, "3", 2, "GND")
		c := s.put(c100n, 21+i, pt{x + 10, bus + 6}, 0)
		top, _ := s.end(c, "1")
		s.wire(top, pt{x + 10, bus})
		s.rail(c, "2", 1, "GND")
		out, _ := s.end(d, "2")
		if i < 7 {
			s.wire(out, pt{x + 33 - 6, y})
		}
		in, _ := s.end(d, "4")
		if i == 0 {
			res := s.put(r330, 21, pt{x - 12, y}, 1)
			a, _ := s.end(res, "1")
			b, _ := s.end(res, "2")
			if a.x > b.x {
				a, b = b, a
			}
			s.wire(b, in)
			s.wire(a, a.right(-2))
			s.hier("DIN", "input", a.right(-2), pt{-1, 0})
		}
		if i == 7 {
			s.wire(out, out.right(2))
			s.hier("DOUT", "output", out.right(2), pt{1, 0})
		}
	}
	bulk := s.put(c100u, 29, pt{306, bus + 6}, 0)
	top, _ := s.end(bulk, "1")
	s.wire(top, pt{306, bus})
	s.rail(bulk, "2", 1, "GND")
	s.text(pt{14, 127}, 1.5, "DOUT goes back to the a side on the strip, so that every rank runs from a to h "+
		"(leds.serpentine: false).\n"+
		"F1 holds 0.75 A: eight lights at white draw 0.4 A. The bulk capacitor is at the far end, where power may also be "+
		"fed in (J3).")
}

// strips draws the connectors of a strip.
func (s *sheet) strips() {
	s.frame(box{12, 142, 230, 206}, "Connectors of the strip")
	j := s.put(pins(10, "Bus"), 1, pt{60, 162}, 0).mirrored()
	for i, n := range []string{"+5VL", "+5VL", "GND", "GND", "+3V3", "SCL", "SDA", "~{INT}", "DIN", "DOUT"} {
		s.pinOf(j, fmt.Sprint(i+1), n)
	}
	out := s.put(pins(10, "Reeds out"), 2, pt{124, 162}, 0).mirrored()
	for i := range 10 {
		n := "GND"
		if i > 0 && i < 9 {
			n = "REED_" + files[i-1:i]
		}
		s.pinOf(out, fmt.Sprint(i+1), n)
	}
	feed := s.put(pins(4, "Feed"), 3, pt{186, 160}, 0).mirrored()
	for i, n := range []string{"V5", "V5", "GND", "GND"} {
		s.pinOf(feed, fmt.Sprint(i+1), n)
	}
	s.text(pt{14, 180}, 1.5, "J1 cable from the Pi's board, on the a side. J2 carries the reeds of an even rank to the "+
		"expander on the strip of the odd rank below it (J4 there).\n"+
		"J3 feeds 5 V in at the h side when the cable of J1 alone drops too much; it is behind F1, so feed it through a "+
		"fuse of its own of 0.75 A.")
	s.text(pt{14, 190}, 1.5, "GND is one copper plane under the whole strip. No long trace may cut it under the "+
		"lights' data.")
}

// pinTo leads a connector's pin to the first of the names that is not empty: supplies as global names, the rest to a
// label.
func (s *sheet) pinTo(j *part, number string, names ...string) {
	for _, net := range names {
		switch net {
		case "":
			continue
		case "GND", "+3V3", "+5V", "+5VL":
			end, out := s.stub(j, number, 13)
			s.global(net, end, out)
		default:
			s.net(j, number, 4, net)
		}
		return
	}
}

// pinOf leads a connector's pin away: supplies as global names, the bus to the parent, the rest to a label.
func (s *sheet) pinOf(j *part, number, net string) {
	length := 4
	switch net {
	case "SCL", "SDA", "~{INT}", "GND", "+3V3", "+5V", "+5VL":
		length = 13 // beyond the names on the neighbouring wires
	}
	end, out := s.stub(j, number, length)
	switch net {
	case "SCL", "SDA", "~{INT}":
		s.hier(net, "passive", end, out)
	case "GND", "+3V3", "+5V", "+5VL":
		s.global(net, end, out)
	default:
		s.label(net, end, out)
	}
}

// reed14 is the label of a square's reed on the sheets of MCP23017.
func reed14(square int) string { return fmt.Sprintf("R_%c%d", 'a'+square%8, square/8+1) }

// collectorSheet is five MCP23017 for the 64 reeds of a deck, for builders who have them. They are on a board of their
// own, where the ribbons of all eight strips end. The strips' own expanders are left out.
func collectorSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/collector", title: "Reeds of a deck on five MCP23017", lib: lib, notes: []string{
		"GPA7 and GPB7 are outputs only, and stay open.",
		"Chip k at 0x20 + k has the squares 14 k and on, a1, b1 ... h8.",
	}}
	portA := []string{"21", "22", "23", "24", "25", "26", "27"}
	portB := []string{"1", "2", "3", "4", "5", "6", "7"}
	for k := range 5 {
		u := s.put(mcp, 1+k, pt{44 + 58*k, 50}, 0)
		s.rail(u, "9", 2, "+3V3")
		s.rail(u, "10", 2, "GND")
		s.port(u, "13", 6, "SDA", "bidirectional")
		s.port(u, "12", 6, "SCL", "input")
		s.port(u, "20", 6, "~{INT}", "passive")
		s.open(u, "19", "8", "28")
		s.pinOf(u, "18", "+3V3")
		for bit, pin := range []string{"15", "16", "17"} {
			s.pinOf(u, pin, []string{"GND", "+3V3"}[k>>bit&1])
		}
		for i, pin := range append(append([]string{}, portA...), portB...) {
			if sq := 14*k + i; sq < 64 {
				s.port(u, pin, 4, reed14(sq), "input")
			} else {
				s.open(u, pin)
			}
		}
		c := s.put(c100n, 1+k, pt{50 + 58*k, 90}, 0)
		s.rail(c, "1", 2, "+3V3")
		s.rail(c, "2", 2, "GND")
	}
	for r := range 8 {
		j := s.put(pins(10, fmt.Sprintf("Reeds rank %d", r+1)), 1+r, pt{34 + 36*r, 130}, 0).mirrored()
		for i := range 10 {
			if i == 0 || i == 9 {
				s.pinOf(j, fmt.Sprint(i+1), "GND")
			} else {
				s.net(j, fmt.Sprint(i+1), 4, reed14(8*r+i-1))
			}
		}
	}
	j := s.put(pins(5, "Bus"), 9, pt{34, 170}, 0).mirrored()
	for i, n := range []string{"GND", "+3V3", "SCL", "SDA", "~{INT}"} {
		s.pinOf(j, fmt.Sprint(i+1), n)
	}
	s.text(pt{70, 164}, 1.5, "The capacitors stand at pins 9 and 10, not more than 3 mm away.\n"+
		"J1 to J8: ten-wire ribbons from J2 of the strips of ranks 1 to 8, pin for pin. Leave the strips' U1, C1 and J4 "+
		"of the expander out.\n"+
		"J9 goes to the Pi's bus, or to J1 of any strip (pins 3, 5, 6, 7, 8). INTA and INTB are mirrored and open drain "+
		"(sensing/mcp23017): INTA of all chips on one line.\n"+
		"GPA7 and GPB7 stay open: the driver makes them outputs. Inputs of the fifth chip without a square stay open: the "+
		"driver pulls them up. For boards with one deck: hardware.reeds: mcp23017.")
	return s
}

// reeds14Root is a deck's reeds on MCP23017: eight strips and the board where their ribbons end.
func reeds14Root(lib *library, rank, collector *sheet) *sheet {
	s := &sheet{file: "reeds14/reeds14", title: "Reeds on MCP23017 instead of TCA9535", lib: lib, notes: []string{
		"For builders who have MCP23017; the rest of the board is as in stack.",
	}}
	side := func(from int) []string {
		var list []string
		for sq := from; sq < from+32; sq++ {
			list = append(list, reed14(sq))
		}
		return list
	}
	c := s.child(collector, "Collector", pt{150, 20}, 40, 6000, append(side(0), "", "SCL", "SDA", "~{INT}"), side(32))
	for sq := range 64 {
		s.tie(c, reed14(sq), 4, reed14(sq))
	}
	for _, n := range []string{"SCL", "SDA", "~{INT}"} {
		s.tie(c, n, 4, n)
	}
	for r := range 8 {
		var in []string
		for i := range 8 {
			in = append(in, "REED_"+files[i:i+1])
		}
		left, right := []string{"DIN", "DOUT", "", "SCL", "SDA", "~{INT}"}, in
		if r >= 4 {
			left, right = right, left
		}
		k := s.child(rank, fmt.Sprintf("Rank %d", r+1), pt{60 + 190*(r/4), 20 + 30*(r%4)}, 30, 100*(r+1), left, right)
		s.chain(k, r+1)
		for i := range 8 {
			s.tie(k, in[i], 4, reed14(8*r+i))
		}
		for _, n := range []string{"SCL", "SDA", "~{INT}"} {
			s.tie(k, n, 4, n)
		}
	}
	for i, n := range []string{"+5VL", "+3V3", "GND"} {
		at := pt{150 + 16*i, 130}
		s.supply(n, at)
		s.wire(at, at.right(6))
		s.flag(at.right(6))
		tp := s.put(pad.with(n), 1+i, at.right(3), 2)
		tp.ref.hide, tp.val = true, spot{at: pt{0, 6}}
	}
	s.text(pt{100, 150}, 2, "A TCA9535 has sixteen inputs and is the better choice: since 2022 Microchip's datasheet "+
		"(DS20001952D) declares GPA7 and GPB7 of the\n"+
		"MCP23017 outputs only, so four chips are not enough for 64 reeds. Five take the squares in order, fourteen each.")
	return s
}
