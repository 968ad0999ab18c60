// Package ledstest is what every line of lights must pass, real or virtual.
package ledstest

import (
	"testing"

	"boardd/leds"
)

// Line is a chain of lights.
type Line interface {
	Show(f leds.Frame) error
	Halt() error
}

// Opened is a line that is to pass, opened without gamma, without dimming and with a cap that white does not reach.
type Opened struct {
	Line  Line
	Decks int
	Seen  func() leds.Frame // what the lights show; nil when nobody can look, as with real ones
}

// Check runs the kit. With real lights it is a sight to watch: each square once in red, green and blue, then the whole
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
