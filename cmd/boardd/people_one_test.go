// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// TestQuestionAndFlagOnOnePage: at one board the page asks which piece a pawn became. It shows the game as it stands
// to who opens it again, and says that a flag fell.
func TestQuestionAndFlagOnOnePage(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "reeds", ""))
	p := r.person("table", 1440, 900)
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"setup","start":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}`)
	g := r.await("table", "the position is to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	r.mend("table", &g)
	r.await("table", "it stands", synced)
	r.move("table", "a7", "a8", 1)
	r.await("table", "it is asked", func(g *wire.Game) bool { return g.Wood.State == wire.Asking })
	p.asked("move")
	if err := chromedp.Do(p.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	p.soon("the page is drawn", `document.querySelector("[data-board] .now") !== null`)
	p.asked("move")
	p.push("[data-move=a7a8n]")
	r.await("table", "the pawn is a knight", moved("a7a8n"))
	p.says(".moves", "a8=N")

	r.command("table",
		`{"id":"2","do":"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":1500}}`)
	g = r.await("table", "the array is to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	r.mend("table", &g)
	r.await("table", "it stands", synced)
	r.command("table", `{"id":"3","do":"resume"}`)
	p.says(".state", "Black won: time")
}

// TestOneBoardClocksByWood: at one board, pieces that differ from the game stop the clock until they are put right. An
// offer is declined by moving on, and a flag falls on its own. The array keeps the clock of the game before.
func TestOneBoardClocksByWood(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":600000}}`)
	r.await("table", "the game with a clock", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	r.move("table", "e2", "e4", 1)
	r.await("table", "black's time runs", func(g *wire.Game) bool { return g.Clock.Running == "black" })
	r.move("table", "a1", "a5", 1)
	r.await("table", "it stands while a piece stands wrong",
		func(g *wire.Game) bool { return g.Wood.State == wire.Wrong && g.Clock.Running == "" })
	r.lit("table", "a1", "#990606")
	r.lit("table", "a5", "#990606")
	r.move("table", "a5", "a1", 1)
	r.await("table", "it runs again", func(g *wire.Game) bool { return synced(g) && g.Clock.Running == "black" })
	r.command("table", `{"id":"2","do":"offer-draw"}`)
	r.await("table", "a draw is offered", func(g *wire.Game) bool { return !asksNothing(g) })
	r.move("table", "e7", "e5", 1)
	r.await("table", "one move is the answer of the side that offers or is asked", moved("e2e4", "e7e5"))
	r.move("table", "g1", "f3", 1)
	r.await("table", "the offer is gone when both have moved on",
		func(g *wire.Game) bool { return len(g.Moves) == 3 && asksNothing(g) && g.Outcome == "" })
	r.command("table", `{"id":"3","do":"adjust","white_ms":600000,"black_ms":1500}`)
	r.await("table", "black's flag falls",
		func(g *wire.Game) bool { return g.Outcome == "1-0" && g.Reason == "time" && g.Clock.Black == 0 })
	for _, m := range []string{"f3g1", "e5e7", "e4e2"} {
		r.move("table", m[:2], m[2:], 1)
	}
	r.await("table", "the array is the next game, with the same clock", func(g *wire.Game) bool {
		return g.Outcome == "" && len(g.Moves) == 0 && synced(g) && g.Timing != nil && g.Timing.Initial == 600000
	})
}

// TestNodAcceptsDraw: between two boards, the king that is lifted and put back accepts the draw that the other offers.
func TestNodAcceptsDraw(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	for _, b := range []string{"north", "south"} {
		r.await(b, "it is ready", func(g *wire.Game) bool { return synced(g) || g.Wood.State == wire.Executing })
		r.move(b, "e2", "e4", 1)
		r.await(b, "e4 stands", func(g *wire.Game) bool { return len(g.Moves) == 1 && synced(g) })
	}
	r.command("north", `{"id":"1","do":"offer-draw"}`)
	r.await("south", "a draw is offered", asks("draw", "white"))
	r.nods("south", "e8")
	for _, b := range []string{"north", "south"} {
		r.await(b, "it is a draw",
			func(g *wire.Game) bool { return g.Outcome == "1/2-1/2" && g.Reason == "agreement" })
	}
}

// TestDroppedBeside: a piece was dropped beside the board at a moment when it could still belong to a move. After a
// while the page tells of it, with a button that puts it back.
func TestDroppedBeside(t *testing.T) {
	t.Parallel()
	looked(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	p := r.person("table", 1440, 900)
	r.await("table", "the array stands", synced)
	p.drags("e2e4")
	at := grip(t, p.ctx, "table", "lower", "g1", 0)
	drag(t, p.ctx, at, point{1300, 400})
	r.await("table", "it is taken for a hand at work", func(g *wire.Game) bool { return g.Wood.State == "moving" })
	p.says(".state", "beside the board")
	p.says(".steps", "g1")
	p.push(".mend")
	r.await("table", "it stands again", synced)
	p.says(".state", "Black to move")
}

// realWood makes a page of a virtual board one of a real board: it hears nothing of the wood but what the sensors say.
// What takes 15 s comes at once.
const realWood = `
	const add = EventSource.prototype.addEventListener, later = window.setTimeout;
	EventSource.prototype.addEventListener = function (kind, act) {
		if (!kind.endsWith("/wood")) add.call(this, kind, act);
	};
	window.setTimeout = (act, ms, ...rest) => later(act, ms === 15000 ? 0 : ms, ...rest);
`

// TestMissingFromARealBoard: at a real board nobody knows whether a hand holds what was lifted. When nothing has
// followed for a while, the page says what is missing where, and what puts it right.
func TestMissingFromARealBoard(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	p := r.person("table", 1440, 900)
	before(t, p.ctx, realWood)
	if err := chromedp.Do(p.ctx, chromedp.Navigate(r.page+"?board=table")); err != nil {
		t.Fatal(err)
	}
	r.await("table", "the array stands", synced)
	p.says(".state", "White to move")
	r.hand("table", `{"do":"lift","square":"g8","deck":"lower"}`)
	r.hand("table", `{"do":"discard"}`)
	p.says(".state", "A piece is missing from the board")
	p.says(".steps", "g8: put the black knight there")
	p.soon("no button puts it back", `!document.querySelector("[data-board] .mend")`)
	r.hand("table", `{"do":"take","pieces":["n"]}`)
	r.hand("table", `{"do":"place","square":"g8","deck":"lower"}`)
	r.await("table", "it stands again", synced)
	p.says(".state", "White to move")
}

// TestMoveWhilePaused: a move that is made while the game is paused counts when it goes on. Page and lights say so, on
// a phone too, and nothing calls it wrong.
func TestMoveWhilePaused(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	p := r.person("table", 390, 844)
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":600000}}`)
	r.await("table", "the game with a clock", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	r.move("table", "e2", "e4", 1)
	r.await("table", "black's time runs", func(g *wire.Game) bool { return g.Clock.Running == "black" })
	p.push("[data-do=pause]")
	p.says(".state", "The game is paused.")
	p.says(".answers", "Let the clock run")
	overhear(t, p.ctx)
	r.move("table", "d7", "d5", 1)
	g := r.await("table", "the move is held", func(g *wire.Game) bool { return g.Wood.Held == "d5" })
	if len(g.Moves) != 1 || g.Wood.State != wire.Moving || g.Clock.Running != "" {
		t.Errorf("%s, clock %+v; want the move to wait", standsAs(&g), g.Clock)
	}
	p.soon("d5 shines", `document.querySelector("[data-square=d5]").classList.contains("unsent")`)
	p.says(".state", "The game is paused: d5 counts when it goes on.")
	keep(t, p.ctx, "paused-phone.png")
	p.push(".answers [data-do=resume]")
	r.await("table", "it counts",
		func(g *wire.Game) bool { return moved("e2e4", "d7d5")(g) && g.Clock.Running == "white" })
	p.says(".state", "White to move")
	untrue(t, p.ctx, "while a paused game goes on", "differs", "beside the board", "missing")
}

// TestTakeBackWhilePaused: what is taken back in a pause is the move that waits, though it is the first of the game.
// Lights and page lead it back.
func TestTakeBackWhilePaused(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	p := r.person("table", 390, 844)
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","clock":{"kind":"sudden-death","initial_ms":600000}}`)
	r.await("table", "the game with a clock", func(g *wire.Game) bool { return g.Clock != nil && synced(g) })
	r.command("table", `{"id":"2","do":"pause"}`)
	for _, made := range [][]string{{}, {"e2e4"}} {
		m := [2]string{"e2e4", "d7d5"}[len(made)]
		r.move("table", m[:2], m[2:], 1)
		r.await("table", "the move is held", func(g *wire.Game) bool { return g.Wood.Held == m[2:] })
		p.push("[data-do=takeback]")
		g := r.await("table", "it is taken back", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
		if !moved(made...)(&g) {
			t.Errorf("%s; want %v, and %s put back", standsAs(&g), made, m)
		}
		p.says(".state", "Taken back. Put the pieces back by the lights.")
		p.soon("it shines where it is lifted", `document.querySelector("[data-square=`+m[2:]+`]").classList.contains("from")`)
		p.push(".answers .mend")
		p.says(".state", "The game is paused.")
		if len(made) == 0 {
			r.command("table", `{"id":"3","do":"resume"}`)
			r.move("table", "e2", "e4", 1)
			r.await("table", "another try counts", moved("e2e4"))
			r.command("table", `{"id":"4","do":"pause"}`)
		}
	}
}
