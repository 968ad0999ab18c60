// SPDX-License-Identifier: Apache-2.0

package ws2812_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/strip"
	"boardd/leds"
	"boardd/leds/ledstest"
	"boardd/leds/ws2812"
)

func TestConformance(t *testing.T) { ledstest.CheckDriver(t, ws2812.New) }

// narrow is a port whose transfers are too short.
type narrow struct{ *strip.Strip }

func (narrow) MaxTxSize() int { return 1024 }

func TestShortTransfersAreRefused(t *testing.T) {
	p := narrow{strip.New("strip", 128, false)}
	if _, err := ws2812.New(p, &ws2812.Opts{Decks: 1}); err != nil {
		t.Errorf("64 lights: %v", err)
	}
	if _, err := ws2812.New(p, &ws2812.Opts{Decks: 2}); err == nil {
		t.Error("128 lights in transfers of 1024 bytes: got no error")
	}
}

func TestUnchangedPictureIsNotSentAgain(t *testing.T) {
	strip := strip.New("strip", 64, false)
	d, err := ws2812.New(strip, &ws2812.Opts{Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	red := leds.Frame{{{R: 255}}}
	for i, f := range []leds.Frame{{}, {}, red, red, red, {}} {
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
		if got, want := strip.Frames(), []uint64{1, 1, 2, 2, 2, 3}[i]; got != want {
			t.Errorf("after picture %d: got %d on the line, want %d", i, got, want)
		}
	}
}
