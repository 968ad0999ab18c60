// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestCrosstalk: the reed of f4 closes along with that of e4.
func TestCrosstalk(t *testing.T) {
	b, p := faulty(t, "stack", bare, func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool {
			return closed || q == 29 && b.wood[28] != ""
		}}
	})
	for _, m := range []string{"e2e4", "d7d5", "e4d5", "c7c6", "h2h3", "c6d5", "e1e2", "d5d4", "e2e1", "e7e6"} {
		b.must(&p, m, time.Second)
	}
	for _, f := range b.d.Faults() {
		if f.Place != 29 || f.Kind != reconcile.Stuck && f.Kind != reconcile.Crosstalk {
			t.Errorf("got %v", f)
		}
	}
}

// TestReplyToACaptureUnseen: a capture from a square without a working sensor shows nothing. The reply to it looks
// like another move in place of the one before, but is not taken for that.
func TestReplyToACaptureUnseen(t *testing.T) {
	const b3, b4, h7, h8 = wood.Place(17), wood.Place(25), wood.Place(55), wood.Place(63)
	b, before := faulty(t, "reeds", "6k1/8/8/6p1/1R6/1b2K2N/8/8 b - - 0 1", dead(b4))
	b.pass(4 * time.Second)
	p := before
	b.must(&p, "g8h8", time.Second)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true},
		{Position: before, Moves: true, Takeback: true}})
	b.act(hands.Act{Do: hands.Lift, Place: b4, Count: 1})
	b.act(hands.Act{Do: hands.Lift, Hand: hands.Left, Place: b3, Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: b3})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: h8, Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: h7})
	if b.pass(4 * time.Second); b.last.State != reconcile.Moved || b.last.Base != 0 || p.Coord(b.last.Move) != "b4b3" {
		t.Errorf("%v, base %d, %s, want b4b3 of the game as it stands", b.last.State, b.last.Base, p.Coord(b.last.Move))
	}
}

// TestOldHeightsBlameNobody: a piece came to one square and another left a second one, and nobody has had time to
// measure heights since. The old heights do not contradict the reeds.
func TestOldHeightsBlameNobody(t *testing.T) {
	const d8, e8, g1, f3 = wood.Place(59), wood.Place(60), wood.Place(6), wood.Place(21)
	b, p := faultyIn(t, "locking", "twin", "3qk3/8/8/8/8/8/8/4K1N1 w - - 0 1", sound)
	b.pass(3 * time.Second)
	b.late = f3.Square().Bit()
	b.do(hands.Right, hands.Lift, g1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, f3, time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "g1f3" {
		t.Fatalf("got %v %s, want g1f3", b.last.State, p.Coord(b.last.Move))
	}
	p.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true}})
	b.pass(time.Second)
	b.late |= d8.Square().Bit() | e8.Square().Bit()
	b.do(hands.Right, hands.Lift, d8, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, e8, 3*time.Second)
	if fs := b.d.Faults(); len(fs) > 0 || b.last.State != reconcile.Moving {
		t.Fatalf("got %v, %v, want nobody blamed", b.last.State, reconcile.Describe(fs))
	}
	b.late = 0
	b.pass(2 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "d8e8*" {
		t.Errorf("got %v %s, want d8e8*", b.last.State, p.Coord(b.last.Move))
	}
}

// dead is a board on which the reeds of some squares never close.
func dead(squares ...wood.Place) func(*bench) broken {
	return func(*bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed && !slices.Contains(squares, q) }}
	}
}
