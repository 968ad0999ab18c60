// SPDX-License-Identifier: Apache-2.0

package layout

import "fmt"

// nano is the board of a scale's Arduino: its USB socket at the left edge, the plugs of the four modules at the right.
var nano = plan{
	name: "nano", title: "Board of the scale's Arduino Nano", size: mm{84, 32},
	places: func(b *board) map[string]spot {
		at := map[string]spot{
			"A5301": {mm: mm{43, 8.4}, turn: 270},
			"R5310": {mm: mm{51, 26}, turn: 90},
			"R5311": {mm: mm{54, 26}, turn: 90},
			"C5305": {mm: mm{51, 4}},
		}
		for i := range 4 {
			x, y := 62+10*float64(i%2), 4+16*float64(i/2)
			at[fmt.Sprint("J", 5301+i)] = spot{mm: mm{x, y}}
			at[fmt.Sprint("R", 5301+i)] = spot{mm: mm{52, 7.5 + 4*float64(i)}}
			at[fmt.Sprint("C", 5301+i)] = spot{mm: mm{x - 3.2, y + 5.4}, turn: 270}
		}
		return at
	},
	holes: []hole{{mm{3.5, 3.5}, m25}, {mm{3.5, 28.5}, m25}, {mm{80.5, 3.5}, m25}, {mm{80.5, 28.5}, m25}},
	words: nanoWords(),
	planes: []plane{{"A5301.4", ground, box(0.5, 0.5, 83.5, 31.5), false},
		{"A5301.27", supply, box(0.5, 0.5, 83.5, 31.5), false}},
}

// nanoWords names the corners, and the wires of each plug.
func nanoWords() []word {
	list := []word{{"boardd scale 1", mm{26, 28.5}, 1.2, false, false}}
	for i, corner := range []string{"a1", "h1", "a8", "h8"} {
		x, y := 62+10*float64(i%2), 4+16*float64(i/2)
		list = append(list, word{corner, mm{x, y + 10.6}, 1.2, false, false})
		for k, wire := range []string{"GND", "DT", "SCK", "VCC"} {
			list = append(list, word{wire, mm{x + 3.3, y + 2.54*float64(k)}, 0.8, false, false})
		}
	}
	return list
}
