// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"context"
	"testing"

	"periph.io/x/conn/v3/physic"
)

// ready is a bus whose sensors are always done: what is measured on it is the driver alone.
type ready struct{}

func (ready) Tx(_ uint16, w, r []byte) error {
	for i := range r {
		r[i] = 4 // a new range in the register of interrupts, status good
	}
	if len(r) > 1 {
		r[0] = 0
	}
	if len(w) == 2 && len(r) == 1 && w[0]|w[1] == 0 {
		r[0] = 0xb4
	}
	return nil
}

func (ready) SetSpeed(physic.Frequency) error { return nil }
func (ready) String() string                  { return "ready" }

func BenchmarkSweep(b *testing.B) {
	bank, err := New(ready{}, Opts{Usual: 1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r, err := bank.Sweep(context.Background()); err != nil || r.Known != ^r.Closed {
			b.Fatal(r.Known, err)
		}
	}
}
