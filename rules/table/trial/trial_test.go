// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/table/solo"
	"boardd/rules/table/trial/hands"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// TestApart: this world shares nothing with the virtual board or with the recognition that it judges; it meets the
// latter at the table.
func TestApart(t *testing.T) {
	seen := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			seen++
			for _, foreign := range []string{"boardd/hardware", "boardd/sensing/reconcile", "boardd/sensing/explain"} {
				if path == foreign || strings.HasPrefix(path, foreign+"/") {
					t.Errorf("%s imports %s: the two worlds are apart", name, path)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Fatalf("%d imports were read: %v", seen, err)
	}
}

// settings is every game on every board that can follow it.
func settings(h hands.Habits) (list []Setting) {
	for _, v := range rules.Variants() {
		for kind := physics.Stack; kind <= physics.Reeds; kind++ {
			g := Senses(wood.Reference(), kind)
			if solo.CanFollow(&g, v) == nil {
				list = append(list, Setting{Game: v, Board: kind, Habits: h, Factor: 1})
			}
		}
	}
	return list
}

// TestGames plays a little of each game on each board, with all habits. The limits are those of the recognition that
// plays today: they may only be lowered.
func TestGames(t *testing.T) {
	const wrong, notRecognised = 1, 5 // of 150 moves
	all, err := hands.ParseHabit("all")
	if err != nil {
		t.Fatal(err)
	}
	var sum Count
	for _, s := range settings(all) {
		c, err := Play(s, 1, 10, nil)
		if err != nil {
			t.Error(err)
		}
		if c.Moves < 10 {
			t.Errorf("%s/%s: %d moves were played, want 10", s.Game, s.Board, c.Moves)
		}
		sum.Add(&c)
	}
	t.Logf("%d moves: %d wrong, %d not recognised, %d asked unfairly, %d and %d alarms, %d out of step", sum.Moves,
		sum.Wrong, sum.Missed, sum.AskedUnfairly,
		sum.AlarmsResting, sum.AlarmsMoving, sum.OutOfStep)
	if sum.Moves < 150 || sum.Wrong > wrong || sum.Missed+sum.AskedUnfairly > notRecognised {
		t.Errorf("of %d moves %d stood wrong and %d were not recognised, want %d and %d at most", sum.Moves,
			sum.Wrong, sum.Missed+sum.AskedUnfairly, wrong, notRecognised)
	}
}

// TestBusy: a computer that has no time to read at times still gets no move wrong. What nobody read counts as what no
// sensor tells.
func TestBusy(t *testing.T) {
	ponder, err := hands.ParseHabit("ponder")
	if err != nil {
		t.Fatal(err)
	}
	var sum Count
	for _, s := range settings(ponder) {
		if s.Board != physics.Stack {
			continue
		}
		s.Alone, s.Busy = true, true
		c, err := Play(s, 5, 8, nil)
		if err != nil {
			t.Error(err)
		}
		sum.Add(&c)
	}
	if sum.Wrong > 0 || sum.Untold == 0 || sum.Untold == sum.Moves {
		t.Errorf("of %d moves, %d of them not read, %d stood wrong", sum.Moves, sum.Untold, sum.Wrong)
	}
}

// TestCopied: what another board plays is copied by hand, and the table names what has to be touched until it is done.
func TestCopied(t *testing.T) {
	var sum Count
	for _, s := range settings(0) {
		s.Copied = true
		c, err := Play(s, 3, 8, nil)
		if err != nil {
			t.Error(err)
		}
		sum.Add(&c)
	}
	if sum.Moves < 100 || sum.Wrong+sum.Dark+sum.OutOfStep > 0 {
		t.Errorf("of %d moves, %d stood wrong, %d were not shown and %d out of step", sum.Moves, sum.Wrong, sum.Dark,
			sum.OutOfStep)
	}
}

// TestSeeds: the same seed is the same game to the last reading, and another seed is another game.
func TestSeeds(t *testing.T) {
	all, err := hands.ParseHabit("all")
	if err != nil {
		t.Fatal(err)
	}
	play := func(seed uint64) string {
		setting := Setting{Game: rules.Variants()[1], Board: physics.Stack, Habits: all, Factor: 2}
		g := start(setting, seed, &Count{fail: func(Failure) {}})
		for range 12 {
			m, ok := g.choose()
			if !ok {
				break
			}
			if err := g.move(m); err != nil {
				t.Fatal(err)
			}
		}
		return string(g.tape.cut(g))
	}
	a, b, other := play(5), play(5), play(6)
	if a != b || a == "" {
		t.Errorf("two games of the same seed differ, or nothing of %d bytes was recorded", len(a))
	}
	if a == other {
		t.Error("games of different seeds are the same")
	}
	read, err := trace.Read(strings.NewReader(a))
	if err != nil || read.Board != "stack" || read.Torn != nil || len(read.Entries) < 100 {
		t.Errorf("the trace cannot be read again: %v", err)
	}
}

// clean begins a game of people without habits.
func clean(t *testing.T, variant string, kind physics.Kind, fen string) *game {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	g := start(Setting{Game: v, Board: kind, Factor: 1}, 1, &Count{})
	if fen != "" {
		p, err := v.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		g.places = []rules.Position{p}
	}
	return g
}

func (g *game) parse(t *testing.T, move string) rules.Move {
	t.Helper()
	m, err := g.now().ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestJudge: a move that the table has in place of the one that was made, and one that it lacks, are counted and put
// right.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		instead       string
		wrong, missed int
	}{{"", 0, 1}, {"d2d4", 1, 0}} {
		g := clean(t, "chess", physics.Stack, "")
		other := rules.NoMove
		if c.instead != "" {
			other = g.parse(t, c.instead)
		}
		if err := g.move(g.parse(t, "e2e4")); err != nil || g.count.Wrong+g.count.Missed > 0 {
			t.Fatalf("1.e4: %+v, %v", g.count, err)
		}
		at := g.began.Add(g.scene.Now)
		g.table.Back(at, 1)
		if other != rules.NoMove {
			g.table.Play(at, other)
		}
		g.watch()
		g.pending = 1
		g.judge()
		if g.count.Wrong != c.wrong || g.count.Missed != c.missed || g.count.OutOfStep != 0 {
			t.Errorf("with %q for e2e4: %d wrong, %d missed, %d out of step", c.instead, g.count.Wrong,
				g.count.Missed, g.count.OutOfStep)
		}
		if got := g.table.Moves(); len(got) != 1 || got[0] != g.truth[0] {
			t.Errorf("with %q for e2e4 the table has %v in the end", c.instead, got)
		}
	}
}

// TestTells: what settled sensors can tell depends on the board, on weights, and on which sensor has failed.
func TestTells(t *testing.T) {
	for _, c := range []struct {
		variant string
		board   physics.Kind
		fen     string
		move    string
		broken  int // the square whose analog sensor fails, -1 for none
		want    bool
	}{
		{"chess", physics.Reeds, "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "d4c5", -1, false}, // or d4e5
		// {"chess",: a pawn weighs as much as a pawn
		{"chess", physics.Stack, "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "d4c5", -1, false},
		{"chess", physics.Stack, "4k3/8/8/2p1n3/3P4/8/8/4K3 w - - 0 1", "d4e5", -1, true},
		{"chess", physics.Stack, "4k3/8/8/2p1n3/3P4/8/8/4K3 w - - 0 1", "d4e5", 36, false},
		{"chess", physics.Reeds, "4k3/8/8/2p5/3P4/8/8/4K3 w - - 0 1", "d4d5", -1, true},
		{"chess", physics.Stack, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", -1, true},
		{"chess", physics.Twin, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", -1, false},
		{"locking", physics.Twin, "4k3/8/8/8/8/3N4/8/4K3 w - - 0 1", "d3f2", -1, true},
		{"pillar", physics.Twin, "4k3/8/8/8/8/8/3[pp]4/[rR]3K3 w - - 0 1", "e1d2", -1, true},
	} {
		g := clean(t, c.variant, c.board, c.fen)
		if c.broken >= 0 {
			g.scene.Fault = &physics.Fault{Part: g.analog(), Place: c.broken}
		}
		if got := g.canTell(g.now(), g.parse(t, c.move)); got != c.want {
			t.Errorf("%s/%s %s %s, broken %d: told %v, want %v", c.variant, c.board, c.fen, c.move, c.broken, got,
				c.want)
		}
	}
}

// TestLeantOn: the weight of a square that somebody leans on tells nothing.
func TestLeantOn(t *testing.T) {
	g := clean(t, "chess", physics.Stack, "")
	start := g.places[0]
	a := g.geometry.Lay(&start)
	seen := false
	for range 4 {
		for _, move := range []string{"e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8"} {
			m := g.parse(t, move)
			after := *g.now()
			after.Play(m)
			g.habits = hands.LeanLong
			if err := g.perform(g.scene.Now, g.now().Turn(), &after, m); err != nil {
				t.Fatal(err)
			}
			g.run(g.script.End, nil)
			g.places = append(g.places, after)
			leant, rim := g.crew.Leant(g.script.First)
			for _, p := range []int{0, 1, 2, 3, 4, 5, 6, 7, 56, 57, 58, 59, 60, 61, 62, 63} {
				b := a
				b[p] += "q"
				on := leant.Has(rules.Square(p))
				if seen = seen || on; g.differ(&a, &b) == on {
					t.Errorf("a queen more on %d, leant on %v, the rim %v: told %v", p, on, rim, !on)
				}
			}
			if rim { // a knight and a bishop are 6 g apart, of which a rim may hide 3
				b, c := a, a
				b[6], c[6] = "B", "P"
				if g.differ(&b, &a) == leant.Has(6) || !g.differ(&b, &c) && !leant.Has(6) {
					t.Errorf("a bishop for a knight on g1, leant on %v, the rim %v", leant.Has(6), rim)
				}
			}
		}
		g.places = g.places[:1]
	}
	if !seen {
		t.Error("nobody leant on a square")
	}
}

// TestOften: each habit is drawn as often as it is meant to be, and those that take long less often.
func TestOften(t *testing.T) {
	most := [hands.Count]float64{}
	for seed := range uint64(400) {
		g := &game{dice: rand.New(rand.NewPCG(seed, 1))}
		g.draw(rand.New(rand.NewPCG(seed, 4)))
		for i, o := range g.often {
			most[i] = max(most[i], o)
		}
	}
	for i, got := range most {
		want := 0.15
		if hands.Long.Has(1 << i) {
			want = 0.08
		}
		if got > want || got < 0.97*want {
			t.Errorf("%s at most in %.3f of the moves of a game, want %v", hands.Habits(1)<<i, got, want)
		}
	}
}

// TestFits: moves that look like something else that wood says are not played.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		variant string
		board   physics.Kind
		fen     string
		move    string
		want    bool
	}{
		{"chess", physics.Stack, "", "e2e4", true},
		{"chess", physics.Stack, "8/8/8/4k3/8/2K5/8/8 b - - 0 1", "e5e6", true},
		{"locking", physics.Stack, "8/8/8/[kn]7/8/4K3/8/8 w - - 0 1", "e3e4", true},
		{"locking", physics.Stack, "8/8/8/3[kn]4/8/6K1/8/8 w - - 0 1", "g3g4", true},
		{"locking", physics.Stack, "8/8/8/3[kn]4/8/5K2/8/8 w - - 0 1", "f3e4", false}, // both kings in the centre
		{"pillar", physics.Stack, "4k3/8/8/8/8/8/3[ppp]4/4K3 w - - 0 1", "e1d2", true},
		{"pillar", physics.Twin, "4k3/8/8/8/8/8/3[ppp]4/4K3 w - - 0 1", "e1d2", false}, // no room under the upper deck
		{"pillar", physics.Twin, "4k3/8/8/8/8/8/3[pp]4/4K3 w - - 0 1", "e1d2", true},
	} {
		g := clean(t, c.variant, c.board, c.fen)
		m, err := g.now().ParseMove(c.move)
		if err != nil {
			t.Errorf("%s %s: %v", c.fen, c.move, err)
			continue
		}
		if got := g.fits(g.now(), m); got != c.want {
			t.Errorf("%s/%s %s %s: fits %v, want %v", c.variant, c.board, c.fen, c.move, got, c.want)
		}
	}
	g := clean(t, "chess", physics.Stack, "")
	for _, m := range []string{"g1f3", "g8f6", "f3g1"} {
		after := *g.now()
		after.Play(g.parse(t, m))
		g.places = append(g.places, after)
	}
	if g.fits(g.now(), g.parse(t, "f6g8")) {
		t.Error("a move after which the array stands again fits")
	}
}

// TestBound: none in n is the rule of three; others are those of tables of the method.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		k, n int
		want float64
	}{{0, 1000, 0.002991}, {1, 1000, 0.004734}, {10, 100, 0.1637}, {0, 0, 1}} {
		if got := Bound(c.k, c.n); got < c.want*0.995 || got > c.want*1.005 {
			t.Errorf("%d of %d: %v, want %v", c.k, c.n, got, c.want)
		}
	}
}
