// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// Wired is a chip on the bus of the sensors, and the squares at its inputs or channels in their order.
type Wired struct {
	Address uint16
	Deck    sensing.Deck
	Squares []rules.Square // rules.NoSquare where nothing is wired
	Inputs  []int          // of each square, as the chip counts them
}

// String is a line of hardware.expanders or hardware.multiplexers without its squares.
func (w *Wired) String() string {
	if w.Deck == sensing.Upper {
		return fmt.Sprintf("0x%02x upper", w.Address)
	}
	return fmt.Sprintf("0x%02x", w.Address)
}

// family is a kind of chip: its possible addresses, and the number of its squares.
type family struct {
	name      string
	addresses string // for people
	has       func(addr uint16) bool
	room      int
	input     func(i int) int // the input at which the i-th square is wired, as the chip counts them; nil: i
	reference []string        // the wiring of the reference boards, those of the upper deck last
}

// expanders holds the chips of reeds. One more needs a row here, a row of drivers in hardware/rig, a driver and a
// model.
var expanders = []family{
	// tca9535 covers TCA9555 as well, and TCA9539 (Texas Instruments SCPS202), which has the same registers at other
	// addresses.
	{name: "tca9535", addresses: "0x20 to 0x27, or 0x74 to 0x77 for a TCA9539",
		has: func(a uint16) bool { return a >= 0x20 && a <= 0x27 || a >= 0x74 && a <= 0x77 }, room: 16,
		reference: []string{"0x20 a1-h2", "0x21 a3-h4", "0x22 a5-h6", "0x23 a7-h8", "0x24 upper a1-h2", "0x25 upper a3-h4",
			"0x26 upper a5-h6", "0x27 upper a7-h8"}},
	// mcp23017 has 14 inputs: GPA7 and GPB7 are outputs only (Microchip DS20001952D).
	{name: "mcp23017", addresses: "0x20 to 0x27", has: func(a uint16) bool { return a >= 0x20 && a <= 0x27 }, room: 14,
		input: func(i int) int { return i + i/7 },
		reference: []string{"0x20 a1-h1 a2-f2", "0x21 g2-h2 a3-h3 a4-d4", "0x22 e4-h4 a5-h5 a6-b6", "0x23 c6-h6 a7-h7",
			"0x24 a8-h8"}},
}

// lightChips holds the chips of lights. One more needs a name here, a row of drivers in hardware/rig, a driver and a
// model.
var lightChips = []string{"ws2812", "apa102"}

// pca9548 is the multiplexer of the height sensors.
var pca9548 = family{name: "multiplexer", addresses: "0x70 to 0x77",
	has: func(a uint16) bool { return a >= 0x70 && a <= 0x77 }, room: 8,
	reference: []string{"0x70 a1-h1", "0x71 a2-h2", "0x72 a3-h3", "0x73 a4-h4", "0x74 a5-h5", "0x75 a6-h6", "0x76 a7-h7",
		"0x77 a8-h8"}}

// ExpanderChips are the names of the chips of reeds.
func ExpanderChips() (names []string) {
	for _, f := range expanders {
		names = append(names, f.name)
	}
	return names
}

// LightChips are the names of the chips of lights.
func LightChips() []string { return slices.Clone(lightChips) }

// expanderFamily is the kind of the expanders.
func (c *Config) expanderFamily() family {
	for _, f := range expanders {
		if f.name == c.Reeds {
			return f
		}
	}
	return expanders[0]
}

// on returns the lines of a reference wiring for this many decks.
func (f *family) on(decks int) (lines []string) {
	for _, line := range f.reference {
		if decks > 1 || !strings.Contains(line, "upper") {
			lines = append(lines, line)
		}
	}
	return lines
}

// ReedChips returns the expanders, as configured or as on the reference board. The configuration must be valid. A
// virtual board always has those of the reference board.
func (c *Config) ReedChips() []Wired {
	f, lines, decks := c.expanderFamily(), c.Expanders, 1
	if c.Kind == "twin" {
		decks = 2
	}
	if len(lines) == 0 || c.Virtual {
		lines = f.on(decks)
	}
	chips, _ := chipsOf("", lines, f)
	return chips
}

// HeightChips returns the multiplexers of the height sensors in the same way, none if the board has none.
func (c *Config) HeightChips() []Wired {
	lines := pca9548.reference
	if c.Kind != "twin" {
		lines = nil
	} else if len(c.Multiplexers) > 0 && !c.Virtual {
		lines = c.Multiplexers
	}
	chips, _ := chipsOf("", lines, pca9548)
	return chips
}

// chipsOf reads the lines of a setting. The error joins all faults. A line that cannot be read gives a zero chip.
func chipsOf(setting string, lines []string, f family) (chips []Wired, err error) {
	var errs []error
	for i, line := range lines {
		w, err := chipOf(line, f)
		if err != nil {
			errs = append(errs, blame{entry(setting, i), err})
		}
		chips = append(chips, w)
	}
	return chips, errors.Join(errs...)
}

// entry is the name under which the reader keeps the place of an entry of a list.
func entry(setting string, i int) string { return setting + "." + strconv.Itoa(i) }

// chipOf reads one line: an address, the word upper or none, squares.
func chipOf(line string, f family) (w Wired, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return w, say.Error("an address and squares are wanted, as \"0x%02x a1-h2\"", 0x20)
	}
	addr, err := strconv.ParseUint(words[0], 0, 16)
	w.Address = uint16(addr)
	if err != nil || !f.has(w.Address) {
		return w, say.Error("%q is no address of a %s: use %s", words[0], f.name, f.addresses)
	}
	words = words[1:]
	if len(words) > 0 && (words[0] == "upper" || words[0] == "lower") {
		w.Deck, _ = sensing.ParseDeck(words[0])
		words = words[1:]
	}
	for _, word := range words {
		squares, err := squaresOf(word)
		if err != nil {
			return w, err
		}
		w.Squares = append(w.Squares, squares...)
	}
	if n := len(w.Squares); n == 0 || n > f.room {
		return w, say.Error("%d squares stand here: a %s takes 1 to %d", n, f.name, f.room)
	}
	for i := range w.Squares {
		if f.input != nil {
			i = f.input(i)
		}
		w.Inputs = append(w.Inputs, i)
	}
	return w, nil
}

// squaresOf reads "e4", "a1-h2" (rank by rank, each from the first file to the last), or "-" for none.
func squaresOf(word string) (list []rules.Square, err error) {
	if word == "-" {
		return []rules.Square{rules.NoSquare}, nil
	}
	first, last, ranged := strings.Cut(word, "-")
	from, err := rules.ParseSquare(first)
	to := from
	if err == nil && ranged {
		to, err = rules.ParseSquare(last)
	}
	if err != nil {
		return nil, say.Error("%q is neither a square, as e4, nor squares, as a1-h2, nor -", word)
	}
	for rank := range steps(from.Rank(), to.Rank()) {
		for file := range steps(from.File(), to.File()) {
			list = append(list, rules.SquareAt(file, rank))
		}
	}
	return list, nil
}

// steps goes from one number to another, up or down.
func steps(from, to int) func(func(int) bool) {
	return func(yield func(int) bool) {
		by := 1
		if to < from {
			by = -1
		}
		for i := from; yield(i) && i != to; i += by {
		}
	}
}

// nameAll lists squares for people, with ranges in short form.
func nameAll(list []rules.Square) string {
	list = slices.DeleteFunc(slices.Clone(list), func(sq rules.Square) bool { return sq == rules.NoSquare })
	var words []string
	for i := 0; i < len(list); {
		n := run(list[i:])
		word := list[i].String()
		if n > 1 {
			word += "-" + list[i+n-1].String()
		}
		words = append(words, word)
		i += n
	}
	return strings.Join(words, " ")
}

// run is the number of squares at the beginning of a list that form one range: along a rank, or whole ranks.
func run(list []rules.Square) int {
	n := 1
	for n < len(list) && list[n] == list[n-1]+1 {
		n++
	}
	rest := 8 - list[0].File() // squares left in the rank of the first
	switch {
	case rest == 8 && n > 8:
		return n - n%8
	case n > rest:
		return rest
	}
	return n
}

// WiringLine is the wiring in one line, which a calibration stores. It is empty for the reference boards.
func (c *Config) WiringLine() string {
	if c.Virtual || len(c.Expanders)+len(c.Multiplexers) == 0 {
		return ""
	}
	return strings.Join(append(slices.Clone(c.Expanders), c.Multiplexers...), ", ")
}

// Names lists the squares of a chip for people.
func (w *Wired) Names() string { return nameAll(w.Squares) }
