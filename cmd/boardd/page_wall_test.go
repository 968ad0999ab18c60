// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// TestWallReadable: names, clocks and results of one, four and twenty tables are as large as the design of the wall has them at least, all of
// it on one screen of 1080 lines. A hundred are TestWall's. It runs alone: a board of another test that looks for its broker would find this one's,
// once a port is used again, and be a table more.
func TestWallReadable(t *testing.T) {
	looked(t, shortened())
	for _, c := range []struct{ tables, name, board int }{{1, 58, 800}, {4, 40, 400}, {20, 19, 170}} {
		br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(br.Close)
		newClub(t, br.URL(), c.tables-1)
		r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
		ctx := browser(t, 1920, 1080, r.page+"wall")
		soon(t, ctx, fmt.Sprintf("%d tables are drawn", c.tables), fmt.Sprintf(`[...document.querySelectorAll(".table .glyph")].length > 20 && [...document.querySelectorAll(".table")].filter(e => !e.hidden && e.querySelector(".glyph")).length === %d`, c.tables))
		soon(t, ctx, "they are laid out", `document.querySelector(".beside .table") !== null`)
		soon(t, ctx, "all is on the screen", "Math.max(document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth) <= 0")
		soon(t, ctx, fmt.Sprintf("names are of %d pixels at least", c.name), fmt.Sprintf(`Math.min(...[...document.querySelectorAll(".table:not([hidden]) .who")].map(e => parseFloat(getComputedStyle(e).fontSize))) >= %d`, c.name))
		soon(t, ctx, fmt.Sprintf("boards are of %d pixels at least", c.board), fmt.Sprintf(`Math.min(...[...document.querySelectorAll(".table:not([hidden]) .mini")].map(e => e.getBoundingClientRect().width)) >= %d`, c.board))
		keep(t, ctx, fmt.Sprintf("wall-%d.png", c.tables))
	}
}

// TestWallOfASimul: where one plays at every table, the wall says how that one stands, from that one's side, and says it anew with each game that ends.
func TestWallOfASimul(t *testing.T) {
	looked(t, shortened())
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	c := newClub(t, br.URL(), 4)
	say := func(i int, white, black, outcome string) {
		g := &c.games[i]
		g.Names, g.Outcome, g.Reason = &wire.Names{White: white, Black: black}, outcome, ""
		if outcome != "" {
			g.Reason = "resignation"
		}
		if c.tell(i); c.bad(i) != nil {
			t.Fatal(c.bad(i))
		}
	}
	say(0, "Polgar, Judit", "Ann", "1-0")
	say(1, "Ben", "Polgar, Judit", "1-0")
	say(2, "Polgar, Judit", "Cid", "")
	say(3, "Dora", "Polgar, Judit", "1/2-1/2")
	dir := t.TempDir()
	conf := filepath.Join(dir, "club.yaml")
	if err := os.WriteFile(conf, fmt.Appendf(nil, "mqtt:\n  url: %s\nclub:\n  listen: 127.0.0.1:0\n  dir: %s/club\n", br.URL(), dir), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "club", "--config", conf)
	ctx := browser(t, 1280, 900, r.page+"wall")
	score := func(want string) {
		t.Helper()
		soon(t, ctx, want, fmt.Sprintf(`document.querySelector(".simul")?.textContent === %q`, want))
	}
	score("Polgar, Judit: 1 won, 1 drawn, 1 lost, 1 going on")
	say(2, "Polgar, Judit", "Cid", "1-0")
	score("Polgar, Judit: 2 won, 1 drawn, 1 lost, 0 going on")
	keep(t, ctx, "wall-simul.png")
	ctx = browser(t, 1280, 900, r.page)
	soon(t, ctx, "the organiser's page says it too", `document.getElementById("simul")?.textContent.includes("2 won, 1 drawn, 1 lost, 0 going on")`)
	say(2, "Eva", "Cid", "1-0")
	soon(t, ctx, "nobody plays at every table now", `document.getElementById("simul")?.hidden`)
}

// TestFrameTime measures what the main thread does for one frame while the board is turned, with the processor slowed four times: make page-report.
func TestFrameTime(t *testing.T) {
	if *wallTime == 0 {
		t.Skip("a measurement: make page-report")
	}
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 390, 844, r.page)
	soon(t, ctx, "the boards are drawn", `document.querySelectorAll("section.board .deck .cube").length === 64`)
	slow := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		return err
	})
	if err := chromedp.Do(ctx, slow); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	before := busy(t, ctx)
	evaluate[bool](t, ctx, `(() => { window.frames_ = []; const deck = document.querySelector("section.main .deck"), plane = deck.querySelector(".plane") || deck; let n = 0;
		const frame = () => { const began = performance.now(), c = new MessageChannel();
			plane.style.setProperty("--turn", -(n % 60) + "deg"); plane.style.transform = plane.style.transform.replace(/rotateZ\(.*?\)/, "rotateZ(" + (n % 60) + "deg)");
			c.port1.onmessage = () => { window.frames_.push(performance.now() - began); }; c.port2.postMessage(0);
			if (++n < 240) requestAnimationFrame(frame); };
		requestAnimationFrame(frame); return true; })()`)
	soon(t, ctx, "240 frames were drawn", `window.frames_.length >= 240`)
	ms := evaluate[[]float64](t, ctx, `window.frames_`)
	slices.Sort(ms)
	t.Logf("a frame of the turning board, processor slowed four times: %.1f ms of the main thread; from its script to the next task median %.1f ms, 95th percentile %.1f ms, worst %.1f ms; %d elements drawn",
		1000*(busy(t, ctx)-before)/float64(len(ms)), ms[len(ms)/2], ms[len(ms)*95/100], ms[len(ms)-1], evaluate[int](t, ctx, `document.querySelectorAll("section.main .deck *").length`))
}
