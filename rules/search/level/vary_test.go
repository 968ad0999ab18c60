// SPDX-License-Identifier: Apache-2.0

package level

import (
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/search"
)

// opening is how a level opens with a seed against somebody who always plays the same.
func opening(v *rules.Variant, n int, seed uint64) (moves []string) {
	s := search.New(Eval(v, n), 1<<18)
	p, past := v.Start(), []uint64(nil)
	for ply := 0; ply < 2*openingMoves && p.Result() == rules.Playing; ply++ {
		m := p.AppendMoves(nil)[(ply*7)%p.CountMoves()]
		if ply%2 == 1 {
			info := Vary(s, p, past, n, seed, s.Run(p, past, Limits(v, n), nil), nil)
			m = info.Move()
		}
		moves, past = append(moves, p.Coord(m)), append(past, p.Key())
		p.Play(m)
	}
	return moves
}

// TestSeeds: at every level below the highest the same seed gives the same game, and among some seeds are other games.
// Without a seed the moves are those of the plain search.
func TestSeeds(t *testing.T) {
	for _, v := range rules.Variants() {
		for n := 1; n < Most; n++ {
			games := map[string]bool{}
			for seed := uint64(1); seed <= 12 && len(games) < 2; seed++ {
				games[strings.Join(opening(v, n, seed), " ")] = true
			}
			if len(games) < 2 {
				t.Errorf("%s, level %d: the seeds all give the same game", v, n)
			}
			if !slices.Equal(opening(v, n, 7), opening(v, n, 7)) {
				t.Errorf("%s, level %d: the same seed gives two games", v, n)
			}
			s, p := search.New(Eval(v, n), 1<<18), v.Start()
			found := s.Run(p, nil, Limits(v, n), nil)
			if got := Vary(s, p, nil, n, 0, found, nil); got.Move() != found.Move() {
				t.Errorf("%s, level %d: without a seed %s is played for %s", v, n, p.Coord(got.Move()), p.Coord(found.Move()))
			}
		}
	}
}
