// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// newcomer is somebody who opens the demo at a desk, and sees the array of both boards.
func newcomer(t *testing.T) (r *running, ctx context.Context) {
	t.Helper()
	r = startDemo(t, "--variant", "locking")
	ctx = browser(t, 1440, 900, r.page)
	soon(t, ctx, "the boards are drawn",
		`document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
	r.await("north", "the array stands", synced)
	return r, ctx
}

// TestNewcomer walks where somebody new to the page stumbled. Both hands are in reach in their menu. Whoever moves for
// the other side is told where that side is played, and is offered no place to leave the board. The usual clocks are
// one press away.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	looked(t)
	r, ctx := newcomer(t)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .more > summary").click(); return true; })()`)
	soon(t, ctx, "both hands stand in the menu, one beside or below the other", `(() => {
		const [a, b] = [...document.querySelectorAll(".main .hands .held")].map((e) => e.getBoundingClientRect()),
			pane = document.querySelector(".main .more .pane").getBoundingClientRect();
		return a.width > 60 && b.width > 60 && (a.right <= b.x || a.bottom <= b.y) && a.x >= pane.x && b.right <= pane.right;
	})()`)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .more > summary").click(); return true; })()`)

	drag(t, ctx, grip(t, ctx, "north", "lower", "e2", 0), grip(t, ctx, "north", "lower", "e4", -1))
	r.await("north", "White has moved", moved("e2e4"))
	drag(t, ctx, grip(t, ctx, "north", "lower", "d7", 0), grip(t, ctx, "north", "lower", "d5", -1))
	r.await("north", "Black does not move here", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	soon(t, ctx, "it says where Black moves",
		`document.querySelector(".main .steps li")?.textContent === "Black to move, on board south."`)
	soon(t, ctx, "no piece has to leave the board", `!document.querySelector(".main .tray").classList.contains("open")`)

	evaluate[bool](t, ctx, `(() => { document.querySelector("header .filled").click(); return true; })()`)
	press(t, ctx, "north", "15 + 10")
	soon(t, ctx, "the clock is set", `(() => { const d = document.querySelector("dialog[open]"),
		[minutes, seconds] = [...d.querySelectorAll("input[type=number]")].map((e) => e.value);
		return minutes === "15" && seconds === "10" &&
			[...d.querySelectorAll(".presets button")].filter((b) => b.ariaPressed === "true").length === 1; })()`)
	press(t, ctx, "north", "no clock")
	soon(t, ctx, "no clock is wanted",
		`[...document.querySelectorAll("dialog[open] input[type=number]")].every((e) => e.closest("label").hidden)`)
}

// TestLongGame: after a hundred moves the board is still in the window. The newest move is in sight, also when
// something above the list of moves grows.
func TestLongGame(t *testing.T) {
	t.Parallel()
	thorough(t)
	_, ctx := newcomer(t)
	drag(t, ctx, grip(t, ctx, "north", "lower", "e2", 0), grip(t, ctx, "north", "lower", "e4", -1))
	soon(t, ctx, "the move is listed", `document.querySelectorAll(".main .moves li").length === 1`)
	evaluate[bool](t, ctx, `(() => { const list = document.querySelector(".main .moves");
		for (let i = 0; i < 100; i++) list.append(list.lastChild.cloneNode(true));
		list.scrollTo(0, 1e6); return true; })()`)
	const inSight = `(() => { const list = document.querySelector(".main .moves"), box = list.getBoundingClientRect(),
		last = list.lastChild.getBoundingClientRect(), deck = document.querySelector(".main .deck").getBoundingClientRect();
		return document.documentElement.scrollHeight <= innerHeight && deck.bottom < innerHeight &&
			last.top >= box.top && last.bottom <= box.bottom + 1; })()`
	soon(t, ctx, "all is in the window", inSight)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".others").style.height = "400px"; return true; })()`)
	soon(t, ctx, "the newest move is in sight when the other board needs more room", inSight)
}

// TestLeafedMoveInSight: who leafs back through the game sees in its list the move that is shown, and then the newest
// one again.
func TestLeafedMoveInSight(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", synced)
	for _, m := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 d7d6 c2c3 a7a6 a2a4 c5a7 f1e1 e8g8 " +
		"h2h3 h7h6 b1d2 f8e8 d2f1 c8e6 c4e6 e8e6 d1b3 d8d7 b3b7 a8b8 b7a6 b8a8 a6b5 a8b8 b5c4 b8a8 c4b5 a8b8") {
		r.command("table", fmt.Sprintf(`{"id":"1","do":"move","move":%q}`, m))
	}
	ctx := browser(t, 1024, 700, r.page)
	soon(t, ctx, "the moves are listed", `document.querySelectorAll(".main .moves [data-ply]").length === 36`)
	for _, step := range []struct{ button, ply int }{{0, 0}, {2, 1}, {3, 36}} {
		evaluate[bool](t, ctx, fmt.Sprintf(`(document.querySelectorAll(".main .leaf button")[%d].click(), true)`, step.button))
		soon(t, ctx, fmt.Sprintf("half-move %d is shown, and in sight in the list", step.ply), fmt.Sprintf(`(() => {
			const b = document.querySelector(".main .moves [aria-current]"), box = document.querySelector(".main .moves").getBoundingClientRect();
			if (!b) return %d === 0;
			const r = b.getBoundingClientRect();
			return b.dataset.ply === "%[1]d" && r.top >= box.top - 1 && r.bottom <= box.bottom + 1; })()`, step.ply))
	}
}

// TestEmptyListSaysWhatIsPlayed: before the first move the list of moves says what the game is. It leads to the rules.
// On a phone there is room for the way to the rules, and the moves need no more.
func TestEmptyListSaysWhatIsPlayed(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the game is told", `(() => { const p = document.querySelector(".main .intro:not(:empty)");
		return !!p && p.checkVisibility() &&
			p.textContent.startsWith("The game you know") && p.querySelector("a").href.endsWith("rules#chess"); })()`)
	atSize(t, ctx, [2]int64{390, 844})
	const box = `document.querySelector(".main .movebox").offsetHeight`
	soon(t, ctx, "the rules are in reach on a phone", `(() => { const a = document.querySelector(".main .intro a"),
		r = a.getBoundingClientRect(); return a.checkVisibility() && r.width > 60 && r.height > 14 &&
			a.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); })()`)
	empty := evaluate[float64](t, ctx, box)
	r.move("table", "e2", "e4", 1)
	soon(t, ctx, "a move is listed", `document.querySelector(".main .moves li") !== null`)
	if high := evaluate[float64](t, ctx, box); high != empty {
		t.Errorf("on a phone the list is %.0f px high with a move, and %.0f without", high, empty)
	}
	soon(t, ctx, "a move stands in its place",
		`document.querySelector(".main .moves li") !== null && !document.querySelector(".main .intro").checkVisibility()`)
}
