// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"os"
	"slices"
	"testing"

	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
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
	return tr, func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }
}

// TestForeign: traces of a physics, and of hands, that were written apart from those of this repository. From the
// readings alone they give the moves that the hands made.
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
		{"meirav-twin-dropped", "g4g3", 0},
		{"meirav-twin-pawn-held", "a7b6", 1}, // what stays in a hand for 3 s would have captured
		{"meirav-twin-rook-held", "d8d7", 1}, // and so would this, had flips of magnets that passed been its own
		// a piece stands over the edge of its square, and what its cell bears may weigh as another piece
		{"queen-over-the-line", "e5d4", 2},
		{"king-over-the-line-to-a-pawn", "f7f6", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tr, decode := read(t, "testdata/foreign/"+c.name+".trace.gz", "stack")
			var told string
			moves := rerun.BlindWith(decode, tr, func(line string) { told += line + "\n" })
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

// TestHandOverNeighbour: a pile is lifted from a2, and the hand is seen over a1 for a moment at the height of a pile.
// That is no move.
func TestHandOverNeighbour(t *testing.T) {
	tr, decode := read(t, "testdata/foreign/hand-over-neighbour-taken-for-pile-pillar-twin.trace.gz", "twin")
	if moves := rerun.BlindWith(decode, tr, func(string) {}); slices.Contains(moves, "a2a1") || len(moves) == 0 {
		t.Errorf("%v stand, want no a2a1", moves)
	}
}
