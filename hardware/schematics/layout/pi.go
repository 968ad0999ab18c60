// SPDX-License-Identifier: Apache-2.0

package layout

import "fmt"

// piAt is the upper left corner of the Raspberry Pi under the board. Its header points to the top and its USB sockets,
// which the board leaves free, to the right.
var piAt = mm{85, 44}

// pi is the board that is plugged onto a Raspberry Pi from above. The plugs of the ranks, lower deck and upper, are in
// the upper half, and the supply is at the left.
var pi = plan{
	name: "pi", title: "Board of the Raspberry Pi", size: mm{150, 100},
	places: func(b *board) map[string]spot {
		at := map[string]spot{
			"J5201": {mm: piAt.add(8.37, 4.77), turn: 270, below: true},
			// 5 V in
			"J5101": {mm: mm{8, 47}, turn: 270}, "F5101": {mm: mm{19, 47}}, "D5101": {mm: mm{44, 53}, turn: 270},
			"Q5101": {mm: mm{50, 47}, turn: 180},
			"R5101": {mm: mm{56.5, 43.4}}, "C5101": {mm: mm{58, 58}}, "C5102": {mm: mm{66.5, 58}}, "R5102": {mm: mm{21, 54}},
			"D5102":  {mm: mm{26, 54}},
			"TP5101": {mm: mm{71, 50}}, "TP5104": {mm: mm{77, 50}},
			// lights
			"F5102": {mm: mm{60, 38.2}}, "C5103": {mm: mm{92, 39}}, "TP5102": {mm: mm{101, 38}}, "J5102": {mm: mm{108, 38},
				turn: 90},
			"J5103": {mm: mm{36, 62}, turn: 90},
			// 3.3 V
			"U5101": {mm: mm{60, 68}}, "C5104": {mm: mm{55, 68}, turn: 90}, "C5105": {mm: mm{65, 68}, turn: 90},
			"TP5103": {mm: mm{71, 68}},
			// bus
			"R5201": {mm: mm{95, 54}, turn: 90}, "R5202": {mm: mm{92, 54}, turn: 90}, "R5203": {mm: mm{101, 54}, turn: 90},
			"R5204": {mm: mm{104, 54}, turn: 90}, "R5205": {mm: mm{98, 54}, turn: 90},
			// lights' data
			"U5201": {mm: mm{113, 58}}, "C5201": {mm: mm{113, 54.6}}, "R5206": {mm: mm{118, 58}},
			"U5202": {mm: mm{113, 66}}, "C5202": {mm: mm{113, 62.6}}, "R5207": {mm: mm{118, 66}},
			"J5202": {mm: mm{130, 38}, turn: 90},
			// clock keys
			"J5203": {mm: mm{145, 60}}, "D5202": {mm: mm{139, 57}}, "R5210": {mm: mm{128, 54}, turn: 90},
			"R5211": {mm: mm{128, 60}, turn: 90},
			"R5212": {mm: mm{133, 54.6}}, "R5213": {mm: mm{133, 60}}, "C5205": {mm: mm{131, 57.2}}, "C5206": {mm: mm{131, 63}},
			// display
			"J5204": {mm: mm{145, 77}}, "D5203": {mm: mm{139, 78}}, "R5214": {mm: mm{130, 78}, turn: 90},
			"R5215": {mm: mm{133, 78}, turn: 90},
			// the upper deck's bus
			"J5411": {mm: mm{18, 90}, turn: 90}, "U5401": {mm: mm{43, 86}}, "C5401": {mm: mm{48.5, 86}, turn: 90},
			"R5401": {mm: mm{37, 82}, turn: 90}, "R5402": {mm: mm{34, 82}, turn: 90},
		}
		for r := range 8 {
			x, y := 11+35*float64(r%4), 8.5*float64(r/4)
			at[fmt.Sprint("J", 6001+r)] = spot{mm: mm{x, 6 + y}, turn: 90}
			at[fmt.Sprint("J", 6801+r)] = spot{mm: mm{x, 23 + y}, turn: 90}
		}
		return at
	},
	holes: []hole{{mm{4.5, 4.5}, m3}, {mm{145.5, 4.5}, m3}, {mm{4.5, 95.5}, m3}, {mm{76, 95.5}, m3},
		{piAt.add(3.5, 3.5), m25}, {piAt.add(61.5, 3.5), m25}, {piAt.add(3.5, 26.5), m25}, {piAt.add(61.5, 26.5), m25},
		{piAt.add(3.5, 52.5), m25}, {piAt.add(61.5, 52.5), m25}},
	words: piWords(),
	planes: []plane{
		{"GND", ground, box(0.5, 0.5, 149.5, 99.5), false},
		{"+5VL", supply, box(0.5, 0.5, 149.5, 41), false},
		{"+5V", supply, box(0.5, 41.3, 149.5, 99.5), false},
		// what carries up to 6 A
		{"J5101.1", front, box(6.2, 45, 25.2, 49.2), true}, {"J5101.1", back, box(6.2, 45, 25.2, 49.2), true},
		{"GND", front, box(6.2, 50.6, 15, 59.4), true}, {"GND", back, box(6.2, 50.6, 15, 59.4), true},
		{"F5101.2", front, box(33.4, 43.4, 48.9, 52.6), true},
		{"+5V", front, box(51.3, 45.8, 66.8, 52.6), true},
		{"GND", front, box(42.5, 53.6, 45.5, 60), true},
		{"F5102.1", front, box(58.4, 36.6, 66.2, 45.2), true},
		{"+5VL", front, box(74.4, 36.6, 82.6, 42.4), true},
	},
	vias: func(b *board) []stitch {
		var list []stitch
		field := func(net string, x0, y0, dx, dy float64, nx, ny int) {
			for i := range nx {
				for k := range ny {
					list = append(list, stitch{net, mm{round(x0 + dx*float64(i)), round(y0 + dy*float64(k))}})
				}
			}
		}
		field("+5V", 56, 46.8, 1.6, 1.6, 6, 4)
		field("GND", 8, 54, 1.6, 1.6, 4, 3)
		field("GND", 43.2, 56.8, 1.6, 1.6, 2, 2)
		field("+5V", 60, 42.6, 1.4, 1.2, 4, 2)
		field("+5VL", 75.6, 40.2, 1.4, 0, 5, 1)
		return list
	},
	widths: map[string][]float64{"+3V3": supplyWidths},
}

func piWords() []word {
	list := []word{{"boardd Pi board 1", mm{100, 88}, 1.5, false, false}, {"5 V 6 A, + above", mm{11, 62}, 1, false,
		false},
		{"Raspberry Pi below, its USB this way ->", mm{122, 97}, 1, false, false}, {"lights 4 A", mm{70.4, 43.2}, 1,
			false, false},
		{"6.3 A", mm{29, 51.6}, 1, false, false}, {"never plug in the Pi's own supply", mm{118, 92}, 1, false, false},
		{"keys: white - black", mm{136, 69.4}, 0.8, false, false}, {"lights", mm{101, 41.4}, 0.8, false, false}, {"5 V",
			mm{71, 53}, 0.8, false, false},
		{"GND", mm{77, 53}, 0.8, false, false}, {"3.3 V", mm{71, 71}, 0.8, false, false}, {"height strips", mm{23, 97}, 1,
			false, false},
		{"display", mm{143, 87.2}, 0.8, false, false}, {"APA102", mm{133.8, 41.2}, 0.8, false, false},
		{"feed of the cells", mm{40, 65}, 0.8, false, false}}
	for i := range 16 {
		deck, r := "lower", i
		if i > 7 {
			deck, r = "upper", i-8
		}
		x, y := 11+35*float64(r%4), 6+8.5*float64(i/4)
		list = append(list, word{fmt.Sprintf("%s %d", deck, r+1), mm{x + 9, y + 2.7}, 1, false, false})
	}
	return list
}
