// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
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

// TestNothingShiftsUnderAFinger: on a phone the board stays where it is when the demo's first question is answered,
// and when the connection is lost.
func TestNothingShiftsUnderAFinger(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	ctx := finger{}.open(t, r.page)
	const square = `(() => { const b = document.querySelector(".main [data-square=e4]").getBoundingClientRect();
		return [b.x, b.y, b.width].map(Math.round).join(); })()`
	for _, language := range tonguesAsked() {
		opened(t, ctx, r.page, language)
		soon(t, ctx, "it is asked who plays", `document.documentElement.lang === "`+language+`" &&
			document.querySelectorAll(".main .guest").length === 4 && document.querySelector(".link").className === "link on"`)
		laidOut(t, ctx)
		asked := evaluate[string](t, ctx, square)
		evaluate[bool](t, ctx, `(document.querySelectorAll(".main .guest")[2].click(), true)`)
		soon(t, ctx, "it is answered", `!document.querySelector(".main .guest")`)
		laidOut(t, ctx)
		rests := evaluate[string](t, ctx, square)
		if asked != rests {
			t.Errorf("%s: e4 is at %s while it is asked who plays, then at %s", language, asked, rests)
		}
		var words struct{ Link map[string]string }
		text := get(t, strings.TrimSuffix(r.page, "/")+"/words/"+language+".json")
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			t.Fatal(err)
		}
		evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const l = document.querySelector(".link"); l.className = "link off";
			l.textContent = %q; return l.textContent.length > 20; })()`, words.Link["off"]))
		laidOut(t, ctx)
		if lost := evaluate[string](t, ctx, square); lost != rests {
			t.Errorf("%s: e4 is at %s without a connection, at %s with one", language, lost, rests)
		}
		if cut := evaluate[bool](t, ctx, `(() => { const l = document.querySelector(".link").getBoundingClientRect(),
			h = document.querySelector("header").getBoundingClientRect();
			return l.height < 10 || l.x < 0 || l.right > innerWidth || l.y < 0 || l.bottom > h.bottom; })()`); cut {
			t.Errorf("%s: that the connection is lost is not seen whole", language)
		}
		keep(t, ctx, "lost-"+language+".png")
	}
}

// TestManyCapturedOnAPhone: what a side has captured stays in one line, so that the board keeps its place.
func TestManyCapturedOnAPhone(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"chess","clock":{"kind":"fischer","initial_ms":7200000}}`)
	ctx := finger{}.open(t, r.page)
	soon(t, ctx, "the clocks are shown", `document.querySelector(".main .opp time")?.textContent === "2:00:00"`)
	const high = `document.querySelector(".main .opp").offsetHeight`
	before := evaluate[int](t, ctx, high)
	evaluate[bool](t, ctx, `(() => { const t = document.querySelector(".main .opp .taken");
		for (let i = 0; i < 15; i++) t.append(Object.assign(document.createElement("span"), {className: "chip black"}));
		return true; })()`)
	laidOut(t, ctx)
	if after := evaluate[int](t, ctx, high); after != before {
		t.Errorf("the opponent's card is %d px high, with 15 captured pieces %d px", before, after)
	}
	if out := evaluate[bool](t, ctx, `document.querySelector(".main .opp .chip:last-child").getBoundingClientRect().right >
		document.querySelector(".main .opp time").getBoundingClientRect().x`); out {
		t.Error("captured pieces reach over the clock")
	}
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
