// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math/rand/v2"
	"testing"
)

// walks plays seeded random games of every variant and shows each position.
func walks(t *testing.T, games, plies int, see func(t *testing.T, p *Position, moves []Move)) {
	for _, v := range Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			for range games {
				p := v.Start()
				for range plies {
					moves := p.AppendMoves(nil)
					see(t, &p, moves)
					if len(moves) == 0 || t.Failed() {
						break
					}
					p.Play(moves[random.IntN(len(moves))])
				}
			}
		})
	}
}

// TestPositionsRoundTrip: Count counts what is listed, the incremental key equals the computed key, and a position
// written and read again is the same value.
func TestPositionsRoundTrip(t *testing.T) {
	walks(t, 60, 200, func(t *testing.T, p *Position, moves []Move) {
		fen := p.FEN()
		if got := p.CountMoves(); got != len(moves) {
			t.Errorf("%s: counted %d moves, listed %d", fen, got, len(moves))
		}
		if got, want := p.Key(), p.keyFromScratch(); got != want {
			t.Errorf("%s: key %x, from scratch %x", fen, got, want)
		}
		q, err := p.Variant().ParseFEN(fen)
		if err != nil {
			t.Errorf("%v", err)
		} else if q != *p {
			t.Errorf("%s: read again is %s, or differs in what FEN does not show", fen, q.FEN())
		}
	})
}

// TestNotationRoundTrip: both notations are unique in the position and read back as the move.
func TestNotationRoundTrip(t *testing.T) {
	walks(t, 4, 120, func(t *testing.T, p *Position, moves []Move) {
		notationIsUnique(t, p)
		i := len(moves) / 2
		if i == len(moves) {
			return
		}
		for _, text := range []string{p.SAN(moves[i]), p.Coord(moves[i])} {
			if got, err := p.ParseMove(text); err != nil || got != moves[i] {
				t.Errorf("%s: %s read as %s, %v; want %s", p.FEN(), text, p.Coord(got), err, p.Coord(moves[i]))
			}
		}
	})
}

func notationIsUnique(t *testing.T, p *Position) {
	t.Helper()
	seen := map[string]Move{}
	n := p.notation()
	for i, m := range n.moves {
		for _, text := range []string{n.text(p, i), p.Coord(m)} {
			if o, dup := seen[text]; dup && o != m {
				t.Errorf("%s: %s and %s are both written %s", p.FEN(), p.Coord(o), p.Coord(m), text)
			}
			seen[text] = m
		}
	}
}

// TestNothingAllocates: listing, counting and playing moves stays off the heap.
func TestNothingAllocates(t *testing.T) {
	buf := make([]Move, 0, 1024)
	walks(t, 2, 60, func(t *testing.T, p *Position, moves []Move) {
		walk := func() {
			q := *p
			n := q.CountMoves()
			for _, m := range q.AppendMoves(buf[:0]) {
				next := q
				next.Play(m)
				n += int(next.Key() & 1)
			}
			if n < 0 || q.InCheck() && n == 0 && q.Occupied() == 0 {
				panic("never")
			}
		}
		if testing.AllocsPerRun(1, walk) == 0 {
			return
		}
		// the first may have been the runtime's, which is counted as well
		if got := testing.AllocsPerRun(10, walk); got > 0 {
			t.Errorf("%s: %v allocations", p.FEN(), got)
		}
	})
}

// TestLegalIsLooseAndSafe: the legal moves are those of the loose listing after which the king cannot be taken, tried
// out one by one. It tells the pins and masks of the generators from the plain rule; only castling and the royal
// approach (3.5, 3.8) ask for more.
func TestLegalIsLooseAndSafe(t *testing.T) {
	walks(t, 40, 150, func(t *testing.T, p *Position, moves []Move) {
		legalIsLooseAndSafe(t, p, moves)
	})
}

func legalIsLooseAndSafe(t *testing.T, p *Position, moves []Move) {
	t.Helper()
	legal := map[Move]bool{}
	for _, m := range moves {
		legal[m] = true
	}
	loose := sink{list: true, loose: true}
	p.rules().moves(p, &loose)
	safe := 0
	for _, m := range loose.moves {
		q := *p
		p.rules().wood(&q, m)
		ok := p.rules().checkers(&q, p.turn) == 0
		if ok && !legal[m] && (m.IsCastling() || p.lower.kind(King)&p.upper.occupied() != 0 &&
			m.From() == p.KingSquare(p.turn)) {
			continue
		}
		if ok != legal[m] {
			t.Errorf("%s %s: safe %v, legal %v", p.FEN(), p.Coord(m), ok, legal[m])
		}
		if ok {
			safe++
		}
	}
	if safe != len(moves) {
		t.Errorf("%s: %d legal moves, %d loose and safe", p.FEN(), len(moves), safe)
	}
}

// scattered is a FEN with pieces at random on the board, alone and on one another. A pawn in it might just have moved
// two squares. No game reaches such positions. Many are refused, for their kings or their pawn.
func scattered(random *rand.Rand, v *Variant) string {
	var stacks [64][]Piece
	throw := func(s Square, pc Piece) {
		stack := append(stacks[s][:len(stacks[s]):len(stacks[s])], pc)
		if v.setup.fault(s, stack) == nil {
			stacks[s] = stack
		}
	}
	anywhere := func() Square { return SquareAt(random.IntN(8), random.IntN(5)+random.IntN(4)) }
	turn, passed := Color(random.IntN(2)), NoSquare
	if random.IntN(2) == 0 {
		step := turn.Other().forward()
		passed = rankOf(turn.Other(), 2-random.IntN(5)/4).first() + Square(random.IntN(8))
		throw(Square(int(passed)+step), NewPiece(turn.Other(), Pawn))
		throw(Square(int(passed)+step+1-2*random.IntN(2)), NewPiece(turn, Pawn))
	}
	throw(anywhere(), NewPiece(White, King))
	throw(anywhere(), NewPiece(Black, King))
	for range random.IntN(26) {
		throw(anywhere(), NewPiece(Color(random.IntN(2)), 1+Kind(random.IntN(5))))
	}
	var b []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			stack := stacks[SquareAt(file, rank)]
			switch {
			case len(stack) == 0:
				b = append(b, '1')
				continue
			case v.gaps && len(stack) == 1 && v.setup.fault(a4, []Piece{NoPiece, stack[0]}) == nil && random.IntN(2) == 0:
				stack = []Piece{NoPiece, stack[0]}
			}
			b = appendLetters(b, stack)
		}
		b = append(b, "/ "[(8-rank)/8])
	}
	rights := []string{"-", "-", "K", "Q", "k", "q", "Kq"}[random.IntN(7)]
	return string(b) + string("wb"[turn]) + " " + rights + " " + passed.String() + " 0 1"
}

const a4 = Square(24)

// TestScattered holds positions that no game reaches to the same properties.
func TestScattered(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 8))
			accepted, passing := 0, 0
			for range 20000 {
				p, err := v.ParseFEN(scattered(random, v))
				if err != nil {
					continue
				}
				accepted++
				if p.passed != NoSquare {
					passing++
				}
				moves := p.AppendMoves(nil)
				legalIsLooseAndSafe(t, &p, moves)
				if accepted%10 == 0 {
					notationIsUnique(t, &p)
				}
				for _, m := range moves {
					q := p
					q.Play(m)
					if r, err := v.ParseFEN(q.FEN()); err != nil || r != q {
						t.Errorf("%s %s: %s read again: %v", p.FEN(), p.Coord(m), q.FEN(), err)
					}
				}
				if t.Failed() {
					return
				}
			}
			if accepted < 1000 || passing < 100 {
				t.Errorf("%d positions accepted, %d with a passed square; want 1000 and 100", accepted, passing)
			}
		})
	}
}
