// SPDX-License-Identifier: Apache-2.0

package main

import (
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
			r := w.b.ask(w.t.Context(), c.command)
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
