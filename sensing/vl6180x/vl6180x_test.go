// SPDX-License-Identifier: Apache-2.0

package vl6180x_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/sensing"
	"boardd/sensing/vl6180x"
)

// bench is a sensor that sees what sight says.
func bench(sight *chips.Sight) (*wires.Bus, *chips.VL6180X) {
	bus := wires.New("i2c", 400*physic.KiloHertz).Untimed()
	c := chips.NewVL6180X(func(_, _ time.Time) chips.Sight { return *sight })
	bus.Attach(vl6180x.Addr, c)
	return bus, c
}

// shot measures once.
func shot(t *testing.T, d *vl6180x.Dev) (physic.Distance, vl6180x.Status) {
	t.Helper()
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); time.Since(began) < time.Second; time.Sleep(time.Millisecond) {
		r, s, err := d.Result()
		if err == nil {
			return r, s
		}
		if !errors.Is(err, vl6180x.ErrBusy) {
			t.Fatal(err)
		}
	}
	t.Fatal("no result in 1 s")
	return 0, 0
}

func TestEveryDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sight chips.Sight
		bus, _ := bench(&sight)
		d, err := vl6180x.New(bus, vl6180x.Opts{})
		if err != nil {
			t.Fatal(err)
		}
		for mm := 5; mm <= 150; mm += 5 {
			sight.MM = float64(mm)
			began := time.Now()
			if got, s := shot(t, d); s != vl6180x.OK || got != physic.Distance(mm)*physic.MilliMetre {
				t.Errorf("%d mm: got %v, %v", mm, got, s)
			}
			if took := time.Since(began); took < 9*time.Millisecond || took > 14*time.Millisecond {
				t.Errorf("%d mm took %v, want about 12ms", mm, took)
			}
		}
	})
}

func TestEveryFailureHasItsReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sight chips.Sight
		bus, _ := bench(&sight)
		d, err := vl6180x.New(bus, vl6180x.Opts{})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for status := byte(1); status < 16; status++ {
			sight.Status = status
			got, s := shot(t, d)
			if got != 0 || byte(s) != status || s.String() == "good" || s.String() == "" {
				t.Errorf("status %d: got %v, %v", status, got, s)
			}
			seen[s.String()] = true
		}
		if len(seen) < 7 {
			t.Errorf("got %d different reasons", len(seen))
		}
	})
}

func TestResetIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sight := chips.Sight{MM: 60}
		bus, c := bench(&sight)
		d, err := vl6180x.New(bus, vl6180x.Opts{Crosstalk: 77})
		if err != nil {
			t.Fatal(err)
		}
		before, _ := shot(t, d)
		if err := d.Verify(); err != nil {
			t.Error(err)
		}
		c.Reset()
		if err := d.Verify(); !errors.Is(err, sensing.ErrReset) {
			t.Errorf("got %v, want %v", err, sensing.ErrReset)
		}
		if err := d.Setup(); err != nil {
			t.Fatal(err)
		}
		if after, _ := shot(t, d); after != before {
			t.Errorf("got %v after the set-up, %v before the reset", after, before)
		}
	})
}

func TestCrosstalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sight := chips.Sight{MM: 100}
		bus, c := bench(&sight)
		c.Cover(0.8) // a fifth of the 4 Mcps that come back from 100 mm
		d, err := vl6180x.New(bus, vl6180x.Opts{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := shot(t, d); got != 80*physic.MilliMetre {
			t.Errorf("behind the cover: got %v, want 80mm", got)
		}
		wait := func() { time.Sleep(5 * time.Millisecond) }
		o, err := d.CalibrateCrosstalk(100*physic.MilliMetre, 2*physic.MilliMetre, wait)
		if err != nil || o.Crosstalk < 95 || o.Crosstalk > 110 { // 0.8 * 128 is 102
			t.Errorf("got %+v, error %v, want about 102", o, err)
		}
		again, err := vl6180x.New(bus, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, mm := range []float64{100, 60, 140} {
			sight.MM = mm
			if got, _ := shot(t, again); got < physic.Distance(mm-2)*physic.MilliMetre ||
				got > physic.Distance(mm+2)*physic.MilliMetre {
				t.Errorf("%g mm with the calibration kept: got %v", mm, got)
			}
		}
		sight.MM = 10
		if _, err := d.CalibrateCrosstalk(100*physic.MilliMetre, 2*physic.MilliMetre, wait); err == nil {
			t.Error("something in the way: got no error")
		}
		sight.Status = 7
		if _, err := d.CalibrateCrosstalk(100*physic.MilliMetre, 2*physic.MilliMetre, wait); err == nil {
			t.Error("no target: got no error")
		}
	})
}

func TestOtherChipIsRefused(t *testing.T) {
	bus := &i2ctest.Playback{DontPanic: true, Ops: []i2ctest.IO{{Addr: 0x29, W: []byte{0, 0}, R: []byte{0xee}},
		{Addr: 0x29, W: []byte{0, 0}, R: []byte{0xee}}}}
	if _, err := vl6180x.New(bus, vl6180x.Opts{}); err == nil {
		t.Error("a model of 0xee: got no error")
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
}

// TestBitsOfAMeasurement: one measurement takes twice 38 bits to start, and 93 for its result.
func TestBitsOfAMeasurement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sight := chips.Sight{MM: 60}
		bus, _ := bench(&sight)
		d, err := vl6180x.New(bus, vl6180x.Opts{})
		if err != nil {
			t.Fatal(err)
		}
		shot(t, d) // the first result after a set-up is compared with the range register
		before := bus.Counters().Bits
		if err := d.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		if _, _, err := d.Result(); err != nil {
			t.Fatal(err)
		}
		if got := bus.Counters().Bits - before; got != 2*38+93 {
			t.Errorf("got %d bits, want %d", got, 2*38+93)
		}
	})
}
