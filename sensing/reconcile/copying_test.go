// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// nothing is a cell and a height sensor of d5 that answer, and never show anything.
func nothing(*bench) broken {
	show := func(least float64) func(rules.Square, float64) float64 {
		return func(q rules.Square, v float64) float64 {
			if q == 35 {
				return least
			}
			return v
		}
	}
	return broken{cell: show(40), height: show(0)}
}

// TestDeadSensorSawNoExchange: a sensor that never shows anything has not seen a captured piece leave. So whoever only
// lifts the captor has not captured, and a capture to copy has to be touched.
func TestDeadSensorSawNoExchange(t *testing.T) {
	const e4, d5 = wood.Place(28), wood.Place(35)
	names := func(d reconcile.Discrepancy) bool { return d.Place == d5 }
	for _, board := range []string{"stack", "twin"} {
		b, p := faulty(t, board, "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", nothing)
		b.pass(10 * time.Second)
		if b.do(hands.Right, hands.Lift, e4, 20*time.Second); b.last.State == reconcile.Moved {
			t.Errorf("%s: got %s with the pawn in the hand", board, p.Coord(b.last.Move))
		}
		b, p = faulty(t, board, "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", nothing)
		b.pass(10 * time.Second)
		b.given(&p, "e4d5")
		if b.pass(time.Second); !slices.ContainsFunc(b.last.Discrepancies, names) {
			t.Errorf("%s: d5 does not have to be touched", board)
		}
		if b.do(hands.Right, hands.Lift, e4, 5*time.Second); b.last.State == reconcile.Synced {
			t.Errorf("%s: in step with the pawn in the hand and the rook on d5", board)
		}
	}
}

// TestToldWhileCapturing: a second move is told while the captured piece of the first one is in the hand. What lands
// there then is the captor.
func TestToldWhileCapturing(t *testing.T) {
	const e4, d5, e7, e8 = wood.Place(28), wood.Place(35), wood.Place(52), wood.Place(60)
	for _, board := range []string{"reeds", "scale", "stack", "twin"} {
		b, p := faulty(t, board, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", sound)
		start := p
		b.given(&p, "e4d5")
		b.pass(time.Second)
		b.do(hands.Left, hands.Lift, d5, 300*time.Millisecond)
		m, err := p.ParseMove("e8e7")
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		b.d.Follow([]reconcile.Base{{Position: p}}, &start)
		b.do(hands.Right, hands.Lift, e4, 300*time.Millisecond)
		b.do(hands.Right, hands.Put, d5, 300*time.Millisecond)
		b.do(hands.Left, hands.Discard, 0, 300*time.Millisecond)
		b.do(hands.Right, hands.Lift, e8, 300*time.Millisecond)
		if b.do(hands.Right, hands.Put, e7, time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s: %v %v, want in step", board, b.last.State, b.last.Discrepancies)
		}
	}
}

// TestScaleBeforeCopying: the scale weighs the whole board. A reply does not explain what the told move has not moved
// yet, and what a hand holds has not landed. A told move between piles is shown, though no reed tells of it.
func TestScaleBeforeCopying(t *testing.T) {
	for _, c := range []struct {
		game, fen, move string
		lift            wood.Place // by a hand that keeps it; Nowhere: nobody touches anything
		names           wood.Place
	}{
		{"locking", "4k2r/8/8/7p/1n6/8/8/1[NR]2K3 b - - 0 1", "h8h5*", wood.Nowhere, 63},
		{"superchess", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "c3d5*", 18, 35},
		{"pillar", "4k3/8/8/8/1p6/8/8/1[PNR]2K3 w - - 0 1", "b1b4:2", wood.Nowhere, 25},
	} {
		for _, rest := range []time.Duration{3 * time.Second, 12 * time.Second} {
			b, p := faultyIn(t, c.game, "scale", c.fen, sound)
			b.pass(rest)
			before := p
			b.given(&p, c.move)
			b.d.Follow([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true}}, &before)
			b.pass(time.Second)
			if c.lift != wood.Nowhere {
				b.act(hands.Act{Do: hands.Lift, Place: c.lift, Count: 1})
			}
			b.pass(15 * time.Second)
			named := func(d reconcile.Discrepancy) bool { return d.Place == c.names }
			if b.last.State == reconcile.Moved || b.last.State == reconcile.Synced ||
				!slices.ContainsFunc(b.last.Discrepancies, named) {
				t.Errorf("%s %s after %v: got %v %v, want %v named", c.game, c.move, rest, b.last.State,
					b.last.Discrepancies, c.names)
			}
		}
	}
}

// TestPenOnTheRim: something is laid on the rim of a scale board while a move is copied. Once it has lain there for
// long, the board is weighed anew. That is later where no reed shows the landing, and never before anything was
// touched.
func TestPenOnTheRim(t *testing.T) {
	for _, c := range []struct {
		game, fen, move string
		from, to        wood.Place // Nowhere: nobody touches anything
		soon, late      time.Duration
	}{
		{"superchess", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "c3d1", 18, 3, time.Second, 12 * time.Second},
		{"superchess", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "c3d5*", 18, 35, 12 * time.Second, 25 * time.Second},
		{"pillar", "4k3/8/8/8/1p6/8/8/1[PNR]2K3 w - - 0 1", "b1b4:2", wood.Nowhere, 0, 40 * time.Second, 0},
	} {
		b, p := faultyIn(t, c.game, "scale", c.fen, sound)
		b.pass(12 * time.Second)
		b.given(&p, c.move)
		b.leans = scale.At(5000, 150, -205)
		if c.from != wood.Nowhere {
			b.do(hands.Right, hands.Lift, c.from, 500*time.Millisecond)
			b.do(hands.Right, hands.Put, c.to, 0)
		}
		if b.pass(c.soon); b.last.State == reconcile.Synced {
			t.Errorf("%s %s: in step after %v", c.game, c.move, c.soon)
		}
		if b.pass(c.late); c.late > 0 && b.last.State != reconcile.Synced {
			t.Errorf("%s %s: %v %v after %v more", c.game, c.move, b.last.State, b.last.Discrepancies, c.late)
		}
	}
}
