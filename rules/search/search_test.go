// SPDX-License-Identifier: Apache-2.0

package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/match"
	"boardd/rules/search/mate"
)

func position(t testing.TB, id, fen string) rules.Position {
	t.Helper()
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mates is positions of seeded games in which the side to move mates in one to three moves, and in how many.
func mates(t testing.TB, v *rules.Variant, n int) (list []rules.Position, in []int) {
	t.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	solver := mate.New(1 << 20)
	player := match.NewSearcher(eval.Handcrafted(v), 1<<16, search.Limits{Nodes: 150, ClearTable: true})
	for range 400 {
		var game []rules.Position
		match.Play(match.RandomOpening(v, r, 8), player, player, func(p *rules.Position, _ rules.Move, _ int) bool {
			game = append(game, *p)
			return true
		})
		for i := len(game) - 1; i >= max(0, len(game)-5) && len(game) < 300; i -= 2 {
			if k, _ := solver.MateIn(game[i], 3); k > 0 {
				list, in = append(list, game[i]), append(in, k)
			}
		}
		if len(list) >= n {
			return list, in
		}
	}
	t.Fatalf("%s: only %d mates in 400 games", v, len(list))
	return nil, nil
}

// TestMates: in every game the search finds the shortest mate that the prover knows, whatever it prunes. The depth is
// not much greater than the mate is long. That is what the rules of thumb taken from orthodox chess are held to.
func TestMates(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			list, in := mates(t, v, 12)
			s := search.New(eval.Handcrafted(v), 1<<20)
			for i, p := range list {
				info := s.Run(p, nil, search.Limits{Depth: 2*in[i] + 4, Nodes: 4_000_000, ClearTable: true}, nil)
				if got := search.MateIn(info.Lines[0].Score); got != in[i] {
					t.Errorf("%s: got mate in %d, want in %d", p.FEN(), got, in[i])
				}
			}
		})
	}
}

// TestPinnedMates: the mates that have no like in orthodox chess.
func TestPinnedMates(t *testing.T) {
	for _, c := range []struct{ id, fen, move, what string }{
		{"flying", "rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQK[-B]NR w KQkq - 0 2", "f1^b5^", "7.6: from the air"},
		{"locking", "B7/p5p1/5p2/4p3/4P2[kn]/3P1P2/PPP4[PK]/8 w - - 0 32", "h2g3", "3.10: royal lockmate"},
	} {
		p := position(t, c.id, c.fen)
		s := search.New(eval.Handcrafted(p.Variant()), 1<<18)
		info := s.Run(p, nil, search.Limits{Depth: 1}, nil)
		if got := p.Coord(info.Move()); got != c.move || search.MateIn(info.Lines[0].Score) != 1 {
			t.Errorf("%s %s (%s): got %s with %d, want %s", c.id, c.fen, c.what, got, info.Lines[0].Score, c.move)
		}
	}
}

// TestSameNodesSameMove: a node limit with a fresh start gives the same answer whatever was searched before, and is
// kept.
func TestSameNodesSameMove(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(1, 1))
		used := search.New(eval.Handcrafted(v), 1<<18)
		for range 6 {
			p := match.RandomOpening(v, r, 10)
			limits := search.Limits{Nodes: 5000, ClearTable: true}
			want := search.New(eval.Handcrafted(v), 1<<18).Run(p, nil, limits, nil)
			got := used.Run(p, nil, limits, nil)
			if got.Nodes != want.Nodes || got.Lines[0].Score != want.Lines[0].Score ||
				!slices.Equal(got.Lines[0].Moves, want.Lines[0].Moves) {
				t.Errorf("%s %s: got %v, want %v", v, p.FEN(), got, want)
			}
			if got.Nodes > 5000 {
				t.Errorf("%s %s: %d nodes, want 5000 at most", v, p.FEN(), got.Nodes)
			}
		}
	}
}

// TestDraws: a side that is lost takes a repetition; a mate comes before the fifty moves; what is fifty moves old is a
// draw.
func TestDraws(t *testing.T) {
	run := func(id, fen string, past []uint64) search.Info {
		p := position(t, id, fen)
		return search.New(eval.Handcrafted(p.Variant()), 1<<20).Run(p, past, search.Limits{Depth: 6}, nil)
	}
	perpetual := "6k1/5ppp/8/8/8/1q5r/r7/4Q2K w - - 10 40" // Qe8 is mate
	if info := run("chess", perpetual, nil); search.MateIn(info.Lines[0].Score) == 0 && info.Lines[0].Score > 0 {
		t.Errorf("%s: %+v", perpetual, info.Lines[0])
	}
	if info := run("chess", "7k/8/5K2/8/8/8/8/1R6 w - - 99 80", nil); info.Lines[0].Score != 0 {
		t.Errorf("after 99 half-moves without a mate at once: score %d, want 0", info.Lines[0].Score)
	}
	if info := run("chess", "7k/8/6K1/8/8/8/8/1R6 w - - 99 80", nil); search.MateIn(info.Lines[0].Score) != 1 {
		t.Errorf("mate with the hundredth half-move: score %d", info.Lines[0].Score)
	}
}

// TestRepetition: a position of the game so far counts as a draw when the search reaches it again.
func TestRepetition(t *testing.T) {
	p := position(t, "chess", "k7/8/8/8/8/8/qq6/7K w - - 20 40") // the only move is Kg1 ... every line is lost
	s := search.New(eval.Handcrafted(p.Variant()), 1<<18)
	lost := s.Run(p, nil, search.Limits{Depth: 2, ClearTable: true}, nil)
	var past []uint64
	for _, m := range p.AppendMoves(nil) {
		q := p
		q.Play(m)
		past = append(past, q.Key(), 0)
	}
	drawn := s.Run(p, past[:len(past)-1], search.Limits{Depth: 2, ClearTable: true}, nil)
	if lost.Lines[0].Score > -500 || drawn.Lines[0].Score != 0 {
		t.Errorf("got %d without the past and %d with it, want a loss and 0", lost.Lines[0].Score, drawn.Lines[0].Score)
	}
}

// TestNoMove: without a legal move there is no line, and a search of stalemate and mate ends.
func TestNoMove(t *testing.T) {
	for _, fen := range []string{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"} {
		p := position(t, "chess", fen)
		if info := search.New(eval.Handcrafted(p.Variant()), 1<<18).
			Run(p, nil, search.Limits{}, nil); info.Move() != rules.NoMove {
			t.Errorf("%s: got %s, want no move", fen, p.Coord(info.Move()))
		}
	}
}

// TestLines: several lines begin with different moves, the best first, and each can be played.
func TestLines(t *testing.T) {
	for _, v := range rules.Variants() {
		p := match.RandomOpening(v, rand.New(rand.NewPCG(3, 3)), 12)
		one := search.New(eval.Handcrafted(v), 1<<20).Run(p, nil, search.Limits{Depth: 5}, nil)
		info := search.New(eval.Handcrafted(v), 1<<20).Run(p, nil, search.Limits{Depth: 5, MultiPV: 4}, nil)
		if len(info.Lines) != min(4, p.CountMoves()) {
			t.Fatalf("%s %s: %d lines, want 4", v, p.FEN(), len(info.Lines))
		}
		seen := map[rules.Move]bool{}
		for i, l := range info.Lines {
			if seen[l.Moves[0]] || i > 0 && l.Score > info.Lines[i-1].Score {
				t.Errorf("%s %s: line %d repeats a move or is better than the one before", v, p.FEN(), i+1)
			}
			seen[l.Moves[0]] = true
			q := p
			for _, m := range l.Moves {
				if !slices.Contains(q.AppendMoves(nil), m) {
					t.Fatalf("%s %s: line %d is not legal at %s", v, p.FEN(), i+1, q.Coord(m))
				}
				q.Play(m)
			}
		}
		if len(one.Lines) != 1 {
			t.Errorf("%s: %d lines where one was asked for", v, len(one.Lines))
		}
	}
}

// TestLinesWhenStopped: lines begin with different moves, as many as were asked for, wherever the search was stopped.
func TestLinesWhenStopped(t *testing.T) {
	v := rules.Variants()[0]
	p := match.RandomOpening(v, rand.New(rand.NewPCG(3, 3)), 12)
	s := search.New(eval.Handcrafted(v), 1<<18)
	for nodes := uint64(500); nodes < 15_000; nodes += 700 {
		info := s.Run(p, nil, search.Limits{Nodes: nodes, MultiPV: 4, ClearTable: true}, nil)
		seen := map[rules.Move]bool{}
		for _, l := range info.Lines {
			seen[l.Moves[0]] = true
		}
		if len(seen) != 4 || len(info.Lines) != 4 {
			t.Errorf("%d nodes: %d lines with %d first moves, want 4", nodes, len(info.Lines), len(seen))
		}
	}
}

// TestOnlyIsAsDeep: a search of all the first moves, named, is that of all of them.
func TestOnlyIsAsDeep(t *testing.T) {
	for _, v := range rules.Variants() {
		p := match.RandomOpening(v, rand.New(rand.NewPCG(4, 4)), 12)
		limits := search.Limits{Depth: 7, ClearTable: true}
		want := search.New(eval.Handcrafted(v), 1<<20).Run(p, nil, limits, nil)
		limits.SearchMoves = p.AppendMoves(nil)
		got := search.New(eval.Handcrafted(v), 1<<20).Run(p, nil, limits, nil)
		if got.Nodes != want.Nodes || !slices.Equal(got.Lines[0].Moves, want.Lines[0].Moves) {
			t.Errorf("%s %s: %d nodes, want %d; %v, want %v", v, p.FEN(), got.Nodes, want.Nodes, got.Lines, want.Lines)
		}
	}
}

// TestOnly: a search of given first moves gives one of them.
func TestOnly(t *testing.T) {
	v := rules.Variants()[0]
	p := v.Start()
	m, err := p.ParseMove("a2a3")
	if err != nil {
		t.Fatal(err)
	}
	info := search.New(eval.Handcrafted(v), 1<<18).Run(p, nil, search.Limits{Depth: 4, SearchMoves: []rules.Move{m}}, nil)
	if info.Move() != m {
		t.Errorf("got %s, want a2a3", p.Coord(info.Move()))
	}
}

// TestQuietEnds (the trap of Meirav and Pillar Chess): where captures do not simplify, the first depths still take few
// nodes.
func TestQuietEnds(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(8, 8))
		var most uint64
		for range 20 {
			p := match.RandomOpening(v, r, 40)
			info := search.New(eval.Handcrafted(v), 1<<18).Run(p, nil, search.Limits{Depth: 3, Nodes: 1_000_000}, nil)
			most = max(most, info.Nodes)
		}
		if most > 60_000 {
			t.Errorf("%s: depth 3 took %d nodes, want 60,000 at most", v, most)
		}
	}
}

// TestStop: a search ends soon after it is told to, with a move.
func TestStop(t *testing.T) {
	v := rules.Variants()[0]
	asked := 0
	info := search.New(eval.Handcrafted(v), 1<<18).Run(v.Start(), nil,
		search.Limits{Stop: func() bool { asked++; return asked > 5 }}, nil)
	if info.Nodes > 20_000 || info.Move() == rules.NoMove {
		t.Errorf("stopped at the sixth asking: %d nodes, move %d", info.Nodes, info.Move())
	}
}

// TestNothingAllocates: a search makes no garbage except what it hands back.
func TestNothingAllocates(t *testing.T) {
	for _, v := range rules.Variants() {
		s := search.New(eval.Handcrafted(v), 1<<18)
		p := match.RandomOpening(v, rand.New(rand.NewPCG(3, 3)), 12)
		run := func() { s.Run(p, nil, search.Limits{Nodes: 20_000, ClearTable: true}, nil) }
		run()
		if n := testing.AllocsPerRun(2, run); n > 100 {
			t.Errorf("%s: %v allocations in 20,000 nodes", v, n)
		}
	}
}
