// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/tongue"
	"boardd/sync/wire"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// leftOver finds texts with a place that was not filled in. It also finds elements that stick out of the screen or are
// cut, and buttons that something covers.
const leftOver = `(() => {
	const bad = [];
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) { const s = walk.currentNode.textContent; if (/undefined|\[object|\{\w+\}|NaN/.test(s)) bad.push("left over: " + s); }
	for (const e of document.querySelectorAll("*")) for (const a of ["aria-label", "title"]) { const s = e.getAttribute?.(a); if (s && /undefined|\[object|\{\w+\}/.test(s)) bad.push("left over: " + s); }
	if (document.documentElement.scrollWidth > innerWidth) bad.push("wider than the screen: " + document.documentElement.scrollWidth);
	for (const b of document.querySelectorAll("button, summary, nav a")) if (b.offsetParent && !b.closest(".pane") && b.scrollWidth > b.clientWidth + 1) bad.push("cut: " + b.textContent);
	for (const b of document.querySelectorAll("button, summary, select, a")) {
		const r = b.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
		if (!r.width || !b.offsetParent || b.closest(".pane") || b.closest(".moves")) continue;
		if (r.right > innerWidth + 1 || r.left < -1) bad.push("beside the screen: " + b.textContent);
		const at = document.elementFromPoint(x, y);
		if (at && !b.contains(at)) bad.push("covered by " + at.className + ": " + b.textContent);
	}
	return [...bad, ...` + cutNow + `];
})()`

// enough reports whether pages are looked at in a language. These are the two with the longest words and one of the
// other direction, and in make soak all.
func enough(language string) bool {
	return *whole || language == "de" || language == "ru" || language == "he"
}

// TestLanguages: each language (enough) is drawn on a phone, in its direction, and nothing is cut or sticks out. In
// German a game is played with German letters, and a reason is in German.
func TestLanguages(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 390, 844, r.page)
	all, err := tongue.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		var words struct {
			Pages map[string]string
			Tools map[string]string
			Rules map[string]string
		}
		text, err := tongue.File(l.Code)
		if err == nil {
			err = json.Unmarshal(text, &words)
		}
		if err != nil {
			t.Fatal(err)
		}
		evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "`+l.Code+`"), true)`)
		for path, ready := range map[string]string{"": `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`, "rules": `document.querySelectorAll(".lesson").length > 30`, "wall": `document.querySelector(".table") !== null`,
			"games": `document.querySelector(".kept.none button")?.getBoundingClientRect().bottom < innerHeight && document.querySelector(".keptlist").getBoundingClientRect().top < 80`} {
			if !enough(l.Code) {
				continue
			}
			if err := chromedp.Do(ctx, chromedp.Navigate(r.page+path)); err != nil {
				t.Fatal(err)
			}
			soon(t, ctx, l.Code+": /"+path+" is drawn", ready+` && document.documentElement.lang === "`+l.Code+
				`" && document.documentElement.dir === "`+l.Direction+`"`)
			soon(t, ctx, l.Code+": the head is in the language", `document.querySelector("nav")?.textContent.includes(`+
				quote(words.Pages["wall"])+`)`)
			for _, fault := range evaluate[[]string](t, ctx, leftOver) {
				t.Errorf("%s, /%s: %s", l.Code, path, fault)
			}
			if path == "" {
				// A board is not mirrored with the text; the head is.
				sides := fmt.Sprintf(`(() => {
					const middle = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
					const at = (n) => middle([...document.querySelectorAll("section.main .coordinate")].find(e => e.textContent === n));
					const sq = (n) => middle(document.querySelector("section.main .sq[data-square='" + n + "']"));
					const beside = Math.abs(at("a")[0] - sq("a1")[0]) < 12 && Math.abs(at("1")[1] - sq("a1")[1]) < 12;
					return [beside, at("1")[0] < sq("a1")[0], sq("a1")[0] < sq("h1")[0], sq("a8")[1] < sq("a1")[1],
						(middle(document.querySelector(".headtools"))[0] < innerWidth / 2) === (%q === "rtl")].join(); })()`, l.Direction)
				if got := evaluate[string](t, ctx, sides); got != "true,true,true,true,true" {
					t.Errorf("%s: names beside their squares, ranks at the left, a left of h, 8 above 1, buttons at the end of "+
						"the head: %s", l.Code, got)
				}
			}
			if path == "games" {
				evaluate[bool](t, ctx, `(document.querySelector(".kept.none button").click(), true)`)
				soon(t, ctx, l.Code+": the button of a page without games leads to the board", `document.querySelector(".deck") !== null`)
			}
			if path == "" || path == "rules" {
				keep(t, ctx, "language-"+l.Code+"-"+strings.TrimSuffix("board"+path, "board")+".png")
			}
		}
	}
	r.move("north", "e2", "e5", 1)
	r.await("north", "the wood is wrong", func(g *wire.Game) bool { return g.Wood.State == wire.Wrong })
	desk := browser(t, 1440, 900, r.page)
	for _, l := range all {
		if !enough(l.Code) {
			continue
		}
		evaluate[bool](t, desk, `(localStorage.setItem("boardd.language", "`+l.Code+`"), true)`)
		if err := chromedp.Do(desk, chromedp.Navigate(r.page)); err != nil {
			t.Fatal(err)
		}
		soon(t, desk, l.Code+": the desk says what to do", `document.documentElement.lang === "`+l.Code+
			`" && document.querySelector(".main .steps li") !== null`)
		for _, fault := range evaluate[[]string](t, desk, leftOver) {
			t.Errorf("%s, desk: %s", l.Code, fault)
		}
		keep(t, desk, "language-"+l.Code+"-desk.png")
	}
	maple := evaluate[[]float64](t, desk, `(() => {
		const lum = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
			return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const wood = (theme) => { document.documentElement.dataset.theme = theme;
			return lum(getComputedStyle(document.querySelector("section.main .face.white.front")).backgroundColor); };
		const figures = new XMLHttpRequest();
		figures.open("GET", getComputedStyle(document.querySelector("section.main .top.white .figure")).backgroundImage.match(/"(.*)"/)[1], false);
		figures.send();
		const ink = document.createElement("span");
		ink.style.color = figures.responseXML.querySelector("g").getAttribute("stroke");
		document.body.append(ink);
		const line = lum(getComputedStyle(ink).color);
		ink.remove();
		return [wood("light"), wood("dark"), (wood("dark") + 0.05) / (line + 0.05)]; })()`)
	if len(maple) != 3 || maple[1] >= maple[0] || maple[2] < 7 {
		t.Errorf("maple in the light, in the dark, and the contrast of a line on it in the dark: %v; want it dimmer in the "+
			"dark, and 7 : 1 or more", maple)
	}
	r.mendAll("north")
	evaluate[bool](t, ctx,
		`(localStorage.setItem("boardd.language", "de"), localStorage.setItem("boardd.notation", "own"), localStorage.setItem("boardd.sound", "spoken"), true)`)
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the boards are drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
	r.await("north", "the array stands", synced)
	evaluate[bool](t, ctx,
		`(() => { window.spoken = []; speechSynthesis.speak = (u) => { spoken.push(u.lang + ": " + u.text); }; return true; })()`)
	r.move("north", "g1", "f3", 1)
	soon(t, ctx, "the move is read aloud in German", `spoken.includes("de: Springer f3")`)
	soon(t, ctx, "the move has German letters",
		`document.querySelector("section[data-board='north'] .moves").textContent.includes("Sf3")`)
	soon(t, ctx, "whose turn it is, is said in German",
		`document.querySelector("section[data-board='north'] .live").textContent.startsWith("Weiß: Sf3. Schwarz am Zug")`)
	r.mendAll("south")
	r.command("north", `{"id":"1","do":"takeback"}`)
	r.await("south", "the move is asked back", asks("takeback", "white"))
	soon(t, ctx, "the question names the move", `document.querySelector("section[data-board='south'] .state").textContent === `+
		`"Weiß möchte Sf3 zurücknehmen."`)
	r.command("south", `{"id":"1","do":"decline-takeback"}`)
	r.move("south", "e7", "e4", 1)
	soon(t, ctx, "the reason is German",
		`/schwarzer Bauer e7–e4: so zieht diese Figur nicht \(Bauer, e7–e4\)/.test(document.querySelector("section[data-board='south'] .tip").textContent)`)
	r.command("north", `{"id":"1","do":"offer-draw"}`)
	r.await("south", "the draw is offered", asks("draw", "white"))
	r.command("south", `{"id":"1","do":"decline-draw"}`)
	soon(t, ctx, "what the other board says is German",
		`document.querySelector("section[data-board='north'] .tip").textContent === "Schwarz lehnt das Remis ab."`)
	evaluate[bool](t, ctx,
		`(() => { document.querySelector("section[data-board='north'] .tools [data-do=offer-draw]").click(); return true; })()`)
	soon(t, ctx, "a refusal is German",
		`document.querySelector("section[data-board='north'] .tip").textContent.startsWith("Das angebotene Remis ist abgelehnt (Weiß)")`)
}

// TestThreeScreens: on a desktop, a tablet and a phone, light and dark, in English and German, with a move to copy,
// everything has its place. A picture of each is kept among the artefacts.
func TestThreeScreens(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.await("south", "the move is to be copied",
		func(g *wire.Game) bool { return g.Wood.State == wire.Executing && len(g.Wood.Squares) == 2 })
	ctx := browser(t, 1440, 900, r.page+"?board=south")
	for name, size := range map[string][2]int64{"desk": {1440, 900}, "tablet": {820, 1180}, "phone": {390, 844}} {
		for _, theme := range []string{"light", "dark"} {
			for _, language := range []string{"en", "de"} {
				if !*whole && (theme == "dark") != (language == "de") {
					continue
				}
				evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "`+language+
					`"), localStorage.setItem("boardd.theme", "`+theme+`"), true)`)
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1]),
					chromedp.Navigate(r.page+"?board=south")); err != nil {
					t.Fatal(err)
				}
				soon(t, ctx, name+": it says what to do", `document.documentElement.lang === "`+language+
					`" && document.documentElement.dataset.theme === "`+theme+
					`" && document.querySelector(".main .steps li") !== null`)
				for _, fault := range evaluate[[]string](t, ctx, leftOver) {
					t.Errorf("%s, %s, %s: %s", name, theme, language, fault)
				}
				keep(t, ctx, "size-"+name+"-"+theme+"-"+language+".png")
			}
		}
	}
}

// mendAll brings a board to what its lights ask for.
func (r *running) mendAll(board string) {
	r.t.Helper()
	g := r.await(board, "something is asked", func(g *wire.Game) bool { return len(g.Wood.Squares) > 0 })
	r.mend(board, &g)
	r.await(board, "it is put right", synced)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// TestBrowserChooses: if nobody has chosen a language, the page uses the first of the browser's languages that it has.
func TestBrowserChooses(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t)
	ctx := browser(t, 900, 700, "about:blank")
	speaks := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetUserAgentOverride,
			emulation.SetUserAgentOverrideParams{UserAgent: "test", AcceptLanguage: "xx,fr-CA,de"})
		return err
	})
	if err := chromedp.Do(ctx, speaks); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page+"rules")); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the page is French",
		`document.documentElement.lang === "fr" && document.querySelector("nav")?.textContent.includes("Règles")`)
}

// TestTroubleInGerman: what is wrong with the link to the broker is said in the page's language, and so is what the
// network said about it.
func TestTroubleInGerman(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: tcp://127.0.0.1:1\n"))
	ctx := browser(t, 1440, 900, r.page+"rules")
	evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "de"), true)`)
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the trouble is said in German", `((words) => words.includes("Keine Verbindung zum Broker") &&
		words.includes("Verbindung abgelehnt") && !words.includes("refused"))(document.querySelector(".main .faults")?.innerText || "")`)
}

// TestMissingHardwareInGerman: a board of which nothing answers says so in a few words of the page's language. What
// all squares have alike is told once, and the workshop calls the parts by the same names.
func TestMissingHardwareInGerman(t *testing.T) {
	t.Parallel()
	thorough(t)
	dir := t.TempDir()
	conf := filepath.Join(dir, "board.yaml")
	if err := os.WriteFile(conf, fmt.Appendf(nil, "board: table\nstate_dir: %s\nhardware:\n  kind: stack\n  i2c: none\n"+
		"  int: \"\"\n  hub: %s/none\n  spi: none\nweb:\n  listen: 127.0.0.1:0\n", dir, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	// the calibration of another board is refused
	if err := os.WriteFile(filepath.Join(dir, "calibration.yaml"), []byte("kind: twin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	ctx := browser(t, 1440, 900, r.page+"rules")
	evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "de"), true)`)
	for _, at := range []struct{ path, words string }{{"", ".main .faults"}, {"workshop", ".partlist"}} {
		if err := chromedp.Do(ctx, chromedp.Navigate(r.page+at.path)); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, "the missing parts are named in German: "+at.path, `(() => { const e = document.querySelector("`+at.words+`"), words = e?.innerText || "";
			return words.includes("Bus der Sensoren") && words.includes("Leitung der Lichter") &&
				!words.includes("there is"); })()`)
	}
	soon(t, ctx, "a refused calibration is told in German", `((words) =>
		words.includes("gehört zu einem Brett der Art twin") && words.includes("Bis dahin spielt dieses Brett unkalibriert"))(
			document.querySelector(".partlist")?.innerText || "")`)
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the squares are told together", `((words) => words.length > 60 && words.length < 700 &&
		!words.includes(".;") && words.includes("in der Werkstatt"))(document.querySelector(".main .faults")?.innerText || "")`)
}
