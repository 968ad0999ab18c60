// SPDX-License-Identifier: Apache-2.0

package reeds

import "time"

// What a bank's options are by default (Opts).
const (
	active  = 2 * time.Millisecond
	idle    = 10 * time.Millisecond
	idleINT = 40 * time.Millisecond // with an interrupt line
	linger  = 150 * time.Millisecond
	check   = 500 * time.Millisecond
)

// The times after which a chip that failed is asked again.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = 2 * time.Second
)
