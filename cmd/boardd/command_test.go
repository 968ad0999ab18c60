// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// TestRefusedCommands: a command that cannot be carried out as it was given is refused in words, and changes nothing.
func TestRefusedCommands(t *testing.T) {
	aboard(t, func(w *troubled, end func()) func() {
		before := w.shown().Game
		for _, c := range []struct {
			command wire.Command
			want    []string
		}{
			{wire.Command{Do: wire.DoNew, Options: wire.Options{"takebacks": "free", "speed": "1"}},
				[]string{`option "speed" is unknown, want takeback, draws, outage`, `"takebacks"`}},
			{wire.Command{Do: wire.DoNew, Options: wire.Options{game.OptionTakeback: "maybe"}},
				[]string{`takeback is "maybe", want free, consent, never`}},
			{wire.Command{Do: wire.DoResume}, []string{"no clock to go on"}},
		} {
			r := w.b.ask(w.t.Context(), c.command, atPage)
			for _, want := range c.want {
				if r.OK || !strings.Contains(r.Error, want) {
					t.Errorf("%+v: got %+v, want it refused with %q", c.command, r, want)
				}
			}
		}
		if got := w.shown().Game; got != before {
			t.Errorf("the game is %s, want %s as before", got, before)
		}
		w.ordered(wire.Command{Do: wire.DoPause})
		w.ordered(wire.Command{Do: wire.DoResume})
		w.ordered(wire.Command{Do: wire.DoNew, Options: wire.Options{game.OptionDraws: game.DrawsAutomatic},
			Clock: &wire.ClockSpec{Kind: game.Fischer, Initial: time.Minute.Milliseconds()}})
		w.ordered(wire.Command{Do: wire.DoResume})
		return end
	})
}

// TestRepeatedCommands: a command that names the step of the message its giver has seen is carried out once, however
// often it comes. Each message tells the step that the next command has to name.
func TestRepeatedCommands(t *testing.T) {
	aboard(t, func(w *troubled, end func()) func() {
		for _, m := range []string{"e2e4", "e7e5"} {
			w.ordered(wire.Command{Do: wire.DoMove, Move: m, To: w.shown().Step})
		}
		back := wire.Command{Do: wire.DoTakeback, To: w.shown().Step}
		w.ordered(back)
		for range 2 {
			if r := w.b.ask(w.t.Context(), back, atPage); r.OK || !strings.Contains(r.Error, "came late") || len(r.Said) != 1 {
				t.Errorf("the same takeback once more: %+v", r)
			}
		}
		if got := len(w.shown().Moves); got != 1 {
			t.Errorf("%d moves are left, want 1", got)
		}
		w.ordered(wire.Command{Do: wire.DoTakeback, To: w.shown().Step})
		return end
	})
}

// TestReplyNotStored: while the disk takes nothing, the reply to a command says that what it did is not stored, and so
// does the page. When there is room again, neither does.
func TestReplyNotStored(t *testing.T) {
	aboard(t, func(w *troubled, end func()) func() {
		for _, c := range []struct {
			move string
			full bool
		}{{"e2e4", false}, {"e7e5", true}, {"g1f3", true}, {"b8c6", false}} {
			w.full.Store(c.full)
			r := w.b.ask(w.t.Context(), wire.Command{ID: "1", Do: wire.DoMove, Move: c.move}, atPage)
			w.b.health()
			text, err := json.Marshal(r)
			said := strings.Contains(string(text), `"stored":false`)
			if err != nil || !r.OK || said != c.full {
				t.Errorf("%s with a full disk %v: %s, %v", c.move, c.full, text, err)
			}
			if health := string(w.b.feed.Get("health")); strings.Contains(health, "no space left on device") != c.full {
				t.Errorf("%s with a full disk %v: the page says %s", c.move, c.full, health)
			}
		}
		return end
	})
}
