// SPDX-License-Identifier: Apache-2.0

package reeds

import (
	"testing"
	"time"

	"boardd/sensing"

	"periph.io/x/conn/v3/physic"
)

// still is a bus whose chips remember what was written and whose inputs never change, so that only the driver is
// measured.
type still struct{ reg [8][8]byte }

func (b *still) Tx(addr uint16, w, r []byte) error {
	chip := &b.reg[addr&7]
	for i, v := range w[1:] {
		chip[w[0]^byte(i)] = v
	}
	for i := range r {
		r[i] = chip[w[0]^byte(i)]
	}
	return nil
}

func (b *still) SetSpeed(physic.Frequency) error { return nil }
func (b *still) String() string                  { return "still" }

// decks is a bank of one or two decks.
func decks(t testing.TB, n int) *Bank {
	var chips []Chip
	bus := &still{}
	for d := range sensing.Deck(n) {
		list, err := Deck(bus, d)
		if err != nil {
			t.Fatal(err)
		}
		chips = append(chips, list...)
	}
	b, err := New(chips, Opts{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	b.sweep(now, now)
	return b
}

func BenchmarkSweep(b *testing.B) {
	for n, name := range []string{"one deck", "two decks"} {
		b.Run(name, func(b *testing.B) {
			bank := decks(b, n+1)
			now := time.Now()
			for b.Loop() {
				bank.sweep(now, now)
			}
		})
	}
}

func TestSweepAllocatesNothing(t *testing.T) {
	bank := decks(t, 2)
	now := time.Now()
	if n := testing.AllocsPerRun(100, func() { bank.sweep(now, now) }); n != 0 {
		t.Errorf("got %v allocations a sweep, want none", n)
	}
}
