// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"reflect"
	"strings"
	"testing"

	"boardd/rules/say"
)

// TestNotation: the forms that RULES 2.3 describes.
func TestNotation(t *testing.T) {
	for _, c := range []struct{ id, fen, coord, san string }{
		{"chess", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "a1a8", "Ra8+"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
		{"chess", "k7/8/8/8/8/1N6/8/1N2K3 w - - 0 1", "b1d2", "N1d2"},
		{"chess", "k7/8/8/8/1N6/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2"},
		{"chess", "k7/8/8/8/8/1N3N2/8/1N2K3 w - - 0 1", "b1d2", "N1d2"},
		{"chess", "k7/8/8/8/8/1N6/8/1N2KN2 w - - 0 1", "b1d2", "Nb1d2"},
		{"chess", "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q+"},
		{"chess", "k2r4/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"},
		{"locking", "4k3/5p2/8/4[PN]3/8/8/8/4K3 w - - 0 1", "e5f7", "Nxf7"},
		{"locking", "4k3/5p2/8/4[PN]3/8/8/8/4K3 w - - 0 1", "e5f7*", "Nf7*"},
		{"locking", "4k3/8/8/8/3[np]P3/8/8/4K3 b - e3 0 1", "d4e3*", "dxe3*"},
		{"locking", "4k3/8/8/8/3[np]P3/8/8/4K3 b - e3 0 1", "d4e3", "e3"},
		{"locking", "4k3/8/8/5[bN]2/6P1/8/8/4K3 w - - 0 1", "g4f5*", "gxBf5*"},
		{"locking", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1*", "O-O*"},
		{"meirav", "4k3/8/8/[rN]6[Rb]/8/8/8/4K3 w - - 0 1", "h5a5_", "Rxa5_"},
		{"pillar", "4k3/8/4p3/8/4[NPR]3/8/8/4K3 w - - 0 1", "e4e6:2", "2Rxe6+"},
		{"pillar", "4k3/8/4p3/3[NPP]4/8/8/8/4K3 w - - 0 1", "d5e6:1", "1dxe6"},
		{"superchess", "k7/8/8/8/3[RB]4/8/8/4K3 w - - 0 1", "d4d6", "BRd6"},
		{"superchess", "k7/8/8/8/3[rB]4/8/8/4K3 w - - 0 1", "d4d6", "B/Rd6"},
		{"superchess", "k7/8/8/8/3[RB]4/8/8/4K3 w - - 0 1", "d4e5:1", "oBe5"},
		{"superchess", "k7/8/8/4[rn]3/3[RB]4/8/8/4K3 w - - 0 1", "d4e5:1*", "oBxoe5"},
		{"superchess", "k7/8/8/4r3/3P4/8/8/5K2 w - - 0 1", "d4e5*", "doe5"},
		{"superchess", "k7/3[rP]4/8/8/8/8/8/5K2 w - - 0 1", "d7d8q:1", "oPd8=Q+"},
		{"flying", "k7/8/8/8/8/8/8/4KB2 w - - 0 1", "f1f1^", "Bf1^"},
		{"flying", "k7/8/8/8/8/3[-B]4/8/4KB2 w - - 0 1", "d3^e2", "B^e2"},
		{"flying", "k7/8/8/8/8/3[-B]4/8/4KB2 w - - 0 1", "f1e2", "Be2"},
		{"flying", "1k6/8/8/8/8/3[-B]1[-B]2/8/4K3 w - - 0 1", "d3^e2", "Bd^e2"},
		{"flying", "6k1/8/8/8/8/8/8/R[-n]2K3 w - - 0 1", "a1b1^", "Rxb1^"},
		{"flying", "k7/8/8/8/8/8/8/4[Kn]3 w - - 0 1", "e1xe1^", "Kxe1^"},
	} {
		p := position(t, c.id, c.fen)
		m, err := p.ParseMove(c.coord)
		if err != nil {
			t.Errorf("%s: %v", c.fen, err)
			continue
		}
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s %s %s: got %s, want %s", c.id, c.fen, c.coord, got, c.san)
		}
		if got, err := p.ParseMove(c.san); err != nil || got != m {
			t.Errorf("%s %s %s: read as %s, %v", c.id, c.fen, c.san, p.Coord(got), err)
		}
	}
}

// TestNotationIsTolerant: what may be missing, or be more than needed (2.3).
func TestNotationIsTolerant(t *testing.T) {
	for _, c := range []struct{ id, fen, text, want string }{
		{"chess", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "0-0", "e1g1"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0!?", "e1c1"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra8", "a1a8"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Raa8#", "a1a8"},
		{"chess", "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8Q", "e7e8q"},
		{"chess", "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7-e8=Q", "e7e8q"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1-a8", "a1a8"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra1-a8", "a1a8"},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"},
		{"locking", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Bg2", "f1g2*"},
		{"locking", "4k3/8/8/5[bN]2/6P1/8/8/4K3 w - - 0 1", "gxf5", "g4f5*"},
		{"meirav", "4k3/8/8/[rN]6[Rb]/8/8/8/4K3 w - - 0 1", "Rxa5", "h5a5_"},
		{"flying", "k7/8/8/8/8/8/8/4KB2 w - - 0 1", "Bf1", "f1f1^"},
	} {
		p := position(t, c.id, c.fen)
		if m, err := p.ParseMove(c.text); err != nil || p.Coord(m) != c.want {
			t.Errorf("%s %s %s: read as %s, %v; want %s", c.id, c.fen, c.text, p.Coord(m), err, c.want)
		}
	}
}

// TestNotationRefuses what could be two moves, and says which.
func TestNotationRefuses(t *testing.T) {
	for _, c := range []struct{ id, fen, text, want string }{
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "Nbd2 (b1d2), Nfd2 (f3d2)"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Ng6", "no knight of white goes to g6, from none of b1, f3"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e9e4",
			`move "e9e4" is not legal: e9 is no square: files are a to h, ranks 1 to 8`},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e44", "e44 is no square"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nj3", "j3 is no square"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2-e5", "from e2 to e5; legal near it"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e5",
			"no pawn of white goes to e5, from none of a2, b2, c2, d2, e2, f2, g2, h2"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Rd4",
			"no rook of white goes to d4, from none of a1, h1"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ra4",
			"rook a1: the way to a4 is blocked by the white pawn on a2"},
		{"chess", "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8k", "the white pawn on e7 can go to e8, but its move is written " +
			"otherwise; legal near it: e8=N (e7e8n)"},
		{"chess", "k7/8/8/8/8/5N2/8/5NK1 w - - 0 1", "Ng6", "no knight of white"},
		{"chess", "k7/8/8/8/8/5N2/8/6K1 w - - 0 1", "Ng6", "knight f3: a knight does not go from f3 to g6"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Qg6", "white has no queen"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "f3g6", "legal near it: Ng1 (f3g1)"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "O-O", "the right to castle with the rook of h1 is lost"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "", "no legal move of white"},
		{"chess", "k7/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "e1e1^^^", "stands on e1 already"},
	} {
		p := position(t, c.id, c.fen)
		before := p
		if m, err := p.ParseMove(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: read as %s, %v; want an error with %q", c.fen, c.text, p.Coord(m), err, c.want)
		}
		if p != before {
			t.Errorf("%s %q: the position changed", c.fen, c.text)
		}
	}
}

// TestRefusalsAreSaid: a catalogue can say of every refused move that it is not legal, and what is near it.
func TestRefusalsAreSaid(t *testing.T) {
	p := Variants()[0].Start()
	for text, want := range map[string][]say.Part{
		"e2e5": {{Code: "move %q is not legal: %v", Args: []string{"e2e5"}},
			{Code: "legal near it: %s", Args: []string{"e3 (e2e3), e4 (e2e4)"}}},
		"zz": {{Code: "move %q is not legal: %v", Args: []string{"zz"}}},
		"e9e4": {{Code: "move %q is not legal: %s is no square: files are a to h, ranks 1 to 8",
			Args: []string{"e9e4", "e9"}}},
	} {
		if _, err := p.ParseMove(text); !reflect.DeepEqual(say.Of(err).Parts, want) {
			t.Errorf("%s: got %q, want %q", text, say.Of(err).Parts, want)
		}
	}
}
