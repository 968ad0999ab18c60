// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"boardd/sync/wire"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// finger is the pointer of a phone. It touches what is on the screen and never scrolls.
type finger struct{}

func (finger) open(t *testing.T, page string) context.Context {
	ctx := browser(t, 390, 844, "about:blank")
	draw(ctx)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch,
		chromedp.EmulateScale(2)), chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// swipe sends what a finger does: it comes down at the first point, goes over the others and leaves at the last. It
// takes a few hundredths of a second, however slow the machine is: a finger that rests only looks.
func swipe(t *testing.T, ctx context.Context, at ...point) {
	t.Helper()
	begun := hold(t, ctx, at...)
	touch(t, ctx, begun.Add(time.Duration(len(at))*step), input.DispatchTouchEventTypeTouchEnd)
}

// step is the time between two points of a finger's way.
const step = 10 * time.Millisecond

// hold is the same, but the finger stays at the last point. It returns when the finger came down.
func hold(t *testing.T, ctx context.Context, at ...point) (begun time.Time) {
	t.Helper()
	begun = time.Now()
	for i, p := range at {
		kind := input.DispatchTouchEventTypeTouchMove
		if i == 0 {
			kind = input.DispatchTouchEventTypeTouchStart
		}
		touch(t, ctx, begun.Add(time.Duration(i)*step), kind, &input.TouchPoint{X: p.X, Y: p.Y})
	}
	return begun
}

func touch(t *testing.T, ctx context.Context, when time.Time, kind input.DispatchTouchEventType,
	points ...*input.TouchPoint) {
	t.Helper()
	if points == nil {
		points = []*input.TouchPoint{}
	}
	if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind,
		TouchPoints: points, Timestamp: input.TimeSinceEpoch(float64(when.UnixMicro()) / 1e6)}); err != nil {
		t.Fatal(err)
	}
}

// drag stops for a tenth of a second before it lets go, as people do who put a piece on a square. Chromium takes a
// finger that leaves at speed for a fling, and swallows the next tap.
func (finger) drag(d *dragger, from, to point) {
	var way []point
	for k := range 6 {
		f := float64(k) / 5
		way = append(way, point{from.X + f*(to.X-from.X), from.Y + f*(to.Y-from.Y)})
	}
	way = append(way, slices.Repeat([]point{to}, 10)...)
	swipe(d.t, d.ctx, way...)
	rest(d.t, d.ctx)
	finger{}.still(d)
}

func (finger) tap(d *dragger, at point) {
	swipe(d.t, d.ctx, at)
	rest(d.t, d.ctx)
	finger{}.still(d)
}

// still is an error if the page has been scrolled: what a player needs is on the screen.
func (finger) still(d *dragger) {
	d.t.Helper()
	if y := evaluate[float64](d.t, d.ctx, "scrollX + scrollY"); y != 0 {
		d.t.Errorf("the page was scrolled by %.0f px", y)
	}
}

func (f finger) choose(d *dragger, css string) {
	at := evaluate[*point](d.t, d.ctx, fmt.Sprintf(`(() => {
		const b = document.querySelector(%q);
		if (!b) return null;
		const r = b.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		return b.contains(document.elementFromPoint(x, y)) ? {x, y} : {x: -1, y: -1}; })()`, css))
	if at == nil {
		return
	}
	if at.X < 0 {
		keep(d.t, d.ctx, "failed-choice.png")
		d.t.Fatalf("no finger reaches %s", css)
	}
	f.tap(d, *at)
}

// use does nothing: who plays with one finger has one hand.
func (finger) use(d *dragger, hand string) {
	if hand != "right" {
		d.t.Fatal("a second hand is needed")
	}
}

// TestTouchedGames plays with one finger on a phone, captures included, and never scrolls. Ten plies of a game
// with two levels are always played; make soak plays whole games of all six.
func TestTouchedGames(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, c := range []struct {
		game, kind string
		always     bool
	}{{"chess", "stack", false}, {"locking", "stack", false}, {"superchess", "stack", false},
		{"pillar", "stack", false}, {"meirav", "twin", false}, {"flying", "twin", true}} {
		plies := 1000
		if !*whole {
			plies = 10
		}
		if !c.always && !*whole {
			continue
		}
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			playGame(t, c.game, c.kind, finger{}, plies)
		})
	}
}

// TestFingerHidesNothing: what a finger carries is seen above it, and the square under it is framed. While a piece is
// in the hand, no button comes to stand elsewhere.
func TestFingerHidesNothing(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	ctx := finger{}.open(t, r.page+"?board=north")
	soon(t, ctx, "the first line invites", `document.querySelectorAll(".main .guest").length === 4`)
	evaluate[bool](t, ctx, `(() => { document.querySelectorAll(".main .guest")[1].click(); return true; })()`)
	soon(t, ctx, "two play at this board", `!document.querySelector(".main .guest")`)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll("section.main .deck .cube").length === 32 &&
		!document.querySelector("section.main .now[data-ask]")`)
	laidOut(t, ctx)
	const tools = `document.querySelector("section.main .tools").getBoundingClientRect().y`
	rests := evaluate[float64](t, ctx, tools)
	from, to := grip(t, ctx, "north", "lower", "e2", 0), grip(t, ctx, "north", "lower", "e4", -1)
	hold(t, ctx, from, to)
	soon(t, ctx, "the lights are explained", `document.querySelectorAll("section.main .key li").length === 2`)
	if at := evaluate[string](t, ctx, `[...document.querySelectorAll("[data-aim]")].map((e) => e.dataset.square).join()`); at != "e4" {
		t.Errorf("the framed square is %q, want e4", at)
	}
	if low := evaluate[float64](t, ctx, `Math.max(...[...document.querySelectorAll(".ghost .face")].map((e) =>
		e.getBoundingClientRect().bottom))`); low > to.Y-10 {
		t.Errorf("what the finger at %.0f carries reaches down to %.0f", to.Y, low)
	}
	if y := evaluate[float64](t, ctx, tools); y != rests {
		t.Errorf("the buttons went from %.0f to %.0f when a piece was lifted", rests, y)
	}
	touch(t, ctx, time.Now(), input.DispatchTouchEventTypeTouchEnd)
	r.await("north", "the move is made", moved("e2e4"))
	soon(t, ctx, "no square is framed, and the move is listed",
		`!document.querySelector("[data-aim]") && document.querySelectorAll("section.main .moves [data-ply]").length === 1`)
	if y := evaluate[float64](t, ctx, tools); y != rests {
		t.Errorf("the buttons went from %.0f to %.0f after the first move", rests, y)
	}
}

// TestViewsOnAPhone: on a phone the board is seen from above, or flat, by two touches. It stays so when the page is
// opened again.
func TestViewsOnAPhone(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	r.await("table", "the array stands", synced)
	ctx := finger{}.open(t, r.page)
	d := &dragger{t: t, ctx: ctx}
	for _, view := range []string{"flat", "top", "seat", "flat"} {
		soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32`)
		laidOut(t, ctx)
		finger{}.choose(d, "header summary")
		soon(t, ctx, "the menu is open", `document.querySelector("header details").open`)
		laidOut(t, ctx)
		finger{}.choose(d, "header [data-view="+view+"]")
		soon(t, ctx, "the board is seen so, and the menu is closed", fmt.Sprintf(`!document.querySelector("header details").open &&
			document.querySelector("header [data-view=%s]").ariaPressed === "true" &&
			document.querySelector(".main .deck").classList.contains("flat") === %v`, view, view == "flat"))
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "it is seen flat again", `document.querySelector(".main .deck.flat") !== null`)
}

// TestDropAnywhereOnASquare: in each view a piece that is let go anywhere on an empty square stands there.
func TestDropAnywhereOnASquare(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.command("north", `{"id":"1","do":"new","variant":"chess","seats":{"white":"local","black":"local"}}`)
	ctx := browser(t, 1440, 900, r.page+"?board=north")
	soon(t, ctx, "the board is drawn", `document.querySelectorAll("section.main .deck .cube").length === 32 &&
		!document.querySelector("section.main .now[data-ask]")`)
	for i, m := range []string{"e2e4", "e7e5", "a2a3", "a7a6"} {
		view := [4]string{"seat", "seat", "top", "flat"}[i]
		evaluate[bool](t, ctx, fmt.Sprintf(`(document.querySelector("section.main [data-view=%s]").click(), true)`, view))
		from, to := grip(t, ctx, "north", "lower", m[:2], 0), grip(t, ctx, "north", "lower", m[2:], -1)
		off := [4]point{{15, 10}, {-20, 5}, {25, -12}, {-15, -10}}[i]
		drag(t, ctx, from, point{to.X + off.X, to.Y + off.Y})
		g := r.await("north", "the piece stands", func(g *wire.Game) bool { return g.Wood.State != wire.Moving })
		if len(g.Moves) != i+1 {
			t.Fatalf("%s, let go %v beside the middle: %v", m, off, g.Moves)
		}
	}
}
