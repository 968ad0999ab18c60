package apa102_test

import (
	"os"
	"testing"

	"boardd/hardware/virtual"
	"boardd/leds/apa102"
	"boardd/leds/chain"
	"boardd/leds/ledstest"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"
)

// BOARDD_LIVE=1 runs the kit on the lights at BOARDD_SPI of a real board.
func TestConformance(t *testing.T) {
	for decks, w := range map[int]chain.Wiring{1: chain.Rows, 2: chain.Serpentine} {
		o := ledstest.Opened{Decks: decks}
		var port spi.Port
		strip := virtual.NewStrip("strip", 64*decks, w == chain.Serpentine)
		if os.Getenv("BOARDD_LIVE") == "1" {
			port = live(t)
		} else {
			port, o.Seen = strip, strip.Frame
		}
		d, err := apa102.New(port, &apa102.Opts{Decks: decks, Wiring: w, Gamma: 1, CapMA: 7000})
		if err != nil {
			t.Fatal(err)
		}
		o.Line = d
		ledstest.Check(t, o)
		if strip.Faults() != (virtual.LineFaults{}) {
			t.Errorf("the line saw %+v, want no faults", strip.Faults())
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
