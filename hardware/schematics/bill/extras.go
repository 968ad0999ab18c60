// SPDX-License-Identifier: Apache-2.0

package bill

// kinds are the boards that a builder may choose, in the order of the columns.
var kinds = [...]string{"reeds", "scale", "stack", "twin"}

// extra is a thing that is bought and not drawn.
type extra struct {
	what, number, second string
	need                 [len(kinds)]int
	one, ten             float64 // euros each, when one board is built and when ten are
	basis                string  // of the two prices; "" is remembered
	weighs               bool    // a part of the weighing
}

// remembered is the basis of prices that have no other.
const remembered = "remembered from shops' lists, November 2026"

// each is this many of a thing for every kind of board.
func each(n int) [len(kinds)]int { return [len(kinds)]int{n, n, n, n} }

var extras = []extra{
	{what: "Raspberry Pi Zero 2 W, 3, 4 or 5", number: "SC0510 (Zero 2 W with header: SC1176)",
		second: "any Pi with a 40-pin header",
		need:   each(1), one: 20, ten: 20, basis: "Zero 2 W: 15 USD before tax when it came out, October 2021"},
	{what: "Arduino Mega 2560, under the hub's shield", number: "Arduino A000067",
		second: "any copy with an ATmega2560 at 16 MHz and the maker's boot loader",
		need:   [...]int{0, 0, 1, 0}, one: 20, ten: 18, basis: "a copy; the maker's own costs twice as much; " + remembered,
		weighs: true},
	{what: "USB cable, 0.3 m, from the Pi to the Arduino", second: "what fits the Arduino that was bought; on a Zero 2 " +
		"W with an OTG adapter",
		need: [...]int{0, 1, 1, 0}, one: 3, ten: 2, weighs: true},
	{what: "5 V 6 A adapter, class II", number: "Mean Well GST60A05-P1J",
		second: "XP Power VES60PS05 or the like with its own limit", need: each(1), one: 22, ten: 20},
	{what: "Load cell 500 g, 47 x 12 x 6 mm, 1 kohm", number: "HT Sensor TAL221",
		second: "any bar cell of 0.3 to 1 kg below 48 mm long",
		need:   [...]int{0, 0, 64, 0}, one: 6, ten: 4, weighs: true},
	{what: "Bar load cell of 5 kg with HX711 module", number: "YZC-133 and a green module",
		second: "any bar cell of 3 to 10 kg",
		need:   [...]int{0, 4, 0, 0}, one: 3.5, ten: 2.5, weighs: true},
	{what: "Magnets 10 x 4 mm, N42, for 32 pieces and 4 spare", number: "supermagnete S-10-04-N",
		second: "any disc of that size", need: each(36), one: 0.9, ten: 0.6},
	{what: "Ribbon of 16 x 1.27 mm, 5 m, or of 10, 0.6 m; wire 0.14 and 0.5 mm2", number: "3M 3365/16, 3365/10",
		second: "any ribbon of 1.27 mm", need: each(1), one: 12, ten: 7},
	{what: "Printed board of the Pi, 150 x 100 mm, four layers", number: "pi/gerbers",
		second: "perforated board and wire", need: each(1), one: 12, ten: 5},
	{what: "Printed board of a rank's eight cells, 170 x 44 mm, four layers", number: "cells/gerbers",
		second: "eight HX711 modules, RATE and XI as drawn", need: [...]int{0, 0, 8, 0}, one: 5, ten: 2, weighs: true},
	{what: "Printed board of the hub's shield, 120 x 88 mm, four layers", number: "hub/gerbers",
		second: "an Arduino Mega prototype shield", need: [...]int{0, 0, 1, 0}, one: 10, ten: 4, weighs: true},
	{what: "Board of the scale's Nano, 84 x 32 mm", number: "nano/gerbers, or perforated board, which is what the " +
		"price is of", second: "perforated board", need: [...]int{0, 1, 0, 0}, one: 1, ten: 1, weighs: true},
	{what: "Printed strip of a rank's height sensors, 400 x 18 mm, four layers", number: "eyes/gerbers",
		second: "VL6180X modules on wires", need: [...]int{0, 0, 0, 8}, one: 7, ten: 4},
	{what: "Printed boards of the strips, 400 x 22 mm, four layers", number: "strip/gerbers",
		second: "perforated board and wire", need: [...]int{8, 8, 8, 16}, one: 7, ten: 4},
	{what: "Non-magnetic posts, spacers and screws M3, M4: nylon, brass or stainless A4",
		number: "Ettinger, Wurth WA-SPAII", second: "no zinc-plated steel near a magnet",
		need: each(1), one: 15, ten: 10},
	{what: "Squares, frame and spacers, plywood 6 mm or acrylic", need: [...]int{1, 1, 1, 2}, one: 30, ten: 22},
}
