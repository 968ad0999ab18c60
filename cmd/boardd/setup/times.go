// SPDX-License-Identifier: Apache-2.0

package setup

import "time"

// The times of the first start.
const (
	// tryTime is how long this many guesses of the word may take.
	tryTime = time.Minute

	// slowest is the longest time of an answer that waits for hardware.
	slowest = 2 * time.Minute

	// pointLook is how often it is checked whether this computer is in a network.
	pointLook = 30 * time.Second

	// beat is how often the service manager is told that the page is served.
	beat = time.Second

	// touchTime is how long a square is lit for somebody to touch it. It is shorter than a browser waits for an answer.
	touchTime = 15 * time.Second
)
