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

// addExpanders puts the expanders of each deck on the bus: four TCA9535 at 0x20 to 0x23, and at 0x24 to 0x27 for the
// upper deck, of two ranks each; or five MCP23017 from 0x20 on.
func (b *Board) addExpanders() {
	for d := range sensing.Deck(b.o.Kind.decks()) {
		n := 4
		if b.o.MCP23017 {
			n = 5
		}
		for k := range n {
			c := b.expander(d, k)
			b.ports[d] = append(b.ports[d], c)
			b.bus.Attach(0x20+uint16(d)*4+uint16(k), c)
		}
	}
}

func (b *Board) expander(d sensing.Deck, k int) expander {
	if b.o.MCP23017 {
		return chips.NewMCP23017(func() uint16 { return b.levels(d, func(i int) int { return fourteen(k, i) }) }, b.intr)
	}
	return chips.NewTCA9535(func() uint16 { return b.levels(d, func(i int) int { return 16*k + i }) }, b.intr)
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
