// SPDX-License-Identifier: Apache-2.0

package chips

import "boardd/hardware/virtual/wires"

// TCA9535 is the register model of a TCA9535 after Texas Instruments' datasheet SCPS201A, pages 8 to 12.
type TCA9535 struct {
	levels func() uint16 // of the pins, port 0 low
	line   *wires.Pin    // the shared interrupt line; nil is none

	reg    [8]byte // 0, 1 inputs; 2, 3 outputs; 4, 5 inversion; 6, 7 configuration, 1 is input
	ptr    byte    // the register under way
	seen   [2]byte // the levels at the last read of each port
	asking bool    // pulls the interrupt line
	losing bool    // see LoseChanges
}

// LoseChanges makes every change of a port fall into the acknowledge of the next read. That read still returns the old
// levels, but ends the interrupt, as the datasheet warns ("Interrupt Output"). Only who reads again sees it. To be
// called before the chip is used.
func (c *TCA9535) LoseChanges() { c.losing = true }

// NewTCA9535 makes a chip, just powered up, whose pins have the levels that the function gives.
func NewTCA9535(levels func() uint16, line *wires.Pin) *TCA9535 {
	c := &TCA9535{levels: levels, line: line}
	c.Reset()
	return c
}

// Reset is what a power cycle does, page 9: every register to its default.
func (c *TCA9535) Reset() {
	c.reg = [8]byte{2: 0xff, 3: 0xff, 6: 0xff, 7: 0xff}
	c.ptr = 0
	v := c.levels()
	c.seen = [2]byte{byte(v), byte(v >> 8)}
	c.pull(false)
}

// Tx follows pages 10 and 11. The first written byte is the command. Further written bytes alternate between the two
// registers of its pair, and so do bytes that are read. A read without a command goes on with the register that was
// under way.
func (c *TCA9535) Tx(w, r []byte) {
	if len(w) > 0 {
		c.ptr = w[0] & 7
	}
	for i, v := range w[min(1, len(w)):] {
		c.next(i)
		if c.ptr >= 2 {
			c.reg[c.ptr] = v
		}
	}
	for i := range r {
		c.next(i)
		r[i] = c.read()
	}
	c.Changed()
}

// next steps to the other register of the pair for every byte but the first.
func (c *TCA9535) next(i int) {
	if i > 0 {
		c.ptr ^= 1
	}
}

// read is the register under way. Reading an input port ends its interrupt.
func (c *TCA9535) read() byte {
	if c.ptr >= 2 {
		return c.reg[c.ptr]
	}
	p := c.port(c.ptr)
	told := p
	if c.losing {
		told = c.seen[c.ptr]
	}
	c.seen[c.ptr] = p
	return told ^ c.reg[4+c.ptr]
}

// port returns the levels of one port's pins: outputs show what they drive.
func (c *TCA9535) port(n byte) byte {
	in := byte(c.levels() >> (8 * n))
	return in&c.reg[6+n] | c.reg[2+n]&^c.reg[6+n]
}

// Changed asks for attention while any input differs from what was last read; a change back ends it.
func (c *TCA9535) Changed() {
	diff := (c.port(0)^c.seen[0])&c.reg[6] | (c.port(1)^c.seen[1])&c.reg[7]
	c.pull(diff != 0)
}

func (c *TCA9535) pull(down bool) {
	if c.line != nil && down != c.asking {
		c.line.Drag(down)
	}
	c.asking = down
}
