// SPDX-License-Identifier: Apache-2.0

package layout

import "fmt"

// The strip, in millimetres. It lies 2.5 to 24.5 mm towards rank 8 from the middle of its rank: a square's centre is
// 2.5 mm beyond y = 22.
const (
	length = 400
	width  = 22
	square = 50
	gap    = 12.5 // y of the reeds' gaps: 12 mm from the centre (magnet_test.go)
)

// centre is the x of a file's centre.
func centre(file int) float64 { return 25 + square*float64(file) }

// chipAt is the middle of the expander, in the square of d.
var chipAt = mm{189.5, lane(0) + 5.5*pitch}

// Connectors and other high parts sit on the lower side, between the load cells of two files, because above the deck
// is 5 mm away. Pins are in one row.
const (
	row    = 19.5
	step   = 2.54
	busX   = 61.43 // J1, pin 1 towards h
	outX   = 143   // J2, pin 1 towards a
	inX    = 194.4 // J4, likewise, so that a ribbon runs straight from J2 of a strip to J4 of the strip below
	feedX  = 387   // J3
	holeY  = 18.5
	holeUp = 3.2 // drill for M3
)

// holes are those for M3 screws, between the load cells.
var holes = []mm{{8, holeY}, {100, holeY}, {250, holeY}, {350, holeY}}

func (b *board) placeAll() {
	for i := range 8 {
		x := centre(i)
		put := func(prefix string, n int, at mm, turn float64, ref mm, up bool) {
			b.put(fmt.Sprint(prefix, n+i), spot{mm: mm{x + at.x, at.y}, turn: turn, ref: ref, up: up})
		}
		put("SW", 101, mm{0, gap}, 90, mm{-2.6, 0}, true)
		put("R", 111, mm{3, 4.94}, 180, mm{0, -1.5}, false)
		put("C", 101, mm{5.6, 5.765}, 270, mm{0, 4}, true)
		put("R", 101, mm{7.2, 5.765}, 90, mm{0, 4}, true)
		put("D", 101, mm{18.5, 3.5}, 180, mm{-6, 0}, false)
		put("C", 121, mm{23.2, 3.5}, 90, mm{-0.6, 4.6}, false)
	}
	b.put("J101", spot{mm: mm{busX, row}, turn: 90, below: true, ref: mm{-26, 0}})
	b.put("R121", spot{mm: mm{41.11, 10.5}, turn: 90, ref: mm{-1.6, 0}, up: true})
	b.put("F101", spot{mm: mm{66.5, 14.5}, turn: 90, ref: mm{-3, 0}, up: true})
	b.put("TP1", spot{mm: mm{66.5, 20}, ref: mm{3, 0}})
	b.put("TP2", spot{mm: mm{51.27, 16.3}, ref: mm{-2.8, 0}})
	b.put("TP3", spot{mm: mm{56.35, 16.3}, ref: mm{2.8, 0}})
	b.put("J102", spot{mm: mm{outX, row}, turn: 270, below: true, ref: mm{26, 0}})
	b.put("U2001", spot{mm: chipAt, ref: mm{0, 0.3}, up: true})
	b.put("C2001", spot{mm: mm{chipAt.x + 5.6, 7}, ref: mm{3.6, 2.4}})
	for i := range 3 {
		b.put(fmt.Sprintf("JP%d", i+1), spot{mm: mm{chipAt.x - 4.8*float64(i), 18.3}, ref: mm{0, -1.75}})
	}
	b.put("J2004", spot{mm: mm{inX, row}, turn: 270, below: true, ref: mm{26.5, 0}})
	b.put("J103", spot{mm: mm{feedX, row}, turn: 270, below: true, ref: mm{-3.5, 0}})
	b.put("C129", spot{mm: mm{390.5, 10.5}, below: true, ref: mm{0, -4.4}})
	for ref := range b.net.Parts {
		if !b.placed[ref] {
			b.fault("%s of the schematic has no place", ref)
		}
	}
	for i, h := range holes {
		f := b.footprint("MountingHole:MountingHole_3.2mm_M3")
		for _, a := range f.All("attr") {
			a.List = append(a.List, &node{Word: "board_only"})
		}
		b.stand(f, fmt.Sprintf("H%d", i+1), nil, spot{mm: h})
	}
}

// print writes what a builder reads on the strip.
func (b *board) print() {
	for i := range 8 {
		b.text(string("abcdefgh"[i]), "F.SilkS", mm{centre(i) - 5, 7}, 2)
	}
	b.text("boardd rank strip 1", "F.SilkS", mm{300, 18.5}, 1.5)
	b.text("this edge to rank 8", "F.SilkS", mm{312, 1.9}, 1.2)
	for i := range 3 { // a jumper to the left is 0, to the right 1
		b.text(fmt.Sprintf("0 A%d 1", i), "F.SilkS", mm{chipAt.x - 4.8*float64(i), 20.9}, 0.8)
	}
	const y = 16.9
	b.text("J1 bus", "B.SilkS", mm{50, y}, 1.2)
	b.text("J2 reeds out", "B.SilkS", mm{outX + 4.5*step, y}, 1.2)
	b.text("J4 reeds in", "B.SilkS", mm{inX + 4.5*step, y}, 1.2)
	b.text("J3 feed", "B.SilkS", mm{feedX + 1.5*step, y}, 1.2)
	b.text("boardd rank strip 1", "B.SilkS", mm{300, 18.5}, 1.5)
}
