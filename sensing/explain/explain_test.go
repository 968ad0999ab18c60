// SPDX-License-Identifier: Apache-2.0

package explain_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/explain"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// read reads a trace and says how to make a decoder for its board.
func read(t *testing.T, name, board string) (*trace.Trace, func() table.Decoder) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	g, err := rerun.Geometry(tr, board)
	if err != nil {
		t.Fatal(err)
	}
	return tr, func() table.Decoder { return explain.New(g, reconcile.DefaultTiming()) }
}

// TestForeign: traces of a physics, and of hands, that were written apart from those of this repository give the moves that
// the hands made, from the readings alone.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		name string
		last string // the last move that must stand
		ply  int    // which it is, from 1; 0: the last of all
	}{
		{"press-e2e3-27g-60ms", "e2e3", 1},
		{"press-e2e3-30g-60ms-control", "e2e3", 1},
		{"overlap-h2h3-twin-10ms", "h2h3", 1},
		{"overlap-h2h3-twin-3ms", "h2h3", 1},
		{"half-wrong-b2b4", "b2b4", 0},
		{"locking-stack-pull", "d2f1*", 0},
		{"meirav-twin-order", "d5c7", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tr, decode := read(t, "testdata/foreign/"+c.name+".trace.gz", "stack")
			var told string
			moves := rerun.BlindBy(decode, tr, func(line string) { told += line + "\n" })
			if len(moves) == 0 || c.ply > 0 && len(moves) != c.ply || moves[len(moves)-1] != c.last {
				t.Errorf("%v stand, want %s last\n%s", moves, c.last, told)
			}
			if c.ply > 0 {
				return
			}
			var want []string
			for _, e := range tr.Entries {
				switch {
				case e.Back > 0:
					want = want[:max(0, len(want)-e.Back)]
				case e.Move != "":
					want = append(want, e.Move)
				}
			}
			if n := len(want) - 1; len(moves) != n+1 || !slices.Equal(moves[:n], want[:n]) {
				t.Errorf("%v stand, want %v before the last", moves, want[:n])
			}
		})
	}
}

// TestHandOverNeighbour: a pile is lifted from a2, and the hand is seen over a1 for a moment at the height of a pile. That is no move.
func TestHandOverNeighbour(t *testing.T) {
	tr, decode := read(t, "testdata/foreign/hand-over-neighbour-taken-for-pile-pillar-twin.trace.gz", "twin")
	if moves := rerun.BlindBy(decode, tr, func(string) {}); slices.Contains(moves, "a2a1") || len(moves) == 0 {
		t.Errorf("%v stand, want no a2a1", moves)
	}
}

// TestCorpus: the recorded traces of the decoder that plays today give the moves of their record, but for those that stand in
// testdata/limits.txt. What is read right must be taken out of that list.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../reconcile/testdata/traces/*.trace*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	known, err := os.ReadFile("testdata/limits.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		base := filepath.Base(name)
		limit := slices.Contains(strings.Split(string(known), "\n"), base)
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			tr, decode := read(t, name, "stack")
			var told string
			got := rerun.By(decode, tr, func(line string) { told += line + "\n" })
			want := rerun.Result{Moves: got.Moves}
			switch {
			case strings.HasPrefix(base, "limit-wrong-"):
				want.Differ, want.Wrong = 1, 1
			case strings.HasPrefix(base, "limit-asks-"):
				want.Differ, want.Questions = max(1, got.Questions), max(1, got.Questions)
			}
			switch {
			case got != want && !limit:
				t.Errorf("%+v\n%s", got, told)
			case got == want && limit:
				t.Errorf("a known limit is read right now: take %s out of testdata/limits.txt", base)
			}
		})
	}
}

// FuzzDecoder feeds whatever readings come: the decoder never panics, and never goes on with a move that is not legal.
func FuzzDecoder(f *testing.F) {
	f.Add(uint64(1), []byte("\x00\x01\x02\x03\x10\x20\x30\x40\x55\xaa"))
	f.Add(uint64(9), []byte{0xff, 0, 0xff, 0, 9, 9, 9, 9, 200, 100, 50, 25, 12, 6, 3, 1})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		all := rules.Variants()
		v := all[seed%uint64(len(all))]
		g := wood.Reference()
		g.Weights, g.Heights, g.TwoDecks = seed&8 != 0, seed&16 != 0, seed&32 != 0
		d := explain.New(g, reconcile.DefaultTiming())
		p := v.Start()
		d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}})
		r := rand.New(rand.NewPCG(seed, 5))
		now := time.Unix(1000, 0)
		for _, b := range data {
			now = now.Add(time.Duration(b%97) * time.Millisecond)
			q := sensing.Reading{At: now, Kind: sensing.Kind(r.IntN(4)), Deck: sensing.Deck(r.IntN(3)), Known: rules.Bitboard(r.Uint64() | r.Uint64()), Closed: rules.Bitboard(r.Uint64())}
			for i := range q.Value {
				q.Value[i] = int32(b) * int32(r.IntN(1000))
			}
			d.Observe(&q)
			if e := d.Explain(now); e.State == reconcile.Moved {
				if !slices.Contains(p.AppendMoves(nil), e.Move) {
					t.Fatalf("%v is not legal", e.Move)
				}
				before := p
				p.Play(e.Move)
				d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Back: true}})
			}
			d.Reach(reconcile.Lift{Place: wood.Place(b % 64)})
			d.Awaited()
			d.News()
		}
	})
}
