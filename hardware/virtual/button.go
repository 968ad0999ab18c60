// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"time"

	"boardd/hardware/virtual/wires"
)

// Push pushes a clock button, 0 White's and 1 Black's, and lets it go after a while; it bounces for 2 ms each time. It
// returns when the button has come to rest after it was let go.
func (b *Board) Push(side int, hold time.Duration) {
	b.flip(side, true)
	wires.Block(hold)
	b.flip(side, false)
}

// flip changes the contact five times, ending as told.
func (b *Board) flip(side int, down bool) {
	began := time.Now()
	b.keys[side].Drag(down)
	for i, at := range bounces() {
		wires.Block(at - time.Since(began))
		b.keys[side].Drag(down == (i%2 == 1))
	}
}
