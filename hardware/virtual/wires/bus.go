// SPDX-License-Identifier: Apache-2.0

package wires

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/physics"
)

// Chip is a chip on an I2C bus. Tx is one transaction: the bytes written after the address, then, after a repeated
// start, the bytes read. It is called with the bus locked.
type Chip interface {
	Tx(w, r []byte)
}

// changer is a chip that must look at its inputs when the world has changed.
type changer interface{ Changed() }

// Bus is a virtual I2C bus. A transaction blocks for as long as its bits take at the clock.
type Bus struct {
	name  string
	sleep func(time.Duration) // nil when transactions take no time

	wire chan struct{} // room for the one transaction under way; no mutex, so that tests in virtual time can wait for it
	free time.Time     // when the last transaction is over on the wire

	mu    sync.Mutex // guards chips and counters
	clock physic.Frequency
	chips map[uint16]Chip
	muxes []*PCA9548
	hit   []Chip // the answer of reach
	count Counters
	fault Faults
	gone  map[Chip]bool // chips that do not answer
	wires pair
}

// Faults is what is wrong with a bus; the zero value is nothing.
type Faults struct {
	NackEvery int              // one transaction in this many is not acknowledged; 0 none
	FlipEvery int              // one read in this many has a flipped bit; 0 none
	Clock     physic.Frequency // the clock that really runs, if not the one asked for

	// In one transaction of so many the chip stretches the clock and misses the pulse after it; 0: none. The BCM2835 of a
	// Raspberry Pi makes that pulse as short as 40 ns (github.com/raspberrypi/linux, issue 254;
	// advamation.com/knowhow/raspberrypi/rpi-i2c-bug.html). From there on the chip is one clock late: see missed.
	StretchEvery int
}

// SetFaults replaces the faults.
func (b *Bus) SetFaults(f Faults) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = f
}

// Silence makes a chip acknowledge nothing, or heals it.
func (b *Bus) Silence(c Chip, gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone[c] = gone
}

// Stick makes a chip hold SDA low until it has seen this many clocks; no transaction works until then.
func (b *Bus) Stick(clocks int) { b.wires.stick(clocks) }

// Stops is how many stop conditions were made by the pins that are wired to the bus.
func (b *Bus) Stops() int {
	b.wires.mu.Lock()
	defer b.wires.mu.Unlock()
	return b.wires.stops
}

// SCL is a pin wired to the bus's clock.
func (b *Bus) SCL(name string) *Wire { return &Wire{name, &b.wires, lineSCL} }

// SDA is a pin wired to the bus's data line.
func (b *Bus) SDA(name string) *Wire { return &Wire{name, &b.wires, lineSDA} }

// Counters is what has gone over a bus since it was made.
type Counters struct {
	Transactions uint64
	Bits         uint64        // start and stop conditions count as one bit each
	Time         time.Duration // at the clock
	Refused      uint64        // addresses that nobody acknowledged
}

// errNack is what Linux's I2C drivers say through periph when nobody acknowledges (EREMOTEIO).
var errNack = errors.New("sysfs-i2c: remote I/O error")

// New makes a bus with nothing on it.
func New(name string, clock physic.Frequency) *Bus {
	return &Bus{name: name, clock: clock, chips: map[uint16]Chip{}, gone: map[Chip]bool{}, sleep: Block,
		wire: make(chan struct{}, 1)}
}

// Block sleeps in the kernel, as a real transfer does: Go's own timers are coarser than a transaction is long.
func Block(d time.Duration) {
	if d <= 0 {
		return
	}
	t := unix.NsecToTimespec(int64(d))
	for unix.Nanosleep(&t, &t) == unix.EINTR {
	}
}

// SleepBy makes callers wait by a function of their own instead of in the kernel, time.Sleep for tests in virtual
// time.
func (b *Bus) SleepBy(sleep func(time.Duration)) *Bus {
	b.sleep = sleep
	return b
}

// Untimed makes transactions take no time, for tests that do not measure it.
func (b *Bus) Untimed() *Bus {
	b.sleep = nil
	return b
}

// A sleep is late by some 60 us and more on a busy machine, which a real transfer is not. So transactions that follow
// each other closely are laid end to end on a time line. A caller sleeps only if it is early by more than ahead. A gap
// longer than pause remains a gap.
const (
	ahead = 60 * time.Microsecond
	pause = 500 * time.Microsecond
)

// hangs is how long a transfer on a held bus takes to fail; the Raspberry Pi's driver takes a second.
const hangs = 20 * time.Millisecond

// occupy lets a transaction take its time.
func (b *Bus) occupy(d time.Duration) {
	if b.sleep == nil {
		return
	}
	now := time.Now()
	if now.Sub(b.free) > pause {
		b.free = now
	}
	b.free = b.free.Add(d)
	if early := b.free.Sub(now); early > ahead {
		b.sleep(early)
	}
}

// Attach puts a chip at an address.
func (b *Bus) Attach(addr uint16, c Chip) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chips[addr] = c
	if m, ok := c.(*PCA9548); ok {
		b.muxes = append(b.muxes, m)
	}
}

// Detach takes the chip at an address away.
func (b *Bus) Detach(addr uint16) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m, ok := b.chips[addr].(*PCA9548); ok {
		b.muxes = slices.DeleteFunc(b.muxes, func(o *PCA9548) bool { return o == m })
	}
	delete(b.chips, addr)
}

// Changed lets every chip look at its inputs.
func (b *Bus) Changed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.chips {
		if c, ok := c.(changer); ok {
			c.Changed()
		}
	}
}

// PowerCycle resets a chip between two transactions.
func (b *Bus) PowerCycle(c interface{ Reset() }) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.Reset()
}

// Counters is what has gone over the bus.
func (b *Bus) Counters() Counters {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// Tx does one transaction as periph's buses do: w is written, then r is read after a repeated start.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	if len(w) == 0 && len(r) == 0 {
		return nil // as periph's sysfs bus: no transfer at all
	}
	b.wire <- struct{}{}
	defer func() { <-b.wire }()
	if b.wires.stuck() {
		b.occupy(hangs)
		return errHung
	}
	b.occupy(b.addTransaction(addr, len(w), len(r)))
	b.mu.Lock()
	defer b.mu.Unlock()
	hit := b.reach(addr)
	if len(hit) == 0 || every(b.fault.NackEvery, b.count.Transactions) {
		return errNack
	}
	if every(b.fault.StretchEvery, b.count.Transactions) {
		return b.missed(hit, w, r)
	}
	b.answer(hit, w, r)
	if len(r) > 0 && every(b.fault.FlipEvery, b.count.Transactions) {
		n := physics.Mix(b.count.Transactions, 1)
		r[n>>3%uint64(len(r))] ^= 1 << (n & 7)
	}
	return nil
}

// missed is a transaction in which the chips miss the first clock of one byte.
//
// Of a written byte they have seven bits when they should acknowledge. The controller takes that for a refusal and
// gives up. The acknowledge comes one clock later, and holds SDA. Of a byte that is read the first bit is sent twice.
// The last bit comes when the controller acknowledges. When the chip expects the acknowledge, there is none: it falls
// silent, and the rest reads as ones. If that byte was the last, and its last bit a 0, it holds SDA.
func (b *Bus) missed(hit []Chip, w, r []byte) error {
	k := int(physics.Mix(b.count.Transactions, 2) % uint64(len(w)+len(r)))
	if k < len(w) {
		if k > 0 {
			b.answer(hit, w[:k], nil)
		}
		b.wires.stick(1)
		return errNack
	}
	b.answer(hit, w, r)
	k -= len(w)
	if k == len(r)-1 && r[k]&1 == 0 {
		b.wires.stick(1)
	}
	r[k] = r[k]&0x80 | r[k]>>1
	for i := range r[k+1:] {
		r[k+1+i] = 0xff
	}
	return nil
}

// every reports whether the i-th thing is one in n.
func every(n int, i uint64) bool { return n > 0 && i%uint64(n) == 0 }

// reach returns the chips that hear an address: on the bus itself, and behind every multiplexer with a channel open.
func (b *Bus) reach(addr uint16) []Chip {
	b.hit = b.hit[:0]
	if c := b.chips[addr]; c != nil {
		b.hit = append(b.hit, c)
	}
	for _, m := range b.muxes {
		if m.mask != 0 && !b.gone[m] {
			b.hit = m.behind(b.hit, addr)
		}
	}
	if len(b.gone) > 0 {
		b.hit = slices.DeleteFunc(b.hit, func(c Chip) bool { return b.gone[c] })
	}
	return b.hit
}

// answer lets chips take part in a transaction. When several read, the wire carries the AND of their bits.
func (b *Bus) answer(hit []Chip, w, r []byte) {
	hit[0].Tx(w, r)
	for _, c := range hit[1:] {
		q := make([]byte, len(r))
		c.Tx(w, q)
		for i := range r {
			r[i] &= q[i]
		}
	}
}

// addTransaction counts a transaction and says how long it is on the wire.
func (b *Bus) addTransaction(addr uint16, w, r int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	bits := Bits(w, r)
	if len(b.reach(addr)) == 0 {
		bits = 1 + 9 + 1
		b.count.Refused++
	}
	clock := b.clock
	if b.fault.Clock != 0 {
		clock = b.fault.Clock
	}
	d := time.Duration(bits) * clock.Period()
	b.count.Transactions++
	b.count.Bits += uint64(bits)
	b.count.Time += d
	return d
}

// Bits is the length of a transaction on the wire. It counts nine bits a byte, including address bytes, and one each
// for the start, the repeated start and the stop condition.
func Bits(w, r int) int {
	bits := 2
	if w > 0 {
		bits += 9 * (1 + w)
	}
	if r > 0 {
		bits += 9 * (1 + r)
	}
	if w > 0 && r > 0 {
		bits++
	}
	return bits
}

// SetSpeed sets the clock, from 10 kHz to 400 kHz.
func (b *Bus) SetSpeed(f physic.Frequency) error {
	if f < 10*physic.KiloHertz || f > 400*physic.KiloHertz {
		return fmt.Errorf("%s: clock %v: want 10kHz to 400kHz", b.name, f)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock = f
	return nil
}

// String is the bus's name.
func (b *Bus) String() string { return b.name }

// Handle is a bus as opened by a driver: closing it leaves the bus for others.
type Handle struct{ *Bus }

// Close does nothing.
func (Handle) Close() error { return nil }
