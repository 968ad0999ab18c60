// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardd/rules"
)

// TestFrozen pins where the yardstick takes seeded random openings in ten moves. Another position is another
// yardstick: no result against it could be compared with an earlier one.
func TestFrozen(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(1, 2))
		p := v.Start()
		for range 14 {
			moves := p.AppendMoves(nil)
			slices.Sort(moves)
			p.Play(moves[r.IntN(len(moves))])
		}
		f := NewFrozen(2000)
		for range 10 {
			m, _ := f.Choose(p, nil)
			p.Play(m)
		}
		if got, want := p.FEN(), pinned[v.ID()]; got != want {
			t.Errorf("\n\t%q: %q, // want %q", v, got, want)
		}
	}
}

var pinned = map[string]string{
	"chess":          "r2qk1nr/4pp1p/1p4pb/p1pp4/P2P1PQ1/N7/1PPK2PP/1R3BNR w kq - 0 13",
	"locking":        "3qk1nr/[pQ]p[pr]pppRp/8/8/6P1/4P3/PPPN1P1P/1R3KN1 w - - 3 13",
	"meirav":         "r2qk1nr/4pp1p/1pp2npb/p7/P2P[Pp]Pb1/N5Q1/1PP3PP/R1B1KBNR w Kkq - 0 13",
	"pillar":         "r2qk2r/1pp1pp1p/6p1/p2p3n/P2P1[PbbQ]2/N7/1PP[BPnK]2PP/1R3BNR w kq - 1 13",
	"pillar-liberal": "r2qk2r/1pp1pp1p/6p1/p2p3n/P2P1[PbbQ]2/N7/1PP[BPnK]2PP/1R3BNR w kq - 1 13",
	"superchess":     "r2qk1nr/1pp1pp1p/6p1/B1np4/P2Pb2P/N7/1PP1P1P1/1R1QKBR1 w kq - 3 13",
	"flying":         "1[nr]b1kbnr/[-R]1p1p2p/8/p4pB1/2p5/7P/PP1PPPP1/1N1K1BN[-R] w k - 0 13",
}
