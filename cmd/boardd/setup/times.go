// SPDX-License-Identifier: Apache-2.0

package setup

import "time"

// The times of the first start.
const (
	// tryTime is how long so many guesses of the word may take.
	tryTime = time.Minute

	// slowest is how long an answer may take that waits for hardware.
	slowest = 2 * time.Minute

	// pointLook is how often is looked whether this computer is in a network.
	pointLook = 30 * time.Second

	// beat is how often the service manager is told that the page is served.
	beat = time.Second

	// touchTime is how long a square is lit for somebody to touch it: below what a browser waits for one answer.
	touchTime = 15 * time.Second
)
