// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"time"

	"boardd/hardware/rig"
	"boardd/leds"
)

// lamp shows the newest frame on a line of lights without making the game wait for the wire.
type lamp struct {
	line   rig.Lamps
	frames chan leds.Frame  // capacity 1: a frame not yet shown gives way to the next
	tune   chan func()      // capacity 0: done between two frames
	tests  chan lampTest    // capacity 0
	shown  func(leds.Frame) // told of what shines after every frame; nil: nobody
}

func newLamp(line rig.Lamps) *lamp {
	return &lamp{line: line, frames: make(chan leds.Frame, 1), tune: make(chan func()), tests: make(chan lampTest)}
}

// show replaces the frame that waits. It never blocks; only one goroutine may call it.
func (l *lamp) show(f leds.Frame) {
	select {
	case <-l.frames:
	default:
	}
	l.frames <- f
}

// refresh is how often the same frame is offered to the line again, so that a light that lost its color gets it back.
const refresh = time.Second

// run sends frames down the line until ctx ends, and leaves it dark. An error is said once, until it is cured.
func (l *lamp) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	var now leds.Frame
	var test lampTest
	failed := false
	for {
		select {
		case now = <-l.frames:
		case test = <-l.tests:
		case f := <-l.tune:
			f()
		case <-tick.C:
		case <-ctx.Done():
			if err := l.line.Halt(); err != nil {
				log.Warn("the lights could not be put out", "error", err)
			}
			return
		}
		err := l.line.Show(test.over(now, time.Now()))
		if err != nil && !failed {
			log.Error("the lights do not take what is sent; play goes on without them", "error", err)
		}
		failed = err != nil
		if l.shown != nil && err == nil {
			l.shown(l.line.Shown())
		}
	}
}
