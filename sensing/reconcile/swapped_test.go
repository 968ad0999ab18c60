// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestTremblingHeight: a scratched window makes a height sensor ten times as noisy. It is named, does not count any
// more, and no move is found from it.
func TestTremblingHeight(t *testing.T) {
	const fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1"
	e3 := rules.Square(20)
	b, p := faulty(t, "twin", fen, func(b *bench) broken {
		return broken{height: func(q rules.Square, um float64) float64 {
			if q == e3 {
				return um + 20_000*b.rand.NormFloat64()
			}
			return um
		}}
	})
	b.pass(3 * time.Second)
	fs := b.d.Faults()
	if len(fs) != 1 || fs[0].Kind != reconcile.Noisy || fs[0].Place != wood.Place(e3) {
		t.Fatalf("got %v, want the height sensor of e3 noisy", reconcile.Describe(fs))
	}
	b.act(hands.Act{Do: hands.Lift, Place: 11, Count: 1}) // d2
	if b.pass(3 * time.Second) {
		t.Fatalf("a pawn in the hand: %v %s", b.last.State, p.Coord(b.last.Move))
	}
	b.act(hands.Act{Do: hands.Put, Place: 19}) // d3
	if b.pass(time.Second); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "d2d3" {
		t.Errorf("got %v %s, want d2d3", b.last.State, p.Coord(b.last.Move))
	}
}
