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
	looked(t, shortened())
	held := func(s string) bool { return strings.Contains(s, "not sent before it is sure") }
	var said []string
	for range 5 {
		said = toldOfAMove(t)
		for _, s := range said {
			if strings.Contains(s, " + ") {
				t.Errorf("the page tells to undo a legal move: %s", s)
			}
		}
		if slices.ContainsFunc(said, held) {
			return
		}
	}
	t.Errorf("the page does not say that the move is held: %q", said)
}

// toldOfAMove lists what a page tells to do while a rook is put on a pawn, with the steps of it.
func toldOfAMove(t *testing.T) []string {
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
	r.hand("north", `{"do":"lift","square":"h1","deck":"lower","count":1}`)
	r.hand("north", `{"do":"place","square":"h2","deck":"lower"}`)
	soon(t, ctx, "the move is made", `document.querySelectorAll(".main .ply").length === 1`)
	return evaluate[[]string](t, ctx, "window.told")
}
