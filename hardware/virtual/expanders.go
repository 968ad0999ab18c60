// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing"
)

// expander is a chip that reads reeds.
type expander interface {
	wires.Chip
	Reset()
}

// model is one of the chips that a board may have for its reeds.
type model struct {
	count  int                // chips of a deck
	decks  int                // decks at most: there are eight addresses
	square func(k, i int) int // on input i of the k-th chip
	make   func(levels func() uint16, line *wires.Pin) expander
}

// models are the chips of reeds by the names that the configuration has for them: one more is a row here.
func models() map[string]model {
	return map[string]model{
		// Of two ranks each, the upper deck's behind the lower one's.
		"tca9535": {4, 2, func(k, i int) int { return 16*k + i },
			func(levels func() uint16, line *wires.Pin) expander { return chips.NewTCA9535(levels, line) }},
		"mcp23017": {5, 1, fourteen,
			func(levels func() uint16, line *wires.Pin) expander { return chips.NewMCP23017(levels, line) }},
	}
}

// addExpanders puts the expanders of each deck on the bus, from 0x20 on.
func (b *Board) addExpanders() {
	m := models()[b.o.Expanders]
	for d := range sensing.Deck(b.o.Kind.decks()) {
		for k := range m.count {
			c := m.make(func() uint16 { return b.levels(d, func(i int) int { return m.square(k, i) }) }, b.intr)
			b.ports[d] = append(b.ports[d], c)
			b.bus.Attach(0x20+uint16(d)*uint16(m.count)+uint16(k), c)
		}
	}
}

// fourteen is the square on input i of the k-th MCP23017, which count a1, b1, ... over all inputs but GPA7 and GPB7;
// 64 and more where nothing is wired.
func fourteen(k, i int) int {
	if i%8 == 7 {
		return 64
	}
	return 14*k + i - i/8
}

// levels is what the reeds give an expander whose inputs lead to squares: low where a switch is closed.
func (b *Board) levels(d sensing.Deck, square func(input int) int) uint16 {
	b.mu.Lock()
	defer b.mu.Unlock()
	closed := b.world.Closed(b.now(), d)
	v := uint16(0xffff)
	for i := range 16 {
		sq := square(i)
		if other, ok := b.o.Miswired[rules.Square(sq)]; ok {
			sq = int(other)
		}
		if sq < 64 && closed.Has(rules.Square(sq)) {
			v &^= 1 << i
		}
	}
	return v
}
