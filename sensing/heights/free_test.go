// SPDX-License-Identifier: Apache-2.0

package heights_test

import (
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing/pca9548"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
)

// free is sensors that range by themselves, each on its own clock.
type free struct {
	*testing.T
	eyes [64]i2c.Bus
	devs [64]*vl6180x.Dev
}

func newFree(t *testing.T, seed uint64) *free {
	b, err := virtual.New(virtual.Options{Name: "free-" + t.Name(), Kind: virtual.Twin, Untimed: true, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	bus, err := i2creg.Open(b.I2C())
	if err != nil {
		t.Fatal(err)
	}
	mux, err := pca9548.New(bus, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77)
	if err != nil {
		t.Fatal(err)
	}
	f := &free{T: t}
	for sq := range rules.Square(64) {
		f.eyes[sq] = mux.Channel(sq.Rank(), sq.File())
		if f.devs[sq], err = vl6180x.New(f.eyes[sq], vl6180x.Opts{}); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// all writes a register of all sensors of a color.
func (f *free) all(color int, reg, v byte) {
	f.Helper()
	for sq := range rules.Square(64) {
		if (sq.File()+sq.Rank())%2 != color {
			continue
		}
		if err := f.eyes[sq].Tx(vl6180x.Addr, []byte{0, reg, v}, nil); err != nil {
			f.Fatal(err)
		}
	}
}

// wrong reads all ranges, and counts those that are not an empty square's.
func (f *free) wrong() (n int) {
	f.Helper()
	for _, d := range f.devs {
		r, s, err := d.Result()
		if err != nil || s != vl6180x.OK {
			f.Fatal(r, s, err)
		}
		if um := 147_000 - int32(r/1000); !level(um) {
			n++
		}
	}
	return n
}

// TestFreeRunningSensorsDazzle uses the chip's own continuous mode, with the two colors started half a period apart.
// As the package's comment says, neighbours soon shine into each other, whatever the period.
func TestFreeRunningSensorsDazzle(t *testing.T) {
	const (
		start, period = 0x18, 0x1b
		continuous    = 3
		step          = 10 * time.Millisecond
		reads         = 50
	)
	for _, each := range []time.Duration{3 * step, 6 * step, 10 * step} {
		for seed := range uint64(3) {
			synctest.Test(t, func(t *testing.T) {
				f := newFree(t, seed)
				for color := range 2 {
					f.all(color, period, byte(each/step-1))
				}
				f.all(0, start, continuous)
				time.Sleep(each / 2)
				f.all(1, start, continuous)
				wrong := 0
				for range reads {
					time.Sleep(each)
					wrong += f.wrong()
				}
				t.Logf("%v, seed %d: %d of %d ranges are wrong", each, seed, wrong, reads*64)
				if wrong < reads*64/20 {
					t.Errorf("%v, seed %d: %d of %d ranges are wrong: do sensors on clocks of their own not drift into each other "+
						"any more?", each, seed, wrong, reads*64)
				}
			})
		}
	}
}
