// SPDX-License-Identifier: Apache-2.0

package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// walk shows the positions of seeded random games.
func walk(v *rules.Variant, games, plies int, see func(p *rules.Position)) {
	r := rand.New(rand.NewPCG(6, 6))
	for range games {
		p := v.Start()
		for range plies {
			see(&p)
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestNext: every legal move comes once, first the table's move, then the others by falling rank. What loses the
// exchange comes last, also a promotion to a piece that is taken at once.
func TestNext(t *testing.T) {
	for _, v := range rules.Variants() {
		s := New(eval.Handcrafted(v), 1<<16)
		f := &s.frames[0]
		losing := 0
		walk(v, 20, 60, func(p *rules.Position) {
			f.pos = *p
			want := p.AppendMoves(nil)
			for _, lead := range []rules.Move{rules.NoMove, append(want, 0)[len(want)/2]} {
				f.lead(lead)
				var got []rules.Move
				last := pick(1<<63 - 1)
				for i := 0; ; i++ {
					p, more := s.next(0, i, false)
					if !more {
						break
					}
					if p > last {
						t.Errorf("%s: %s comes after a move of a lower rank", f.pos.FEN(), f.pos.Coord(p.move()))
					}
					loses := exchangeLoss(&f.pos, p.move()) < 0 && !isQuiet(p.move())
					if loses != (p.rank() < rankLosing) && p.move() != lead {
						t.Errorf("%s: %s loses the exchange: %v, its rank is %d", f.pos.FEN(), f.pos.Coord(p.move()),
							loses, p.rank())
					}
					if loses {
						losing++
					}
					last, got = p, append(got, p.move())
				}
				if lead != rules.NoMove && got[0] != lead {
					t.Errorf("%s: %s comes first, want %s", f.pos.FEN(), f.pos.Coord(got[0]), f.pos.Coord(lead))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s: got %d moves, want %d", f.pos.FEN(), len(got), len(want))
				}
			}
		})
		if v.ID() == "chess" && losing < 100 {
			t.Errorf("%d captures that lose the exchange, too few to tell", losing)
		}
	}
}

// TestNextTactics: of the tactics those captures and promotions come that gain enough, and every landing.
func TestNextTactics(t *testing.T) {
	const enough = 300
	for _, v := range rules.Variants() {
		s := New(eval.Handcrafted(v), 1<<16)
		f := &s.frames[0]
		walk(v, 20, 60, func(p *rules.Position) {
			f.pos = *p
			want := slices.DeleteFunc(p.AppendTactics(nil), func(m rules.Move) bool {
				return !isQuiet(m) && gain(p, m) <= enough
			})
			f.leadTactics(rules.NoMove, enough)
			var got []rules.Move
			for i := 0; ; i++ {
				p, more := s.next(0, i, false)
				if !more {
					break
				}
				got = append(got, p.move())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %d tactics, want %d", p.FEN(), len(got), len(want))
			}
		})
	}
}

// TestStopAfterFailHigh: a first move that turns out better than the window is kept, though the search of a wider one
// is stopped at once.
func TestStopAfterFailHigh(t *testing.T) {
	v := rules.Variants()[0]
	p, err := v.ParseFEN("k7/8/8/3q4/8/8/8/K2R4 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	s := New(eval.Handcrafted(v), 1<<16)
	s.begin(p, nil, Limits{ClearTable: true})
	s.depth = aspirationDepth
	if score := s.node(branch{0, s.depth, -aspirationWindow, aspirationWindow, false}, false); score < aspirationWindow {
		t.Fatalf("the score is %d, want more than the window holds, %d", score, aspirationWindow)
	}
	s.begin(p, nil, Limits{ClearTable: true, Nodes: s.nodes + 1})
	s.aspirate(0, true)
	if !s.stopped || len(s.found.Moves) == 0 || p.Coord(s.found.Moves[0]) != "d1d5" {
		t.Errorf("stopped: %v; found %v, want d1d5", s.stopped, s.found)
	}
}

// TestQuietBound: captures are left out where they fall short of alpha. What the table keeps then does not say that
// the position is worse than they might make it.
func TestQuietBound(t *testing.T) {
	v := rules.Variants()[0]
	s := New(eval.Handcrafted(v), 1<<16)
	cut := 0
	walk(v, 40, 60, func(p *rules.Position) {
		score := func(fresh bool, over int) int {
			s.begin(*p, nil, Limits{ClearTable: fresh})
			f := &s.frames[0]
			alpha := s.estimate(f) + over
			return s.quiesce(0, alpha, alpha+1, quiescencePlies) - alpha
		}
		if p.InCheck() {
			return
		}
		want := score(true, 20) > 0
		score(true, 900)
		if got := score(false, 20) > 0; want && !got {
			t.Errorf("%s: captures gain, but not after a search far above", p.FEN())
		}
		if want {
			cut++
		}
	})
	if cut < 100 {
		t.Errorf("captures gain in %d positions, too few to tell", cut)
	}
}

// TestRemembersHalf: the next search of a game begins with half of what was learnt of moves, and all that was learnt
// of pawns. One that is to remember nothing begins without.
func TestRemembersHalf(t *testing.T) {
	p := rules.Variants()[0].Start()
	s := New(eval.Handcrafted(p.Variant()), 1<<16)
	for _, c := range []struct {
		limits                             Limits
		history, continuation, corrections int
	}{{Limits{}, 50, -30, 900}, {Limits{ClearTable: true}, 0, 0, 0}} {
		s.history[1][12][28], s.continuation[5][9], s.corrections[0][77] = 100, -61, 900
		s.begin(p, nil, c.limits)
		got := []int{int(s.history[1][12][28]), int(s.continuation[5][9]), int(s.corrections[0][77])}
		if want := []int{c.history, c.continuation, c.corrections}; !slices.Equal(got, want) {
			t.Errorf("%+v: got %v, want %v", c.limits, got, want)
		}
	}
}
