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
	if e := (Tally{Won: 500, Drawn: 1000, Lost: 500}).LogLikelihoodRatio(0, 20); e >= 0 {
		t.Errorf("even results give %.2f, want less than 0", e)
	}
	if e := (Tally{Won: 600, Drawn: 1000, Lost: 400}).LogLikelihoodRatio(0, 20); e <= 2.94 {
		t.Errorf("+600 =1000 -400 gives %.2f, want more than 2.94", e)
	}
}

// TestStrongerWins: more nodes beat fewer in every game, and the winner's side is told right.
func TestStrongerWins(t *testing.T) {
	for _, v := range rules.Variants() {
		e := eval.Handcrafted(v)
		strong := NewSearcher(e, 1<<18, search.Limits{Nodes: 4000, ClearTable: true})
		weak := NewSearcher(e, 1<<18, search.Limits{Nodes: 30, ClearTable: true})
		r := rand.New(rand.NewPCG(1, 2))
		var tally Tally
		for range 3 {
			tally.PlayPair(RandomOpening(v, r, 6), strong, weak)
		}
		if tally.Score() < 0.6 {
			t.Errorf("%s: 4,000 nodes against 30: %v", v, tally)
		}
	}
}

// follower wants to know the game so far, and holds it to the position it is asked about.
type follower struct {
	Player
	t     *testing.T
	start rules.Position
	moves []rules.Move
	asked int
}

func (f *follower) Follow(start rules.Position, moves []rules.Move) { f.start, f.moves = start, moves }

func (f *follower) Choose(p rules.Position, past []uint64) (rules.Move, int) {
	f.asked++
	q := f.start
	for i, m := range f.moves {
		if q.Key() != past[i] {
			f.t.Errorf("before move %d: the moves told do not lead through the positions of the game", i+1)
		}
		q.Play(m)
	}
	if q != p || len(f.moves) != len(past) {
		f.t.Errorf("the moves told lead to %s, asked about %s", q.FEN(), p.FEN())
	}
	return f.Player.Choose(p, past)
}

// TestFollower: a player that asks for it is told the whole game before each of its moves, whichever side it plays.
func TestFollower(t *testing.T) {
	v := rules.Variants()[0]
	plain := NewSearcher(eval.Handcrafted(v), 1<<16, search.Limits{Depth: 1, ClearTable: true})
	one := &follower{Player: plain, t: t}
	(&Tally{}).PlayPair(RandomOpening(v, rand.New(rand.NewPCG(4, 4)), 6), one, plain)
	if one.asked < 4 {
		t.Errorf("asked %d times, want both games", one.asked)
	}
}
