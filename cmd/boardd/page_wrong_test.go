// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// unread finds what somebody cannot read of what is to be done: words that the line cuts, or that lie
// below the screen.
const unread = `(() => {
	const bad = ` + cutNow + `, now = document.querySelector(".main .now"), frame = now.getBoundingClientRect(), seen = (e) => e.checkVisibility();
	const rest = document.querySelector(".main .tools").getBoundingClientRect(), low = innerWidth > 900 ? innerHeight : rest.top;
	for (const e of [now.querySelector(".state"), ...now.querySelectorAll(".steps > li")]) {
		const r = document.createRange(); r.selectNodeContents(e);
		const q = r.getBoundingClientRect();
		if (!seen(e) || q.top < frame.top - 1 || q.bottom > frame.bottom + 1 || q.left < frame.left || q.right > frame.right || q.bottom > low)
			bad.push("cut: " + e.textContent + " " + [q.top - frame.top, frame.bottom - q.bottom, low - q.bottom].map(Math.round));
	}
	for (const e of now.querySelectorAll(".answers > button, .key > li")) {
		const q = e.getBoundingClientRect();
		if (seen(e) && q.width && (q.top < frame.top - 1 || q.bottom > frame.bottom + 1)) bad.push("cut: " + e.textContent);
	}
	return bad;
})()`

// TestManyWrongSquaresAreReadable: when many squares differ from the game, what is to be done can be read.
// That is the sentence, a square or more, and how many there are besides.
func TestManyWrongSquaresAreReadable(t *testing.T) {
	t.Parallel()
	thorough(t)
	far := startDemo(t, "--variant", "locking")
	far.await("north", "the array stands", synced)
	far.move("north", "e2", "e4", 1)
	for _, s := range strings.Fields("a1 b1 c1 d1 a2 b2 c2 d2 a7 b7 c7 d7") {
		far.hand("north", `{"do":"lift","square":"`+s+`","deck":"lower","count":1}`)
		far.hand("north", `{"do":"discard"}`)
	}
	far.await("north", "many squares are wrong", wrongOn(12))

	back := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	back.await("table", "the array stands", synced)
	for _, m := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5") {
		back.command("table", fmt.Sprintf(`{"id":"1","do":"move","move":%q}`, m))
	}
	back.await("table", "the moves are to be copied", func(g *wire.Game) bool { return len(g.Wood.Squares) > 10 })

	home := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	home.await("table", "the array stands", synced)
	for _, m := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6") {
		home.move("table", m[:2], m[2:], 1)
		home.await("table", m+" is made", func(g *wire.Game) bool { return synced(g) && slices.Contains(g.Moves, m) })
	}
	chess, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	array := chess.Start()
	home.build("table", chess, array.FEN())
	home.await("table", "the array stands again", wrongOn(10))

	for _, c := range []struct {
		name, url string
	}{{"pieces are missing", far.page + "?board=north"}, {"moves are to be copied", back.page},
		{"all stand as at the start", home.page}} {
		t.Run(c.name, func(t *testing.T) { readable(t, c.name, c.url) })
	}
}

// wrongOn tells when as many squares of a board or more differ from the game.
func wrongOn(n int) func(*wire.Game) bool {
	return func(g *wire.Game) bool { return g.Wood.State == wire.Wrong && len(g.Wood.Squares) >= n }
}

// readable looks at what a board says there is to be done, on three screens and in the languages that are looked at.
func readable(t *testing.T, name, url string) {
	ctx := browser(t, 1440, 900, url)
	for _, language := range languagesLooked() {
		opened(t, ctx, url, language)
		soon(t, ctx, "it says what to do", `document.documentElement.lang === "`+language+
			`" && document.querySelector(".main .steps li") !== null`)
		for _, size := range sizesLooked(language) {
			atSize(t, ctx, size)
			const all = "[..." + unread + ", ..." + crooked + "]"
			shows(ctx, all+".length === 0")
			for _, fault := range evaluate[[]string](t, ctx, all) {
				t.Errorf("%s, %s, %d x %d: %s", name, language, size[0], size[1], fault)
			}
			keep(t, ctx, fmt.Sprintf("wrong-%s-%s-%d.png", name, language, size[0]))
		}
	}
}

// atSize gives the window a size and waits until the page is laid out.
func atSize(t *testing.T, ctx context.Context, size [2]int64) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the window has its size", fmt.Sprintf("innerWidth === %d && innerHeight === %d", size[0], size[1]))
	laidOut(t, ctx)
}

// TestCopiedMoveSaysWhereItGoes: of a move that is copied the page says which piece goes where, and which is captured.
func TestCopiedMoveSaysWhereItGoes(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	for i, c := range []struct{ fen, move, steps string }{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "Take the captured piece off d5.|e4: move the white pawn to d5"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "Take the captured piece off d5.|" +
			"e5: move the white pawn to d6"},
		{"r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q",
			"b7: take off one piece, nothing belongs there|Take the captured piece off a8."},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1: move the white king to g1|h1: move the white rook to f1"},
	} {
		r.command("table", fmt.Sprintf(`{"id":"1","do":"new","start":%q,"seats":{"white":"local","black":"local"}}`, c.fen))
		r.mendAll("table")
		r.command("table", fmt.Sprintf(`{"id":"2","do":"move","move":%q}`, c.move))
		soon(t, ctx, "the steps are "+c.steps,
			`[...document.querySelectorAll(".main .steps > li")].map((e) => e.textContent).join("|") === `+quote(c.steps))
		if i > 0 {
			continue
		}
		r.hand("table", `{"do":"lift","square":"e4","deck":"lower"}`)
		r.hand("table", `{"do":"place","square":"d5","deck":"lower"}`)
		soon(t, ctx, "the captured piece, beneath the captor, is still to go",
			`document.querySelector(".main .steps").textContent === "Take the captured piece off d5."`)
		// The next game asks for what weighs as much as this pile. So it is taken off first.
		r.hand("table", `{"do":"lift","square":"d5","deck":"lower","count":2}`)
		r.hand("table", `{"do":"discard"}`)
	}
}

// TestOnePlayAgain: after a game one button alone begins the next.
func TestOnePlayAgain(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	r.command("table", `{"id":"1","do":"resign","by":"white"}`)
	soon(t, ctx, "the next game is offered once",
		`document.querySelector(".main .state.synced") && [...document.querySelectorAll("[data-do=rematch]")].filter((b) => b.checkVisibility()).length === 1`)
}

// TestLetGoWhereNothingGoes: a virtual hand has let go where its piece may not go. The page says why, and what has
// to go from where, before the sensors have seen it: at once. From then on it says of no piece that it is in a hand,
// or beside the board.
func TestLetGoWhereNothingGoes(t *testing.T) {
	t.Parallel()
	looked(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "twin", ""))
	r.await("table", "the array stands", synced)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32`)
	evaluate[bool](t, ctx, `(() => {
		const now = document.querySelector(".main .now"), said = window.said = [];
		let up = false, why;
		addEventListener("pointerup", () => { up = true; }, true);
		new MutationObserver(() => {
			if (!up || document.querySelectorAll(".main .held .none").length !== 2) return;
			const state = now.querySelector(".state").textContent;
			if (now.querySelector(".tip").textContent) why ??= performance.now();
			if (state.includes("differs")) window.took ??= performance.now() - why;
			said.push(state);
		}).observe(now, {subtree: true, childList: true, characterData: true});
		return true; })()`)
	drag(t, ctx, grip(t, ctx, "table", "lower", "d2", 0), grip(t, ctx, "table", "lower", "d7", -1))
	soon(t, ctx, "the board differs from the game, and where",
		`document.querySelector(".main .state").textContent.includes("differs") &&
		document.querySelector(".main .tip").textContent.includes("a pawn does not go from d2 to d7") &&
		[...document.querySelectorAll(".main .steps > li")].map((e) => e.textContent).join("|") ===
			"d7: take off one piece, so that the black pawn is on top|d2: put the white pawn there"`)
	if took := evaluate[float64](t, ctx, "window.took"); took > 2000 { // it waits 3 s for who takes a piece aside
		t.Errorf("that the board differs is said %.0f ms after the reason, want it said at once", took)
	}
	words := evaluate[[]string](t, ctx, "said")
	for _, untrue := range []string{"A hand is at work", "in your hand", "beside the board"} {
		if i := slices.IndexFunc(words, func(s string) bool { return strings.Contains(s, untrue) }); i >= 0 {
			t.Errorf("with empty hands and all pieces on the board the page says %q", words[i])
		}
	}
	press(t, ctx, "table", "Do as the lights say")
	soon(t, ctx, "the board shows the game", `document.querySelector(".main .state.synced") !== null`)
	soon(t, ctx, "the black pawn stands alone on d7",
		`document.querySelector(".main [data-at=d7][data-on=lower][data-level='1']") === null`)
}

// TestHeldIsNotWrong: a piece that cannot move, and is in a virtual hand, does not make the board wrong. What was said
// of it is gone when it stands where it stood.
func TestHeldIsNotWrong(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "a1", 0))
	soon(t, ctx, "the daemon calls the board wrong", `document.querySelector(".main .state.wrong") !== null`)
	if got := evaluate[string](t, ctx, `[
		document.querySelector(".main .state").textContent,
		document.querySelector(".main .mend")].join()`); got != "In your hand: white rook.," {
		t.Errorf("the page says %q, want what is in the hand, and no button", got)
	}
	soon(t, ctx, "it says why the rook is stuck", `document.querySelector(".main .tip").textContent.includes("b1")`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "b5", -1))
	soon(t, ctx, "the rook may not stand there", `document.querySelector(".main .state").textContent.includes("differs")`)
	press(t, ctx, "table", "Do as the lights say")
	soon(t, ctx, "no word of it is left", `document.querySelector(".main .state.synced") !== null &&
		document.querySelector(".main .tip").textContent === ""`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "d7", 0))
	soon(t, ctx, "it says that Black is not to move",
		`document.querySelector(".main .tip").textContent.includes("it is white's turn")`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "d7", -1))
	soon(t, ctx, "the pawn stands again", `document.querySelector(".main .tip").textContent === ""`)
}

// TestHighPilesAreReadable: what piles of eight want fits the line that says what to do. It holds one pile or more,
// and says how many are left out. Each is a row of pictures with its words for who cannot see them.
func TestHighPilesAreReadable(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startGame(t, "pillar")
	pillar, err := rules.ByID("pillar")
	if err != nil {
		t.Fatal(err)
	}
	r.build("table", pillar, "k7/8/8/8/8/8/8/7K w - - 0 1")
	r.command("table", `{"id":"1","do":"new","start":"[PPPPPPRk]7/8/8/8/3[PPnpppQR]4/8/8/7[pppppprK] w - - 0 1",
		"seats":{"white":"local","black":"local"}}`)
	ctx := browser(t, 1440, 900, r.page)
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		atSize(t, ctx, size)
		if !shows(ctx, `(() => { const n = document.querySelectorAll(".main .steps .slabs").length,
			more = /and (\d+) more/.exec(document.querySelector(".main .steps").textContent)?.[1];
			return n > 0 && n + +(more || 0) === 3; })()`) {
			t.Errorf("%d x %d: three piles are to be built, and the line says %q", size[0], size[1],
				evaluate[string](t, ctx, `document.querySelector(".main .nowwords").innerText`))
		}
		for _, fault := range evaluate[[]string](t, ctx, unread) {
			t.Errorf("%d x %d: %s", size[0], size[1], fault)
		}
		if !evaluate[bool](t, ctx, `document.querySelector(".slabs").ariaLabel.split("on it").length === 8`) {
			t.Errorf("%d x %d: a pile has no words", size[0], size[1])
		}
	}
}
