// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestNoAllocation: looking at a board allocates nothing, whether it rests, a hand is at work, or the wood is wrong.
func TestNoAllocation(t *testing.T) {
	for _, m := range middles() {
		s := newStage(t, m)
		for which, name := range []string{"at rest", "with a piece moved"} {
			for range 500 {
				s.see(which)
			}
			if n := testing.AllocsPerRun(1000, func() { s.see(which) }); n != 0 {
				t.Errorf("%s %s: %v allocations a snapshot, want none", m.name, name, n)
			}
		}
		for i := range s.readings[1] {
			s.readings[1][i].Closed &= 0x00ff00ff00ff00ff
		}
		for range 2000 {
			s.see(1)
		}
		if n := testing.AllocsPerRun(1000, func() { s.see(1) }); n != 0 {
			t.Errorf("%s with half of the wood gone: %v allocations a snapshot, want none", m.name, n)
		}
	}
}

// TestOrderWithinRest: while the wood rests, the order in which the banks are read changes nothing.
func TestOrderWithinRest(t *testing.T) {
	for _, m := range middles() {
		var first reconcile.Explanation
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 7))
			s := newStage(t, m)
			var got reconcile.Explanation
			for range 200 {
				s.now = s.now.Add(reedSweep)
				for _, i := range r.Perm(len(s.readings[1])) {
					q := s.readings[1][i]
					q.At = s.now
					s.d.Observe(&q)
				}
				if got = s.d.Explain(s.now); got.State >= reconcile.Moved {
					break
				}
			}
			if seed == 0 {
				first = got
			} else if got.State != first.State || got.Move != first.Move || got.Margin != first.Margin {
				t.Errorf("%s: in another order %v %v %v, want %v %v %v", m.name, got.State, got.Move, got.Margin, first.State,
					first.Move, first.Margin)
			}
		}
	}
}

// TestSilenceChangesNothing: a board at rest is explained the same however long it is looked at, whether sensors are
// read or not.
func TestSilenceChangesNothing(t *testing.T) {
	for name, g := range boards() {
		v, err := rules.ByID("chess")
		if err != nil {
			t.Fatal(err)
		}
		b, p := newBench(t, g, 3), v.Start()
		b.stand(&p)
		b.d.Expect([]reconcile.Base{{Position: p, Moves: true}})
		b.pass(time.Second)
		b.act(hands.Act{Do: hands.Lift, Place: 12, Count: 1})
		b.pass(3 * time.Second)
		first := b.last.State
		for range 20 {
			b.pass(time.Second)
			if b.last.State != first {
				t.Errorf("%s: a pawn in the hand: %v, after a while %v", name, first, b.last.State)
			}
			if e := b.d.Explain(b.now.Add(100 * time.Millisecond)); e.State != first {
				t.Errorf("%s: without a reading: %v, want %v", name, e.State, first)
			}
		}
	}
}

// FuzzDecoder feeds arbitrary readings. The decoder never panics, never finds a move that is not legal, and lists only
// places of the board.
func FuzzDecoder(f *testing.F) {
	f.Add(uint64(1), []byte("\x00\x01\x02\x03\x10\x20\x30\x40\x55\xaa"))
	f.Add(uint64(2), []byte{0xff, 0, 0xff, 0, 9, 9, 9, 9, 200, 100, 50, 25, 12, 6, 3, 1})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		all := rules.Variants()
		v := all[seed%uint64(len(all))]
		g := boards()[[]string{"stack", "twin", "reeds"}[seed/8%3]]
		d := reconcile.New(g, reconcile.DefaultTiming())
		p := v.Start()
		wood := g.Lay(&p)
		d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: seed%2 == 0}})
		now := time.Unix(1000, 0)
		r := rand.New(rand.NewPCG(seed, 5))
		for _, b := range data {
			disturb(r, &g, &wood, b)
			rs := snapshot(&g, &wood)
			for range 1 + int(b)%40 {
				now = now.Add(time.Duration(b%97) * time.Millisecond)
				for i := range rs {
					garble(r, &rs[i], b)
					rs[i].At = now
					d.Observe(&rs[i])
				}
				follow(t, d, &p, now)
			}
		}
	})
}

// disturb puts something somewhere, or takes it away.
func disturb(r *rand.Rand, g *wood.Geometry, w *wood.Wood, b byte) {
	places := 64
	if g.TwoDecks {
		places = wood.Places
	}
	q := wood.Place(r.IntN(places))
	switch b % 4 {
	case 0:
		w[q] = ""
	case 1:
		w[q] += "P"
	case 2:
		o := wood.Place(r.IntN(64))
		w[q], w[o] = w[o], w[q]
	}
}

// garble changes what was sensed.
func garble(r *rand.Rand, q *sensing.Reading, b byte) {
	if b&0x80 == 0 {
		return
	}
	q.Known = rules.Bitboard(r.Uint64()) | 0xff00ff
	q.Closed ^= rules.Bitboard(r.Uint64() & r.Uint64() & r.Uint64())
	q.Value[r.IntN(64)] = int32(r.Uint32())
	if b&0x40 != 0 {
		q.Kind, q.Deck = sensing.Kind(r.IntN(5)), sensing.Deck(r.IntN(3))
	}
}

// follow looks at the board and goes on with the move that was found, if there is one.
func follow(t *testing.T, d *reconcile.Decoder, p *rules.Position, now time.Time) {
	e := d.Explain(now)
	for _, x := range e.Discrepancies {
		if int(x.Place) >= wood.Places {
			t.Fatalf("touch %v is no place", x)
		}
	}
	for _, c := range e.Choices {
		if name := p.Coord(c.Move); e.Base == 0 && !legal(p, c.Move) {
			t.Fatalf("%s: the choice %s is not legal", p.FEN(), name)
		}
	}
	if e.State != reconcile.Moved {
		return
	}
	if e.Base != 0 || !legal(p, e.Move) {
		t.Fatalf("%s: base %d, %s is not legal", p.FEN(), e.Base, p.Coord(e.Move))
	}
	p.Play(e.Move)
	d.Expect([]reconcile.Base{{Position: *p, Moves: true, OpponentHere: true}})
}

func legal(p *rules.Position, m rules.Move) bool {
	for _, l := range p.AppendMoves(nil) {
		if l == m {
			return true
		}
	}
	return false
}
