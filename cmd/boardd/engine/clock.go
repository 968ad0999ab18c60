// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"time"

	"boardd/rules"
)

// How a clock is spent. Assumed, the usual shares.
const (
	movesAhead = 30                    // moves that the time must last for, if the client does not say
	overhead   = 15 * time.Millisecond // kept back at each move for the way to the clock and back
)

// lastProof is how long a search for a mate goes on when the input has ended.
var lastProof = 30 * time.Second

// lastWords is how long searches that were asked for go on after a quit.
const lastWords = 10 * time.Second

// budget is how long to think: no new depth is begun after soft, and the search ends at hard. 0 is no end.
func (l *limits) budget(turn rules.Color) (soft, hard time.Duration) {
	if l.moveTime > 0 {
		return 0, l.moveTime
	}
	if !l.clock {
		return 0, 0
	}
	left, gain := l.left[turn]-overhead, l.gain[turn]
	moves := time.Duration(movesAhead)
	if l.movesToGo > 0 {
		moves = min(time.Duration(l.movesToGo)+1, movesAhead)
	}
	share := left/moves + gain*3/4
	soft = max(min(share*6/10, left/3), time.Millisecond)
	hard = max(min(share*5/2, left/2), time.Millisecond)
	return soft, hard
}
