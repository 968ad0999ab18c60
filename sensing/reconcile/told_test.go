// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/rules/table"
	"boardd/rules/table/solo"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// told gives a move that was made elsewhere while the wood still shows a position before it. If both sides sit here,
// the wood may show the reply at once.
func (b *bench) told(p, before *rules.Position, here bool, name string) {
	b.t.Helper()
	m, err := p.ParseMove(name)
	if err != nil {
		b.t.Fatal(err)
	}
	from := *before
	p.Play(m)
	b.d.Follow([]reconcile.Base{{Position: *p, Moves: here, OpponentHere: here}}, &from)
}

// given gives a move of the position that the wood shows.
func (b *bench) given(p *rules.Position, name string) {
	b.t.Helper()
	b.told(p, p, false, name)
}

// TestScaleSeesNoReplyBeforeTheMove: a move between two piles is told, of which no reed tells. Nobody touches the
// board. Where a reply would shift the balance just as the missing move does, it is not taken.
func TestScaleSeesNoReplyBeforeTheMove(t *testing.T) {
	for _, c := range []struct{ game, fen, move string }{
		{"locking", "4k3/3p3[pr]/8/8/8/8/1[PR]3P2/4K3 w - - 0 1", "b2f2*"},
		{"meirav", "2rq1rk1/p1p2p1p/n3[Bp]2[pB]/8/1p1P[Pb]P2/1P6/P1P1N1P1/RN1QK1b1 w Q - 0 17", "h6f8"},
	} {
		b, p := faultyIn(t, c.game, "scale", c.fen, sound)
		b.pass(5 * time.Second)
		b.told(&p, &p, true, c.move)
		if b.pass(10 * time.Second); b.last.State != reconcile.Moving && b.last.State != reconcile.Wrong {
			t.Errorf("%s %s: %v %s, though nobody has touched the board", c.game, c.move, b.last.State, p.Coord(b.last.Move))
		}
	}
}

// TestNoReplyWhileTheMoveIsMissing: Kc2 is told. Somebody captures the pawn with the king instead, and puts the king
// back first. Nothing stands on c2 yet, so c4c3 is not the reply.
func TestNoReplyWhileTheMoveIsMissing(t *testing.T) {
	const c3, c4 = wood.Place(18), wood.Place(26)
	for _, board := range []string{"reeds", "scale", "stack", "twin"} {
		b, p := faulty(t, board, "2k5/8/8/8/2p5/2K5/8/8 w - - 0 1", sound)
		b.told(&p, &p, true, "c3c2")
		b.pass(2 * time.Second)
		b.do(hands.Right, hands.Lift, c3, 250*time.Millisecond)
		b.do(hands.Left, hands.Lift, c4, 250*time.Millisecond)
		b.do(hands.Right, hands.Put, c4, 400*time.Millisecond)
		b.do(hands.Right, hands.Lift, c4, 250*time.Millisecond)
		if b.do(hands.Right, hands.Put, c3, 2*time.Second); b.last.State == reconcile.Moved {
			t.Errorf("%s: got %s, though nothing has come to c2", board, p.Coord(b.last.Move))
		}
	}
}

// TestToldAfterTheExchange: a pawn captures and promotes. The rook is taken off and the queen put there, the pawn
// still stands on e7 when the reply is told. Once the pawn is gone and the reply copied, everything stands.
func TestToldAfterTheExchange(t *testing.T) {
	const e7, d8, h8, h7 = wood.Place(52), wood.Place(59), wood.Place(63), wood.Place(55)
	for _, board := range []string{"reeds", "twin", "scale", "stack"} {
		b, p := faulty(t, board, "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", sound)
		start := p
		b.given(&p, "e7d8q")
		b.pass(time.Second)
		b.do(hands.Right, hands.Lift, d8, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "Q"})
		b.do(hands.Right, hands.Put, d8, 300*time.Millisecond)
		b.told(&p, &start, false, "h8h7")
		b.pass(300 * time.Millisecond)
		b.do(hands.Right, hands.Lift, e7, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.do(hands.Right, hands.Lift, h8, 300*time.Millisecond)
		if b.do(hands.Right, hands.Put, h7, 3*time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s: %v %v, want in step", board, b.last.State, b.last.Discrepancies)
		}
	}
}

// TestPileToldAfterTheExchange: the same where the captor goes to an exchanged pile.
func TestPileToldAfterTheExchange(t *testing.T) {
	const d4, c6, a3, a4 = wood.Place(27), wood.Place(42), wood.Place(16), wood.Place(24)
	b, p := faultyIn(t, "meirav", "scale", "4k3/8/2n5/8/3[pN]4/R7/8/4K3 b - - 0 1", sound)
	start := p
	b.given(&p, "c6d4")
	b.pass(time.Second)
	b.act(hands.Act{Do: hands.Lift, Place: d4, Count: 2})
	b.pass(300 * time.Millisecond)
	b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
	b.act(hands.Act{Do: hands.Take, Pieces: "N"})
	b.do(hands.Right, hands.Put, d4, 300*time.Millisecond)
	b.do(hands.Right, hands.Lift, c6, 300*time.Millisecond)
	b.told(&p, &start, false, "a3a4")
	b.do(hands.Right, hands.Put, d4, 300*time.Millisecond)
	b.do(hands.Right, hands.Lift, a3, 300*time.Millisecond)
	if b.do(hands.Right, hands.Put, a4, 5*time.Second); b.last.State != reconcile.Synced {
		t.Errorf("%v %v, want in step", b.last.State, b.last.Discrepancies)
	}
}

// TestExchangedInNoTime: bxa6 is told while Qxb1 is still copied. On a6 both hands exchange the pieces faster than a
// contact tells, and what stands there last looks like what stood below. Once all hands have left, that is the captor.
func TestExchangedInNoTime(t *testing.T) {
	const a2, b1, b5, a6 = wood.Place(8), wood.Place(1), wood.Place(33), wood.Place(40)
	b, p := faultyIn(t, "locking", "twin", "r2k1bn1/1ppppp2/[np]6r/1[bB]5p/1P1P1P1[Pp]/7R/q1P1P1P1/1N1Q2[NK]1 b - - 1 15",
		sound)
	start := p
	b.given(&p, "a2b1")
	b.pass(time.Second)
	b.do(hands.Right, hands.Lift, a2, 150*time.Millisecond)
	b.do(hands.Left, hands.Lift, b1, 150*time.Millisecond)
	b.told(&p, &start, false, "b5a6")
	b.pass(500 * time.Millisecond)
	b.do(hands.Left, hands.Discard, 0, 150*time.Millisecond)
	b.do(hands.Right, hands.Put, b1, time.Second)
	b.do(hands.Right, hands.Lift, a6, 400*time.Millisecond)
	b.do(hands.Right, hands.Discard, 0, 250*time.Millisecond)
	b.do(hands.Right, hands.Lift, b5, 300*time.Millisecond)
	b.do(hands.Right, hands.Put, a6, 90*time.Millisecond)
	b.do(hands.Left, hands.Lift, a6, 140*time.Millisecond)
	b.do(hands.Right, hands.Lift, a6, 50*time.Millisecond)
	b.do(hands.Left, hands.Put, a6, 200*time.Millisecond)
	if b.do(hands.Right, hands.Discard, 0, 6*time.Second); b.last.State != reconcile.Synced {
		t.Errorf("%v %v, want in step", b.last.State, b.last.Discrepancies)
	}
}

// TestRecaptureToldMeanwhile: Na2 and Qxa2 are told. The knight is copied, then the queen is lifted. As long as the
// knight stands on a2, the wood does not follow.
func TestRecaptureToldMeanwhile(t *testing.T) {
	const c3, a2, e6 = wood.Place(18), wood.Place(8), wood.Place(44)
	for _, board := range []string{"reeds", "twin"} {
		b, p := faulty(t, board, "3k4/8/4q3/8/8/2N5/8/3K4 w - - 0 1", sound)
		start := p
		b.given(&p, "c3a2")
		b.pass(time.Second)
		b.told(&p, &start, false, "e6a2")
		b.pass(time.Second)
		b.do(hands.Right, hands.Lift, c3, 300*time.Millisecond)
		b.do(hands.Right, hands.Put, a2, 300*time.Millisecond)
		if b.do(hands.Right, hands.Lift, e6, 5*time.Second); b.last.State == reconcile.Synced {
			t.Errorf("%s: in step with the queen in the hand and the knight on a2", board)
		}
	}
}

// TestPileTakenOneByOne: a pile of two is captured. Its top is taken off, then the captor is lifted. What is left of
// the pile is not the captor, though it is as high, or as heavy.
func TestPileTakenOneByOne(t *testing.T) {
	for _, c := range []struct {
		board, fen, move string
		from, to         wood.Place
	}{
		{"twin", "4k3/8/8/1[RN]6/2b5/8/8/4K3 b - - 0 1", "c4b5", 26, 33},
		{"twin", "4k3/8/8/1[RN]6/8/8/4K3/1r6 b - - 0 1", "b1b5", 1, 33},
		{"stack", "4k3/8/8/1[RN]6/8/8/4K3/1r6 b - - 0 1", "b1b5", 1, 33},
	} {
		b, p := faultyIn(t, "superchess", c.board, c.fen, sound)
		b.given(&p, c.move)
		b.pass(time.Second)
		b.do(hands.Right, hands.Lift, c.to, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		if b.do(hands.Right, hands.Lift, c.from, 3*time.Second); b.last.State == reconcile.Synced {
			t.Errorf("%s %s: in step with the captor in the hand and half of the pile on its place", c.board, c.fen)
		}
		b.do(hands.Left, hands.Lift, c.to, 300*time.Millisecond)
		b.do(hands.Left, hands.Discard, 0, 300*time.Millisecond)
		if b.do(hands.Right, hands.Put, c.to, 2*time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s %s: %v %v, want in step", c.board, c.fen, b.last.State, b.last.Discrepancies)
		}
	}
}

// TestToldAfterCopying: the queen goes from a pile and takes another pile whole. That is done a second before it is
// told. The reeds show no more of it, but the balance has shifted.
func TestToldAfterCopying(t *testing.T) {
	const d5, a2 = wood.Place(35), wood.Place(8)
	b, p := faultyIn(t, "locking", "scale", "4k3/8/8/3[pq]4/8/8/[PR]7/4K3 b - - 0 1", sound)
	b.d.Expect([]reconcile.Base{{Position: p}})
	b.pass(5 * time.Second)
	b.do(hands.Right, hands.Lift, d5, 200*time.Millisecond)
	b.act(hands.Act{Hand: hands.Left, Do: hands.Lift, Place: a2, Count: 2})
	b.pass(200 * time.Millisecond)
	b.do(hands.Left, hands.Discard, 0, 300*time.Millisecond)
	b.do(hands.Right, hands.Put, a2, time.Second)
	b.given(&p, "d5a2")
	if b.pass(5 * time.Second); b.last.State != reconcile.Synced {
		t.Errorf("%v %v, want in step", b.last.State, b.last.Discrepancies)
	}
}

// atTable is a decoder that gives its readings to a table.
type atTable struct {
	table.Decoder
	s *solo.Table
}

func (a atTable) Observe(r *sensing.Reading)                 { a.s.Observe(r) }
func (a atTable) Explain(at time.Time) reconcile.Explanation { a.s.Look(at); return *a.s.Last() }

func seatedAt(t *testing.T, game, board, fen string) (*bench, *solo.Table) {
	v, err := rules.ByID(game)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, boards()[board], 1)
	s := solo.New(b.g, p)
	b.stand(&p)
	b.d = atTable{b.d, s}
	b.pass(3 * time.Second)
	return b, s
}

// TestPromotionTakenBackElsewhere: a capture with promotion was told and copied, and is taken back elsewhere. The pawn
// is put on e7 first. As long as the queen stands on d8, the wood does not follow, and d8 is named.
func TestPromotionTakenBackElsewhere(t *testing.T) {
	const e7, d8 = wood.Place(52), wood.Place(59)
	names := func(d reconcile.Discrepancy) bool { return d.Place == d8 }
	for _, board := range []string{"reeds", "scale", "stack", "twin"} {
		b, s := seatedAt(t, "chess", board, "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
		m, _ := s.Position().ParseMove("e7d8q")
		s.Play(b.now, m)
		b.pass(time.Second)
		b.do(hands.Right, hands.Lift, d8, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.do(hands.Right, hands.Lift, e7, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "Q"})
		if b.do(hands.Right, hands.Put, d8, 3*time.Second); s.State() != table.Synced {
			t.Fatalf("%s: %v %v once it was copied", board, s.State(), s.Last().Discrepancies)
		}
		b.pass(3 * time.Second)
		s.Back(b.now, 1)
		if b.pass(time.Second); !slices.ContainsFunc(s.Last().Discrepancies, names) {
			t.Errorf("%s: only %v has to be touched", board, s.Last().Discrepancies)
		}
		b.act(hands.Act{Do: hands.Take, Pieces: "P"})
		if b.do(hands.Right, hands.Put, e7, 5*time.Second); s.State() == table.Synced {
			t.Errorf("%s: in step with the queen on d8", board)
		}
		b.do(hands.Right, hands.Lift, d8, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "r"})
		if b.do(hands.Right, hands.Put, d8, 3*time.Second); s.State() != table.Synced || len(s.Moves()) != 0 {
			t.Errorf("%s: %v %v at the end", board, s.State(), s.Last().Discrepancies)
		}
	}
}

// TestTakenBackWhileExchanged: the same is taken back while it is copied. The queen stands on d8 already, the pawn
// still on e7.
func TestTakenBackWhileExchanged(t *testing.T) {
	const d8 = wood.Place(59)
	for _, board := range []string{"reeds", "scale", "stack", "twin"} {
		b, s := seatedAt(t, "chess", board, "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1")
		m, _ := s.Position().ParseMove("e7d8q")
		s.Play(b.now, m)
		b.pass(time.Second)
		b.do(hands.Right, hands.Lift, d8, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "Q"})
		b.do(hands.Right, hands.Put, d8, 500*time.Millisecond)
		s.Back(b.now, 1)
		if b.pass(2 * time.Second); s.State() == table.Synced {
			t.Errorf("%s: in step with the queen on d8", board)
		}
		b.do(hands.Right, hands.Lift, d8, 300*time.Millisecond)
		b.do(hands.Right, hands.Discard, 0, 300*time.Millisecond)
		b.act(hands.Act{Do: hands.Take, Pieces: "r"})
		if b.do(hands.Right, hands.Put, d8, 3*time.Second); s.State() != table.Synced || len(s.Moves()) != 0 {
			t.Errorf("%s: %v %v at the end", board, s.State(), s.Last().Discrepancies)
		}
	}
}

// TestToldToADeadSquare: a sensor fails on one square of a told move. The move is copied, and everything else shows
// it. A piece may still be in a hand for a while, but not for ever. Then the game goes on.
func TestToldToADeadSquare(t *testing.T) {
	const c1, b2 = wood.Place(2), wood.Place(9)
	for _, c := range []struct {
		board, fault string
		make         func(*bench) broken
	}{
		{"reeds", "dead reed", func(*bench) broken {
			return broken{reed: func(p wood.Place, closed bool) bool { return closed && p != b2 }}
		}},
		{"reeds", "stuck reed", func(*bench) broken {
			return broken{reed: func(p wood.Place, closed bool) bool { return closed || p == c1 }}
		}},
		{"scale", "dead reed", func(*bench) broken {
			return broken{reed: func(p wood.Place, closed bool) bool { return closed && p != b2 }}
		}},
		{"stack", "dead reed and cell", func(*bench) broken {
			return broken{reed: func(p wood.Place, closed bool) bool { return closed && p != b2 },
				cell: func(q rules.Square, mg float64) float64 {
					if wood.Place(q) == b2 {
						return 0
					}
					return mg
				}}
		}},
	} {
		b, p := faulty(t, c.board, "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", c.make)
		b.given(&p, "c1b2")
		if b.pass(40 * time.Second); b.last.State == reconcile.Synced {
			t.Errorf("%s, %s: in step before anybody has touched it", c.board, c.fault)
		}
		b.do(hands.Right, hands.Lift, c1, 500*time.Millisecond)
		if b.do(hands.Right, hands.Put, b2, 10*time.Second); b.last.State == reconcile.Synced {
			t.Errorf("%s, %s: in step while a hand may hold the bishop", c.board, c.fault)
		}
		if b.pass(20 * time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s, %s: %v %v half a minute after it was copied", c.board, c.fault, b.last.State, b.last.Discrepancies)
		}
		if b.pass(20 * time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s, %s: %v %v later", c.board, c.fault, b.last.State, b.last.Discrepancies)
		}
		b.given(&p, "e8e7")
		b.do(hands.Right, hands.Lift, 60, 500*time.Millisecond)
		if b.do(hands.Right, hands.Put, 52, 2*time.Second); b.last.State != reconcile.Synced {
			t.Errorf("%s, %s: %v %v after the next move", c.board, c.fault, b.last.State, b.last.Discrepancies)
		}
	}
}

// TestToldUnderADeadCell: a cell has shown nothing under a pawn since the board was switched on. A capture by that
// pawn is told: that the cell agrees now does not mean that it was copied.
func TestToldUnderADeadCell(t *testing.T) {
	const a6 = 40
	b, p := faulty(t, "stack", "4k3/8/p7/1P6/8/8/8/4K3 b - - 0 1", func(*bench) broken {
		return broken{cell: func(q rules.Square, mg float64) float64 {
			if q == a6 {
				return 40
			}
			return mg
		}}
	})
	b.pass(5 * time.Second)
	b.given(&p, "a6b5")
	if b.pass(10 * time.Second); b.last.State == reconcile.Synced {
		t.Error("in step, though nobody has touched a piece")
	}
}
