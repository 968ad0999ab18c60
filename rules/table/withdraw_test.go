// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestWithdraw: what a board asks it can take back. If the other one had agreed before it heard of that, the agreement
// stands on both boards.
func TestWithdraw(t *testing.T) {
	agreed, declined := &table.Reply{Number: 1, Accepted: true}, &table.Reply{Number: 1}
	left := [2]time.Duration{time.Minute, 2 * time.Minute}
	for name, c := range map[string]struct {
		ask     game.Action
		answer  *table.Reply // that was given before the other board heard of it
		aborted bool         // the other board tells that the game has ended
	}{
		"abort, heard":     {ask: game.Action{Do: game.Abort}},
		"abort, agreed":    {ask: game.Action{Do: game.Abort}, answer: agreed, aborted: true},
		"abort, declined":  {ask: game.Action{Do: game.Abort}, answer: declined},
		"adjust, heard":    {ask: game.Action{Do: game.Adjust, Left: left}},
		"adjust, agreed":   {ask: game.Action{Do: game.Adjust, Left: left}, answer: agreed},
		"adjust, declined": {ask: game.Action{Do: game.Adjust, Left: left}, answer: declined},
	} {
		t.Run(name, func(t *testing.T) {
			d := layRival(t)
			d.does(t, c.ask)
			if len(d.t.Requests()) != 1 {
				t.Fatalf("%d requests are open, want 1", len(d.t.Requests()))
			}
			d.does(t, game.Action{Do: table.Decline})
			if n := len(d.t.Requests()); n != 0 {
				t.Fatalf("%d requests are open after it was withdrawn", n)
			}
			if last := d.kept[len(d.kept)-1].Asked; last == nil || last.What != "" || last.Number != 1 {
				t.Errorf("the last record is %+v, want that nothing is asked", d.kept[len(d.kept)-1])
			}
			if _, err := d.t.Command(d.now, &table.Command{Action: game.Action{Do: table.Decline}}); err == nil {
				t.Error("it was withdrawn a second time")
			}
			says := d.rivalSays()
			if c.answer != nil {
				says.Answered = *c.answer
			}
			if c.aborted {
				says.Game.Outcome, says.Game.Reason = game.NoResult, string(rules.Aborted)
			}
			d.carry(d.t.Receive(d.now, says))
			if d.t.Game().Over() != c.aborted || d.t.Conflict().English != "" {
				t.Errorf("over %v, want %v; conflict %q", d.t.Game().Over(), c.aborted, d.t.Conflict().English)
			}
			if c.ask.Do != game.Adjust {
				return
			}
			shown, _ := d.t.Game().Clocks(d.now)
			if got := [2]time.Duration{shown.White, shown.Black}; (got == left) != (c.answer == agreed) {
				t.Errorf("the clocks show %v; agreed: %v", got, c.answer == agreed)
			}
		})
	}
}

// TestWithdrawnThere: people are told when the other board takes back what it has asked.
func TestWithdrawnThere(t *testing.T) {
	d := layRival(t)
	asks := d.rivalSays()
	asks.Request = &table.Request{What: game.Abort, By: game.Black, Number: 1}
	d.carry(d.t.Receive(d.now, asks))
	if n := len(d.t.Requests()); n != 1 {
		t.Fatalf("%d requests are open, want 1", n)
	}
	effects := d.t.Receive(d.now.Add(time.Second), d.rivalSays())
	told := ""
	for _, e := range effects {
		if tell, ok := e.(table.Tell); ok && tell.Event.Kind == table.Offer {
			told = tell.Event.Text.English
		}
	}
	if want := "withdrawn: black asks to end the game without a result"; told != want {
		t.Errorf("told %q, want %q", told, want)
	}
	if n := len(d.t.Requests()); n != 0 {
		t.Errorf("%d requests are open, want none", n)
	}
	if _, err := d.t.Command(d.now, &table.Command{Action: game.Action{Do: table.Accept}}); err == nil {
		t.Error("what is no longer asked was accepted")
	}
}

// layRival is a table in a game with a clock against board away, after two moves.
func layRival(t *testing.T) *disk {
	t.Helper()
	d := &disk{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	d.t = table.New(table.Options{Board: "home",
		Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
	effects, err := d.t.Start(d.now, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
		Black: "away", Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 300_000}})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	d.move(t, "e2e4")
	d.carry(d.t.Receive(d.now, d.rivalSays()))
	return d
}

// rivalSays is what board away says of the game of layRival.
func (d *disk) rivalSays() table.Message {
	array := d.t.Game().Variant().Start()
	return table.Message{Game: game.RemoteGame{Board: "away", ID: "one", Variant: "chess", White: "home", Black: "away",
		Moves: []string{"e2e4", "e7e5"}, Start: array.FEN()}}
}

func (d *disk) does(t *testing.T, a game.Action) {
	t.Helper()
	effects, err := d.t.Command(d.now, &table.Command{Action: a})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
}
