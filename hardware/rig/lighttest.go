// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
)

// LightTest lets lights shine for a while whatever the game would show. The zero test shows nothing of its own.
type LightTest struct {
	Color leds.Color
	Place func(sensing.Deck, rules.Square) bool // which lights
	Until time.Time
}

// over is the picture that is shown while the test lasts, and the given one after it.
func (t *LightTest) over(f leds.Frame, now time.Time) leds.Frame {
	if t.Place == nil || !now.Before(t.Until) {
		return f
	}
	var own leds.Frame
	for d := range own {
		for s := range own[d] {
			if t.Place(sensing.Deck(d), rules.Square(s)) {
				own[d][s] = t.Color
			}
		}
	}
	return own
}

// Everywhere reports whether a square is to be lit: every one is.
func Everywhere(sensing.Deck, rules.Square) bool { return true }

// Only returns a function that reports whether a square is the given one.
func Only(deck sensing.Deck, square rules.Square) func(sensing.Deck, rules.Square) bool {
	return func(d sensing.Deck, s rules.Square) bool { return d == deck && s == square }
}
