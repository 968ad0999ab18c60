// SPDX-License-Identifier: Apache-2.0

package chain_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/leds"
	"boardd/leds/chain"
)

// fill is a picture of one color.
func fill(c leds.Color) *leds.Frame {
	var f leds.Frame
	for d := range f {
		for sq := range f[d] {
			f[d][sq] = c
		}
	}
	return &f
}

func newChain(t *testing.T, o chain.Opts) *chain.Chain {
	t.Helper()
	c, err := chain.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhiteDrawsNoMoreThanTheCap(t *testing.T) {
	for decks := 1; decks <= 2; decks++ {
		for _, cap := range []int{200, 500, 1000, 2000, 3000} {
			for _, color := range []leds.Color{{R: 255, G: 255, B: 255}, {R: 255}, {R: 20, G: 30, B: 40}} {
				c := newChain(t, chain.Opts{Decks: decks, Gamma: 1, CapMA: cap})
				sum := 0
				for _, b := range c.Encode(fill(color)) {
					sum += int(b)
				}
				ma := float64(64*decks) + float64(sum)*50/3/255
				if ma > float64(cap) && color.G != 30 {
					t.Errorf("%d decks of %v with %d mA: draws %.0f mA", decks, color, cap, ma)
				}
				if got := c.Current(); got < ma-1 || got > ma+1 {
					t.Errorf("the current is said to be %.0f mA, want %.0f", got, ma)
				}
			}
		}
	}
}

func TestWhatIsUnderTheCapIsNotDimmed(t *testing.T) {
	c := newChain(t, chain.Opts{Gamma: 1, CapMA: 3400})
	for i, b := range c.Encode(fill(leds.Color{R: 255, G: 255, B: 255})) {
		if b != 255 {
			t.Fatalf("byte %d: got %d, want 255: 64 lights at white draw 3.2 A", i, b)
		}
	}
}

func TestFaintColorsStayVisible(t *testing.T) {
	c := newChain(t, chain.Opts{Brightness: 0.05})
	got := c.Encode(fill(leds.Color{R: 8}))
	if got[0] != 1 || got[1] != 0 || got[2] != 0 {
		t.Errorf("got % x, want 01 00 00", got[:3])
	}
}

func TestGammaIsMonotonous(t *testing.T) {
	c := newChain(t, chain.Opts{CapMA: 5000})
	last := byte(0)
	for v := range 256 {
		var f leds.Frame
		f[0][0].G = uint8(v)
		b := c.Encode(&f)[1]
		if b < last {
			t.Fatalf("value %d shines %d, less than the one before, %d", v, b, last)
		}
		last = b
	}
	if last != 255 {
		t.Errorf("got %d at 255, want 255", last)
	}
}

func TestWiring(t *testing.T) {
	var f leds.Frame
	f[0][8].R, f[1][63].B = 255, 255 // a2 below, h8 above
	for _, c := range []struct {
		w      chain.Wiring
		a2, h8 int
	}{{chain.Rows, 8, 127}, {chain.Serpentine, 15, 120}} {
		rgb := newChain(t, chain.Opts{Decks: 2, Wiring: c.w, Gamma: 1}).Encode(&f)
		if rgb[3*c.a2] != 255 || rgb[3*c.h8+2] != 255 {
			t.Errorf("%v: a2 is not light %d or upper h8 not light %d", c.w, c.a2, c.h8)
		}
	}
}

func TestSentOnChangeAndOnRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newChain(t, chain.Opts{})
		dark, red := &leds.Frame{}, fill(leds.Color{R: 9})
		for _, step := range []struct {
			f    *leds.Frame
			wait time.Duration
			want bool
		}{{dark, 0, true}, {dark, 0, false}, {dark, 999 * time.Millisecond, false}, {dark, time.Millisecond, true},
			{red, 0, true}, {red, 0, false}} {
			time.Sleep(step.wait)
			rgb := c.Encode(step.f)
			got := c.Due(rgb, time.Now())
			if got != step.want {
				t.Fatalf("%+v: got %v", step, got)
			}
			if got {
				c.Sent(rgb, time.Now())
			}
		}
	})
}

func TestAllFaultsOfOptionsAreReported(t *testing.T) {
	_, err := chain.New(chain.Opts{Decks: 3, Brightness: 2, Gamma: 0.5, CapMA: 10})
	for _, want := range []string{"3 decks", "brightness 2", "gamma 0.5", "cap of 10 mA"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}
