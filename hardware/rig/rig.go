// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/button"
	"boardd/sensing/heights"
	"boardd/sensing/sweep"
	"boardd/sensing/wood"
)

// Lights is a line of lights.
type Lights interface {
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
	Lights   Lights            // nil: a board without lights
	Display  *ssd1306.Dev      // nil: none
	buttons  []*button.Button
	Virtual  *virtual.Board // nil: a real board
	Missing  []Missing      // what OpenMost could not open
	close    []func() error // last first

	display, lights state // how they take what is shown
}

// Missing is a part that cannot be opened, and why.
type Missing struct {
	Part string
	Err  error
}

// Open opens the buses that the configuration names. A missing chip is a fault of the chip, which is reported until it
// is cured. A missing bus is an error here.
func Open(c *config.Config, log *slog.Logger) (*Rig, error) {
	r := &Rig{Geometry: c.Geometry()}
	for _, p := range r.Parts(c, log) {
		if err := p.Open(); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// OpenMost opens what can be opened, and puts the rest into Missing. A board without its lights or sensors still has
// its game, its page and its commands. A virtual board has no part that may be missing.
func OpenMost(c *config.Config, log *slog.Logger) (*Rig, error) {
	if c.Virtual {
		return Open(c, log)
	}
	r := &Rig{Geometry: c.Geometry()}
	for _, p := range r.Parts(c, log) {
		if err := p.Open(); err != nil {
			log.Error("a part of the board cannot be opened: the game goes on without it, and it is tried again", "part",
				p.Name, "error", err)
			r.Missing = append(r.Missing, Missing{p.Name, err})
		}
	}
	return r, nil
}

// Repaired waits until a part that is missing can be opened, and reports whether one can; false is that ctx has ended.
// The part is closed again: only a board that begins again has it in all places.
func (r *Rig) Repaired(ctx context.Context, c *config.Config) bool {
	look := time.NewTicker(retry)
	defer look.Stop()
	for len(r.Missing) > 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return false
		}
		if r.opens(c) {
			return true
		}
	}
	return false
}

// opens reports whether one of the missing parts can be opened now.
func (r *Rig) opens(c *config.Config) bool {
	again := &Rig{Geometry: r.Geometry, Bus: r.Bus, Eyes: r.Eyes}
	defer again.Close()                                               //nolint:errcheck // nothing was changed
	for _, p := range again.Parts(c, slog.New(slog.DiscardHandler)) { // why not is known
		for _, m := range r.Missing {
			if m.Part == p.Name && p.Open() == nil {
				return true
			}
		}
	}
	return false
}

// Health is how bus and sensors are, and what is missing or does not take what is shown.
func (r *Rig) Health() (list []sensing.Part) {
	for _, m := range r.Missing {
		list = sensing.AppendBroken(list, m.Part, m.Err)
	}
	list = sensing.AppendBroken(list, "display", r.display.get())
	list = sensing.AppendBroken(list, "lights", r.lights.get())
	if r.Bus != nil {
		list = append(list, r.Bus.Health()...)
	}
	for _, s := range r.Sources {
		list = append(list, s.Health()...)
	}
	return list
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
	for _, there := range []bool{true, r.Geometry.TwoDecks, r.Geometry.Weights, r.Geometry.Heights, r.Geometry.Scale} {
		if there {
			n++
		}
	}
	return n
}

// Uninitialized is how many height sensors are still to be set up for the first time.
func (r *Rig) Uninitialized() int {
	if r.Eyes == nil {
		return 0
	}
	return r.Eyes.Uninitialized()
}

// RunSources runs all sources until ctx ends.
func (r *Rig) RunSources(ctx context.Context, out chan<- sensing.Reading, log *slog.Logger) (wait func()) {
	done := make(chan struct{}, len(r.Sources))
	if err := sweep.Allowed(); err != nil && r.Virtual == nil {
		log.Info("the sensors have to wait for other programs; with LimitRTPRIO=1 in the service, as it is shipped, they "+
			"come first", "error", err)
	}
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

// RunButtons runs the clock buttons until ctx ends; the function waits for their end.
func (r *Rig) RunButtons(ctx context.Context) (<-chan button.Press, func()) {
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
	if r.Lights != nil {
		r.Lights.Halt() //nolint:errcheck // they were examined
	}
	r.Close() //nolint:errcheck // nothing was changed
}
