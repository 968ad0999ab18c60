package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// browser opens a page in Debian's Chromium.
func browser(t *testing.T, width, height int, url string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, height),
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stop := chromedp.NewExecAllocator(ctx, opts...)
	t.Cleanup(stop)
	ctx, stopTab := chromedp.NewContext(ctx)
	t.Cleanup(stopTab)
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatalf("chromium (Debian's package, make check installs it): %v", err)
	}
	return ctx
}

// evaluate runs JavaScript in the page.
func evaluate[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// soon waits until JavaScript in the page says true.
func soon(t *testing.T, ctx context.Context, what, js string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](js, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		t.Fatalf("waited in vain until %s: %v", what, err)
	}
}

// keep saves a picture of the page among the artefacts.
func keep(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll("../../artefacts", 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join("../../artefacts", name), png, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPage plays a move with the mouse: click a cube, see its squares lit, click where it goes, see it on the other board.
func TestPage(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 1400, 1000, r.page)
	soon(t, ctx, "both boards are drawn", `document.querySelectorAll("section.board svg .cube").length === 64`)
	click := func(board int, square string) {
		t.Helper()
		evaluate[bool](t, ctx, `(() => { const s = document.querySelectorAll("section.board")[`+string(rune('0'+board))+`];
			s.querySelector("g[aria-label^='`+square+`:']").dispatchEvent(new MouseEvent("click", {bubbles: true})); return true; })()`)
	}
	r.await("north", "the array stands", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	click(0, "e2")
	soon(t, ctx, "the squares of e2 are lit", `document.querySelectorAll("section.board")[0].querySelectorAll(".led").length >= 3`)
	keep(t, ctx, "lifted.png")
	click(0, "e4")
	soon(t, ctx, "the move is in both lists", `[...document.querySelectorAll(".moves")].every(l => l.textContent.includes("e4"))`)
	soon(t, ctx, "the other board asks to copy it", `document.querySelectorAll("section.board")[1].querySelectorAll(".led").length === 2`)
	keep(t, ctx, "page.png")

	// A new game on one board is a new game on both, and the hand can be told to put it up.
	evaluate[bool](t, ctx, `(() => { const s = document.querySelectorAll("section.board")[0];
		s.querySelector(".tools select").value = "flying"; s.querySelector(".tools button").click(); return true; })()`)
	soon(t, ctx, "both boards have the new game", `[...document.querySelectorAll(".said")].every(s => s.textContent.startsWith("flying"))`)
	mend := `[...document.querySelectorAll("section.board")[0].querySelectorAll(".hand button")].find(b => b.textContent === "do as the lights say")`
	soon(t, ctx, "north asks to be set up, where a pawn has moved", mend+` !== undefined`)
	evaluate[bool](t, ctx, `(() => { `+mend+`.click(); return true; })()`)
	soon(t, ctx, "both arrays stand", `[...document.querySelectorAll(".state")].every(s => s.textContent === "the board shows the game")`)
	if n := evaluate[int](t, ctx, `performance.getEntriesByType("resource").filter(e => !e.name.startsWith(location.origin)).length`); n != 0 {
		t.Errorf("the page asked other hosts for %d things", n)
	}
}
