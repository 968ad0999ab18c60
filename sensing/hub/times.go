// SPDX-License-Identifier: Apache-2.0

package hub

import "time"

const (
	silence     = 500 * time.Millisecond // Opts.Silence by default
	readTimeout = 100 * time.Millisecond // how long a read waits for a byte before it returns with none
	askEvery    = 2 * time.Second        // from one question for a hello to the next
	rounding    = 100 * time.Millisecond // times in texts are rounded to this
)

// The times between attempts to open the line.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = time.Second
)

// On a busy machine frames wait in the kernel's buffer, or their reader is woken late. Such a frame is dated by the
// hub's clock, from the frame before it. A frame counts as such if the read returned within prompt, or if it comes
// later than the hub's clock says by more than tardy.
const (
	prompt = time.Millisecond
	tardy  = 20 * time.Millisecond
)
