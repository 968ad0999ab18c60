// SPDX-License-Identifier: Apache-2.0

package main

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

// lamps is a line of lights.
type lamps interface {
	Show(leds.Frame) error
	Halt() error
	Shown() leds.Frame // the last picture as its bytes have it
	Current() float64  // of the last picture, in milliamperes
	Tune(brightness, gamma float64, capMA int) error
}

// rig is the hardware of one board: what senses, what shines, and what can be told from it. Real and virtual boards
// are opened by the same names in the same way.
type rig struct {
	geometry wood.Geometry
	sources  []sensing.Source
	bus      *bus.Bus          // in front of the sensors' bus: counts, retries, frees it
	eyes     *heights.Bank     // nil: a board without height sensors
	dead     [2]rules.Bitboard // by deck: switches that never closed when the board was calibrated
	lamps    lamps             // nil: a board without lights
	display  *ssd1306.Dev      // nil: none
	buttons  []*button.Button
	virtual  *virtual.Board // nil: a real board
	close    []func() error // last first
}

// openRig opens the buses that the configuration names. What is missing at a chip is a fault of the chip, found again and
// again until it is cured; what is missing at a bus is an error here.
func openRig(c *config.Config, log *slog.Logger) (*rig, error) {
	r := &rig{geometry: c.Geometry()}
	for _, p := range r.parts(c, log) {
		if err := p.open(); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// Close closes everything, last opened first.
func (r *rig) Close() error {
	var errs []error
	for i := len(r.close) - 1; i >= 0; i-- {
		errs = append(errs, r.close[i]())
	}
	r.close = nil
	return errors.Join(errs...)
}

// banks is how many kinds of sensors there are on the decks.
func (r *rig) banks() (n int) {
	for _, there := range []bool{true, r.geometry.TwoDecks, r.geometry.Weights, r.geometry.Heights} {
		if there {
			n++
		}
	}
	return n
}

// waking is how many height sensors are still to be set up for the first time.
func (r *rig) waking() int {
	if r.eyes == nil {
		return 0
	}
	return r.eyes.Waking()
}

// sense runs all sources until ctx ends.
func (r *rig) sense(ctx context.Context, out chan<- sensing.Reading, log *slog.Logger) (wait func()) {
	done := make(chan struct{}, len(r.sources))
	for _, s := range r.sources {
		go func() {
			defer func() { done <- struct{}{} }()
			if err := s.Run(ctx, out); err != nil && ctx.Err() == nil {
				log.Error("a bank of sensors stopped", "error", err)
			}
		}()
	}
	return func() {
		for range r.sources {
			<-done
		}
	}
}

// wood is a wood in the form of the virtual board.
func virtualWood(w *wood.Wood) virtual.Wood {
	var v virtual.Wood
	for p := range wood.Place(wood.Places) {
		if w[p] != "" {
			v[p.Deck()][p.Square()] = []byte(w[p])
		}
	}
	return v
}

// reconcileWood is the other way round.
func reconcileWood(v virtual.Wood) wood.Wood {
	var w wood.Wood
	for d := range v {
		for s, pile := range v[d] {
			w[wood.PlaceAt(sensing.Deck(d), rules.Square(s))] = wood.Pile(pile)
		}
	}
	return w
}
