// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// eyesSheet is a strip of eight height sensors behind their multiplexer.
func eyesSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/eyes", title: "Height sensors of a rank: TCA9548A, eight VL6180X", lib: lib,
		notes: []string{
			"A pluggable strip under the upper deck, looking down. SC0, SD0: file a.",
			"U4x01 is the sensor over file a of rank x: U4304 looks at d3.",
		}}
	u := s.put(mux, 9, pt{44, 56}, 0)
	s.port(u, "22", 4, "SCL", "input")
	s.port(u, "23", 4, "SDA", "bidirectional")
	for i, n := range []string{"1", "2", "21"} {
		s.port(u, n, 4, fmt.Sprintf("A%d", i), "input")
	}
	s.rail(u, "24", 1, "+3V3")
	s.rail(u, "12", 1, "GND")
	s.net(u, "3", 2, "~{RST}")
	channels := [8][2]string{{"5", "4"}, {"7", "6"}, {"9", "8"}, {"11", "10"}, {"14", "13"}, {"16", "15"}, {"18", "17"},
		{"20", "19"}}
	for i, c := range channels {
		s.net(u, c[0], 3, "SCL_"+files[i:i+1])
		s.net(u, c[1], 3, "SDA_"+files[i:i+1])
	}
	for i := range 8 {
		s.eye(i, pt{104 + 57*(i%4), 36 + 66*(i/4)})
	}
	r := s.put(r10k, 9, pt{18, 94}, 0)
	s.rail(r, "1", 1, "+3V3")
	s.net(r, "2", 2, "~{RST}")
	c := s.put(c100n, 9, pt{32, 94}, 0)
	s.rail(c, "1", 1, "+3V3")
	s.rail(c, "2", 1, "GND")
	j := s.put(box10.with("Strip"), 1, pt{40, 120}, 0)
	for i, n := range eyesBus {
		if n == "" {
			s.open(j, fmt.Sprint(i+1))
		} else {
			s.pinTo(j, fmt.Sprint(i+1), map[string]string{"SCL_UP": "SCL", "SDA_UP": "SDA"}[n], n)
		}
	}
	v := s.put(ldo28, 10, pt{40, 156}, 0)
	in, _ := s.end(v, "1")
	en, _ := s.end(v, "3")
	s.wire(in, in.right(-10))
	s.wire(en, pt{in.x - 4, en.y}, pt{in.x - 4, in.y})
	s.supply("+5V", in.right(-10))
	ci := s.put(c10u, 30, pt{26, 162}, 0)
	s.drop(ci, in.y)
	s.rail(v, "2", 2, "GND")
	s.open(v, "4")
	out, _ := s.end(v, "5")
	s.wire(out, out.right(22))
	s.label("2V8", out.right(22), pt{1, 0})
	co := s.put(c10u, 31, pt{54, 162}, 0)
	s.drop(co, out.y)
	s.text(pt{84, 160}, 1.5, "2.8 V for the sensors (datasheet: 2.6 to 3.0 V, AVDD and AVDD_VCSEL), a regulator of 500 "+
		"mA for each rank. The driver fires four of a rank at a time, in a checkerboard.\n"+
		"Simulated with all 64 firing at once, 40 mA each: 2V8 stays above 2.6 V on the last of a rank (spice_test.go).\n"+
		"The multiplexer runs at 3.3 V and passes no more than 2.8 V (TCA9548A, Vo(sw) at 3 to 3.6 V), so the channels "+
		"need no level shifters.\n"+
		"GPIO0 is the chip enable: pulled up. GPIO1 is not used. NC may be grounded (datasheet, pin table), which helps "+
		"the heat and the shield.\n"+
		"Address of the strip by its solder jumpers A0 to A2: rank 1 is 0x70, rank 8 is 0x77. No cover glass, or "+
		"calibrate the crosstalk.")
	return s
}

// eye draws one sensor.
func (s *sheet) eye(i int, o pt) {
	f := files[i : i+1]
	u := s.put(eye, 1+i, o.right(8), 0)
	s.net(u, "5", 8, "SCL_"+f)
	s.net(u, "6", 8, "SDA_"+f)
	for k, pin := range []string{"5", "6"} {
		r := s.put(r4k7, 1+i+10*k, pt{o.x - 4 - 10*k, o.y + 16}, 0)
		s.net(r, "2", 2, []string{"SCL_", "SDA_"}[k]+f)
		s.net(r, "1", 2, "2V8")
		_ = pin
	}
	ce, _ := s.end(u, "4")
	r := s.put(r10k, 21+i, pt{ce.x - 8, ce.y - 7}, 0)
	r.fields(pt{-2, -1}, pt{-2, 1}, "right")
	_, foot := s.ends(r)
	s.wire(foot, pt{foot.x, ce.y}, ce)
	s.net(r, "1", 2, "2V8")
	s.open(u, "1")
	vd, _ := s.end(u, "10")
	vc, _ := s.end(u, "8")
	s.wire(vd, vd.down(-2), vc.down(-2), vc)
	s.wire(vc.down(-2), vc.add(pt{8, -2}))
	s.label("2V8", vc.add(pt{8, -2}), pt{1, 0})
	for _, n := range []string{"12", "9", "2", "3", "7", "11"} {
		at, _ := s.end(u, n)
		s.wire(at, at.down(1))
	}
	a, _ := s.end(u, "12")
	b, _ := s.end(u, "11")
	s.wire(a.down(1), pt{b.x, b.y + 1})
	s.wire(a.down(1), a.down(2))
	s.supply("GND", a.down(2))
	c1 := s.put(c100n, 1+i, pt{o.x + 14, o.y + 24}, 0)
	s.net(c1, "1", 2, "2V8")
	s.rail(c1, "2", 1, "GND")
	c2 := s.put(ceramic("4.7u", "CL10A475KP8NNNC"), 11+i, pt{o.x + 26, o.y + 24}, 0)
	s.net(c2, "1", 2, "2V8")
	s.rail(c2, "2", 1, "GND")
}

// eyesBus is the ten wires to the strips of height sensors.
var eyesBus = []string{"+5V", "GND", "+5V", "GND", "+3V3", "GND", "SCL_UP", "GND", "SDA_UP", ""}

// heightsSheet returns the eight strips of sensors, behind the repeater.
func heightsSheet(lib *library, eyes, repeater *sheet) *sheet {
	s := &sheet{file: "sheets/heights", title: "Height sensors: eight strips; the upper deck's bus", lib: lib,
		notes: []string{
			"Multiplexer of rank r: 0x70 + r - 1 (sensing/heights). Sensors 0x29 behind every channel.",
		}}
	up := s.child(repeater, "Repeater", pt{60, 120}, 40, 0, []string{"SCL", "SDA"}, []string{"SCL_UP", "SDA_UP"})
	for _, n := range []string{"SCL", "SDA"} {
		at, out := up.pin(n)
		s.wire(at, at.add(out.times(8)))
		s.hier(n, map[string]string{"SCL": "input", "SDA": "bidirectional"}[n], at.add(out.times(8)), out)
		s.tie(up, n+"_UP", 6, n+"_UP")
	}
	for r := range 8 {
		k := s.child(eyes, fmt.Sprintf("Eyes %d", r+1), pt{60 + 64*(r%4), 22 + 40*(r/4)}, 24, 4000+100*(r+1)-heightsBase,
			[]string{"SCL", "SDA"}, []string{"A0", "A1", "A2"})
		s.tie(k, "SCL", 4, "SCL_UP")
		s.tie(k, "SDA", 4, "SDA_UP")
		for bit := range 3 {
			net := "GND"
			if r>>bit&1 == 1 {
				net = "+3V3"
			}
			at, out := k.pin(fmt.Sprintf("A%d", bit))
			s.wire(at, at.add(out.times(4)))
			s.global(net, at.add(out.times(4)), out)
		}
		s.text(pt{62 + 64*(r%4), 34 + 40*(r/4)}, 1.5, fmt.Sprintf("0x%02x, rank %d", 0x70+r, r+1))
	}
	return s
}

// repeaterSheet is the repeater on the Pi's board that separates the upper deck's bus from the Pi's.
func repeaterSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/repeater", title: "Repeater of the upper deck's bus, on the Pi's board", lib: lib,
		notes: []string{
			"For a twin board only.",
		}}
	s.frame(box{40, 108, 250, 176}, "Repeater between the Pi's bus and the upper deck's")
	u := s.put(repeat, 1, pt{140, 138}, 0)
	u.fields(pt{6, -12}, pt{6, -10}, "left")
	s.net(u, "2", 6, "SCL_UP")
	s.net(u, "3", 6, "SDA_UP")
	s.port(u, "7", 12, "SCL", "input")
	s.port(u, "6", 12, "SDA", "bidirectional")
	en, _ := s.end(u, "5")
	s.wire(en, en.right(8))
	s.global("+3V3", en.right(8), pt{1, 0})
	va, _ := s.end(u, "1")
	vb, _ := s.end(u, "8")
	s.wire(va, va.down(-2), vb.down(-2), vb)
	s.wire(vb.down(-2), vb.add(pt{10, -2}))
	s.supply("+3V3", vb.add(pt{10, -2}))
	s.rail(u, "4", 1, "GND")
	c := s.put(c100n, 1, pt{190, 124}, 0)
	s.rail(c, "1", 1, "+3V3")
	s.rail(c, "2", 1, "GND")
	for i, n := range []string{"SCL_UP", "SDA_UP"} {
		r := s.put(r1k, 1+i, pt{60 + 18*i, 130}, 0)
		s.rail(r, "1", 1, "+3V3")
		s.net(r, "2", 2, n)
	}
	j := s.put(box10.with("Eyes"), 11, pt{284, 132}, 0)
	for i, n := range eyesBus {
		if n == "" {
			s.open(j, fmt.Sprint(i+1))
		} else {
			s.pinTo(j, fmt.Sprint(i+1), n)
		}
	}
	for i, n := range []string{"SCL_UP", "SDA_UP"} {
		s.handOn(n, "passive", pt{270, 110 + 4*i})
	}
	s.text(pt{256, 148}, 1.5, "J5411: a ribbon with nine plugs\nto all eight strips.")
	s.text(pt{46, 158}, 1.5, "All chips and wires of a twin board would load one bus with more than 400 pF (UM10204, "+
		"Cb). The repeater parts it: both decks' expanders on the Pi's side (B),\n"+
		"the eight multiplexers on side A, where low is passed without the offset of side B (TCA9517A, 0.5 V).\n"+
		"R1, R2 1k: 2.9 mA at 0.4 V, within what the multiplexers sink (3 mA at 0.4 V). Rise times: spice_test.go.")
	return s
}
