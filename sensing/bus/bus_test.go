// SPDX-License-Identifier: Apache-2.0

package bus_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/sensing/bus"
	"boardd/sensing/tca9535"
)

// wired is a bus with one expander, in front of it the wrapper that recovers by two pins.
func wired(t *testing.T) (*wires.Bus, *bus.Bus, *tca9535.Dev) {
	v := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	v.Attach(0x20, chips.NewTCA9535(func() uint16 { return 0x1234 }, nil))
	b := bus.New(v, bus.Opts{Recover: bus.NineClocks(v.SCL("scl"), v.SDA("sda"))})
	d, err := tca9535.New(b, 0x20)
	if err != nil {
		t.Fatal(err)
	}
	return v, b, d
}

// verbose is a pin that says more of itself than its name, as periph's gpioioctl has them.
type verbose struct{ *wires.Wire }

func (v verbose) String() string { return "{\n\t\"Name\": \"" + v.Name() + "\"\n}" }

func TestRecoveryThatFailsNamesItsPinsInOneLine(t *testing.T) {
	v := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	v.Stick(1000)
	err := bus.NineClocks(verbose{v.SCL("GPIO22")}, verbose{v.SDA("GPIO27")})()
	if err == nil || !strings.HasPrefix(err.Error(), "free the bus by GPIO22 and GPIO27: SDA stays low") {
		t.Errorf("got %v, want the names of the pins and what is wrong", err)
	}
}

func TestStuckDataLineIsFreedWithinTheTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for clocks := 1; clocks <= 9; clocks++ {
			v, b, d := wired(t)
			v.Stick(clocks)
			if got, err := d.Inputs(); err != nil || got != 0x1234 {
				t.Errorf("held for %d clocks: got %04x, error %v", clocks, got, err)
			}
			if v.Stops() != 1 {
				t.Errorf("held for %d clocks: got %d stop conditions, want 1", clocks, v.Stops())
			}
			if h := b.Health()[0]; !h.OK || h.Errors != 1 || !strings.Contains(h.Detail, "freed once") {
				t.Errorf("got %+v, want one hang, freed", h)
			}
		}
	})
}

func TestDeadBusIsNotHammered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, b, d := wired(t)
		v.Stick(1000)
		for range 100 {
			if _, err := d.Inputs(); err == nil {
				t.Fatal("got a reading from a bus that is held")
			}
			time.Sleep(10 * time.Millisecond)
		}
		if h := b.Health()[0]; h.OK || !strings.Contains(h.Detail, "SDA stays low") {
			t.Errorf("got %+v, want the reason", h)
		}
		// A second's worth of failures may try twice: at the start and at the end.
		v.Stick(5)
		time.Sleep(time.Second)
		if _, err := d.Inputs(); err != nil {
			t.Errorf("a second after it can be freed: %v", err)
		}
		if h := b.Health()[0]; !h.OK {
			t.Errorf("got %+v, want it well", h)
		}
	})
}

// A bus that hangs again and again is freed each time, as long as that helps.
func TestBusThatHangsOftenIsFreedEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, b, d := wired(t)
		for n := range 50 {
			v.Stick(3)
			if got, err := d.Inputs(); err != nil || got != 0x1234 {
				t.Fatalf("hang %d: got %04x, error %v", n, got, err)
			}
			time.Sleep(time.Millisecond)
		}
		if h := b.Health()[0]; !h.OK || h.Errors != 50 || !strings.Contains(h.Detail, "freed 50 times") {
			t.Errorf("got %+v, want 50 hangs, all freed", h)
		}
	})
}

func TestErrorsAreCountedByChip(t *testing.T) {
	v, b, d := wired(t)
	v.SetFaults(wires.Faults{NackEvery: 10})
	for range 100 {
		_, _ = d.Inputs()
	}
	v.SetFaults(wires.Faults{})
	var one [1]byte
	if err := b.Tx(0x55, nil, one[:]); err == nil {
		t.Error("got no error from a chip that is not there")
	}
	h := b.Health()
	if len(h) != 3 || h[1].Errors != 10 || !strings.Contains(h[1].Name, "0x20") || h[2].Errors != 1 || h[2].OK {
		t.Errorf("got %+v, want 10 errors of 0x20 and one of 0x55", h)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bus.Fault
	}{
		{nil, bus.Fine},
		{fmt.Errorf("sysfs-i2c: %v", syscall.EREMOTEIO), bus.Refused},
		{fmt.Errorf("sysfs-i2c: %v", syscall.ENXIO), bus.Refused},
		{fmt.Errorf("sysfs-i2c: %v", syscall.ETIMEDOUT), bus.Hung},
		{fmt.Errorf("read: %w", syscall.EIO), bus.Hung},
		{fmt.Errorf("sysfs-i2c: %v", syscall.EAGAIN), bus.Hung},
		{errors.New("permission denied"), bus.Other},
	} {
		if got := bus.Classify(c.err); got != c.want {
			t.Errorf("%v: got %d, want %d", c.err, got, c.want)
		}
	}
}
