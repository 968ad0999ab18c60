// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"

	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// twiced presses every button that can be seen twice, those of the menus too. Where the game asks something, it stays
// with the board, and elsewhere it goes through the windows that open as well. What the
// page would send is counted, held back for a while and called done, so that nothing changes what is on the page. The
// result lists the buttons that send something twice or open two windows, after the number of buttons.
const twiced = `globalThis.twiced = null; (async () => {
	const real = globalThis.fetch, faults = [], windows = new Set(), wait = (ms) => new Promise((r) => setTimeout(r, ms));
	let sent = [], pressed = 0;
	globalThis.fetch = async (url, o) => {
		if (o?.method !== "POST") return real(url, o);
		const body = JSON.parse(o.body.startsWith("{") ? o.body : "{}");
		delete body.id;
		sent.push(url + " " + JSON.stringify(body));
		await wait(5);
		return new Response(JSON.stringify(url === "api/login" ? { ok: false, error: "held back" } : { ok: true }));
	};
	document.styleSheets[0].insertRule(".deck { display: none }");
	for (const d of document.querySelectorAll("details")) d.open = true;
	const each = async (root, named) => {
		for (const b of [...root.querySelectorAll("button")]) {
			if (b.disabled || b.hidden || !b.isConnected || !b.checkVisibility()) continue;
			const name = named + (b.textContent || b.ariaLabel || b.className);
			[sent, pressed] = [[], pressed + 1];
			b.click();
			await wait(0); // what a person presses twice is pressed in two events
			if (b.isConnected) b.click();
			await wait(12);
			const again = sent.filter((s, i) => sent.indexOf(s) < i && !(b.matches(".mend") && s.includes("discard")));
			if (again.length) faults.push(name + " sends twice: " + again[0]);
			const open = document.querySelectorAll("dialog[open]");
			if (open.length > 1) faults.push(name + " opens " + open.length + " windows");
			for (const d of open) if (root === document.body && windows.size !== windows.add(d.textContent.slice(0, 40)).size) await each(d, name + " > ");
			if (root.nodeName !== "DIALOG") for (const d of document.querySelectorAll("dialog")) d.remove();
			for (const d of document.querySelectorAll("details")) d.open = true;
		}
	};
	await each(document.querySelector(".main .now .answers button:not(.guest)")?.closest(".main") || document.body, "");
	globalThis.fetch = real;
	localStorage.clear();
	return [String(pressed), ...faults];
})().then((r) => { globalThis.twiced = r; }, (e) => { globalThis.twiced = ["0", String(e)]; }); true`

// TestEveryButtonTwice presses every button of every page twice, in every state that the demo has: nothing is sent
// twice.
func TestEveryButtonTwice(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "chess")
	r.await("south", "the array stands", synced)
	ctx := browser(t, 1440, 900, r.page+"?board=north")
	other := browser(t, 1440, 900, r.page+"?board=south")
	twice := func(ctx context.Context, state, there string, least int) {
		t.Helper()
		soon(t, ctx, state, there)
		evaluate[bool](t, ctx, twiced)
		soon(t, ctx, "every button is pressed twice: "+state, "globalThis.twiced !== null")
		got := evaluate[[]string](t, ctx, "globalThis.twiced")
		if len(got) > 1 {
			t.Errorf("%s:\n%s", state, strings.Join(got[1:], "\n"))
		}
		n := evaluate[int](t, ctx, "+globalThis.twiced[0]")
		t.Logf("%s: %d buttons", state, n)
		if n < least {
			t.Errorf("%s: %d buttons, want %d or more", state, n, least)
		}
	}
	open := func(ctx context.Context, page string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.Navigate(r.page+page)); err != nil {
			t.Fatal(err)
		}
	}
	command := func(board, do string) {
		t.Helper()
		r.command(board, `{"id":"1","do":"`+do+`"}`)
	}
	asks := func(what string) string {
		return `document.querySelector(".main .now")?.dataset.ask === "` + what + `"`
	}
	twice(ctx, "the demo invites", `document.querySelectorAll(".main .guest").length === 4`, 20)
	open(ctx, "?board=north")
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .deck .cube").length === 32`)
	drag(t, ctx, grip(t, ctx, "north", "lower", "e2", 0), grip(t, ctx, "north", "lower", "e4", -1))
	twice(other, "a move is to be copied", `document.querySelector(".main .mend") !== null`, 6)
	open(other, "?board=south")
	soon(t, other, "it may be copied", `document.querySelector(".main .mend") !== null`)
	evaluate[bool](t, other, `document.querySelector(".main .mend").click() || true`)
	r.await("south", "the move is copied", func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 1 })
	for _, q := range []struct{ what, do, refuse string }{{"takeback", wire.DoTakeback, wire.DoDeclineTakeback},
		{"draw", wire.DoOfferDraw, wire.DoDeclineDraw}} {
		command("north", q.do)
		open(other, "?board=south")
		twice(other, q.what+" is asked", asks(q.what), 6)
		command("south", q.refuse)
	}
	command("south", wire.DoResign)
	twice(ctx, "the game is over", `document.querySelector(".main .now [data-do='rematch']")?.checkVisibility()`, 6)
	for _, page := range []string{"wall", "games", "rules"} {
		open(ctx, page)
		least := map[string]int{"rules": 10}[page]
		twice(ctx, page, `document.querySelector("main")?.textContent.length > 20`, least)
	}
}
