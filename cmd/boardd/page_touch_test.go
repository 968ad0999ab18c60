// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// finger is the pointer of a phone. It touches what is on the screen and never scrolls.
type finger struct{}

func (finger) open(t *testing.T, page string) context.Context {
	ctx := browser(t, 390, 844, "about:blank")
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch,
		chromedp.EmulateScale(2)), chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// swipe sends what a finger does: it comes down at the first point, goes over the others and leaves at the last.
var touchMid func()

func swipe(t *testing.T, ctx context.Context, at ...point) {
	t.Helper()
	send := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		if _, err := chromedp.Call(ctx, input.DispatchTouchEvent,
			input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range at {
		kind := input.DispatchTouchEventTypeTouchMove
		if i == 0 {
			kind = input.DispatchTouchEventTypeTouchStart
		}
		send(kind, &input.TouchPoint{X: p.X, Y: p.Y})
	}
	if touchMid != nil {
		touchMid()
	}
	send(input.DispatchTouchEventTypeTouchEnd)
}

func (finger) drag(d *dragger, from, to point) {
	var way []point
	for k := range 6 {
		f := float64(k) / 5
		way = append(way, point{from.X + f*(to.X-from.X), from.Y + f*(to.Y-from.Y)})
	}
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

// TestTouchedGames plays by touch on a phone, captures included: ten moves of ...
func TestTouchedGames(t *testing.T) {
	t.Parallel()
	looked(t, shortened())
	for _, c := range []struct{ game, kind string }{{"chess", "stack"}, {"locking", "stack"}, {"superchess", "stack"},
		{"pillar", "stack"}, {"meirav", "twin"}, {"flying", "twin"}} {
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			playGame(t, c.game, c.kind, finger{}, 1000)
		})
	}
}
