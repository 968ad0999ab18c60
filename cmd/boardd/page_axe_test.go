// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAxe: axe-core finds nothing wrong on any page, on a desktop in light and on a phone in dark mode, and with
// windows open.
func TestAxe(t *testing.T) {
	t.Parallel()
	looked(t)
	script, err := os.ReadFile("../../build/tools/axe.min.js")
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("AXE") != "required" {
		t.Skip("axe-core is not there: .ci/fetch-axe fetches it, and make check does")
	}
	if err != nil {
		t.Fatal(err)
	}
	r := startDemo(t, "--variant", "locking")
	first := start(t, "run", "--config", filepath.Join(t.TempDir(), "board.yaml"), "--listen", "127.0.0.1:0")
	ctx := browser(t, 1440, 900, r.page)
	// check runs axe on the page as it is now.
	check := func(what string) {
		t.Helper()
		evaluate[bool](t, ctx, string(script)+"; true")
		evaluate[bool](t, ctx, `(window.axeFound = null, axe.run(document, {resultTypes: ["violations"]}).then((r) => { window.axeFound = r.violations.map((v) =>
			v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + n.any.concat(n.all).map((a) => a.message).join("; ")).join(" | ")); }), true)`)
		soon(t, ctx, "axe has looked at "+what, `window.axeFound !== null`)
		for _, fault := range evaluate[[]string](t, ctx, `window.axeFound`) {
			t.Errorf("%s: %s", what, fault)
		}
	}
	for _, screen := range []struct {
		wide, tall int64
		theme      string
	}{{1440, 900, "light"}, {390, 844, "dark"}} {
		for _, page := range []struct{ url, ready string }{
			{r.page, `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64 && document.body.dataset.right === "workshop"`},
			{r.page + "wall", `document.querySelector(".table .glyph") !== null`},
			{r.page + "rules", `document.querySelectorAll(".lesson").length > 30`},
			{r.page + "games", `document.querySelector(".keptlist .help") !== null`},
			{r.page + "workshop", `document.querySelectorAll(".sensors").length >= 2`},
			{r.page + "settings", `document.querySelector("section.board") !== null`},
			{first.page, `document.querySelector("[name=word]") !== null`},
		} {
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(screen.wide, screen.tall),
				chromedp.Navigate(page.url)); err != nil {
				t.Fatal(err)
			}
			soon(t, ctx, page.url+" is drawn", page.ready)
			evaluate[bool](t, ctx, `(document.documentElement.dataset.theme = "`+screen.theme+`") && true`)
			check(page.url[len("http://127.0.0.1:"):] + " " + screen.theme)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, "the boards are drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
		evaluate[bool](t, ctx, `(document.documentElement.dataset.theme = "`+screen.theme+
			`", document.querySelector("details.menu").open = true)`)
		check("the menu, " + screen.theme)
		evaluate[bool](t, ctx, `(document.querySelector("details.menu").open = false) || true`)
		press(t, ctx, "north", "New game")
		soon(t, ctx, "the window is open", `document.querySelector("dialog[open] select") !== null`)
		check("the window for a new game, " + screen.theme)
	}
}
