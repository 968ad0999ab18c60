// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestUpperPieceLeaves: the upper one of two pieces was lifted. Two frames of the load cell later, before the load has
// settled, the lights learn of the lift. When the piece is put back, all is as before.
func TestUpperPieceLeaves(t *testing.T) {
	v, err := rules.ByID("locking")
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN("4k3/8/8/8/4[PN]3/8/8/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	e4 := wood.Place(28)
	b := newBench(t, boards()["stack"], 1)
	b.stand(&p)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true}})
	b.pass(time.Second)
	b.act(hands.Act{Do: hands.Lift, Place: e4, Count: 1})
	b.pass(2 * weightSweep)
	if want := []reconcile.Lift{{Place: e4, Keep: 1}}; b.last.State != reconcile.Moving ||
		!slices.Equal(b.last.Lifts, want) {
		t.Errorf("lifted: got %v, lifts %v, want moving, %v", b.last.State, b.last.Lifts, want)
	}
	b.act(hands.Act{Do: hands.Put, Place: e4})
	b.pass(time.Second)
	if b.last.State != reconcile.Synced || len(b.last.Lifts) != 0 {
		t.Errorf("put back: got %v, lifts %v, want synced", b.last.State, b.last.Lifts)
	}
}

// TestTwoThatWeighLikeOne: a pawn is put on another, and together they weigh as much as a rook. Because the lower one
// was not lifted, two pieces are seen.
func TestTwoThatWeighLikeOne(t *testing.T) {
	const d2, e2 = rules.Square(11), rules.Square(12)
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	b := newBench(t, boards()["stack"], 1)
	b.stand(&p)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true}})
	b.pass(time.Second)
	b.act(hands.Act{Do: hands.Lift, Place: wood.Place(e2), Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: wood.Place(d2)})
	b.pass(time.Second)
	want := []reconcile.Discrepancy{{Place: wood.Place(d2), Want: "P", See: 2},
		{Place: wood.Place(e2), Want: "P", See: 0}}
	if b.last.State != reconcile.Wrong || !slices.Equal(b.last.Discrepancies, want) {
		t.Errorf("got %v, touch %v, want wrong, %v", b.last.State, b.last.Discrepancies, want)
	}
}
