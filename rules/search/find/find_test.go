// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

func position(t *testing.T, variant, fen string) (*rules.Variant, rules.Position) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return v, p
}

// TestProblem: what can be spared is taken away, the key stays the only one, and the same problem is not found twice.
func TestProblem(t *testing.T) {
	v, p := position(t, "chess", "7k/8/5K2/8/pp6/8/N7/6Q1 w - - 0 1")
	f := newFinder(v, nil)
	if _, ok := f.makeProblem(p, 3); ok {
		t.Error("a mate in one became one in three")
	}
	v, p = position(t, "chess", "7k/8/7K/p7/8/8/R7/R7 w - - 0 1")
	if _, ok := newFinder(v, nil).makeProblem(p, 2); ok {
		t.Error("more than one key is one problem")
	}
	v, p = position(t, "chess", "3r1k2/5R2/8/8/8/p7/P3q3/1K6 b - - 0 1")
	f = newFinder(v, nil)
	got, ok := f.makeProblem(p, 2)
	if !ok || got.Key != "f8f7" || got.In != 2 || strings.ContainsAny(got.FEN, "pP") || !strings.Contains(got.FEN, "q") {
		t.Errorf("%+v %v, want f8f7 in two without pawns", got, ok)
	}
	if _, ok := f.makeProblem(p, 2); ok {
		t.Error("the same problem twice")
	}
}

// TestWithout: a king stays, and a piece that stood under a flyer leaves a gap.
func TestWithout(t *testing.T) {
	_, p := position(t, "flying", "4k3/8/8/8/8/8/[PR]7/4K3 w - - 0 1")
	d := diagramOf(&p)
	if _, ok := d.without(4, 0); ok {
		t.Error("a king was taken away")
	}
	for i, want := range []string{"[-R]", "P7"} {
		less, ok := d.without(8, i)
		if !ok || !strings.Contains(less.fen(), want) || less.countPieces() != d.countPieces()-1 {
			t.Errorf("without piece %d of a2: %s, want %s in it", i, less.fen(), want)
		}
	}
}

// TestFindTellsHowFarItIs: who looks for problems sees how many games were played, and what was found in them.
func TestFindTellsHowFarItIs(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	var far strings.Builder
	s := settings{dir: t.TempDir(), seed: 1, wanted: map[int]int{2: 1}, perGame: time.Minute, far: &far}
	if err := s.findProblems(v); err != nil {
		t.Fatal(err)
	}
	if got := far.String(); !strings.HasPrefix(got, "\rchess ") || !strings.Contains(got, " 0 games, ") ||
		!strings.HasSuffix(got, "\n") {
		t.Errorf("it told %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(s.dir, "chess.tsv")); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("the file has %q, %v, want one problem", text, err)
	}
}
