// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"boardd/rules/table"
	"boardd/sync/wire"
)

// TestClocksStopTogether: a pause on one board stops the clocks of both, and so does wood that shows no position of
// the game. Afterwards both go on.
func TestClocksStopTogether(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	_, reply := d.oslo.post("oslo", "command",
		`{"id":"1","do":"new","seats":{"white":"oslo","black":"rome"},"clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`)
	if reply["ok"] != true {
		t.Fatal(reply)
	}
	d.meet()
	d.play(1, "e2", "e4")
	runs := func(side string) func(*wire.Game) bool {
		return func(g *wire.Game) bool { return g.Clock != nil && g.Clock.Running == side && g.Clock.At != "" }
	}
	both := func(what, side string) {
		t.Helper()
		d.oslo.await("oslo", what, runs(side))
		d.rome.await("rome", what, runs(side))
	}
	command := func(r *running, board, do string) {
		t.Helper()
		if _, reply := r.post(board, "command", `{"id":"2","do":"`+do+`"}`); reply["ok"] != true {
			t.Fatalf("%s: %v", do, reply)
		}
	}
	both("black's time runs", "black")
	command(d.oslo, "oslo", "pause")
	both("the clocks stand", "")
	command(d.rome, "rome", "resume")
	both("black's time runs again", "black")

	d.oslo.move("oslo", "a1", "a5", 1)
	d.oslo.await("oslo", "a piece stands where it may not",
		func(g *wire.Game) bool { return g.Wood.State == wire.Wrong && g.PauseReason == table.Desync })
	both("the clocks stand while it does", "")
	d.rome.move("rome", "e7", "e5", 1) // that keeps nobody from moving
	d.oslo.await("oslo", "the move has come", moved("e2e4", "e7e5"))
	d.oslo.move("oslo", "a5", "a1", 1)
	d.oslo.move("oslo", "e7", "e5", 1)
	both("white's time runs when all stands", "white")
}

// TestFlagOnBothBoards: after a flag fall on one board both show the same clocks.
func TestFlagOnBothBoards(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	_, reply := d.oslo.post("oslo", "command",
		`{"id":"1","do":"new","seats":{"white":"oslo","black":"rome"},"clock":{"kind":"sudden-death","initial_ms":1500}}`)
	if reply["ok"] != true {
		t.Fatal(reply)
	}
	d.meet()
	if _, reply := d.oslo.post("oslo", "command", `{"id":"2","do":"resume"}`); reply["ok"] != true {
		t.Fatal(reply)
	}
	over := func(g *wire.Game) bool { return g.Outcome == "0-1" && g.Reason == "time" }
	at := d.oslo.await("oslo", "white's flag falls", over).Clock
	if at.White != 0 || at.Black != 1500 {
		t.Errorf("oslo shows %+v", at)
	}
	d.rome.await("rome", "it shows the same", func(g *wire.Game) bool {
		return over(g) && g.Clock.White == at.White && g.Clock.Black == at.Black
	})
}
