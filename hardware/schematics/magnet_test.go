// SPDX-License-Identifier: Apache-2.0

package schematics_test

import (
	"math"
	"testing"
)

// The magnet in a cube's base and the reed beside it, as figures/square-plan.svg has them, lengths in metres. The magnet stands upright,
// the reed lies along the file with its gap off the centre: over the pole the field runs across the reed, and nothing closes.
const (
	moment   = 1.3 * math.Pi * 0.005 * 0.005 * 0.004 / (4e-7 * math.Pi) // A m2: 10 x 4 mm, N42, 1.3 T
	deep     = 12e-3                                                    // from the magnet's middle to the reed's: stack board, tile and gap
	shallow  = 8.7e-3                                                   // twin board: strips 8 mm under the deck's top
	off      = 12e-3                                                    // from the square's centre to the gap
	wander   = 5e-3                                                     // what the rim lets a cube stand off
	square   = 50e-3
	perTurn  = 0.1e-3 // T for one ampere-turn: a rule of thumb, to be measured on the reeds that were bought
	operates = 30     // AT at most, CT10-1530
	releases = 7      // AT at least: half of the least that closes
)

// along is the dipole's field along the reed, in tesla.
func along(file, rank, depth float64) float64 {
	r := math.Sqrt(file*file + rank*rank + depth*depth)
	return 1e-7 * moment * 3 * math.Abs(file) * depth / math.Pow(r, 5)
}

func TestReedBesideItsMagnet(t *testing.T) {
	least := math.Inf(1)
	for file := -wander; file <= wander; file += 1e-3 {
		for rank := -wander; rank <= wander; rank += 1e-3 {
			least = min(least, along(off+file, rank, deep), along(off+file, rank, shallow))
		}
	}
	t.Logf("own magnet: %.1f mT at least", 1e3*least)
	atLeast(t, "field of the own magnet, T, a third above what closes", least, 1.33*operates*perTurn)
	next := max(along(square-off-wander, 0, deep), along(square-off-wander, 0, shallow))
	t.Logf("next square's magnet: %.2f mT at most", 1e3*next)
	atMost(t, "field of the next square's magnet, T", next, 1.1*releases*perTurn)
	if centre := along(0, 0, deep); centre != 0 {
		t.Errorf("a reed under the pole sees %g T along itself, want none", centre)
	}
}
