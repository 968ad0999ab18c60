// SPDX-License-Identifier: Apache-2.0

package hypotheses_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/wood"
)

// TestEveryMoveIsListed plays random games of every rule set, on one deck and on two. Each legal move is a hypothesis.
// Its changes lead from the wood of the game to that after the move, and it names every place that they change. So is
// the wood before the last move, as a takeback.
func TestEveryMoveIsListed(t *testing.T) {
	for _, v := range rules.Variants() {
		for _, decks := range []bool{false, true} {
			figures := wood.Reference()
			figures.TwoDecks, figures.Heights, figures.Weights = decks, decks, !decks
			name := v.ID() + "/one deck"
			if decks {
				name = v.ID() + "/two decks"
			}
			t.Run(name, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(7, uint64(len(name))))
				for range 4 {
					play(t, v, evidence.NewGeometry(&figures), rnd)
				}
			})
		}
	}
}

// play plays a random game and looks at the list in every position.
func play(t *testing.T, v *rules.Variant, g *evidence.Geometry, rnd *rand.Rand) {
	t.Helper()
	p := v.Start()
	var now wood.Wood
	list := hypotheses.New(g, &now)
	bases := []hypotheses.Base{{Position: p, Moves: true}}
	for range 60 {
		now = g.Lay(&p)
		list.Fill(bases)
		moves := p.AppendMoves(nil)
		for _, m := range moves {
			q := p
			q.Play(m)
			after := g.Lay(&q)
			if differ := now.Diff(&after); !differ.Empty() && !listed(&list, &now, &after, 0, m) {
				t.Fatalf("%s: no hypothesis leads to the wood after %s", p.FEN(), p.Coord(m))
			}
		}
		if len(bases) > 1 {
			before := g.Lay(&bases[1].Position)
			if differ := now.Diff(&before); !differ.Empty() && !listed(&list, &now, &before, 1, rules.NoMove) {
				t.Fatalf("%s: no hypothesis takes the last move back", p.FEN())
			}
		}
		if len(moves) == 0 || p.Result() != rules.Playing {
			return
		}
		last := p
		p.Play(moves[rnd.IntN(len(moves))])
		bases = []hypotheses.Base{{Position: p, Moves: true}, {Position: last, Moves: true, Takeback: true}}
	}
}

// listed reports whether the list has a hypothesis for a move from a base that leads to a wood.
func listed(l *hypotheses.List, now, want *wood.Wood, base int, m rules.Move) bool {
	for i := range l.Hyps {
		h := &l.Hyps[i]
		if h.Base != base || h.Move != m || h.Ask {
			continue
		}
		after, places := *now, wood.Set{}
		for _, j := range h.Changes {
			c := &l.Changes[j]
			after[c.Place] = c.Pile
			places.Add(c.Place)
		}
		if after == *want && places == h.Places && places == now.Diff(want) {
			return true
		}
	}
	return false
}

// TestMarkAndReset: what is added behind a mark is gone after the reset, and the places find their changes as before.
func TestMarkAndReset(t *testing.T) {
	figures := wood.Reference()
	figures.Weights = true
	g := evidence.NewGeometry(&figures)
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	now := g.Lay(&p)
	list := hypotheses.New(g, &now)
	list.Fill([]hypotheses.Base{{Position: p, Moves: true}})
	hyps, changes, first := len(list.Hyps), len(list.Changes), list.First
	mark := list.Mark()
	after := now
	after[0], after[35] = "", "RR"
	list.Add(0, rules.NoMove, &after, now.Diff(&after))
	if len(list.Hyps) != hyps+1 || list.First == first {
		t.Fatalf("nothing was added: %d hypotheses, want %d", len(list.Hyps), hyps+1)
	}
	list.Reset(mark)
	if len(list.Hyps) != hyps || len(list.Changes) != changes || list.First != first {
		t.Errorf("after the reset %d hypotheses and %d changes, want %d and %d", len(list.Hyps), len(list.Changes),
			hyps, changes)
	}
}

// filled is the list of a board with cells, after some moves that may all be taken back.
func filled(t *testing.T, variant, fen string, moves ...string) (*hypotheses.List, rules.Position) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	bases := []hypotheses.Base{{Position: p}}
	for _, name := range moves {
		m, err := p.ParseMove(name)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		bases = append([]hypotheses.Base{{Position: p}}, bases...)
	}
	for i := range bases {
		bases[i].Moves, bases[i].Takeback = i <= hypotheses.MaxReplaced, i > 0
	}
	figures := wood.Reference()
	figures.Weights = true
	g := evidence.NewGeometry(&figures)
	now := g.Lay(&p)
	l := hypotheses.New(g, &now)
	l.Fill(bases)
	return &l, p
}

// TestPriors: how rare it is, against any legal move, that people do something else.
func TestPriors(t *testing.T) {
	const two, headbutt = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/3[Rn]4/8/8/8/8/4K3 w - - 0 1"
	for _, c := range []struct {
		name    string
		variant string
		fen     string
		moves   []string
		is      func(l *hypotheses.List, h *hypotheses.Hypothesis) bool
		want    float64
	}{
		{"a move", "chess", two, nil, func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool {
			return h.Move != rules.NoMove
		}, 1},
		{"the last move taken back", "chess", two, []string{"e2e4", "e8d8"},
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Base == 1 && h.Move == rules.NoMove }, 0.22},
		{"another move in its place", "chess", two, []string{"e2e4", "e8d8"},
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Base == 1 && h.Move != rules.NoMove }, 0.22},
		{"another in place of both", "chess", two, []string{"e2e4", "e8d8"},
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Base == 2 && h.Move != rules.NoMove }, 0.011},
		{"both taken back at once", "chess", two, []string{"e2e4", "e8d8"},
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Base == 2 && h.Move == rules.NoMove }, 0.0015},
		{"four taken back, or one king slipped", "chess", two, []string{"e1d1", "e8d8", "d1c1", "d8e8"},
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Base == 4 && h.Move == rules.NoMove }, 2.8e-5},
		{"a move that only lifts", "flying", headbutt, nil, func(l *hypotheses.List, h *hypotheses.Hypothesis) bool {
			return h.Move != rules.NoMove && l.TakesAway(h)
		}, 0.41},
		{"kings put on the centre", "chess", two, nil, func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool {
			return h.Result != ""
		}, 0.05},
		{"a pawn left on its last rank", "chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1", nil,
			func(_ *hypotheses.List, h *hypotheses.Hypothesis) bool { return h.Ask }, 0.37},
	} {
		l, _ := filled(t, c.variant, c.fen, c.moves...)
		n := 0
		for i := range l.Hyps {
			if h := &l.Hyps[i]; c.is(l, h) {
				if n++; math.Abs(h.Prior-math.Log(c.want)) > 0.2 {
					t.Errorf("%s: odds of %.3g, want %.3g", c.name, math.Exp(h.Prior), c.want)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: no such hypothesis", c.name)
		}
	}
}

// TestPassesBeside: a king that is pushed to a square aslant of its own passes the squares beside its way at a
// distance. So it is hardly ever on its way there when it stands on one of them.
func TestPassesBeside(t *testing.T) {
	l, p := filled(t, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	for i := range l.Hyps {
		switch h := &l.Hyps[i]; p.Coord(h.Move) {
		case "e1f1":
			if h.Onward < 0.015 || h.Onward > 0.022 {
				t.Errorf("e1f1 may go on to f2 with %.3g, want 0.018", h.Onward)
			}
		case "e2e3":
			if h.Onward != 1 {
				t.Errorf("e2e3 may go on to e4 with %.3g, want 1", h.Onward)
			}
		}
	}
}
