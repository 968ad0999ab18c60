// SPDX-License-Identifier: Apache-2.0

package openings

import (
	"strings"
	"testing"

	"boardd/rules"
)

// TestName: the longest line that has a name counts, also when the game has gone on.
func TestName(t *testing.T) {
	b := Open()
	for _, c := range []struct{ moves, eco, name string }{
		{"", "", ""},
		{"e4", "B00", "King's Pawn Game"},
		{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"},
		{"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Rg1 h5 Rh1", "B90", "Sicilian Defense: Najdorf Variation"},
		{"a4 h5 h4", "A00", "Ware Opening"},
	} {
		o, ok := b.Name(strings.Fields(c.moves))
		if o.ECO != c.eco || !strings.HasPrefix(o.Name, c.name) || ok != (c.name != "") {
			t.Errorf("%q: got %+v, want %s %s", c.moves, o, c.eco, c.name)
		}
	}
}

// TestEveryLine: every line of the list is a game that the rules play, written as they write it: otherwise it would
// never be found.
func TestEveryLine(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	b := Open()
	if len(b.byMoves) < 3500 {
		t.Errorf("%d openings: the list is not whole", len(b.byMoves))
	}
	for moves, o := range b.byMoves {
		p := v.Start()
		for _, san := range strings.Fields(moves) {
			m, err := p.ParseMove(san)
			if err != nil || p.SAN(m) != san {
				t.Errorf("%s, %s: %v, written %q", o.Name, san, err, p.SAN(m))
				break
			}
			p.Play(m)
		}
	}
}
