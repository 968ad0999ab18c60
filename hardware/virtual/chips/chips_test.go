// SPDX-License-Identifier: Apache-2.0

package chips_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
)

// transfer is one transaction and the answer it must have.
type transfer struct{ w, want []byte }

// follow carries transfers out.
func follow(t *testing.T, bus *wires.Bus, addr uint16, list []transfer) {
	t.Helper()
	for i, x := range list {
		r := make([]byte, len(x.want))
		if err := bus.Tx(addr, x.w, r); err != nil || !bytes.Equal(r, x.want) {
			t.Errorf("transfer %d, % x: got % x, error %v, want % x", i, x.w, r, err, x.want)
		}
	}
}

// The expander after its datasheet: defaults, pairs of registers, inversion, outputs, the pointer that stays where it
// was.
func TestTCA9535(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	levels := uint16(0xa55a)
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return levels }, nil))
	follow(t, bus, 0x20, []transfer{
		{[]byte{0}, []byte{0x5a, 0xa5}},
		{[]byte{1}, []byte{0xa5, 0x5a, 0xa5}},
		{nil, []byte{0xa5}}, // goes on with the register under way
		{[]byte{2}, []byte{0xff, 0xff}},
		{[]byte{4}, []byte{0, 0}},
		{[]byte{6}, []byte{0xff, 0xff}},
		{[]byte{5, 0xff}, nil},
		{[]byte{0}, []byte{0x5a, 0x5a}},
		{[]byte{6, 0xf0, 0xff}, nil},
		{[]byte{3, 1, 0x0c}, nil}, // port 1 first, then port 0
		{[]byte{2}, []byte{0x0c, 0x01}},
		{[]byte{0}, []byte{0x5c, 0x5a}},
		{[]byte{0, 0xff}, nil}, // inputs cannot be written
		{[]byte{0}, []byte{0x5c, 0x5a}},
	})
}

// The interrupt: any change asks, a change back withdraws, reading the port ends it, the other port's stays.
func TestInterruptOfTCA9535(t *testing.T) {
	bus, pin := wires.New("i2c", 400*physic.KiloHertz).Untimed(), wires.NewPin("int")
	levels := uint16(0xffff)
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return levels }, pin))
	set := func(v uint16, want gpio.Level) {
		t.Helper()
		levels = v
		bus.Changed()
		if got := pin.Read(); got != want {
			t.Errorf("levels %04x: line is %v, want %v", v, got, want)
		}
	}
	read := func(port byte, want gpio.Level) {
		t.Helper()
		if err := bus.Tx(0x20, []byte{port}, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if got := pin.Read(); got != want {
			t.Errorf("after reading port %d the line is %v, want %v", port, got, want)
		}
	}
	set(0xfffe, gpio.Low)
	set(0xffff, gpio.High)
	set(0x7ffe, gpio.Low)
	read(0, gpio.Low)
	read(1, gpio.High)
	set(0x7fff, gpio.Low)
	read(0, gpio.High)
}

func TestTimeOnTheWire(t *testing.T) {
	for _, c := range []struct{ w, r, bits int }{{1, 0, 20}, {0, 1, 20}, {1, 2, 48}, {2, 1, 48}, {3, 0, 38}} {
		if got := wires.Bits(c.w, c.r); got != c.bits {
			t.Errorf("%d bytes out, %d in: got %d bits, want %d", c.w, c.r, got, c.bits)
		}
	}
	bus := wires.New("i2c", 100*physic.KiloHertz).Untimed()
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0 }, nil))
	follow(t, bus, 0x20, []transfer{{[]byte{0}, []byte{0, 0}}})
	if got := bus.Counters().Time.Microseconds(); got != 480 {
		t.Errorf("at 100 kHz: got %d us, want 480", got)
	}
	bus.SetFaults(wires.Faults{Clock: 50 * physic.KiloHertz})
	follow(t, bus, 0x20, []transfer{{[]byte{0}, []byte{0, 0}}})
	if got := bus.Counters().Time.Microseconds(); got != 480+960 {
		t.Errorf("with the clock at half: got %d us, want %d", got, 480+960)
	}
}

// Two chips that answer at once give the AND of their bits, as open drains do.
func TestTwoAnswersAtOnce(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	for i, v := range []uint16{0x00ff, 0x0ff0} {
		m := wires.NewPCA9548()
		m.Attach(3, 0x20, chips.NewTCA9535(func() uint16 { return v }, nil))
		bus.Attach(0x70+uint16(i), m)
		if err := bus.Tx(0x70+uint16(i), []byte{1 << 3}, nil); err != nil {
			t.Fatal(err)
		}
	}
	follow(t, bus, 0x20, []transfer{{[]byte{0}, []byte{0xf0, 0x00}}})
}

func TestFlippedBitsAndRefusals(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0 }, nil))
	bus.SetFaults(wires.Faults{NackEvery: 10, FlipEvery: 7})
	refused, flipped := 0, 0
	for range 700 {
		r := make([]byte, 2)
		if err := bus.Tx(0x20, []byte{0}, r); err != nil {
			refused++
		} else if r[0]|r[1] != 0 {
			flipped++
		}
	}
	if refused != 70 || flipped != 90 {
		t.Errorf("got %d refused and %d flipped of 700, want 70 and 90", refused, flipped)
	}
}

// A chip that misses a clock is one bit late. It does not acknowledge a write. In a read one byte is halved, and the
// rest is ones.
func TestMissedClock(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	bus.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0x35a6 }, nil))
	bus.SetFaults(wires.Faults{StretchEvery: 1})
	seen := map[string]int{}
	for range 300 {
		r := make([]byte, 2)
		err := bus.Tx(0x20, []byte{0}, r)
		held := bus.SDA("sda").Read() == gpio.Low
		what := fmt.Sprintf("% x, error %v, held %v", r, err, held)
		seen[what]++
		if err := gpioClock(bus.SCL("scl")); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		// the register was refused, and its acknowledgement comes late
		"00 00, error sysfs-i2c: remote I/O error, held true",
		"d3 ff, error <nil>, held false", // 0xa6: its first bit twice, its last one lost
		"a6 1a, error <nil>, held false", // 0x35 ends in a 1
	} {
		if seen[want] < 50 {
			t.Errorf("%q: %d times, want a third of 300", want, seen[want])
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("also %v", seen)
	}
}

// gpioClock is one clock on a pin.
func gpioClock(p gpio.PinIO) error {
	return errors.Join(p.Out(gpio.Low), p.In(gpio.PullUp, gpio.NoEdge))
}

// TestExpanderLosesAChange: the read that a change woke still has the old levels and ends the interrupt; the next one
// has the new ones.
func TestExpanderLosesAChange(t *testing.T) {
	levels, line := uint16(0xffff), wires.NewPin("lost")
	c := chips.NewTCA9535(func() uint16 { return levels }, line)
	c.LoseChanges()
	levels = 0xfffe
	c.Changed()
	if line.Read() != gpio.Low {
		t.Error("the change asks for no attention")
	}
	for n, want := range []byte{0xff, 0xfe, 0xfe} {
		var got [2]byte
		c.Tx([]byte{0}, got[:])
		if got != [2]byte{want, 0xff} || line.Read() != gpio.High {
			t.Errorf("read %d: got % x with the line %v, want %#x and the line high", n, got, line.Read(), want)
		}
	}
}
