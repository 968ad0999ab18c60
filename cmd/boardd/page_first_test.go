// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
	"boardd/sync/seal"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// buttonOf is the script that finds the first button with some words, wherever it is on the page.
func buttonOf(words string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => b.offsetParent && !b.disabled && b.textContent === %q)`, words)
}

// click presses the first button with some words.
func click(t *testing.T, ctx context.Context, words string) {
	t.Helper()
	soon(t, ctx, "there is a button "+words, buttonOf(words)+` !== undefined`)
	evaluate[bool](t, ctx, `((b) => { b.click(); b.click(); return true; })(`+buttonOf(words)+`)`)
}

// fill writes into the field of a name.
func fill(t *testing.T, ctx context.Context, name, value string) {
	t.Helper()
	f := fmt.Sprintf(`document.querySelector("[name='%s']")`, name)
	soon(t, ctx, "there is a field "+name, f+` !== null`)
	evaluate[bool](t, ctx,
		fmt.Sprintf(`(() => { const f = %s; f.value = %q; f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, f, value))
}

// before runs JavaScript in every page that a window opens, ahead of the page's own.
func before(t *testing.T, ctx context.Context, js string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: js}); err != nil {
		t.Fatal(err)
	}
}

// late holds back, for half a second, what the pages of a window fetch from addresses with some words in them.
func late(t *testing.T, ctx context.Context, words string) {
	t.Helper()
	before(t, ctx, fmt.Sprintf(`{
		const now = fetch;
		fetch = async (...a) => {
			const r = await now(...a);
			if (r.url.includes(%q)) await new Promise((done) => setTimeout(done, 500));
			return r;
		};
	}`, words))
}

// TestFirstStartPage sets up a board in Chromium, from no configuration to a game that waits. Later it changes a
// setting, undoes that, and begins again.
func TestFirstStartPage(t *testing.T) {
	t.Parallel()
	looked(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "board.yaml")
	r := start(t, "run", "--config", path, "--listen", "127.0.0.1:0")
	ctx := browser(t, 390, 844, r.page)
	t.Cleanup(func() {
		if t.Failed() {
			keep(t, ctx, "failed-first.png")
		}
	})
	late(t, ctx, "/words/") // what is said before the catalogue is there is said in the language too
	for language, says := range map[string]string{"de": "Das ist nicht das Wort", "he": "זו לא המילה"} {
		evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "`+language+`"), location.reload(), true)`)
		soon(t, ctx, "the page speaks "+language, `document.documentElement.lang === "`+language+
			`" && document.querySelector("[name='word']") !== null`)
		soon(t, ctx, "a wrong word is refused in "+language, fmt.Sprintf(`(() => { const f = document.querySelector("[name='word']"), said = document.querySelector(".warn").textContent;
			if (!window.tried) { window.tried = true; f.value = "wrong"; f.form.requestSubmit(); } return said.includes(%q); })()`, says))
	}
	evaluate[bool](t, ctx, `(localStorage.setItem("boardd.language", "en"), location.reload(), true)`)
	soon(t, ctx, "the page speaks English",
		`document.documentElement.lang === "en" && document.querySelector("[name='word']") !== null`)
	if theme := evaluate[string](t, ctx, "document.documentElement.dataset.theme ?? ''"); theme != "auto" {
		t.Errorf("the page is %q, want auto: dark where people want that", theme)
	}
	fill(t, ctx, "word", "wrong")
	click(t, ctx, "Go on")
	soon(t, ctx, "a wrong word is refused", `document.querySelector(".warn").textContent.includes("not the word")`)
	keep(t, ctx, "first-door.png")
	fill(t, ctx, "word", r.word)
	click(t, ctx, "Go on")
	fill(t, ctx, "board", "Kitchen Table")
	if evaluate[bool](t, ctx, `[...document.querySelectorAll("summary")].some(s => s.textContent === s.closest("section").querySelector("h2")?.textContent)`) {
		t.Error("what opens says again what stands above it")
	}
	fill(t, ctx, "state_dir", filepath.Join(dir, "state"))
	fill(t, ctx, "password", "correct-horse")
	evaluate[bool](t, ctx, `(document.querySelector("[type=checkbox]").checked = false) || true`)
	click(t, ctx, "Write the configuration")
	soon(t, ctx, "it says what is wrong with the name",
		`[...document.querySelectorAll(".warn")].some(w => w.textContent.includes("is no board name"))`)
	fill(t, ctx, "board", "kitchen")
	fill(t, ctx, "game.variant", "pillar")
	fill(t, ctx, "game.white", "Bob Smith")
	click(t, ctx, "Write the configuration")
	soon(t, ctx, "two things that are wrong with a seat are told apart",
		`[...document.querySelectorAll(".warn")].some(w => w.textContent.includes("0-9 and -; a game against"))`)
	fill(t, ctx, "game.white", "local")
	evaluate[bool](t, ctx, `(document.querySelector("[name='board']").dataset.old = "yes") && true`)
	click(t, ctx, "Look again")
	soon(t, ctx, "what was typed is still there after another look", `(() => {
		const is = (name, value) => document.querySelector("[name='" + name + "']")?.value === value;
		return !document.querySelector("[data-old]") && is("board", "kitchen") && is("game.variant", "pillar") &&
			is("game.white", "local") && is("password", "correct-horse"); })()`)
	evaluate[bool](t, ctx, `([...document.querySelectorAll("summary")].at(-1).click(), true)`)
	soon(t, ctx, "the whole file is shown, and makes the page no wider than the phone",
		`document.querySelector("pre").textContent.includes("kitchen") && document.documentElement.scrollWidth <= innerWidth`)
	evaluate[bool](t, ctx, `([...document.querySelectorAll("summary")].at(-1).click(), true)`)
	for _, theme := range []string{"light", "dark"} {
		evaluate[bool](t, ctx, `(document.documentElement.dataset.theme = "`+theme+`") && true`)
		for _, fault := range evaluate[[]string](t, ctx, unnamed) {
			t.Errorf("the first page, %s: %s", theme, fault)
		}
		keep(t, ctx, "first-"+theme+".png")
	}
	click(t, ctx, "Try every part")
	soon(t, ctx, "the doctor has looked at every part",
		`/well|mending/.test([...document.querySelectorAll(".state")].at(-1).textContent) && document.querySelectorAll(".report li").length > 5`)
	keep(t, ctx, "first-doctor.png")
	click(t, ctx, "Write the configuration")
	soon(t, ctx, "the board is there, and who set it up may do everything",
		`document.querySelectorAll(".deck .cube").length === 32 && document.body.dataset.right === "workshop"`)
	c, err := config.Load(path)
	if err != nil || c.Board != "kitchen" || c.Variant != "pillar" || !c.Virtual {
		t.Fatalf("%v: board %s, %s, virtual %v", err, c.Board, c.Variant, c.Virtual)
	}

	if err := chromedp.Do(ctx, chromedp.Navigate(r.page+"settings")); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the settings are there", `document.querySelectorAll("details[data-section]").length >= 8`)
	evaluate[bool](t, ctx,
		`document.querySelectorAll("details[data-section]").forEach(d => { d.open = ["leds", "web"].includes(d.dataset.section); }) || true`)
	set := func(name, value, says string) {
		t.Helper()
		fill(t, ctx, name, value)
		evaluate[bool](t, ctx, fmt.Sprintf(`document.querySelector("[name='%s']").closest("form").requestSubmit() || true`,
			name))
		soon(t, ctx, "it says "+says, fmt.Sprintf(`document.getElementById("boards").textContent.includes(%q)`, says))
	}
	set("leds.brightness", "35", "leds.brightness: Saved: it counts now.")
	evaluate[bool](t, ctx, `(document.querySelector("[name='web.visitors']").scrollIntoView({block: "center"}), (window.top0 = scrollY) > 500)`)
	set("web.visitors", "player", "These changes wait for a restart: web.visitors.")
	soon(t, ctx, "it says so where the setting stands, which stays in sight", `(() => {
		const word = document.querySelector("[data-word='web.visitors']"), r = word.getBoundingClientRect();
		return word.textContent.startsWith("Saved") && r.top > 0 && r.bottom < innerHeight && word.closest("form").contains(document.activeElement); })()`)
	set("web.listen", "no-place", `"no-place" is no address`)
	if !evaluate[bool](t, ctx, `[...document.querySelectorAll(".setting strong")].every((e) => getComputedStyle(e, "::first-letter").textTransform === "none")`) {
		t.Error("names of settings are written with a capital, which the file would not take")
	}
	keep(t, ctx, "settings.png")
	for _, fault := range evaluate[[]string](t, ctx, unnamed) {
		t.Errorf("the settings: %s", fault)
	}
	other, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	pair := func(words, says string) {
		t.Helper()
		soon(t, ctx, "this board's words are shown",
			`document.querySelector("section.board > code")?.textContent.split(" ").length === 6`)
		fill(t, ctx, "name", "south")
		fill(t, ctx, "words", words)
		evaluate[bool](t, ctx, `document.querySelector("[name='words']").closest("form").requestSubmit() || true`)
		soon(t, ctx, "it says "+says, fmt.Sprintf(`document.getElementById("boards").textContent.includes(%q)`, says))
	}
	pair("bada bada bada", "3 words, want the 6")
	pair(seal.Fingerprint(other), "south: the key with these words counts from now on.")
	soon(t, ctx, "the pair is listed",
		fmt.Sprintf(`document.getElementById("boards").textContent.includes("south%scompared")`, seal.Fingerprint(other)))
	keep(t, ctx, "pair.png")
	click(t, ctx, "Undo")
	soon(t, ctx, "the pair is undone",
		`document.getElementById("boards").textContent.includes("south: undone.") && !document.getElementById("boards").textContent.includes("compared")`)
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), "brightness: 35") ||
		!strings.Contains(string(text), "visitors: player") || strings.Contains(string(text), "no-place") {
		t.Error("the file does not have what was saved, or has what was refused")
	}
	const undo = "Undo the last change"
	soon(t, ctx, "the last change may be undone", buttonOf(undo)+" !== undefined")
	// pressed twice, it undoes once
	evaluate[bool](t, ctx, "((b) => { b.click(); b.click(); return true; })("+buttonOf(undo)+")")
	soon(t, ctx, "it is undone",
		`document.querySelector("[name='web.visitors']")?.value === "" && document.getElementById("boards").textContent.includes("is back")`)
	soon(t, ctx, "the same button brings nothing back", buttonOf(undo)+" === undefined")
	click(t, ctx, "Bring the change back")
	soon(t, ctx, "the undoing is undone", `document.querySelector("[name='web.visitors']")?.value === "player"`)
	click(t, ctx, "Restart now")
	soon(t, ctx, "nothing waits for a restart any more",
		`!/wait for a restart|Restarting/.test(document.getElementById("boards").textContent)`)
	if g := r.await("kitchen", "the board has begun again", synced); g.Variant != "pillar" {
		t.Errorf("the game after the restart: %s", g.Variant)
	}
	resp, err := r.client.Get(r.page + "api/first")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 404 {
		t.Errorf("the first page answers with %d after it was closed for good", resp.StatusCode)
	}
}

// TestFirstStartInGerman: what is missing, and the names of the games, are said in the page's language. Nothing of the
// form is out of its place.
func TestFirstStartInGerman(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := start(t, "run", "--config", filepath.Join(t.TempDir(), "board.yaml"), "--listen", "127.0.0.1:0")
	ctx := browser(t, 1024, 700, r.page)
	fill(t, ctx, "word", r.word)
	click(t, ctx, "Go on")
	late(t, ctx, "/words/") // what is said before the catalogue is there is said in the language too
	for language, says := range map[string]string{"de": "Schach", "he": "שחמט"} {
		opened(t, ctx, r.page, language)
		soon(t, ctx, "the games have their names", fmt.Sprintf(
			`document.documentElement.lang === %q && document.querySelector("[name='game.variant']")?.options[0].textContent === %q`,
			language, says))
		soon(t, ctx, "what is missing is said in "+language, `(() => {
			const missing = [...document.querySelectorAll("section li.warn")];
			return missing.length > 0 && missing.every((li) => !/\b(the|no|on|and)\b/.test(li.textContent)); })()`)
		for _, fault := range evaluate[[]string](t, ctx, crooked) {
			t.Errorf("%s: %s", language, fault)
		}
	}
}

// TestFirstStartOffersToCalibrate: where no board is connected there is nothing to calibrate, and it is not offered.
// Who has refused it where a board is connected is not overruled by another look.
func TestFirstStartOffersToCalibrate(t *testing.T) {
	t.Parallel()
	looked(t)
	r := start(t, "run", "--config", filepath.Join(t.TempDir(), "board.yaml"), "--listen", "127.0.0.1:0")
	ctx := browser(t, 1440, 900, r.page)
	before(t, ctx, `{
		const now = fetch;
		fetch = async (...a) => {
			const r = await now(...a);
			if (!window.connected || !r.url.endsWith("/api/first")) return r;
			const state = await r.json();
			state.found.kind = "stack";
			state.values["hardware.virtual"] = false;
			return new Response(JSON.stringify(state));
		};
	}`)
	evaluate[bool](t, ctx, `(location.reload(), true)`)
	fill(t, ctx, "word", r.word)
	click(t, ctx, "Go on")
	const box = `document.querySelector("[type=checkbox]")`
	soon(t, ctx, "with nothing connected it is not offered", box+`?.checkVisibility() === false`)
	again := func(what, js string) {
		t.Helper()
		evaluate[bool](t, ctx, box+`.dataset.old = true`)
		click(t, ctx, "Look again")
		soon(t, ctx, what, `((b) => !!b && !b.dataset.old && `+js+`)(`+box+`)`)
	}
	evaluate[bool](t, ctx, `window.connected = true`)
	again("with a board it is", `b.checkVisibility() && b.checked`)
	evaluate[bool](t, ctx, `(`+box+`.click(), true)`)
	again("what was refused stays so", `b.checkVisibility() && !b.checked`)
	fill(t, ctx, "hardware.virtual", "true")
	soon(t, ctx, "for a virtual board it is not offered", box+`.checkVisibility() === false`)
}
