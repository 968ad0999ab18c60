// SPDX-License-Identifier: Apache-2.0

package level

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
	"boardd/rules/search/mate"
)

// TestMatesInOne: from level 3 on every game's mate in one is played, and no move allows one if there is another move.
// That holds for what is left to chance as well. A mate in one is played even if the search is stopped at once.
func TestMatesInOne(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(31, 32))
			solver := mate.New(1 << 18)
			weak := match.NewSearcher(eval.Material(v), 1<<16, search.Limits{Depth: 1, QuiescencePlies: 1})
			var players [Most + 1]*search.Search
			for n := 3; n <= Most; n++ {
				players[n] = search.New(Eval(v, n), 1<<18)
			}
			mates, dangers := 0, 0
			for games := 0; games < 60 && (mates < 6 || dangers < 6); games++ {
				match.Play(match.RandomOpening(v, r, 10), weak, weak, func(p *rules.Position, _ rules.Move, _ int) bool {
					n := 3 + r.IntN(Most-2)
					mating, _ := solver.MateIn(*p, 1)
					safe := safeMoves(solver, p)
					if mating == 0 && (len(safe) == 0 || len(safe) == p.CountMoves()) || mating == 1 && mates >= 6 || mating == 0 &&
						dangers >= 6 {
						return p.MoveNumber() < 60
					}
					l := Limits(v, n)
					if n == Most {
						l.Nodes = 3000 // of a clock that leaves little
					}
					if mating == 1 && mates%2 == 0 {
						l.Stop = func() bool { return true }
					}
					m := players[n].Run(*p, nil, l, nil)
					if n < Most {
						m = vary(players[n], *p, nil, n, r.Uint64(), m, l.Stop)
					}
					q := *p
					q.Play(m.Move())
					switch {
					case mating == 1:
						mates++
						if !q.Result().IsMate() {
							t.Errorf("level %d overlooks a mate in one in %s", n, p.FEN())
						}
					default:
						dangers++
						if !safe[m.Move()] {
							t.Errorf("level %d plays %s in %s and is mated at once", n, p.Coord(m.Move()), p.FEN())
						}
					}
					return p.MoveNumber() < 60
				})
			}
			if mates < 3 || dangers < 3 {
				t.Errorf("%d mates and %d dangers: too few to tell", mates, dangers)
			}
		})
	}
}

// safeMoves is the moves after which the opponent does not mate at once.
func safeMoves(solver *mate.Solver, p *rules.Position) map[rules.Move]bool {
	safe := map[rules.Move]bool{}
	for _, m := range p.AppendMoves(nil) {
		q := *p
		q.Play(m)
		if in, _ := solver.MateIn(q, 1); in == 0 {
			safe[m] = true
		}
	}
	return safe
}

// TestLimits: levels out of range are the nearest, and only the highest has no limit.
func TestLimits(t *testing.T) {
	chess := rules.Variants()[0]
	if !reflect.DeepEqual(Limits(chess, 0), Limits(chess, 1)) ||
		!reflect.DeepEqual(Limits(chess, 99), Limits(chess, Most)) {
		t.Error("levels out of range are not the nearest")
	}
	for n := 1; n <= Most; n++ {
		if l := Limits(chess, n); (l.Nodes == 0 && l.Depth == 0) != (n == Most) {
			t.Errorf("level %d has the limits %+v", n, l)
		}
	}
}
