// Package apa102 drives a chain of APA102 or SK9822 lights on an SPI port, through periph's apa102. They have a clock line of their
// own and so do not mind how the bytes are spaced; prefer them where the light is still to be bought.
package apa102

import (
	"fmt"
	"time"

	"boardd/leds"
	"boardd/leds/chain"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/apa102"
)

// Opts is the wiring and the limits of the light; the zero value will do.
type Opts = chain.Opts

// Dev is a chain of lights. It is not safe for use by two goroutines at once.
type Dev struct {
	c     *chain.Chain
	strip *apa102.Dev
}

// New opens the port; the lights keep what they show until the first Show.
func New(port spi.Port, o *Opts) (*Dev, error) {
	if o == nil {
		o = &Opts{}
	}
	c, err := chain.New(*o)
	if err != nil {
		return nil, fmt.Errorf("apa102: %w", err)
	}
	// The chain's gamma and cap reckon with the bytes themselves: no colour temperature, no second dimming.
	strip, err := apa102.New(port, &apa102.Opts{NumPixels: c.Len(), Intensity: 255, Temperature: apa102.NeutralTemp, DisableGlobalPWM: true})
	if err != nil {
		return nil, fmt.Errorf("apa102: %w", err)
	}
	return &Dev{c, strip}, nil
}

// Show shows a picture. Bytes go out only when the picture differs from the last one or when that is older than the
// refresh, so call it at least as often as that.
func (d *Dev) Show(f leds.Frame) error {
	rgb := d.c.Encode(&f)
	if !d.c.Due(rgb, time.Now()) {
		return nil
	}
	return d.send(rgb)
}

// Shown is the picture as it shines: what the bytes of the last Show say, each light on its square.
func (d *Dev) Shown() leds.Frame { return d.c.Shown() }

// Tune changes brightness (0 to 1), gamma and the cap on the current from the next Show on.
func (d *Dev) Tune(brightness, gamma float64, capMA int) error {
	return d.c.Tune(brightness, gamma, capMA)
}

// Halt makes all lights dark.
func (d *Dev) Halt() error { return d.send(d.c.Encode(&leds.Frame{})) }

// Current is what the last picture draws, in milliamperes.
func (d *Dev) Current() float64 { return d.c.Current() }

func (d *Dev) send(rgb []byte) error {
	if _, err := d.strip.Write(rgb); err != nil {
		return fmt.Errorf("apa102: send a picture: %w", err)
	}
	d.c.Sent(rgb, time.Now())
	return nil
}
