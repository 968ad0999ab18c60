// SPDX-License-Identifier: Apache-2.0

package heights

import "time"

// What a bank's options are by default (Opts).
const (
	period = 80 * time.Millisecond
	linger = 2 * time.Second
	usual  = 12 * time.Millisecond
	limit  = 35 * time.Millisecond
)

// One measurement.
const (
	least        = 7 * time.Millisecond   // less than any takes
	askEarlierBy = 50 * time.Microsecond  // by which a sensor that was waited for is asked earlier the next time
	pollInterval = 400 * time.Microsecond // how soon a sensor that has not ended is asked once more

	// Sensors that take longer are left behind while something moves, unless there are more than a few of them in a
	// color.
	patience = 16 * time.Millisecond
)

// Squares in focus.
const (
	// focusShared is the longest time for which squares stay in focus if a neighbour is awaited as well. A hand that is
	// about to put something down is seldom there for longer.
	focusShared = 500 * time.Millisecond
	focusAlone  = 3 * focusShared  // the same if no neighbour is awaited
	awaitWindow = time.Millisecond // the time in which the game calls Await after a reading
)

// The times after which a sensor that failed is asked again.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)
