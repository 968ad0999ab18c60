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

func sound(*bench) broken { return broken{} }

// TestUnseenIsNoRest: a busy machine may have no time to sweep the reeds. That time does not count as rest of a rook
// that may slide on.
func TestUnseenIsNoRest(t *testing.T) {
	const a1, a3, a4 = wood.Place(0), wood.Place(16), wood.Place(24)
	b, p := faulty(t, "reeds", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, a3, 30*time.Millisecond)
	if e := b.d.Explain(b.now.Add(400 * time.Millisecond)); e.State != reconcile.Moving {
		t.Fatalf("got %v %s 400 ms after the last sweep, want to wait for the next one", e.State, p.Coord(e.Move))
	}
	b.now = b.now.Add(400 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: a3, Count: 1})
	b.do(hands.Right, hands.Put, a4, time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a1a4" {
		t.Errorf("got %v %s, want a1a4", b.last.State, p.Coord(b.last.Move))
	}
}

// TestSlowHeightsTellNoOrder: a height shows late that the captor has left. That says nothing about when it left, if
// nobody had measured the height before.
func TestSlowHeightsTellNoOrder(t *testing.T) {
	const b5, b1 = wood.Place(33), wood.Place(1)
	b, p := faultyIn(t, "locking", "twin", "4k3/8/8/1[Nq]6/8/8/8/1[NR]2K3 b - - 0 1", sound)
	b.late = rules.Square(b5).Bit()
	b.act(hands.Act{Hand: hands.Left, Do: hands.Lift, Place: b1, Count: 2})
	b.pass(200 * time.Millisecond)
	b.do(hands.Right, hands.Lift, b5, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, b1, 300*time.Millisecond)
	b.do(hands.Left, hands.Discard, 0, 200*time.Millisecond)
	b.late = 0
	b.pass(4 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "b5b1" {
		t.Errorf("got %v %s, touch %v, want b5b1", b.last.State, p.Coord(b.last.Move), b.last.Discrepancies)
	}
}

// TestUnseenIsNotTogether: two reeds that closed while nobody looked were not closed by one magnet.
func TestUnseenIsNotTogether(t *testing.T) {
	const a1, a4, h8, h5 = wood.Place(0), wood.Place(24), wood.Place(63), wood.Place(39)
	b, p := faulty(t, "reeds", "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Left, hands.Lift, h8, 200*time.Millisecond)
	b.act(hands.Act{Hand: hands.Right, Do: hands.Put, Place: a4})
	b.act(hands.Act{Hand: hands.Left, Do: hands.Put, Place: h5})
	b.now = b.now.Add(200 * time.Millisecond)
	b.pass(8 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a1a4" || len(b.d.Faults()) > 0 {
		t.Errorf("got %v %s, %v, want a1a4 and its reply", b.last.State, p.Coord(b.last.Move),
			reconcile.Describe(b.d.Faults()))
	}
}

// TestAgainIsLater: when nobody sweeps the reeds, the decoder does not ask again and again to be called at once.
func TestAgainIsLater(t *testing.T) {
	const a1 = wood.Place(0)
	b, _ := faulty(t, "reeds", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, a1, 30*time.Millisecond)
	for _, ms := range []time.Duration{300, 500, 900} {
		at := b.now.Add(ms * time.Millisecond)
		if e := b.d.Explain(at); !e.NextLook.IsZero() && !e.NextLook.After(at) {
			t.Errorf("%v, again %v before now", e.State, at.Sub(e.NextLook))
		}
	}
}

// TestUnheardIsNoRest: load cells that nobody has time to read tell nothing new. What they showed last, in the middle
// of a landing, has not rested since.
func TestUnheardIsNoRest(t *testing.T) {
	const e7, e8 = wood.Place(52), wood.Place(60)
	for _, board := range []string{"stack", "scale"} {
		b, p := faulty(t, board, "7k/4P3/8/8/8/8/8/K7 w - - 0 1", sound)
		b.do(hands.Right, hands.Lift, e7, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "R"}) // a queen of which the cell bears no more than a rook
		b.do(hands.Right, hands.Put, e8, 14*time.Millisecond)
		b.weights = b.now.Add(500 * time.Millisecond)
		b.pass(450 * time.Millisecond)
		if b.last.State == reconcile.Moved {
			t.Fatalf("%s: got %s while nobody reads the cells", board, p.Coord(b.last.Move))
		}
		b.set(e8, "Q")
		b.pass(2 * time.Second)
		if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "e7e8q" {
			t.Errorf("%s: got %v %s, want e7e8q", board, b.last.State, p.Coord(b.last.Move))
		}
	}
}

// TestStallIsNoAbsence: when a machine has no time to read anything, no sensor is lost by that. Reeds are read again
// first, and no reed tells whether the lifted knight stands on the rook. The cells and heights said before that it
// does not, and say so again a moment later.
func TestStallIsNoAbsence(t *testing.T) {
	const c3, d5 = wood.Place(18), wood.Place(35)
	for _, c := range []struct{ board, game, move string }{
		{"stack", "superchess", "c3d5*"}, {"twin", "superchess", "c3d5*"}, {"scale", "superchess", "c3d5*"},
		{"stack", "meirav", "c3d5"}, {"stack", "pillar-liberal", "c3d5"}, {"scale", "pillar-liberal", "c3d5"},
	} {
		for _, stall := range []time.Duration{600 * time.Millisecond, 2 * time.Second, 30 * time.Second} {
			b, p := faultyIn(t, c.game, c.board, "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", sound)
			b.do(hands.Right, hands.Lift, c3, 400*time.Millisecond)
			b.now = b.now.Add(stall)
			b.weights, b.heights = b.now.Add(100*time.Millisecond), b.now.Add(300*time.Millisecond)
			if b.pass(3*time.Second) || b.last.State != reconcile.Moving {
				t.Errorf("%+v, %v: got %v %s with the knight in the hand", c, stall, b.last.State, p.Coord(b.last.Move))
				continue
			}
			if b.do(hands.Right, hands.Put, d5, 3*time.Second); b.last.State != reconcile.Moved ||
				p.Coord(b.last.Move) != c.move {
				t.Errorf("%+v, %v: got %v %s when it stood there", c, stall, b.last.State, p.Coord(b.last.Move))
			}
		}
	}
}

// TestLostWhileLifted: when the cells or heights answer no more, a lifted knight may stand on the rook or still be in
// the hand. It is waited for as for any piece that nobody sees land, and then the move is taken.
func TestLostWhileLifted(t *testing.T) {
	const c3 = wood.Place(18)
	for _, board := range []string{"stack", "twin", "scale"} {
		b, p := faultyIn(t, "superchess", board, "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", func(b *bench) broken {
			b.weights, b.heights = b.now.Add(time.Hour), b.now.Add(time.Hour)
			return broken{}
		})
		b.act(hands.Act{Do: hands.Lift, Place: c3, Count: 1})
		if b.pass(2 * time.Second) {
			t.Errorf("%s: got %v %s after two seconds in the hand", board, b.last.State, p.Coord(b.last.Move))
			continue
		}
		if b.pass(10 * time.Second); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "c3d5*" {
			t.Errorf("%s: got %v %s, want c3d5* in the end", board, b.last.State, p.Coord(b.last.Move))
		}
	}
}
