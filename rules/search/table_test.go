// SPDX-License-Identifier: Apache-2.0

package search

import (
	"testing"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// TestTableKeepsEvaluation: an entry says what the position was evaluated at, unless it was in check.
func TestTableKeepsEvaluation(t *testing.T) {
	table := newTable(1 << 20)
	table.begin(true)
	const key = 0x123456789abcdef1
	for _, raw := range []int{0, 57, -57, eval.Limit, -eval.Limit} {
		table.put(key, 77, -31, raw, 5, atLeast)
		e := table.find(key)
		if got, ok := e.raw(); got != raw || !ok || e.move() != 77 || e.score() != -31 || e.depth() != 5 {
			t.Errorf("got %d, %v with move %d, score %d, depth %d; want %d", got, ok, e.move(), e.score(), e.depth(), raw)
		}
	}
	table.put(key, rules.NoMove, 0, unevaluated, 5, exact)
	if _, ok := table.find(key).raw(); ok {
		t.Error("a position in check has an evaluation")
	}
	if _, ok := (&entry{}).raw(); ok {
		t.Error("an empty entry has an evaluation")
	}
	for bit := 2; bit < 64; bit++ {
		if table.find(key^1<<bit) != nil {
			t.Errorf("found a position whose key differs in bit %d", bit)
		}
	}
}

// TestSum: the sums of a ply are right whichever plies before it have none, and after a pass.
func TestSum(t *testing.T) {
	for _, v := range rules.Variants() {
		s := New(eval.Handcrafted(v), 1<<16)
		s.begin(v.Start(), nil, Limits{})
		for ply := range 40 {
			f, next := &s.frames[ply], &s.frames[ply+1]
			if moves := f.pos.AppendMoves(nil); ply%7 == 5 && !f.check {
				s.pass(ply)
			} else if len(moves) > 0 {
				m := moves[(ply*ply+3)%len(moves)]
				s.play(ply, m)
				s.follow(ply, m)
			} else {
				break
			}
			if ply%3 == 2 && s.sum(ply+1).sums != s.eval.Accumulate(&next.pos) {
				t.Errorf("%s: wrong sums at ply %d, %s", v, ply+1, next.pos.FEN())
			}
		}
	}
}
