// SPDX-License-Identifier: Apache-2.0

package tca9535_test

import (
	"errors"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/sensing"
	"boardd/sensing/tca9535"
)

// TestTranscript: the bytes on the wire are configuration, inversion and mark written and read back, then both ports
// read at once.
func TestTranscript(t *testing.T) {
	bus := &i2ctest.Playback{DontPanic: true, Ops: []i2ctest.IO{
		{Addr: 0x21, W: []byte{6, 0xff, 0xff}},
		{Addr: 0x21, W: []byte{4, 0, 0}},
		{Addr: 0x21, W: []byte{2, 0x3c, 0x5a}},
		{Addr: 0x21, W: []byte{2}, R: []byte{0x3c, 0x5a}},
		{Addr: 0x21, W: []byte{4}, R: []byte{0, 0}},
		{Addr: 0x21, W: []byte{6}, R: []byte{0xff, 0xff}},
		{Addr: 0x21, W: []byte{0}, R: []byte{0xfe, 0x7f}},
	}}
	d, err := tca9535.New(bus, 0x21)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Inputs(); err != nil || got != 0x7ffe {
		t.Errorf("got %04x, error %v, want 7ffe", got, err)
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
}

func TestOneSweepOfADeckAt400kHzIsHalfAMillisecond(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	var devs []*tca9535.Dev
	for a := uint16(0x20); a < 0x24; a++ {
		bus.Attach(a, chips.NewTCA9535(func() uint16 { return 0xffff }, nil))
		d, err := tca9535.New(bus, a)
		if err != nil {
			t.Fatal(err)
		}
		devs = append(devs, d)
	}
	before := bus.Counters()
	for _, d := range devs {
		if _, err := d.Inputs(); err != nil {
			t.Fatal(err)
		}
	}
	now := bus.Counters()
	if n := now.Transactions - before.Transactions; n != 4 {
		t.Errorf("got %d transactions, want one for each of 4 chips", n)
	}
	if us := (now.Time - before.Time).Microseconds(); us != 480 {
		t.Errorf("got %d us on the wire, want 480", us)
	}
}

func TestErrorIsNoReading(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	c := chips.NewTCA9535(func() uint16 { return 0 }, nil)
	bus.Attach(0x20, c)
	d, err := tca9535.New(bus, 0x20)
	if err != nil {
		t.Fatal(err)
	}
	bus.Silence(c, true)
	if got, err := d.Inputs(); err == nil || got != 0 || !strings.Contains(err.Error(), "0x20") {
		t.Errorf("got %04x and %v, want nothing and an error that names the chip", got, err)
	}
}

func TestResetIsNoticed(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	c := chips.NewTCA9535(func() uint16 { return 0xffff }, nil)
	bus.Attach(0x20, c)
	d, err := tca9535.New(bus, 0x20)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(); err != nil {
		t.Fatal(err)
	}
	c.Reset()
	if err := d.Verify(); !errors.Is(err, sensing.ErrReset) {
		t.Errorf("got %v, want %v", err, sensing.ErrReset)
	}
	if err := d.Setup(); err != nil {
		t.Error(err)
	}
	if err := d.Verify(); err != nil {
		t.Error(err)
	}
}

func TestAddressesAreChecked(t *testing.T) {
	for _, a := range []uint16{0, 0x1f, 0x28, 0x70} {
		if _, err := tca9535.New(wires.New("i2c", physic.KiloHertz), a); err == nil ||
			!strings.Contains(err.Error(), "0x20 to 0x27") {
			t.Errorf("address 0x%02x: got %v, want an error with the range", a, err)
		}
	}
}
