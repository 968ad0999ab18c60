// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// signer signs every change once, so that a test sees when it is asked.
type signer struct {
	table.Trust
	signed int
}

func (s *signer) Sign(g *game.Game, at time.Time) []game.Event {
	seal := fmt.Sprint(g.Coords())
	if g.Seal(game.White) == seal {
		return nil
	}
	s.signed++
	return []game.Event{{Kind: game.Sealed, At: at, By: game.White, Ply: g.Plies(), Seal: seal}}
}

func (s *signer) Keys() map[string]string { return nil }

// disk carries effects out as a daemon does, with a journal that takes what it is told to.
type disk struct {
	t       *table.Table
	fails   error
	now     time.Time
	kept    []table.Record
	waiting []table.Record
	seen    []table.Effect // all but the appends
	view    leds.View      // as shown last
	sent    []string       // the moves that were published to others
}

func (d *disk) carry(effects []table.Effect) {
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		switch e := e.(type) {
		case table.Append:
			d.waiting = append(d.waiting, e.Records...)
			effects = slices.Concat(d.t.Stored(d.now, d.flush()), effects)
		case table.Retry:
			effects = slices.Concat(d.t.Stored(d.now, d.flush()), effects)
		default:
			if p, ok := e.(table.Publish); ok && p.Stored {
				d.sent = d.t.Game().Coords()
			}
			if v, ok := e.(table.Show); ok {
				d.view = v.View
			}
			d.seen = append(d.seen, e)
		}
	}
}

func (d *disk) flush() error {
	if d.fails != nil {
		return d.fails
	}
	d.kept = append(d.kept, d.waiting...)
	d.waiting = nil
	return nil
}

func (d *disk) move(t *testing.T, m string) {
	t.Helper()
	effects, err := d.t.Command(d.now, &table.Command{Action: game.Action{Do: game.Move, Move: m}})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
}

// TestNotStored: a move whose append failed is shown as not stored, is neither signed nor sent, and is tried again.
// The game goes on meanwhile, and everything is signed and sent when it is stored.
func TestNotStored(t *testing.T) {
	g := wood.Reference()
	g.Weights = true
	s := &signer{}
	d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	d.t = table.New(table.Options{Board: "home", Trust: s,
		Decode: func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }})
	effects, err := d.t.Start(d.now, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	if s.signed != 1 || d.t.Game().Seal(game.White) != "[]" || d.t.Unsaved() != nil {
		t.Fatalf("at the start: signed %d times, seal %q, %v", s.signed, d.t.Game().Seal(game.White), d.t.Unsaved())
	}

	d.fails = errors.New("the disk is full")
	before := len(d.kept)
	d.seen, s.signed = nil, 0
	d.move(t, "d2d4")
	d.move(t, "d7d5")
	if got := d.t.Game().Seal(game.White); got != "[]" {
		t.Errorf("signed %s while nothing is stored", got)
	}
	if got := d.t.Game().Coords(); !slices.Equal(got, []string{"d2d4", "d7d5"}) {
		t.Errorf("the game is at %v, want it to go on", got)
	}
	if len(d.sent) != 0 || len(d.kept) != before || d.t.Unsaved() == nil {
		t.Errorf("sent %v, kept %d records more, unsaved: %v", d.sent, len(d.kept)-before, d.t.Unsaved())
	}
	if want := rules.Bitboard(1 | 1<<7 | 1<<56 | 1<<63); d.view.Alarm[0] != want {
		t.Errorf("lit for what is not saved: %x, want the corners", d.view.Alarm[0])
	}
	shown, told := false, false
	for _, e := range d.seen {
		switch e := e.(type) {
		case table.Publish:
			shown = shown || !e.Stored
			if e.Stored {
				t.Error("published as stored")
			}
		case table.Tell:
			told = told || e.Event.Kind == table.Journal && !e.Event.Private
		}
	}
	if !shown || !told {
		t.Errorf("shown as not stored: %v, told that the journal fails: %v", shown, told)
	}

	// What does not tell how the game goes on is told to everybody.
	d.seen = nil
	d.carry(d.t.Linked(d.now, table.Connection{Trouble: say.Said{English: "the broker refuses"}}))
	private := map[table.Kind]bool{}
	for _, e := range d.seen {
		if e, ok := e.(table.Tell); ok {
			private[e.Event.Kind] = e.Event.Private
		}
	}
	if p, said := private[table.LinkTrouble]; !said || p {
		t.Errorf("trouble with the link: said %v, private %v", said, p)
	}

	d.now = d.now.Add(500 * time.Millisecond)
	d.fails = nil
	d.carry(d.t.Tick(d.now))
	if len(d.sent) != 0 {
		t.Error("tried again after half a second")
	}
	d.now = d.now.Add(time.Second)
	d.carry(d.t.Tick(d.now))
	if !slices.Equal(d.sent, []string{"d2d4", "d7d5"}) || d.t.Unsaved() != nil ||
		d.t.Game().Seal(game.White) != "[d2d4 d7d5]" || d.view.Alarm[0] != 0 {
		t.Errorf("after the retry: sent %v, unsaved %v, seal %q", d.sent, d.t.Unsaved(), d.t.Game().Seal(game.White))
	}
	var order []string
	for _, r := range d.kept[before:] {
		if r.Event != nil {
			order = append(order, string(r.Event.Kind))
		}
	}
	// The seal that was to be stored with the first move is stored with it, and counts for nothing: the last one does.
	if !slices.Equal(order, []string{"moved", "sealed", "moved", "sealed"}) {
		t.Errorf("kept in the order %v", order)
	}
}

// TestRecordedInTime: the trace hears of a move after it is stored, which may take long, but with the time at which
// the table took it.
func TestRecordedInTime(t *testing.T) {
	taken := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	d := &disk{now: taken}
	d.t = table.New(table.Options{Board: "home",
		Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
	effects, err := d.t.Start(taken, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	d.seen = nil
	for i, a := range []game.Action{{Do: game.Move, Move: "d2d4"}, {Do: game.Takeback, By: game.White}} {
		taken = taken.Add(time.Minute)
		effects, err = d.t.Command(taken, &table.Command{Action: a})
		if err != nil {
			t.Fatal(err)
		}
		d.now = taken.Add(time.Second) // the disk is slow
		d.carry(effects)
		var at []time.Time
		for _, e := range d.seen {
			if r, ok := e.(table.Recorded); ok {
				at = append(at, r.At)
			}
		}
		if len(at) != i+1 || !at[i].Equal(taken) {
			t.Errorf("%s: recorded at %v, want %v for the last", a.Do, at, taken)
		}
	}
}

// TestRequestOutlastsPowerCut: a board has asked for the end of a game without a result, and lost power. It knows what
// the other board agrees to, even if that board has lost power as well. Without the request it stays a conflict.
func TestRequestOutlastsPowerCut(t *testing.T) {
	decode := func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }
	d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	d.t = table.New(table.Options{Board: "home", Decode: decode})
	setup := game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local, Black: "away"}
	effects, err := d.t.Start(d.now, setup)
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	array := d.t.Game().Variant().Start()
	says := func(reason rules.Result, moves ...string) {
		h := game.RemoteGame{Board: "away", ID: "one", Variant: "chess", White: "home", Black: "away", Moves: moves,
			Start: array.FEN()}
		if reason == rules.Aborted {
			h.Outcome, h.Reason = game.NoResult, string(reason)
		}
		d.carry(d.t.Receive(d.now, table.Message{Game: h}))
	}
	d.move(t, "e2e4")
	says("", "e2e4", "e7e5")
	d.move(t, "d2d4")
	effects, err = d.t.Command(d.now, &table.Command{Action: game.Action{Do: game.Abort}})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	asked := d.kept[len(d.kept)-1].Asked
	if asked == nil || asked.What != game.Abort || d.t.Game().Over() {
		t.Fatalf("the last record is %+v, want what is asked", d.kept[len(d.kept)-1])
	}
	var events []game.Event
	for _, r := range d.kept {
		if r.Event != nil {
			events = append(events, *r.Event)
		}
	}
	for name, kept := range map[string]*table.Request{"kept": asked, "lost": nil, "kept, and then resigned": asked} {
		g, err := game.Replay(events)
		if err != nil {
			t.Fatal(err)
		}
		d.t = table.New(table.Options{Board: "home", Decode: decode})
		if effects, err = d.t.Resume(d.now, g, nil, nil, kept); err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		if open := len(d.t.Requests()); (open == 1) != (kept != nil) {
			t.Errorf("%s: %d requests are open after the power cut", name, open)
		}
		if strings.Contains(name, "resigned") {
			if effects, err = d.t.Command(d.now, &table.Command{Action: game.Action{Do: game.Resign}}); err != nil {
				t.Fatal(err)
			}
			d.carry(effects)
		}
		says(rules.Aborted, "e2e4", "e7e5", "d2d4")
		aborted := d.t.Game().Reason() == rules.Aborted
		if aborted != (kept != nil) || aborted != (d.t.Conflict().English == "") {
			t.Errorf("%s: it ended by %q, conflict %q", name, d.t.Game().Reason(), d.t.Conflict().English)
		}
		if len(d.t.Requests()) > 0 {
			t.Errorf("%s: it still asks", name)
		}
	}
	if last := d.kept[len(d.kept)-1]; last.Asked != nil && last.Asked.What != "" {
		t.Errorf("the last record still asks: %+v", last.Asked)
	}
}
