// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// cramped finds what is wrong with a board of two decks: parts in another order, covered or below the screen. It also
// finds squares of the nearest rank that are narrower or lower than they must be. Of a deck it looks at the corners.
const cramped = `((wide, high) => {
	const bad = [], box = (q) => document.querySelector(".main " + q).getBoundingClientRect(), all = {};
	const field = (deck, sq) => box(".deck [data-deck=" + deck + "][data-square=" + sq + "]");
	for (const deck of ["upper", "lower"]) {
		const a = field(deck, "a1"), h = field(deck, "h1"), far = field(deck, "a8");
		all[deck] = { top: far.top, bottom: a.bottom, left: a.left, right: h.right };
		if ((h.right - a.left) / 8 < wide || a.height < high)
			bad.push(deck + ": squares of " + Math.round((h.right - a.left) / 8) + " x " + Math.round(a.height));
	}
	for (const c of document.querySelectorAll(".main figcaption")) {
		const r = document.createRange(); r.selectNodeContents(c);
		if (r.getClientRects().length !== 1) bad.push("more than one line: " + c.textContent);
	}
	for (const q of [".opp", ".now", ".me", ".movebox", ".tools", ".views"]) if (box(q).width) all[q] = box(q);
	const over = (x, y) => x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1;
	for (const a in all) {
		if (all[a].top < 0 || all[a].bottom > innerHeight) bad.push(a + " is not on the screen");
		for (const b in all) if (a < b && over(all[a], all[b])) bad.push(a + " lies over " + b);
	}
	const order = innerWidth > 900 ? ["upper", "lower", ".now"] : [".opp", "upper", "lower", ".now", ".me", ".movebox", ".tools"];
	for (let i = 1; i < order.length; i++)
		if (all[order[i]].top < all[order[i - 1]].bottom - 1) bad.push(order[i] + " is not under " + order[i - 1]);
	return bad;
})`

// TestTwinOnOneScreen: both decks of a twin board, what to do, clocks, moves and buttons are on one screen. That holds
// on a desk and on a phone. No part covers another, and squares are large enough to be read and touched. In a game of
// one level the lower deck has most of the room.
func TestTwinOnOneScreen(t *testing.T) {
	t.Parallel()
	thorough(t)
	for _, game := range []struct {
		variant string
		desk    string // least width and height of a square of the nearest rank of each deck
		phone   string
	}{{"meirav", "(70, 42)", "(40, 24)"}, {"pillar", "(30, 20)", "(18, 11)"}} {
		r := startDemo(t, "--variant", game.variant, "--board", "twin")
		r.await("north", "the array stands", synced)
		ctx := browser(t, 1440, 900, r.page)
		press(t, ctx, "north", "Two at one board")
		soon(t, ctx, "two play at this board", `!document.querySelector(".main .guest")`)
		r.command("north", fmt.Sprintf(`{"id":"1","do":"new","variant":%q,"seats":{"white":"local","black":"local"},`+
			`"clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`, game.variant))
		soon(t, ctx, "the board is drawn with its clocks",
			`document.querySelectorAll(".main .face.top").length === 32 && document.querySelector(".main .me time")?.textContent !== ""`)
		for _, screen := range []struct {
			wide, tall int64
			least      string
		}{{1440, 900, game.desk}, {390, 844, game.phone}} {
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(screen.wide, screen.tall)); err != nil {
				t.Fatal(err)
			}
			soon(t, ctx, "the window has its size", fmt.Sprintf("innerWidth === %d", screen.wide))
			laidOut(t, ctx)
			for _, fault := range faults(t, ctx, cramped+screen.least) {
				t.Errorf("%s, %d x %d: %s", game.variant, screen.wide, screen.tall, fault)
			}
			if w := evaluate[float64](t, ctx, `(() => { const of = (s) => document.querySelector(".main [data-deck=lower][data-square=" + s + "]").getBoundingClientRect();
				return (of("h1").right - of("a1").left) / 8; })()`); game.variant == "pillar" && (w < 36 || screen.wide > 900 && w < 85) {
				t.Errorf("%s, %d x %d: the lower deck's squares are %.0f wide, and the upper deck is not used",
					game.variant, screen.wide, screen.tall, w)
			}
			keep(t, ctx, fmt.Sprintf("twin-%s-%d.png", game.variant, screen.wide))
		}
	}
}
