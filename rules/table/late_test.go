// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestLateCommands: a command that names the step it was given at is carried out once. Given again with the same step,
// it changes nothing, whatever has happened since. What it is not about does not make it late.
func TestLateCommands(t *testing.T) {
	clock := &game.Timing{Kind: "fischer", Initial: 60000}
	do := func(a game.ActionKind) *table.Command { return &table.Command{Action: game.Action{Do: a}} }
	by := func(a game.ActionKind, by game.Side) *table.Command {
		return &table.Command{Action: game.Action{Do: a, By: by}}
	}
	fresh := func() *table.Command { return &table.Command{Action: game.Action{Do: table.NewGame}, Clock: clock} }
	adjust := &table.Command{Action: game.Action{Do: game.Adjust, Left: [2]time.Duration{time.Second, time.Second}}}
	move := func(m string) *table.Command { return &table.Command{Action: game.Action{Do: game.Move, Move: m}} }
	for _, c := range []struct {
		name    string
		before  []*table.Command
		command *table.Command
		after   []*table.Command // what people do before it comes once more: without the step it would be done again
		apart   *table.Command   // what does not make it late
	}{
		{"takeback", nil, do(game.Takeback), nil, do(game.Flip)},
		{"offer-draw", nil, by(game.OfferDraw, game.White), []*table.Command{by(game.DeclineDraw, game.Black)},
			do(game.Flip)},
		{"accept-draw", []*table.Command{by(game.OfferDraw, game.White)}, by(game.DeclineDraw, game.Black),
			[]*table.Command{by(game.OfferDraw, game.White)}, do(game.Flip)},
		{"resign", nil, by(game.Resign, game.White), []*table.Command{do(game.Takeback)}, move("e7e5")},
		{"new", nil, fresh(), nil, move("e7e5")},
		{"rematch", nil, do(table.Rematch), nil, do(game.Flip)},
		{"setup", nil, &table.Command{Action: game.Action{Do: table.SetUp}, Start: "4k3/8/8/8/8/8/8/4K2R w - - 0 1"}, nil,
			do(game.Flip)},
		{"abort", nil, do(game.Abort), []*table.Command{do(table.Rematch)}, do(game.Flip)},
		{"pause", []*table.Command{fresh(), do(game.Resume)}, do(game.Pause), []*table.Command{do(game.Resume)},
			do(game.Flip)},
		{"resume", []*table.Command{fresh(), do(game.Resume), do(game.Pause)}, do(game.Resume),
			[]*table.Command{do(game.Pause)}, do(game.Flip)},
		{"adjust", []*table.Command{fresh(), do(game.Resume)}, adjust, nil, do(game.Pause)},
		{"flip", nil, do(game.Flip), nil, move("e7e5")},
		{"move", []*table.Command{fresh()}, move("g1f3"),
			[]*table.Command{move("g8f6"), move("f3g1"), move("f6g8")}, do(game.Flip)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
			d.t = table.New(table.Options{Board: "home", Decode: func() table.Decoder {
				return reconcile.New(wood.Reference(), reconcile.DefaultTiming())
			}})
			effects, err := d.t.Start(d.now, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
				Black: game.Local})
			if err != nil {
				t.Fatal(err)
			}
			d.carry(effects)
			give := func(c *table.Command) error {
				d.now = d.now.Add(time.Second)
				effects, err := d.t.Command(d.now, c)
				d.carry(effects)
				return err
			}
			must := func(list ...*table.Command) {
				for _, c := range list {
					if err := give(c); err != nil {
						t.Fatalf("%s: %v", c.Do, err)
					}
				}
			}
			if c.before == nil || c.before[0].Do != table.NewGame {
				must(move("e2e4"))
			}
			must(c.before...)
			named := *c.command
			named.To = d.t.Step()
			must(c.apart)
			must(&named)
			must(c.after...)
			seen, id := d.t.Step(), d.t.Game().ID()
			if err := give(&named); err == nil || !strings.Contains(err.Error(), "came late") {
				t.Errorf("once more: %v, want it refused because it is late", err)
			}
			if d.t.Step() != seen || d.t.Game().ID() != id {
				t.Errorf("it was refused and has changed something: step %d, want %d", d.t.Step(), seen)
			}
			ahead := *c.command
			ahead.To = seen + 1
			if err := give(&ahead); err == nil || !strings.Contains(err.Error(), "came late") {
				t.Errorf("for a step that has not come: %v", err)
			}
			if c.name == "adjust" || c.name == "flip" || c.name == "new" || c.name == "rematch" {
				must(c.command) // an old program, which names no step
			}
		})
	}
}

// TestStepOverARestart: a board that was started again counts on, so that a command from before comes late.
func TestStepOverARestart(t *testing.T) {
	d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	o := table.Options{Board: "home", Decode: func() table.Decoder {
		return reconcile.New(wood.Reference(), reconcile.DefaultTiming())
	}}
	d.t = table.New(o)
	effects, err := d.t.Start(d.now, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local})
	if err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	d.move(t, "e2e4")
	named := &table.Command{Action: game.Action{Do: game.Takeback}, To: d.t.Step()}
	g := d.t.Game()
	d.now = d.now.Add(time.Second)
	d.t = table.New(o)
	if effects, err = d.t.Resume(d.now, g, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	d.carry(effects)
	if _, err := d.t.Command(d.now, named); err == nil || !strings.Contains(err.Error(), "came late") {
		t.Errorf("a takeback from before the restart: %v", err)
	}
}
