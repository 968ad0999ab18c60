// SPDX-License-Identifier: Apache-2.0

package solving

import (
	"testing"

	"boardd/rules"
	"boardd/rules/search/problems"
	"boardd/sensing/wood"
)

// TestNext: of the easiest problems that were not shown, the one with the fewest lifts comes next. Each comes once,
// and then all come again.
func TestNext(t *testing.T) {
	v := rules.Variants()[0]
	all, err := problems.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	list, g := all[:30], wood.Reference()
	for want := range list {
		p, err := v.ParseFEN(list[want].FEN)
		if err != nil {
			t.Fatal(err)
		}
		stands := g.Lay(&p)
		var none Progress
		if got := none.Next(v, list, &stands, &g); (got == want+1) != (want < pickFrom) {
			t.Errorf("while problem %d stands, %d comes next", want+1, got)
		}
	}
	var p Progress
	empty := wood.Wood{}
	times := map[int]int{}
	for range 2 * len(list) {
		n := p.Next(v, list, &empty, &g)
		p.Show(v.ID(), n)
		times[n]++
	}
	for n := range list {
		if times[n+1] != 2 {
			t.Errorf("problem %d comes %d times of two rounds", n+1, times[n+1])
		}
	}
}

// TestCounts: a wrong try counts once until it is taken back, and a problem that is over counts once.
func TestCounts(t *testing.T) {
	var p Progress
	p.Try(0)
	p.Try(0)
	p.Try(1)
	p.Count(true)
	p.Count(false)
	if p.Tries != 2 || p.Shown != 1 || p.Solved != 1 {
		t.Errorf("%d tries, %d shown, %d solved; want 2, 1 and 1", p.Tries, p.Shown, p.Solved)
	}
	p.Turn()
	p.Count(false)
	if p.Tries != 0 || p.Shown != 2 || p.Solved != 1 {
		t.Errorf("at the next one %d tries, %d shown, %d solved; want 0, 2 and 1", p.Tries, p.Shown, p.Solved)
	}
}

// TestChoose: only problems of the chosen number of moves come, each once, and then they come again. Those of other
// lengths still count as not shown. What is no such word changes nothing.
func TestChoose(t *testing.T) {
	v := rules.Variants()[0]
	list, err := problems.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	in := map[int]int{}
	for _, pr := range list {
		in[pr.In]++
	}
	g, empty := wood.Reference(), wood.Wood{}
	var p Progress
	for word, want := range map[string]int{"mate-in-3": 3, "mate-in-2": 2} {
		if !p.Choose(word, list) {
			t.Fatalf("%s chooses nothing", word)
		}
		times := map[int]int{}
		for range 2 * in[want] {
			n := p.Next(v, list, &empty, &g)
			p.Show(v.ID(), n)
			if times[n]++; list[n-1].In != want {
				t.Fatalf("%s: problem %d comes, a mate in %d", word, n, list[n-1].In)
			}
		}
		for n, k := range times {
			if k != 2 {
				t.Errorf("%s: problem %d comes %d times of two rounds", word, n, k)
			}
		}
	}
	for _, bad := range []string{"mate-in-4", "mate-in-0", "next", "3", ""} {
		if before := p.In; p.Choose(bad, list) || p.In != before {
			t.Errorf("%q chooses mates in %d", bad, p.In)
		}
	}
	if !p.Choose("any", list) || p.In != 0 {
		t.Errorf("any chooses mates in %d", p.In)
	}
}
