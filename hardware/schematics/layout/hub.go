// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"

	"boardd/hardware/schematics/route"
)

// megaAt is the upper left corner of the Arduino under the shield, its USB socket to the left.
var megaAt = mm{8, 17}

// mega is a place of the Arduino Mega 2560 Rev3 by its maker's drawing, which counts from the lower left corner.
func mega(x, y float64) mm { return mm{round(megaAt.x + x), round(megaAt.y + 53.34 - y)} }

// hub is the shield of the Arduino, plugged onto it from above. The rows of its pins are on the lower side. Ribbons to
// the ranks are along the upper and the lower edge, with the clocks between them.
var hub = plan{
	name: "hub", title: "Hub: shield of an Arduino Mega 2560", size: mm{120, 88},
	places: func(b *board) map[string]spot {
		row := func(x, y, turn float64) spot { return spot{mm: mega(x, y), turn: turn, below: true} }
		at := map[string]spot{
			"J5320": row(27.94, 2.54, 270), // POWER, from NC to the right
			"J5321": row(50.8, 2.54, 270),  // ADCL
			"J5322": row(73.66, 2.54, 270), // ADCH
			"J5323": row(63.5, 50.8, 90),   // PWML, from 0 to the left
			"J5324": row(41.656, 50.8, 90), // PWMH, from 8 to the left
			"J5325": row(68.58, 50.8, 270), // COMM
			"J5326": row(96.52, 50.8, 180), // XIO, from 5V downwards; odd pins to the right, as the header is turned over
			"U5301": {mm: mm{56, 42}, turn: 90},
			"R5301": {mm: mm{44, 50}, turn: 90},
			"C5301": {mm: mm{48.5, 42}, turn: 90},
			"C5302": {mm: mm{30, 52}},
			"J5309": {mm: mm{26, 42}, turn: 90},
			"J5310": {mm: mm{5, 43}},
			"TP1":   {mm: mm{14, 44}},
			"TP2":   {mm: mm{14, 48}},
		}
		for i := range 4 {
			at[fmt.Sprint("R", 5320+i)] = spot{mm: mm{51.5 + 3*float64(i), 50}, turn: 90}
		}
		for i := range 8 {
			at[fmt.Sprint("R", 5310+i)] = spot{mm: mm{44.5 + 3*float64(i), 34.5}, turn: 90}
		}
		for i, rank := range []int{2, 8, 7, 1} {
			at[fmt.Sprint("J", 5300+rank)] = spot{mm: mm{8 + 29.2*float64(i), 9.2}, turn: 90}
		}
		for i, rank := range []int{4, 5, 6, 3} {
			at[fmt.Sprint("J", 5300+rank)] = spot{mm: mm{8 + 29.2*float64(i), 82.5}, turn: 90}
		}
		return at
	},
	holes: []hole{{mega(13.97, 2.54), m3}, {mega(66.04, 7.62), m3}, {mega(66.04, 35.56), m3}},
	words: append(hubWords(), word{"boardd hub 1: onto an Arduino Mega", mm{48, 62}, 1.5, false, false},
		word{"USB of the Arduino", mm{10, 30.5}, 1, false, false}, word{"80/s", mm{24.3, 39.2}, 0.8, false, false},
		word{"10/s", mm{31.5, 39.2}, 0.8, false, false},
		word{"5 V of the cells, from J5103", mm{13, 56}, 0.9, false, false}, word{"+5V", mm{8, 43}, 0.8, false, false},
		word{"+5V", mm{8, 45.5}, 0.8, false, false},
		word{"GND", mm{8, 48.1}, 0.8, false, false}, word{"GND", mm{8, 50.6}, 0.8, false, false}, word{"+5V", mm{17, 44},
			0.8, false, false}, word{"GND", mm{17, 48}, 0.8, false, false}),
	bare: []route.Area{ // over the Arduino's USB and power sockets, whose metal is nearly as high as its pins
		{On: route.Back, Box: box(1, megaAt.y+53.34-45, 19, megaAt.y+53.34-31)},
		{On: route.Back, Box: box(5, megaAt.y+53.34-13, 20, megaAt.y+53.34-2)},
	},
	planes: []plane{{"GND", ground, box(0.5, 0.5, 119.5, 87.5), false},
		{"+5V", supply, box(0.5, 0.5, 119.5, 87.5), false}},
}

// hubWords names the ribbons by their ranks.
func hubWords() []word {
	var list []word
	for i := range 4 {
		x := 16.9 + 29.2*float64(i)
		list = append(list, word{fmt.Sprint("rank ", []int{2, 8, 7, 1}[i]), mm{x + 8, 14}, 1.2, false, false},
			word{fmt.Sprint("rank ", []int{4, 5, 6, 3}[i]), mm{x - 8, 74.9}, 1.2, false, false})
	}
	return list
}
