// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// expanderSheet is the TCA9535 of two ranks. It sits on the strip of the odd rank.
func expanderSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/expander", title: "Expander of two ranks", lib: lib, notes: []string{
		"Port 0 is the odd rank, port 1 the even one; the bit is the file (sensing/reeds).",
	}}
	u := s.put(tca, 1, pt{150, 80}, 0)
	s.port(u, "23", 6, "SDA", "bidirectional")
	s.port(u, "22", 6, "SCL", "input")
	s.port(u, "1", 6, "~{INT}", "passive")
	for i, n := range []string{"21", "2", "3"} {
		s.port(u, n, 6, fmt.Sprintf("A%d", i), "input")
	}
	s.rail(u, "24", 2, "+3V3")
	s.rail(u, "12", 2, "GND")
	for i := range 8 {
		s.port(u, fmt.Sprint(4+i), 6, "IN0_"+files[i:i+1], "input")
		s.port(u, fmt.Sprint(13+i), 6, "IN1_"+files[i:i+1], "input")
	}
	c := s.put(c100n, 1, pt{186, 46}, 0)
	s.rail(c, "1", 2, "+3V3")
	s.rail(c, "2", 2, "GND")
	s.text(pt{196, 42}, 1.5, "C at pins 24 and 12,\nnot more than 3 mm away.")
	j := s.put(pins(10, "Reeds in"), 4, pt{232, 82}, 0)
	for i := range 10 {
		if i == 0 || i == 9 {
			s.pinOf(j, fmt.Sprint(i+1), "GND")
			continue
		}
		s.net(j, fmt.Sprint(i+1), 4, "IN1_"+files[i-1:i])
	}
	s.text(pt{212, 100}, 1.5, "J4: from J2 of the strip of the even rank.\nPin 2 is file a, pin 9 file h.")
	s.text(pt{100, 126}, 1.5, "INT is open drain; the expanders of both decks share one line, pulled up at the Pi.\n"+
		"All pins stay inputs: at power-up by the datasheet (SCPS201, power-on reset), then by the driver.\n"+
		"Inputs have no pull-ups of their own (TCA9535), so the ranks' 10k decide the level.")
	return s
}

// deckSheet is eight ranks and their four expanders.
func deckSheet(lib *library, rank, exp, plugs *sheet) *sheet {
	s := &sheet{file: "sheets/deck", title: "Deck: eight ranks, four expanders", lib: lib, notes: []string{
		"Address 0x20 + 4 x deck + k: A0, A1 count the chips, A2 is the deck.",
		"Lights: a1 to h1, then a2 to h2 and so on (leds/chain, rows).",
	}}
	for k := range 4 {
		y := 18 + 48*k
		reeds := [2][]string{}
		for i := range 8 {
			for port := range 2 {
				reeds[port] = append(reeds[port], fmt.Sprintf("IN%d_%s", port, files[i:i+1]))
			}
		}
		x := s.child(exp, fmt.Sprintf("Expander %d", k+1), pt{140, y}, 40, 2000+20*k,
			append(reeds[0], "", "SCL", "SDA", "~{INT}"), append(reeds[1], "", "A0", "A1", "A2"))
		var ranks [2]*kid
		for port := range 2 {
			r := 2*k + port + 1
			var in, out []string
			for i := range 8 {
				out = append(out, "REED_"+files[i:i+1])
			}
			in = []string{"DIN", "DOUT", "", "SCL", "SDA", "~{INT}"}
			if port == 1 {
				in, out = out, in
			}
			ranks[port] = s.child(rank, fmt.Sprintf("Rank %d", r), pt{64 + 162*port, y}, 30, 100*r, in, out)
			s.chain(ranks[port], r)
			for _, n := range []string{"SCL", "SDA", "~{INT}"} {
				s.tie(ranks[port], n, 4, n)
			}
			for i := range 8 {
				a, _ := ranks[port].pin("REED_" + files[i:i+1])
				b, _ := x.pin(fmt.Sprintf("IN%d_%s", port, files[i:i+1]))
				s.wire(a, b)
				mid := pt{min(a.x, b.x) + 14, a.y}
				s.label(fmt.Sprintf("REED_%s%d", string("abcdefgh"[i]), r), mid, pt{1, 0})
			}
		}
		for _, n := range []string{"SCL", "SDA", "~{INT}"} {
			s.tie(x, n, 4, n)
		}
		for bit := range 2 {
			net := "GND"
			if k>>bit&1 == 1 {
				net = "+3V3"
			}
			at, out := x.pin(fmt.Sprintf("A%d", bit))
			end := at.add(out.times(10))
			s.wire(at, end)
			s.global(net, end, out)
		}
		s.tie(x, "A2", 4, "A2")
		s.text(pt{183, y + 32}, 1.5, fmt.Sprintf("0x%02x on the lower deck, 0x%02x on the upper", 0x20+k, 0x24+k))
	}
	for i, n := range []struct{ name, shape string }{{"SCL", "input"}, {"SDA", "bidirectional"}, {"~{INT}", "passive"},
		{"A2", "input"}, {"DIN", "input"}, {"DOUT", "output"}} {
		s.handOn(n.name, n.shape, pt{28, 22 + 4*i})
	}
	s.text(pt{14, 60}, 1.5, "Cable of a rank: J1 of its strip\nto J6001 and on, on the Pi's board,\n"+
		"pin for pin. Even ranks send\ntheir reeds by J2 to J4 of the\nstrip before.")
	k := s.child(plugs, "Plugs", pt{292, 14}, 26, plugsBase, plugNames(), nil)
	for _, n := range plugNames() {
		s.tie(k, n, 4, n)
	}
	return s
}

// plugsSheet returns the plugs of a deck's eight ranks on the Pi's board.
func plugsSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/plugs", title: "Plugs of eight ranks, on the Pi's board", lib: lib, notes: []string{
		"The lights' data goes out by pin 9 of a rank, comes back by pin 10, and goes on to the next.",
	}}
	for r := 1; r <= 8; r++ {
		j := s.put(pins(10, fmt.Sprintf("Rank %d", r)), r, pt{80 + 100*((r-1)/4), 24 + 30*((r-1)%4)}, 0)
		in, out := chained(r)
		for i, n := range []string{"+5VL", "+5VL", "GND", "GND", "+3V3", "SCL", "SDA", "~{INT}", in, out} {
			s.pinTo(j, fmt.Sprint(i+1), n)
		}
	}
	for i, n := range plugNames() {
		s.handOn(n, "passive", pt{240, 24 + 4*i})
	}
	return s
}

// plugNames returns the nets that a deck's plugs share with the rest of the Pi's board and with each other.
func plugNames() []string {
	list := []string{"DIN", "DOUT", "SCL", "SDA", "~{INT}"}
	for r := 2; r <= 8; r++ {
		list = append(list, fmt.Sprintf("LED_%d", r))
	}
	return list
}

// handOn gives a net to the parent sheet, at a place of its own.
func (s *sheet) handOn(name, shape string, at pt) {
	s.wire(at, at.right(8))
	s.hier(name, shape, at, pt{-1, 0})
	s.label(name, at.right(8), pt{1, 0})
}

// chain ties a rank into the chain of lights: the output of one is the input of the next.
func (s *sheet) chain(k *kid, r int) {
	in, out := chained(r)
	s.tie(k, "DIN", 4, in)
	s.tie(k, "DOUT", 4, out)
}

// chained returns the nets of the lights' data before and after a rank.
func chained(r int) (in, out string) {
	in, out = fmt.Sprintf("LED_%d", r), fmt.Sprintf("LED_%d", r+1)
	if r == 1 {
		in = "DIN"
	}
	if r == 8 {
		out = "DOUT"
	}
	return in, out
}
