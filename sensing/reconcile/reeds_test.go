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

// dead is a board on which the reeds of some squares never close.
func dead(squares ...wood.Place) func(*bench) broken {
	return stays(false, squares)
}

// stuck is a board on which the reeds of some squares never open.
func stuck(squares ...wood.Place) func(*bench) broken {
	return stays(true, squares)
}

func stays(shut bool, squares []wood.Place) func(*bench) broken {
	return func(*bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool {
			for _, p := range squares {
				if q == p {
					return shut
				}
			}
			return closed
		}}
	}
}

// leaking is a board on which the reed of one square closes along with that of another.
func leaking(p, with wood.Place) func(*bench) broken {
	return func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed || q == p && b.wood[with] != "" }}
	}
}

// TestFaultFromTheBeginning: the first move is made before the faulty reed could be named. It has shown the same since the first reading, and has
// nothing to do with the move.
func TestFaultFromTheBeginning(t *testing.T) {
	for name, make := range map[string]func(*bench) broken{"dead": dead(2), "stuck": stuck(30)} { // c1, g4
		v, _ := rules.ByID("chess")
		p := v.Start()
		b := newBench(t, boards()["reeds"], 1)
		b.stand(&p)
		b.broken = make(b)
		b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}})
		b.pass(600 * time.Millisecond)
		b.must(&p, "c2c4", 2500*time.Millisecond)
		if fs := b.d.Faults(); len(fs) != 1 {
			t.Errorf("%s: got %v, want the one reed", name, fs)
		}
		b.must(&p, "e7e5", time.Second)
	}
}

// TestCaptureBesideADeadSquare: a knight captures that could have gone to a square where nothing is sensed. What it captured was away while the knight was
// lifted: it was not adjusted. A piece that was put back before, or lifted long after, may have been.
func TestCaptureBesideADeadSquare(t *testing.T) {
	const e3, c4, d5 = wood.Place(20), wood.Place(26), wood.Place(35)
	start := func() (*bench, rules.Position) {
		b, p := faulty(t, "reeds", "4k3/8/8/3p4/2P5/4N3/8/4K3 w - - 0 1", dead(c4))
		b.pass(4 * time.Second)
		b.must(&p, "c4c5", time.Second)
		b.must(&p, "e8e7", time.Second)
		return b, p
	}
	b, p := start()
	b.must(&p, "e3d5", time.Second)

	b, p = start()
	b.act(hands.Act{Do: hands.Lift, Place: e3, Count: 1})
	b.pass(2 * time.Second)
	b.act(hands.Act{Do: hands.Lift, Hand: hands.Left, Place: d5, Count: 1})
	b.pass(300 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Hand: hands.Left, Place: d5})
	if b.pass(4 * time.Second); b.last.State != reconcile.Asking {
		t.Errorf("a pawn lifted long after the knight: %v %s, want a question", b.last.State, p.Coord(b.last.Move))
	}
}

// TestCaptureFromADeadSquare: no reed tells that it was made, and it is given on the page. Then it has not to be made once more.
func TestCaptureFromADeadSquare(t *testing.T) {
	const e4 = wood.Place(28)
	b, p := faulty(t, "reeds", "4k3/8/3p4/8/4N3/8/8/4K3 w - - 0 1", dead(e4))
	b.pass(4 * time.Second)
	b.hand(&p, "e4d6", 2*time.Second)
	if b.last.State != reconcile.Synced {
		t.Fatalf("%v, want synced: nothing tells a pawn that was adjusted", b.last.State)
	}
	m, _ := p.ParseMove("e4d6")
	before := p
	p.Play(m)
	b.d.Follow([]reconcile.Base{{Position: p}}, &before)
	if b.pass(time.Second); b.last.State != reconcile.Synced {
		t.Errorf("%v, touch %v; want synced", b.last.State, b.last.Touch)
	}
}

// TestOneMagnetTwoReeds: a reed that closes along with its neighbour is found by the first move that only one of the two makes legal.
func TestOneMagnetTwoReeds(t *testing.T) {
	const e4, f4 = wood.Place(28), wood.Place(29)
	b, p := faulty(t, "reeds", bare, leaking(f4, e4))
	b.must(&p, "e2e4", 2500*time.Millisecond)
	if fs := b.d.Faults(); len(fs) != 1 || fs[0].Place != f4 || fs[0].Kind != reconcile.Crosstalk || fs[0].With != e4 {
		t.Errorf("got %v, want f4 to answer along with e4", fs)
	}
	b.must(&p, "d7d5", time.Second)
	b.must(&p, "e4d5", time.Second)
}

// TestOneMagnetIsNotTwoMoves: the two reeds could be the queen, had she gone elsewhere, and the reply to that. But she has long landed.
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
	b.d.Expect([]reconcile.Base{{Position: before, Moves: true, Reply: true}})
	b.pass(time.Second)
	p := before
	b.hand(&p, "d8h4", time.Second)
	if b.last.State != reconcile.Moved {
		t.Fatalf("%v, want d8h4", b.last.State)
	}
	p.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Moves: true, Back: true}})
	b.pass(2 * time.Second)
	b.hand(&p, "b4b5", 2500*time.Millisecond)
	if b.last.State != reconcile.Moved || b.last.Base != 0 || p.Coord(b.last.Move) != "b4b5" {
		t.Errorf("%v from base %d, move %s; want b4b5", b.last.State, b.last.Base, p.Coord(b.last.Move))
	}
}

// given makes a move that hands have made on the page, as it was not recognised.
func (b *bench) given(p *rules.Position, name string) {
	b.t.Helper()
	m, err := p.ParseMove(name)
	if err != nil {
		b.t.Fatal(err)
	}
	before := *p
	p.Play(m)
	b.d.Follow([]reconcile.Base{{Position: *p}}, &before)
}

// TestGivenOnThePage: moves that no reed tells are given on the page. Then the reed is named that contradicts them, or at least not waited for.
func TestGivenOnThePage(t *testing.T) {
	const g1, e4, d5 = wood.Place(6), wood.Place(28), wood.Place(35)
	for _, c := range []struct {
		what, fen string
		make      func(*bench) broken
		moves     []string
		wait      time.Duration
		named     bool
	}{
		{"from a stuck square", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", stuck(g1), []string{"g1f3"}, 2500 * time.Millisecond, true},
		{"from a square whose reed leaks, and has changed before", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1", leaking(e4, d5), []string{"e2e4", "d7d5", "e4e5"}, 2500 * time.Millisecond, true},
		{"a capture on a stuck square", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", stuck(d5), []string{"e4d5"}, 21 * time.Second, false},
	} {
		b, p := faulty(t, "reeds", c.fen, c.make)
		for _, name := range c.moves {
			b.hand(&p, name, time.Second)
			b.given(&p, name)
			b.pass(c.wait)
		}
		if fs := b.d.Faults(); b.last.State != reconcile.Synced || c.named != (len(fs) > 0) {
			t.Errorf("%s: %v, touch %v, faults %v", c.what, b.last.State, b.last.Touch, fs)
		}
	}
}

// TestStuckBeforeIsNoGoal: a knight is lifted that could go to a square whose reed has been closed since before. It is still in the hand.
func TestStuckBeforeIsNoGoal(t *testing.T) {
	const g1, h3 = wood.Place(6), wood.Place(23)
	v, _ := rules.ByID("chess")
	p := v.Start()
	b := newBench(t, boards()["reeds"], 1)
	b.stand(&p)
	b.broken = stuck(h3)(b)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}})
	b.pass(600 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: g1, Count: 1})
	if b.pass(time.Second); b.last.State == reconcile.Moved {
		t.Errorf("%s is made, want it to be waited for", p.Coord(b.last.Move))
	}
}

// TestReplyToACaptureUnseen: a capture from a square where nothing is sensed shows nothing, and the reply to it looks like another move in place of the one
// before. It is not taken for that.
func TestReplyToACaptureUnseen(t *testing.T) {
	const b3, b4, h7, h8 = wood.Place(17), wood.Place(25), wood.Place(55), wood.Place(63)
	b, before := faulty(t, "reeds", "6k1/8/8/6p1/1R6/1b2K2N/8/8 b - - 0 1", dead(b4))
	b.pass(4 * time.Second)
	p := before
	b.must(&p, "g8h8", time.Second)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Moves: true, Back: true}})
	b.act(hands.Act{Do: hands.Lift, Place: b4, Count: 1})
	b.act(hands.Act{Do: hands.Lift, Hand: hands.Left, Place: b3, Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: b3})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: h8, Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: h7})
	if b.pass(4 * time.Second); b.last.State != reconcile.Asking {
		t.Errorf("%v %s, want a question", b.last.State, p.Coord(b.last.Move))
	}
}

// TestMovedOnBesideALeak: a bishop rests on its way and is taken to have arrived; where it ends another reed closes as well. The move is corrected.
func TestMovedOnBesideALeak(t *testing.T) {
	const f4, f5, g5 = wood.Place(29), wood.Place(37), wood.Place(38)
	b, before := faulty(t, "reeds", "4k3/4p3/8/8/8/8/3B4/4K3 w - - 0 1", leaking(f5, g5))
	p := before
	b.must(&p, "d2f4", time.Second)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Moves: true, Back: true}})
	b.act(hands.Act{Do: hands.Lift, Place: f4, Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: g5})
	if b.pass(3 * time.Second); b.last.State != reconcile.Moved || b.last.Base != 1 || before.Coord(b.last.Move) != "d2g5" {
		t.Errorf("%v %s, touch %v; want d2g5 instead", b.last.State, before.Coord(b.last.Move), b.last.Touch)
	}
}

// TestCopyNeedsTheCapture: a capture that is given on the page is not copied while the captor is in the hand, nor by a knock against what it captures.
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

// TestAcrossTheBorder: a pawn that is put down on the border of two squares closes both reeds. Once it is put straight, neither is at fault.
func TestAcrossTheBorder(t *testing.T) {
	const e4, f4 = wood.Place(28), wood.Place(29)
	straddles := true
	b, p := faulty(t, "reeds", bare, func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed || q == f4 && straddles && b.wood[e4] != "" }}
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
