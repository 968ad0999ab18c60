// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"

	"boardd/rules"
)

func Example() {
	v, err := rules.ByID("locking")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := v.Start()
	for _, text := range []string{"e4", "e5", "Nf3", "d8e8*"} {
		m, err := p.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Coord(m), p.SAN(m))
		p.Play(m)
	}
	fmt.Println(p.FEN())
	_, err = p.ParseMove("Ra3")
	fmt.Println(err)
	// Output:
	// e2e4 e4
	// e7e5 e5
	// g1f3 Nf3
	// d8e8* Qe8*
	// rnb1[kq]bnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
	// move "Ra3" is not legal: rook a1: the way to a3 is blocked by the white pawn on a2; legal near it: Na3 (b1a3), a3 (a2a3)
}

func ExamplePosition_Why() {
	v, _ := rules.ByID("superchess")
	p := v.Start()
	fmt.Println(p.Why(0, 1))
	fmt.Println(p.Why(0, 16).Rule, p.Why(0, 16))
	// Output:
	// the white knight on b1 is in its way
	// 1 the way to a3 is blocked by the white pawn on a2
}

func ExampleVariant_ParseFEN() {
	v, _ := rules.ByID("locking")
	_, err := v.ParseFEN("4k3/8/8/8/3[PNB]4/8/8/P3K3 w K - 0 1")
	fmt.Println(err)
	// Output:
	// fen "4k3/8/8/8/3[PNB]4/8/8/P3K3 w K - 0 1" of locking: placement, d4: more than two pieces, want at most one on another
	// placement, a1: white pawn on the first rank of its side
	// castling: K, but no white rook stands ready on h1
}
