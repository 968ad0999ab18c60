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

// TestPromotingCapture: a pawn that captures and promotes by mouse or touch becomes what its player chose, on boards
// of every kind. The page offers what the rules allow: each piece that it may become. In Superchess it may also stand
// on the piece that it meets. A board whose sensors cannot tell these from each other asks, and guesses nothing.
func TestPromotingCapture(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, c := range []struct{ game, kind, choose string }{
		{"superchess", "stack", "d7e8n"}, {"superchess", "stack", "d7e8*"},
		{"chess", "reeds", "d7e8r"}, {"chess", "stack", "d7e8b"}, {"superchess", "scale", "d7e8r"},
	} {
		for _, phone := range []bool{false, true} {
			if main := c.choose == "d7e8*" && phone || c.kind == "reeds" && !phone; !main && !*whole {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%s/phone=%v", c.game, c.kind, strings.ReplaceAll(c.choose, "*", "on"), phone),
				func(t *testing.T) {
					t.Parallel()
					promotes(t, c.game, c.kind, c.choose, phone)
				})
		}
	}
}

func promotes(t *testing.T, id, kind, choose string, phone bool) {
	const fen = "k3r3/3P4/8/8/8/8/8/4K3 w - - 0 1"
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	var may []string
	for _, m := range p.AppendMoves(nil) {
		if name := p.Coord(m); strings.HasPrefix(name, "d7") && strings.Contains(name, "e8") {
			may = append(may, name)
		}
	}
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), id, kind, ""))
	r.await("table", "the array stands", synced)
	r.build("table", v, fen)
	r.command("table", fmt.Sprintf(`{"id":"1","do":"new","variant":%q,"start":%q,
		"seats":{"white":"local","black":"local"}}`, id, fen))
	r.await("table", "it stands", synced)
	var ctx context.Context
	if phone {
		ctx = finger{}.open(t, r.page)
	} else {
		ctx = browser(t, 1440, 900, r.page)
	}
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 4 &&
		document.querySelector(".main .state.synced") !== null`)
	d := &dragger{t: t, ctx: ctx}
	from, to := grip(t, ctx, "table", "lower", "d7", 0), grip(t, ctx, "table", "lower", "e8", -1)
	if phone {
		finger{}.drag(d, from, to)
	} else {
		drag(t, ctx, from, to)
	}
	soon(t, ctx, "the page asks", `document.querySelector(".main .now[data-ask=way] .way") !== null`)
	offered := evaluate[[]string](t, ctx, `[...document.querySelectorAll(".main .way")].map((b) => b.dataset.move)`)
	slices.Sort(offered)
	slices.Sort(may)
	if !slices.Equal(offered, may) {
		t.Errorf("the page offers %q, the rules allow %q", offered, may)
	}
	keep(t, ctx, fmt.Sprintf("promotes-%s-%s-%v.png", id, kind, phone))
	css := fmt.Sprintf(`.main .way[data-move="%s"]`, choose)
	if phone {
		finger{}.choose(d, css)
	} else {
		cursor{}.choose(d, css)
	}
	g := r.await("table", "the move is made, or it is asked which it was",
		func(g *wire.Game) bool { return len(g.Moves) == 1 || g.Wood.State == wire.Asking })
	if g.Wood.State == wire.Asking {
		if !slices.Contains(g.Wood.Choices, choose) {
			t.Fatalf("the board asks for %q, not for %q", g.Wood.Choices, choose)
		}
		t.Logf("the board asks: %q", g.Wood.Choices)
		soon(t, ctx, "the page asks as well", `document.querySelector(".main .now[data-ask=move]") !== null`)
		css = fmt.Sprintf(`.main .answers [data-move="%s"]`, choose)
		if phone {
			finger{}.choose(d, css)
		} else {
			cursor{}.choose(d, css)
		}
	}
	r.await("table", "it is the move that was chosen", moved(choose))
	r.await("table", "and nothing is left to do", synced)
}

// TestUnansweredDrop: if the board's computer does not answer what letting go may mean, the piece stays in the hand.
// The page says so. The piece can be put down afterwards.
func TestUnansweredDrop(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	r.await("table", "the array stands", synced)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .lower .pile").length === 32 &&
		document.querySelector(".main .state.synced") !== null`)
	evaluate[bool](t, ctx, `(() => { const f = fetch;
		window.fetch = (url, o) => String(url).includes("/drop") ? Promise.reject(new TypeError("gone")) : f(url, o);
		window.mended = () => { window.fetch = f; }; return true; })()`)
	drag(t, ctx, grip(t, ctx, "table", "lower", "e2", 0), grip(t, ctx, "table", "lower", "e4", -1))
	soon(t, ctx, "it is said", `document.querySelector(".main").textContent.includes("did not answer")`)
	soon(t, ctx, "the pawn is in the hand", `document.querySelector(".main .held[data-hand=right]").dataset.key === "P"`)
	evaluate[bool](t, ctx, `(() => { mended(); return true; })()`)
	tap(t, ctx, grip(t, ctx, "table", "lower", "e4", -1))
	r.await("table", "the move is made", moved("e2e4"))
}
