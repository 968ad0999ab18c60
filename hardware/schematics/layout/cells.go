// SPDX-License-Identifier: Apache-2.0

package layout

import "fmt"

// cells is the board of a rank's eight load cells. The plugs of the cells are along the upper edge, with a filter and
// a converter under each, analogue pins upwards. The ribbon to the hub is at the lower edge.
var cells = plan{
	name: "cells", title: "Board of a rank's eight load cells", size: mm{170, 44},
	places: func(b *board) map[string]spot {
		at := map[string]spot{}
		for i := range 8 {
			x := 18 + 19*float64(i)
			put := func(prefix string, n int, p mm, turn float64) {
				at[fmt.Sprint(prefix, 3100+n+i)] = spot{mm: mm{x + p.x, p.y}, turn: turn}
			}
			put("J", 1, mm{3.81, 4}, 270)
			put("R", 1, mm{-5.4, 9.4}, 90)
			put("R", 11, mm{-2.2, 9.4}, 90)
			put("C", 1, mm{-3.8, 12.6}, 0)
			put("C", 21, mm{1.4, 12.4}, 180)
			put("U", 1, mm{0, 19}, 270)
			put("C", 11, mm{6.6, 19}, 270)
			put("R", 31, mm{-0.6, 25}, 90)
		}
		at["J3109"] = spot{mm: mm{76, 38.5}, turn: 90}
		at["U3109"] = spot{mm: mm{164, 19.5}, turn: 90}
		at["C3130"] = spot{mm: mm{164, 24}}
		at["C3131"] = spot{mm: mm{164, 14.6}}
		at["TP1"] = spot{mm: mm{110, 37}}
		at["TP2"] = spot{mm: mm{116, 37}}
		return at
	},
	holes: []hole{{mm{4.5, 39}, m3}, {mm{165.5, 39}, m3}, {mm{4.5, 7}, m3}, {mm{165.5, 7}, m3}},
	words: append(cellWords(), word{"boardd cells of a rank 1", mm{35, 39}, 1.5, false, false}, word{"J3109 hub",
		mm{85, 29.7}, 1.2, false, false},
		word{"+5V", mm{110, 34.4}, 1, false, false}, word{"GND", mm{116, 34.4}, 1, false, false},
		word{"5 V in by J3109, 4.5 V at +", mm{140, 39}, 1.2, false, false}),
	planes: []plane{
		{"GND", ground, box(0.5, 0.5, 169.5, 43.5), false},
		{"U3109.5", supply, box(0.5, 0.5, 169.5, 17.4), false},
		{"+5V", supply, box(0.5, 17.7, 169.5, 43.5), false},
	},
}

// cellWords names the files, and the wires of each plug.
func cellWords() []word {
	var list []word
	for i := range 8 {
		x := 18 + 19*float64(i)
		list = append(list, word{"abcdefgh"[i : i+1], mm{x - 7.2, 4}, 1.5, false, false})
		for k, wire := range []string{"+", "-", "S-", "S+"} {
			list = append(list, word{wire, mm{x + 3.81 - 2.54*float64(k), 6.7}, 0.8, false, false})
		}
	}
	return list
}
