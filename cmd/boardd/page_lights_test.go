// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"boardd/sync/wire"
)

// luminance of a color, 0 to 1, as the WCAG define it (relative luminance).
func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// green is how much more green than red a color has.
func green(c color.Color) int {
	r, g, _, _ := c.RGBA()
	return int(g>>8) - int(r>>8)
}

// picture is what the page shows now.
func picture(t *testing.T, ctx context.Context) image.Image {
	t.Helper()
	data, err := screenshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLightsShine: the shape in a lit square contrasts with the light, on squares of both woods, in the light and in
// the dark. A lit dark square is brighter than the wood, and the light falls on the squares beside it.
func TestLightsShine(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.hand("north", `{"do":"lift","square":"e2","count":1}`)
	r.await("north", "a pawn is in the hand", func(g *wire.Game) bool { return g.Wood.State == wire.Moving })
	for _, size := range [][2]int{{1440, 900}, {390, 844}} {
		ctx := browser(t, size[0], size[1], r.page)
		soon(t, ctx, "two squares are lit", `document.querySelectorAll("section.main .sq.lit.quiet .shape").length === 2`)
		for _, theme := range []string{"light", "dark"} {
			evaluate[bool](t, ctx, fmt.Sprintf(`!!(document.documentElement.dataset.theme = %q)`, theme))
			soon(t, ctx, "nothing moves", `document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)`)
			m := picture(t, ctx)
			// at is the color of a square at a part of its width from its left side, half way up.
			at := func(square string, part float64) color.Color {
				p := evaluate[point](t, ctx, fmt.Sprintf(`((r) => ({ x: r.x + r.width * %v, y: r.y + r.height / 2 }))(
					document.querySelector("section.main [data-square=%s]").getBoundingClientRect())`, part, square))
				return m.At(int(p.X), int(p.Y))
			}
			where := fmt.Sprintf("%d wide, %s", size[0], theme)
			for _, square := range []string{"e3", "e4"} {
				a, b := luminance(at(square, 0.5)), luminance(at(square, 0.66))
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4 {
					t.Errorf("%s: the shape on %s has a contrast of %.1f to its light, want 4", where, square, ratio)
				}
			}
			if lit, wood := luminance(at("e3", 0.66)), luminance(at("c3", 0.66)); lit < 1.5*wood {
				t.Errorf("%s: e3 is lit and has the luminance %.2f, the wood of c3 %.2f: it does not shine", where, lit, wood)
			}
			if near, far := green(at("d4", 0.93)), green(at("b4", 0.93)); near < far+10 {
				t.Errorf("%s: on d4 beside a light green is %d over red, far from it %d: nothing falls there", where, near, far)
			}
		}
	}
}

// TestTouchedLightSaysItsMeaning: who touches a lit square on a phone reads what the light means, in the words of the
// key, until something else is touched. So does who points at it with a mouse.
func TestTouchedLightSaysItsMeaning(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.await("south", "the move is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	phone, desk := finger{}.open(t, r.page+"?board=south"), browser(t, 1440, 900, r.page+"?board=south")
	const means = `(document.querySelector("section.main .open .means")?.textContent || "")`
	for _, ctx := range []context.Context{phone, desk} {
		soon(t, ctx, "the move is lit", `document.querySelector("section.main .sq.lit.to[data-square=e4] .shape") !== null`)
		show := func(square string) {
			at := grip(t, ctx, "south", "lower", square, -1)
			if ctx == phone {
				swipe(t, ctx, at)
			} else if err := chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y)); err != nil {
				t.Fatal(err)
			}
		}
		show("e4")
		rest(t, ctx)
		if got := evaluate[string](t, ctx, means); got != "put here" {
			t.Errorf("phone %v: at the light on e4 the page says %q, want what its key says", ctx == phone, got)
		}
		show("a5")
		rest(t, ctx)
		if got := evaluate[string](t, ctx, means); got != "" {
			t.Errorf("phone %v: at a dark square the page says %q", ctx == phone, got)
		}
	}
	at := grip(t, phone, "south", "lower", "e4", -1)
	swipe(t, phone, at)
	swipe(t, phone, evaluate[point](t, phone, `((r) => ({ x: r.x + 20, y: r.y + r.height / 2 }))(
		document.querySelector("section.main .me").getBoundingClientRect())`))
	if got := evaluate[string](t, phone, means); got != "" {
		t.Errorf("after a touch beside the board the page still says %q", got)
	}
}
