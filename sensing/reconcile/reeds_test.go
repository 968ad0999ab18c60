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

// leaking is a board on which the reed of one square closes along with that of another.
func leaking(p, with wood.Place) func(*bench) broken {
	return func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed || q == p && b.wood[with] != "" }}
	}
}

// TestOneMagnetIsNotTwoMoves: the two reeds could be another move of the queen and the reply to it. But she landed
// long ago.
func TestOneMagnetIsNotTwoMoves(t *testing.T) {
	const a5, b5 = wood.Place(32), wood.Place(33)
	v, _ := rules.ByID("chess")
	before, err := v.ParseFEN("rnbqkb1r/pp1p1ppp/2p1p3/4n3/1PP4R/1Q3N2/P2PPPP1/RNB1KB2 b Qkq - 0 6")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, boards()["reeds"], 1)
	b.stand(&before)
	b.broken = leaking(a5, b5)(b)
	b.d.Expect([]reconcile.Base{{Position: before, Moves: true, OpponentHere: true}})
	b.pass(time.Second)
	p := before
	b.hand(&p, "d8h4", time.Second)
	if b.last.State != reconcile.Moved {
		t.Fatalf("%v, want d8h4", b.last.State)
	}
	p.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true},
		{Position: before, Moves: true, Takeback: true}})
	b.pass(2 * time.Second)
	b.hand(&p, "b4b5", 2500*time.Millisecond)
	if b.last.State != reconcile.Moved || b.last.Base != 0 || p.Coord(b.last.Move) != "b4b5" {
		t.Errorf("%v from base %d, move %s; want b4b5", b.last.State, b.last.Base, p.Coord(b.last.Move))
	}
}

// TestCopyNeedsTheCapture: a capture given on the page is not copied while the captor is in the hand, nor by a knock
// against the captured piece.
func TestCopyNeedsTheCapture(t *testing.T) {
	const e4, d5 = wood.Place(28), wood.Place(35)
	const fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
	b, p := faulty(t, "reeds", fen, sound)
	b.given(&p, "e4d5")
	b.pass(time.Second)
	if b.do(hands.Right, hands.Lift, e4, 10*time.Second); b.last.State == reconcile.Synced {
		t.Errorf("synced with the captor in the hand")
	}
	knocked := false
	b, p = faulty(t, "reeds", fen, func(*bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed && !(knocked && q == d5) }}
	})
	b.pass(8 * time.Second)
	b.given(&p, "e4d5")
	b.pass(time.Second)
	knocked = true
	b.pass(4 * time.Millisecond)
	knocked = false
	if b.pass(5 * time.Second); b.last.State == reconcile.Synced {
		t.Errorf("synced though nothing was moved, %v", reconcile.Describe(b.d.Faults()))
	}
}

// TestAcrossTheBorder: a pawn that is put down on the border of two squares closes both reeds. Once it is put
// straight, neither is at fault.
func TestAcrossTheBorder(t *testing.T) {
	const e4, f4 = wood.Place(28), wood.Place(29)
	straddles := true
	b, p := faulty(t, "reeds", bare, func(b *bench) broken {
		return broken{reed: func(q wood.Place,
			closed bool) bool {
			return closed || q == f4 && straddles && b.wood[e4] != ""
		}}
	})
	b.must(&p, "e2e4", 2500*time.Millisecond)
	straddles = false
	b.pass(5 * time.Second)
	if fs := b.d.Faults(); len(fs) > 0 {
		t.Errorf("still %v", reconcile.Describe(fs))
	}
	b.must(&p, "a7a6", time.Second)
	b.must(&p, "f2f4", time.Second)
}
