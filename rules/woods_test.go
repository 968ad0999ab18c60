// SPDX-License-Identifier: Apache-2.0

package rules

import "testing"

// middleGames are positions from the middle of games, about 35 moves each, on which the board's speed is measured.
var middleGames = []struct{ id, fen string }{
	{"chess", "rnb1k2r/p1ppqp2/3bpnp1/1P5p/N3P2P/1R6/2PP1PP1/2BQKBNR b Kkq - 4 11"},
	{"locking", "r1b1kbnr/ppp[pn]pppp/8/8/8/8/PPPP[qK]PPP/1NBQ1BNR w kq - 2 5"},
	{"meirav", "r2k4/2q3Nb/nN[QP]2[Pn]1b/[pP]pPpr1p1/6Pp/3PP2P/3[pB]4/1K1R1B1R b - - 2 45"},
	{"pillar", "r1b1kbnr/n7/p5pp/2pppp2/[Pp]2P1P2/4NKP1/[qR]PP1PQ1P/1NB2B1R w kq - 2 17"},
	{"superchess", "rnbqkb1r/B4pp1/1pp1pn2/p7/2N5/1PP1PN2/P2Pp2P/2K2[RB]b1 b kq - 1 16"},
	{"flying", "r[nR]b1kbn1/p1pp2p1/7p/4ppq1/2rP4/P4P2/1PP1P1PP/1NBQK1N1 b - - 1 19"},
}

// TestWoodsAreThePositionsAfter: the wood is that of the position after the move.
func TestWoodsAreThePositionsAfter(t *testing.T) {
	walks(t, 3, 100, func(t *testing.T, p *Position, moves []Move) {
		woods := p.AppendWoods(nil)
		if len(woods) != len(moves) {
			t.Fatalf("%s: %d woods, want %d", p.FEN(), len(woods), len(moves))
		}
		for i, w := range woods {
			q := *p
			q.Play(moves[i])
			for s := range NoSquare {
				before, after := p.AppendStack(nil, s), q.AppendStack(nil, s)
				if changed := string(letters(before)) != string(letters(after)); changed && !w.Touched.Has(s) {
					t.Errorf("%s %s: %s changes and is not touched", p.FEN(), p.Coord(w.Move), s)
				}
			}
			lower, upper := levels(&q)
			if w.Move != moves[i] || w.Lower != lower || w.Upper != upper {
				t.Errorf("%s %s: wood %x %x, want %x %x", p.FEN(), p.Coord(moves[i]), w.Lower, w.Upper, lower, upper)
			}
		}
	})
}

// levels is what Wood says of a position, square by square.
func levels(p *Position) (lower, upper Bitboard) {
	for s := range NoSquare {
		stack := p.AppendStack(nil, s)
		if p.Variant().Layered() && len(stack) > 0 {
			low, top := p.lower.at(s), p.upper.at(s)
			if low != NoPiece {
				lower |= s.bit()
			}
			if top != NoPiece {
				upper |= s.bit()
			}
			continue
		}
		if len(stack) > 0 {
			lower |= s.bit()
		}
		if len(stack) > 1 {
			upper |= s.bit()
		}
	}
	return lower, upper
}

func letters(stack []Piece) (b []byte) {
	for _, pc := range stack {
		b = append(b, pc.Letter())
	}
	return b
}

// BenchmarkWoods lists the legal moves of a middle-game position with the wood each leaves.
func BenchmarkWoods(b *testing.B) {
	woods := make([]Wood, 0, 256)
	for _, at := range middleGames {
		p := position(b, at.id, at.fen)
		b.Run(at.id, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				woods = p.AppendWoods(woods[:0])
			}
			b.ReportMetric(float64(len(woods)), "moves")
		})
	}
}
