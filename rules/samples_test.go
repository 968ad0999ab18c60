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
