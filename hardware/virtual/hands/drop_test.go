// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// place reads "e4", or "e4^" on the upper deck.
func place(t *testing.T, s string) wood.Place {
	t.Helper()
	sq, err := rules.ParseSquare(strings.TrimSuffix(s, "^"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(s, "^") {
		return wood.PlaceAt(sensing.Upper, sq)
	}
	return wood.PlaceAt(sensing.Lower, sq)
}

// act does an act on a wood with two hands, and fails when nobody could.
func act(t *testing.T, w *wood.Wood, held *[2]wood.Pile, a Act) {
	t.Helper()
	switch a.Do {
	case Lift:
		n := len(w[a.Place]) - a.Count
		if n < 0 || held[a.Hand] != "" {
			t.Fatalf("%v: %q stands there, the hand holds %q", a, w[a.Place], held[a.Hand])
		}
		held[a.Hand], w[a.Place] = w[a.Place][n:], w[a.Place][:n]
	case Put:
		w[a.Place] += held[a.Hand]
		held[a.Hand] = ""
	case Discard:
		held[a.Hand] = ""
	case Take:
		held[a.Hand] += wood.Pile(a.Pieces)
	}
}

// TestDrop: what is offered when a hand lets go, and that each way ends with the wood of its move.
func TestDrop(t *testing.T) {
	twin := wood.Reference()
	twin.TwoDecks = true
	one := wood.Reference()
	for _, c := range []struct {
		game, fen string
		deck      *wood.Geometry
		from      string
		count     int
		to, want  string // moves and what stands there then
	}{
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &one, "e4", 1, "d5", "e4d5 P"},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &one, "e4", 1, "e5", "e4e5 P"},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &one, "e4", 1, "c5", ""},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &one, "e5", 1, "d6", "e5d6 P"},
		{"chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", &one, "e1", 1, "g1", "e1g1 K"},
		{"chess", "3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", &one, "e7", 1, "d8", "e7d8b B, e7d8n N, e7d8q Q, e7d8r R"},
		{"locking", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", &one, "e1", 1, "g1", ""}, // castling or castlock: the rook will say it
		{"locking", "4k3/8/8/3[pR]4/8/8/8/3QK3 w - - 0 1", &one, "d1", 1, "d5", "d1d5* QR"},
		{"locking", "4k3/8/8/3[pr]4/8/8/8/3QK3 w - - 0 1", &one, "d1", 1, "d5", "d1d5 Q"},
		{"locking", "4k3/8/5p2/8/4[PN]3/8/8/4K3 w - - 0 1", &one, "e4", 1, "f6", "e4f6 N, e4f6* pN"},
		{"pillar", "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", &one, "d1", 1, "d5", "d1d5 pQ"},
		{"pillar", "4k3/8/8/3p4/8/8/8/3[NQ]K3 w - - 0 1", &one, "d1", 1, "d5", "d1d5:1 pQ"},
		{"pillar", "4k3/8/8/3p4/8/8/8/3[nQ]K3 w - - 0 1", &one, "d1", 1, "d5", "d1d5 pnQ"}, // the top alone may not leave
		{"pillar", "4k3/8/8/8/8/8/8/3[nQ]K3 w - - 0 1", &one, "d1", 1, "d5", "d1d5 nQ"},
		{"pillar", "4k3/8/8/8/8/8/8/3[pPqN]K3 w - - 0 1", &one, "d1", 1, "e3", "d1e3 pPqN, d1e3:2 qN"},
		{"superchess", "4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", &one, "d1", 1, "d5", "d1d5 Q, d1d5* rQ"},
		{"meirav", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &twin, "e4^", 1, "d5^", "e4d5 P"},
		{"meirav", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &twin, "e4^", 1, "d5", ""}, // the wrong deck
		{"meirav", "4k3/8/8/3[pP]4/8/8/8/3[RN]K3 w - - 0 1", &one, "d1", 2, "d5", "d1d5_ RP"},
		{"flying", "4k3/8/8/8/8/8/8/4[Kr]3 w - - 0 1", &twin, "e1", 1, "e1^", "e1xe1^ "},
		{"flying", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &one, "a1", 1, "a4", "a1a4 R, a1a4^ #R"},
		{"flying", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &one, "a1", 1, "a1", "a1a1^ #R, back R"},
		{"flying", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &twin, "a1", 1, "a1", ""}, // it takes off to the upper deck
		{"flying", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &one, "e1", 1, "e1", ""},
	} {
		v, err := rules.ByID(c.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := v.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		now, held := c.deck.Lay(&p), [2]wood.Pile{}
		act(t, &now, &held, Act{Do: Lift, Place: place(t, c.from), Count: c.count})
		ways := Drop(c.deck, &p, p.AppendMoves(nil), &now, held[Right], place(t, c.to))
		var got []string
		for _, w := range ways {
			if w.Move == rules.NoMove {
				got = append(got, "back "+string(w.Stands))
				continue
			}
			got = append(got, p.Coord(w.Move)+" "+string(w.Stands))
			finishes(t, c.deck, &p, &now, held, &w)
		}
		if strings.Contains(c.want, "q ") && ways[0].Move.Promotion() != rules.Queen {
			t.Errorf("%s, %s: %s is offered first, not the queen", c.game, c.fen, got[0])
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s, %s from %s to %s: got %q, want %q", c.game, c.fen, c.from, c.to, s, c.want)
		}
	}
}

// finishes fails when the acts of a way do not end with the wood of its move and empty hands.
func finishes(t *testing.T, g *wood.Geometry, p *rules.Position, now *wood.Wood, held [2]wood.Pile, w *Way) {
	t.Helper()
	after, stands := *p, *now
	after.Play(w.Move)
	for _, a := range w.Acts {
		act(t, &stands, &held, a)
	}
	if want := g.Lay(&after); stands != want || held != [2]wood.Pile{} {
		t.Errorf("%s in %s: %v leaves %v and %v in the hands", p.Coord(w.Move), p.FEN(), w.Acts, stands.Diff(&want), held)
	}
}

// TestEveryCaptureDrops: every legal capture can be made by dropping the captor on the captured piece. This is tried
// in random games of every variant, on boards of one deck and of two. The hands then leave the wood of the move.
func TestEveryCaptureDrops(t *testing.T) {
	twin := wood.Reference()
	twin.TwoDecks = true
	one := wood.Reference()
	for _, id := range []string{"chess", "locking", "meirav", "pillar", "pillar-liberal", "superchess", "flying"} {
		v, err := rules.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		captures := 0
		for seed := range uint64(3) {
			r, p := rand.New(rand.NewPCG(seed, 24)), v.Start()
			for range 90 {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				for _, g := range []*wood.Geometry{&one, &twin} {
					for _, m := range moves {
						captures += dropped(t, g, &p, moves, m)
					}
				}
				p.Play(moves[r.IntN(len(moves))])
			}
		}
		if captures < 150 {
			t.Errorf("%s: %d captures were tried, want more", id, captures)
		}
	}
}

// dropped drops the captor of a capture on the place where it then stands, and reports with 1 that it was one.
func dropped(t *testing.T, g *wood.Geometry, p *rules.Position, moves []rules.Move, m rules.Move) int {
	t.Helper()
	after := *p
	after.Play(m)
	before, want := g.Lay(p), g.Lay(&after)
	from, to := wood.PlaceAt(sensing.Lower, m.From()), wood.PlaceAt(sensing.Lower, m.To())
	if g.TwoDecks && p.Variant().Layered() {
		if up := wood.PlaceAt(sensing.Upper, m.From()); p.Variant().TopFirst() && !m.IsMarked() || m.FromAir() {
			from = up
		}
		if up := wood.PlaceAt(sensing.Upper, m.To()); p.Variant().TopFirst() && !m.IsMarked() || m.ToAir() ||
			m.IsHeadbutt() {
			to = up
		}
	}
	if !m.IsCapture() || m.IsEnPassant() || from == to || before[from] == "" {
		return 0
	}
	now, held, count := before, [2]wood.Pile{}, 1
	if n := len(before[from]) - len(want[from]); n > 0 {
		count = n
	}
	if v := p.Variant(); v.TopFirst() && m.IsMarked() || v.Pedestals() && !m.FromAir() {
		count = len(before[from]) // a lower piece is lifted with what stands on it
	}
	if g.TwoDecks && p.Variant().Layered() {
		count = 1
	}
	act(t, &now, &held, Act{Do: Lift, Place: from, Count: count})
	ways := Drop(g, p, moves, &now, held[Right], to)
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Move == m })
	if i < 0 {
		t.Errorf("%s, %s in %s, %v decks: a drop of %q on %q offers %d ways and not this one", p.Variant().ID(), p.Coord(m),
			p.FEN(), g.TwoDecks, held[Right], now[to], len(ways))
		return 1
	}
	finishes(t, g, p, &now, held, &ways[i])
	return 1
}
