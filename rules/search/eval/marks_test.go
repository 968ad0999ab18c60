// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"
	"testing"

	"boardd/rules"
)

// TestFavoured: which pieces of chess the network is told of. The colors exchanged and the board turned round, it is
// the same pieces.
func TestFavoured(t *testing.T) {
	v := rules.Variants()[0]
	for _, c := range []struct{ what, ranks, want string }{
		{"a pawn with nothing before it or beside", "3qk3/8/1p6/8/4P3/8/8/3QK3", "b6 e4"},
		{"stopped by a pawn on its file", "3qk3/8/4p3/8/4P3/8/8/3QK3", ""},
		{"guarded from the next file", "3qk3/3p4/8/8/4P3/8/8/3QK3", ""},
		{"two files away, and not round the edge", "3qk3/2p4p/8/8/P3P3/8/8/3QK3", "a4 c7 e4 h7"},
		{"pawns that have passed each other", "3qk3/8/8/4P3/3p4/8/8/3QK3", "d4 e5"},
		{"a knight and a bishop that a pawn can drive off", "3qk3/5p2/8/8/4N1B1/8/8/3QK3", "f7"},
		{"and that none can any more", "3qk3/8/8/3N2B1/5p2/8/8/3QK3", "d5 f4 g5"},
		{"a pawn on their own file does not", "3qk3/4p3/8/4N3/8/8/8/3QK3", "e5 e7"},
		{"a rook behind a pawn, before one, and without one", "3qk3/8/8/R7/P7/8/P6p/R2QK1R1", "a2 a4 g1 h2"},
		{"kings, of whom only White has a queen", "4k3/8/8/8/8/8/8/3QK3", "e1"},
		{"kings without queens", "4k3/8/8/8/8/8/8/4K3", "e1 e8"},
	} {
		expectMarks(t, v, c.what, c.ranks, c.want, func(m marks) rules.Bitboard { return m.favoured })
	}
}

// TestThreatened: a piece is threatened by one of less worth, or by any if nothing guards it.
func TestThreatened(t *testing.T) {
	v := rules.Variants()[0]
	for _, c := range []struct{ what, ranks, want string }{
		{"nobody attacks anything", "3qk3/8/8/8/4N3/8/8/4K3", ""},
		{"a pawn attacks a guarded knight, which attacks a guarded pawn", "4k3/2p5/3p4/4N3/3P4/8/8/4K3", "e5"},
		{"a bishop attacks a guarded knight", "4k3/8/8/1b6/8/3N4/4P3/4K3", ""},
		{"and one that nothing guards", "4k3/8/8/1b6/8/3N4/8/4K3", "d3"},
		{"a rook behind another piece does not", "4k3/8/8/3r4/3p4/3N4/8/4K3", ""},
		{"a knight attacks guarded rooks and queens", "3r1qk1/8/4N3/8/8/8/8/4K3", "d8 f8"},
		{"a king guards, and attacks what is loose", "8/8/8/8/8/8/1kp5/3RK3", "d1"},
		{"a rook attacks a guarded queen, which attacks it", "3rk3/8/8/8/8/8/8/3QK3", "d1"},
		{"a pawn that nothing guards", "4k3/8/8/R2p4/8/8/8/4K3", "d5"},
		{"kings are not threatened", "4k3/8/8/8/8/8/8/R3K3", ""},
	} {
		expectMarks(t, v, c.what, c.ranks, c.want, func(m marks) rules.Bitboard { return m.threatened })
	}
}

// expectMarks compares the marked squares of a position, and of the same with the colors exchanged.
func expectMarks(t *testing.T, v *rules.Variant, what, ranks, want string,
	of func(marks) rules.Bitboard) {
	t.Helper()
	for _, turned := range []bool{false, true} {
		if turned {
			list := strings.Split(strings.Map(exchange, ranks), "/")
			slices.Reverse(list)
			ranks = strings.Join(list, "/")
		}
		p, err := v.ParseFEN(ranks + " w - - 0 1")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for s := range of(marksOf(&p)).Squares() {
			if turned {
				s ^= 56
			}
			got = append(got, s.String())
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s, turned %t: got %v, want %s", what, turned, got, want)
		}
	}
}

// exchange is the letter of the same kind of piece of the other color.
func exchange(r rune) rune {
	if lower := strings.ToLower(string(r)); lower != string(r) {
		return rune(lower[0])
	}
	return rune(strings.ToUpper(string(r))[0])
}
