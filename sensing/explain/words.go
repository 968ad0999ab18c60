// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math"

	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// The words of the answers are those of package reconcile: either decoder can sit at a table.
type (
	Base        = reconcile.Base
	Explanation = reconcile.Explanation
	Choice      = reconcile.Choice
	Touch       = reconcile.Touch
	Lift        = reconcile.Lift
	Reach       = reconcile.Reach
	Timing      = reconcile.Timing
	Fault       = reconcile.Fault
	News        = reconcile.News
	Trouble     = reconcile.Trouble
)

const (
	Synced    = reconcile.Synced
	Moving    = reconcile.Moving
	Moved     = reconcile.Moved
	TakenBack = reconcile.TakenBack
	Ended     = reconcile.Ended
	Asking    = reconcile.Asking
	Wrong     = reconcile.Wrong

	AtRest  = reconcile.AtRest
	ByClock = reconcile.ByClock

	Dead     = reconcile.Dead
	Stuck    = reconcile.Stuck
	Noisy    = reconcile.Noisy
	Drifting = reconcile.Drifting
	Silent   = reconcile.Silent
)

// weighable reports whether a load cell can tell two piles apart.
func (g *geometry) weighable(a, b wood.Pile) bool {
	s, t := g.target(a), g.target(b)
	noise := float64(g.CellNoise)
	return math.Abs(s.mass-t.mass) > 2*outlier*math.Sqrt(noise*noise+max(s.variance, t.variance))
}
