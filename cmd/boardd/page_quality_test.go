// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"boardd/sync/tongue"
	"boardd/sync/web/lean"

	"github.com/chromedp/chromedp"
)

// weight is the largest number of bytes that a browser may load for one page, with the texts of the largest language.
// They count as they are sent, compressed.
const weight = 55_000

// partWeight is the largest number of bytes of a part of a language, compressed as it is sent.
const partWeight = 14_500

// TestPageWeight: each page is small enough for the slow wireless network of a club.
func TestPageWeight(t *testing.T) {
	looked(t)
	const dir = "../../sync/web/page/"
	frame, err := os.ReadFile("../../sync/web/frame.html")
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := os.ReadFile("../../sync/web/games.go")
	if err != nil {
		t.Fatal(err)
	}
	pages := regexp.MustCompile(`\{"[^"]+", "(\w+\.js)", "([\w.]*)", `).FindAllStringSubmatch(string(sheets), -1)
	if len(pages) < 6 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, page := range pages {
		loaded, frame := map[string]int{"frame.html": packed(t, frame)}, string(frame)
		if page[2] == "" {
			before, rest, _ := strings.Cut(frame, "{{- with .Style}}")
			_, after, _ := strings.Cut(rest, "{{- end}}")
			frame = before + after
		}
		for _, m := range named.FindAllStringSubmatch(frame, -1) {
			load(t, dir, m[1]+m[2], loaded)
		}
		load(t, dir, page[1], loaded)
		load(t, dir, page[2], loaded)
		sum := 0
		for _, n := range loaded {
			sum += n
		}
		t.Logf("%s: %d files, %d bytes as they are sent", page[1], len(loaded), sum)
		if sum > weight || len(loaded) < 4 {
			t.Errorf("%s loads %d files of %d bytes, want 4 files or more and at most %d bytes", page[1], len(loaded), sum,
				weight)
		}
	}
}

// TestPartsOfLanguages: the texts that are fetched later are small as well.
func TestPartsOfLanguages(t *testing.T) {
	for _, l := range tongue.Languages()[1:] {
		for _, part := range []string{tongue.Said, tongue.Faults, tongue.Calibration, tongue.Settings, tongue.Lessons} {
			text, err := tongue.Part(part, l)
			if n := packed(t, text); err != nil || n > partWeight {
				t.Errorf("%s of %s: %d bytes, %v; want at most %d", part, l, n, err, partWeight)
			}
		}
	}
}

// heaviest is the number of bytes of the texts of the largest language. A browser loads one language.
func heaviest(t *testing.T) (most int) {
	for _, l := range tongue.Languages() {
		text, err := tongue.File(l)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, packed(t, text))
	}
	return most
}

// named finds the files that a file of the page loads.
var named = regexp.MustCompile(`(?:from|import) "\./([\w./-]+)"|` +
	`(?:src|href)="([\w./-]+\.(?:js|css|svg|png|webmanifest))"|url\(([\w.-]+)\)`)

// packed is the number of bytes of a text when it is compressed for a browser.
func packed(t *testing.T, text []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// load adds a file and all that it loads. A file that the program generates is not counted; it is small.
func load(t *testing.T, dir, name string, loaded map[string]int) {
	text, err := os.ReadFile(dir + name)
	if _, known := loaded[name]; known || err != nil {
		return
	}
	if loaded[name] = packed(t, lean.Text(name, text)); name == "text.js" {
		loaded["words"] = heaviest(t)
	}
	for _, m := range named.FindAllStringSubmatch(string(text), -1) {
		load(t, dir, m[1]+m[2]+m[3], loaded)
	}
}

// TestPolicy: every file comes with the policy that forbids inline scripts and anything from elsewhere.
func TestPolicy(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t)
	for _, path := range []string{"", "wall", "workshop", "main.js", "api/boards"} {
		resp, err := http.Get(r.page + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Content-Security-Policy"); got != "default-src 'self'; base-uri 'none'; "+
			"frame-ancestors 'none'; form-action 'none'" {
			t.Errorf("/%s: policy %q", path, got)
		}
	}
}

// unnamed lists what the Tab key can reach but has no name, and text whose contrast to its background is below 4.5 to
// 1.
const unnamed = `(() => {
	const bad = [], seen = (e) => e.offsetParent !== null || e.namespaceURI.endsWith("svg");
	for (const e of document.querySelectorAll("button, a, input:not([hidden]), select, summary, [role=button], svg[role=img]")) {
		if (!seen(e) || e.closest("[aria-hidden]")) continue;
		const label = e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.[0]?.textContent.trim();
		if (!label) bad.push("no name: " + e.outerHTML.slice(0, 90));
	}
	const rgb = (s) => { const v = s.match(/[\d.]+/g).map(Number); return v.length < 4 || v[3] > 0 ? v : null; };
	const lum = (v) => v.slice(0, 3).map((c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
	for (const e of document.querySelectorAll("p, h1, h2, h3, a, button, span, summary, li, td, th, time, small, caption, figcaption, strong")) {
		if (!e.offsetParent || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
		let g = e, ground = null;
		while (g && !(ground = rgb(getComputedStyle(g).backgroundColor))) g = g.parentElement;
		const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(ground || [255, 255, 255])].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.push("contrast " + ratio.toFixed(2) + ": " + e.className + " " + e.textContent.slice(0, 30));
	}
	if (document.documentElement.scrollWidth > innerWidth) bad.push("wider than the screen: " + document.documentElement.scrollWidth);
	return bad;
})()`

// TestAccessible: on every page everything has a name, text contrasts with its background in light and dark, and
// nothing is wider than a phone. A move can be made by keyboard alone.
func TestAccessible(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 390, 844, r.page)
	for _, path := range []string{"", "wall", "workshop"} {
		if err := chromedp.Do(ctx, chromedp.Navigate(r.page+path)); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, "the page is drawn",
			`document.querySelectorAll("section").length >= 2 && document.body.dataset.right !== undefined`)
		if path == "wall" {
			soon(t, ctx, "the two boards of one game are one table",
				`[...document.querySelectorAll(".table")].filter(e => !e.hidden).length === 1`)
		}
		for _, theme := range []string{"light", "dark"} {
			evaluate[bool](t, ctx, `(() => { document.documentElement.dataset.theme = "`+theme+`"; return true; })()`)
			for _, fault := range evaluate[[]string](t, ctx, unnamed) {
				t.Errorf("/%s, %s: %s", path, theme, fault)
			}
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(r.page)); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "hands are at both boards",
		`document.querySelectorAll(".held").length === 4 && document.body.dataset.right === "workshop"`)
	r.await("north", "the array stands", synced)
	t.Cleanup(func() {
		if t.Failed() {
			keep(t, ctx, "failed-keys.png")
		}
	})
	keys(t, ctx, "ArrowUp", "Enter") // the Tab key stops at e1
	soon(t, ctx, "e2 is lifted", `document.querySelector("section[data-board='north'] .held .chip") !== null`)
	keys(t, ctx, "ArrowUp", "ArrowUp", "Enter")
	r.await("north", "the move is made", moved("e2e4"))
	soon(t, ctx, "it is read out",
		`document.querySelector("section[data-board='north'] .live").textContent.startsWith("White: e4.")`)
	keep(t, ctx, "phone-dark.png")
}

// keys presses keys on the square of north's board at which the Tab key stops.
func keys(t *testing.T, ctx context.Context, names ...string) {
	t.Helper()
	for _, k := range names {
		evaluate[bool](t, ctx, fmt.Sprintf(`(() => {
			const s = document.querySelector("section[data-board='north'] .sq[tabindex='0']");
			s.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true})); return true; })()`, k))
	}
}
