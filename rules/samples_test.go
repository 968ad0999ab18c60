// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"
	"testing"
)

// lockingSample is the inventor's game, RULES 3.10.
const lockingSample = `1.e4 e5 2.Nf3 Qe8* 3.Bg2* Bg7* 4.O-O* Nf6 5.Re1 Be5* 6.Ra2* d5 7.d3 Nc6 8.Be3 d4 9.Bxd4 Nxd4 10.Nxd4 Bd4* 11.Rd1* Ba7*
12.Nb5 Qb5* 13.Rb1* Bg4 14.f3 Bxf3 15.Bf3* Qxb1 16.Qxb1 Bg1* 17.Nxc7+ Ke7 18.Nxa8 Rxa8 19.Ra8* Nh5 20.gxBf3* Nf4 21.Qf1 Kf6
22.Bd5 Kg5 23.Bxb7 Kh4 24.Qf2+ Bf2* 25.BxRa8* Kh3 26.Ra2* h5 27.RxBf2* h4 28.Rf4* f6 29.Qxh4+ Kxh4 30.Rh4* Ng6 31.Kh2* NxRh4*
32.Kg3#`

// TestLockingSample plays the inventor's game; what we write for each move must be what he wrote.
func TestLockingSample(t *testing.T) {
	p := locking.Start()
	for _, text := range strings.Fields(lockingSample) {
		if _, after, found := strings.Cut(text, "."); found {
			text = after
		}
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		if got := p.SAN(m); got != text {
			t.Errorf("%s: %s: got %s, want %s", p.FEN(), p.Coord(m), got, text)
		}
		p.Play(m)
	}
	if got := p.Result(); got != RoyalLockmate {
		t.Errorf("after the game: got %s, want %s", got, RoyalLockmate)
	}
}

func TestOpeningCounts(t *testing.T) {
	p := locking.Start()
	if got := p.CountMoves(); got != 40 {
		t.Errorf("locking: got %d opening moves, want 40 (RULES 3.10)", got)
	}
}

// superchessSample is the source's game, RULES 6.9.
const superchessSample = `e2e4 e7e5 d2d4 e5d4 c2c3 d4c3 b1c3 f8b4 f1c4 g8f6 g1f3 e8g8 e4e5 f6e4 d1c2 e4c3 b2c3 b4f8* e1g1 f8c5 c4f1* b8c6 f1d3 g7g6
c1g5 d8e8 g5f6 d7d6 f3g5 c6e5 d3e4 h7h6 e4h4 e5g4 g5e4 c5f5 f6e7 f5e5 a1e1 e5h2:1 g1h1 h2e5* e4f6 e5f6:1 e1e5 d6e5*`

// superchessNotes is that game in the source's own notation, with its "ed", "dc", "o-o" and its count of moves put
// right.
const superchessNotes = `e4 e5 d4 exd4 c3 dxc3 Nxc3 Bb4 Bc4 Nf6 Nf3 O-O e5 Ne4 Qc2 Nxc3 bxc3 Bof8 O-O BRc5 Bof1 Nc6 BRd3 g6 Bg5 Qe8 Bf6 d6 Ng5 Nxe5
BRe4 h6 BRh4 Ng4 Ne4 BRf5 Be7 BRe5 Re1 oBxh2+ Kh1 Boe5 Nf6+ oBxf6 Rxe5 doe5`

func TestSuperchessSample(t *testing.T) {
	p := superchess.Start()
	notes := strings.Fields(superchessNotes)
	for i, text := range strings.Fields(superchessSample) {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		if got := p.SAN(m); got != notes[i] {
			t.Errorf("%s: %s: got %s, want %s", p.FEN(), text, got, notes[i])
		}
		p.Play(m)
	}
}

// TestFlyingSample is the source's mate in two, RULES 7.6.
func TestFlyingSample(t *testing.T) {
	p := flying.Start()
	for _, text := range []string{"Bf1^", "a6", "Bb5^"} {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		want := text
		if text == "Bb5^" {
			want += "#"
		}
		if got := p.SAN(m); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		p.Play(m)
	}
	if got := p.Result(); got != Checkmate {
		t.Errorf("got %s, want %s", got, Checkmate)
	}
}
