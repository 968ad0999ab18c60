// SPDX-License-Identifier: Apache-2.0

package chips

import "boardd/hardware/virtual/wires"

// MCP23017 is the register model of an MCP23017 with BANK = 0, after Microchip's datasheet DS20001952D, section 3.5.
type MCP23017 struct {
	levels func() uint16 // of the pins, port A low; without the chip's pull-ups an open pin floats
	line   *wires.Pin

	reg    [0x16]byte
	ptr    byte
	seen   uint16
	asking bool
}

// The registers that do something here.
const (
	mcpDir   = 0x00
	mcpPol   = 0x02
	mcpInt   = 0x04
	mcpDef   = 0x06
	mcpCmp   = 0x08
	mcpCon   = 0x0a
	mcpPull  = 0x0c
	mcpGPIO  = 0x12
	mcpLatch = 0x14
)

// NewMCP23017 makes a chip, just powered up, whose pins have the levels that the function gives when pulled up.
func NewMCP23017(levels func() uint16, line *wires.Pin) *MCP23017 {
	c := &MCP23017{levels: levels, line: line}
	c.Reset()
	return c
}

// Reset is what a power cycle does (table 3-1): all pins inputs, everything else zero.
func (c *MCP23017) Reset() {
	c.reg = [0x16]byte{mcpDir: 0xff, mcpDir + 1: 0xff}
	c.ptr = 0
	c.seen = c.pins()
	c.pull(false)
}

// Tx writes a register number and data after it, or reads on from there; the number counts up.
func (c *MCP23017) Tx(w, r []byte) {
	if len(w) > 0 {
		c.ptr = w[0] % 0x16
		for _, v := range w[1:] {
			c.write(v)
			c.ptr = (c.ptr + 1) % 0x16
		}
	}
	for i := range r {
		r[i] = c.read()
		c.ptr = (c.ptr + 1) % 0x16
	}
	c.Changed()
}

func (c *MCP23017) write(v byte) {
	switch c.ptr {
	case mcpGPIO, mcpGPIO + 1:
		c.reg[c.ptr+2] = v
	case mcpCon, mcpCon + 1: // one register at two places
		c.reg[mcpCon], c.reg[mcpCon+1] = v, v
	default:
		c.reg[c.ptr] = v
	}
}

func (c *MCP23017) read() byte {
	if c.ptr != mcpGPIO && c.ptr != mcpGPIO+1 {
		return c.reg[c.ptr]
	}
	n := 8 * (c.ptr - mcpGPIO)
	p := c.pins()
	c.seen = c.seen&^(0xff<<n) | p&(0xff<<n)
	return byte(p>>n) ^ c.reg[mcpPol+c.ptr-mcpGPIO]
}

// pins is the levels: outputs show their latch, inputs without a pull-up read low.
func (c *MCP23017) pins() uint16 {
	return c.levels()&c.word(mcpDir)&c.word(mcpPull) | c.word(mcpLatch)&^c.word(mcpDir)
}

// Changed pulls the interrupt line while an input whose interrupt is enabled differs from its last read value. If it
// is compared with its default, that counts instead.
func (c *MCP23017) Changed() {
	compared := c.word(mcpCmp)
	from := c.seen&^compared | c.word(mcpDef)&compared
	c.pull((c.pins()^from)&c.word(mcpInt) != 0)
}

// word is a pair of registers.
func (c *MCP23017) word(r int) uint16 { return uint16(c.reg[r]) | uint16(c.reg[r+1])<<8 }

func (c *MCP23017) pull(down bool) {
	if c.line != nil && down != c.asking {
		c.line.Drag(down)
	}
	c.asking = down
}
