// SPDX-License-Identifier: Apache-2.0

package draw

// piSheet is the Raspberry Pi's header with all that hangs on it: bus, lights, display, clock buttons.
func piSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/pi", title: "Raspberry Pi, lights' data, clock buttons, display", lib: lib, notes: []string{
		"GPIO numbers are those of config.Default and of the samples.",
	}}
	h := s.put(pi, 1, pt{70, 60}, 0)
	h.fields(pt{-18, -27}, pt{-18, -25}, "left")
	s.rail(h, "2", 4, "+5V")
	v3, _ := s.end(h, "1")
	s.wire(v3, v3.down(-6))
	s.flag(v3.down(-6))
	s.wire(v3.down(-3), v3.add(pt{4, -3}))
	s.label("PI_3V3", v3.add(pt{4, -3}), pt{1, 0})
	s.rail(h, "6", 2, "GND")
	s.net(h, "3", 6, "SDA")
	s.net(h, "5", 6, "SCL")
	s.net(h, "7", 6, "SDA3")
	s.net(h, "29", 6, "SCL3")
	s.net(h, "19", 6, "MOSI")
	s.net(h, "23", 6, "SCLK")
	s.net(h, "11", 6, "~{INT}")
	s.net(h, "15", 6, "FREE_SCL")
	s.net(h, "13", 6, "FREE_SDA")
	s.net(h, "16", 6, "WHITE")
	s.net(h, "18", 6, "BLACK")
	s.open(h, "8", "10", "36", "12", "35", "38", "40", "22", "37", "27", "28", "31", "26", "24", "21", "32", "33")
	for i, n := range []struct{ name, shape string }{{"PI_3V3", "output"}, {"SCL", "output"}, {"SDA", "bidirectional"},
		{"~{INT}", "passive"}, {"LED_DATA", "output"}} {
		at := pt{28, 112 + 4*i}
		s.wire(at, at.right(6))
		s.hier(n.name, n.shape, at, pt{-1, 0})
		s.label(n.name, at.right(6), pt{1, 0})
	}
	s.pullUps()
	s.lampData()
	s.table()
	s.text(pt{12, 180}, 1.5, "config.txt: dtparam=i2c_arm=on,i2c_arm_baudrate=400000  dtparam=spi=on  dtoverlay=i2c3 "+
		"(display)\n"+
		"hardware.int: GPIO17   hardware.scl: GPIO22   hardware.sda: GPIO27   hardware.white_button: GPIO23   "+
		"hardware.black_button: GPIO24\n"+
		"hardware.i2c: I2C1 (GPIO2, GPIO3)   hardware.spi: SPI0.0 (GPIO10 data, GPIO11 clock for APA102)   "+
		"hardware.display: I2C3 (GPIO4, GPIO5)")
	return s
}

// pullUps draws the sensors' bus: pull-ups beside the Pi's own 1.8k, and the wires that free a stuck bus.
func (s *sheet) pullUps() {
	s.frame(box{112, 12, 216, 78}, "Sensors' bus")
	for i, n := range []string{"SCL", "SDA", "~{INT}"} {
		k := r2k2
		if n == "~{INT}" {
			k = r10k
		}
		r := s.put(k, 1+i, pt{124 + 18*i, 28}, 0)
		s.rail(r, "1", 2, "+3V3")
		s.net(r, "2", 3, n)
	}
	for i, n := range []string{"SCL", "SDA"} {
		r := s.put(r100, 4+i, pt{190, 24 + 10*i}, 1)
		l, e := s.sides(r)
		s.wire(l, l.right(-2))
		s.label("FREE_"+n, l.right(-2), pt{-1, 0})
		s.wire(e, e.right(3))
		s.label(n, e.right(3), pt{1, 0})
	}
	s.text(pt{118, 52}, 1.5, "2.2k beside the Pi's 1.8k make 990 ohm: 3 mA at 0.4 V, what every chip on\n"+
		"the bus can sink (UM10204).\n"+
		"Rise time at 400 kHz, limit 300 ns: simulated for both boards in spice_test.go.\n"+
		"R4, R5: two GPIOs give nine clocks to a chip that holds SDA (sensing/bus); 100 ohm so that\n"+
		"nothing is shorted when both drive.")
}

// lampData draws the level shifters of the lights.
func (s *sheet) lampData() {
	s.frame(box{112, 84, 216, 170}, "Lights' data, 3.3 V to 5 V")
	for i, n := range []struct{ in, out string }{{"MOSI", "LED_DATA"}, {"SCLK", "LED_CLOCK"}} {
		y := 106 + 26*i
		u := s.put(shift, 1+i, pt{148, y}, 0)
		u.fields(pt{6, -6}, pt{6, -4}, "left")
		s.net(u, "2", 6, n.in)
		s.rail(u, "5", 1, "+5V")
		s.rail(u, "3", 1, "GND")
		oe, _ := s.end(u, "1")
		s.wire(oe, oe.right(3))
		s.global("GND", oe.right(3), pt{1, 0})
		r := s.put(r100, 6+i, pt{170, y}, 1)
		out, _ := s.end(u, "4")
		l, e := s.sides(r)
		s.wire(out, l)
		s.wire(e, e.right(3))
		s.label(n.out, e.right(3), pt{1, 0})
		c := s.put(c100n, 1+i, pt{128, y - 10}, 0)
		s.rail(c, "1", 1, "+5V")
		s.rail(c, "2", 1, "GND")
	}
	j := s.put(pins(4, "APA102"), 2, pt{206, 146}, 0)
	for i, n := range []string{"+5VL", "LED_CLOCK", "LED_DATA", "GND"} {
		s.pinOf(j, string(rune('1'+i)), n)
	}
	s.text(pt{118, 154}, 1.5, "WS2812B ask for 0.7 x VDD = 3.5 V: 3.3 V is not enough. AHCT takes 2.0 V for high.\n"+
		"100 ohm at the source, 330 ohm at each strip: no edge rings above VDD + 0.5 V.\n"+
		"J2: a chain of APA102 instead of the strips' lights.")
}

// table draws what stands beside the board: display and clock buttons.
func (s *sheet) table() {
	s.frame(box{222, 12, 318, 170}, "Beside the board: hands and cables, so with ESD protection")
	for i, n := range []string{"WHITE", "BLACK"} {
		y := 40 + 26*i
		pull := s.put(r10k, 10+i, pt{252, y - 8}, 0)
		s.rail(pull, "1", 1, "+3V3")
		_, foot := s.ends(pull)
		node := pt{252, y}
		s.wire(foot, node)
		series := s.put(r1k, 12+i, pt{264, y}, 1)
		l, e := s.sides(series)
		s.wire(pt{242, y}, l)
		s.label(n, pt{242, y}, pt{-1, 0})
		c := s.put(c100n, 5+i, pt{242, y + 6}, 0)
		s.drop(c, y)
		s.wire(e, e.right(4))
		s.label(n+"_KEY", e.right(4), pt{1, 0})
	}
	j := s.put(pins(3, "Clock keys"), 3, pt{304, 40}, 0)
	for i, n := range []string{"WHITE_KEY", "GND", "BLACK_KEY"} {
		s.pinOf(j, string(rune('1'+i)), n)
	}
	s.guard(2, pt{300, 64}, "WHITE_KEY", "BLACK_KEY", "")
	for i, n := range []string{"SDA3", "SCL3"} {
		r := s.put(r2k2, 14+i, pt{236 + 16*i, 108}, 0)
		s.rail(r, "1", 1, "+3V3")
		s.net(r, "2", 2, n)
	}
	d := s.put(pins(4, "SSD1306"), 4, pt{304, 112}, 0)
	for i, n := range []string{"GND", "+3V3", "SCL3", "SDA3"} {
		s.pinOf(d, string(rune('1'+i)), n)
	}
	s.guard(3, pt{300, 136}, "SCL3", "SDA3", "+3V3")
	s.text(pt{228, 148}, 1.5, "Keys close to ground. 10k and 100n: 1 ms, 1k keeps a spark off the GPIO.\n"+
		"Display at 0x3C on a bus of its own; the order of its pins differs from maker to\n"+
		"maker: look before plugging in. Cables not longer than 0.5 m.")
}

// guard draws the protection of up to three wires.
func (s *sheet) guard(n int, at pt, nets ...string) {
	d := s.put(esd, n, at, 0)
	d.fields(pt{5, -1}, pt{5, 1}, "left")
	s.rail(d, "1", 1, "GND")
	for i, pin := range []string{"2", "3", "4"} {
		if nets[i] == "" {
			s.open(d, pin)
			continue
		}
		end, _ := s.stub(d, pin, 2+4*i)
		far := end.right(-6 - 2*i)
		s.wire(end, far)
		if nets[i] == "+3V3" {
			s.global(nets[i], far, pt{-1, 0})
		} else {
			s.label(nets[i], far, pt{-1, 0})
		}
	}
}
