// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"testing"

	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// cutNow finds the parts of the line that says what to do whose content is longer or wider than they are. It scrolls
// there, or is cut off.
const cutNow = `[...document.querySelectorAll(".main .now, .main .now *")].filter((e) => {
	const s = getComputedStyle(e);
	return e.checkVisibility() && (s.overflowY !== "visible" && e.scrollHeight > e.clientHeight + 2 ||
		s.overflowX !== "visible" && e.scrollWidth > e.clientWidth + 2);
}).map((e) => "what to do is cut in " + e.className + ", " + [e.clientWidth, e.clientHeight] + " of " + [e.scrollWidth, e.scrollHeight] + ": " + e.innerText)`

// crooked finds what a picky reader sees: where what is to be done does not fit, and buttons of two lines on a desk.
// It also finds menus and windows that leave the screen, and small targets on a phone. In a language from right to
// left it finds Latin values that are turned around or stand on the wrong side.
const crooked = `(() => {
	const bad = [], desk = innerWidth > 900, seen = (e) => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0;
	const box = (e) => e.getBoundingClientRect(), words = (e) => e.textContent.trim().slice(0, 40);
	const lines = (e) => Math.max(0, ...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => {
		const r = document.createRange(); r.selectNodeContents(n);
		return new Set([...r.getClientRects()].filter((q) => q.width).map((q) => Math.round(q.top / 4))).size; }));
	if (document.documentElement.scrollWidth > innerWidth) bad.push("wider than the screen: " + document.documentElement.scrollWidth);
	bad.push(...` + cutNow + `);
	const now = document.querySelector(".main .now");
	if (now && desk) {
		const parts = [...now.querySelectorAll(":scope > *, .answers > *")].filter((e) => seen(e) && !e.matches(".answers"));
		for (const a of parts) for (const b of parts) if (a !== b) {
			const x = box(a), y = box(b);
			if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)
				bad.push("one over the other: " + words(a) + " / " + words(b));
		}
	}
	for (const b of document.querySelectorAll(".play button, .play summary, dialog .tools button, nav a"))
		if (desk && seen(b) && !b.closest(".pane") && !b.matches(".gamecard, .way") && lines(b) > 1)
			bad.push("more than one line: " + words(b));
	for (const b of document.querySelectorAll(".tools > button, .answers > button"))
		if (!desk && seen(b) && !b.closest("dialog") && b.closest(".play") && box(b).height < 43.5) bad.push("a small target: " + words(b) + box(b).height);
	for (const w of document.querySelectorAll("dialog[open], details[open] > .pane")) {
		const r = box(w);
		if (r.top < 0 || r.bottom > innerHeight || r.left < 0 || r.right > innerWidth) bad.push("leaves the screen: " + w.className);
		if (desk && w.matches("dialog:has(.shelf)") && w.scrollHeight > w.clientHeight + 1) bad.push("a window that is longer than the screen: " + w.scrollHeight);
	}
	for (const s of document.querySelectorAll("dialog:has(.shelf) select")) if (!desk && seen(s)) {
		const e = document.body.appendChild(document.createElement("span"));
		Object.assign(e.style, {font: getComputedStyle(s).font, position: "absolute", whiteSpace: "nowrap"});
		e.textContent = s.selectedOptions[0].textContent;
		if (box(e).width + 40 > s.clientWidth) bad.push("a value is cut: " + words(e)); // the padding and the arrow
		e.remove();
	}
	const bar = [...document.querySelectorAll("dialog:has(.shelf) .tools > button")];
	if (bar.length && new Set(bar.map((b) => box(b).top)).size > 1) bad.push("buttons that stand apart: " + bar.map(words));
	if (document.documentElement.dir === "rtl") {
		for (const e of document.querySelectorAll("input:not([type=checkbox]), code"))
			if (seen(e) && (getComputedStyle(e).textAlign !== "right" || e.matches("input") && getComputedStyle(e).unicodeBidi !== "plaintext"))
				bad.push("Latin on the wrong side or turned around: " + (e.name || words(e)));
		for (const b of document.querySelectorAll(".presets button")) if (/^\d+ \+ \d+$/.test(b.textContent)) {
			const r = document.createRange(), at = (i) => { r.setStart(b.firstChild, i); r.setEnd(b.firstChild, i + 1); return r.getBoundingClientRect().left; };
			if (at(0) > at(b.textContent.length - 1)) bad.push("turned around: " + b.textContent);
		}
	}
	return bad;
})()`

// TestLooks looks at each page and each of its windows on a desk, a small desk and a phone, in languages of both
// directions. Nothing is cut, covered, turned around, or wrapped where there is room.
func TestLooks(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	problem := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	problem.await("table", "the array stands", synced)
	problem.command("table", `{"id":"1","do":"new","options":{"problem":"1"}}`)
	problem.await("table", "it is to be set up", func(g *wire.Game) bool { return len(g.Wood.Squares) > 8 })
	first := start(t, "run", "--config", t.TempDir()+"/board.yaml", "--listen", "127.0.0.1:0")
	const drawn = `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length >= 32`
	pages := []struct{ name, url, ready, open string }{
		{"who plays", r.page, drawn + ` && document.querySelectorAll(".main .guest").length === 4`, ""},
		{"a new game", r.page, drawn, `document.querySelector("header .filled").click()`},
		{"the menu of a board", problem.page, drawn, `document.querySelector(".main .more").open = true`},
		{"the menu of the page", r.page, drawn, `document.querySelector(".menu").open = true`},
		{"a problem to set up", problem.page, `document.querySelectorAll(".main .answers button").length === 3`, ""},
		{"the settings", problem.page + "settings", `document.querySelectorAll("details[data-section]").length >= 8`,
			`document.querySelectorAll("details[data-section]").forEach((d) => { d.open = true; })`},
		{"the rules", r.page + "rules", `document.querySelectorAll(".lesson").length > 30`, ""},
		{"the workshop", problem.page + "workshop", `document.querySelectorAll(".parts td").length > 4`, ""},
		{"the wall", r.page + "wall", `document.querySelector(".table") !== null`, ""},
		{"kept games", r.page + "games", `document.querySelector(".kept") !== null`, ""},
		{"the first start", first.page, `document.querySelector("[name='word']") !== null`, ""},
	}
	ctx := browser(t, 1440, 900, r.page)
	for _, language := range languagesLooked() {
		for i, p := range pages {
			if language != "de" && i%3 != 0 && !*whole {
				continue
			}
			opened(t, ctx, p.url, language)
			soon(t, ctx, p.name+" in "+language, `document.documentElement.lang === "`+language+`" && `+p.ready)
			if p.open != "" {
				evaluate[bool](t, ctx, `(() => { `+p.open+`; return true; })()`)
			}
			for _, size := range sizesLooked(language) {
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
					t.Fatal(err)
				}
				fits := fmt.Sprintf("innerWidth === %d && innerHeight === %d", size[0], size[1])
				soon(t, ctx, "the window has its size", fits)
				laidOut(t, ctx)
				for _, fault := range faults(t, ctx, crooked) {
					t.Errorf("%s, %s, %d x %d: %s", p.name, language, size[0], size[1], fault)
				}
				keep(t, ctx, fmt.Sprintf("looks-%s-%s-%d.png", p.name, language, size[0]))
			}
		}
	}
}

// faults is the list that JavaScript makes of what is wrong with the page. If it is not empty, it is asked for again
// for half a minute. A board whose sensors were not read for a second says other things meanwhile.
func faults(t *testing.T, ctx context.Context, js string) []string {
	t.Helper()
	for range 6 {
		if shows(ctx, "("+js+").length === 0") {
			return nil
		}
	}
	return evaluate[[]string](t, ctx, js)
}

// languagesLooked are the languages in which every page is looked at: the one with the longest words, and one from
// right to left. English is as well in make soak.
func languagesLooked() []string {
	if *whole {
		return []string{"en", "de", "he"}
	}
	return []string{"de", "he"}
}

// sizesLooked are the windows in which a page is looked at: the smaller desk and the phone, where room is scarce. In
// make soak there is a large desk as well. A text of the other direction is turned around on all of them or on none.
func sizesLooked(language string) [][2]int64 {
	switch {
	case *whole:
		return [][2]int64{{1440, 900}, {1024, 700}, {390, 844}}
	case language == "he":
		return [][2]int64{{390, 844}}
	}
	return [][2]int64{{1024, 700}, {390, 844}}
}

// laidOut waits until the page has been laid out anew: scripts see a window's size a frame later.
func laidOut(t *testing.T, ctx context.Context) {
	t.Helper()
	evaluate[bool](t, ctx, `(() => { window.laid = false; const frames = (n) => requestAnimationFrame(() => {
		if (n) frames(n - 1); else window.laid = true; }); frames(3); return true; })()`)
	soon(t, ctx, "the page is laid out", "window.laid")
}

// opened opens a page in a language.
func opened(t *testing.T, ctx context.Context, url, language string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	if evaluate[bool](t, ctx, `localStorage.getItem("boardd.language") === "`+language+`"`) {
		return
	}
	evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "`+language+`"), true)`)
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
}

// TestButtonsOfAGame: when a move is asked back, the buttons of a game have one line in every language. That holds at
// the board that asks and at the one that is asked.
func TestButtonsOfAGame(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.mendAll("south")
	r.await("south", "the move is copied", synced)
	r.command("north", `{"id":"1","do":"takeback"}`)
	r.await("south", "the move is asked back", asks("takeback", "white"))
	ctx := browser(t, 1440, 900, r.page)
	languages := languagesLooked()
	if *whole {
		languages = []string{"en", "de", "fr", "es", "it", "ru", "he"}
	}
	for _, language := range languages {
		for _, board := range []string{"north", "south"} {
			opened(t, ctx, r.page+"?board="+board, language)
			soon(t, ctx, board+" in "+language, `document.documentElement.lang === "`+language+
				`" && document.querySelectorAll(".main .moves li").length === 1 && document.querySelector(".main .state").textContent !== ""`)
			for _, size := range sizesLooked(language) {
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
					t.Fatal(err)
				}
				laidOut(t, ctx)
				for _, fault := range faults(t, ctx, crooked) {
					t.Errorf("%s, %s, %d x %d: %s", board, language, size[0], size[1], fault)
				}
			}
		}
	}
}

// TestPilesOfANewGame: the pictures of the games show each piece of a pile, down to the lowest, and the highest is not
// cut. Chromium without a graphics chip once left the lower ones out, so that only a picture shows it.
func TestPilesOfANewGame(t *testing.T) {
	t.Parallel()
	thorough(t)
	_, ctx := newcomer(t)
	evaluate[bool](t, ctx, `(() => { document.querySelector("header .filled").click(); return true; })()`)
	const pillar = `document.querySelector("[data-game=pillar] .deck")`
	face := func(level int, kind string) string {
		return fmt.Sprintf(`%s?.querySelector("[data-at=c4][data-level='%d'].%s, [data-at=c4] [data-level='%d'] .%s")`,
			pillar, level, kind, level, kind)
	}
	soon(t, ctx, "the pile is drawn", face(4, "top")+`?.getBoundingClientRect().height > 4`)
	shot, err := screenshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	for level, ebony := range []bool{true, false, true, false, false} {
		box := evaluate[[]float64](t, ctx, fmt.Sprintf(`(() => {
			const front = %s.getBoundingClientRect(), top = %s.getBoundingClientRect(), pic = %s.closest(".pic").getBoundingClientRect();
			return [front.x, front.y + front.height / 2, front.width, top.top - pic.top, pic.bottom - front.bottom]; })()`,
			face(level, "front"), face(4, "top"), pillar))
		if box[3] < 0 || box[4] < 0 {
			t.Errorf("level %d leaves its picture: the top is %.0f below its edge, the foot %.0f above", level, box[3], box[4])
		}
		for _, part := range []float64{0.14, 0.86} { // beside the figure
			at := img.At(int(box[0]+part*box[2]), int(box[1]))
			if grey := color.GrayModel.Convert(at).(color.Gray).Y; ebony && grey > 90 || !ebony && grey < 130 {
				t.Errorf("level %d, %.0f %% from the left: brightness %d; is it ebony: %v", level, 100*part, grey, ebony)
			}
		}
	}
}

// TestHighPiles: pillars of eight on the far rank stand in the window, under the name of the board and its buttons.
// The window is that of a desk, a small desk and a phone.
func TestHighPiles(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "pillar", "stack", ""))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","variant":"pillar","seats":{"white":"local","black":"local"},`+
		`"start":"[pPnNbBrQ]nbqkbn[RrBbNnPq]/pppppppp/8/8/3[pPnNbBrQ]4/8/PPPPPP2/RNBQKB2 w - - 0 1"}`)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the page offers to do as the lights say", `document.querySelector(".main .mend") !== null`)
	evaluate[bool](t, ctx, `(() => { document.querySelector(".main .mend").click(); return true; })()`)
	r.await("table", "the pillars stand", synced)
	for _, size := range [][2]int64{{1440, 900}, {1024, 700}, {390, 844}} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, "the window has its size", fmt.Sprintf("innerWidth === %d && innerHeight === %d", size[0], size[1]))
		soon(t, ctx, fmt.Sprintf("both pillars are seen whole on %d x %d", size[0], size[1]), `(() => {
			const head = document.querySelector(innerWidth > 900 ? ".main .stagehead" : ".main .opp")?.getBoundingClientRect();
			return ["a8", "h8"].every((s) => { const top = document.querySelector("[data-at='" + s + "'] .top, .top[data-at='" + s + "']");
				return top && top.getBoundingClientRect().top >= head.bottom - 1; }); })()`)
		keep(t, ctx, fmt.Sprintf("pillars-%d.png", size[0]))
	}
}
