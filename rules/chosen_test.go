// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"
	"testing"
)

// Each reading that RULES.md marks as chosen, because the source leaves the case open, is pinned here by its name.

// has checks which of the coordinate moves are legal, and that those after '!' are not.
func has(t *testing.T, id, fen, moves string) {
	t.Helper()
	p := position(t, id, fen)
	legal := coords(&p)
	for _, m := range strings.Fields(moves) {
		name, forbidden := strings.CutPrefix(m, "!")
		if slices.Contains(legal, name) == forbidden {
			t.Errorf("%s %s: legal moves %v; want %s", id, fen, legal, m)
		}
	}
}

// after checks the position after a move.
func after(t *testing.T, id, fen, move, want string) {
	t.Helper()
	p := position(t, id, fen)
	m, err := p.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	p.Play(m)
	if got := p.FEN(); got != want {
		t.Errorf("%s %s %s: got %s, want %s", id, fen, move, got, want)
	}
}

// 3.4: a pawn that climbed with its double step cannot be taken in passing.
func TestChosenClimbingDoubleStepCannotBePassed(t *testing.T) {
	after(t, "locking", "4k3/8/8/8/3pN3/8/4P3/4K3 w - - 0 1", "e2e4*", "4k3/8/8/8/3p[NP]3/8/8/4K3 b - - 0 1")
	after(t, "locking", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
	has(t, "locking", "4k3/8/8/8/3p[NP]3/8/8/4K3 b - - 0 1", "!d4e3")
	has(t, "locking", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3 !d4e3*")
	has(t, "locking", "4k3/8/8/8/3[np]P3/8/8/4K3 b - e3 0 1", "d4e3 d4e3*")
	after(t, "locking", "4k3/8/8/8/3[np]P3/8/8/4K3 b - e3 0 1", "dxe3*", "4k3/8/8/8/3n4/4[Pp]3/8/4K3 w - - 0 2")
}

// 4.4: the pawn taken in passing is buried under the pawn that took it, on the square passed.
func TestChosenPassedPawnIsBuriedUnderItsCapturer(t *testing.T) {
	after(t, "meirav", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "dxe3", "4k3/8/8/8/8/4[Pp]3/8/4K3 w - - 0 2")
}

// 4.5: a pawn that reaches the last rank on the bottom board promotes at once.
func TestChosenBottomPawnsPromote(t *testing.T) {
	has(t, "meirav", "4k1[nN]1/7[PR]/8/8/8/8/8/4K3 w - - 0 1", "h7g8q_ h7g8n_ !h7g8_")
	after(t, "meirav", "4k1[nN]1/7[PR]/8/8/8/8/8/4K3 w - - 0 1", "hxg8=Q_", "4k1[QN]1/7R/8/8/8/8/8/4K3 b - - 0 1")
}

// 6.2: a pawn occupies an enemy rook by its capturing move only, and an own rook by its advance only.
func TestChosenPawnsOccupyRooks(t *testing.T) {
	has(t, "superchess", "6k1/8/8/8/4r3/3P4/8/5K2 w - - 0 1", "d3e4 d3e4* d3d4")
	has(t, "superchess", "6k1/8/8/8/3r4/3P4/8/5K2 w - - 0 1", "!d3d4 !d3d4*")
	has(t, "superchess", "6k1/8/8/8/3R4/3P4/8/5K2 w - - 0 1", "d3d4* !d3d4")
	has(t, "superchess", "6k1/8/8/8/4R3/3P4/8/5K2 w - - 0 1", "!d3e4 !d3e4* d3d4")
	has(t, "superchess", "6k1/8/8/8/3R4/8/3P4/5K2 w - - 0 1", "d2d4* d2d3 !d2d4")
	has(t, "superchess", "6k1/8/8/8/3R4/3n4/3P4/5K2 w - - 0 1", "!d2d4*")
}

// 6.6: occupying a rook on the last rank, or taking only its superpiece, does not promote.
func TestChosenOccupyingDoesNotPromote(t *testing.T) {
	has(t, "superchess", "R3r1k1/P2P4/8/8/8/8/8/5K2 w - - 0 1", "a7a8* !a7a8q* d7e8q d7e8* !d7e8q* !d7e8")
	has(t, "superchess", "4[rn]1k1/3P4/8/8/8/8/8/5K2 w - - 0 1", "d7e8q d7e8* !d7e8q*")
	after(t, "superchess", "4r1k1/3P4/8/8/8/8/8/5K2 w - - 0 1", "doe8", "4[rP]1k1/8/8/8/8/8/8/5K2 b - - 0 1")
}

// 6.6: free pawns and superpawns that leave their rook may capture in passing, units may not. Only a free pawn's
// double step onto an empty square can be captured so.
func TestChosenPassingIsNotForUnits(t *testing.T) {
	has(t, "superchess", "4k3/8/8/8/2[rp]P4/8/8/5K2 b - d3 0 1", "c4d3:1 !c4d3")
	has(t, "superchess", "4k3/8/8/8/2pP4/8/8/5K2 b - d3 0 1", "c4d3")
	after(t, "superchess", "4k3/8/8/8/2pR4/8/3P4/5K2 w - - 0 1", "d2d4*", "4k3/8/8/8/2p[RP]4/8/8/5K2 b - - 0 1")
}

// 7.3: a knight in the air may make its knight's move and end on the ground, whatever flies over the target.
func TestChosenKnightsDescendUnderFlyers(t *testing.T) {
	has(t, "flying", "4k3/8/2[-r]5/8/3[-N]4/8/8/4K3 w - - 0 1", "d4^c6 d4^c6^ d4^d4 d4^b5")
	has(t, "flying", "4k3/8/2r5/8/3[-N]4/8/8/4K3 w - - 0 1", "d4^c6")
}

// 5.5 and 8 together: Pillar Chess has no draw by insufficient material, so bare kings play on. Only a position that
// was set up can have them.
func TestChosenBareKingsOfPillar(t *testing.T) {
	for _, v := range Variants() {
		p := position(t, v.ID(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
		want := DeadPosition
		if v.ID() == "pillar" || v.ID() == "pillar-liberal" {
			want = Playing
		}
		if got := p.Result(); got != want {
			t.Errorf("%s: got %s, want %s", v, got, want)
		}
	}
}

// 2.3: a piece that rises straight up to take a flyer is written with its square, because Rxe1^ is its headbutt.
func TestChosenHeadbuttAndRise(t *testing.T) {
	p := position(t, "flying", "6k1/8/8/8/8/8/8/K3[Rn]3 w - - 0 1")
	for move, want := range map[string]string{"e1xe1^": "Rxe1^", "e1e1^": "Re1xe1^"} {
		m, err := p.ParseMove(move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.SAN(m); strings.TrimRight(got, "+") != want {
			t.Errorf("%s: got %s, want %s", move, got, want)
		}
	}
}
