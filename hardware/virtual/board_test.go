// SPDX-License-Identifier: Apache-2.0

package virtual_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi/spireg"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/ws2812"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/heights"
	"boardd/sensing/hub"
	"boardd/sensing/reeds"
	"boardd/sensing/wood"
)

// bench is a board and everything a daemon opens on it.
type bench struct {
	*virtual.Board
	reeds *reeds.Bank
	hub   *hub.Hub
	out   chan sensing.Reading

	heights *heights.Bank
}

// newBench makes a board and starts its sources.
func newBench(t *testing.T, o virtual.Options) *bench {
	t.Helper()
	o.Name = t.Name()
	b, err := virtual.New(o)
	if err != nil {
		t.Fatal(err)
	}
	bus, err := i2creg.Open(b.I2C())
	if err != nil {
		t.Fatal(err)
	}
	var chips []reeds.Chip
	for d := range sensing.Deck(2) {
		if d == sensing.Upper && o.Kind != virtual.Twin {
			break
		}
		list, err := reeds.Deck(bus, d)
		if err != nil {
			t.Fatal(err)
		}
		chips = append(chips, list...)
	}
	bank, err := reeds.New(chips, reeds.Opts{INT: gpioreg.ByName(b.Int())})
	if err != nil {
		t.Fatal(err)
	}
	k := &bench{Board: b, reeds: bank, out: make(chan sensing.Reading)}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 3)
	sources := []sensing.Source{bank}
	if b.Hub() != "" {
		k.hub = hub.New(hub.Opts{Path: b.Hub()})
		sources = append(sources, k.hub)
	}
	if o.Kind == virtual.Twin {
		k.heights, err = heights.New(bus, heights.Opts{})
		must(t, err)
		sources = append(sources, k.heights)
	}
	for _, s := range sources {
		go func() { ended <- s.Run(ctx, k.out) }()
	}
	t.Cleanup(func() {
		stop()
		for range sources {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("source ended with %v", err)
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// await reads until a reading fits.
func (k *bench) await(t *testing.T, what string, fits func(r *sensing.Reading) bool) sensing.Reading {
	t.Helper()
	late := time.After(5 * time.Minute) // of what must happen: a busy machine is no fault
	for {
		select {
		case r := <-k.out:
			if fits(&r) {
				return r
			}
		case <-late:
			t.Fatalf("no reading that %s", what)
		}
	}
}

func (k *bench) awaitReeds(t *testing.T, d sensing.Deck, want rules.Bitboard) {
	t.Helper()
	k.await(t, fmt.Sprintf("shows %016x on the %v deck", uint64(want), d), func(r *sensing.Reading) bool {
		return r.Kind == sensing.Reeds && r.Deck == d && r.Known == ^rules.Bitboard(0) && r.Closed == want
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func square(t *testing.T, s string) rules.Square {
	t.Helper()
	sq, err := rules.ParseSquare(s)
	must(t, err)
	return sq
}

func TestEverySquareReachesItsOwnBit(t *testing.T) {
	k := newBench(t, virtual.Options{Kind: virtual.Twin})
	for d := range sensing.Deck(2) {
		for sq := range rules.Square(64) {
			must(t, k.Take("right", []byte("P")))
			must(t, k.Place("right", d, sq))
			k.awaitReeds(t, d, sq.Bit())
			must(t, k.Lift("right", d, sq, 1))
			must(t, k.Discard("right"))
			k.awaitReeds(t, d, 0)
		}
	}
}

func TestWeightOfAStackArrives(t *testing.T) {
	k := newBench(t, virtual.Options{Kind: virtual.Stack})
	e4 := square(t, "e4")
	must(t, k.Take("left", []byte("Rqp#")))
	must(t, k.Place("left", sensing.Lower, e4))
	const want = 41000 + 52000 + 20000 + 12000
	k.await(t, "weighs e4", func(r *sensing.Reading) bool {
		d := r.Value[e4] - want
		return r.Kind == sensing.Weights && r.Known == ^rules.Bitboard(0) && d > -50 && d < 50
	})
}

func TestLightsShowWhatWasSent(t *testing.T) {
	for _, kind := range []virtual.Kind{virtual.Stack, virtual.Twin} {
		b, err := virtual.New(virtual.Options{Name: t.Name(), Kind: kind})
		must(t, err)
		port, err := spireg.Open(b.SPI())
		must(t, err)
		decks := 1
		if kind == virtual.Twin {
			decks = 2
		}
		dev, err := ws2812.New(port, &ws2812.Opts{Decks: decks, Gamma: 1, CapMA: 10000})
		must(t, err)
		var want leds.Frame
		for d := range decks {
			for sq := range 64 {
				want[d][sq] = leds.Color{R: uint8(sq * 4), G: uint8(d * 255), B: uint8(255 - sq)}
			}
		}
		must(t, dev.Show(want))
		<-b.Lit()
		if got := b.Lights(); got != want {
			t.Errorf("%v board: got %v, want %v", kind, got, want)
		}
		must(t, dev.Halt())
		<-b.Lit()
		if got := b.Lights(); got != (leds.Frame{}) {
			t.Errorf("%v board after Halt: got %v, want darkness", kind, got)
		}
		must(t, b.Close())
	}
}

func TestHeightOfEveryStackArrives(t *testing.T) {
	k := newBench(t, virtual.Options{Kind: virtual.Twin, Seed: 7})
	var w wood.Wood
	for sq := range 64 {
		w[sq] = wood.Pile("PNBR"[:sq%5])
	}
	k.Put(w)
	k.await(t, "has every stack's height", func(r *sensing.Reading) bool {
		if r.Kind != sensing.Heights || r.Known != ^rules.Bitboard(0) {
			return false
		}
		for sq, v := range r.Value {
			if d := v - int32(sq%5)*35000; d < -7000 || d > 7000 {
				t.Logf("square %d: %d um, want %d", sq, v, sq%5*35000)
				return false
			}
		}
		return true
	})
}

func TestHandOverASquareIsAReading(t *testing.T) {
	k := newBench(t, virtual.Options{Kind: virtual.Twin})
	e4 := square(t, "e4")
	k.await(t, "knows all", func(r *sensing.Reading) bool { return r.Kind == sensing.Heights && r.Known.Has(e4) })
	must(t, k.Take("right", []byte("P")))
	must(t, k.Place("right", sensing.Lower, e4))
	k.await(t, "sees the hand", func(r *sensing.Reading) bool {
		if r.Kind != sensing.Heights || !r.Known.Has(e4) {
			return false
		}
		if v := r.Value[e4]; v > 28000 && v < 42000 { // a busy machine looked after the hand had gone: once more
			must(t, k.Lift("right", sensing.Lower, e4, 1))
			must(t, k.Place("right", sensing.Lower, e4))
		}
		return r.Value[e4] > 80000
	})
	k.await(t, "sees the piece", func(r *sensing.Reading) bool {
		return r.Kind == sensing.Heights && r.Known.Has(e4) && r.Value[e4] > 28000 && r.Value[e4] < 42000
	})
}
