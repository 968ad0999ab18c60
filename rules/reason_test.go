// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"
	"testing"
)

// TestWhy: the reason names what is to blame, and its section of the rules.
func TestWhy(t *testing.T) {
	for _, c := range []struct{ id, fen, move, rule, want string }{
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2", "", "legal"},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "b1b2", "1", "no piece stands on b1"},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e8e7", "1", "the black king on e8 may not move: it is white's turn"},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1b2", "1", "a rook does not go from a1 to b2"},
		{"chess", "4k3/8/8/8/P7/8/8/R3K3 w Q - 0 1", "a1a5", "1", "blocked by the white pawn on a4"},
		{"chess", "r3k3/p7/8/8/P7/8/8/R3K3 w Qq - 0 1", "a1a8", "1", "blocked by the white pawn on a4"},
		{"chess", "r3k3/p7/8/8/P7/8/8/R3K3 b Qq - 0 1", "a8a1", "1", "blocked by the black pawn on a7"},
		{"chess", "4k2r/6pp/7b/8/8/4P3/3P4/4K3 b - - 0 1", "h6c1", "1", "blocked by the white pawn on e3"},
		{"chess", "4k3/8/8/8/P7/8/8/R3K3 w Q - 0 1", "a1a4", "1", "the white pawn on a4 is in its way"},
		{"chess", "4k3/8/8/8/P7/8/8/R3K3 w Q - 0 1", "a4a6", "1", "two squares only from its second rank"},
		{"chess", "4k3/8/8/8/P7/8/8/R3K3 w Q - 0 1", "a4b5", "1", "only to capture"},
		{"chess", "4k3/8/8/p7/P7/8/8/R3K3 w Q - 0 1", "a4a5", "1", "blocked by the black pawn on a5"},
		{"chess", "4r1k1/8/8/8/8/8/4N3/R3K3 w Q - 0 1", "e2c3", "1", "pinned: the king on e1 would be in check from the " +
			"black rook on e8"},
		{"chess", "4r1k1/8/8/8/8/8/8/R2NK3 w Q - 0 1", "a1a2", "1",
			"leaves the king on e1 in check from the black rook on e8"},
		{"chess", "3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1d1", "1", "the king would be in check from the black rook on d8"},
		{"chess", "3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "1", "over or onto d1"},
		{"chess", "4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "1", "out of check from the black rook on e8"},
		{"chess", "6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1", "1", "right to castle with the rook of a1 is lost"},
		{"chess", "6k1/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "1", "blocked by the white knight on b1"},
		{"locking", "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "d4d5", "3.1", "locked by the black knight"},
		{"locking", "4k3/8/8/8/3[NP]4/8/8/4K3 w - - 0 1", "d4d6", "3.3", "may not move two squares from an overlaid level"},
		{"locking", "4k3/8/8/3[Pr]4/8/3R4/8/4K3 w - - 0 1", "d3d5", "3.2", "only a knight may take the black rook on d5"},
		{"locking", "4k3/8/8/3[PB]4/8/3R4/8/4K3 w - - 0 1", "d3d5", "3.2", "two pieces stand on d5 already"},
		{"locking", "8/8/8/8/8/6[kb]1/8/4K3 w - - 0 1", "e1f2", "3.8", "could land on him"},
		{"meirav", "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "d4d5", "4.2", "is buried"},
		{"meirav", "4k3/8/8/8/8/3[nR]4/8/4K3 w - - 0 1", "d3d5", "4.3", "uncovers the black knight on d3"},
		{"pillar", "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "d4d5", "5.1", "belongs to black, whose knight is on top"},
		{"pillar", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a8b8", "5.3", "left on its last rank"},
		{"superchess", "4k3/8/8/8/3[Rn]4/8/8/4K3 w - - 0 1", "d4d5", "6.1", "occupied by the black knight"},
		{"superchess", "4k3/8/8/8/3R4/8/3R4/4K3 w - - 0 1", "d2d4", "6.2", "a rook may not occupy a rook"},
		{"superchess", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "e1d2", "6.2", "a king may not occupy a rook"},
		{"superchess", "4k3/8/8/8/3R4/8/3[RN]4/4K3 w - - 0 1", "d2d4", "6.3", "together may not occupy"},
		{"superchess", "6k1/8/8/8/4R3/3P4/8/4K3 w - - 0 1", "d3e4", "6.2", "own rook by its advance only"},
		{"superchess", "4k3/8/8/8/3r4/3P4/8/4K3 w - - 0 1", "d3d4", "6.2", "enemy rook by its capturing move only"},
		{"superchess", "6k1/8/8/8/1r6/8/3[rQ]K3/8 w - - 0 1", "d2d5:1", "6.7", "uncovers the black rook on d2"},
		{"flying", "4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "d4d4", "7.2", "a queen stays on the ground"},
		{"flying", "4k3/8/8/[-b]7/8/2[-B]5/8/4K3 w - - 0 1", "c3c4", "1", "a bishop does not go from c3 to c4"},
		{"flying", "4k3/8/8/[-b]7/8/2[-B]5/8/4K3 b - - 0 1", "a5d2", "1",
			"the way to d2 is blocked by the white bishop on c3"},
	} {
		p := position(t, c.id, c.fen)
		from, _ := ParseSquare(c.move[:2])
		to, _ := ParseSquare(c.move[2:4])
		r := p.Why(from, to)
		if m := p.looseMove(c.move); m != NoMove && r.Text == "" && c.want != "legal" {
			r = p.whyKing(m)
		}
		if r.Rule != c.rule || !strings.Contains(r.String(), c.want) {
			t.Errorf("%s %s %s: got %q (%s), want %q (%s)", c.id, c.fen, c.move, r, r.Rule, c.want, c.rule)
		}
		if _, err := p.ParseMove(c.move); (err == nil) != (c.want == "legal") {
			t.Errorf("%s %s %s: ParseMove says %v", c.id, c.fen, c.move, err)
		} else if err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %s: got error %q, want it to say %q", c.id, c.fen, c.move, err, c.want)
		}
	}
}

// TestWhyIsNeverSilent: whatever squares one asks for, a move is legal or a reason is given.
func TestWhyIsNeverSilent(t *testing.T) {
	walks(t, 1, 40, func(t *testing.T, p *Position, moves []Move) {
		legal := map[[2]Square]bool{}
		for _, m := range moves {
			legal[[2]Square{m.From(), m.To()}] = true
		}
		for from := Square(0); from < NoSquare; from += 3 {
			for to := range NoSquare {
				r := p.Why(from, to)
				if (r.Text == "") != legal[[2]Square{from, to}] {
					t.Errorf("%s %s%s: %q", p.FEN(), from, to, r)
				}
			}
		}
	})
}
