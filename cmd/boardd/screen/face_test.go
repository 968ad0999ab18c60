// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"testing"
	"time"

	"boardd/leds/ssd1306"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/tongue"
)

// TestFits: in every language for which the display has letters, all texts fit on it, and are in that language.
func TestFits(t *testing.T) {
	at := wood.PlaceAt(sensing.Lower, rules.Square(28))
	fault := reconcile.Fault{Place: at, Sensor: sensing.Heights, Kind: reconcile.Crosstalk}
	cases := []say.Said{
		say.That("the game cannot be saved: mend the card"), say.That("the other board has other moves: settle it"),
		say.That("which move? lift a piece on a white light and put it back"),
		say.That("not sure yet: take your hand away"),
		say.That("not sure yet: take your hand away, or press your clock"), wrongOf(fault), wrongOf(fault, fault),
	}
	for _, do := range []say.Said{say.That("mend"), say.That("copy"), say.That("set up"),
		say.That("take the captured piece off:")} {
		for _, touch := range []reconcile.Discrepancy{{Place: at, See: 3},
			{Place: at, Want: "Pn", See: 4}, {Place: at, Want: "Q"},
			{Place: at, Want: "rNbQkpPn"}} {
			cases = append(cases, do.And(" ", touch.Said()))
		}
	}
	for _, language := range []string{"en", "de", "fr", "es", "it"} {
		voice, err := tongue.Voice(language)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			text := ssd1306.Latin(voice(c))
			if text == "" || !ssd1306.Fits(text) {
				t.Errorf("%s: %q does not fit: %q", language, c, text)
			}
			if language != "en" && text == c.English {
				t.Errorf("%s: %q is said in English", language, c)
			}
		}
	}
}

func wrongOf(faults ...reconcile.Fault) say.Said { return fault(faults) }

// TestFaceInGerman: the display uses the language that was set. If it lacks the letters of that language, it uses
// English.
func TestFaceInGerman(t *testing.T) {
	now, g := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC), wood.Reference()
	g.Weights = false
	b := table.New(table.Options{Board: "home",
		Decode: func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }})
	if _, err := b.Start(now, game.Setup{ID: b.NextID(now), Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local}); err != nil {
		t.Fatal(err)
	}
	for range 60 { // nothing stands there
		now = now.Add(5 * time.Millisecond)
		b.Sense(now, &sensing.Reading{At: now, Kind: sensing.Reeds, Known: ^rules.Bitboard(0)})
	}
	for language, want := range map[string]string{"en": "white to move", "de": "Am Zug: Weiss", "ru": "white to move"} {
		voice, err := tongue.Voice(language)
		if err != nil {
			t.Fatal(err)
		}
		if f := Face(b, voice, now); f.Turn != want || f.Wrong == "" {
			t.Errorf("%s: %q, %q; want %q and that the array is to be set up", language, f.Turn, f.Wrong, want)
		}
	}
	if _, err := b.Command(now, &table.Command{Action: game.Action{Do: game.Resign, By: game.White}}); err != nil {
		t.Fatal(err)
	}
	voice, err := tongue.Voice("de")
	if err != nil {
		t.Fatal(err)
	}
	if f := Face(b, voice, now); f.Turn != "0-1 Aufgabe" {
		t.Errorf("%q, want the result in German", f.Turn)
	}
}

// seer sees a move that is not sure yet.
type seer struct {
	*reconcile.Decoder
	sees reconcile.Explanation
}

func (s *seer) Explain(time.Time) reconcile.Explanation { return s.sees }

// TestHeldMoveNamesAClockOnlyWhereOneRuns: nobody is told to press a clock in a game without one.
func TestHeldMoveNamesAClockOnlyWhereOneRuns(t *testing.T) {
	const without = "not sure yet: take your hand away"
	start := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for want, timing := range map[string]*game.Timing{without: nil,
		without + ", or press your clock": {Kind: "fischer", Initial: 300000, Increment: 3000}} {
		s := &seer{Decoder: reconcile.New(wood.Reference(), reconcile.DefaultTiming()),
			sees: reconcile.Explanation{State: reconcile.Synced}}
		b := table.New(table.Options{Board: "home", Decode: func() table.Decoder { return s }})
		if _, err := b.Start(start, game.Setup{ID: "one", Board: "home", Variant: "chess", White: "home", Black: "rome",
			Clock: timing}); err != nil {
			t.Fatal(err)
		}
		b.Stored(start, nil)
		p := b.Game().Position()
		s.sees = reconcile.Explanation{State: reconcile.Moving, Move: p.AppendMoves(nil)[0]}
		now := start.Add(time.Second)
		b.Look(now)
		if got := Face(b, nil, now).Wrong; got != want {
			t.Errorf("timed %v: the display says %q, want %q", timing != nil, got, want)
		}
	}
}
