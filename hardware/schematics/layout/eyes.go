// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"

	"boardd/hardware/schematics/route"
)

// eyesAt is how far the sensors' middles are from the edge towards rank 8. The strip hangs under the upper deck with
// its parts downwards: seen from its parts, the a side is left and rank 8 is down.
const eyesAt = 2.3

// eyes is a rank's strip of height sensors. It has a tab for each, and recesses between the files for the clips that
// hold the strip beside it.
var eyes = plan{
	name: "eyes", title: "Strip of a rank's eight height sensors", size: mm{400, 18},
	recesses: eyesRecesses(),
	places: func(b *board) map[string]spot {
		at := map[string]spot{
			"J4101": {mm: mm{6.4, 8.6}, turn: 90},
			"U4110": {mm: mm{52, 5}},
			"C4130": {mm: mm{47, 5}, turn: 90},
			"C4131": {mm: mm{57, 5}, turn: 90},
			"TP1":   {mm: mm{62, 5}},
			"TP2":   {mm: mm{66.5, 5}},
			"TP3":   {mm: mm{71, 5}},
			"U4109": {mm: mm{200, 6}, turn: 90},
			"C4109": {mm: mm{194, 4}, turn: 90},
			"R4109": {mm: mm{206.4, 6}, turn: 90},
		}
		for i := range 3 {
			at[fmt.Sprint("JP", 1+i)] = spot{mm: mm{187 - 5.6*float64(i), 3.4}}
		}
		for i := range 8 {
			x := centre(i)
			put := func(prefix string, n int, dx, y, turn float64) {
				at[fmt.Sprint(prefix, 4100+n+i)] = spot{mm: mm{x + dx, y}, turn: turn}
			}
			put("U", 1, 0, 18-eyesAt, 180)
			put("R", 1, -0.9, 9.4, 90)
			put("R", 11, 1.9, 9.4, 90)
			put("R", 21, 4.7, 9.4, 90)
			put("C", 1, 4.4, 14.6, 90)
			put("C", 11, -4.4, 14.6, 90)
		}
		return at
	},
	holes: []hole{{mm{34.6, 13.6}, m3}, {mm{134.6, 13.6}, m3}, {mm{284.6, 13.6}, m3}, {mm{384.6, 13.6}, m3}},
	words: eyesWords(),
	planes: []plane{{"GND", ground, box(0.5, 0.5, 399.5, 17.5), false},
		{"U4110.5", supply, box(0.5, 0.5, 399.5, 17.5), false}},
	widths: map[string][]float64{"+5V": {0.8, wide, thin}, "+3V3": supplyWidths},
}

// eyesRecesses are as wide as a clip and its play.
func eyesRecesses() []route.Box {
	var list []route.Box
	for k := 1; k < 8; k++ {
		x := square * float64(k)
		list = append(list, box(x-12, 11.5, x+12, 18))
	}
	return list
}

func eyesWords() []word {
	list := []word{{"boardd height strip 1", mm{104, 3}, 1.5, false, false}, {"this side down, this edge to rank 8",
		mm{302, 10}, 1, false, false},
		{"+5V", mm{62, 8}, 0.8, false, false}, {"3V3", mm{66.5, 8}, 0.8, false, false}, {"GND", mm{71, 8}, 0.8, false,
			false}}
	for i := range 3 {
		list = append(list, word{fmt.Sprintf("0 A%d 1", i), mm{187 - 5.6*float64(i), 5.6}, 0.8, false, false})
	}
	for i := range 8 {
		list = append(list, word{"abcdefgh"[i : i+1], mm{centre(i) - 8.4, 14.5}, 2, false, false})
	}
	return list
}
