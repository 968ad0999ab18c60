// SPDX-License-Identifier: Apache-2.0

package draw

// powerSheet is the supply of a board.
func powerSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/power", title: "Supply: 5 V in, lights, 3.3 V", lib: lib, notes: []string{
		"5 V 6 A adapter of class II.",
	}}
	s.frame(box{12, 12, 200, 92}, "5 V: main fuse, reversed polarity, surges")
	j := s.put(power, 1, pt{26, 40}, 0).mirrored()
	f := s.put(fuse, 1, pt{48, 40}, 1)
	l, r := s.sides(f)
	in, _ := s.end(j, "1")
	s.wire(in, l)
	gnd, _ := s.end(j, "2")
	s.wire(gnd, gnd.right(4), gnd.right(4).down(6))
	s.supply("GND", gnd.right(4).down(6))
	s.flag(gnd.right(4).down(3))
	q := s.put(fet, 1, pt{92, 42}, 1)
	q.fields(pt{5, -8}, pt{5, -6}, "left")
	// turned once, the drain looks left and the source right, the gate down
	drain, _ := s.end(q, "5")
	source, _ := s.end(q, "1")
	gate, _ := s.end(q, "4")
	first := pt{64, 40}
	s.wire(r, first)
	s.wire(first, drain)
	d := s.put(tvs, 1, pt{64, 52}, 3) // its bar, pin 1, to the 5 V
	t, b := s.ends(d)
	s.wire(first, t)
	s.wire(b, b.down(2))
	s.supply("GND", b.down(2))
	d.fields(pt{4, -1}, pt{4, 1}, "left")
	rg := s.put(r10k, 1, pt{gate.x, gate.y + 8}, 0)
	top, _ := s.end(rg, "1")
	s.wire(gate, top)
	s.rail(rg, "2", 2, "GND")
	out := pt{176, 40}
	s.wire(source, out)
	s.flag(pt{112, 40})
	s.supply("+5V", pt{118, 40})
	c := s.put(c100u, 1, pt{126, 48}, 0)
	s.drop(c, 40)
	c2 := s.put(c10u, 2, pt{142, 48}, 0)
	s.drop(c2, 40)
	tp := s.put(point.with("TP1 5V"), 1, pt{158, 40}, 0)
	tp.ref.hide, tp.val = true, spot{at: pt{0, -6}}
	res := s.put(r1k, 2, pt{176, 48}, 0)
	rt, _ := s.end(res, "1")
	s.wire(rt, pt{176, 40})
	on := s.put(led, 2, pt{176, 58}, 1)
	ot, ob := s.ends(on)
	rb, _ := s.end(res, "2")
	s.wire(rb, ot)
	s.wire(ob, ob.down(2))
	s.supply("GND", ob.down(2))
	on.fields(pt{4, -1}, pt{4, 1}, "left")
	s.text(pt{14, 72}, 1.5, "Reversed: Q1 stays shut and D1 blows F1. Q1 drops 16 mohm x 5 A = 80 mV (DMP2022LSS, "+
		"RDS(on) at 4.5 V).\n"+
		"F1 6.3 A slow: a 6 A adapter limits itself before F1 opens; F1 is for a stronger supply and for a short that "+
		"bulk capacitors feed.\n"+
		"An adapter that gives no more than 5.25 V: WS2812B stand 5.3 V, the Pi 5.25 V.\n"+
		"Budget: lights 2 A (stack) or 3 A (twin), Pi 1.3 A, hub and cells 0.5 A, the rest 0.1 A: 3.9 A or 4.4 A of 6 A.")

	s.frame(box{12, 100, 200, 150}, "Lights: sized by leds.cap_ma")
	f2 := s.put(fuse4, 2, pt{48, 122}, 1)
	l, r = s.sides(f2)
	s.wire(l, l.right(-14))
	s.supply("+5V", l.right(-14))
	lights := pt{120, 122}
	s.wire(r, lights)
	s.flag(pt{66, 122})
	s.supply("+5VL", pt{76, 122})
	c3 := s.put(c100u, 3, pt{90, 130}, 0)
	s.drop(c3, 122)
	tp2 := s.put(point.with("TP2 lights"), 2, pt{120, 122}, 0)
	tp2.ref.hide, tp2.val = true, spot{at: pt{0, -6}}
	j2 := s.put(pins(4, "Lights"), 2, pt{162, 124}, 0)
	for i, n := range []string{"+5VL", "+5VL", "GND", "GND"} {
		s.pinOf(j2, string(rune('1'+i)), n)
	}
	j3 := s.put(pins(4, "Feed of cells"), 3, pt{190, 124}, 0)
	for i, n := range []string{"+5V", "+5V", "GND", "GND"} {
		s.pinOf(j3, string(rune('1'+i)), n)
	}
	s.text(pt{14, 140}, 1.5, "The software holds all lights at cap_ma: 2000 (stack), 3000 (twin). F2 4 A slow holds "+
		"both, and opens where the cap fails: 128 lights at white ask 6.4 A.\n"+
		"Each rank has its 5 V by its own cable; J2 feeds what wants more (J3 of a strip). J3 here feeds the load cells' "+
		"boards, by the hub's shield.")

	s.frame(box{208, 12, 318, 92}, "3.3 V: expanders, reeds, multiplexers")
	u := s.put(ldo33, 1, pt{262, 42}, 0)
	vin, _ := s.end(u, "1")
	s.wire(vin, pt{226, vin.y})
	s.supply("+5V", pt{226, vin.y})
	c4 := s.put(c10u, 4, pt{236, 48}, 0)
	s.drop(c4, vin.y)
	s.port(u, "3", 4, "PI_3V3", "input")
	s.rail(u, "2", 2, "GND")
	s.open(u, "4")
	vout, _ := s.end(u, "5")
	s.wire(vout, pt{300, vout.y})
	s.supply("+3V3", pt{286, vout.y})
	c5 := s.put(c10u, 5, pt{280, 48}, 0)
	s.drop(c5, vout.y)
	tp3 := s.put(point.with("TP3 3V3"), 3, pt{300, vout.y}, 0)
	tp3.ref.hide, tp3.val = true, spot{at: pt{0, -6}}
	tp4 := s.put(point.with("TP4 GND"), 4, pt{310, 60}, 0)
	tp4.ref.hide, tp4.val = true, spot{at: pt{0, -6}}
	s.wire(pt{310, 60}, pt{310, 62})
	s.supply("GND", pt{310, 62})
	s.text(pt{214, 66}, 1.5, "Enabled by the Pi's own 3.3 V, so that no pull-up feeds a Pi that is off.\n"+
		"Load: 128 reeds closed 38 mA, expanders and multiplexers below 2 mA,\n"+
		"bus pull-ups 3 mA: 43 mA of 600 mA. It warms by 75 mW.")
	s.frame(box{208, 100, 318, 150}, "Ground")
	s.text(pt{214, 108}, 1.5, "One ground. It is joined at J1 of this sheet: lights return by the\n"+
		"strips' planes and J2, never through the Pi's header.\n"+
		"Load cells return to their own regulator's ground on the cells' board\n"+
		"(AGND and GND meet there under each HX711).\nShields and metal of the case: to GND at J1 only.")
	return s
}

// sides returns the left and the right end of a horizontal part.
func (s *sheet) sides(p *part) (l, r pt) {
	l, _ = s.end(p, "1")
	r, _ = s.end(p, "2")
	if l.x > r.x {
		l, r = r, l
	}
	return l, r
}

// ends returns the upper and the lower end of a vertical part.
func (s *sheet) ends(p *part) (t, b pt) {
	t, _ = s.end(p, "1")
	b, _ = s.end(p, "2")
	if t.y > b.y {
		t, b = b, t
	}
	return t, b
}

// drop joins a capacitor to a horizontal wire above it and to ground below.
func (s *sheet) drop(c *part, y int) {
	top, _ := s.end(c, "1")
	s.wire(top, pt{top.x, y})
	s.rail(c, "2", 2, "GND")
}
