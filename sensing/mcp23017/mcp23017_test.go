// SPDX-License-Identifier: Apache-2.0

package mcp23017_test

import (
	"errors"
	"testing"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/sensing"
	"boardd/sensing/mcp23017"
)

func TestFourteenInputs(t *testing.T) {
	bus, pin := wires.New("i2c", 400*physic.KiloHertz).Untimed(), wires.NewPin("int")
	levels := uint16(0xffff)
	bus.Attach(0x20, chips.NewMCP23017(func() uint16 { return levels }, pin))
	d, err := mcp23017.New(bus, 0x20)
	if err != nil {
		t.Fatal(err)
	}
	read := func() uint16 {
		t.Helper()
		before := bus.Counters().Transactions
		v, err := d.Inputs()
		if n := bus.Counters().Transactions - before; err != nil || n != 1 {
			t.Fatalf("read: %d transactions, error %v, want 1 and none", n, err)
		}
		return v
	}
	for bit := range 16 {
		levels = 0xffff
		read()
		levels = ^(1 << bit)
		bus.Changed()
		used := bit != 7 && bit != 15
		if asked := pin.Read() == gpio.Low; asked != used {
			t.Errorf("bit %d: interrupt %v, want %v", bit, asked, used)
		}
		want := levels
		if !used {
			want = 0xffff
		}
		if got := read(); got != want {
			t.Errorf("bit %d: got %04x, want %04x", bit, got, want)
		}
	}
	if pin.Read() == gpio.Low {
		t.Error("the interrupt is not ended by reading")
	}
}

func TestResetIsNoticed(t *testing.T) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	c := chips.NewMCP23017(func() uint16 { return 0xffff }, nil)
	bus.Attach(0x27, c)
	d, err := mcp23017.New(bus, 0x27)
	if err != nil {
		t.Fatal(err)
	}
	c.Reset()
	if err := d.Verify(); !errors.Is(err, sensing.ErrReset) {
		t.Errorf("got %v, want %v", err, sensing.ErrReset)
	}
	if err := d.Setup(); err != nil {
		t.Error(err)
	}
}
