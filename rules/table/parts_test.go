// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// speechless asks which move it was, and knows none.
type speechless struct{ Decoder }

func (speechless) Explain(time.Time) reconcile.Explanation {
	return reconcile.Explanation{State: reconcile.Asking}
}

// TestNothingToAsk: a question without a choice is not asked. It once ended the program (a random game of package
// trial).
func TestNothingToAsk(t *testing.T) {
	g := wood.Reference()
	start := rules.Variants()[0].Start()
	b := New(Options{Board: "north",
		Decode: func() Decoder { return speechless{reconcile.New(g, reconcile.DefaultTiming())} }})
	if err := b.StartAt(time.Unix(0, 0), &start); err != nil {
		t.Fatal(err)
	}
	for _, e := range b.Look(time.Unix(1, 0)) {
		if told, ok := e.(Tell); ok && told.Event.Kind == Question {
			t.Errorf("it asks %q", told.Event.Text)
		}
	}
	if got := b.State(); got != Moving {
		t.Errorf("the wood is %q, want %q: something is not finished", got, Moving)
	}
}

// doubtful asks which the last move was until it is answered.
type doubtful struct {
	Decoder
	choices []reconcile.Choice
	bases   []reconcile.Base // what it expects
}

func (d *doubtful) Expect(bases []reconcile.Base) {
	d.bases = bases
	d.Decoder.Expect(bases)
}

func (d *doubtful) Explain(time.Time) reconcile.Explanation {
	if len(d.bases) < 2 || !d.bases[1].Moves {
		return reconcile.Explanation{State: reconcile.Synced}
	}
	return reconcile.Explanation{State: reconcile.Asking, Base: 1, Choices: d.choices}
}

// TestAnswerStands: which move it was is not asked again, nor corrected, once somebody has said it.
func TestAnswerStands(t *testing.T) {
	start := rules.Variants()[0].Start()
	for said, answer := range map[string]string{"e2e3": "e2e3", "e2e4": "e2e4", "e3": "e2e3"} { // coordinates or SAN
		d := &doubtful{Decoder: reconcile.New(wood.Reference(), reconcile.DefaultTiming())}
		for _, m := range start.AppendMoves(nil) {
			if name := start.Coord(m); name == "e2e3" || name == "e2e4" {
				d.choices = append(d.choices, reconcile.Choice{Move: m, Place: wood.Nowhere})
			}
		}
		b := New(Options{Board: "north", Decode: func() Decoder { return d }})
		now := time.Unix(0, 0)
		if err := b.StartAt(now, &start); err != nil {
			t.Fatal(err)
		}
		for _, a := range []game.Action{{Do: game.Move, Move: "e2e4"}, {Do: Answer, Move: said}} {
			now = now.Add(time.Second)
			a.Via = "page-here"
			if _, err := b.Command(now, &Command{Action: a}); err != nil {
				t.Fatal(answer, err)
			}
			b.Look(now)
		}
		// a move that was given by a command, or one of several that were made by hand, told apart by an answer
		via := map[string]string{"e2e4": "page-here", "e2e3": "hand/page-here"}[answer]
		if got := b.Game().Via(1); got != via {
			t.Errorf("%s is the answer: it was given by %q, want %q", answer, got, via)
		}
		if got := b.Game().Coords(); len(got) != 1 || got[0] != answer || b.State() == Asking || d.bases[1].Moves {
			t.Errorf("%s is the answer: the game is %v, the wood %q, and another move in place of the last one possible: %v",
				answer, got, b.State(), d.bases[1].Moves)
		}
	}
}

// seer explains the wood as its test says.
type seer struct {
	Decoder
	sees   reconcile.Explanation
	counts map[wood.Place]int // what stands on places that the explanation does not name
}

func (s *seer) Explain(time.Time) reconcile.Explanation { return s.sees }

func (s *seer) Count(p wood.Place) int {
	for _, x := range s.sees.Discrepancies {
		if x.Place == p {
			return x.See
		}
	}
	return s.counts[p]
}

// TestOneAnswers: a question is answered where one piece is lifted and put back. When the pieces of two choices are
// gone at once, it was about what is in hands again, and nothing is answered. Nor is it if another piece came there.
func TestOneAnswers(t *testing.T) {
	start := rules.Variants()[0].Start()
	choice := func(name string) reconcile.Choice {
		m, err := start.ParseMove(name)
		if err != nil {
			t.Fatal(err)
		}
		return reconcile.Choice{Move: m, Place: wood.Place(m.To())}
	}
	of := []reconcile.Choice{choice("e2e4"), choice("d2d4")}
	stand := func(e4, d4 int) []reconcile.Discrepancy {
		return []reconcile.Discrepancy{{Place: of[0].Place, See: e4}, {Place: of[1].Place, See: d4}}
	}
	asking := reconcile.Explanation{State: reconcile.Asking, Choices: of, Discrepancies: stand(1, 2)}
	moving := func(e4, d4 int) reconcile.Explanation {
		return reconcile.Explanation{State: reconcile.Moving, Discrepancies: stand(e4, d4)}
	}
	replied := asking
	replied.Discrepancies = append(stand(1, 2), reconcile.Discrepancy{Place: 8, See: 0})
	for _, c := range []struct {
		name  string
		steps []reconcile.Explanation
		want  []string
	}{
		{"one piece is lifted", []reconcile.Explanation{asking, moving(1, 1), asking}, []string{"d2d4"}},
		{"the other one", []reconcile.Explanation{asking, moving(0, 2), asking}, []string{"e2e4"}},
		{"both are gone", []reconcile.Explanation{asking, moving(0, 2), moving(0, 1), moving(0, 2), asking}, nil},
		{"both at once", []reconcile.Explanation{asking, moving(0, 1), moving(1, 1), asking}, nil},
		{"asked again with one in the hand, which then answers", []reconcile.Explanation{asking, moving(0, 1),
			{State: reconcile.Asking, Choices: of, Discrepancies: stand(1, 1)}, asking, moving(1, 1), asking},
			[]string{"d2d4"}},
		{"a reply that captures there", []reconcile.Explanation{asking, moving(1, 1), replied}, nil},
		{"then the piece that captured answers",
			[]reconcile.Explanation{asking, moving(1, 1), replied, moving(1, 1), replied}, []string{"d2d4"}},
		{"then one", []reconcile.Explanation{asking, moving(0, 1), asking, moving(0, 2), asking}, []string{"e2e4"}},
		{"what stands there contradicts the game only now and then", []reconcile.Explanation{asking,
			{State: reconcile.Asking, Choices: of, Discrepancies: stand(1, 2)[:1]}, asking}, nil},
	} {
		d := &seer{Decoder: reconcile.New(wood.Reference(), reconcile.DefaultTiming()),
			counts: map[wood.Place]int{of[0].Place: 1, of[1].Place: 2}}
		b := New(Options{Board: "north", Decode: func() Decoder { return d }})
		now := time.Unix(0, 0)
		if err := b.StartAt(now, &start); err != nil {
			t.Fatal(err)
		}
		for _, x := range c.steps {
			now = now.Add(300 * time.Millisecond)
			d.sees = x
			b.Look(now)
			if d.sees = (reconcile.Explanation{State: reconcile.Synced}); len(b.Game().Coords()) > 0 {
				break
			}
		}
		if got := b.Game().Coords(); !slices.Equal(got, c.want) {
			t.Errorf("%s: the game is %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTurn: of a board that lies the other way round, all that a reading says is turned.
func TestTurn(t *testing.T) {
	r := sensing.Reading{Kind: sensing.Heights, Known: 0b111, Closed: 0b1, Stale: 0b10}
	r.Value[2] = 35_000
	got := turn(&r)
	if got.Known != 7<<61 || got.Closed != 1<<63 || got.Stale != 1<<62 || got.Value[61] != 35_000 {
		t.Errorf("got %x, %x, %x, %d", got.Known, got.Closed, got.Stale, got.Value[61])
	}
}

// TestWhatIsHeldBack: only a rook move that castling can still follow is held back, for two seconds, unless the clock
// is pressed.
func TestWhatIsHeldBack(t *testing.T) {
	const both = "r3k2r/8/8/8/8/8/8/R3K2R "
	for _, c := range []struct {
		variant, fen, move string
		want               bool
	}{
		{"chess", both + "w KQkq - 0 1", "h1f1", true},
		{"chess", both + "w KQkq - 0 1", "a1d1", true},
		{"chess", both + "b KQkq - 0 1", "h8f8", true},
		{"chess", both + "b KQkq - 0 1", "a8d8", true},
		{"locking", both + "w KQkq - 0 1", "h1f1", true},
		{"chess", both + "w Qkq - 0 1", "h1f1", false},
		{"chess", both + "w KQkq - 0 1", "h1g1", false},
		{"chess", both + "w KQkq - 0 1", "a1c1", false},
		{"chess", both + "w KQkq - 0 1", "e1g1", false},
		{"chess", both + "w KQkq - 0 1", "e1f1", false},
		{"chess", "r3kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1f1", false}, // the king may not go over f1
	} {
		v, err := rules.ByID(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		p, err := v.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		var h hold
		at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		if _, got := h.waits(&p, m, at); got != c.want {
			t.Errorf("%s %s %s: held %v, want %v", c.variant, c.fen, c.move, got, c.want)
		}
		if _, got := h.waits(&p, m, at.Add(castleWait-time.Millisecond)); got != c.want {
			t.Errorf("%s %s: held %v just before the end, want %v", c.fen, c.move, got, c.want)
		}
		if _, got := h.waits(&p, m, at.Add(castleWait)); got {
			t.Errorf("%s %s: held for ever", c.fen, c.move)
		}
		h = hold{pressed: true}
		if _, got := h.waits(&p, m, at); got {
			t.Errorf("%s %s: held although the clock was pressed", c.fen, c.move)
		}
	}
}
