// SPDX-License-Identifier: Apache-2.0

package mate

import (
	"flag"
	"math/rand/v2"
	"testing"

	"boardd/rules"
	"boardd/rules/search/problems"
)

var drawn = flag.Int("drawn", 30, "mates in two of each game, and a third of that in three, whose tries are checked")

// TestDefence holds what answers each first try at problems drawn at the run to the definition. After the answer to a
// wrong try there is no mate in the moves that are left. The answer to the key holds out as long as any. Of mates in
// three, the second moves after that are held to it as well.
func TestDefence(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			list, err := problems.Of(v)
			if err != nil {
				t.Fatal(err)
			}
			s, r := New(1<<20), rand.New(rand.NewPCG(seed, uint64(i)))
			left := map[int]int{2: *drawn, 3: max(1, *drawn/3)}
			for _, n := range r.Perm(len(list)) {
				if pr := list[n]; left[pr.In] > 0 {
					left[pr.In]--
					p, err := v.ParseFEN(pr.FEN)
					if err != nil {
						t.Fatal(err)
					}
					answers(t, s, p, pr)
				}
			}
		})
	}
}

func answers(t *testing.T, s *Solver, p rules.Position, pr problems.Problem) {
	t.Helper()
	key, err := p.ParseMove(pr.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, try := range p.AppendMoves(nil) {
		q := p
		if q.Play(try); q.Result() != rules.Playing {
			continue
		}
		answer, right := answered(t, s, &q, pr.In-1)
		if right != (try == key) {
			t.Errorf("%v: %s is said to mate: %v", pr, p.Coord(try), right)
		}
		if !right || pr.In < 3 {
			continue
		}
		q.Play(answer)
		for _, second := range q.AppendMoves(nil) {
			after := q
			if after.Play(second); after.Result() == rules.Playing {
				answered(t, s, &after, pr.In-2)
			}
		}
	}
}

// answered checks the answer to a try, and reports whether the mate in n still works.
func answered(t *testing.T, s *Solver, p *rules.Position, n int) (answer rules.Move, right bool) {
	t.Helper()
	var b brute
	answer, in, whole := s.Defence(*p, n, rules.NoMove)
	after := *p
	after.Play(answer)
	right = b.mated(p, n)
	if !whole || (in > 0) != right {
		t.Errorf("%s: a mate in %d is found in %d, want it found: %v", p.FEN(), n, in, right)
	}
	if b.mates(&after, n) != right || in > 1 && b.mates(&after, in-1) {
		t.Errorf("%s: %s does not answer it, or not in %d", p.FEN(), p.Coord(answer), in)
	}
	return answer, right
}

// TestWish: the answer that is wished for is given if it refutes the mate, and another one if it does not.
func TestWish(t *testing.T) {
	p, err := rules.Variants()[0].ParseFEN("6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	for wish, holds := range map[string]bool{"g7g6": true, "h7h6": true, "g8f8": true, "g8h8": false} {
		m, err := p.ParseMove(wish)
		if err != nil {
			t.Fatal(err)
		}
		got, in, whole := New(1<<12).Defence(p, 1, m)
		if !whole || in != 0 || (got == m) != holds {
			t.Errorf("%s is wished for, and %s is answered, which is mate in %d (whole: %v)", wish, p.Coord(got), in, whole)
		}
	}
	stopped := New(1 << 12)
	stopped.Stop = func() bool { return true }
	busy := rules.Variants()[0].Start()
	if m, _, whole := stopped.Defence(busy, 5, rules.NoMove); whole || m != rules.NoMove {
		t.Errorf("stopped, it has proven %v", m)
	}
}
