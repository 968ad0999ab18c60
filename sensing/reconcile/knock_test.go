// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// do lets a hand do something with one piece and gives the decoder so long.
func (b *bench) do(hand hands.Hand, do hands.Do, q wood.Place, then time.Duration) {
	b.act(hands.Act{Hand: hand, Do: do, Place: q, Count: 1})
	b.pass(then)
}

// TestKnockedAfterLanding: the captor is knocked while the same hand still carries the piece that was below it. Its
// reed then toggles like a noisy one. But before that it was open for so long that the captured piece must have left.
func TestKnockedAfterLanding(t *testing.T) {
	const d5, c6 = wood.Place(35), wood.Place(42)
	b, p := faultyIn(t, "meirav", "twin", "6b1/7r/1[pP][Pr]2[Pk]1[bB]/2P[pB]4/4R2[pN]/4[nP]3/3K4/8 w - - 1 78",
		func(*bench) broken { return broken{} })
	b.do(hands.Right, hands.Lift, c6+64, 120*time.Millisecond)
	b.do(hands.Left, hands.Lift, c6, 150*time.Millisecond)
	b.do(hands.Right, hands.Put, c6, 200*time.Millisecond)
	b.do(hands.Left, hands.Discard, 0, 150*time.Millisecond)
	b.do(hands.Right, hands.Lift, d5+64, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, c6+64, 200*time.Millisecond)
	b.do(hands.Right, hands.Lift, d5, 60*time.Millisecond)
	knocked := b.now
	b.broken.reed = func(q wood.Place, closed bool) bool {
		return closed && (q != c6+64 || b.now.Sub(knocked) > 40*time.Millisecond ||
			b.now.Sub(knocked)/(4*time.Millisecond)%2 == 1)
	}
	b.pass(200 * time.Millisecond)
	b.do(hands.Right, hands.Put, d5+64, 3*time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "d5c6" {
		t.Errorf("got %v %s, touch %v, want d5c6", b.last.State, p.Coord(b.last.Move), b.last.Discrepancies)
	}
}

// TestExchangeThatBounces: captor and captured piece are exchanged in hardly a tenth of a second. The reed below
// bounces before and after, so that it toggles like a noisy one.
func TestExchangeThatBounces(t *testing.T) {
	const e4, d5 = wood.Place(28), wood.Place(35)
	var bounces time.Time
	b, p := faulty(t, "reeds", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool {
			if since := b.now.Sub(bounces); q == d5 && since < 10*time.Millisecond {
				return since/(2*time.Millisecond)%2 == 0
			}
			return closed
		}}
	})
	b.do(hands.Right, hands.Lift, e4, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, d5, 200*time.Millisecond)
	b.do(hands.Left, hands.Lift, d5, 200*time.Millisecond)
	bounces = b.now
	b.do(hands.Right, hands.Lift, d5, 100*time.Millisecond)
	bounces = b.now
	b.do(hands.Left, hands.Put, d5, 300*time.Millisecond)
	b.do(hands.Right, hands.Discard, 0, 3*time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "e4d5" {
		t.Errorf("got %v %s, touch %v, want e4d5", b.last.State, p.Coord(b.last.Move), b.last.Discrepancies)
	}
}
