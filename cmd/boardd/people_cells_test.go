// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"boardd/sync/wire"
)

// TestConsentAtOneBoard: with `takeback: consent` one side asks the other at the same board, on the page or by putting
// the pieces back. The other answers on the page or with its king. The page names who asks: the side whose move it
// was.
func TestConsentAtOneBoard(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "twin", ""))
	p := r.person("table", 390, 844)
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","options":{"takeback":"consent"}}`)
	p.drags("e2e4")
	p.drags("e2e4", "e7e5")
	p.push("[data-do=takeback]")
	p.asked("takeback")
	p.says(".state", "Black asks to take back e5.")
	p.push("[data-do=decline-takeback]")
	p.asked("")
	p.push("[data-do=takeback]")
	p.asked("takeback")
	p.push("[data-do=accept-takeback]")
	r.await("table", "it is taken back", moved("e2e4"))
	p.follows("e2e4")

	r.move("table", "e4", "e2", 1)
	p.asked("takeback")
	p.says(".state", "White asks to take back e4.")
	keep(t, p.ctx, "consent-phone.png")
	p.push("[data-do=decline-takeback]")
	g := r.await("table", "it is to be put on again", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	if len(g.Moves) != 1 {
		t.Errorf("%v: want the move that was not taken back", g.Moves)
	}
	p.follows("e2e4")
	p.drags("e2e4", "c7c5")
	r.move("table", "c5", "c7", 1)
	p.asked("takeback")
	p.says(".state", "Black asks to take back c5.")
	p.says(".tip", "say yes by lifting your king and putting it back")
	var leds struct{ Lower []string }
	r.listen("table", "leds", func(data []byte) bool {
		return json.Unmarshal(data, &leds) == nil && white(leds.Lower[4]) && leds.Lower[60] == "#000000"
	}, func() string { return fmt.Sprintf("e1 alone shines white: %v", leds.Lower) })
	r.nods("table", "e1")
	r.await("table", "it is taken back, and stands so",
		func(g *wire.Game) bool { return moved("e2e4")(g) && synced(g) && asksNothing(g) })
	p.says(".state", "Black to move")
}

// TestOneBoardOverMQTT: what two people at one board do over MQTT besides what TestPeopleOverMQTT shows. They begin at
// a position, answer a question of the board, ask each other for consent, and lose on time. The board leaves and comes
// back with its game and its clocks.
func TestOneBoardOverMQTT(t *testing.T) {
	t.Parallel()
	d := onOneBroker(t)
	conf := d.config("table", "local", "local", "  commands: on\n")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	s := spectate(t, d.url)
	number := 0
	do := func(command string) {
		t.Helper()
		number++
		id := fmt.Sprint("c", number)
		s.send(wire.Topic("table", wire.LeafCommand), `{"id":"`+id+`","do":`+command+`}`)
		var got wire.Reply
		s.until("the board answers "+command, func(_, leaf string, payload []byte) bool {
			return leaf == wire.LeafReply && json.Unmarshal(payload, &got) == nil && got.ID == id
		})
		if !got.OK {
			t.Fatalf("%s: %s", command, got.Error)
		}
	}
	var g wire.Game
	shows := func(what string, ok func(*wire.Game) bool) {
		t.Helper()
		s.until(what, func(_, leaf string, payload []byte) bool {
			g = wire.Game{}
			return leaf == wire.LeafGame && json.Unmarshal(payload, &g) == nil && ok(&g)
		})
	}

	do(`"setup","start":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1"`)
	shows("the position is to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	r.mend("table", &g)
	shows("it stands", synced)
	r.move("table", "a7", "a8", 1)
	shows("it is asked", func(g *wire.Game) bool { return slices.Contains(g.Wood.Choices, "a7a8n") })
	do(`"answer","move":"a7a8n"`)
	shows("the pawn is a knight", moved("a7a8n"))

	do(`"new","variant":"chess","options":{"takeback":"consent"}`)
	do(`"move","move":"e2e4"`)
	do(`"takeback"`)
	shows("whose move it was asks", asks("takeback", "white"))
	do(`"decline-takeback"`)
	shows("it is declined", func(g *wire.Game) bool { return asksNothing(g) && len(g.Moves) == 1 })
	do(`"takeback"`)
	do(`"accept-takeback"`)
	shows("it is taken back", func(g *wire.Game) bool { return asksNothing(g) && len(g.Moves) == 0 })

	do(`"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":600000}`)
	do(`"move","move":"e2e4"`)
	do(`"adjust","white_ms":500000,"black_ms":400000`)
	do(`"pause"`)
	shows("the clocks are set, and stand",
		func(g *wire.Game) bool { return g.Paused && g.Clock.White == 500000 && g.Clock.Running == "" })
	before := g
	r.stop()
	s.until("the board is offline", func(_, leaf string, payload []byte) bool {
		return leaf == wire.LeafStatus && string(payload) == wire.Offline
	})
	start(t, "run", "--config", conf)
	s.until("it is online", func(_, leaf string, payload []byte) bool {
		return leaf == wire.LeafStatus && string(payload) == wire.Online
	})
	shows("the game is as it was", func(g *wire.Game) bool { return g.Game == before.Game && moved("e2e4")(g) })
	if !g.Paused || g.Clock.White != 500000 || g.Clock.Black != before.Clock.Black {
		t.Errorf("it comes back with %+v, paused %v; want %+v", g.Clock, g.Paused, before.Clock)
	}
	do(`"adjust","white_ms":500000,"black_ms":1`)
	do(`"resume"`)
	shows("black's flag falls", func(g *wire.Game) bool { return g.Outcome == "1-0" && g.Reason == "time" })
}
