// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
)

// rare lists, for each game, the rules that must have been exercised, by the tags of the naive generator.
var rare = map[string][]string{
	"chess": {"castle", "ep"},
	"locking": {"castle", "castlock", "ep", "epo", "locking REJ-royal-approach", "climb", "land", "take all",
		"take locked", "take top above",
		"take all above", "knight take top", "knight choice", "knight land", "knight climb", "king climb", "king land",
		"climb on king", "land on king",
		"king take all", "king take locked", "king take top above", "pawn climbs with its double step", "promo quiet",
		"promo climb", "promo land", "promo down"},
	"meirav": {"castle", "ep buries", "a capture removes what was buried", "an enemy piece surfaces",
		"an own piece surfaces", "a surfacing piece gives check",
		"bottom capture by q", "bottom capture by r", "bottom capture by b", "bottom capture by n", "bottom capture by p"},
	"pillar": {"castle", "ep ", "ep split", "split", "split leaves a pawn on an edge rank",
		"double step from the first rank", "promotion ", "promotion split"},
	"pillar-liberal": {"castle", "ep ", "ep split", "split", "split leaves an enemy stack",
		"split leaves a pawn on an edge rank",
		"double step from the first rank", "promotion ", "promotion split"},
	"superchess": {"castle", "ep", "leaving ep", "occupies own rook", "occupies enemy rook", "unit", "hostile unit",
		"unit takes 1", "unit takes 2",
		"hostile unit takes 1", "leaving ", "leaving hostile ", "leaving takes 1", "takes the superpiece",
		"leaving takes the superpiece",
		"leaving occupies own rook", "leaving occupies enemy rook", "takes 2", "promotion"},
	"flying": {"castle", "ep", "rook rises", "rook rises takes", "r straight up", "b straight up", "n straight up",
		"b straight up takes", "r in the air",
		"b in the air", "n in the air", "b descends", "b descends takes", "n descends", "n descends takes",
		"r straight down", "r straight down takes",
		"headbutt by p", "headbutt by n", "headbutt by b", "headbutt by r", "headbutt by q", "headbutt by k"},
}

// positions is how many positions of each game are compared; `make differential` compares 100,000.
var positions = flag.Int("positions", 6_000, "positions of each game that the two readings compare")

// TestDifferential plays random games of every rule set, biased towards the rare rules. It compares the legal moves,
// the position after each move, check and result with the naive reading. Each rare rule must have been exercised.
func TestDifferential(t *testing.T) {
	// The naive reading makes a lot of short-lived strings and keeps next to nothing: collecting less often saves a
	// third.
	was := debug.SetGCPercent(1000)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	for _, v := range rules.Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			w := walker{t: t, v: v, r: rand.New(rand.NewPCG(2026, uint64(len(v.ID())))), rare: map[string]int{},
				starts: starts(t, v)}
			n := *positions
			lacking := func(tag string) bool { return w.rare[tag] == 0 }
			for w.seen < n || w.seen < 200_000 && slices.ContainsFunc(rare[v.ID()], lacking) {
				w.walk(w.seen + 200)
			}
			for _, tag := range rare[v.ID()] {
				if w.rare[tag] == 0 {
					t.Errorf("%q was never exercised in %d positions", tag, w.seen)
				}
				t.Logf("%8d %s", w.rare[tag], tag)
			}
		})
	}
}

// starts are the positions of the specification's tables, each chosen there for a rule.
func starts(t *testing.T, v *rules.Variant) []rules.Position {
	var list []rules.Position
	for _, file := range []string{"testdata/perft.tsv", "testdata/moves.tsv"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(line, "\t")
			if f[0] != v.ID() {
				continue
			}
			p, err := v.ParseFEN(f[1])
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
	}
	return list
}

type walker struct {
	t      *testing.T
	v      *rules.Variant
	r      *rand.Rand
	rare   map[string]int // how often each rule was exercised
	starts []rules.Position
	seen   int
}

// walk plays one random game, every other one from a position of the tables, until this many positions were compared.
func (w *walker) walk(limit int) {
	t := w.t
	p := w.v.Start()
	chosen := w.r.IntN(2) == 0
	if chosen {
		p = w.starts[w.r.IntN(len(w.starts))]
	}
	b := parseNaive(w.v.ID(), p.FEN())
	b.rare = w.rare
	for w.seen < limit {
		naive := b.legal()
		compare(t, &p, &b, naive)
		w.seen++
		if len(naive) == 0 {
			return
		}
		m := w.pick(naive, chosen)
		chosen = false
		w.rare[m.tag]++
		fast, err := p.ParseMove(m.coord)
		if err != nil {
			t.Fatalf("%s: %s is legal but refused: %v", p.FEN(), m.coord, err)
		}
		before := p.FEN()
		p.Play(fast)
		b = b.after(&m)
		if strings.HasSuffix(m.tag, "surfaces") && b.strikesFrom(m.coord[:2]) {
			w.rare["a surfacing piece gives check"]++
		}
		if got, want := p.FEN(), b.fen(); got != want {
			t.Fatalf("%s after %s on %s: got %s, want %s", w.v.ID(), m.coord, before, got, want)
		}
	}
}

// pick chooses, every third time, a move by the rule that was exercised least until then. It always does so if the
// position was chosen for such a move.
func (w *walker) pick(moves []nmove, chosen bool) nmove {
	best := moves[w.r.IntN(len(moves))]
	if !chosen && w.r.IntN(3) > 0 {
		return best
	}
	for _, m := range moves {
		if m.tag != "" && (best.tag == "" || w.rare[m.tag] < w.rare[best.tag]) {
			best = m
		}
	}
	return best
}

func compare(t *testing.T, p *rules.Position, b *nboard, naive []nmove) {
	t.Helper()
	var buf [512]rules.Move
	var got, want []string
	for _, m := range p.AppendMoves(buf[:0]) {
		got = append(got, p.Coord(m))
	}
	for i := range naive {
		want = append(want, naive[i].coord)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s %s:\nonly in the fast list %v\nonly in the naive list %v", b.v, p.FEN(), without(got, want),
			without(want, got))
	}
	if p.InCheck() != b.inCheck() {
		t.Fatalf("%s %s: check is %v, the naive reading says %v", b.v, p.FEN(), p.InCheck(), b.inCheck())
	}
	if len(naive) > 0 {
		return
	}
	result := "stalemate"
	if b.v == "locking" {
		result = b.lockingResult()
	} else if b.inCheck() {
		result = "checkmate"
	}
	if got := p.Result(); string(got) != result {
		t.Fatalf("%s %s: the result is %s, the naive reading says %s", b.v, p.FEN(), got, result)
	}
}

func without(a, b []string) string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return fmt.Sprint(strings.Join(out, " "))
}
