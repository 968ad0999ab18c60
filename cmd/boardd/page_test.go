// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/sync/wire"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// looked skips a test that looks at pages under the race detector, because pages look the same there.
func looked(t *testing.T) {
	t.Helper()
	if shortened() {
		t.Skip("looked at without the race detector")
	}
}

// thorough skips a test unless nothing is to be left out. Such a test is of one view or one sentence of the page, or
// it builds a program of its own. The pages' main tests always run; all of them would take a quarter of an hour.
func thorough(t *testing.T) {
	t.Helper()
	if !*whole {
		t.Skip("make soak-page")
	}
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

// soon waits until JavaScript in the page returns true, even while the page reloads itself.
func soon(t *testing.T, ctx context.Context, what, js string) {
	t.Helper()
	for end := time.Now().Add(soonEnough); ; {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](js, chromedp.WithPollingTimeout(soonEnough)))
		if err == nil {
			return
		}
		if time.Now().After(end) || ctx.Err() != nil || !strings.Contains(err.Error(), "navigated") &&
			!strings.Contains(err.Error(), "context") {
			t.Fatalf("waited in vain until %s: %v", what, err)
		}
	}
}

// shows reports whether JavaScript in the page returns true within a few seconds.
func shows(ctx context.Context, js string) bool {
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](js, chromedp.WithPollingTimeout(5*time.Second)))
	return err == nil
}

// keep saves a picture of the page among the artefacts, if SCREENSHOTS=kept asks for it: pictures take as long as all
// that browsers do otherwise.
func keep(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if os.Getenv("SCREENSHOTS") != "kept" && !t.Failed() {
		return
	}
	png, err := screenshot(ctx)
	if drawing() {
		png, err = chromedp.Run(ctx, chromedp.FullScreenshot(100)) // the whole page
	}
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

// point is a place on the screen.
type point struct{ X, Y float64 }

// grip finds a point of the page where a press reaches a square. It is on the cube of a level, counted from the
// bottom. With level -1 it is on the ground of the square, or on whatever stands there.
func grip(t *testing.T, ctx context.Context, board, deck, square string, level int) point {
	t.Helper()
	if evaluate[bool](t, ctx, "innerWidth < 900") { // on a phone the board takes the room that the lines leave
		laidOut(t, ctx)
	}
	js := fmt.Sprintf(`(() => {
		const root = document.querySelector("section[data-board='%s']"), s = root.querySelector("[data-square='%s'][data-deck='%s']");
		s.scrollIntoView({block: "nearest"});
		if (%d < 0) { const r = s.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; }
		for (const e of root.querySelectorAll("[data-at='%s'][data-on='%s'][data-level='%d'], [data-at='%s'][data-on='%s'] [data-level='%d']")) {
			const r = e.getBoundingClientRect();
			for (const v of [0.5, 0.3, 0.7, 0.15, 0.85]) for (const u of [0.5, 0.3, 0.7, 0.15, 0.85]) {
				const x = r.x + u * r.width, y = r.y + v * r.height, at = document.elementFromPoint(x, y);
				if (at && at.closest("[data-level]")?.dataset.level === "%d" && at.closest("[data-at]").dataset.at === "%s" && at.closest("[data-at]").dataset.on === "%s") return {x, y};
			}
		}
		return null;
	})()`, board, square, deck, level, square, deck, level, square, deck, level, level, square, deck)
	// a cube may still be on its way
	soon(t, ctx, fmt.Sprintf("a point of %s %s, level %d, can be reached by a pointer", deck, square, level),
		"(window.gripped = "+js+") !== null")
	p := evaluate[*point](t, ctx, "window.gripped")
	if p == nil {
		t.Fatalf("no point of %s %s, level %d, can be reached by a pointer", deck, square, level)
	}
	return *p
}

// drag moves a pressed mouse from one point to another.
func drag(t *testing.T, ctx context.Context, from, to point) {
	t.Helper()
	mid := point{(from.X + to.X) / 2, (from.Y+to.Y)/2 - 8}
	for _, e := range []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(chromedp.MousePressed, from.X, from.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(chromedp.MouseMoved, mid.X, mid.Y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, to.X, to.Y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, to.X, to.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
	} {
		if err := chromedp.Do(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	rest(t, ctx)
}

// tap presses and releases the mouse at a point.
func tap(t *testing.T, ctx context.Context, p point) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(p.X, p.Y)); err != nil {
		t.Fatal(err)
	}
	rest(t, ctx)
}

// rest waits until the page's hands have done all they were told. It also waits for what they do by themselves: the
// rook of a castling king, the captured piece that leaves.
func rest(t *testing.T, ctx context.Context) {
	t.Helper()
	soon(t, ctx, "the hands rest", `document.querySelector(".hands[aria-busy=true]") === null`)
}

// press presses the first button of a board with some words.
func press(t *testing.T, ctx context.Context, board, words string) {
	t.Helper()
	b := fmt.Sprintf(`[...document.querySelectorAll("section[data-board='%s'] button, dialog[open] button")].find(b => !b.hidden && (b.offsetParent || b.closest(".pane")) && b.textContent === %q)`, board, words)
	soon(t, ctx, "there is a button "+words, b+` !== undefined`)
	evaluate[bool](t, ctx, `(() => { `+b+`.click(); return true; })()`)
}

// noErrors fails the test at its end if the page wrote errors or warnings to the console.
func noErrors(t *testing.T, ctx context.Context) {
	t.Helper()
	var mu sync.Mutex
	var said []string
	err := chromedp.Listen(ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			d := e.ExceptionDetails
			text := fmt.Sprintf("%s at %s:%d", d.Text, d.URL, d.LineNumber)
			if d.Exception != nil {
				text += " " + d.Exception.Description
			}
			said = append(said, text)
		case *runtime.EventConsoleAPICalled:
			for _, a := range e.Args {
				said = append(said, string(a.Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				said = append(said, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, s := range said {
			if strings.Contains(s, "net::ERR_") {
				continue // errors of the network, as when a daemon is started again
			}
			if strings.Contains(s, "/api/first") || strings.Contains(s, "/api/settings") {
				continue // wrong entries are refused with an HTTP status, and the page says why
			}
			if strings.Contains(s, "409") && strings.HasSuffix(s, "/hand") {
				continue // a hand that was quicker than the board is told so; the game has to be right all the same
			}
			t.Errorf("the page wrote to the console: %s", s)
		}
	})
}

// TestPage plays a move with the mouse. It drags a cube, sees its squares lit, sees why another cube cannot move, and
// sees the move on the other board. Then it begins another game in its window and sets it up.
func TestPage(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 1400, 1000, r.page)
	soon(t, ctx, "both boards are drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
	r.await("north", "the array stands", synced)
	tap(t, ctx, grip(t, ctx, "north", "lower", "e2", 0))
	soon(t, ctx, "the squares of e2 are lit",
		`document.querySelectorAll("section[data-board='north'] .sq.lit").length >= 3`)
	soon(t, ctx, "and marked as legal",
		`document.querySelectorAll("section[data-board='north'] .sq.quiet .shape").length >= 2`)
	soon(t, ctx, "the key beside the line names what shines, and nothing else", `(() => { const lit = new Set([...document.querySelectorAll("section[data-board='north'] .sq.lit")].map((e) => e.className.split(" lit ")[1].split(" ")[0]));
		const named = [...document.querySelectorAll("section[data-board='north'] .key .badge")].map((e) => e.className.split(" ")[1]);
		return named.length === lit.size && named.every((k) => lit.has(k)); })()`)
	keep(t, ctx, "lifted.png")
	tap(t, ctx, grip(t, ctx, "north", "lower", "e4", -1))
	soon(t, ctx, "the move is in both lists",
		`[...document.querySelectorAll(".moves")].every(l => l.textContent.includes("e4"))`)
	soon(t, ctx, "it is read out",
		`[...document.querySelectorAll(".live")].every(l => l.textContent.startsWith("White: e4."))`)
	soon(t, ctx, "the other board asks to copy it",
		`document.querySelectorAll("section[data-board='south'] .sq.lit").length === 2`)
	drag(t, ctx, grip(t, ctx, "south", "lower", "e2", 0), grip(t, ctx, "south", "lower", "e4", -1))
	r.await("south", "the move is copied", func(g *wire.Game) bool { return synced(g) && g.Wood.Ply == 1 })

	// An illegal move is explained in the words of the rules.
	drag(t, ctx, grip(t, ctx, "south", "lower", "e7", 0), grip(t, ctx, "south", "lower", "e4", -1))
	soon(t, ctx, "it says why",
		`document.querySelector("section[data-board='south'] .tip").textContent.includes("black pawn e7–e4")`)
	soon(t, ctx, "and how to put it right",
		`document.querySelectorAll("section[data-board='south'] .steps li").length === 2`)
	press(t, ctx, "south", "Do as the lights say")
	r.await("south", "the wood is put right", synced)

	// A new game on one board is a new game on both, and the hand can be told to set it up.
	press(t, ctx, "north", "New game")
	soon(t, ctx, "the window is open", `document.querySelector("dialog[open] select") !== null`)
	evaluate[bool](t, ctx,
		`(() => { const s = document.querySelector("dialog[open] select"); s.value = "flying"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	press(t, ctx, "north", "Begin Flying Chess")
	soon(t, ctx, "both boards have the new game",
		`[...document.querySelectorAll(".said")].every(s => s.textContent.startsWith("Flying"))`)
	for _, b := range []string{"north", "south"} {
		press(t, ctx, b, "Do as the lights say")
		r.await(b, "the array stands", synced)
	}
	if n := evaluate[int](t, ctx,
		`performance.getEntriesByType("resource").filter(e => !e.name.startsWith(location.origin)).length`); n != 0 {
		t.Errorf("the page asked other hosts for %d things", n)
	}
}

// TestLaidPosition lays a position in the window for a new game, piece by piece and with a stack, and begins from it.
// A position that the rules do not allow is refused in words, and the window stays.
func TestLaidPosition(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "pillar", "stack", ""))
	ctx := browser(t, 1200, 1000, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
	r.await("table", "the array stands", synced)
	press(t, ctx, "table", "New game")
	soon(t, ctx, "the window is open", `document.querySelector("dialog[open] select") !== null`)
	evaluate[bool](t, ctx, `(() => { const s = [...document.querySelectorAll("dialog[open] select")].find(s => [...s.options].some(o => o.value === "fen"));
		s.value = "fen"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	soon(t, ctx, "the game's position is on it",
		`document.querySelectorAll("dialog[open] .editgrid .icon").length === 32`)
	press(t, ctx, "table", "empty the board")
	lay := func(piece, square string) {
		t.Helper()
		for _, css := range []string{"[data-piece='" + piece + "']", "[data-edit='" + square + "']"} {
			at := evaluate[point](t, ctx, `(() => { const e = document.querySelector("dialog[open] `+css+
				`"); e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`)
			tap(t, ctx, at)
		}
	}
	for _, p := range []string{"Ke1", "Pd4", "nd4", "Qd4", "xd4", "Rh1"} {
		lay(p[:1], p[1:])
	}
	press(t, ctx, "table", "Begin Pillar Chess")
	soon(t, ctx, "it says what is missing", `document.querySelector("dialog[open] .warn").textContent.includes("king")`)
	lay("k", "e8")
	press(t, ctx, "table", "White to move")
	keep(t, ctx, "editor.png")
	press(t, ctx, "table", "Begin Pillar Chess")
	const want = "4k3/8/8/8/3[Pn]4/8/8/4K2R b - - 0 1"
	g := r.await("table", "the position is to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	if g.FEN != want {
		t.Errorf("the game begins at %q, want %q", g.FEN, want)
	}
	press(t, ctx, "table", "Do as the lights say")
	r.await("table", "it stands", synced)
}
