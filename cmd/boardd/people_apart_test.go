// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"boardd/sync/wire"
)

// TestTwoBoardsApart: what two people at two boards do while one of the boards is paused, switched off or out of time.
// Both boards, both topics and the pages are looked at. What an end without a result needs is asked and allowed
// over MQTT, and both lay a position that one of them gives.
func TestTwoBoardsApart(t *testing.T) {
	t.Parallel()
	looked(t)
	d := onOneBroker(t)
	rome := d.config("rome", "oslo", "local", "  commands: on\n")
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", "  commands: on\n"))
	d.rome = start(t, "run", "--config", rome)
	d.meet()
	s := spectate(t, d.url)
	do := func(board, command string) {
		t.Helper()
		s.send(wire.Topic(board, wire.LeafCommand), `{"id":"`+board+`","do":`+command+`}`)
		var got wire.Reply
		s.until(board+" answers "+command, func(at, leaf string, payload []byte) bool {
			return at == board && leaf == wire.LeafReply && json.Unmarshal(payload, &got) == nil
		})
		if !got.OK {
			t.Fatalf("%s: %s: %s", board, command, got.Error)
		}
	}
	both := func(what string, ok func(*wire.Game) bool) (oslo, rome wire.Game) {
		t.Helper()
		return d.oslo.await("oslo", what, ok), d.rome.await("rome", what, ok)
	}
	told := func(board, text string) {
		t.Helper()
		s.until(board+" is "+text, func(at, leaf string, payload []byte) bool {
			return at == board && leaf == wire.LeafStatus && string(payload) == text
		})
	}
	p := d.oslo.person("oslo", 1440, 900)

	// A move that is made at one board while the other one has stopped the clocks.
	do("oslo", `"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":600000}`)
	both("the game with a clock stands", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	d.play(1, "e2", "e4")
	do("oslo", `"pause"`)
	both("it is paused", func(g *wire.Game) bool { return g.Paused })
	d.rome.move("rome", "e7", "e5", 1)
	g := d.rome.await("rome", "the move is held", func(g *wire.Game) bool { return g.Wood.Held == "e5" })
	if len(g.Moves) != 1 {
		t.Errorf("%v: a move counts in a pause", g.Moves)
	}
	p.says(".state", "The game is paused.")
	p.push(".answers [data-do=resume]")
	both("the move counts", moved("e2e4", "e7e5"))
	p.says(".steps", "e5")
	d.oslo.move("oslo", "e7", "e5", 1)
	both("both boards show it", func(g *wire.Game) bool { return synced(g) && g.Clock.Running == "white" })

	// A board is switched off. It is named on the other page, and shows the move made meanwhile when it comes back.
	d.rome.stop()
	told("rome", wire.Offline)
	p.says(".faults", "rome is switched off")
	d.oslo.move("oslo", "g1", "f3", 1)
	d.oslo.await("oslo", "the move is made", moved("e2e4", "e7e5", "g1f3"))
	d.rome = start(t, "run", "--config", rome)
	told("rome", wire.Online)
	g = d.rome.await("rome", "the move made meanwhile is lit",
		func(g *wire.Game) bool { return len(g.Moves) == 3 && g.Wood.State == wire.Executing })
	if at := touched(&g); !slices.Equal(at, []string{"f3", "g1"}) {
		t.Errorf("rome is to copy %v, want f3 and g1", at)
	}
	var leds struct{ Lower []string }
	d.rome.listen("rome", "leds", func(data []byte) bool {
		return json.Unmarshal(data, &leds) == nil && leds.Lower[21] != "#000000" && leds.Lower[6] != "#000000"
	}, func() string { return "f3 and g1 of rome shine" })
	p.soon("nothing is said of rome any more", `!document.querySelector("[data-board] .faults").textContent.includes("rome")`)
	d.rome.move("rome", "g1", "f3", 1)
	both("both boards show it", synced)

	// The end without a result is asked for and allowed.
	do("oslo", `"abort"`)
	both("it is asked for", asks("abort", "white"))
	do("rome", `"accept"`)
	both("it has ended", func(g *wire.Game) bool { return g.Outcome == "*" && g.Reason == "aborted" && asksNothing(g) })
	p.says(".state", "Ended without a result")

	// A position is to be laid at both boards.
	const ending = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
	do("rome", `"setup","start":"`+ending+`"`)
	oslo, other := both("it is to be set up",
		func(g *wire.Game) bool { return g.Outcome == "" && g.Start == ending && g.Wood.State == wire.Setup })
	d.oslo.mend("oslo", &oslo)
	d.rome.mend("rome", &other)
	both("it stands at both", func(g *wire.Game) bool { return g.Start == ending && synced(g) })

	// A flag falls: both boards, both topics and both pages say so, with the same clocks.
	do("oslo", `"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":1500}`)
	oslo, other = both("the array is to be set up",
		func(g *wire.Game) bool { return g.Clock != nil && g.Outcome == "" && g.Wood.State == wire.Setup })
	d.oslo.mend("oslo", &oslo)
	d.rome.mend("rome", &other)
	both("it stands at both", synced)
	q := d.rome.person("rome", 390, 844)
	do("rome", `"resume"`)
	over := func(g *wire.Game) bool { return g.Outcome == "0-1" && g.Reason == "time" && g.Clock.White == 0 }
	oslo, other = both("White's flag falls", over)
	if oslo.Clock.Black != other.Clock.Black {
		t.Errorf("the clocks show %+v and %+v", oslo.Clock, other.Clock)
	}
	for _, p := range []*person{p, q} {
		p.says(".state", "Black won: time")
		p.says(".clock.white time", "0:00.0")
		p.says(".clock.black time", "0:01.5")
	}
}

// touched returns the squares on which the wood differs, in order.
func touched(g *wire.Game) (at []string) {
	for _, s := range g.Wood.Squares {
		at = append(at, s.Square)
	}
	slices.Sort(at)
	return at
}

// TestInvitedFromALocalGame: two boards each have a game of their own. If one begins a game with the other, that one
// joins. People who play there already are told, and join by beginning a game too.
func TestInvitedFromALocalGame(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	local := `{"id":"1","do":"new","seats":{"white":"local","black":"local"}}`
	between := `{"id":"2","do":"new","seats":{"white":"north","black":"south"}}`
	alone := func(g *wire.Game) bool { return g.Seats.White == "local" && synced(g) }
	for _, b := range []string{"north", "south"} {
		r.await(b, "the array stands", synced)
		r.command(b, local)
		r.await(b, "a game of its own", alone)
	}
	r.command("north", between)
	g := r.await("south", "it joins", func(g *wire.Game) bool { return g.Seats.White == "north" && synced(g) })
	if n := r.await("north", "they play", synced); n.Game != g.Game {
		t.Fatalf("north plays %s, south %s", n.Game, g.Game)
	}

	r.command("south", local)
	r.await("south", "a game of its own again", alone)
	r.move("south", "e2", "e4", 1)
	told := r.hear("south", "event")
	r.command("north", between)
	told(func(data []byte) bool {
		return bytes.Contains(data, []byte("board north has begun a game with this board"))
	},
		func() string { return "south's people are told" })
	if g := r.await("south", "they play on", synced); len(g.Moves) != 1 || g.Seats.White != "local" {
		t.Errorf("south: %v %v, want its own game with a move", g.Seats, g.Moves)
	}
	n := r.await("north", "it waits", func(g *wire.Game) bool { return g.Seats.White == "north" })
	r.command("south", between)
	r.await("north", "it joins", func(g *wire.Game) bool { return g.Game > n.Game && g.Seats.White == "north" })
}
