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

// FuzzDecoder feeds arbitrary readings, in games of up to 17 moves, all of which may be taken back. The decoder never
// panics, never finds a move that is not legal, and lists only places of the board.
func FuzzDecoder(f *testing.F) {
	f.Add(uint64(1), []byte("\x00\x01\x02\x03\x10\x20\x30\x40\x55\xaa"))
	f.Add(uint64(2), []byte{0xff, 0, 0xff, 0, 9, 9, 9, 9, 200, 100, 50, 25, 12, 6, 3, 1})
	for seed := range uint64(24) {
		f.Add(seed<<8|seed, []byte{7, 103, 15, 103, 23, 103, 31, 103, 39, 103})
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		all := rules.Variants()
		v := all[seed%uint64(len(all))]
		g := boards()[[]string{"stack", "twin", "reeds"}[seed/8%3]]
		r := rand.New(rand.NewPCG(seed, 5))
		line := []rules.Position{v.Start()}
		for range seed / 256 % 18 {
			p := line[len(line)-1]
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[r.IntN(len(moves))])
				line = append(line, p)
			}
		}
		d := reconcile.New(g, reconcile.DefaultTiming())
		wood := g.Lay(&line[len(line)-1])
		d.Expect(behind(line, seed%2 == 0))
		now := time.Unix(1000, 0)
		for _, b := range data {
			disturb(r, &g, &wood, line, b)
			rs := snapshot(&g, &wood)
			for range 1 + int(b)%80 {
				now = now.Add(time.Duration(b%97) * time.Millisecond)
				for i := range rs {
					garble(r, &rs[i], b)
					rs[i].At = now
					d.Observe(&rs[i])
				}
				line = follow(t, d, line, now)
			}
		}
	})
}

// behind lists the positions of a game as a table does: the moves of the last three, and all that may be taken back.
func behind(line []rules.Position, here bool) (bases []reconcile.Base) {
	for i := range line {
		bases = append(bases, reconcile.Base{Position: line[len(line)-1-i], Moves: i <= 2, Takeback: i > 0,
			OpponentHere: here})
	}
	return bases
}

// disturb puts something somewhere, or takes it away, or takes back one of the moves, whole or in part.
func disturb(r *rand.Rand, g *wood.Geometry, w *wood.Wood, line []rules.Position, b byte) {
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
	case 3:
		if n := r.IntN(len(line)); n > 0 {
			before, after := g.Lay(&line[n-1]), g.Lay(&line[n])
			for p := range before.Diff(&after).Places() {
				if b%8 == 7 || r.IntN(2) == 0 {
					w[p] = before[p]
				}
			}
		}
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

// follow looks at the board and goes on with what was found, if something was. It returns the game.
func follow(t *testing.T, d *reconcile.Decoder, line []rules.Position, now time.Time) []rules.Position {
	e := d.Explain(now)
	for _, x := range e.Discrepancies {
		if int(x.Place) >= wood.Places {
			t.Fatalf("touch %v is no place", x)
		}
	}
	if e.Base < 0 || e.Base >= len(line) {
		t.Fatalf("base %d of %d", e.Base, len(line))
	}
	line = line[:len(line)-e.Base]
	p := line[len(line)-1]
	for _, c := range e.Choices {
		if name := p.Coord(c.Move); !legal(&p, c.Move) {
			t.Fatalf("%s: the choice %s is not legal", p.FEN(), name)
		}
	}
	switch e.State {
	case reconcile.Moved:
		if !legal(&p, e.Move) {
			t.Fatalf("%s: base %d, %s is not legal", p.FEN(), e.Base, p.Coord(e.Move))
		}
		p.Play(e.Move)
		line = append(line, p)
	case reconcile.TakenBack, reconcile.Unmade:
	default:
		return line[:len(line)+e.Base]
	}
	d.Expect(behind(line, now.UnixNano()%2 == 0))
	return line
}

func legal(p *rules.Position, m rules.Move) bool {
	for _, l := range p.AppendMoves(nil) {
		if l == m {
			return true
		}
	}
	return false
}
