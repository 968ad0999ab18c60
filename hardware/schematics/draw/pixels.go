// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// pixelsSheet returns the lights of two ranks with APA102. The odd one runs from a to h, the even one back from h to
// a. So cables stay on the a side (leds.serpentine: true).
func pixelsSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/pixels", title: "Lights of two ranks: sixteen APA102", lib: lib, notes: []string{
		"D304 is the light of d3. The even rank runs from h to a.",
	}}
	s.frame(box{12, 20, 318, 78}, "Odd rank, a to h")
	s.pixels(40, 0, 1)
	s.frame(box{12, 84, 318, 142}, "Even rank, h to a")
	s.pixels(104, 100, -1)
	for _, k := range []struct {
		what        string
		n           int
		clock, data string
	}{{"Lights in", 1, "CI", "DI"}, {"Lights out", 2, "CO", "DO"}} {
		j := s.put(pins(4, k.what), k.n, pt{40 + 70*(k.n-1), 164}, 0).mirrored()
		for i, n := range []string{"+5VL", k.clock, k.data, "GND"} {
			s.pinOf(j, fmt.Sprint(i+1), n)
		}
	}
	s.text(pt{150, 156}, 1.5, "The clock travels with the data through every light; 5 V levels from the shifters on "+
		"the Pi's sheet, where 100 ohm end the lines.\n"+
		"Each rank has a fuse of its own: eight lights at white ask 0.48 A (60 mA each). Cables: J2 of a pair of ranks to "+
		"J1 of the next, both on the a side.\n"+
		"SK9822 have the same pins. LED_SMD:LED_RGB_5050-6 is the outline that KiCad gives them: hold it against the part "+
		"you bought.")
	return s
}

// pixels draws one rank. If the chain runs left, the lights are mirrored. Numbers count the files, from base.
func (s *sheet) pixels(bus, base, way int) {
	y := bus + 18
	x := func(file int) int { return 52 + 33*file }
	f := s.put(ptc, base+1, pt{24, bus}, 1)
	l, r := s.sides(f)
	s.wire(l, l.right(-2))
	s.supply("+5VL", l.right(-2))
	v5 := fmt.Sprintf("V5_%d", base/100+1)
	bulk := s.put(c100u, base+29, pt{x(7) + 22, bus + 6}, 0)
	bt, _ := s.end(bulk, "1")
	s.wire(r, pt{bt.x, bus}, bt)
	s.rail(bulk, "2", 1, "GND")
	s.label(v5, r.right(2), pt{1, 0})
	s.flag(pt{r.x + 10, bus})
	var before *part
	for i := range 8 {
		file := i
		if way < 0 {
			file = 7 - i
		}
		d := s.put(apa, base+1+file, pt{x(file), y}, 0)
		if way < 0 {
			d.mirrored()
		}
		d.fields(pt{2, 7}, pt{2, 9}, "left")
		top, _ := s.end(d, "4")
		s.wire(top, pt{x(file), bus})
		s.rail(d, "3", 2, "GND")
		c := s.put(c100n, base+1+file, pt{x(file) + 12, bus + 6}, 0)
		ct, _ := s.end(c, "1")
		s.wire(ct, pt{x(file) + 12, bus})
		s.rail(c, "2", 1, "GND")
		if before != nil {
			for _, w := range [][2]string{{"6", "1"}, {"5", "2"}} {
				from, _ := s.end(before, w[0])
				to, _ := s.end(d, w[1])
				s.wire(from, to)
			}
		}
		if i == 0 {
			s.heads(d, base, "1", "2", "DI", "CI")
		}
		before = d
	}
	s.heads(before, 100-base, "6", "5", "DO", "CO")
}

// heads names data and clock at an end of a rank. They have the names of the cable at the a side, and names of their
// own at h, where the even rank takes over.
func (s *sheet) heads(d *part, cable int, data, clock, dataName, clockName string) {
	if cable == 0 {
		shape := map[string]string{"DI": "input", "DO": "output"}[dataName]
		s.port(d, data, 6, dataName, shape)
		s.port(d, clock, 4, clockName, shape)
		return
	}
	s.net(d, data, 6, "D_TURN")
	s.net(d, clock, 4, "C_TURN")
}

// apa102Root returns the lights of a deck with APA102 instead of WS2812B.
func apa102Root(lib *library, pixels *sheet) *sheet {
	s := &sheet{file: "apa102/apa102", title: "Lights with APA102 instead of WS2812B", lib: lib, notes: []string{
		"For builders who have APA102 or SK9822; the rest is as in stack.",
	}}
	j := s.put(pins(4, "APA102 of the Pi"), 6101, pt{40, 40}, 0).mirrored()
	for i, n := range []string{"+5VL", "CLOCK_1", "DATA_1", "GND"} {
		s.pinOf(j, fmt.Sprint(i+1), n)
	}
	for k := range 4 {
		p := s.child(pixels, fmt.Sprintf("Ranks %d and %d", 2*k+1, 2*k+2), pt{100 + 50*k, 30}, 24, 200*k+100,
			[]string{"DI", "CI"}, []string{"DO", "CO"})
		s.tie(p, "DI", 4, fmt.Sprintf("DATA_%d", k+1))
		s.tie(p, "CI", 4, fmt.Sprintf("CLOCK_%d", k+1))
		if k < 3 {
			s.tie(p, "DO", 4, fmt.Sprintf("DATA_%d", k+2))
			s.tie(p, "CO", 4, fmt.Sprintf("CLOCK_%d", k+2))
			continue
		}
		s.tie(p, "DO", 4, "DATA_END")
		s.tie(p, "CO", 4, "CLOCK_END")
	}
	for i, n := range []string{"+5VL", "GND"} {
		at := pt{40 + 16*i, 80}
		s.supply(n, at)
		s.wire(at, at.right(6))
		s.flag(at.right(6))
		tp := s.put(pad.with(n), 1+i, at.right(3), 2)
		tp.ref.hide, tp.val = true, spot{at: pt{0, 6}}
	}
	s.text(pt{40, 100}, 2, "J6101 is the plug on J5202 of the Pi's sheet. The lights of the strips (D, C121 and on, "+
		"R121, F101, C129) are left out then.\n"+
		"leds.chip: apa102, leds.serpentine: true, as in config/samples/apa102.yaml.")
	return s
}
