// SPDX-License-Identifier: Apache-2.0

package virtual_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual"
	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/heights"
	"boardd/sensing/reeds"
)

// twin is a twin board whose reeds and heights are read together over one recovering bus, in virtual time.
type twin struct {
	*virtual.Board
	bus   *bus.Bus
	reeds *reeds.Bank
	eyes  *heights.Bank
	out   chan sensing.Reading
}

func newTwin(t *testing.T, clock physic.Frequency) *twin {
	b, err := virtual.New(virtual.Options{Name: t.Name(), Kind: virtual.Twin, Clock: clock, Sleep: time.Sleep})
	must(t, err)
	raw, err := i2creg.Open(b.I2C())
	must(t, err)
	scl, sda := b.Recovery()
	k := &twin{Board: b, out: make(chan sensing.Reading)}
	k.bus = bus.New(raw, bus.Opts{Recover: bus.NineClocks(gpioreg.ByName(scl), gpioreg.ByName(sda))})
	var chips []reeds.Chip
	for d := range sensing.Deck(2) {
		list, err := reeds.Deck(k.bus, d)
		must(t, err)
		chips = append(chips, list...)
	}
	k.reeds, err = reeds.New(chips, reeds.Opts{INT: gpioreg.ByName(b.Int())})
	must(t, err)
	k.eyes, err = heights.New(k.bus, heights.Opts{})
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	for _, s := range []sensing.Source{k.reeds, k.eyes} {
		go func() { ended <- s.Run(ctx, k.out) }()
	}
	t.Cleanup(func() {
		stop()
		<-ended
		<-ended
		must(t, b.Close())
	})
	return k
}

// count counts the readings of a span by kind and deck.
func (k *twin) count(span time.Duration) (n [3][2]int) {
	for end := time.Now().Add(span); time.Now().Before(end); {
		r := <-k.out
		n[r.Kind][r.Deck]++
	}
	return n
}

// The clock of a Pi's bus sags from 400 kHz to 250 under load. Heights still come ten times a second, and reeds
// as often as they should.
func TestRatesOfATwinBoard(t *testing.T) {
	for _, clock := range []physic.Frequency{400 * physic.KiloHertz, 250 * physic.KiloHertz} {
		t.Run(clock.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newTwin(t, clock)
				k.count(2 * time.Second)
				n := k.count(5 * time.Second)
				if got := n[sensing.Heights][sensing.Lower]; got < 50 {
					t.Errorf("got %d sweeps of heights in 5 s, want 50 at least", got)
				}
				for d, got := range n[sensing.Reeds] {
					if got < 100 {
						t.Errorf("deck %d: got %d sweeps of reeds in 5 s, want 100 at least", d, got)
					}
				}
				wire := time.Duration(8*48) * clock.Period()
				if p := k.reeds.Health()[0]; p.Sweep < wire-100*time.Microsecond || p.Worst > 20*wire {
					t.Errorf("a sweep of both decks took %v, the longest %v, want about %v", p.Sweep, p.Worst, wire)
				}
			})
		})
	}
}

// What physics assumes about the height sensors holds for the driver on a bus that reeds share. It assumes how long a
// round takes, and how soon an awaited square is measured again.
func TestReferenceWaveIsThatOfTheDriver(t *testing.T) {
	wave := physics.ReferenceWave()
	for _, sq := range []rules.Square{0, 18, 27, 36, 63} {
		synctest.Test(t, func(t *testing.T) {
			k := newTwin(t, 400*physic.KiloHertz)
			k.count(2 * time.Second)
			k.eyes.Await(sq.Bit())
			far, near, other := 0, 0, sq^9 // the next one on a diagonal
			const span = 4 * time.Second
			for end := time.Now().Add(span); time.Now().Before(end); {
				r := <-k.out
				if r.Kind != sensing.Heights {
					continue
				}
				fresh := r.Known &^ r.Stale
				near += (fresh & sq.Bit()).Count()
				far += (fresh & other.Bit()).Count()
			}
			if got := span / time.Duration(near); got > wave.Again {
				t.Errorf("%v is awaited and measured every %v, want %v at most", sq, got, wave.Again)
			}
			if got := span / time.Duration(far); got > 2*wave.Color*102/100 {
				t.Errorf("%v is measured every %v, want %v", other, got, 2*wave.Color)
			}
		})
	}
}

// A chip that holds SDA stops everything; nine clocks later all squares are known again.
func TestStuckBusUnderAWholeBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTwin(t, 400*physic.KiloHertz)
		k.count(2 * time.Second)
		k.Faults().StickSDA(7)
		k.count(3 * time.Second)
		for seen := 0; seen < 3; {
			r := <-k.out
			if r.Known.Count() != 64 {
				t.Fatalf("3 s after the fault %v of the %v deck know %d squares", r.Kind, r.Deck, r.Known.Count())
			}
			seen++
		}
		if h := k.bus.Health()[0]; !h.OK || h.Errors == 0 {
			t.Errorf("got %+v, want a bus that hung and is well", h)
		}
	})
}
