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
