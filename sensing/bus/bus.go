// SPDX-License-Identifier: Apache-2.0

// Package bus wraps an I2C bus. It counts faults, repeats transfers within limits, and frees a stuck bus if possible.
//
// Every failed transfer is counted for its chip. A transfer that nobody acknowledged is left to the chip's driver. If
// a transfer fails because the bus hangs, that is, a chip holds SDA low, the bus is recovered and the transfer is
// repeated once. Recovery is what the I2C specification (NXP UM10204 revision 7, section 3.1.16) prescribes: nine
// clocks on SCL and a stop condition, see [NineClocks].
package bus

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"boardd/rules/say"
	"boardd/sensing"
)

// Opts tunes a bus; the zero value will do.
type Opts struct {
	Recover func() error  // frees a bus that hangs; nil if there is no way
	Every   time.Duration // least time until a recovery that did not help is tried again; 0 is 1 s
}

// Bus is an i2c.Bus in front of another. It is safe for use by several goroutines as far as the other is.
type Bus struct {
	bus i2c.Bus
	o   Opts

	mu    sync.Mutex // guards what follows
	chips map[uint16]*chip
	hung  uint64 // transfers that found the bus hanging
	freed uint64 // recoveries that the next transfer confirmed
	tried time.Time
	free  bool  // the transfer after the last recovery did not find the bus hanging
	last  error // of the last transfer, if the bus hung
	why   error // of the last recovery
	busy  time.Duration
	since time.Time
}

// chip is what is known about one address.
type chip struct {
	transfers, errors uint64
	last              error // of the last transfer
}

var _ i2c.Bus = (*Bus)(nil)

// New wraps a bus.
func New(b i2c.Bus, o Opts) *Bus {
	if o.Every == 0 {
		o.Every = time.Second
	}
	return &Bus{bus: b, o: o, chips: map[uint16]*chip{}, since: time.Now()}
}

// Tx does a transfer, and repeats it once if the bus hung and could be freed.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	err := b.once(addr, w, r)
	if Classify(err) != Hung || !b.recover() {
		return err
	}
	err = b.once(addr, w, r)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = Classify(err) != Hung
	if err == nil {
		b.freed++
	}
	return err
}

// once does one transfer and counts its result.
func (b *Bus) once(addr uint16, w, r []byte) error {
	began := time.Now()
	err := b.bus.Tx(addr, w, r)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy += time.Since(began)
	c := b.chips[addr]
	if c == nil {
		c = &chip{}
		b.chips[addr] = c
	}
	c.transfers++
	c.last = err
	if err != nil {
		c.errors++
	}
	switch Classify(err) {
	case Hung:
		b.hung++
		b.last = err
	case Fine, Refused:
		b.last, b.why = nil, nil
	}
	return err
}

// recover frees the bus, unless that was tried within Opts.Every and did not help. It reports whether it has.
func (b *Bus) recover() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.o.Recover == nil || !b.free && time.Since(b.tried) < b.o.Every {
		return false
	}
	b.tried, b.free = time.Now(), false
	b.why = b.o.Recover()
	return b.why == nil
}

// SetSpeed sets the clock.
func (b *Bus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// String is the name of the bus.
func (b *Bus) String() string { return b.bus.String() }

// Health returns the part of the bus, and then one for every address that has failed.
func (b *Bus) Health() []sensing.Part {
	b.mu.Lock()
	defer b.mu.Unlock()
	line := sensing.Called(say.That("i2c %v", b.bus))
	line.OK, line.Errors = b.last == nil, b.hung
	b.tell(&line)
	list := []sensing.Part{line}
	for addr, c := range b.chips {
		if c.errors == 0 {
			continue
		}
		p := sensing.Called(say.That("i2c %v %s", b.bus, fmt.Sprintf("0x%02x", addr)))
		p.OK, p.Errors = c.last == nil, c.errors
		failed := say.That("%d of %d transfers failed", c.errors, c.transfers)
		if c.last != nil {
			failed = failed.And(": ", say.That("%v", c.last))
		}
		p.Tell(failed)
		list = append(list, p)
	}
	slices.SortFunc(list[1:], func(a, b sensing.Part) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// tell says how busy the bus is and how often it hung.
func (b *Bus) tell(p *sensing.Part) {
	busy := 100 * b.busy.Seconds() / max(time.Since(b.since).Seconds(), 1e-3)
	how := say.That("%s %% busy", fmt.Sprintf("%.0f", busy))
	if b.hung > 0 {
		how = how.And("; ", say.That("hung %d times, freed %d times", b.hung, b.freed))
	}
	if b.last != nil {
		how = how.And(": ", say.That("%v", b.last))
	}
	p.Tell(how)
	switch {
	case b.why != nil:
		p.Tell(say.Of(b.why))
	case b.last != nil && b.o.Recover == nil:
		p.Tell(say.That("no recovery pins are configured"))
	}
}
