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

// crossing lets the reeds of two places answer for each other.
func crossing(x, y wood.Place) func(b *bench) broken {
	return func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool {
			switch q {
			case x:
				return b.wood[y] != ""
			case y:
				return b.wood[x] != ""
			}
			return closed
		}}
	}
}

// swapped tells whether two reeds, and nothing else, are taken to answer for each other.
func swapped(b *bench, x, y wood.Place) bool {
	fs := b.d.Faults()
	return len(fs) == 2 && fs[0].Kind == reconcile.Swapped && fs[1].Kind == reconcile.Swapped && fs[0].Place+fs[1].Place == x+y
}

// TestSwappedUnderPieces: the reeds of d1 and e1 answer for each other, so that the king's move looks like the queen's. But the height over
// d1 says that nobody has touched the queen: nothing is accepted until, when nobody has touched anything for two seconds, the
// heights of both squares tell whose wires they are.
func TestSwappedUnderPieces(t *testing.T) {
	d1, e1 := wood.Place(3), wood.Place(4)
	b, p := faulty(t, "twin", "4k3/pppppppp/8/8/8/8/PPPP1PPP/3QK3 w - - 0 1", crossing(d1, e1))
	b.hand(&p, "e1e2", time.Second)
	if b.last.State != reconcile.Moving {
		t.Fatalf("got %v %s, want to wait", b.last.State, p.Coord(b.last.Move))
	}
	for range 20 {
		if b.pass(200 * time.Millisecond); b.last.State == reconcile.Moved || b.last.State == reconcile.Asking {
			break
		}
	}
	if b.last.State != reconcile.Moved || b.last.Base != 0 || p.Coord(b.last.Move) != "e1e2" {
		t.Fatalf("got %v, base %d, %s, choices %v, touch %v; want e1e2", b.last.State, b.last.Base, p.Coord(b.last.Move), b.last.Choices, b.last.Touch)
	}
	if !swapped(b, d1, e1) {
		t.Errorf("got %v, want d1 and e1 swapped", reconcile.Describe(b.d.Faults()))
	}
}

// TestSwappedByTheirWord: on a board with nothing but reeds no sensor contradicts a move that the swapped wires allow. Once the players
// have said on the page which move it was, the wires are named, and the game goes on by itself.
func TestSwappedByTheirWord(t *testing.T) {
	g8, h8 := wood.Place(62), wood.Place(63)
	b, p := faulty(t, "reeds", "4k1nr/ppppppp1/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", crossing(g8, h8))
	b.hand(&p, "h8h6", time.Second)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "g8h6" {
		t.Fatalf("got %v %s, want g8h6: no sensor says otherwise", b.last.State, got)
	}
	wrong := p
	wrong.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: wrong, Moves: true, Reply: true}, {Position: p, Moves: true, Back: true}})
	b.pass(time.Second)
	right := p
	m, err := p.ParseMove("h8h6")
	if err != nil {
		t.Fatal(err)
	}
	right.Play(m)
	b.d.Follow([]reconcile.Base{{Position: p}}, &wrong)
	b.d.Explain(b.now)
	b.d.Follow([]reconcile.Base{{Position: right}}, &p)
	b.pass(3 * time.Second)
	if b.last.State != reconcile.Synced || !swapped(b, g8, h8) {
		t.Fatalf("got %v, %v, want g8 and h8 swapped", b.last.State, reconcile.Describe(b.d.Faults()))
	}
	b.d.Expect([]reconcile.Base{{Position: right, Moves: true, Reply: true}})
	b.must(&right, "e2e4", time.Second)
	b.must(&right, "g8f6", time.Second)
}

// TestTremblingHeight: a scratched window makes a height sensor ten times as noisy. It is named, says nothing any more, and no move is
// made of it.
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

// TestSwappedWeighed: the reeds of g4 and h4 answer for each other, and nobody has had the time to find that out. The load cells say where a pawn has landed, and
// that it was captured there, though it weighs as much as its captor.
func TestSwappedWeighed(t *testing.T) {
	const g4, h4, h5 = wood.Place(30), wood.Place(31), wood.Place(39)
	b, p := faulty(t, "stack", "4k3/8/8/7p/8/8/6P1/4K3 w - - 0 1", crossing(g4, h4))
	b.must(&p, "g2g4", time.Second)
	b.do(hands.Right, hands.Lift, h5, 250*time.Millisecond)
	b.do(hands.Left, hands.Lift, g4, 400*time.Millisecond)
	b.do(hands.Left, hands.Discard, g4, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, g4, 4*time.Second)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || b.last.Base > 0 || got != "h5g4" {
		t.Errorf("got %v, base %d, %s, faults %v; want h5g4", b.last.State, b.last.Base, got, reconcile.Describe(b.d.Faults()))
	}
}
