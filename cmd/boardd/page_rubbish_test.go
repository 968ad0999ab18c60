// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// overheard keeps the last message of each kind that a page received, and a way to send it another one.
const overheard = `(() => {
	const add = EventSource.prototype.addEventListener;
	globalThis.overheard = new Map();
	EventSource.prototype.addEventListener = function (kind, act) {
		if (["open", "error", "hello", "alive"].includes(kind)) return add.call(this, kind, act);
		return add.call(this, kind, (e) => { globalThis.overheard.set(kind, { act, data: e.data }); act(e); });
	};
})();`

// spoiler makes a function that spoils a message: its texts, numbers and lists become others. Words that the contract
// fixes stay.
const spoiler = `globalThis.spoiler = (seed) => {
	const next = (most) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor(seed / 4294967296 * most); };
	const fixed = new Set(["turn", "outcome", "state", "variant", "deck", "what", "by", "kind", "piece", "schema", "board", "running", "at", "value", "reason", "right", "type", "enum", "values", "asked"]);
	const texts = ["", "x", "[P/8/8 w", "8/8/8/8/8/8/8/8 w - - 0 1", "e2e4", "z9", "[Kk]2^", "<img src=x onerror=1>", "\u202e\u0000😀", "-".repeat(3000), "K".repeat(3000), "{x}", "__proto__", "e9^^e0*"];
	const numbers = [-1, 0, 1, 7, 64, 1e9, 0.5];
	const spoil = (v, name) => {
		if (fixed.has(name)) return v;
		if (Array.isArray(v)) {
			const list = v.map((x) => spoil(x, name));
			if (!next(6)) return list.slice(0, next(list.length + 1));
			return !next(12) && list.length ? [...list, ...list, ...list] : list;
		}
		if (v && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, spoil(x, k)]));
		if (next(4)) return v;
		if (typeof v === "string") return texts[next(texts.length)];
		if (typeof v === "number") return numbers[next(numbers.length)];
		return typeof v === "boolean" ? !v : v;
	};
	return { spoil, next };
};`

// babble sends the page each message again, hundreds of times, with meaningless texts, numbers and lists. It lists the
// exceptions. A script that loops never answers.
const babble = `globalThis.babbled = null; (async () => {
	const { spoil, next } = spoiler(%d), faults = new Set();
	const frame = () => new Promise((go) => setTimeout(go, 0));
	let told = 0;
	for (let i = 0; i < 300 && faults.size < 6; i++) {
		for (const [kind, { act, data }] of globalThis.overheard) {
			const text = JSON.stringify(spoil(JSON.parse(data), ""));
			try { act({ data: text }); told++; } catch (e) { faults.add(kind + ": " + (e.stack || e) + " of " + text.slice(0, 1500)); }
		}
		if (i %% 20 === 0) await frame();
	}
	for (const { act, data } of globalThis.overheard.values()) act({ data });
	return [told, ...faults];
})().then((faults) => { globalThis.babbled = faults.map(String); }, (e) => { globalThis.babbled = ["1", String(e)]; }); true`

// TestPagesTakeRubbish: whatever the texts, numbers and lists of a message are, the scripts of the pages that show
// games end and throw nothing. They show the next good message.
func TestPagesTakeRubbish(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	r.move("north", "e2", "e4", 1)
	r.await("north", "e4 is made", moved("e2e4"))
	for name, drawn := range map[string]string{"": `document.querySelectorAll("section.board .deck .cube").length >= 32`,
		"wall": `document.querySelector(".table svg") !== null`} {
		ctx := browser(t, 1000, 800, "about:blank")
		before(t, ctx, spoiler+overheard)
		if err := chromedp.Do(ctx, chromedp.Navigate(r.page+name)); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, "the page is drawn", drawn)
		hostile(t, 1, func(_ int, r *rand.Rand) {
			ctx, stop := context.WithTimeout(ctx, soonEnough)
			defer stop()
			evaluate[bool](t, ctx, fmt.Sprintf(babble, r.Uint32()))
			soon(t, ctx, "the scripts of /"+name+" come to an end", "globalThis.babbled !== null")
			said := evaluate[[]string](t, ctx, "globalThis.babbled")
			if said[0] < "1" || len(said) > 1 {
				t.Errorf("/%s: told %s messages; the scripts throw:\n%s", name, said[0], strings.Join(said[1:], "\n"))
			}
		})
		soon(t, ctx, "the next good message is shown", drawn)
	}
}

// answered spoils each answer that the page fetches while globalThis.spoiling is set, and keeps the exceptions.
const answered = `(() => {
	const real = globalThis.fetch;
	globalThis.thrown = new Set();
	globalThis.spoiled = 0;
	addEventListener("unhandledrejection", (e) => globalThis.thrown.add(String(e.reason?.stack || e.reason)));
	addEventListener("error", (e) => globalThis.thrown.add(String(e.error?.stack || e.message)));
	globalThis.fetch = async (url, how) => {
		const r = await real(url, how);
		if (!globalThis.spoiling || !String(url).startsWith("api/") || url === "api/boards" || !r.ok) return r;
		globalThis.spoiled++;
		return new Response(JSON.stringify(globalThis.spoiling.spoil(await r.json(), "")), { status: r.status });
	};
})();`

// begun runs the page's script again and again, each time with other rubbish in the answers.
const begun = `globalThis.babbled = null; (async () => {
	// a browser opens six connections to a host, and each run would keep one
	globalThis.EventSource = class extends EventTarget { close() {} };
	for (let i = 0; i < 40 && globalThis.thrown.size < 4; i++) {
		globalThis.spoiling = spoiler(%[2]d + i);
		try { await import("/%[1]s.js?" + (%[2]d + i)); } catch (e) { globalThis.thrown.add(String(e.stack || e)); }
		for (let k = 0; k < 5; k++) await new Promise((go) => setTimeout(go, 0));
	}
	globalThis.spoiling = null;
	return [globalThis.spoiled, ...globalThis.thrown];
})().then((faults) => { globalThis.babbled = faults.map(String); }, (e) => { globalThis.babbled = ["1", String(e)]; }); true`

// TestPagesTakeRubbishAnswers: the pages that fetch what they show accept any texts, numbers and lists in an answer.
// These are names of networks, what the doctor found, other boards' keys, games of others. The names of the program's
// own boards and its lessons stay as they are.
func TestPagesTakeRubbishAnswers(t *testing.T) {
	t.Parallel()
	thorough(t)
	demo := startDemo(t, "--variant", "locking")
	demo.await("north", "the array stands", synced)
	dir := t.TempDir()
	fresh := start(t, "run", "--config", filepath.Join(dir, "board.yaml"), "--listen", "127.0.0.1:0")
	for _, c := range []struct{ name, url, script, drawn string }{
		{"settings", demo.page + "settings", "settings", `document.querySelector("main").children.length > 1`},
		{"workshop", demo.page + "workshop", "workshop", `document.querySelectorAll("section").length > 1`},
		{"games", demo.page + "games", "kept", `document.querySelector("main").children.length > 0`},
		{"first", fresh.page, "first", `document.querySelector("main").children.length > 0`},
	} {
		ctx := browser(t, 1000, 800, "about:blank")
		before(t, ctx, spoiler+answered)
		if err := chromedp.Do(ctx, chromedp.Navigate(c.url)); err != nil {
			t.Fatal(err)
		}
		soon(t, ctx, c.name+" is drawn", c.drawn)
		if c.name == "first" {
			fill(t, ctx, "word", fresh.word)
			click(t, ctx, "Go on")
			soon(t, ctx, "the settings are asked", `document.querySelector("[name='board']") !== null`)
		}
		hostile(t, 1, func(_ int, r *rand.Rand) {
			ctx, stop := context.WithTimeout(ctx, soonEnough)
			defer stop()
			evaluate[bool](t, ctx, fmt.Sprintf(begun, c.script, r.Uint32()))
			soon(t, ctx, "the scripts of /"+c.name+" come to an end", "globalThis.babbled !== null")
			said := evaluate[[]string](t, ctx, "globalThis.babbled")
			if said[0] < "1" || len(said) > 1 {
				t.Errorf("/%s: %s answers; the scripts throw:\n%s", c.name, said[0], strings.Join(said[1:], "\n"))
			}
		})
	}
}
