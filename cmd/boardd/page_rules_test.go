// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/chromedp/chromedp"

	"boardd/rules/lessons"
)

// TestRulesPage: every lesson is drawn, moves by itself and by its button, and has words. A reason leads to its
// lesson.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	looked(t, shortened())
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 390, 844, r.page+"rules#locking-3.1")
	soon(t, ctx, "the lesson that was asked for is in sight",
		`(() => { const e = document.querySelector(".lesson.here"); if (!e) return false; const b = e.getBoundingClientRect(); return e.id === "locking-lock" && b.top > -50 && b.bottom < innerHeight + 50; })()`)
	if n, want := evaluate[int](t, ctx, `document.querySelectorAll(".lesson").length`), len(lessons.List()); n != want {
		t.Errorf("%d lessons are drawn, want %d", n, want)
	}
	for _, id := range evaluate[[]string](t, ctx,
		`[...document.querySelectorAll(".lesson")].filter(e => !e.querySelectorAll(".glyph").length || e.querySelectorAll("p")[1].textContent.length < 20).map(e => e.id)`) {
		t.Errorf("%s has no pieces or no words", id)
	}
	soon(t, ctx, "it moves by itself, and says what is not allowed in the end",
		`/not allowed: d6–c5: .*locked by the white rook/.test(document.querySelector("#locking-lock .help").textContent)`)
	keep(t, ctx, "rules-phone.png")
	evaluate[bool](t, ctx, `document.querySelector("#chess-begin button").click() || true`)
	soon(t, ctx, "a button goes on", `document.querySelector("#chess-begin .help").textContent === "played: e4"`)
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
