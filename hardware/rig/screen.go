// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"log/slog"
	"sync"

	"boardd/leds/ssd1306"
)

// Screen shows the newest face on the display without making the game wait for the bus.
type Screen struct {
	dev   *ssd1306.Dev
	faces chan ssd1306.Face // capacity 1: a face not yet shown gives way to the next
	state *state
}

// NewScreen returns the screen of the display.
func (r *Rig) NewScreen() *Screen {
	return &Screen{dev: r.Display, faces: make(chan ssd1306.Face, 1), state: &r.display}
}

// state is why a part that shows something does not work, nil while it does.
type state struct {
	mu  sync.Mutex
	err error
}

// set takes in the result of showing something, and reports whether the part has failed or works again.
func (s *state) set(err error) (failed, cured bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.err
	s.err = err
	return before == nil && err != nil, before != nil && err == nil
}

func (s *state) get() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Show replaces the face that waits. It never blocks; only one goroutine may call it.
func (s *Screen) Show(f ssd1306.Face) {
	select {
	case <-s.faces:
	default:
	}
	s.faces <- f
}

// Run shows faces until ctx ends, and leaves the display off. An error is said once, until it is cured.
func (s *Screen) Run(ctx context.Context, log *slog.Logger) {
	for {
		select {
		case f := <-s.faces:
			err := s.dev.Show(f)
			switch failed, cured := s.state.set(err); {
			case failed:
				log.Error("the display does not take what is sent; play goes on without it", "error", err)
			case cured:
				log.Info("the display works again")
			}
		case <-ctx.Done():
			if err := s.dev.Halt(); err != nil {
				log.Warn("the display could not be switched off", "error", err)
			}
			return
		}
	}
}
