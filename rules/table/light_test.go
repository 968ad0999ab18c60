// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"fmt"
	"testing"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// seer is a decoder that sees what a test tells it.
type seer struct {
	*reconcile.Decoder
	sees reconcile.Explanation
	sent bool // as it was told last
}

func (s *seer) Expect(bases []reconcile.Base) {
	s.sent = bases[0].Irrevocable
	s.Decoder.Expect(bases)
}

func (s *seer) Follow(bases []reconcile.Base, before *rules.Position) {
	s.sent = bases[0].Irrevocable
	s.Decoder.Follow(bases, before)
}

func (s *seer) Explain(time.Time) reconcile.Explanation { return s.sees }

// TestCaptorOnItsPrey: putting a captor down on the captured piece is no error. In every game, on a board that counts
// pieces, the piece that has to leave is lit until it has left. Where nothing has to go, or no move is meant, the wood
// is judged as before.
func TestCaptorOnItsPrey(t *testing.T) {
	for _, c := range []struct {
		game, fen, from, to string
		count               int
		want                string // state, squares with what should stand there, lit squares
	}{
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4", "d5", 1, "moving d5 P; lit d5"},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6", 1, "moving d5 ; lit d5"},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4", "c5", 1, "wrong c5  e4 P; lit c5 e4"},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "e4", 1, "wrong e4 P d5 p; lit e4 d5"}, // not Black's move
		{"locking", "4k3/8/8/3[pr]4/8/8/8/3QK3 w - - 0 1", "d1", "d5", 1, "moving d5 Q; lit d5"},
		{"locking", "4k3/8/8/3[pR]4/8/8/8/3QK3 w - - 0 1", "d1", "d5", 1, "moving d5 QR; lit d5"},
		// the captured piece stays: the decoder would see a move
		{"pillar", "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1", "d5", 1, "wrong d5 p d1 Q; lit d5 d1"},
	} {
		geometry := wood.Reference()
		geometry.Weights = true
		tb, s, p, now := standing(t, geometry, c.game, c.fen)
		stood := geometry.Lay(&p)
		from, to := at(t, c.from), at(t, c.to)
		s.sees = reconcile.Explanation{State: reconcile.Wrong, Discrepancies: []reconcile.Discrepancy{
			{Place: from, Want: stood[from], See: len(stood[from]) - c.count},
			{Place: to, Want: stood[to], See: len(stood[to]) + c.count}}}
		view := lit(tb, now.Add(time.Second))
		w := tb.Wood()
		got := string(w.State)
		for _, q := range w.Touch {
			got += fmt.Sprintf(" %v %s", q.Place, q.Want)
		}
		got += "; lit"
		for _, q := range w.Touch {
			if view.Capture.Has(q.Place) || view.Wrong.Has(q.Place) {
				got += fmt.Sprintf(" %v", q.Place)
			}
		}
		if got != c.want {
			t.Errorf("%s, %s, %s put on %s: got %q, want %q", c.game, c.fen, c.from, c.to, got, c.want)
		}
	}
}

// standing is a table at which a position of a game stands, with what its decoder sees.
func standing(t *testing.T, g wood.Geometry, variant, fen string) (*table.Table, *seer, rules.Position, time.Time) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	s := &seer{Decoder: reconcile.New(g, reconcile.DefaultTiming())}
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	tb := table.New(table.Options{Board: "home", Decode: func() table.Decoder { return s }})
	s.sees = reconcile.Explanation{State: reconcile.Synced}
	if _, err := tb.Start(now, game.Setup{ID: "one", Board: "home", Variant: variant, Start: fen, White: game.Local,
		Black: game.Local}); err != nil {
		t.Fatal(err)
	}
	tb.Stored(now, nil)
	return tb, s, p, now
}

// lit is what the lights show at a time.
func lit(tb *table.Table, now time.Time) (view leds.View) {
	for _, e := range tb.Look(now) {
		if e, ok := e.(table.Show); ok {
			view = e.View
		}
	}
	return view
}

func at(t *testing.T, square string) wood.Place {
	t.Helper()
	s, err := rules.ParseSquare(square)
	if err != nil {
		t.Fatal(err)
	}
	return wood.PlaceAt(sensing.Lower, s)
}

// TestHeld: a move that is held for another board is lit at its destination, and is in the message of the wood. Where
// both sides sit at the board it is not.
func TestHeld(t *testing.T) {
	for _, rival := range []string{"", "rome"} {
		v, err := rules.ByID("chess")
		if err != nil {
			t.Fatal(err)
		}
		p := v.Start()
		var e2e4 rules.Move
		for _, m := range p.AppendMoves(nil) {
			if p.Coord(m) == "e2e4" {
				e2e4 = m
			}
		}
		s := &seer{Decoder: reconcile.New(wood.Reference(), reconcile.DefaultTiming())}
		now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
		tb := table.New(table.Options{Board: "home", Decode: func() table.Decoder { return s }})
		s.sees = reconcile.Explanation{State: reconcile.Synced}
		setup := game.Setup{ID: "one", Board: "home", Variant: "chess", White: "home", Black: "home"}
		if rival != "" {
			setup.Black = rival
		}
		if _, err := tb.Start(now, setup); err != nil {
			t.Fatal(err)
		}
		tb.Stored(now, nil)
		s.sees = reconcile.Explanation{State: reconcile.Moving, Move: e2e4}
		view := lit(tb, now.Add(time.Second))
		if !view.Held.Has(at(t, "e4")) || view.Held.Count() != 1 || tb.Wood().Held != "e4" {
			t.Errorf("against %q: lit as held %v, said %v, want e4", rival, view.Held, tb.Wood().Held)
		}
		if got, want := s.sent, rival != ""; got != want {
			t.Errorf("against %q: the decoder is told that moves are sent: %v, want %v", rival, got, want)
		}
		s.sees = reconcile.Explanation{State: reconcile.Moving}
		tb.Look(now.Add(2 * time.Second))
		if tb.Wood().Held != "" {
			t.Errorf("against %q: a move is still held, and none is seen", rival)
		}
	}
}

// TestStuck: a lifted piece is called stuck only where no move lifts it, not with others either.
func TestStuck(t *testing.T) {
	for _, c := range []struct {
		game, fen, place string
		twin             bool
		keep             int
		stuck            bool
	}{
		{"chess", "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "e3", false, 0, true}, // it is pinned
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1", false, 0, false},
		{"pillar", "4k3/8/8/3[pN]4/8/8/8/4K3 w - - 0 1", "d5", false, 1, false}, // it goes with what is under it
		{"pillar", "4k3/8/8/3[pN]4/8/8/8/4K3 w - - 0 1", "d5", false, 0, false},
		{"pillar", "4k3/4r3/8/8/4[pN]3/8/8/4K3 w - - 0 1", "e4", false, 1, true},
		{"meirav", "4k3/8/8/3[PR]4/8/8/8/4K3 w - - 0 1", "d5", true, 0, false},
		{"chess", "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "e7", false, 0, true}, // it is not Black's turn
		{"chess", "4k3/4r3/8/3N4/8/8/8/3K4 w - - 0 1", "e7", false, 0, false},
	} {
		geometry := wood.Reference()
		geometry.TwoDecks = c.twin
		tb, s, p, now := standing(t, geometry, c.game, c.fen)
		stood := geometry.Lay(&p)
		from := at(t, c.place)
		s.sees = reconcile.Explanation{State: reconcile.Moving, Lifts: []reconcile.Lift{{Place: from, Keep: c.keep}}}
		view := lit(tb, now.Add(time.Second))
		if got := view.Stuck.Has(from); got != c.stuck {
			t.Errorf("%s, %s, all but %d of %q lifted from %s: stuck %v, want %v", c.game, c.fen, c.keep, stood[from],
				c.place, got, c.stuck)
		}
	}
}
