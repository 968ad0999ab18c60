// SPDX-License-Identifier: Apache-2.0

// Package apa102 drives a chain of APA102 or SK9822 lights on an SPI port, through periph's apa102. They have a
// separate clock line, so the timing of the bytes does not matter. Prefer them when you buy lights.
package apa102

import (
	"fmt"

	"boardd/leds/chain"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/apa102"
)

// Opts is the wiring and the limits of the light; the zero value will do.
type Opts = chain.Opts

// Dev is a chain of lights. It is not safe for use by two goroutines at once.
type Dev struct{ chain.Line }

// New opens the port; the lights keep what they show until the first Show.
func New(port spi.Port, o *Opts) (*Dev, error) {
	if o == nil {
		o = &Opts{}
	}
	c, err := chain.New(*o)
	if err != nil {
		return nil, fmt.Errorf("apa102: %w", err)
	}
	// The chain's gamma and cap assume these very bytes: no color temperature, no second dimming.
	strip, err := apa102.New(port, &apa102.Opts{NumPixels: c.Len(), Intensity: 255, Temperature: apa102.NeutralTemp,
		DisableGlobalPWM: true})
	if err != nil {
		return nil, fmt.Errorf("apa102: %w", err)
	}
	return &Dev{chain.NewLine(c, strip)}, nil
}
