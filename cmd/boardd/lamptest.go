// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
)

// lampTest lets lights shine for a while whatever the game would show. The zero test shows nothing of its own.
type lampTest struct {
	color leds.Color
	place func(sensing.Deck, rules.Square) bool // which lights
	until time.Time
}

// testFor is how long a test shines if it is not ended before: long enough to walk round the board.
const testFor = 15 * time.Second

// over is the picture that is shown while the test lasts, and the given one after it.
func (t *lampTest) over(f leds.Frame, now time.Time) leds.Frame {
	if t.place == nil || !now.Before(t.until) {
		return f
	}
	var own leds.Frame
	for d := range own {
		for s := range own[d] {
			if t.place(sensing.Deck(d), rules.Square(s)) {
				own[d][s] = t.color
			}
		}
	}
	return own
}

// everywhere lights all, only one square.
func everywhere(sensing.Deck, rules.Square) bool { return true }

func only(deck sensing.Deck, square rules.Square) func(sensing.Deck, rules.Square) bool {
	return func(d sensing.Deck, s rules.Square) bool { return d == deck && s == square }
}
