// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// TestBoardStaysOnAPhone: on a phone the board keeps its size and its place for a whole game, whatever is said, asked
// or answered beneath it. It is looked at in the language with the longest words. Two decks keep theirs in each view.
func TestBoardStaysOnAPhone(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, c := range []struct{ game, kind, view, deck, fen string }{
		{"superchess", "stack", "seat", "lower", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1"},
		{"meirav", "twin", "seat", "upper", ""},
		{"meirav", "twin", "top", "upper", ""},
		{"meirav", "twin", "flat", "upper", ""},
	} {
		t.Run(c.kind+"/"+c.view, func(t *testing.T) {
			t.Parallel()
			if c.view != "seat" {
				thorough(t)
			}
			boardStays(t, c.game, c.kind, c.view, c.deck, c.fen)
		})
	}
}

func boardStays(t *testing.T, id, kind, view, deck, fen string) {
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), id, kind, ""))
	r.await("table", "the array stands", synced)
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	begin := fmt.Sprintf(`{"id":"1","do":"new","variant":%q,"seats":{"white":"local","black":"local"},`+
		`"clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}`, id)
	if fen != "" {
		r.build("table", v, fen)
		begin += fmt.Sprintf(`,"start":%q`, fen)
	}
	r.command("table", begin+"}")
	r.await("table", "it stands", synced)
	ctx := finger{}.open(t, r.page)
	opened(t, ctx, r.page, "de")
	soon(t, ctx, "the board is drawn", `document.documentElement.lang === "de" &&
		document.querySelector(".main .state.synced") !== null && document.querySelector(".main .pile") !== null`)
	evaluate[bool](t, ctx, fmt.Sprintf(`(document.querySelector(".main [data-view=%s]").click(), true)`, view))
	laidOut(t, ctx)
	// the corners of each deck
	const box = `[...document.querySelectorAll(".main .deck")].flatMap((d) => ["a1", "h1", "a8", "h8"].map((s) => {
		const r = d.querySelector("[data-square=" + s + "]").getBoundingClientRect();
		return s + " " + Math.round(r.x) + "," + Math.round(r.y) + " " + Math.round(r.width); })).join("; ")`
	rests := evaluate[string](t, ctx, box)
	same := func(when, shown string) {
		t.Helper()
		if !shows(ctx, shown) {
			t.Errorf("%s: not seen", when)
		}
		laidOut(t, ctx)
		if now := evaluate[string](t, ctx, box); now != rests {
			t.Errorf("%s: the board is at %s; at rest at %s", when, now, rests)
		}
		if !shows(ctx, "("+unseen+").length === 0") {
			t.Errorf("%s: %s", when, evaluate[[]string](t, ctx, unseen))
		}
		keep(t, ctx, fmt.Sprintf("stays-%s-%s-%s.png", kind, view, when))
	}
	touch := func(square string) { t.Helper(); swipe(t, ctx, grip(t, ctx, "table", deck, square, -1)) }
	const asked = `document.querySelector(".main .now").dataset.ask`
	from, to := "e2", "e4"
	if kind == "stack" {
		from, to = "c3", "d5"
	}
	touch(from)
	same("a piece is in the hand", `document.querySelector(".main .held .chip") !== null`)
	touch(to)
	if kind == "stack" {
		same("it is asked what that means", asked+` === "way"`)
		finger{}.choose(&dragger{t: t, ctx: ctx}, ".main .way")
	}
	same("the move is made", `document.querySelectorAll(".main .moves [data-ply]").length === 1 &&
		document.querySelector(".main .state.synced") !== null`)
	r.command("table", `{"id":"2","do":"offer-draw","by":"white"}`)
	same("a draw is offered", asked+` === "draw"`)
	r.command("table", `{"id":"3","do":"decline-draw"}`)
	same("it is declined", asked+` === undefined`)
	r.command("table", `{"id":"4","do":"pause"}`)
	same("the clocks are stopped", `document.querySelector(".main .clock.running") === null`)
	r.command("table", `{"id":"5","do":"resume"}`)
	r.hand("table", fmt.Sprintf(`{"do":"lift","deck":%q,"square":%q,"count":1}`, deck, to))
	r.hand("table", fmt.Sprintf(`{"do":"place","deck":%q,"square":"a5"}`, deck))
	r.await("table", "a piece stands wrong", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	same("a piece stands wrong", `document.querySelector(".main .answers .mend") !== null`)
	r.mendAll("table")
	same("it is put right", `document.querySelector(".main .state.synced") !== null`)
	r.command("table", `{"id":"6","do":"resign","by":"white"}`)
	same("the game is over", `document.querySelector(".main .answers [data-do=rematch]") !== null`)
}

// TestNewGameIsReadWhole: in the window of a new game, what is chosen is read whole in every language, on a phone and
// on a desk. There the window needs no scrolling.
func TestNewGameIsReadWhole(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "flying", "stack", ""))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"flying","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`)
	phone, desk, small := finger{}.open(t, r.page), browser(t, 1440, 900, r.page), browser(t, 1024, 700, r.page)
	read := func(ctx context.Context, language string) {
		opened(t, ctx, r.page, language)
		soon(t, ctx, "the board is drawn", `document.documentElement.lang === "`+language+`" &&
			document.querySelector(".main .state.synced") !== null`)
		evaluate[bool](t, ctx, `(document.querySelector("header .filled").click(), true)`)
		soon(t, ctx, "the window is open", `document.querySelector("dialog[open] .gamecard") !== null`)
		if n := evaluate[int](t, ctx, `[...document.querySelectorAll("dialog[open] select")].filter((s) =>
			s.checkVisibility() && s.selectedOptions[0]?.textContent.trim()).length`); n < 3 {
			t.Errorf("%s: %d lists show what is chosen, want opponent, clock and takebacks at least", language, n)
		}
		cut := evaluate[[]string](t, ctx, `[...document.querySelectorAll("dialog[open] select")].filter((s) => s.checkVisibility()).filter((s) => {
			const c = getComputedStyle(s), pen = document.createElement("canvas").getContext("2d");
			pen.font = c.fontWeight + " " + c.fontSize + " " + c.fontFamily;
			const arrow = 20, room = s.clientWidth - parseFloat(c.paddingLeft) - parseFloat(c.paddingRight) - arrow;
			return pen.measureText(s.selectedOptions[0].textContent).width > room;
		}).map((s) => s.selectedOptions[0].textContent)`)
		for _, words := range cut {
			t.Errorf("%s: %q is cut", language, words)
		}
		if ctx != phone {
			keep(t, ctx, "new-game-"+language+map[bool]string{true: "-desk.png", false: "-small.png"}[ctx == desk])
		}
		if over := evaluate[float64](t, ctx, `(() => { const d = document.querySelector("dialog[open]"); return d.scrollHeight - d.clientHeight; })()`); ctx != phone && over > 1 {
			t.Errorf("%s: the window needs %.0f lines more than the screen has", language, over)
		}
	}
	for _, language := range tonguesAsked() {
		for _, ctx := range []context.Context{phone, desk, small} {
			read(ctx, language)
		}
	}
}
