// SPDX-License-Identifier: Apache-2.0

package mate

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
)

var positions = flag.Int("positions", 15, "positions of each game held against brute force")

// brute finds mates by the definition: it mates in n if every answer lets the attacker mate in n-1. It looks at all
// moves, and at those first that decided last: what held another attack off often holds off this one too.
type brute struct {
	mating, holding  [4]rules.Move // by the number of moves to the mate
	attacks, answers [4][]rules.Move
}

func (b *brute) mates(p *rules.Position, n int) bool {
	if n == 0 {
		return false
	}
	moves := first(p.AppendMoves(b.attacks[n][:0]), b.mating[n])
	b.attacks[n] = moves
	return slices.ContainsFunc(moves, func(m rules.Move) bool {
		q := *p
		q.Play(m)
		if !b.mated(&q, n-1) {
			return false
		}
		b.mating[n] = m
		return true
	})
}

func (b *brute) mated(p *rules.Position, n int) bool {
	moves := first(p.AppendMoves(b.answers[n][:0]), b.holding[n])
	b.answers[n] = moves
	if len(moves) == 0 {
		return p.Result().IsMate()
	}
	if n == 0 {
		return false
	}
	return !slices.ContainsFunc(moves, func(m rules.Move) bool {
		q := *p
		q.Play(m)
		if b.mates(&q, n) {
			return false
		}
		b.holding[n] = m
		return true
	})
}

// first returns the moves with m in front, if it is among them.
func first(moves []rules.Move, m rules.Move) []rules.Move {
	if i := slices.Index(moves, m); i > 0 {
		moves[0], moves[i] = moves[i], moves[0]
	}
	return moves
}

// ends is positions from the last moves of seeded games that ended in mate.
func ends(t testing.TB, v *rules.Variant, n int) (list []rules.Position) {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	player := match.NewSearcher(eval.Handcrafted(v), 1<<16, search.Limits{Nodes: 100, ClearTable: true})
	for len(list) < n {
		var game []rules.Position
		p := match.RandomOpening(v, r, 8)
		match.Play(p, player, player, func(p *rules.Position, m rules.Move, score int) bool {
			game = append(game, *p)
			return true
		})
		if len(game) == 0 || len(game) >= 300 {
			continue
		}
		back := min(len(game), 5)
		list = append(list, game[len(game)-1-r.IntN(back)])
	}
	return list
}

// TestBruteForce holds what the solver finds, move by move, to the definition: mates in one, two and, in positions
// with few moves, three.
func TestBruteForce(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			s := New(1 << 20)
			var b brute
			mates := 0
			for i, p := range ends(t, v, *positions) {
				most := 2
				if i%3 == 0 && p.CountMoves() < 20 || *positions > 100 {
					most = 3
				}
				var want []Mate
				for _, m := range p.AppendMoves(nil) {
					q := p
					q.Play(m)
					for in := 1; in <= most; in++ {
						if b.mated(&q, in-1) {
							want = append(want, Mate{m, in})
							break
						}
					}
				}
				got, whole := s.Mates(p, most)
				if !whole || len(got) != len(want) {
					t.Errorf("%s in %d: got %d mates, want %d", p.FEN(), most, len(got), len(want))
				}
				for _, m := range want {
					if !slices.Contains(got, m) {
						t.Errorf("%s: %s in %d was not found", p.FEN(), p.Coord(m.Move), m.In)
					}
				}
				mates += len(want)
				in, _ := s.MateIn(p, most)
				if len(want) > 0 && in != got[0].In || len(want) == 0 && in != 0 {
					t.Errorf("%s: the shortest mate is in %d, want as in %v", p.FEN(), in, got)
				}
				if line := s.Line(p, most); len(line) != max(0, 2*in-1) {
					t.Errorf("%s: mate in %d, but the line has %d plies", p.FEN(), in, len(line))
				}
			}
			if mates == 0 {
				t.Error("no mates among the positions: the test tells nothing")
			}
		})
	}
}
