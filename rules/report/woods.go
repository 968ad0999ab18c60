// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"boardd/rules"
)

// middleGames are positions from the middle of games. How many legal moves each has is printed with its time.
var middleGames = []struct{ id, fen string }{
	{"chess", "rnb1k2r/p1ppqp2/3bpnp1/1P5p/N3P2P/1R6/2PP1PP1/2BQKBNR b Kkq - 4 11"},
	{"locking", "r1b1kbnr/ppp[pn]pppp/8/8/8/8/PPPP[qK]PPP/1NBQ1BNR w kq - 2 5"},
	{"meirav", "r2k4/2q3Nb/nN[QP]2[Pn]1b/[pP]pPpr1p1/6Pp/3PP2P/3[pB]4/1K1R1B1R b - - 2 45"},
	{"pillar", "r1b1kbnr/n7/p5pp/2pppp2/[Pp]2P1P2/4NKP1/[qR]PP1PQ1P/1NB2B1R w kq - 2 17"},
	{"superchess", "rnbqkb1r/B4pp1/1pp1pn2/p7/2N5/1PP1PN2/P2Pp2P/2K2[RB]b1 b kq - 1 16"},
	{"flying", "r[nR]b1kbn1/p1pp2p1/7p/4ppq1/2rP4/P4P2/1PP1P1PP/1NBQK1N1 b - - 1 19"},
}

// woods times listing the legal moves of a middle-game position with the wood each leaves.
func woods(turns int) error {
	const calls = 100_000
	fmt.Printf("\n%-12s %6s %24s\n", "game", "moves", "us CPU to list the wood")
	for _, at := range middleGames {
		v, err := rules.ByID(at.id)
		if err != nil {
			return err
		}
		p, err := v.ParseFEN(at.fen)
		if err != nil {
			return err
		}
		var list []rules.Wood
		c := contestant{name: at.id, run: func() (uint64, float64, error) {
			return timed(func() uint64 {
				for range calls {
					list = p.AppendWoods(list[:0])
				}
				return calls
			})
		}}
		for range turns {
			if err := c.once(); err != nil {
				return err
			}
		}
		fmt.Printf("%-12s %6d %24.2f\n", at.id, len(list), 1/c.rate())
	}
	return nil
}
