// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"log/slog"
	"time"

	"boardd/leds"
)

// Lighting shows the newest frame on a line of lights without making the game wait for the wire.
type Lighting struct {
	line   Lights
	frames chan leds.Frame  // capacity 1: a frame not yet shown gives way to the next
	Tune   chan func()      // capacity 0: done between two frames
	Tests  chan LightTest   // capacity 0
	Shown  func(leds.Frame) // told of what shines after every frame; nil: nobody
	state  *state
}

// NewLighting returns the lighting of the line of lights.
func (r *Rig) NewLighting() *Lighting {
	return &Lighting{line: r.Lights, frames: make(chan leds.Frame, 1), Tune: make(chan func()),
		Tests: make(chan LightTest), state: &r.lights}
}

// Show replaces the frame that waits. It never blocks; only one goroutine may call it.
func (l *Lighting) Show(f leds.Frame) {
	select {
	case <-l.frames:
	default:
	}
	l.frames <- f
}

// The times of a rig.
const (
	// TestFor is how long a test shines if it is not ended before: long enough to walk round the board.
	TestFor = 15 * time.Second

	// refresh is how often the same frame is offered to the line again, so that a light that lost its color gets it back.
	refresh = time.Second

	// besideHeights is how often reeds are swept while something moves, where height sensors share their bus: a sweep of
	// both decks takes a millisecond.
	besideHeights = 4 * time.Millisecond

	// retry is how often parts that could not be opened are tried again. Each that opens has the board begin again, which
	// takes a moment.
	retry = 15 * time.Second

	// hello is how long a serial device is listened to: a hub says hello within 2 s.
	hello = 2500 * time.Millisecond
)

// Run sends frames down the line until ctx ends, and leaves it dark. An error is said once, until it is cured.
func (l *Lighting) Run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	var now leds.Frame
	var test LightTest
	for {
		select {
		case now = <-l.frames:
		case test = <-l.Tests:
		case f := <-l.Tune:
			f()
		case <-tick.C:
		case <-ctx.Done():
			if err := l.line.Halt(); err != nil {
				log.Warn("the lights could not be put out", "error", err)
			}
			return
		}
		err := l.line.Show(test.over(now, time.Now()))
		switch failed, cured := l.state.set(err); {
		case failed:
			log.Error("the lights do not take what is sent; play goes on without them", "error", err)
		case cured:
			log.Info("the lights work again")
		}
		if l.Shown != nil && err == nil {
			l.Shown(l.line.Shown())
		}
	}
}
