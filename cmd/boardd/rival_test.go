// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"
)

// TestRivalAway: people are told once why the other board takes no part in the game, and once that it does again. A
// short absence is not told.
func TestRivalAway(t *testing.T) {
	t.Parallel()
	log, _ := suffer(t, "reeds", func(ctx context.Context, w *troubled) {
		say := func(leaf, text string) func() { return func() { w.say("other", leaf, text) } }
		game := func(id, rest string) func() {
			return say(wire.LeafGame, `{"schema":1,"game":"`+id+
				`","variant":"chess","seats":{"white":"table","black":"other"},"moves":[]`+rest+`}`)
		}
		id := w.invite()
		said := 0
		for _, c := range []struct {
			what string
			do   func()
			want string // what is said about that board within twenty seconds, and nothing else
		}{
			{"nothing", func() {}, "no game is heard of board other"},
			{"it comes", func() { say(wire.LeafStatus, "online")(); game(id, "")() }, "board other is in the game"},
			{"it goes", say(wire.LeafStatus, "offline"), "board other is switched off"},
			{"it is back", say(wire.LeafStatus, "online"), "board other is in the game"},
			{"it comes and goes", func() {
				for range 20 {
					say(wire.LeafStatus, "offline")()
					time.Sleep(5 * time.Second)
					say(wire.LeafStatus, "online")()
					time.Sleep(time.Second)
				}
			}, ""},
			{"it cannot play", game("0-old", `,"conflict":"it cannot be played here"`),
				`board other does not join this game, and says: \"it cannot be played here\"`},
			{"it plays with others", game("0-older", ""), "board other plays another game with this board (chess)"},
			{"it plays without this board", say(wire.LeafGame, `{"schema":1,"game":"0-oldest","variant":"chess",`+
				`"seats":{"white":"local","black":"local"},"moves":["e2e4"]}`),
				"board other plays a game without this board: end this game without a result, or begin a new one with board " +
					"table there"},
			{"it does not believe this board",
				game(id, `,"conflict":"board table: its message is signed by the key a, but its key here is b"`),
				`board other takes nothing from this board, and says: \"board table: its message is signed by the key a`},
			{"it joins", game(id, ""), "board other is in the game"},
			{"the game ends",
				func() { w.command(`{"id":"end","do":"resign","by":"white"}`); say(wire.LeafStatus, "offline")() }, ""},
		} {
			c.do()
			time.Sleep(20 * time.Second)
			var got []string
			for _, line := range w.told() {
				if strings.Contains(line, "board other") {
					got = append(got, line)
				}
			}
			news := strings.Join(got[said:], "")
			if lines := len(got) - said; lines > 1 || (lines == 1) != (c.want != "") || !strings.Contains(news, c.want) {
				t.Errorf("%s: got %q, want %q", c.what, news, c.want)
			}
			said = len(got)
		}
	}, 10*time.Minute)
	if len(log) > 40 {
		t.Errorf("%d lines", len(log))
	}
}
