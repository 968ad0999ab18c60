// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"math"
	"testing"

	"boardd/sensing/wood"
)

// The magnet in a cube's base and the reed beside it, as figures/square-plan.svg has them, lengths in metres. The
// magnet stands upright, and the reed lies along the file with its gap off the centre. Over the pole the field runs
// across the reed, and nothing closes.
const (
	moment = 1.3 * math.Pi * 0.005 * 0.005 * 0.004 / (4e-7 * math.Pi) // A m2: 10 x 4 mm, N42, 1.3 T
	// from the magnet's middle to the reed's: stack board, tile and gap
	deep     = 12e-3
	shallow  = 8.7e-3 // twin board: strips 8 mm under the deck's top
	off      = 12e-3  // from the square's centre to the gap
	wander   = 5e-3   // how far from the centre the rim lets a cube stand
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
	t.Parallel()
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

// inPile is the field along a reed of a pile. The magnets lie one above the other, each a tile higher; the bits of
// poles say which are upside down.
func inPile(file, rank, depth, tile float64, tiles int, poles uint) (sum float64) {
	for i := range tiles {
		f := along(file, rank, depth+tile*float64(i))
		if poles>>i&1 == 1 {
			f = -f
		}
		sum += f
	}
	return math.Abs(sum)
}

// worst returns the least field at a pile's own reed and the greatest field at a neighbour's, in mT. It tries piles of
// this many pieces on every place within the rim and at both depths. The poles are in any order, or all the same way
// round.
func worst(tile float64, tiles int, anyhow bool) (own, next float64) {
	own = math.Inf(1)
	orders := uint(1)
	if anyhow {
		orders = 1 << (tiles - 1) // the lowest one's pole does not matter
	}
	for poles := range orders {
		for _, depth := range []float64{deep, shallow} {
			for file := -wander; file <= wander; file += 1e-3 {
				own = min(own, 1e3*inPile(off+file, wander, depth, tile, tiles, poles<<1),
					1e3*inPile(off+file, 0, depth, tile, tiles, poles<<1))
				next = max(next, 1e3*inPile(square-off+file, 0, depth, tile, tiles, poles<<1))
			}
		}
	}
	return own, next
}

// closes is the least that closes a reed, in ampere-turns: CT10-1530.
const closes = 15

// TestPiles: cubes may be piled four high whichever pole of their magnets is up. Their own reed closes, and the next
// square's never does. The exception is a reed that is already closed and opens only below 10 AT. It may stay closed
// if both piles are at the rim. Tiles of 6 mm may not be piled with a magnet in each. Poles that differ take each
// other's field away, and poles that are alike close the next square's reed. No strength helps: a single tile must
// close its own reed, and the ratio of the two fields is too small from two tiles on. The guide says so.
func TestPiles(t *testing.T) {
	t.Parallel()
	const mT = perTurn * 1e3
	for tiles := 1; tiles <= 4; tiles++ {
		own, next := worst(35e-3, tiles, true)
		atLeast(t, "field of a pile of cubes at its own reed, mT", own, 1.33*operates*mT)
		atMost(t, "the same at the next square's, mT, three quarters of what closes one", next, 0.75*closes*mT)
	}
	for tiles := 2; tiles <= 8; tiles++ {
		own, next := worst(wood.Piled*1e-6, tiles, true)
		atLeast(t, "field of a pile of the flattest pieces at its own reed, mT", own, 1.33*operates*mT)
		atMost(t, "the same at the next square's, mT", next, 0.85*closes*mT)
	}
	if own, next := worst((wood.Piled-2000)*1e-6, 4, true); own >= 1.33*operates*mT && next <= 0.85*closes*mT {
		t.Errorf("pieces 2 mm flatter give %.2f mT at their own reed and %.2f at the next: they may be piled, so "+
			"wood.Piled is too high", own, next)
	}
	single, _ := worst(6e-3, 1, true)
	for tiles := 2; tiles <= 8; tiles++ {
		anyhow, _ := worst(6e-3, tiles, true)
		_, next := worst(6e-3, tiles, false)
		t.Logf("%d tiles: poles anyhow %.2f mT at their own reed at least; alike %.2f at the next at most; one tile at "+
			"its own %.2f", tiles, anyhow, next, single)
		if anyhow >= 1.33*operates*mT {
			t.Errorf("%d tiles in any order give %.2f mT at their own reed: they may be piled, so the guide is wrong", tiles,
				anyhow)
		}
		if single/next >= 1.33*operates/(1.1*releases) {
			t.Errorf("%d tiles with like poles: %.2f mT against %.2f: they may be piled, so the guide is wrong", tiles, single,
				next)
		}
	}
}
