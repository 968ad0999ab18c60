// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// reed14 is the label of a square's reed on the sheets of MCP23017.
func reed14(square int) string { return fmt.Sprintf("R_%c%d", 'a'+square%8, square/8+1) }

// collectorSheet is five MCP23017 for the 64 reeds of a deck, for who has them: on a board of its own, where the ribbons of
// all eight strips end. The strips' own expanders are left out.
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
		"J1 to J8: ten-wire ribbons from J2 of the strips of ranks 1 to 8, pin for pin. Leave the strips' U1, C1 and J4 of the expander out.\n"+
		"J9 goes to the Pi's bus, or to J1 of any strip (pins 3, 5, 6, 7, 8). INTA and INTB are mirrored and open drain (sensing/mcp23017): INTA of all chips on one line.\n"+
		"GPA7 and GPB7 stay open: the driver makes them outputs. Inputs of the fifth chip without a square stay open: the driver pulls them up. For boards with one deck: hardware.reeds: mcp23017.")
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
	s.text(pt{100, 150}, 2, "A TCA9535 has sixteen inputs and is the better choice: since 2022 Microchip's datasheet (DS20001952D) declares GPA7 and GPB7 of the\n"+
		"MCP23017 outputs only, so four chips are not enough for 64 reeds. Five take the squares in order, fourteen each.")
	return s
}
