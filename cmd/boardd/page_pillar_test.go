// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sync/wire"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestPillarOfEight: a pillar of eight is read at a glance. On a desk each covered piece shows its figure on a side of
// its own wood. None hides another one, and they stand in their order. Who points at the pillar reads it from the top:
// number, color and kind. On a phone a finger that rests on it does the same, and lifts nothing.
func TestPillarOfEight(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "pillar", "stack", ""))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"pillar","seats":{"white":"local","black":"local"},`+
		`"start":"rnbqkbnr/pppppppp/8/8/3[pPnNbBrQ]4/8/PPPPPP2/RNBQKB2 w - - 0 1"}`)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the page offers to do as the lights say", `document.querySelector(".main .mend") !== null`)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .mend").click(); return true; })()`)
	r.await("table", "the pillar stands", synced)
	const shown = `document.querySelectorAll(".main .face.front[data-at=d4]").length === 8 &&
		document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)`
	soon(t, ctx, "the pillar is drawn", shown)

	var faces []struct{ X, Y, Width, Height float64 }
	seen := picture(t, ctx)
	faces = evaluate[[]struct{ X, Y, Width, Height float64 }](t, ctx, `[...Array(8).keys()].map((k) => {
		const f = document.querySelector(".main .face.front[data-at=d4][data-level='" + k + "']"),
			r = f.getBoundingClientRect(), hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		return k < 7 && (hit?.closest("[data-level]") !== f || !f.querySelector(".figure")) ? {} :
			{ X: r.x, Y: r.y, Width: r.width, Height: r.height }; })`)
	for k, f := range faces {
		if f.Width == 0 {
			t.Errorf("level %d: its figure is not seen on its side", k)
			continue
		}
		if f.Height < 14 || k > 0 && f.Y >= faces[k-1].Y {
			t.Errorf("level %d: its side is %.0f px high and begins at %.0f, the one below it at %.0f", k, f.Height, f.Y,
				faces[max(k, 1)-1].Y)
		}
		at := seen.At(int(f.X+0.1*f.Width), int(f.Y+f.Height/2))
		if grey, ebony := color.GrayModel.Convert(at).(color.Gray).Y, k%2 == 0; ebony && grey > 90 || !ebony && grey < 130 {
			t.Errorf("level %d: brightness %d; is it ebony: %v", k, grey, ebony)
		}
	}

	want := []string{"8 white queen", "7 black rook", "6 white bishop", "5 black bishop", "4 white knight",
		"3 black knight", "2 white pawn", "1 black pawn"}
	read := func(ctx context.Context) []string {
		return evaluate[[]string](t, ctx, `[...document.querySelectorAll(".main .open p")].map((p) =>
			p.firstChild.textContent + " " + p.lastChild.textContent)`)
	}
	at := grip(t, ctx, "table", "lower", "d4", 7)
	if err := chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y)); err != nil {
		t.Fatal(err)
	}
	if got := read(ctx); !slices.Equal(got, want) {
		t.Errorf("who points at the pillar reads %q, want %q", got, want)
	}

	phone := finger{}.open(t, r.page)
	soon(t, phone, "the pillar is drawn", shown)
	at = grip(t, phone, "table", "lower", "d4", 7)
	begun := time.Now()
	for _, e := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}} {
		e.Timestamp = input.TimeSinceEpoch(float64(begun.UnixMilli()) / 1000)
		if _, err := chromedp.Call(phone, input.DispatchTouchEvent, e); err != nil {
			t.Fatal(err)
		}
		begun = begun.Add(time.Second)
	}
	rest(t, phone)
	if got := read(phone); !slices.Equal(got, want) {
		t.Errorf("a finger on the pillar reads %q, want %q", got, want)
	}
	if g := r.await("table", "it is told", func(*wire.Game) bool { return true }); g.Wood.State != wire.Synced {
		t.Errorf("a finger that rests on the pillar lifted something: %s", g.Wood.State)
	}
	if in := evaluate[string](t, phone, `((r) => r.left >= 0 && r.right <= innerWidth && r.top >= 0 ? "" : JSON.stringify(r))(
		document.querySelector(".main .open").getBoundingClientRect())`); in != "" {
		t.Errorf("what a finger reads leaves the window: %s", in)
	}
	keep(t, phone, "pillar-read.png")
}

// standPillar sets up a game of Pillar Chess in which a pillar stands on d5.
func standPillar(t *testing.T, r *running, fen string) {
	t.Helper()
	r.await("table", "the array stands", synced)
	pillar, err := rules.ByID("pillar")
	if err != nil {
		t.Fatal(err)
	}
	r.build("table", pillar, fen)
	r.command("table", `{"id":"1","do":"new","variant":"pillar","seats":{"white":"local","black":"local"},`+
		`"start":"`+fen+`"}`)
	r.await("table", "the pillar stands", synced)
}

// TestTopOfAPillar: where the top of a pillar goes only with what stands under it, nothing is lit but its own square.
// The page says to lift the others too. Who lets go of the top alone is asked how many go.
func TestTopOfAPillar(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "pillar")
	standPillar(t, r, "4k3/8/8/3[pPqN]4/8/8/P7/4K3 w - - 0 1")
	ctx := browser(t, 1280, 800, r.page)
	soon(t, ctx, "it is drawn", `document.querySelectorAll(".main .face.front[data-at=d5]").length === 4`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "d5", -1))
	says := func(what string) {
		t.Helper()
		soon(t, ctx, "it says: "+what, fmt.Sprintf(`document.querySelector(".main .state").textContent.includes(%q)`, what))
	}
	says("lift what stands under it, too")
	tap(t, ctx, grip(t, ctx, "table", "lower", "d5", -1))
	says("White to move")
	tap(t, ctx, grip(t, ctx, "table", "lower", "a2", -1))
	says("put it on a lit square")
	tap(t, ctx, grip(t, ctx, "table", "lower", "a2", -1))
	says("White to move")
	drag(t, ctx, grip(t, ctx, "table", "lower", "d5", 3), grip(t, ctx, "table", "lower", "f6", -1))
	soon(t, ctx, "it asks how many go, in different words", `(([a, b]) => a && b && a.innerText !== b.innerText)(
		document.querySelectorAll(".main .answers > .way"))`)
	keep(t, ctx, "pillar-top.png")
	cursor{}.choose(&dragger{t: t, ctx: ctx}, ".main .way[data-move=d5f6]")
	r.await("table", "the pillar goes", moved("d5f6"))
}

// TestPillarQuestion: a queen may arrive alone or with what stands beneath her. The two answers differ in words, and
// their pictures are seen whole, at every size.
func TestPillarQuestion(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "pillar", "stack", ""))
	standPillar(t, r, "rnb1kbnr/ppp1pppp/8/3[pPq]4/8/2N5/PPPP1PPP/R1BQKBNR b - - 0 3")
	for _, size := range [][2]int{{1440, 900}, {1024, 700}, {390, 844}} {
		ctx := browser(t, size[0], size[1], r.page)
		soon(t, ctx, "the page is drawn", `document.querySelector(".main .state") !== null`)
		soon(t, ctx, "it is drawn", `document.querySelectorAll(".main .face.front[data-at=d5]").length === 3`)
		drag(t, ctx, grip(t, ctx, "table", "lower", "d5", 2), grip(t, ctx, "table", "lower", "d2", -1))
		soon(t, ctx, "it is asked", `document.querySelectorAll(".main .answers > .way").length >= 2`)
		keep(t, ctx, fmt.Sprintf("pillar-question-%d.png", size[0]))
		if bad := evaluate[string](t, ctx, `(() => {
			const ways = [...document.querySelectorAll(".main .answers > .way")],
				words = ways.map((w) => w.querySelector(":scope > span:not(.picture)").textContent),
				cut = ways.flatMap((w) => [...w.querySelectorAll(".chip")].filter((c) => {
					const a = c.getBoundingClientRect(), b = w.closest(".answers").getBoundingClientRect();
					return a.height < 12 || a.top < b.top - 1 || a.bottom > b.bottom + 1; }));
			return new Set(words).size < words.length ? "the same words: " + words : cut.length ? cut.length + " are cut" : "";
		})()`); bad != "" {
			t.Errorf("%d px wide: %s", size[0], bad)
		}
		tap(t, ctx, grip(t, ctx, "table", "lower", "d5", -1))
		r.await("table", "the queen is back", synced)
	}
}
