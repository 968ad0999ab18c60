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
)

// overhear keeps all that the line says from now on: what to do, its reason and its steps.
func overhear(t *testing.T, ctx context.Context) {
	t.Helper()
	evaluate[bool](t, ctx, `(() => {
		const now = document.querySelector(".main .now"), said = window.overheard = [],
			all = () => [".state", ".tip", ".steps"].map((c) => now.querySelector(c).textContent).filter(Boolean).join(" + ");
		window.overhears?.disconnect();
		(window.overhears = new MutationObserver(() => { if (said.at(-1) !== all()) said.push(all()); }))
			.observe(now, {subtree: true, childList: true, characterData: true});
		return true; })()`)
}

// untrue fails the test for each of the words that was said since overhear.
func untrue(t *testing.T, ctx context.Context, when string, words ...string) {
	t.Helper()
	said := evaluate[[]string](t, ctx, "window.overheard")
	for _, w := range words {
		if i := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, w) }); i >= 0 {
			t.Errorf("%s, the page says for a moment: %q", when, said[i])
		}
	}
}

// setUp begins a game at a position, with the wood as it should be.
func (r *running) setUp(fen string) {
	r.t.Helper()
	r.command("table",
		fmt.Sprintf(`{"id":"1","do":"new","start":%q,"seats":{"white":"local","black":"local"}}`, fen))
	r.mendAll("table")
}

// TestNothingUntrueWhilePlaying: while somebody castles, rook or king first, the page calls nothing captured. It
// forbids no piece to move. Who moves twice in a row is told whose turn it is. Of a piece that is lifted then,
// nothing is said that another one did. The page's own hand, which puts all of it right, is not taken for a
// person's.
func TestNothingUntrueWhilePlaying(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	r.setUp("4k2r/5p2/8/8/8/8/5P2/R3K2R b KQk - 0 1")
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 7 &&
		document.querySelector(".main .state.synced") !== null`)
	pull := func(from, to string) {
		t.Helper()
		drag(t, ctx, grip(t, ctx, "table", "lower", from, 0), grip(t, ctx, "table", "lower", to, -1))
	}
	overhear(t, ctx)
	pull("h8", "f8")
	r.await("table", "the rook has moved", moved("h8f8"))
	pull("e8", "g8")
	r.await("table", "Black has castled", moved("e8g8"))
	pull("e1", "g1")
	g := r.await("table", "White has castled", func(g *wire.Game) bool { return synced(g) && len(g.Moves) == 2 })
	if g.Moves[1] != "e1g1" {
		t.Fatalf("the moves are %v", g.Moves)
	}
	untrue(t, ctx, "while both castle", "captured", "turn", "differs")

	pull("a1", "a3")
	soon(t, ctx, "it says whose turn it is", `document.querySelector(".main .state").textContent.includes("differs") &&
		document.querySelector(".main .tip").textContent.includes("the white rook on a1 may not move: it is black's turn")`)
	overhear(t, ctx)
	tap(t, ctx, grip(t, ctx, "table", "lower", "f8", 0))
	r.await("table", "a second piece is missing", func(g *wire.Game) bool { return len(g.Wood.Squares) == 3 })
	tap(t, ctx, grip(t, ctx, "table", "lower", "g5", -1))
	soon(t, ctx, "four squares differ", `document.querySelector(".main .steps").textContent.includes("and 2 more")`)
	untrue(t, ctx, "with two wrong pieces", "f8–a3")

	overhear(t, ctx)
	press(t, ctx, "table", "Do as the lights say")
	soon(t, ctx, "the board shows the game", `document.querySelector(".main .state.synced") !== null &&
		document.querySelector(".main .state").textContent.startsWith("Black to move")`)
	untrue(t, ctx, "while the page puts it right", "in your hand", "In your hand", "captured", "does not go")
}

// TestPromotionIsOffered: what a pawn may become is a choice of four pictures, the queen first, all in sight. While it
// is made, the pawn is seen in the hand.
func TestPromotionIsOffered(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	const fen = "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1"
	chess, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	r.build("table", chess, fen)
	r.command("table", `{"id":"1","do":"new","start":"`+fen+`","seats":{"white":"local","black":"local"}}`)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 4 &&
		document.querySelector(".main .state.synced") !== null`)
	drag(t, ctx, grip(t, ctx, "table", "lower", "b7", 0), grip(t, ctx, "table", "lower", "a8", -1))
	soon(t, ctx, "it is asked, the queen first",
		`[...document.querySelectorAll(".main .way")].map((b) => b.dataset.move).join() === "b7a8q,b7a8r,b7a8b,b7a8n"`)
	soon(t, ctx, "the pawn is seen in the hand", `document.querySelectorAll(".main .lower .cube").length === 4`)
	for _, size := range [][2]int64{{1440, 900}, {1280, 800}, {1024, 768}, {390, 844}} {
		atSize(t, ctx, size)
		soon(t, ctx, fmt.Sprintf("all four are in sight at %d x %d", size[0], size[1]), `(() => {
			const box = document.querySelector(".main .now").getBoundingClientRect();
			return [...document.querySelectorAll(".main .way")].every((b) => {
				const r = b.getBoundingClientRect();
				return r.left >= box.left && r.right <= box.right && r.top >= box.top && r.bottom <= box.bottom &&
					b.scrollWidth <= b.clientWidth + 1 && b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
			}); })()`)
	}
	press(t, ctx, "table", "white queenbxa8=Q+")
	r.await("table", "it is a queen", moved("b7a8q"))
}

// TestGameTurnedRound: the game is turned round on the board. The page goes on to call the squares as the game does.
// Its hands bring each piece to the other side, and the next move is made by dragging.
func TestGameTurnedRound(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	pull := func(from, to string) {
		t.Helper()
		drag(t, ctx, grip(t, ctx, "table", "lower", from, 0), grip(t, ctx, "table", "lower", to, -1))
	}
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32`)
	pull("e2", "e4")
	r.await("table", "the pawn has moved", moved("e2e4"))
	r.command("table", `{"id":"f","do":"flip"}`)
	g := r.await("table", "the pieces are to be set up", func(g *wire.Game) bool { return g.Wood.State == wire.Setup })
	if g.FEN != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" {
		t.Errorf("position %s", g.FEN)
	}
	press(t, ctx, "table", "Do as the lights say")
	r.await("table", "the pieces stand the other way round", synced)
	pull("e7", "e5")
	r.await("table", "Black has replied", moved("e2e4", "e7e5"))
	keep(t, ctx, "turned.png")
}

// TestTakeOff: on a board with one deck a flyer takes off where it stands, or on its way. Letting go of it asks
// whether it goes into the air.
func TestTakeOff(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "flying")
	const fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
	flying, err := rules.ByID("flying")
	if err != nil {
		t.Fatal(err)
	}
	r.build("table", flying, fen)
	r.command("table", `{"id":"1","do":"new","seats":{"white":"local","black":"local"},"start":"`+fen+`"}`)
	r.await("table", "it stands", synced)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 3`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "a1", 0))
	soon(t, ctx, "a1 shines as well", `document.querySelector(".main .sq.lit[aria-label^=a1]") !== null`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "a1", -1))
	soon(t, ctx, "it is asked", `document.querySelectorAll(".main .answers > .way").length === 2`)
	keep(t, ctx, "take-off.png")
	evaluate[bool](t, ctx, `(() => { document.querySelector(".way[data-move='a1a1^']").click(); return true; })()`)
	r.await("table", "the rook has taken off", moved("a1a1^"))
	drag(t, ctx, grip(t, ctx, "table", "lower", "e8", 0), grip(t, ctx, "table", "lower", "e7", -1))
	r.await("table", "Black has moved", moved("a1a1^", "e8e7"))
	drag(t, ctx, grip(t, ctx, "table", "lower", "e1", 0), grip(t, ctx, "table", "lower", "e1", -1))
	r.await("table", "a king that is put back asks nothing", synced)
}
