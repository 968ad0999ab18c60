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

// TestReedClosesAfterTheReply: a king is put down so far from the middle that its reed closes late, after the other
// side has answered. What was lifted first tells the order of the two moves.
func TestReedClosesAfterTheReply(t *testing.T) {
	const a3, b4, e2, f1 = rules.Square(16), rules.Square(25), rules.Square(12), rules.Square(5)
	for _, board := range []string{"twin", "reeds"} {
		t.Run(board, func(t *testing.T) {
			shut := false
			b, p := faulty(t, board, "8/8/8/8/1K6/7p/4k3/8 w - - 10 78", func(*bench) broken {
				return broken{reed: func(q wood.Place, closed bool) bool { return closed && (shut || q != wood.Place(a3)) }}
			})
			b.do(hands.Right, hands.Lift, wood.Place(b4), 300*time.Millisecond)
			b.do(hands.Right, hands.Put, wood.Place(a3), 100*time.Millisecond)
			b.do(hands.Right, hands.Lift, wood.Place(e2), 100*time.Millisecond)
			b.do(hands.Right, hands.Put, wood.Place(f1), 200*time.Millisecond)
			shut = true
			b.pass(100 * time.Millisecond)
			// on a quiet board nobody looks before it is time
			for b.last.State == reconcile.Moving || b.last.State == reconcile.Wrong {
				if b.last.NextLook.Before(b.now) || b.last.NextLook.After(b.now.Add(time.Second)) {
					t.Fatalf("state %v, to be looked at again in %v", b.last.State, b.last.NextLook.Sub(b.now))
				}
				b.pass(b.last.NextLook.Sub(b.now) + time.Millisecond)
			}
			for _, want := range []string{"b4a3", "e2f1"} {
				if b.pass(3 * time.Second); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != want {
					t.Fatalf("state %v, move %s, touch %v, want %s", b.last.State, p.Coord(b.last.Move), b.last.Discrepancies, want)
				}
				before := p
				p.Play(b.last.Move)
				b.d.Follow([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true},
					{Position: before, Moves: true, Takeback: true}},
					&before)
			}
		})
	}
}
