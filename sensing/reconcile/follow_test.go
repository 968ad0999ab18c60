// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

// table is a board whose game follows what is recognised, as a table does.
type table struct {
	*still
	line []rules.Position
}

// newTable is a table at which a game has stood for a while. Both sides play there.
func newTable(t *testing.T, twin bool, v, fen string) *table {
	g := wood.Reference()
	if g.Weights = !twin; twin {
		g.TwoDecks, g.Heights = true, true
	}
	s, p := newStillOn(t, g, v, fen)
	b := &table{still: s, line: []rules.Position{p}}
	b.follow(3 * time.Second)
	return b
}

// follow lets time pass, and goes on with what is recognised.
func (b *table) follow(d time.Duration) {
	for end := b.now.Add(d); b.now.Before(end); {
		b.rest(10 * time.Millisecond)
		x := b.Explain(b.now)
		if x.State != Moved && x.State != TakenBack && x.State != Unmade {
			continue
		}
		b.line = b.line[:len(b.line)-x.Base]
		if p := b.line[len(b.line)-1]; x.State == Moved {
			p.Play(x.Move)
			b.line = append(b.line, p)
		}
		var bases []Base
		for i := range b.line {
			bases = append(bases, Base{Position: b.line[len(b.line)-1-i], Moves: i <= 2, Takeback: i > 0, OpponentHere: true})
		}
		b.Expect(bases)
	}
}

// set makes a pile stand on a square, and waits.
func (b *table) set(square string, pile wood.Pile, waits time.Duration) {
	b.wood[b.at(square)] = pile
	b.follow(waits)
}

// lean lets a hand press on a square with so many milligrams, and waits.
func (b *table) lean(square string, load int32, waits time.Duration) {
	b.gram[b.at(square)] = load
	b.follow(waits)
}

// played are the moves of the game.
func (b *table) played() (moves []string) {
	for i, p := range b.line[1:] {
		before := b.line[i]
		for _, m := range before.AppendMoves(nil) {
			q := before
			if q.Play(m); q == p {
				moves = append(moves, before.Coord(m))
				break
			}
		}
	}
	return moves
}

const tick = time.Millisecond

// TestFingersStay: fingers stay on the piece that they have just put down, and sway. The move is taken as soon as they
// have gone.
func TestFingersStay(t *testing.T) {
	for _, c := range []struct {
		v, fen, from, to  string
		stays, pile, prey wood.Pile
	}{
		{"locking", "4k3/8/8/3P4/8/8/8/3RK3 w - - 0 1", "d1", "d5", "", "PR", ""},
		{"locking", "4k1[Nr]1/8/8/8/8/8/6P1/4K3 b - - 0 1", "g8", "g2", "N", "Pr", ""},
		{"meirav", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1", "d5", "", "pR", ""},
		{"chess", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1", "d5", "", "R", "p"},
	} {
		for _, seconds := range []int{3, 10} {
			b := newTable(t, false, c.v, c.fen)
			if c.prey != "" {
				b.set(c.to, "", 400*tick)
			}
			b.set(c.from, c.stays, 300*tick)
			b.set(c.to, c.pile, 0)
			for n := range seconds * 100 {
				s := float64(n) / 100
				b.lean(c.to, int32(10_000+3_000*math.Sin(s*2*math.Pi/1.7)+3_000*math.Sin(s*2*math.Pi*1.3)), 10*tick)
			}
			if b.lean(c.to, 0, 200*tick); len(b.line) != 2 {
				t.Errorf("%s %s%s, fingers stay for %d s: got %v, want the move at once", c.v, c.from, c.to, seconds, b.played())
			}
		}
	}
}

// TestRecaptureAtOnce: a bishop captures under a rook that flies there. At once the opponent captures it there with a
// bishop that stands on a pedestal, which is taken away at last.
func TestRecaptureAtOnce(t *testing.T) {
	for _, gap := range []time.Duration{100, 200, 500, 2000} {
		for _, pace := range []time.Duration{150, 400} {
			b := newTable(t, false, "flying", "4k3/8/3b4/8/5[-R]2/8/8/2[-B]1K3 b - - 0 1")
			for _, s := range []struct {
				square string
				pile   wood.Pile
				waits  time.Duration
			}{
				{"f4", "#", pace}, {"f4", "", pace}, {"d6", "", pace}, {"f4", "b", pace}, {"f4", "bR", gap},
				{"f4", "b", pace}, {"f4", "", pace}, {"c1", "#", pace}, {"f4", "B", pace}, {"c1", "", pace}, {"f4", "BR", 5000},
			} {
				b.set(s.square, s.pile, s.waits*tick)
			}
			if len(b.line) != 3 {
				t.Errorf("after %d ms, with %d ms for each act: got %v, want two captures", gap, pace, b.played())
			}
		}
	}
}

// TestOriginClosesAgain: fingers rest on the square that a piece leaves. Its reed closes again for a moment, when the
// piece has landed already. The reed of its goal says when that was.
func TestOriginClosesAgain(t *testing.T) {
	for _, after := range []time.Duration{50, 120} {
		for _, long := range []time.Duration{20, 80} {
			b := newTable(t, false, "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
			b.lean("g1", 40_000, 1500*tick)
			b.set("g1", "", 300*tick)
			b.set("h3", "N", after*tick)
			b.wood[b.at("g1")] = "#"
			b.lean("g1", 40_000-b.g.Mass['#'], long*tick)
			b.wood[b.at("g1")] = ""
			b.lean("g1", 40_000, 200*tick)
			b.lean("g1", 0, 300*tick)
			b.set("d7", "", 300*tick)
			b.set("d5", "p", time.Second)
			if len(b.line) != 3 {
				t.Errorf("closes after %d ms for %d ms: got %v, want g1h3 d7d5", after, long, b.played())
			}
		}
	}
}

// TestTouchedWhereItCouldCapture: fingers rest on a pile for a moment. A rook is lifted then, that could capture the
// rook on it. It goes elsewhere. It has not come where the load has been the same since before it left.
func TestTouchedWhereItCouldCapture(t *testing.T) {
	for _, v := range []string{"flying", "meirav", "pillar", "locking"} {
		for _, gap := range []time.Duration{300, 3000} {
			b := newTable(t, false, v, "4k3/8/8/8/8/8/7[Pr]/4K2R w - - 0 1")
			b.lean("h2", 15_000, 700*tick)
			b.lean("h2", 0, gap*tick)
			b.set("h1", "", 4*time.Second)
			early := b.played()
			if b.set("g1", "R", 3*time.Second); early != nil || len(b.line) != 2 {
				t.Errorf("%s, %d ms before: got %v in the hand, then %v, want h1g1 alone", v, gap, early, b.played())
			}
		}
	}
}

// TestCountOfPiles: a pile counts as two pieces also if it weighs as much as a single one.
func TestCountOfPiles(t *testing.T) {
	for _, pile := range []string{"Pr", "Rp", "Bn", "Pb", "Pp", "Qp"} {
		s, _ := newStill(t, true, "locking", "4k3/8/8/8/4["+pile+"]3/8/4P3/4K3 w - - 0 1")
		e4 := s.at("e4")
		for _, c := range []struct {
			stands wood.Pile
			want   int
		}{{wood.Pile(pile), 2}, {wood.Pile(pile[:1]), 1}, {wood.Pile(pile), 2}} {
			s.wood[e4] = c.stands
			if s.until(2*time.Second, never); s.Count(e4) != c.want {
				t.Errorf("%s of %s: counts %d, want %d", c.stands, pile, s.Count(e4), c.want)
			}
		}
	}
}

// TestCaptureToCopy: when the other board captures, both squares are to be touched until the captured piece has been
// exchanged. That holds however long the other player has thought, and whatever a sleeve did before. It holds also if
// the cell can only just tell captor and captured piece apart.
func TestCaptureToCopy(t *testing.T) {
	for _, c := range []struct {
		name  string
		reeds bool          // the board has nothing but reeds
		rest  time.Duration // how long the other player thinks
		graze time.Duration // it is lifted for so long, before the other player thinks
		off   int32         // mg: how much the captured piece weighs above its nominal weight
	}{
		{name: "quickly", rest: 2 * time.Second},
		{name: "after long thought", rest: time.Minute},
		{name: "quickly, by reeds", reeds: true, rest: 2 * time.Second},
		{name: "after long thought, by reeds", reeds: true, rest: time.Minute},
		{name: "after a sleeve grazed it", reeds: true, rest: 2 * time.Second, graze: 20 * time.Millisecond},
		{name: "after it was straightened", reeds: true, rest: 2 * time.Second, graze: 300 * time.Millisecond},
		{name: "a light bishop", rest: 2 * time.Second, off: -1500},
	} {
		s, p := newStill(t, !c.reeds, "chess", "4kb2/4P3/8/8/8/8/8/4K3 w - - 0 1")
		f8 := s.at("f8")
		s.put("e1", "")
		s.put("e1", "K")
		s.gram[f8] = c.off
		s.put("f8", "b")
		if c.graze > 0 {
			s.wood[f8] = ""
			s.rest(c.graze)
			s.put("f8", "b")
		}
		s.rest(c.rest)
		h := s.hypothesis(p, "e7f8n", "")
		q := p
		q.Play(h.Move)
		s.Follow([]Base{{Position: q, Moves: true}, {Position: p, Moves: true}}, &p)
		for _, later := range []time.Duration{300 * time.Millisecond, time.Minute} {
			s.rest(later)
			s.Explain(s.now)
			if !slices.ContainsFunc(s.Explain(s.now).Discrepancies, func(d Discrepancy) bool { return d.Place == f8 }) {
				t.Errorf("%s: f8 does not have to be touched %v after the capture was told", c.name, later)
			}
		}
		s.put("e7", "")
		s.put("f8", "")
		s.gram[f8] = 0
		s.put("f8", "N")
		s.rest(2 * time.Second)
		if x := s.Explain(s.now); x.State != Synced {
			t.Errorf("%s: %v once it was copied, want in step", c.name, x.State)
		}
	}
}
