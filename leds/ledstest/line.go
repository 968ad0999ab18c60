// SPDX-License-Identifier: Apache-2.0

// Package ledstest has the tests that every line of lights must pass, real or virtual.
package ledstest

import (
	"os"
	"testing"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"

	"boardd/hardware/virtual/strip"
	"boardd/leds"
	"boardd/leds/chain"
)

// Line is a chain of lights.
type Line interface {
	Show(f leds.Frame) error
	Halt() error
}

// Opened is a line to be tested, opened without gamma, without dimming and with a cap that white does not reach.
type Opened struct {
	Line  Line
	Decks int
	Seen  func() leds.Frame // returns what the lights show; nil for real lights, which cannot be read
}

// Check runs the kit. With real lights you can watch it: each square once in red, green and blue, then the whole
// board, then darkness.
func Check(t *testing.T, o Opened) {
	t.Helper()
	show := func(what string, f leds.Frame) {
		t.Helper()
		if err := o.Line.Show(f); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if o.Seen == nil {
			return
		}
		if got := o.Seen(); got != f {
			t.Fatalf("%s: got %v, want %v", what, got, f)
		}
	}
	show("darkness", leds.Frame{})
	for d := range o.Decks {
		for sq := range 64 {
			for _, c := range []leds.Color{{R: 255}, {G: 128}, {B: 1}} {
				var f leds.Frame
				f[d][sq] = c
				show("one light", f)
			}
		}
	}
	var all leds.Frame
	for d := range o.Decks {
		for sq := range 64 {
			all[d][sq] = leds.Color{R: uint8(sq), G: uint8(255 - sq), B: uint8(3 * sq)}
		}
	}
	show("all lights", all)
	show("the same again", all)
	if err := o.Line.Halt(); err != nil {
		t.Fatalf("halt: %v", err)
	}
	if o.Seen != nil && o.Seen() != (leds.Frame{}) {
		t.Errorf("after halt: got %v, want darkness", o.Seen())
	}
	show("after halt", all)
	if err := o.Line.Halt(); err != nil {
		t.Fatalf("halt: %v", err)
	}
}

// CheckDriver runs the kit on a driver, with one deck and with two, in both wirings. The virtual strip checks every
// time and bit on its line. BOARDD_LIVE=1 runs it on the lights at BOARDD_SPI of a real board instead.
func CheckDriver[L Line](t *testing.T, open func(p spi.Port, o *chain.Opts) (L, error)) {
	t.Helper()
	for decks, w := range map[int]chain.Wiring{1: chain.Rows, 2: chain.Serpentine} {
		o := Opened{Decks: decks}
		var port spi.Port
		row := strip.New("strip", 64*decks, w == chain.Serpentine)
		if os.Getenv("BOARDD_LIVE") == "1" {
			port = live(t)
		} else {
			port, o.Seen = row, row.Frame
		}
		d, err := open(port, &chain.Opts{Decks: decks, Wiring: w, Gamma: 1, CapMA: 7000})
		if err != nil {
			t.Fatal(err)
		}
		o.Line = d
		Check(t, o)
		if row.Faults() != (strip.Faults{}) {
			t.Errorf("the line saw %+v, want no faults", row.Faults())
		}
	}
}

func live(t *testing.T) spi.Port {
	t.Helper()
	if _, err := host.Init(); err != nil {
		t.Fatal(err)
	}
	p, err := spireg.Open(os.Getenv("BOARDD_SPI"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}
