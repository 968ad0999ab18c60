// SPDX-License-Identifier: Apache-2.0

package match

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
)

// TestBounds holds the interval to Wilson's for won and lost games, and to be narrower with draws.
func TestBounds(t *testing.T) {
	low, high := Tally{Won: 60, Lost: 40}.Bounds()
	if math.Abs(low-0.502) > 0.002 || math.Abs(high-0.691) > 0.002 {
		t.Errorf("60 of 100: got %.3f to %.3f, want 0.502 to 0.691", low, high)
	}
	drawn, _ := Tally{Won: 20, Drawn: 80}.Bounds()
	if drawn <= low {
		t.Errorf("+20 =80: the lower bound %.3f is not above that of +60 -40, %.3f", drawn, low)
	}
	if low, high := (Tally{Won: 10}).Bounds(); low < 0.6 || low > 0.8 || high > 1.001 {
		t.Errorf("10 of 10: got %.3f to %.3f", low, high)
	}
}

// TestEvidence: even results speak against twenty points, good ones for them.
func TestEvidence(t *testing.T) {
	if e := (Tally{Won: 500, Drawn: 1000, Lost: 500}).Evidence(0, 20); e >= 0 {
		t.Errorf("even results give %.2f, want less than 0", e)
	}
	if e := (Tally{Won: 600, Drawn: 1000, Lost: 400}).Evidence(0, 20); e <= 2.94 {
		t.Errorf("+600 =1000 -400 gives %.2f, want more than 2.94", e)
	}
}

// TestStrongerWins: more nodes beat fewer in every game, and the winner's side is told right.
func TestStrongerWins(t *testing.T) {
	for _, v := range rules.Variants() {
		e := eval.Hand(v)
		strong := NewSearcher(e, 1<<18, search.Limits{Nodes: 1000, Fresh: true})
		weak := NewSearcher(e, 1<<18, search.Limits{Nodes: 30, Fresh: true})
		r := rand.New(rand.NewPCG(1, 2))
		var tally Tally
		for range 2 {
			tally.Pair(Opening(v, r, 6), strong, weak)
		}
		if tally.Score() < 0.6 {
			t.Errorf("%s: 1,000 nodes against 30: %v", v, tally)
		}
	}
}
