// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"
)

// TestHeldMoveSaysOneThing: while a move is seen and not sent yet, the page says so, and tells nobody to undo it. A
// browser that is kept busy may draw nothing meanwhile; then another board is tried.
func TestHeldMoveSaysOneThing(t *testing.T) {
	t.Parallel()
	thorough(t)
	held := func(s string) bool { return strings.Contains(s, "not sent before it is sure") }
	for _, c := range []struct {
		from, to string
		held     bool
	}{{"h2", "h3", true}, {"h1", "h2", false}} { // the pawn may go on to h4; the rook goes onto the pawn
		said := toldOfAMove(t, c.from, c.to)
		for range 4 {
			if !c.held || slices.ContainsFunc(said, held) {
				break
			}
			said = toldOfAMove(t, c.from, c.to)
		}
		for _, s := range said {
			if strings.Contains(s, " + ") {
				t.Errorf("%s%s: the page tells to undo a legal move: %s", c.from, c.to, s)
			}
		}
		if c.held && !slices.ContainsFunc(said, held) {
			t.Errorf("%s%s: the page does not say that the move is held: %q", c.from, c.to, said)
		}
	}
}

// toldOfAMove lists what a page tells to do while a piece is moved, with the steps of it.
func toldOfAMove(t *testing.T, from, to string) []string {
	t.Helper()
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", synced)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll("section.board .deck :is(.cube, .tile)").length >= 32`)
	evaluate[bool](t, ctx, `(() => {
		window.told = [];
		const now = document.querySelector(".main .now");
		new MutationObserver(() => {
			const steps = [...now.querySelectorAll(".steps li")].map((e) => " + " + e.textContent).join(""),
				said = now.querySelector(".state").textContent + steps;
			if (said !== window.told.at(-1)) window.told.push(said);
		}).observe(now, { subtree: true, childList: true, characterData: true, attributes: true });
		return true;
	})()`)
	r.hand("north", `{"do":"lift","square":"`+from+`","deck":"lower","count":1}`)
	r.hand("north", `{"do":"place","square":"`+to+`","deck":"lower"}`)
	soon(t, ctx, "the move is made", `document.querySelectorAll(".main .ply").length === 1`)
	return evaluate[[]string](t, ctx, "window.told")
}
