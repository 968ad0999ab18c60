// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math/rand/v2"
	"testing"
)

// TestSlides checks the look-up of lines against walking them.
func TestSlides(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		s, occ := Square(random.IntN(64)), Bitboard(random.Uint64()&random.Uint64())
		if got, want := bishopAttacks(s, occ), walk(s, occ, diagonals); got != want {
			t.Fatalf("bishop %s among %x: got %x, want %x", s, occ, got, want)
		}
		if got, want := rookAttacks(s, occ), walk(s, occ, orthogonals); got != want {
			t.Fatalf("rook %s among %x: got %x, want %x", s, occ, got, want)
		}
	}
}

func TestBetweenAndLines(t *testing.T) {
	for _, c := range []struct {
		a, b      Square
		mid, line Bitboard
	}{
		{a1, h8, 0x0040201008040200, 0x8040201008040201},
		{e1, e8, 0x0010101010101000, 0x1010101010101010},
		{a1, b1, 0, 0xff},
		{a1, SquareAt(1, 2), 0, 0},
	} {
		if between[c.a][c.b] != c.mid || between[c.b][c.a] != c.mid || lines[c.a][c.b] != c.line ||
			lines[c.b][c.a] != c.line {
			t.Errorf("%s %s: got %x on %x, want %x on %x", c.a, c.b, between[c.a][c.b], lines[c.a][c.b], c.mid, c.line)
		}
	}
}

func TestSquaresAndPieces(t *testing.T) {
	for s := range NoSquare {
		got, err := ParseSquare(s.String())
		if err != nil || got != s || SquareAt(s.File(), s.Rank()) != s {
			t.Errorf("%s: read as %v, %v", s, got, err)
		}
	}
	for _, bad := range []string{"", "e", "e9", "i1", "e44", "E4"} {
		if s, err := ParseSquare(bad); err == nil || s != NoSquare {
			t.Errorf("square %q: accepted as %s", bad, s)
		}
	}
	for i := range 256 {
		pc, err := ParsePiece(byte(i))
		if known := err == nil; known != (pc.Letter() == byte(i) && (pc != NoPiece || i == '-')) {
			t.Errorf("piece %q: got %v, %v", byte(i), pc, err)
		}
	}
}

// TestKeys: positions that differ in one of the first four fields have different keys, and in the counters the same.
func TestKeys(t *testing.T) {
	key := func(id, fen string) uint64 {
		p := position(t, id, fen)
		return p.Key()
	}
	base := key("locking", "4k3/8/8/8/3[np]P3/8/8/R3K3 b Q e3 0 1")
	if got := key("locking", "4k3/8/8/8/3[np]P3/8/8/R3K3 b Q e3 7 9"); got != base {
		t.Error("the counters are in the key")
	}
	for _, fen := range []string{
		"4k3/8/8/8/3[np]P3/8/8/R3K3 b Q - 0 1",
		"4k3/8/8/8/3[np]P3/8/8/R3K3 b - e3 0 1",
		"4k3/8/8/8/3[np]P3/8/8/R3K3 w Q - 0 1",
		"4k3/8/8/8/3[pn]P3/8/8/R3K3 b Q - 0 1",
	} {
		if key("locking", fen) == base {
			t.Errorf("%s has the key of another position", fen)
		}
	}
	a, b := key("pillar", "4k3/8/8/8/3[npR]4/8/8/4K3 w - - 0 1"), key("pillar", "4k3/8/8/8/3[pnR]4/8/8/4K3 w - - 0 1")
	if a == b {
		t.Error("the order of a stack is not in the key")
	}
}

// TestSizes promises sizes, in bytes, that callers keep lists of.
func TestSizes(t *testing.T) {
	if got := sizeOf[Move](); got != 4 {
		t.Errorf("a Move has %d bytes, want 4", got)
	}
	if got := sizeOf[Position](); got != 120 {
		t.Errorf("a Position has %d bytes, want 120", got)
	}
}
