// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"boardd/rules/table"
	"boardd/sync/wire"
)

// TestWoodStopsBothClocks: wood that shows no position of the game stops the clocks of both boards. The other board's
// page says why they stand. It does not say that people have paused the game, and does not propose to let the clocks
// run on. A person there may pause the game, and then it stays so.
func TestWoodStopsBothClocks(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	d.oslo.command("oslo", `{"id":"1","do":"new","seats":{"white":"oslo","black":"rome"},`+
		`"clock":{"kind":"sudden-death","initial_ms":600000}}`)
	d.meet()
	d.play(1, "e2", "e4")
	p := d.rome.person("rome", 390, 844)
	d.rome.await("rome", "black's time runs", func(g *wire.Game) bool { return g.Clock.Running == "black" })
	d.oslo.move("oslo", "a1", "a5", 1)
	d.rome.await("rome", "the clocks stand",
		func(g *wire.Game) bool { return g.Clock.Running == "" && g.Paused && g.Wood.State == wire.Synced })
	p.says(".state", "Black to move")
	p.says(".faults", "oslo differs from the game: the clocks stand until it is put right")
	p.soon("nothing to go on with", `!document.querySelector(".answers [data-do=resume]")`)
	p.push("[data-do=pause]")
	p.says(".state", "The game is paused.")
	d.oslo.move("oslo", "a5", "a1", 1)
	g := d.oslo.await("oslo", "the wood is right", synced)
	if !g.Paused || g.PauseReason == table.Desync {
		t.Errorf("paused %v because of %q, want the pause to stay", g.Paused, g.PauseReason)
	}
	p.soon("nothing is said of oslo any more", `!document.querySelector("[data-board] .faults").textContent.includes("oslo")`)
	p.push(".answers [data-do=resume]")
	d.oslo.await("oslo", "black's time runs again", func(g *wire.Game) bool { return g.Clock.Running == "black" })
	d.oslo.move("oslo", "a1", "a5", 1)
	p.says(".faults", "oslo differs from the game: the clocks stand until it is put right")
	d.oslo.command("oslo", `{"id":"2","do":"resign","side":"white"}`)
	d.rome.await("rome", "the game is over", func(g *wire.Game) bool { return g.Outcome != "" })
	p.soon("the game is over, so nothing is said of its clocks",
		`!document.querySelector("[data-board] .faults").textContent.includes("oslo")`)
}
