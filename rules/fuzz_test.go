// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
)

// seedPositions adds every position of the tables, with its game.
func seedPositions(f *testing.F, add func(variant, fen string)) {
	for _, file := range []string{"testdata/moves.tsv", "testdata/results.tsv", "testdata/badfen.tsv"} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if c := strings.Split(line, "\t"); len(c) > 2 && c[0] != "variant" {
				add(c[0], c[1])
			}
		}
	}
}

// FuzzFEN: what is accepted is written back in a form that gives the same position, key and moves.
func FuzzFEN(f *testing.F) {
	seedPositions(f, func(v, fen string) { f.Add(v, fen) })
	f.Fuzz(func(t *testing.T, id, fen string) {
		v, err := rules.ByID(id)
		if err != nil {
			return
		}
		p, err := v.ParseFEN(fen)
		if err != nil {
			if err.Error() == "" {
				t.Errorf("%q is refused without a word", fen)
			}
			return
		}
		q, err := v.ParseFEN(p.FEN())
		if err != nil || q != p || q.Key() != p.Key() {
			t.Fatalf("%q is written as %q, which reads as %q, %v", fen, p.FEN(), q.FEN(), err)
		}
		everyMove(t, &p)
	})
}

// everyMove holds the moves of a position to what is promised of their notation.
func everyMove(t *testing.T, p *rules.Position) {
	t.Helper()
	before := *p
	seen := map[string]bool{}
	for _, m := range p.AppendMoves(nil) {
		for _, text := range []string{p.Coord(m), p.SAN(m)} {
			if seen[text] {
				t.Fatalf("%s %s: %q stands for two moves", p.Variant().ID(), p.FEN(), text)
			}
			if back, err := p.ParseMove(text); err != nil || back != m {
				t.Fatalf("%s %s: %q reads as %s, %v", p.Variant().ID(), p.FEN(), text, p.Coord(back), err)
			}
		}
		seen[p.Coord(m)], seen[p.SAN(m)] = true, true
		q := *p
		q.Play(m)
		r, err := p.Variant().ParseFEN(q.FEN())
		if err != nil || r != q {
			t.Fatalf("%s %s after %s: %q reads back as %q, %v", p.Variant().ID(), p.FEN(), p.Coord(m), q.FEN(), r.FEN(), err)
		}
	}
	if *p != before {
		t.Fatalf("%s: looking at the moves changed the position to %s", before.FEN(), p.FEN())
	}
}

// FuzzMove: any text is either one of the legal moves or refused with a reason, and a refusal changes nothing.
func FuzzMove(f *testing.F) {
	seedPositions(f, func(v, fen string) {
		for _, text := range []string{"e2e4", "Nf3", "O-O-O*", "BxRa8*", "d4e3*", "2Rxe5", "oBxh2+", "B/Rc5", "f1^b5",
			"e1xe1^", "a7a8q:2", "Rxa5_", ""} {
			f.Add(v, fen, text)
		}
	})
	f.Fuzz(func(t *testing.T, id, fen, text string) {
		v, err := rules.ByID(id)
		if err != nil {
			return
		}
		p, err := v.ParseFEN(fen)
		if err != nil {
			return
		}
		before := p
		m, err := p.ParseMove(text)
		switch {
		case p != before:
			t.Fatalf("%s: reading %q changed it to %s", fen, text, p.FEN())
		case err != nil && err.Error() == "":
			t.Fatalf("%s: %q is refused without a word", fen, text)
		case err == nil && !slices.Contains(p.AppendMoves(nil), m):
			t.Fatalf("%s: %q is taken for %s, which is not legal", fen, text, p.Coord(m))
		}
	})
}

// pieces counts the pieces at all levels.
func pieces(p *rules.Position) (n int) {
	var buf [40]rules.Piece
	for s := range rules.Square(64) {
		for _, c := range p.AppendStack(buf[:0], s) {
			if c != rules.NoPiece {
				n++
			}
		}
	}
	return n
}

// TestConservation: nothing ever leaves the board in Pillar Chess (5.1). In Meirav only buried pieces do (4.1, 4.2).
// In the other games only the captured pieces do, at most two at once.
func TestConservation(t *testing.T) {
	for _, v := range rules.Variants() {
		r := rand.New(rand.NewPCG(7, 7))
		for range 40 {
			p := v.Start()
			for range 120 {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				m := moves[r.IntN(len(moves))]
				q := p
				q.Play(m)
				lost := pieces(&p) - pieces(&q)
				limit := 0
				switch {
				case strings.HasPrefix(v.ID(), "pillar"):
				case v.ID() == "meirav":
					if m.IsCapture() && !m.IsEnPassant() {
						limit = 1
					}
				case m.IsCapture():
					limit = 2
				}
				if lost < 0 || lost > limit {
					t.Fatalf("%s %s: %s loses %d pieces, at most %d may go", v.ID(), p.FEN(), p.Coord(m), lost, limit)
				}
				p = q
			}
		}
	}
}
