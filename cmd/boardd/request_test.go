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

// asks returns a condition: the game shows a request, on whichever board.
func asks(what, by string) func(*wire.Game) bool {
	return func(g *wire.Game) bool {
		return slices.ContainsFunc(g.Requests, func(r wire.Request) bool { return r.What == what && r.By == by })
	}
}

func asksNothing(g *wire.Game) bool { return len(g.Requests) == 0 }

// lit waits until a light of the lower deck shines in a color.
func (r *running) lit(board, square, color string) {
	r.t.Helper()
	at := 8*int(square[1]-'1') + int(square[0]-'a')
	var leds struct{ Lower []string }
	r.listen(board, "leds", func(data []byte) bool {
		return json.Unmarshal(data, &leds) == nil && leds.Lower[at] == color
	}, func() string { return square + " of " + board + " shines " + color })
}

// nods lifts a king and puts it back.
func (r *running) nods(board, square string) {
	r.hand(board, fmt.Sprintf(`{"do":"lift","square":%q}`, square))
	r.await(board, "the king is seen in the hand", func(g *wire.Game) bool {
		return slices.ContainsFunc(g.Wood.Squares, func(d wire.Touch) bool {
			return d.Square == square && d.See < len(d.Want)
		})
	})
	r.hand(board, fmt.Sprintf(`{"do":"place","square":%q}`, square))
}

// TestRequestsBetweenBoards: every request is shown on both boards and lit at the one that is asked. It can be
// answered there by command and with the wood, and a refusal is reported to the board that asked.
func TestRequestsBetweenBoards(t *testing.T) {
	t.Parallel()
	const white, green, dark = "#ffffff", "#004f0b", "#000000"
	r := startDemo(t, "--variant", "chess")
	both := func(what string, ok func(*wire.Game) bool) {
		t.Helper()
		for _, b := range []string{"north", "south"} {
			r.await(b, what, ok)
		}
	}
	do := func(board, body string) { t.Helper(); r.command(board, `{"id":"1","do":`+body+`}`) }
	play := func(made ...string) {
		t.Helper()
		at := []string{"north", "south"}[(len(made)+1)%2]
		m := made[len(made)-1]
		for _, b := range []string{at, map[string]string{"north": "south", "south": "north"}[at]} {
			r.move(b, m[:2], m[2:], 1)
			r.await(b, m+" stands", func(g *wire.Game) bool { return slices.Equal(g.Moves, made) && synced(g) })
		}
	}
	both("the array stands", synced)
	play("e2e4")
	play("e2e4", "e7e5")

	// A draw, declined: the offer is gone on both boards, and cannot be made again at once.
	do("north", `"offer-draw"`)
	both("the draw is offered", asks("draw", "white"))
	r.lit("south", "e8", white)
	r.lit("north", "e1", dark)
	do("south", `"decline-draw"`)
	both("the offer is gone", asksNothing)
	if _, reply := r.post("north", "command", `{"id":"1","do":"offer-draw"}`); reply["ok"] == true {
		t.Error("the draw that was declined is offered again before the next move")
	}

	// A takeback: asked with the wood, declined by command; asked again by command, allowed with the wood.
	r.move("south", "e5", "e7", 1)
	both("the takeback is asked", asks("takeback", "black"))
	r.lit("north", "e1", white)
	do("north", `"decline-takeback"`)
	both("it is declined", asksNothing)
	r.await("south", "the wood is to be put right", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	r.move("south", "e7", "e5", 1)
	r.await("south", "it is", synced)
	do("south", `"takeback"`)
	both("the takeback is asked", asks("takeback", "black"))
	r.nods("north", "e1")
	both("it is taken back", func(g *wire.Game) bool { return len(g.Moves) == 1 && asksNothing(g) })
	for _, b := range []string{"north", "south"} {
		r.move(b, "e5", "e7", 1)
		r.await(b, "the wood follows", synced)
	}
	play("e2e4", "c7c5")

	// While a hand holds a piece, the lights are about that piece. The question comes back when the hand is gone.
	do("south", `"abort"`)
	both("the end without result is asked for", asks("abort", "black"))
	r.lit("north", "e1", white)
	r.hand("north", `{"do":"lift","square":"g1"}`)
	r.lit("north", "f3", green)
	r.lit("north", "e1", dark)
	r.hand("north", `{"do":"place","square":"g1"}`)
	r.lit("north", "e1", white)
	r.hand("north", `{"do":"lift","square":"e1"}`)
	r.lit("north", "e2", green) // where the king may go instead
	r.lit("north", "e1", white)
	do("north", `"decline"`)
	both("it is declined", asksNothing)
	r.hand("north", `{"do":"place","square":"e1"}`)
	both("the king stands", synced)

	// Hints are given when both have agreed, and then to either of them without asking again.
	told := func(board string) func() {
		hear := r.hear(board, "event")
		return func() {
			t.Helper()
			hear(func(data []byte) bool {
				var e wire.Event
				return json.Unmarshal(data, &e) == nil && e.Kind == wire.EventHint && e.Move != ""
			}, func() string { return "a hint is given at " + board })
		}
	}
	given := told("north")
	do("north", `"hint"`)
	both("hints are asked for", asks("hint", "white"))
	do("south", `"decline"`)
	both("they are declined", asksNothing)
	do("north", `"hint"`)
	both("they are asked for again", asks("hint", "white"))
	r.lit("south", "e8", white)
	r.nods("south", "e8")
	both("they are allowed", asksNothing)
	given()
	play("e2e4", "c7c5", "g1f3")
	given = told("south")
	do("south", `"hint"`)
	given()

	// A new game while one goes on is asked for, and does not replace it before the other person says yes.
	g := r.await("south", "the game", synced)
	do("north", `"new","variant":"locking","seats":{"white":"south","black":"north"}`)
	both("the new game is asked for", asks("new", "white"))
	do("south", `"decline"`)
	both("it is declined", asksNothing)
	if now := r.await("north", "the game goes on", synced); now.Game != g.Game || len(now.Moves) != 3 {
		t.Errorf("game %s with %v, want %s to go on", now.Game, now.Moves, g.Game)
	}
	do("south", `"abort"`)
	both("the end without result is asked for", asks("abort", "black"))
	r.nods("north", "e1")
	both("the game has ended without result",
		func(g *wire.Game) bool { return g.Outcome == "*" && g.Reason == "aborted" })
	do("south", `"rematch"`)
	both("the next game begins with colors changed",
		func(g *wire.Game) bool { return g.Seats.White == "south" && g.Outcome == "" })
}

// TestArrayBetweenBoards: in the middle of a game against another board, all pieces are set up again, and a king is
// lifted and put back. This asks that board for a new game. It begins when its person says yes with the wood. What a
// board begins without asking ends nothing.
func TestArrayBetweenBoards(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	made := []string{"e2e4", "e7e5", "d2d3"}
	for i, m := range made {
		for _, b := range [][]string{{"north", "south"}, {"south", "north"}}[i%2] {
			r.await(b, "it is ready",
				func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == i || g.Wood.State == wire.Executing })
			r.move(b, m[:2], m[2:], 1)
			r.await(b, m+" stands", func(g *wire.Game) bool { return slices.Equal(g.Moves, made[:i+1]) && synced(g) })
		}
	}
	first := r.await("north", "the game", synced)
	for _, b := range []string{"north", "south"} {
		r.hand(b, `{"do":"lift","square":"d3","hand":"left"}`)
		r.move(b, "e5", "e7", 1)
		r.move(b, "e4", "e2", 1)
		r.hand(b, `{"do":"place","square":"d2","hand":"left"}`)
		r.await(b, "the array is up", func(g *wire.Game) bool { return slices.Equal(g.Wood.Kings, []string{"e1", "e8"}) })
	}
	r.hand("north", `{"do":"lift","square":"e1"}`)
	r.await("north", "the king is seen in the hand", func(g *wire.Game) bool { return len(g.Wood.Squares) == 7 })
	r.hand("north", `{"do":"place","square":"e1"}`)
	g := r.await("south", "a new game is asked for", asks("new", "white"))
	if g.Game != first.Game {
		t.Error("the game was replaced before anybody agreed")
	}
	r.command("south", `{"id":"1","do":"accept"}`)
	for _, b := range []string{"north", "south"} {
		r.await(b, "the new game stands",
			func(g *wire.Game) bool { return g.Game != first.Game && len(g.Moves) == 0 && synced(g) })
	}
}

// TestClocksBetweenBoards: the clocks are set when the other board agrees, and show the same on both.
func TestClocksBetweenBoards(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	r.command("north",
		`{"id":"1","do":"new","seats":{"white":"north","black":"south"},"clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`)
	for _, b := range []string{"north", "south"} {
		r.await(b, "the clocked game stands", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	}
	r.command("north", `{"id":"1","do":"adjust","white_ms":300000,"black_ms":420000}`)
	g := r.await("south", "it is asked", asks("adjust", "white"))
	if g.Clock.White != 600000 || g.Requests[0].White != 300000 || g.Requests[0].Black != 420000 {
		t.Errorf("clock %v, asked %+v", g.Clock, g.Requests)
	}
	r.command("south", `{"id":"1","do":"accept"}`)
	for _, b := range []string{"north", "south"} {
		r.await(b, "the clocks are set",
			func(g *wire.Game) bool { return g.Clock.White == 300000 && g.Clock.Black == 420000 && asksNothing(g) })
	}
	if _, reply := r.post("north", "command", `{"id":"1","do":"adjust"}`); reply["ok"] == true ||
		!strings.Contains(fmt.Sprint(reply["error"]), "white_ms") {
		t.Errorf("adjust without times: %v", reply)
	}
}

// TestNodBeforeCopying: a player moves and asks for the move back before the other one has copied it. That one says
// yes with the king, and has nothing to copy any more.
func TestNodBeforeCopying(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	for _, b := range []string{"north", "south"} {
		r.await(b, "the array stands", synced)
	}
	r.move("north", "e2", "e4", 1)
	r.await("south", "it is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	r.command("north", `{"id":"1","do":"takeback"}`)
	r.await("south", "the takeback is asked", asks("takeback", "white"))
	r.lit("south", "e8", "#ffffff")
	touched := func(n int) func(*wire.Game) bool { return func(g *wire.Game) bool { return len(g.Wood.Squares) == n } }
	r.await("south", "two squares differ", touched(2))
	r.hand("south", `{"do":"lift","square":"e8"}`)
	r.await("south", "the king is in the hand", touched(3))
	r.hand("south", `{"do":"place","square":"e8"}`)
	r.await("south", "it is taken back",
		func(g *wire.Game) bool { return len(g.Moves) == 0 && asksNothing(g) && synced(g) })
}
