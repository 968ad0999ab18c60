// SPDX-License-Identifier: Apache-2.0

package rules

import "testing"

var exchangePrice = [8]int32{Pawn: 100, Knight: 320, Bishop: 330, Rook: 500, Queen: 950}

func TestExchange(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      int32
		why       string
	}{
		{"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100, "nobody takes back"},
		{"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320,
			"a knight for a pawn, with pieces behind one another"},
		{"4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5", 100 - 500, "guarded by a pawn"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100, "in passing"},
		{"4k3/4p3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0, "in passing, and taken back"},
		{"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 950 - 100, "takes and promotes"},
		{"r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100, "promotes where it is taken"},
		{"4k3/8/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", 100, "the king of the other side is too far"},
		{"8/8/4k3/4p3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", 100, "the king may not take what is guarded from behind"},
		{"8/8/4k3/4p3/8/8/4R3/6K1 w - - 0 1", "e2e5", 100 - 500, "the king takes back"},
		{"4k3/8/8/8/8/3p4/8/4KQ2 w - - 0 1", "f1e2", -950 + 100, "a quiet move onto a square that is struck"},
	} {
		p, err := orthodox.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := p.StaticExchange(m, &exchangePrice); got != c.want || !ok {
			t.Errorf("%s %s (%s): got %d, %v, want %d", c.fen, c.move, c.why, got, ok, c.want)
		}
	}
}

// TestExchangeByPlaying: in orthodox chess the exchange is the result of both sides capturing on the board, by the
// generator and with the pieces moved. No other game has one. Squares on which pawns promote are left out.
func TestExchangeByPlaying(t *testing.T) {
	pays := 0
	walks(t, 60, 120, func(t *testing.T, p *Position, moves []Move) {
		for _, m := range moves {
			got, ok := p.StaticExchange(m, &exchangePrice)
			if ok != (p.rules() == &orthodox) {
				t.Fatalf("%s: is there an exchange: %v", p.FEN(), ok)
			}
			if r := m.To().Rank(); !ok || r == 0 || r == 7 {
				continue
			}
			want := taken(p, m) - answer(p, m)
			if got != want {
				t.Errorf("%s %s: got %d, want %d", p.FEN(), p.Coord(m), got, want)
			}
			if m.IsCapture() && got != taken(p, m) {
				pays++
			}
		}
	})
	if pays < 100 {
		t.Errorf("%d captures were answered, too few to tell", pays)
	}
}

func taken(p *Position, m Move) int32 {
	if m.IsEnPassant() {
		return exchangePrice[Pawn]
	}
	return exchangePrice[p.lower.at(m.To()).Kind()]
}

// answer is what the opponent of the move wins by taking back with the least piece, if that pays.
func answer(p *Position, m Move) int32 {
	q := *p
	chessWood(&q, m)
	q.turn, q.passed = q.turn.Other(), NoSquare
	s := sink{list: true, loose: true}
	chessMoves(&q, &s)
	best := NoMove
	for _, reply := range s.moves {
		kind := q.lower.at(reply.From()).Kind()
		if reply.To() == m.To() && reply.IsCapture() &&
			(best == NoMove || value(kind) < value(q.lower.at(best.From()).Kind())) {
			best = reply
		}
	}
	if best == NoMove {
		return 0
	}
	if q.lower.at(best.From()).Kind() == King {
		r := q
		chessWood(&r, best)
		if chessCheckers(&r, q.turn) != 0 {
			return 0
		}
	}
	return max(0, taken(&q, best)-answer(&q, best))
}

// value is the price, and the king's above all.
func value(k Kind) int32 {
	if k == King {
		return 10000
	}
	return exchangePrice[k]
}
