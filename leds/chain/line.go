// SPDX-License-Identifier: Apache-2.0

package chain

import (
	"fmt"
	"io"
	"time"

	"boardd/leds"
)

// Line shows frames on a chain, through a writer that puts its bytes on the wire. The drivers embed it. It is not safe
// for use by two goroutines at once.
type Line struct {
	c *Chain
	w io.Writer
}

// NewLine makes a line of a chain. Each Write gets one whole picture, three bytes a light in the chain's order: red,
// green, blue.
func NewLine(c *Chain, w io.Writer) Line { return Line{c, w} }

// Show shows a picture. Bytes go out only when the picture differs from the last one, or when the last one is older
// than the refresh. Call it at least that often, so that a light that lost its colors gets them again.
func (l *Line) Show(f leds.Frame) error {
	rgb := l.c.Encode(&f)
	if !l.c.Due(rgb, time.Now()) {
		return nil
	}
	return l.send(rgb)
}

// Halt makes all lights dark.
func (l *Line) Halt() error { return l.send(l.c.Encode(&leds.Frame{})) }

func (l *Line) send(rgb []byte) error {
	if _, err := l.w.Write(rgb); err != nil {
		return fmt.Errorf("send a picture: %w", err)
	}
	l.c.Sent(rgb, time.Now())
	return nil
}

// Shown is the frame as it is visible: the colors of the last Show's bytes, each light on its square.
func (l *Line) Shown() leds.Frame { return l.c.Shown() }

// Tune changes brightness (0 to 1), gamma and the cap on the current, in milliamperes, from the next Show on.
func (l *Line) Tune(brightness, gamma float64, capMA int) error {
	return l.c.Tune(brightness, gamma, capMA)
}

// Current is what the last picture draws, in milliamperes.
func (l *Line) Current() float64 { return l.c.Current() }
