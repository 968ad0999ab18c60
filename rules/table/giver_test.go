// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// vias lists what the journal has of who gave what: the kind of each event, and its way.
func (d *disk) vias() (list []string) {
	for _, r := range d.kept {
		if r.Event != nil && r.Event.Kind != game.Sealed {
			list = append(list, string(r.Event.Kind)+" "+r.Event.Via)
		}
	}
	return list
}

// TestGiver: the journal has by which way a game began, a move was given, a request was made and a game ended. Events
// that nobody here gave have no way.
func TestGiver(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.pass(3 * time.Second)
	const here, anna = "page-here", "page-token by anna"
	give := func(via string, a game.Action) {
		a.Via = via
		s.do(table.Command{Action: a})
	}
	give(anna, game.Action{Do: game.Move, Move: "e2e4"})
	s.pass(3 * time.Second)
	give(here, game.Action{Do: game.Resign})
	give(anna, game.Action{Do: table.Rematch})
	want := []string{"started ", "moved page-token by anna", "moved engine", "ended page-here",
		"started page-token by anna"}
	if got := s.vias(); !slices.Equal(got, want) {
		t.Errorf("the journal has %q, want %q", got, want)
	}
}

// TestGiverOfRequest: what the other board agrees to was given by who asked for it here.
func TestGiverOfRequest(t *testing.T) {
	d := layRival(t)
	d.does(t, game.Action{Do: game.Adjust, Via: "page-here", Left: [2]time.Duration{time.Minute, time.Minute}})
	asked := d.t.Requests()
	if len(asked) != 1 {
		t.Fatalf("asked %+v", asked)
	}
	says := d.rivalSays()
	says.Answered = table.Reply{Number: asked[0].Number, Accepted: true}
	d.carry(d.t.Receive(d.now, says))
	want := []string{"started ", "moved ", "moved ", "timed page-here", "timed page-here"}
	if got := d.vias(); !slices.Equal(got, want) {
		t.Errorf("the journal has %q, want %q", got, want)
	}
	if got := d.t.Game().Via(2); got != "board" {
		t.Errorf("the other board's move was given by %q", got)
	}
}

// TestGiverOfEnd: the game knows by which way it was ended, unless its moves ended it or the end was taken back.
func TestGiverOfEnd(t *testing.T) {
	started, err := game.Start(game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for want, events := range map[string][]game.Event{
		"":          {{Kind: game.Moved, Move: "e2e4", Via: "hand"}},
		"page-here": {{Kind: game.Ended, Outcome: "0-1", Reason: string(rules.Resignation), Via: "page-here"}},
		"board":     {{Kind: game.Ended, Outcome: "0-1", Reason: string(rules.Resignation), Remote: true}},
	} {
		g, err := game.Replay(append([]game.Event{started}, events...))
		if err != nil {
			t.Fatal(err)
		}
		if got := g.EndVia(); got != want {
			t.Errorf("it was ended by %q, want %q", got, want)
		}
		if err := g.Apply(game.Event{Kind: game.TakenBack, Ply: 0, Count: 1}); err != nil || g.EndVia() != "" {
			t.Errorf("after a takeback %q, %v", g.EndVia(), err)
		}
	}
}

// learning counts the boards whose key is kept.
type learning struct{ learnt []string }

func (*learning) Sign(*game.Game, time.Time) []game.Event                              { return nil }
func (*learning) Verify(*game.RemoteGame, table.Seals) (table.Seals, error)            { return nil, nil }
func (*learning) Vouches(*table.Message, table.Seals) bool                             { return true }
func (*learning) NewSignatures(*game.Game, table.Seals, time.Time) (none []game.Event) { return nil }
func (*learning) Pinned(string) bool                                                   { return false }
func (*learning) SetKey(string, []byte)                                                {}
func (*learning) Keys() map[string]string                                              { return nil }
func (*learning) Stated(*game.Game, string, []byte) (none game.Statement)              { return none }
func (l *learning) TrustFirst(board string, _ table.Seals) string {
	l.learnt = append(l.learnt, board)
	return "its words"
}

// TestStrangersChooseNoKey: if an unsigned command over MQTT begins a game with a board, the key of that board is not
// kept. Nor is it in the game to which that board invites next. It is kept if somebody here, or the owner's
// configuration, has chosen the board.
func TestStrangersChooseNoKey(t *testing.T) {
	for _, c := range []struct {
		via, partner string
		kept         bool
	}{{game.ByMQTT, "", false}, {game.ByMQTT, "away", true}, {game.OverMQTT("arbiter"), "", true},
		{game.ByPageHere, "", true}} {
		l := &learning{}
		d := &disk{now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
		d.t = table.New(table.Options{Board: "home", Trust: l, Partner: c.partner,
			Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
		effects, err := d.t.Start(d.now, game.Setup{ID: "0000000000-000001", Board: "home", Variant: "chess",
			White: game.Local, Black: game.Local})
		if err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		effects, err = d.t.Command(d.now, &table.Command{Action: game.Action{Do: table.NewGame, Via: c.via}, Seated: true,
			White: "away", Black: "home"})
		if err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		array := d.t.Game().Variant().Start()
		for _, id := range []string{d.t.Game().ID(), game.NewID(d.now.Add(time.Hour), 1, "")} {
			d.carry(d.t.Receive(d.now, table.Message{Game: game.RemoteGame{Board: "away", ID: id, Variant: "chess",
				White: "away", Black: "home", Moves: []string{"e2e4"}, Start: array.FEN()}}))
			if got := d.t.Game().ID(); got != id {
				t.Fatalf("%s: game %s, want %s", c.via, got, id)
			}
		}
		if kept := len(l.learnt) > 0; kept != c.kept {
			t.Errorf("begun %q, %q configured: kept the keys of %q", c.via, c.partner, l.learnt)
		}
	}
}
