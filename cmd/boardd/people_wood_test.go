// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// kings puts both kings on squares of the centre, White's first.
func (r *running) kings(board, white, black string) {
	r.t.Helper()
	r.move(board, "e1", white, 1)
	r.move(board, "e8", black, 1)
}

// home puts the kings back on their first squares, once the board has seen that they ended the game.
func (r *running) home(board, white, black string) {
	r.t.Helper()
	r.move(board, white, "e1", 1)
	r.move(board, black, "e8", 1)
}

// TestTwoBoardsByWood: what two people at two boards do with their pieces alone (docs/people.md). A draw by kings is
// declined by moving on. The clocks are set by a nod, which is lifting the king and putting it back, and
// the game is ended by kings. The array begins the next one, with the same clock. TestRequestsBetweenBoards and
// TestArrayBetweenBoards show the rest.
func TestTwoBoardsByWood(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	both := func(what string, ok func(*wire.Game) bool) (g wire.Game) {
		t.Helper()
		for _, b := range []string{"north", "south"} {
			g = r.await(b, what, ok)
		}
		return g
	}
	play := func(made ...string) {
		t.Helper()
		order := []string{"north", "south"}
		if len(made)%2 == 0 {
			order = []string{"south", "north"}
		}
		m := made[len(made)-1]
		for _, b := range order {
			r.await(b, "it is ready",
				func(g *wire.Game) bool { return synced(g) && len(g.Moves) == len(made)-1 || len(g.Moves) == len(made) })
			r.move(b, m[:2], m[2:], 1)
			r.await(b, m+" stands", func(g *wire.Game) bool { return slices.Equal(g.Moves, made) && synced(g) })
		}
	}
	r.command("north",
		`{"id":"1","do":"new","seats":{"white":"north","black":"south"},"clock":{"kind":"sudden-death","initial_ms":600000}}`)
	first := both("the game with a clock stands", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	play("a2a3")
	play("a2a3", "a7a6")
	play("a2a3", "a7a6", "h2h3")

	r.kings("north", "e4", "d4")
	both("a draw is offered by kings", asks("draw", "white"))
	r.home("north", "e4", "d4")
	play("a2a3", "a7a6", "h2h3", "h7h6")
	both("it is declined by moving on", asksNothing)
	r.kings("south", "e4", "d4")
	both("the other side offers", asks("draw", "black"))
	r.home("south", "e4", "d4")
	r.await("south", "the kings are back", synced)
	r.command("south", `{"id":"1","do":"adjust","white_ms":300000,"black_ms":300000}`)
	both("and asks to set the clocks", asks("adjust", "black"))
	r.command("north", `{"id":"1","do":"decline-draw"}`)
	r.nods("north", "e1")
	both("the nod sets them",
		func(g *wire.Game) bool { return g.Clock.Black == 300000 && g.Clock.White <= 300000 && asksNothing(g) })

	r.kings("north", "d4", "e5") // both squares are dark: Black won
	both("White has resigned", func(g *wire.Game) bool { return g.Outcome == "0-1" && g.Reason == "resignation" })
	for _, b := range []string{"north", "south"} {
		if b == "north" {
			r.home(b, "d4", "e5")
		}
		for _, m := range []string{"h6h7", "h3h2", "a6a7", "a3a2"} {
			r.move(b, m[:2], m[2:], 1)
		}
	}
	g := both("the array is the next game",
		func(g *wire.Game) bool { return g.Game > first.Game && g.Outcome == "" && synced(g) })
	if g.Timing == nil || g.Timing.Initial != 600000 || g.Clock.White != 600000 || g.Seats.White != "north" {
		t.Errorf("clock %+v of %+v, seats %+v: want those of the game before", g.Clock, g.Timing, g.Seats)
	}
}

// TestOneBoardByWood: the same at one board with both people at it.
func TestOneBoardByWood(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	first := r.await("table", "the array stands", synced)
	r.move("table", "a2", "a3", 1)
	r.await("table", "a3", moved("a2a3"))
	r.move("table", "a3", "a2", 1)
	r.await("table", "it is taken back", func(g *wire.Game) bool { return len(g.Moves) == 0 && synced(g) })
	for _, c := range []struct{ white, black, outcome string }{{"e4", "d5", "1-0"}, {"d4", "e5", "0-1"},
		{"e4", "d4", "1/2-1/2"}} {
		r.move("table", "a2", "a3", 1)
		r.await("table", "a3", moved("a2a3"))
		r.kings("table", c.white, c.black)
		r.await("table", c.outcome, func(g *wire.Game) bool { return g.Outcome == c.outcome })
		r.home("table", c.white, c.black)
		r.move("table", "a3", "a2", 1)
		g := r.await("table", "the array is the next game",
			func(g *wire.Game) bool { return g.Game > first.Game && g.Outcome == "" && synced(g) })
		first = g
	}
}

// TestPeopleOverMQTT: everything that two people do, as commands over MQTT where the owner allows them, at two boards
// and at one.
func TestPeopleOverMQTT(t *testing.T) {
	t.Parallel()
	d := onOneBroker(t)
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", "  commands: on\n"))
	d.rome = start(t, "run", "--config", d.config("rome", "oslo", "local", "  commands: on\n"))
	alone := start(t, "run", "--config", d.config("table", "local", "local", "  commands: on\n"))
	d.meet()
	alone.await("table", "the array stands", synced)
	s := spectate(t, d.url)
	number := 0
	do := func(board, command string) string {
		t.Helper()
		number++
		id := fmt.Sprint("c", number)
		k := s.client.Publish(wire.Topic(board, wire.LeafCommand), 1, false, `{"id":"`+id+`","do":`+command+`}`)
		if !k.WaitTimeout(soonEnough) || k.Error() != nil {
			t.Fatal(k.Error())
		}
		var r wire.Reply
		s.until(board+" answers "+command, func(at, leaf string, payload []byte) bool {
			return at == board && leaf == wire.LeafReply && json.Unmarshal(payload, &r) == nil && r.ID == id
		})
		return r.Error
	}
	type step struct {
		board, command string
		is             func(*wire.Game) bool // the condition that holds at every board of the game then
	}
	over := func(outcome string) func(*wire.Game) bool {
		return func(g *wire.Game) bool { return g.Outcome == outcome }
	}
	count := func(n int) func(*wire.Game) bool {
		return func(g *wire.Game) bool { return len(g.Moves) == n && g.Outcome == "" && asksNothing(g) }
	}
	paused := func(yes bool) func(*wire.Game) bool { return func(g *wire.Game) bool { return g.Paused == yes } }
	clocks := func(ms int64) func(*wire.Game) bool {
		return func(g *wire.Game) bool {
			return g.Clock != nil && g.Clock.White <= ms && g.Clock.White > ms-60000 && asksNothing(g)
		}
	}
	between := []step{
		{"oslo", `"new","variant":"chess","seats":{"white":"oslo","black":"rome"},"clock":{"kind":"fischer","initial_ms":600000,"increment_ms":1000}`, clocks(600000)},
		{"oslo", `"move","move":"e2e4"`, count(1)}, {"rome", `"move","move":"e7e5"`, count(2)},
		{"oslo", `"pause"`, paused(true)}, {"rome", `"resume"`, paused(false)},
		{"oslo", `"adjust","white_ms":200000,"black_ms":200000`, asks("adjust", "white")},
		{"rome", `"decline"`, clocks(602000)},
		{"oslo", `"adjust","white_ms":200000,"black_ms":200000`, asks("adjust", "white")},
		{"rome", `"accept"`, clocks(200000)},
		{"rome", `"takeback"`, asks("takeback", "black")}, {"oslo", `"decline-takeback"`, count(2)},
		{"rome", `"takeback"`, asks("takeback", "black")}, {"oslo", `"accept-takeback"`, count(1)},
		{"rome", `"move","move":"c7c5"`, count(2)},
		{"oslo", `"offer-draw"`, asks("draw", "white")}, {"rome", `"decline-draw"`, count(2)},
		{"rome", `"new","variant":"locking"`, asks("new", "black")}, {"oslo", `"decline"`, count(2)},
		{"rome", `"abort"`, asks("abort", "black")}, {"oslo", `"decline"`, count(2)},
		{"rome", `"offer-draw"`, asks("draw", "black")}, {"oslo", `"accept-draw"`, over("1/2-1/2")},
		{"oslo", `"rematch"`, func(g *wire.Game) bool { return g.Seats.White == "rome" && g.Outcome == "" }},
		{"rome", `"move","move":"d2d4"`, count(1)}, {"oslo", `"move","move":"d7d5"`, count(2)},
		{"oslo", `"resign"`, over("1-0")},
		{"oslo", `"rematch"`, count(0)}, {"oslo", `"abort"`, over("*")},
	}
	alike := []step{
		{"table", `"new","variant":"chess","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":1000}`,
			clocks(600000)},
		{"table", `"move","move":"e2e4"`, count(1)}, {"table", `"pause"`, paused(true)},
		{"table", `"resume"`, paused(false)},
		{"table", `"adjust","white_ms":200000,"black_ms":200000`, clocks(200000)},
		{"table", `"takeback"`, count(0)}, {"table", `"move","move":"d2d4"`, count(1)},
		{"table", `"offer-draw"`, asks("draw", "black")}, {"table", `"decline-draw"`, count(1)},
		{"table", `"move","move":"d7d5"`, count(2)},
		{"table", `"offer-draw"`, asks("draw", "white")}, {"table", `"accept-draw"`, over("1/2-1/2")},
		{"table", `"rematch"`, count(0)}, {"table", `"move","move":"d2d4"`, count(1)},
		{"table", `"resign","by":"black"`, over("1-0")},
		{"table", `"rematch"`, count(0)}, {"table", `"abort"`, over("*")},
	}
	for _, c := range slices.Concat(between, alike) {
		if err := do(c.board, c.command); err != "" {
			t.Fatalf("%s: %s: %s", c.board, c.command, err)
		}
		what := c.board + ": " + c.command
		if c.board == "table" {
			alone.await("table", what, c.is)
			continue
		}
		d.oslo.await("oslo", what, c.is)
		d.rome.await("rome", what, c.is)
	}
	if err := do("oslo", `"accept"`); !strings.Contains(err, "asks for nothing") {
		t.Errorf("accepting what nobody asks: %q", err)
	}
}
