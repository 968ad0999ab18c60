// SPDX-License-Identifier: Apache-2.0

package hypotheses_test

import (
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
