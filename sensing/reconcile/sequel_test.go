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
