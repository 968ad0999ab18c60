// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestInstallable: the page names its icons. It opens while the board's computer is away, says so, and goes on when
// that is back. Whoever has touched the page hears moves, and the screen stays on during a game.
func TestInstallable(t *testing.T) {
	t.Parallel()
	looked(t)
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	at := freeAddress(t)
	text, err := os.ReadFile(conf)
	if err == nil {
		err = os.WriteFile(conf, []byte(strings.Replace(string(text), "127.0.0.1:0", at, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	ctx := browser(t, 900, 800, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
	evaluate[bool](t, ctx, `((async () => { const m = await (await fetch(document.querySelector("link[rel=manifest]").href)).json(); const sizes = [];
		for (const i of m.icons) { const p = new Image(); p.src = i.src; await p.decode(); sizes.push(i.sizes === "any" || i.sizes === p.naturalWidth + "x" + p.naturalHeight); }
		window.manifest = m.start_url && m.display === "standalone" && sizes.length >= 3 && sizes.every(Boolean); })(), true)`)
	soon(t, ctx, "the manifest and its icons are good", `window.manifest === true`)
	r.await("table", "the array stands", synced)
	soon(t, ctx, "nothing keeps the screen on before a game", `document.body.dataset.awake !== "true"`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "e2", 0))
	tap(t, ctx, grip(t, ctx, "table", "lower", "e4", -1))
	r.await("table", "the move is made", moved("e2e4"))
	soon(t, ctx, "the move is heard, once", `document.body.dataset.knocks === "1"`)
	soon(t, ctx, "the screen is kept on", `document.body.dataset.awake === "true"`)

	soon(t, ctx, "the page's files are kept", `navigator.serviceWorker.controller !== null`)
	// again, so that the files come through the service worker
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the board is drawn again", `document.querySelectorAll(".deck .cube").length === 32`)
	r.stop()
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the page opens without the board's computer, and says so",
		`document.getElementById("boards").textContent.includes("The board cannot be reached")`)
	keep(t, ctx, "offline.png")
	again := start(t, "run", "--config", conf)
	soon(t, ctx, "it goes on when the computer is back",
		`document.querySelectorAll(".deck .cube").length === 32 && document.querySelector(".moves").textContent.includes("e4")`)
	again.await("table", "the game is there", moved("e2e4"))
	if kept := evaluate[[]string](t, ctx,
		`(window.names = null, (async () => { window.names = (await (await caches.open("boardd")).keys()).map((k) => new URL(k.url).pathname); })(), [])`); kept == nil {
		t.Error("no list")
	}
	soon(t, ctx, "the list of what is kept is there", `window.names !== null`)
	for _, name := range evaluate[[]string](t, ctx, `window.names.filter((n) => n.startsWith("/api/"))`) {
		t.Errorf("%s is kept, which is what the board says", name)
	}
	if n := evaluate[int](t, ctx, `window.names.length`); n < 15 {
		t.Errorf("%d files are kept: %s", n, filepath.Base(conf))
	}
}
