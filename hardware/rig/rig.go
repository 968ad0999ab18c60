// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"log/slog"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/button"
	"boardd/sensing/heights"
	"boardd/sensing/wood"
)

// Lamps is a line of lights.
type Lamps interface {
	Show(leds.Frame) error
	Halt() error
	Shown() leds.Frame // the last picture as its bytes have it
	Current() float64  // of the last picture, in milliamperes
	Tune(brightness, gamma float64, capMA int) error
}

// Rig is the hardware of one board: what senses, what shines, and what can be told from it. Real and virtual boards
// are opened by the same names in the same way.
type Rig struct {
	Geometry wood.Geometry
	Sources  []sensing.Source
	Bus      *bus.Bus          // in front of the sensors' bus: counts, retries, frees it
	Eyes     *heights.Bank     // nil: a board without height sensors
	Dead     [2]rules.Bitboard // by deck: switches that never closed when the board was calibrated
	Lamps    Lamps             // nil: a board without lights
	Display  *ssd1306.Dev      // nil: none
	buttons  []*button.Button
	Virtual  *virtual.Board // nil: a real board
	close    []func() error // last first
}

// Open opens the buses that the configuration names. What is missing at a chip is a fault of the chip, found again and
// again until it is cured; what is missing at a bus is an error here.
func Open(c *config.Config, log *slog.Logger) (*Rig, error) {
	r := &Rig{Geometry: c.Geometry()}
	for _, p := range r.Parts(c, log) {
		if err := p.Open(); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// Close closes everything, last opened first.
func (r *Rig) Close() error {
	var errs []error
	for i := len(r.close) - 1; i >= 0; i-- {
		errs = append(errs, r.close[i]())
	}
	r.close = nil
	return errors.Join(errs...)
}

// Banks is how many kinds of sensors there are on the decks.
func (r *Rig) Banks() (n int) {
	for _, there := range []bool{true, r.Geometry.TwoDecks, r.Geometry.Weights, r.Geometry.Heights} {
		if there {
			n++
		}
	}
	return n
}

// Waking is how many height sensors are still to be set up for the first time.
func (r *Rig) Waking() int {
	if r.Eyes == nil {
		return 0
	}
	return r.Eyes.Waking()
}

// Sense runs all sources until ctx ends.
func (r *Rig) Sense(ctx context.Context, out chan<- sensing.Reading, log *slog.Logger) (wait func()) {
	done := make(chan struct{}, len(r.Sources))
	for _, s := range r.Sources {
		go func() {
			defer func() { done <- struct{}{} }()
			if err := s.Run(ctx, out); err != nil && ctx.Err() == nil {
				log.Error("a bank of sensors stopped", "error", err)
			}
		}()
	}
	return func() {
		for range r.Sources {
			<-done
		}
	}
}

// Press runs the clock buttons until ctx ends; the function waits for their end.
func (r *Rig) Press(ctx context.Context) (<-chan button.Press, func()) {
	out := make(chan button.Press) // capacity 0: a press waits until the loop takes it
	done := make(chan struct{}, len(r.buttons))
	for _, k := range r.buttons {
		go func() {
			k.Run(ctx, out) //nolint:errcheck // it ends with ctx only, which is no error here
			done <- struct{}{}
		}()
	}
	return out, func() {
		for range r.buttons {
			<-done
		}
	}
}

// Dark puts the lights out and closes the rig.
func (r *Rig) Dark() {
	if r.Lamps != nil {
		r.Lamps.Halt() //nolint:errcheck // they were examined
	}
	r.Close() //nolint:errcheck // nothing was changed
}
