// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestReplyAfterAQuickExchange: two hands exchange a captured piece for its captor very fast. The reed opens no longer
// than for a knock, and the reply comes at once. Both moves are found after the same rest as for one alone.
func TestReplyAfterAQuickExchange(t *testing.T) {
	const h2, h3, d2, f3 = wood.Place(15), wood.Place(23), wood.Place(11), wood.Place(21)
	for _, board := range []string{"reeds", "twin"} {
		t.Run(board, func(t *testing.T) {
			b, p := faulty(t, board, "8/3k4/8/1p6/1P6/3p3p/3n3K/8 w - - 2 52", func(*bench) broken { return broken{} })
			b.do(hands.Right, hands.Lift, h2, 200*time.Millisecond)
			b.do(hands.Right, hands.Put, h3, 100*time.Millisecond)
			b.do(hands.Left, hands.Lift, h3, 200*time.Millisecond)
			b.do(hands.Right, hands.Lift, h3, 30*time.Millisecond)
			b.do(hands.Left, hands.Put, h3, 250*time.Millisecond)
			b.act(hands.Act{Hand: hands.Right, Do: hands.Discard})
			b.pass(80 * time.Millisecond)
			b.do(hands.Right, hands.Lift, d2, 100*time.Millisecond)
			b.do(hands.Right, hands.Put, f3, 3*time.Second)
			for _, want := range []string{"h2h3", "d2f3"} {
				if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != want {
					t.Fatalf("state %v, move %s, touch %v, want %s", b.last.State, p.Coord(b.last.Move), b.last.Discrepancies, want)
				}
				before := p
				p.Play(b.last.Move)
				b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true},
					{Position: before, Moves: true, Takeback: true}})
				b.pass(3 * time.Second)
			}
		})
	}
}

// TestAgainIsEnough: on a quiet board of reeds nobody looks unless the decoder has asked for it. A rook that is
// captured as soon as it has moved is found all the same.
func TestAgainIsEnough(t *testing.T) {
	const h1, h2, c7 = wood.Place(7), wood.Place(15), wood.Place(50)
	b, p := faulty(t, "reeds", "5br1/2q1p1p1/r7/p1P2kNp/7P/P1B5/1P6/1K3b1R w - - 2 33",
		func(*bench) broken { return broken{} })
	b.do(hands.Right, hands.Lift, h1, 300*time.Millisecond)
	b.do(hands.Right, hands.Put, h2, 200*time.Millisecond)
	b.do(hands.Right, hands.Lift, h2, 130*time.Millisecond)
	b.do(hands.Right, hands.Discard, h2, 120*time.Millisecond)
	b.do(hands.Right, hands.Lift, c7, 180*time.Millisecond)
	b.do(hands.Right, hands.Put, h2, 10*time.Millisecond)
	for end := b.now.Add(4 * time.Second); b.last.State != reconcile.Moved && b.now.Before(end); {
		b.now = b.now.Add(reedSweep)
		b.sweep()
		if again := b.last.NextLook; !again.IsZero() && !b.now.Before(again) {
			b.last = b.d.Explain(b.now)
		}
	}
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "h1h2" {
		t.Errorf("got %v %s, want h1h2", b.last.State, got)
	}
}

// TestReplyNeedsTheMove: a bishop that the other board's move sets free is lifted to the upper deck. Before it stood
// there, it cannot capture the queen that has just come, although the reeds show no more of that capture.
func TestReplyNeedsTheMove(t *testing.T) {
	const d7, h3 = wood.Place(51), wood.Place(23)
	b, p := faultyIn(t, "meirav", "twin", "6k1/3[Bq]4/8/8/8/7P/8/4K3 b - - 0 1", sound)
	m, err := p.ParseMove("d7h3")
	if err != nil {
		t.Fatal(err)
	}
	after := p
	after.Play(m)
	b.d.Follow([]reconcile.Base{{Position: after, Moves: true, OpponentHere: true}, {Position: p, Moves: true}}, &p)
	for _, step := range []struct {
		do hands.Do
		at wood.Place
	}{{hands.Lift, h3 + 64}, {hands.Put, h3}, {hands.Lift, d7 + 64}, {hands.Put, h3 + 64}, {hands.Lift, d7}} {
		if b.do(hands.Right, step.do, step.at, 3*time.Second); b.last.State == reconcile.Moved {
			t.Fatalf("%v %v: got %s of the next player", step.do, step.at, after.Coord(b.last.Move))
		}
	}
	if b.do(hands.Right, hands.Put, d7+64, 2*time.Second); b.last.State != reconcile.Synced {
		t.Fatalf("got %v %v, want in step", b.last.State, b.last.Discrepancies)
	}
	b.act(hands.Act{Do: hands.Lift, Place: d7 + 64, Count: 1}) // now it captures
	for _, a := range []hands.Act{{Do: hands.Lift, Place: h3}, {Do: hands.Discard}, {Do: hands.Lift, Place: h3 + 64},
		{Do: hands.Put, Place: h3}} {
		a.Hand, a.Count = hands.Left, 1
		b.act(a)
		b.pass(300 * time.Millisecond)
	}
	if b.do(hands.Right, hands.Put, h3+64, 2*time.Second); b.last.State != reconcile.Moved ||
		after.Coord(b.last.Move) != "d7h3" {
		t.Errorf("got %v %s, want the capture d7h3", b.last.State, after.Coord(b.last.Move))
	}
}
