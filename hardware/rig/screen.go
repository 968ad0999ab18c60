// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"log/slog"

	"boardd/leds/ssd1306"
)

// Screen shows the newest face on the display without making the game wait for the bus.
type Screen struct {
	dev   *ssd1306.Dev
	faces chan ssd1306.Face // capacity 1: a face not yet shown gives way to the next
}

// NewScreen returns the screen of a display.
func NewScreen(dev *ssd1306.Dev) *Screen {
	return &Screen{dev: dev, faces: make(chan ssd1306.Face, 1)}
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
	failed := false
	for {
		select {
		case f := <-s.faces:
			err := s.dev.Show(f)
			if err != nil && !failed {
				log.Error("the display does not take what is sent; play goes on without it", "error", err)
			}
			failed = err != nil
		case <-ctx.Done():
			if err := s.dev.Halt(); err != nil {
				log.Warn("the display could not be switched off", "error", err)
			}
			return
		}
	}
}
