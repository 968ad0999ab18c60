// SPDX-License-Identifier: Apache-2.0

package draw

import "fmt"

// nanoPins is the pin of an Arduino Nano at which each corner's DOUT ends, in the order of the cells: a1, h1, a8, h8.
var nanoPins = [4]string{"19", "20", "21", "22"}

// nanoUnused is the Nano's pins that stay open. They are the two of its serial line to USB, resets, reference,
// supplies that it makes itself, and the rest.
var nanoUnused = []string{"2", "1", "5", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "30", "17", "28",
	"3", "18", "23", "24", "25", "26"}

// scaleSheet is the hub of a scale board: an Arduino Nano and the four plugs of bought HX711 modules, one under each
// corner.
func scaleSheet(lib *library) *sheet {
	s := &sheet{file: "sheets/scale", title: "Scale: Arduino Nano, four load cells", lib: lib, notes: []string{
		"Pins as in hardware/firmware/hub/nano.h. Nano, modules and cells are bought.",
		"Supply and ground are the Nano's own, by its USB line.",
	}}
	u := s.put(nano, 1, pt{80, 70}, 0)
	s.open(u, nanoUnused...)
	plus, _ := s.end(u, "27")
	s.wire(plus, plus.down(-4), pt{plus.x + 12, plus.y - 4})
	s.label("HUB_5V", pt{plus.x + 12, plus.y - 4}, pt{1, 0})
	for _, number := range []string{"4", "29"} {
		s.net(u, number, 4, "HUB_GND")
	}
	flag := pt{30, 110}
	s.wire(flag, flag.right(6))
	s.flag(flag)
	s.label("HUB_GND", flag.right(6), pt{1, 0})
	clock, _ := s.end(u, "6")
	r := s.put(r100, 10, clock.right(-8), 1)
	r.fields(pt{0, -4}, pt{0, -2}, "")
	l, e := s.sides(r)
	s.wire(e, clock)
	s.wire(l, l.right(-4))
	s.label("SCK", l.right(-4), pt{-1, 0})
	pull := s.put(r10k, 11, pt{44, 84}, 0)
	s.net(pull, "1", 2, "SCK")
	s.net(pull, "2", 2, "HUB_GND")
	for i, corner := range []string{"a1", "h1", "a8", "h8"} {
		at, _ := s.end(u, nanoPins[i])
		s.wire(at, at.right(6))
		s.label("CORNER_"+corner, at.right(6), pt{1, 0})
		y := 40 + 30*i
		j := s.put(pins(4, "Module "+corner), 1+i, pt{220, y}, 0)
		s.net(j, "1", 4, "HUB_GND")
		s.net(j, "4", 4, "HUB_5V")
		s.net(j, "3", 4, "SCK")
		dout, _ := s.end(j, "2")
		r := s.put(r1k, 1+i, dout.right(-30), 1)
		r.fields(pt{0, -4}, pt{0, -2}, "")
		l, e := s.sides(r)
		s.wire(e, dout)
		s.wire(l, l.right(-4))
		s.label("CORNER_"+corner, l.right(-4), pt{-1, 0})
		c := s.put(c100n, 1+i, pt{250, y + 2}, 0)
		s.net(c, "1", 2, "HUB_5V")
		s.net(c, "2", 2, "HUB_GND")
	}
	big := s.put(c10u, 5, pt{120, 100}, 0)
	s.net(big, "1", 2, "HUB_5V")
	s.net(big, "2", 2, "HUB_GND")
	s.text(pt{30, 170}, 1.5, "J5301 to J5304: one bought HX711 module and bar cell of 5 kg under each corner: ground, "+
		"DOUT, SCK, VCC, as most modules have them.\n"+
		"Lift RATE (pin 15) of each module's HX711 from ground and join it to VCC: 80 conversions a second.\n"+
		"R5301 to R5304, 1k: the converters do not feed a Nano that is off. R5311 holds the clock low while it starts: an "+
		"HX711 whose clock is high for 60 us goes to sleep.\n"+
		"All four share one clock: the firmware reads them when none is about to end a conversion. A Mega does as well: "+
		"DOUT on D22 to D25, clock on D3.\n"+
		"The Nano has 5 V by its USB line: four cells of 1 kohm take 20 mA, four HX711 6 mA. Grounds meet in the USB "+
		"cable alone.")
	return s
}

// scaleRoot is a board of one deck that stands on four load cells.
func scaleRoot(lib *library, pw, header, deck, scale *sheet) *sheet {
	s := &sheet{file: "scale/scale", title: "Scale board", lib: lib, notes: []string{
		"One deck of 64 squares: reed and light under every one, four load cells under all.",
		"Drawn by hardware/schematics/draw; held against the drivers by tests.",
	}}
	common(s, pw, header, deck)
	s.child(scale, "Scale", pt{120, 100}, 40, hubBase, nil, nil)
	leave(s, s.kids[2], "DOUT")
	s.text(pt{40, 120}, 2, fmt.Sprintf("The Nano hangs on the Pi by USB. Without the sheet %q this is the board with "+
		"reeds only.\n\n", "Scale")+
		"References: SW304, D304 reed and light of d3; hundreds are the rank, units the file.\n"+
		"Supply 51xx, Pi 52xx, scale 53xx, expanders 20xx; J6001 to J6008 on the Pi's board: the ranks' cables.\n\n"+
		"Bus: I2C1 at 400 kHz: expanders 0x20 to 0x23. Lights: SPI0, 64 in a chain, cap 2000 mA.")
	return s
}
