// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/systemd/steady/steadytest"
)

// TestClockSet: when the computer's clock is set during a game, the chess clocks go on as if it had not been. The game
// is published again at once, because its message says by that clock how old it is.
func TestClockSet(t *testing.T) {
	for name, by := range map[string]time.Duration{"not": 0, "from 1970 to today": 20784 * 24 * time.Hour,
		"back by an hour": -time.Hour} {
		set := func(now time.Time) time.Time { return now }
		d := &disk{now: time.Now()}
		d.t = table.New(table.Options{Board: "home",
			Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
		if by > 0 {
			d.now = steadytest.Set(d.now, -by) // at first the clock is wrong
		}
		pass := func(span time.Duration) (published int) {
			d.seen = nil
			for range span / (100 * time.Millisecond) {
				d.now = d.now.Add(100 * time.Millisecond)
				d.carry(d.t.Tick(set(d.now)))
			}
			for _, e := range d.seen {
				if _, ok := e.(table.Publish); ok {
					published++
				}
			}
			return published
		}
		effects, err := d.t.Start(d.now, game.Setup{ID: "one", Board: "home", Variant: "chess", White: game.Local,
			Black: game.Local, Clock: &game.Timing{Kind: game.SuddenDeath, Initial: 60_000}})
		if err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		d.move(t, "e2e4")
		pass(10 * time.Second)
		if n := pass(10 * time.Second); n != 0 {
			t.Errorf("%s: published %d times though nothing has happened", name, n)
		}
		set = func(now time.Time) time.Time { return steadytest.Set(now, by) }
		want := 1
		if by == 0 {
			want = 0
		}
		if n := pass(10 * time.Second); n != want {
			t.Errorf("%s: published %d times, want %d", name, n, want)
		}
		d.now = set(d.now)
		set = func(now time.Time) time.Time { return now }
		d.move(t, "e7e5")
		pass(10 * time.Second)
		c, _ := d.t.Game().Clocks(d.now)
		if c.White != 50*time.Second || c.Black != 30*time.Second || c.Running != game.White {
			t.Errorf("%s: the clocks show %v and %v, %s runs; want 50s, 30s, white", name, c.White, c.Black, c.Running)
		}
		pass(51 * time.Second)
		if g := d.t.Game(); g.Outcome() != game.BlackWins {
			t.Errorf("%s: it ended %q, want White's flag to have fallen", name, g.Outcome())
		}
	}
}

// TestEngineInThePast: after a power cut the computer's clock may be far behind the last move of the game. The engine
// does not wait until it has come up to that.
func TestEngineInThePast(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.pass(3 * time.Second)
	s.move("e2e4")
	g := s.t.Game()
	s.now = time.Unix(60, 0)
	s.t = table.New(table.Options{Board: "home", Engine: true,
		Decode: func() table.Decoder { return reconcile.New(s.g, reconcile.DefaultTiming()) }})
	effects, err := s.t.Resume(s.now, g, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.carry(effects)
	s.pass(10 * time.Second)
	if n := s.t.Game().Plies(); n != 2 {
		t.Errorf("%d moves, want the engine's reply", n)
	}
}
