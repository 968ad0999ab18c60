// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"

	"boardd/rules/lessons"
	"boardd/sync/wire"
)

// badges steps through every lesson and looks at the badges on its squares. Each has a shape that stands out from its
// ground, lies within its square and leaves the middle of a piece free. The first line is how many lessons have any.
const badges = `(() => {
	const lum = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const faults = new Set(), have = new Set();
	for (const lesson of document.querySelectorAll(".lesson"))
		for (let step = 0; step < 12; step++) {
			lesson.querySelector("button").click();
			const svg = lesson.querySelector(".mini"), board = svg.getBoundingClientRect(), side = board.width / 8;
			const standing = [...svg.querySelectorAll("g > .glyph")].map((e) => e.parentElement.getAttribute("transform"));
			for (const ground of svg.querySelectorAll(".markground")) {
				have.add(lesson.id);
				const g = ground.parentElement, r = ground.getBoundingClientRect(), x = r.x + r.width / 2 - board.x, y = r.y + r.height / 2 - board.y,
					what = lesson.id + ", " + g.getAttribute("class") + ": ", f = Math.floor(x / side), rank = Math.floor(y / side), shape = g.querySelector(".shape");
				const a = lum(getComputedStyle(shape).color), b = lum(getComputedStyle(ground).fill), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
				if (ratio < 4) faults.add(what + "contrast " + ratio.toFixed(1));
				if (![...shape.querySelectorAll("path")].some((p) => p.getTotalLength() > 10)) faults.add(what + "no shape");
				if (x - r.width / 2 < f * side - 1 || x + r.width / 2 > (f + 1) * side + 1 || y - r.height / 2 < rank * side - 1 || y + r.height / 2 > (rank + 1) * side + 1)
					faults.add(what + "it sticks out of its square");
				if (standing.includes("translate(" + 50 * f + " " + 50 * rank + ")") &&
					Math.hypot(x - (f + 0.5) * side, y - (rank + 0.5) * side) < r.width / 2 + 0.08 * side) faults.add(what + "it covers the piece");
			}
		}
	return ["lessons: " + String(have.size).padStart(2, "0"), ...faults];
})()`

// TestRulesPage: every lesson is drawn, moves by itself and by its button, and has words. A reason leads to its
// lesson.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "locking")
	ctx := gliding(t, 390, 844, r.page+"rules#locking-3.1")
	soon(t, ctx, "the lesson that was asked for is in sight",
		`(() => { const e = document.querySelector(".lesson.here"); if (!e) return false; const b = e.getBoundingClientRect(); return e.id === "locking-lock" && b.top > -50 && b.bottom < innerHeight + 50; })()`)
	if n, want := evaluate[int](t, ctx, `document.querySelectorAll(".lesson").length`), len(lessons.List()); n != want {
		t.Errorf("%d lessons are drawn, want %d", n, want)
	}
	for _, id := range evaluate[[]string](t, ctx,
		`[...document.querySelectorAll(".lesson")].filter(e => !e.querySelectorAll(".glyph").length || e.querySelector("p").textContent.length < 20).map(e => e.id)`) {
		t.Errorf("%s has no pieces or no words", id)
	}
	soon(t, ctx, "it moves by itself, and says what is not allowed in the end",
		`/not allowed: d6–c5: .*locked by the white rook/.test(document.querySelector("#locking-lock .help").textContent)`)
	keep(t, ctx, "rules-phone.png")
	evaluate[bool](t, ctx, `document.querySelector("#chess-begin button").click() || true`)
	soon(t, ctx, "a button goes on", `document.querySelector("#chess-begin .help").textContent === "played: e4"`)
	if black := evaluate[int](t, ctx,
		`[...document.querySelectorAll("rect.pedestal")].filter((e) => getComputedStyle(e).fill === "rgb(0, 0, 0)").length`); black > 0 {
		t.Errorf("%d pedestals are drawn black, like holes in the board", black)
	}
	faults := evaluate[[]string](t, ctx, badges)
	if said := evaluate[[]string](t, ctx, `[...document.querySelectorAll(".lesson .help")].map((e) => e.textContent)
		.filter((s) => /\b([a-h][1-8])–\1\b/.test(s))`); len(said) > 0 {
		t.Errorf("a move from a square to the same one: %q", said)
	}
	if len(faults) == 0 || faults[0] < "lessons: 10" {
		t.Errorf("too few lessons have badges: %q", faults)
	}
	for _, fault := range faults[min(1, len(faults)):] {
		t.Error(fault)
	}
	for _, theme := range []string{"light", "dark"} {
		evaluate[bool](t, ctx, `(document.documentElement.dataset.theme = "`+theme+`") && true`)
		for _, fault := range evaluate[[]string](t, ctx, unnamed) {
			t.Errorf("the rules, %s: %s", theme, fault)
		}
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900)); err != nil {
		t.Fatal(err)
	}
	keep(t, ctx, "rules-desk.png")

	// The lesson opens from a reason on the board's page, and from the window for a new game.
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the boards are drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e5", 1)
	soon(t, ctx, "the reason has a link to its rule",
		`document.querySelector("section[data-board='north'] .tip a.why")?.getAttribute("href") === "rules#locking-1"`)
	press(t, ctx, "north", "New game")
	soon(t, ctx, "the window leads to the rules of the game",
		`document.querySelector("dialog[open] a.why")?.textContent === "The rules of Locking Chess"`)
}

// TestLockedWhy: who takes hold of a locked piece reads which piece locks it, with a link to the lesson. On a desk and
// on a phone.
func TestLockedWhy(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	r.command("north", `{"id":"1","do":"new","variant":"locking","seats":{"white":"local","black":"local"}}`)
	for i, m := range [][2]string{{"h1", "h2"}, {"h8", "h7"}} {
		r.move("north", m[0], m[1], 1)
		r.await("north", "it is made", func(g *wire.Game) bool { return len(g.Moves) == i+1 && synced(g) })
	}
	for i, ctx := range []context.Context{browser(t, 1440, 900, r.page), finger{}.open(t, r.page)} {
		soon(t, ctx, "the pawn is covered", `document.querySelectorAll("section.main .face.front[data-at=h2]").length === 2`)
		at := grip(t, ctx, "north", "lower", "h2", 0)
		const said = `((tip) => tip.textContent.includes("white pawn") &&
			tip.textContent.includes("white rook") && tip.querySelector("a.why")?.getAttribute("href") === "rules#locking-3.1")(
			document.querySelector("section.main .tip"))`
		putBack := func() { // refused if the finger rested: then it has lifted nothing
			r.post("north", "hand", `{"do":"place","square":"h2"}`)
			r.await("north", "they stand again", synced)
		}
		if i == 0 {
			tap(t, ctx, at)
			soon(t, ctx, "it is said what locks it", said)
		}
		for try := 0; i == 1; try++ { // on a slow machine a tap may count as a finger that rests
			if swipe(t, ctx, at); shows(ctx, said) {
				break
			}
			if putBack(); try == 20 {
				t.Fatal("taps in vain until it is said what locks it")
			}
		}
		putBack()
	}
}
