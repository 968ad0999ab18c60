package ws2812_test

import (
	"os"
	"testing"
	"time"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/chain"
	"boardd/leds/ledstest"
	"boardd/leds/ws2812"

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
		d, err := ws2812.New(port, &ws2812.Opts{Decks: decks, Wiring: w, Gamma: 1, CapMA: 7000})
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

// narrow is a port whose transfers are too short.
type narrow struct{ *virtual.Strip }

func (narrow) MaxTxSize() int { return 1024 }

func TestShortTransfersAreRefused(t *testing.T) {
	p := narrow{virtual.NewStrip("strip", 128, false)}
	if _, err := ws2812.New(p, &ws2812.Opts{Decks: 1}); err != nil {
		t.Errorf("64 lights: %v", err)
	}
	if _, err := ws2812.New(p, &ws2812.Opts{Decks: 2}); err == nil {
		t.Error("128 lights in transfers of 1024 bytes: got no error")
	}
}

func TestUnchangedPictureIsNotSentAgain(t *testing.T) {
	strip := virtual.NewStrip("strip", 64, false)
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
