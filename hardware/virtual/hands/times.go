// SPDX-License-Identifier: Apache-2.0

package hands

import "time"

// How long people take: a quick hand's times. Assumed, not measured.
const (
	grips   = 120 * time.Millisecond // Pace.Grip of who knows what to do
	carries = 180 * time.Millisecond // Pace.Carry of the same
	thinks  = 2 * time.Second        // Style.Think

	comes   = 90 * time.Millisecond  // how long a hand is over a square before it touches something there
	stays   = 100 * time.Millisecond // and after
	presses = 30 * time.Millisecond  // how long it presses on what it puts straight
)
