// SPDX-License-Identifier: Apache-2.0

package problems

import (
	"flag"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/search/mate"
)

var every = flag.Bool("every", false, "prove every problem, not one in twenty")

// TestProblems proves each problem that comes with the program. The mate has exactly one key, and there is none
// sooner. The position is legal and small, and the key takes no queen.
func TestProblems(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			list, err := Of(v)
			if err != nil {
				t.Fatal(err)
			}
			count := map[int]int{}
			seen := map[string]bool{}
			solver := mate.New(4 << 20)
			for i, pr := range list {
				count[pr.In]++
				if seen[pr.FEN] {
					t.Errorf("%s stands there twice", pr.FEN)
				}
				seen[pr.FEN] = true
				if *every || i%20 == 0 {
					prove(t, v, solver, pr)
				}
				if i > 0 && list[i-1].In == pr.In && list[i-1].Effort > pr.Effort {
					t.Errorf("%s: it is easier than the one before it", pr.FEN)
				}
			}
			if count[2] < 200 || count[3] < 50 {
				t.Errorf("%d mates in two and %d in three, want 200 and 50", count[2], count[3])
			}
		})
	}
}

func prove(t *testing.T, v *rules.Variant, solver *mate.Solver, pr Problem) {
	t.Helper()
	p, err := v.ParseFEN(pr.FEN)
	if err != nil {
		t.Error(err)
		return
	}
	if got := p.FEN(); got != pr.FEN {
		t.Errorf("%s is written %s", pr.FEN, got)
	}
	found, whole := solver.Mates(p, pr.In)
	if !whole || len(found) != 1 || found[0].In != pr.In || p.Coord(found[0].Move) != pr.Key {
		t.Errorf("%v: got %v", pr, found)
		return
	}
	for _, pc := range p.AppendStack(nil, found[0].Move.To()) {
		if pc.Kind() == rules.Queen && pc.Color() != p.Turn() {
			t.Errorf("%v: the key takes a queen", pr)
		}
	}
	pieces := 0
	for s := range rules.NoSquare {
		for _, pc := range p.AppendStack(nil, s) {
			if pc != rules.NoPiece {
				pieces++
			}
		}
	}
	if pieces > 16 {
		t.Errorf("%s has %d pieces, want 16 at most", pr.FEN, pieces)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, file := range []string{"", "fen\tmate in 2\te2e4", "fen\tmate in two\te2e4\t3", "fen\tmate in 2\te2e4\tx"} {
		if list, err := Parse(file); err == nil {
			t.Errorf("%q: got %v, want an error", file, list)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("8/8/8/8/8/8/8/8 w - - 0 1\tmate in 2\te2e4\t7\n")
	f.Fuzz(func(t *testing.T, file string) {
		list, err := Parse(file)
		if err != nil {
			return
		}
		for i, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
			if strings.Count(line, "\t") != 3 || i >= len(list) {
				t.Errorf("%q gave %d problems", file, len(list))
			}
		}
	})
}
