// SPDX-License-Identifier: Apache-2.0

package search

import (
	"testing"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// TestCorrect: what searches find moves the estimate of positions with the same pawns towards it, and no others. What
// says nothing about it does not.
func TestCorrect(t *testing.T) {
	v := rules.Variants()[0]
	s := New(eval.Handcrafted(v), 1<<16)
	at := func(moves ...string) *frame {
		f := &frame{pos: v.Start()}
		for _, text := range moves {
			m, err := f.pos.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			f.pos.Play(m)
		}
		f.sums, f.check = s.eval.Accumulate(&f.pos), f.pos.InCheck()
		f.static = s.estimate(f)
		return f
	}
	f, like, other := at("g1f3", "g8f6"), at("b1c3", "b8c6"), at("e2e4", "e7e5")
	was := [3]int{s.estimate(f), s.estimate(like), s.estimate(other)}
	calmMove, _ := f.pos.ParseMove("b1c3")
	s.correct(f, was[0]+100, 8, atMost, rules.NoMove) // at most more than the estimate: no news
	s.correct(f, was[0]-100, 8, atLeast, calmMove)
	s.correct(f, sureMate+1, 8, exact, calmMove)
	if got := s.estimate(f); got != was[0] {
		t.Errorf("what says nothing changed the estimate from %d to %d", was[0], got)
	}
	for range 400 {
		s.correct(f, was[0]+100, 8, exact, calmMove)
	}
	if got := s.estimate(f); got < was[0]+90 || got > was[0]+100 {
		t.Errorf("400 searches found 100 more than %d: the estimate is %d", was[0], got)
	}
	if got := s.estimate(like); got < was[1]+90 {
		t.Errorf("with the same pawns %d, want 90 to 100 more than %d", got, was[1])
	}
	if got := s.estimate(other); got != was[2] {
		t.Errorf("with other pawns %d, want %d as before", got, was[2])
	}
}

// TestPrune: where an exact score is asked for, in check, and at the root, no move is left out; elsewhere late ones
// are.
func TestPrune(t *testing.T) {
	v := rules.Variants()[0]
	s := New(eval.Handcrafted(v), 1<<16)
	f := &s.frames[1]
	f.pos = v.Start()
	f.sums = s.eval.Accumulate(&f.pos)
	f.static = s.estimate(f)
	m, _ := f.pos.ParseMove("a2a3")
	late := try{m, 60, 0, true}
	for _, c := range []struct {
		what  string
		b     branch
		t     try
		check bool
		want  bool
	}{
		{"a late move", branch{1, 2, 0, 1, true}, late, false, true},
		{"an early move", branch{1, 2, 0, 1, true}, try{m, 0, 0, true}, false, false},
		{"a capture that loses nothing", branch{1, 2, 0, 1, true}, try{m, 60, goodCapture, false}, false, false},
		{"an exact score", branch{1, 2, -50, 50, false}, late, false, false},
		{"in check", branch{1, 2, 0, 1, true}, late, true, false},
		{"the root", branch{0, 2, 0, 1, true}, late, false, false},
		{"far below alpha", branch{1, 1, 900, 901, true}, try{m, 1, 0, true}, false, true},
	} {
		f.check = c.check
		if got, _ := s.prune(&c.b, &c.t, true); got != c.want {
			t.Errorf("%s: left out is %v, want %v", c.what, got, c.want)
		}
	}
}

// TestRefuted: in orthodox chess a quiet move of the table gains history when the table alone refutes a position.
func TestRefuted(t *testing.T) {
	for _, v := range rules.Variants() {
		s := New(eval.Handcrafted(v), 1<<16)
		s.begin(v.Start(), nil, Limits{ClearTable: true})
		f := &s.frames[1]
		f.pos = v.Start()
		m, _ := f.pos.ParseMove("a2a3")
		s.table.put(f.pos.Key(), m, 90, unevaluated, 4, atLeast)
		s.depth = 4
		if score := s.node(branch{1, 4, 79, 80, true}, false); score != 90 || s.nodes != 1 {
			t.Fatalf("%s: got %d after %d positions, want the table's score", v, score, s.nodes)
		}
		if got := s.history[rules.White][m.From()][m.To()] > 0; got != v.Trades() {
			t.Errorf("%s: the move gained history: %v", v, got)
		}
	}
}

// TestReverseFutility: in orthodox chess less is enough for a side that stands better than before.
func TestReverseFutility(t *testing.T) {
	v := rules.Variants()[0]
	s := New(eval.Handcrafted(v), 1<<16)
	s.begin(v.Start(), nil, Limits{ClearTable: true})
	b := branch{ply: 2, depth: 3}
	s.frames[2].static = 10
	better := s.reverseFutility(&b)
	s.frames[0].static = 20
	if worse := s.reverseFutility(&b); worse-better != orthodox.reverseFutilityBetter || better <= 0 {
		t.Errorf("the margin is %d for a side that stands better than before, and %d otherwise", better, worse)
	}
}

// TestQuietChecks: in orthodox chess the search of captures sees a quiet check that mates, after the last full move
// and not later.
func TestQuietChecks(t *testing.T) {
	v := rules.Variants()[0]
	p, err := v.ParseFEN("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	s := New(eval.Handcrafted(v), 1<<16)
	for _, c := range []struct {
		left int
		sees bool
	}{{quiescencePlies, true}, {quiescencePlies - 1, false}} {
		s.begin(p, nil, Limits{ClearTable: true})
		if score := s.quiesce(0, -infinite, infinite, c.left); (MateIn(score) == 1) != c.sees {
			t.Errorf("with %d plies left the score is %d; sees the mate: want %v", c.left, score, c.sees)
		}
	}
}
