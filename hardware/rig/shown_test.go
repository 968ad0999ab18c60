// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"boardd/leds"
	"boardd/leds/ssd1306"
)

var errUnplugged = errors.New("no acknowledgement")

// cable is a bus, and a line of lights, that can be unplugged.
type cable struct{ off atomic.Bool }

func (c *cable) String() string                   { return "cable" }
func (c *cable) SetSpeed(physic.Frequency) error  { return nil }
func (c *cable) Halt() error                      { return nil }
func (c *cable) Shown() leds.Frame                { return leds.Frame{} }
func (c *cable) Current() float64                 { return 0 }
func (c *cable) Tune(float64, float64, int) error { return nil }
func (c *cable) Show(leds.Frame) error            { return c.Tx(0, nil, nil) }
func (c *cable) Tx(uint16, []byte, []byte) error {
	if c.off.Load() {
		return errUnplugged
	}
	return nil
}

// TestUnpluggedIsTold: a display, and a line of lights, that fails during a game is among the parts that do not work,
// until it works again. The log says both, once each.
func TestUnpluggedIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c cable
		display, err := ssd1306.New(&c, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := &strings.Builder{}
		log := slog.New(slog.NewTextHandler(said, nil))
		r := &Rig{Display: display, Lights: &c}
		screen, lights := r.NewScreen(), r.NewLighting()
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		go screen.Run(ctx, log)
		go lights.Run(ctx, log)
		faces := 0
		for _, off := range []bool{false, true, true, false} {
			c.off.Store(off)
			faces++
			screen.Show(ssd1306.Face{Turn: strings.Repeat("x", faces)})
			lights.Show(leds.Frame{})
			synctest.Wait()
			names := ""
			for _, p := range r.Health() {
				if !p.OK && strings.Contains(p.Detail, errUnplugged.Error()) {
					names += p.Name + " "
				}
			}
			if want := map[bool]string{true: "display lights "}[off]; names != want {
				t.Errorf("unplugged %v: these do not work: %q, want %q", off, names, want)
			}
			time.Sleep(2 * refresh)
		}
		for _, want := range []string{"the display does not take", "the display works again", "the lights do not take",
			"the lights work again"} {
			if n := strings.Count(said.String(), want); n != 1 {
				t.Errorf("the log says %d times %q:\n%s", n, want, said)
			}
		}
	})
}
