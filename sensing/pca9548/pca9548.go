// SPDX-License-Identifier: Apache-2.0

// Package pca9548 puts PCA9548A or TCA9548A multiplexers between a bus and chips of equal address.
//
// A [Group] is all multiplexers on one bus. It sees to it that at most one channel of one multiplexer is open. Before
// a multiplexer opens a channel, the one with an open channel is told to close it. With two channels open, two chips
// of equal address would answer at once, and the bus would merge their answers into a false one. The group remembers
// what is open, so that several transfers to one chip cost one selection. After any error it forgets that, closes
// every multiplexer and repeats the transfer once. This also helps after a reset of a multiplexer, which closes its
// channels without notice.
//
// The chip has one register, a bit for each open channel, which takes effect at the stop condition: TCA9548A
// datasheet, Texas Instruments SCPS207, "Control Register".
package pca9548

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"boardd/rules/say"
	"boardd/sensing"
)

// The addresses that three pins can set.
const (
	firstAddr = 0x70
	lastAddr  = 0x77
)

// Group holds the multiplexers of one bus. It is safe for use by several goroutines.
type Group struct {
	bus i2c.Bus

	mu    sync.Mutex // held for whole transfers
	muxes []mux
	known bool // it is known what is open
	open  int  // the multiplexer with an open channel, if known; -1: none
	mask  byte // its channels, one bit
	buf   [1]byte
}

// mux is one multiplexer with its counters. Health reads them even while a transfer waits for a stuck bus.
type mux struct {
	addr uint16

	mu     sync.Mutex
	errors uint64
	resets uint64
	last   error
}

// At returns a group without accessing the multiplexers. The first transfer closes them all, because an earlier
// program may have left one open.
func At(bus i2c.Bus, addrs ...uint16) (*Group, error) {
	g := &Group{bus: bus, open: -1}
	for i, a := range addrs {
		if a < firstAddr || a > lastAddr {
			return nil, fmt.Errorf("pca9548: address 0x%02x: want 0x%02x to 0x%02x", a, firstAddr, lastAddr)
		}
		if slices.Contains(addrs[:i], a) {
			return nil, fmt.Errorf("pca9548: address 0x%02x twice", a)
		}
	}
	g.muxes = make([]mux, len(addrs))
	for i, a := range addrs {
		g.muxes[i].addr = a
	}
	return g, nil
}

// New is At, and checks that all multiplexers answer.
func New(bus i2c.Bus, addrs ...uint16) (*Group, error) {
	g, err := At(bus, addrs...)
	if err != nil {
		return nil, err
	}
	if err := g.closeAll(-1); err != nil {
		return nil, err
	}
	return g, nil
}

// Channel is one channel of the i-th multiplexer as a bus of its own.
func (g *Group) Channel(i, channel int) *Channel {
	return &Channel{g: g, mux: i, mask: 1 << channel}
}

// Channels is several channels of the i-th multiplexer at once, with a bit of mask for each. One transfer can then
// write the same to chips of equal address behind them. The lines of open channels are joined, and one acknowledge is
// seen for all. Reading is refused, because the answers would be mixed. The open channels' capacitances and pull-ups
// add up (TCA9548A datasheet, section 8.2.2 "Detailed Design Procedure"): with short wires four are well within 400
// pF.
func (g *Group) Channels(i int, mask byte) *Channel {
	return &Channel{g: g, mux: i, mask: mask}
}

// Close closes every channel.
func (g *Group) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closeAll(-1)
}

// Verify reads back the open channels of the multiplexer that has one open. A difference means a reset. It is counted,
// and the next transfer selects again.
func (g *Group) Verify() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.known || g.open < 0 {
		return nil
	}
	return g.verify()
}

func (g *Group) verify() error {
	m := &g.muxes[g.open]
	var r [1]byte
	err := g.bus.Tx(m.addr, nil, r[:])
	if err == nil && r[0] != g.mask {
		err = g.bus.Tx(m.addr, nil, r[:]) // a transfer may have gone wrong: twice is no chance
	}
	if err != nil {
		g.known = false
		return g.failed(g.open, err)
	}
	if r[0] != g.mask {
		g.known = false
		m.mu.Lock()
		m.resets++
		m.mu.Unlock()
		return say.Error("%s: has channels %s open, want %s: was it reset?", m.name(), fmt.Sprintf("%08b", r[0]),
			fmt.Sprintf("%08b", g.mask))
	}
	return nil
}

// name is what a builder calls the multiplexer.
func (m *mux) name() string { return fmt.Sprintf("pca9548 0x%02x", m.addr) }

// Health returns a part for each multiplexer. It does not wait for the bus.
func (g *Group) Health() []sensing.Part {
	var list []sensing.Part
	for i := range g.muxes {
		m := &g.muxes[i]
		m.mu.Lock()
		p := sensing.Part{Name: m.name(), OK: m.last == nil, Errors: m.errors + m.resets}
		switch {
		case m.last != nil:
			p.Tell(say.Of(m.last))
		case m.resets > 0:
			p.Tell(say.That("was reset %d times; look at its supply", m.resets))
		}
		m.mu.Unlock()
		list = append(list, p)
	}
	return list
}

// tx does a transfer on a channel. If it fails, tx closes everything, selects again and repeats it once.
func (g *Group) tx(i int, mask byte, addr uint16, w, r []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	cached := g.known && g.open == i && g.mask == mask
	err := g.once(i, mask, addr, w, r)
	if err == nil || !cached {
		return err
	}
	if g.known = true; g.verify() == nil {
		// The multiplexer works: the chip failed, and its driver decides about another try.
		g.known = false
		return err
	}
	return g.once(i, mask, addr, w, r)
}

func (g *Group) once(i int, mask byte, addr uint16, w, r []byte) error {
	if err := g.choose(i, mask); err != nil {
		return err
	}
	if err := g.bus.Tx(addr, w, r); err != nil {
		g.known = false
		return err
	}
	return nil
}

// choose opens one channel and no other.
func (g *Group) choose(i int, mask byte) error {
	if g.known && g.open == i && g.mask == mask {
		return nil
	}
	switch {
	case !g.known:
		// A multiplexer that does not answer counts as without power; the others go on.
		_ = g.closeAll(i)
	case g.open >= 0 && g.open != i:
		if err := g.control(g.open, 0); err != nil {
			g.known = false
			return err
		}
	}
	if err := g.control(i, mask); err != nil {
		g.known = false
		return err
	}
	g.known, g.open, g.mask = true, i, mask
	return nil
}

// closeAll closes all channels but those of one multiplexer.
func (g *Group) closeAll(but int) error {
	var errs []error
	for i := range g.muxes {
		if i != but {
			errs = append(errs, g.control(i, 0))
		}
	}
	err := errors.Join(errs...)
	g.known, g.open = err == nil && but < 0, -1
	return err
}

// control writes a multiplexer's one register: a bit for each channel that is to be open.
func (g *Group) control(i int, mask byte) error {
	g.buf[0] = mask
	err := g.bus.Tx(g.muxes[i].addr, g.buf[:], nil)
	return g.failed(i, err)
}

// failed counts an error of a multiplexer, or notes that it works.
func (g *Group) failed(i int, err error) error {
	m := &g.muxes[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = nil
	if err != nil {
		m.errors++
		m.last = say.Error("%s: %v", m.name(), err)
	}
	return m.last
}

// Channel is one channel, or several. It is an i2c.Bus.
type Channel struct {
	g    *Group
	mux  int
	mask byte
}

var _ i2c.Bus = (*Channel)(nil)

// Tx does a transfer to a chip on this channel.
func (c *Channel) Tx(addr uint16, w, r []byte) error {
	if len(r) > 0 && bits.OnesCount8(c.mask) != 1 {
		return fmt.Errorf("%v: read 0x%02x: several channels can only be written to at once", c, addr)
	}
	return c.g.tx(c.mux, c.mask, addr, w, r)
}

// SetSpeed sets the speed of the whole bus.
func (c *Channel) SetSpeed(f physic.Frequency) error { return c.g.bus.SetSpeed(f) }

// String is the name that periph's own driver would give the channel; of several, their bits.
func (c *Channel) String() string {
	name := fmt.Sprintf("%v-pca9548-%02x-", c.g.bus, c.g.muxes[c.mux].addr)
	if bits.OnesCount8(c.mask) == 1 {
		return name + strconv.Itoa(bits.TrailingZeros8(c.mask))
	}
	return fmt.Sprintf("%s%08b", name, c.mask)
}
