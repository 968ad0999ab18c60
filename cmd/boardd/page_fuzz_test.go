// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// strange gives the scripts meaningless positions and moves: random characters, and good ones with some changed. It
// lists the exceptions. A script that loops never answers.
const strange = `globalThis.strange = null; (async () => {
	const n = await import("/notation.js"), { game, games } = await import("/games.js").then((m) => ({ game: m.game, games: ["chess", "locking", "superchess", "pillar", "meirav", "flying", "nothing"] }));
	let seed = %d, faults = new Set();
	const next = (most) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor(seed / 4294967296 * most); };
	const signs = "[]/-#*^x:_ PNBRQKpnbrqk0123456789abcdefghw\u0000\u05d0😀", good = ["[Pp]nbqkbnr/pppppppp/8/[Nn-]7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2^xe4^q:12*", "[P/8/8 w"];
	const text = () => {
		if (next(2)) return Array.from({ length: next(60) }, () => signs[next(signs.length)]).join("");
		const t = [...good[next(good.length)]];
		for (let k = 1 + next(4); k; k--) t.splice(next(t.length), next(2), signs[next(signs.length)]);
		return t.join("");
	};
	for (let i = 0; i < 8000; i++) {
		const t = text(), v = games[next(6)], twin = !!next(2);
		for (const [name, f] of [["piles", () => n.placement(n.piles(t, v, twin), v, twin)], ["parse", () => n.parse(t, v, twin)], ["material", () => n.material(t)]]) {
			try { f(); } catch (e) { faults.add(name + ": " + e + " of " + JSON.stringify(t)); }
		}
		if (faults.size > 5) break;
	}
	return [...faults];
})().then((faults) => { globalThis.strange = faults; }, (e) => { globalThis.strange = [String(e)]; }); true`

// TestScriptsTakeRubbish: whatever another board publishes as its game, the scripts of the page end and throw nothing.
func TestScriptsTakeRubbish(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "chess")
	page := browser(t, 800, 600, r.page)
	hostile(t, 1, func(_ int, x *rand.Rand) {
		ctx, stop := context.WithTimeout(page, soonEnough)
		defer stop()
		evaluate[bool](t, ctx, fmt.Sprintf(strange, x.Uint32()))
		soon(t, ctx, "the scripts come to an end", "globalThis.strange !== null")
		if faults := evaluate[[]string](t, ctx, "globalThis.strange"); len(faults) > 0 {
			t.Errorf("the scripts throw:\n%s", strings.Join(faults, "\n"))
		}
	})
}
