// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"boardd/config"
)

// wiring is what leads to each rank of a deck, seen from above.
func wiring() []byte {
	s := newSheet(1040, 520, "Wiring by rank, seen from above, connectors towards rank 1")
	row := func(rank int) float64 { return 440 - 48*float64(rank-1) } // the upper edge of a strip
	small := func(x, y float64, text string) { s.text(x, y, text, style{size: 8, middle: true}) }
	plug := func(x, y float64, fill, name string) {
		s.rect(x-15, y, 30, 9, fill, edge)
		small(x, y+8, name)
	}
	for rank := 1; rank <= 8; rank++ {
		y := row(rank)
		s.rect(250, y, 420, 26, "#dff3e6", copper)
		s.text(690, y+17, fmt.Sprintf("rank %d", rank), style{})
		for file := range 8 {
			x := 274 + 52*float64(file)
			s.rect(x, y+5, 4, 16, reed, edge)
			s.rect(x+18, y+3, 7, 7, light, edge)
		}
		plug(296, y+15, "#fff", "J1")
		if rank%2 == 1 { // the one with the expander of both
			plug(348, y+15, "#eee", "J2")
			plug(400, y+15, "#bbf", "J4")
			s.rect(366, y+14, 9, 9, edge, edge)
			s.text(740, y+17, fmt.Sprintf("expander 0x%x: ranks %d, %d", 0x20+rank/2, rank, rank+1), style{color: "#369"})
			continue
		}
		plug(348, y+15, "#fbb", "J2")
		s.line(3, "#369", 348, y+24, 348, y+34, 400, y+34, 400, row(rank-1)+15)
	}
	c := config.Default()
	s.rect(30, 60, 160, 120, "#eef", edge)
	s.text(105, 84, "Raspberry Pi board", style{bold: true, middle: true})
	for i, line := range []string{"SDA GPIO2, SCL GPIO3", "INT " + c.Int, "lights GPIO10", "keys GPIO23, 24",
		"display GPIO4, 5"} {
		s.text(40, 104+16*float64(i), line, style{})
	}
	s.rect(40, 220, 50, 60, "#fee", edge)
	s.text(65, 245, "5 V", style{middle: true})
	s.text(65, 262, "supply", style{size: 9, middle: true})
	for rank := 1; rank < 8; rank++ {
		from, bend, to := 165-6*float64(rank-1), 204+6*float64(rank-1), row(rank)+19
		s.line(2, grey, 190, from, bend, from, bend, to, 281, to)
	}
	s.line(2, grey, 190, row(8)+19, 281, row(8)+19)
	s.text(250, 92, "J6001 to J6008: ten wires to J1 of each rank", style{size: 10, color: grey})
	s.line(3, "#c33", 65, 220, 65, 180)
	return s.end("Every cable joins the same pin of both ends (schematics/bom/cables.md). The lights' data comes back "+
		"at pin 10 of a rank and goes on to pin 9 of the next one on the Pi's board.", 505)
}
