// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/table/solo"
	"boardd/rules/table/trial/hands"
	"boardd/rules/table/trial/physics"
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
			g := wood.Reference()
			g.TwoDecks, g.Weights, g.Heights = kind == physics.Twin, kind == physics.Stack, kind == physics.Twin
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
	const wrong, notRecognised = 3, 25 // of 150 moves
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

// TestSeeds: the same seed is the same game to the last reading, and another seed is another game.
func TestSeeds(t *testing.T) {
	all, err := hands.ParseHabit("all")
	if err != nil {
		t.Fatal(err)
	}
	play := func(seed uint64) (traces string) {
		_, err := Play(Setting{Game: rules.Variants()[1], Board: physics.Stack, Habits: all, Factor: 2}, seed, 12,
			func(f Failure) { traces += string(f.Trace) })
		if err != nil {
			t.Error(err)
		}
		return traces
	}
	a, b, other := play(5), play(5), play(6)
	if a != b || a == "" {
		t.Errorf("two games of the same seed differ, or nothing of %d bytes was recorded", len(a))
	}
	if a == other {
		t.Error("games of different seeds are the same")
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
