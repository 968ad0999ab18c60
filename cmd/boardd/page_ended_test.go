// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// TestEndedGameExplainsNoMove: when a game is over, no piece that stands elsewhere is a move any more. The page stops
// to say why it may not go there. It says how the pieces are put right, and then how the next game begins.
func TestEndedGameExplainsNoMove(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	r.move("table", "e2", "e4", 1)
	r.await("table", "White has moved", moved("e2e4"))
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".main .deck .pile").length === 32`)
	r.move("table", "b8", "b6", 1)
	soon(t, ctx, "it says why the knight may not go there",
		`document.querySelector(".main .tip").textContent.includes("a knight does not go from b8 to b6")`)
	r.command("table", `{"id":"1","do":"resign","by":"black"}`)
	soon(t, ctx, "the game is over, and no move is explained", `(() => {
		const said = (part) => document.querySelector(".main ." + part).textContent;
		return said("state") === "White won: resignation." && said("tip") === "" &&
			said("steps").includes("b8: put the black knight there"); })()`)
	press(t, ctx, "table", "Do as the lights say")
	soon(t, ctx, "it says how the next game begins",
		`document.querySelector(".main .steps").textContent === "Set all pieces up, and the next game begins."`)
}
