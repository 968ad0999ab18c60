// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// TestWallReadable: names, clocks and results of one, two, four and twenty tables have at least the size that the
// design says. All fit on one screen of 1080 lines, and use its height. TestWall has a hundred. It runs alone. When
// a port is used again, a board of another test that looks for its broker could find this one and be one more
// table.
func TestWallReadable(t *testing.T) {
	thorough(t)
	for _, c := range []struct{ tables, name, board int }{{1, 58, 800}, {2, 50, 690}, {4, 40, 400}, {20, 19, 170}} {
		br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(br.Close)
		newClub(t, br.URL(), c.tables-1)
		r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
		ctx := browser(t, 1920, 1080, r.page+"wall")
		soon(t, ctx, fmt.Sprintf("%d tables are drawn", c.tables),
			fmt.Sprintf(`[...document.querySelectorAll(".table .glyph")].length > 20 && [...document.querySelectorAll(".table")].filter(e => !e.hidden && e.querySelector(".glyph")).length === %d`, c.tables))
		soon(t, ctx, "they are laid out", `document.querySelector(":is(.beside, .around) .table") !== null`)
		soon(t, ctx, "all is on the screen", "Math.max(document.documentElement.scrollHeight - innerHeight, "+
			"document.documentElement.scrollWidth - innerWidth) <= 0")
		soon(t, ctx, fmt.Sprintf("names are of %d pixels at least", c.name),
			fmt.Sprintf(`Math.min(...[...document.querySelectorAll(".table:not([hidden]) .who")].map(e => parseFloat(getComputedStyle(e).fontSize))) >= %d`, c.name))
		soon(t, ctx, fmt.Sprintf("boards are of %d pixels at least", c.board),
			fmt.Sprintf(`Math.min(...[...document.querySelectorAll(".table:not([hidden]) :is(.mini:not([hidden]), .hall .ground)")].map(e => e.getBoundingClientRect().width)) >= %d`, c.board))
		soon(t, ctx, "they use the height", `(() => { const all = [...document.querySelectorAll(".table:not([hidden])")].map((e) => e.getBoundingClientRect());
			return Math.max(...all.map((r) => r.bottom)) - Math.min(...all.map((r) => r.top)) > 0.85 * (innerHeight - 56); })()`)
		deep := 0
		if c.tables == 1 {
			deep = 32
		}
		soon(t, ctx, "one table alone has depth, and only that",
			fmt.Sprintf(`document.querySelectorAll(".hall .deck:not(.flat) .pile").length === %d`, deep))
		keep(t, ctx, fmt.Sprintf("wall-%d.png", c.tables))
	}
}

// TestWallQuiet: where nothing is to be seen for a minute a stored game is played, alone. With the first move at a
// board that board is back. It is called once, even where the same people play both sides.
func TestWallQuiet(t *testing.T) {
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", synced)
	ctx := browser(t, 1920, 1080, r.page+"wall")
	const visible = `[...document.querySelectorAll(".table")].filter((e) => !e.hidden)
		.map((e) => [...e.querySelectorAll(".who, .words")].map((w) => w.textContent).join()).join(" | ")`
	soon(t, ctx, "the board is shown", visible+` === "Black,White,not begun · table · Chess"`)
	evaluate[bool](t, ctx, `(() => { const now = Date.now; Date.now = () => now() + 61000; return true; })()`)
	soon(t, ctx, "a stored game is played alone", `/^[^|]*from the archive[^|]*$/.test(`+visible+`)`)
	keep(t, ctx, "wall-archive.png")
	r.move("table", "e2", "e4", 1)
	soon(t, ctx, "the board is back", visible+` === "Black,White,1. e4 · table · Chess"`)
}

// TestWallOfASimul: if one person plays at every table, the wall shows that person's score, and updates it with each
// game that ends.
func TestWallOfASimul(t *testing.T) {
	thorough(t)
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
	if err := os.WriteFile(conf, fmt.Appendf(nil, "mqtt:\n  url: %s\nclub:\n  listen: 127.0.0.1:0\n  dir: %s/club\n",
		br.URL(), dir), 0o600); err != nil {
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
	soon(t, ctx, "the organiser's page says it too",
		`document.getElementById("simul")?.textContent.includes("2 won, 1 drawn, 1 lost, 0 going on")`)
	say(2, "Eva", "Cid", "1-0")
	soon(t, ctx, "nobody plays at every table now", `document.getElementById("simul")?.hidden`)
}

// TestWallOfEndsAndTroubles: where a game has ended, what each side has of it stands where its clock stood. A table
// that lies wrong for longer than a hand needs is framed and says so; one whose clock runs shows which.
func TestWallOfEndsAndTroubles(t *testing.T) {
	t.Parallel()
	thorough(t)
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	c := newClub(t, br.URL(), 19)
	say := func(i int, change func(*wire.Game)) {
		change(&c.games[i])
		if c.tell(i); c.bad(i) != nil {
			t.Fatal(c.bad(i))
		}
	}
	say(3, func(g *wire.Game) { g.Outcome, g.Reason, g.Clock.Running = "0-1", "lockmate", "" })
	say(11, func(g *wire.Game) { g.Outcome, g.Reason, g.Clock.Running = "1/2-1/2", "agreement", "" })
	say(9, func(g *wire.Game) { g.Clock.White = 3700000 })
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
	ctx := browser(t, 1920, 1080, r.page+"wall")
	shows := func(what, table, js string) {
		t.Helper()
		soon(t, ctx, what, fmt.Sprintf(`((e) => !!e && (%s))(document.querySelector(".table[data-board='%s']"))`, js, table))
	}
	const times = `[...e.querySelectorAll("time")].map((t) => t.textContent).join()`
	shows("Black has won", "table-4", times+` === "1,0" && e.querySelector(".words").textContent.startsWith("Black won")`)
	shows("a draw", "table-12", times+` === "½,½"`)
	shows("one clock runs", "table-10", `e.querySelectorAll("time.runs").length === 1`)
	shows("a clock of hours is seen whole", "table-10", `[...e.querySelectorAll("time")].every((t) =>
		t.getBoundingClientRect().right <= e.getBoundingClientRect().right && t.clientHeight < 60)`)
	evaluate[bool](t, ctx, `(() => { const at = Date.now(); window.later = 0; Date.now = () => at + later; return true; })()`)
	say(7, func(g *wire.Game) { g.Wood.State = wire.Wrong })
	say(11, func(g *wire.Game) { g.Outcome, g.Reason = "1-0", "resignation" })
	shows("White has won, so what was said before has come too", "table-12", times+` === "0,1"`)
	shows("no hand is so slow", "table-8", `!e.classList.contains("helps")`)
	evaluate[bool](t, ctx, `(() => { window.later = 6000; return true; })()`)
	shows("help is called", "table-8", `e.classList.contains("helps") && e.querySelector(".words").textContent.startsWith("needs help")`)
	keep(t, ctx, "wall-troubles.png")
	say(7, func(g *wire.Game) { g.Wood.State = wire.Synced })
	shows("it is mended", "table-8", `!e.classList.contains("helps") && !e.querySelector(".words").textContent.includes("help")`)
}

// TestWallLooks looks at walls of one, two, four and twenty tables on a desk, a small desk and a phone. The
// languages are of both directions. Nothing sticks out of its table or is cut, and no clock stands over a name.
func TestWallLooks(t *testing.T) {
	thorough(t)
	for _, tables := range []int{1, 2, 4, 20} {
		br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(br.Close)
		newClub(t, br.URL(), tables-1)
		r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "locking", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
		ctx := browser(t, 1440, 900, r.page+"rules")
		for _, language := range languagesLooked() {
			opened(t, ctx, r.page+"wall", language)
			soon(t, ctx, fmt.Sprintf("%d tables are drawn", tables), fmt.Sprintf(`document.documentElement.lang === %q &&
				[...document.querySelectorAll(".table")].filter(e => !e.hidden && e.querySelector(".glyph")).length === %d`, language, tables))
			for _, size := range [][2]int64{{1440, 900}, {1024, 700}, {390, 844}} {
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
					t.Fatal(err)
				}
				soon(t, ctx, "the window has its size", fmt.Sprintf("innerWidth === %d && innerHeight === %d", size[0], size[1]))
				laidOut(t, ctx)
				soon(t, ctx, "the wall is laid out, and fits", "document.documentElement.scrollWidth <= innerWidth")
				for _, fault := range evaluate[[]string](t, ctx, `(() => {
					const bad = [], box = (e) => e.getBoundingClientRect();
					for (const table of document.querySelectorAll(".table:not([hidden])")) {
						const all = box(table), parts = [...table.querySelectorAll(".who, .words, time")].filter((e) => e.checkVisibility() && e.textContent && box(e).width);
						for (const a of parts) {
							const r = box(a);
							if (r.left < all.left - 1 || r.right > all.right + 1 || r.bottom > all.bottom + 1) bad.push("beside its table: " + a.textContent);
							if (innerWidth > 900 && a.scrollWidth > a.clientWidth + 1 && getComputedStyle(a).display !== "inline" && !(a.matches(".words") && a.closest(".dense"))) bad.push("cut: " + a.textContent);
							for (const b of parts) { const s = box(b); if (a !== b && !a.contains(b) && !b.contains(a) &&
								r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1) bad.push("over each other: " + a.textContent + " / " + b.textContent); }
						}
					}
					return [...new Set(bad)].slice(0, 4); })()`) {
					t.Errorf("%d tables, %s, %d x %d: %s", tables, language, size[0], size[1], fault)
				}
				keep(t, ctx, fmt.Sprintf("wall-looks-%d-%s-%d.png", tables, language, size[0]))
			}
		}
	}
}
