// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"testing"
)

// TestTactics: the tactics are the legal moves that AppendTactics promises, told by the pieces themselves.
func TestTactics(t *testing.T) {
	landings := 0
	walks(t, 60, 200, func(t *testing.T, p *Position, moves []Move) {
		var want []Move
		for _, m := range moves {
			enemy := p.lower.at(m.To())
			lands := m.IsMarked() && enemy != NoPiece && enemy.Color() != p.turn && p.upper.at(m.To()) == NoPiece &&
				!p.rules().layered
			if k := m.Promotion(); k == Queen || k == NoKind && (m.IsCapture() || lands) {
				want = append(want, m)
			}
			if lands {
				landings++
			}
			if got := p.IsTactic(m); got != (len(want) > 0 && want[len(want)-1] == m) {
				t.Errorf("%s: %s is a tactic: %v", p.FEN(), p.Coord(m), got)
			}
		}
		got := p.AppendTactics(nil)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %d tactics, want %d", p.FEN(), len(got), len(want))
		}
	})
	if landings < 100 {
		t.Errorf("%d moves landed on an enemy, too few to tell", landings)
	}
}

// TestTouched: no stack changes outside the squares that a move is said to touch.
func TestTouched(t *testing.T) {
	walks(t, 40, 200, func(t *testing.T, p *Position, moves []Move) {
		for _, m := range moves {
			q := *p
			q.Play(m)
			touched := p.Touched(m)
			for s := range NoSquare {
				if !touched.Has(s) && !slices.Equal(p.AppendStack(nil, s), q.AppendStack(nil, s)) {
					t.Errorf("%s %s: %s changed", p.FEN(), p.Coord(m), s)
				}
			}
		}
	})
}

// TestPass: after a pass the other side is to move in the same position, and its key is the one from scratch.
func TestPass(t *testing.T) {
	walks(t, 20, 200, func(t *testing.T, p *Position, _ []Move) {
		if p.InCheck() {
			return
		}
		q := *p
		q.Pass()
		if got, want := q.Key(), q.keyFromScratch(); got != want {
			t.Errorf("%s: key %x after a pass, from scratch %x", p.FEN(), got, want)
		}
		if r, err := p.Variant().ParseFEN(q.FEN()); err != nil || r != q {
			t.Errorf("%s: after a pass %s: %v", p.FEN(), q.FEN(), err)
		}
	})
}

// TestMayCheck: no move that gives check is said not to. In chess none is said to that does not, except castling,
// promotions and captures in passing.
func TestMayCheck(t *testing.T) {
	checks := 0
	walks(t, 60, 200, func(t *testing.T, p *Position, moves []Move) {
		c := p.Checks()
		for _, m := range moves {
			q := *p
			q.Play(m)
			check, may := q.InCheck(), p.MayCheck(m, &c)
			if check {
				checks++
			}
			if check && !may {
				t.Errorf("%s: %s gives check", p.FEN(), p.Coord(m))
			}
			if exact := p.rules().trades && m&(enPassant|castle) == 0 && m.Promotion() == NoKind; exact && may && !check {
				t.Errorf("%s: %s gives no check", p.FEN(), p.Coord(m))
			}
		}
	})
	if checks < 1000 {
		t.Errorf("%d checks, too few to tell", checks)
	}
}

// TestMover: the kind that a move moves is that of an own piece on its square. Afterwards that kind stands on the
// square of arrival at some level, or has promoted.
func TestMover(t *testing.T) {
	walks(t, 40, 200, func(t *testing.T, p *Position, moves []Move) {
		for _, m := range moves {
			own := NewPiece(p.turn, p.Mover(m))
			if !slices.Contains(p.AppendStack(nil, m.From()), own) {
				t.Errorf("%s %s: no %v on %s", p.FEN(), p.Coord(m), own, m.From())
			}
			if m.Promotion() != NoKind && own.Kind() != Pawn {
				t.Errorf("%s %s: %v promotes", p.FEN(), p.Coord(m), own)
			}
			q := *p
			q.Play(m)
			if m.Promotion() == NoKind && !m.IsHeadbutt() && !slices.Contains(q.AppendStack(nil, m.To()), own) {
				t.Errorf("%s %s: no %v on %s afterwards", p.FEN(), p.Coord(m), own, m.To())
			}
		}
	})
}

// TestTop: the topmost piece is the last of the stack.
func TestTop(t *testing.T) {
	walks(t, 20, 200, func(t *testing.T, p *Position, _ []Move) {
		for s := range NoSquare {
			want := NoPiece
			if stack := p.AppendStack(nil, s); len(stack) > 0 {
				want = stack[len(stack)-1]
			}
			if got := p.Top(s); got != want {
				t.Errorf("%s: %v on %s, want %v", p.FEN(), got, s, want)
			}
		}
	})
}

// TestPawnKey: positions with the same pawns share a key, and no others in some hundred games do.
func TestPawnKey(t *testing.T) {
	seen := map[uint64][2]Bitboard{}
	shared := 0
	walks(t, 40, 200, func(t *testing.T, p *Position, _ []Move) {
		low, high := p.lower.kind(Pawn), p.upper.kind(Pawn)
		var pawns [2]Bitboard
		for c := range pawns {
			pawns[c] = low&p.lower.of(Color(c)) | high&p.upper.of(Color(c))
		}
		if before, ok := seen[p.PawnKey()]; ok {
			shared++
			if before != pawns {
				t.Errorf("%s: the key of other pawns", p.FEN())
			}
		}
		seen[p.PawnKey()] = pawns
	})
	if shared < 1000 {
		t.Errorf("%d positions with pawns as before, too few to tell", shared)
	}
}

// TestStrikes: in orthodox chess Kinds and Strikes say what Pieces and Attacks say of single pieces.
func TestStrikes(t *testing.T) {
	walks(t, 20, 200, func(t *testing.T, p *Position, _ []Move) {
		if p.rules() != &orthodox {
			return
		}
		for _, c := range []Color{White, Black} {
			kinds := p.Kinds(c)
			var by [7]Bitboard
			for k := Pawn; k <= King; k++ {
				if kinds[k] != p.Pieces(c, k) {
					t.Errorf("%s: the %ss of %s stand on %v", p.FEN(), k, c, kinds[k])
				}
				for s := range kinds[k].Squares() {
					by[k] |= reach(k, c, s, p.Occupied())
				}
			}
			want := Strikes{Pawns: by[Pawn], Minors: by[Knight] | by[Bishop], Rooks: by[Rook],
				All: by[Pawn] | by[Knight] | by[Bishop] | by[Rook] | by[Queen] | by[King]}
			if got := p.Strikes(c); got != want {
				t.Errorf("%s: %s strikes %v, want %v", p.FEN(), c, got, want)
			}
		}
	})
}
