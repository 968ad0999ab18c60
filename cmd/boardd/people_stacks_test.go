// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"slices"
	"testing"

	"boardd/sync/wire"
)

// asksKing waits until a king of the first rank lights white: its player is asked.
func (r *running) asksKing(board, square string) {
	r.t.Helper()
	var leds struct{ Lower []string }
	r.listen(board, "leds", func(data []byte) bool {
		return json.Unmarshal(data, &leds) == nil && white(leds.Lower[square[0]-'a'])
	}, func() string { return square + " of " + board + " shines white" })
}

// TestStacksBetweenTwoPeople: two people at two boards play a game of stacks from its beginning to the next one. They
// begin on the page and move by hand on both boards. They climb, take back, capture a pile of two, lock and pause.
// A draw is declined, a side resigns, and the colors change. The next game ends without a result. The one after that
// is given up for another one.
func TestStacksBetweenTwoPeople(t *testing.T) {
	t.Parallel()
	thorough(t)
	d := startDuel(t, "")
	oslo, rome := d.oslo.person("oslo", 1440, 900), d.rome.person("rome", 390, 844)
	both := func(what string, ok func(*wire.Game) bool) (atOslo, atRome wire.Game) {
		t.Helper()
		return d.oslo.await("oslo", what, ok), d.rome.await("rome", what, ok)
	}
	stands := func(made ...string) func(*wire.Game) bool {
		return func(g *wire.Game) bool { return slices.Equal(g.Moves, made) && synced(g) }
	}
	array := func(what string, ok func(*wire.Game) bool) {
		t.Helper()
		atOslo, atRome := both(what, func(g *wire.Game) bool {
			return ok(g) && g.Outcome == "" && len(g.Moves) == 0 && (synced(g) || len(g.Wood.Squares) > 0)
		})
		d.oslo.mend("oslo", &atOslo)
		d.rome.mend("rome", &atRome)
		both(what+", and stands", synced)
	}

	oslo.push("[data-do=new]")
	oslo.choose(0, "select", "locking")
	oslo.choose(1, "select", "fischer")
	oslo.push("[data-do=yes]")
	both("the game with a clock stands",
		func(g *wire.Game) bool { return g.Variant == "locking" && g.Clock != nil && synced(g) })
	for i, m := range []string{"e2e4", "e7e5", "g1f3", "d8e7", "f1c4", "e7e5"} {
		d.play(i+1, m[:2], m[2:])
	}
	climbed := []string{"e2e4", "e7e5", "g1f3", "d8e7", "f1c4", "e7e5*"}

	// The queen on the pawn is put back, and the other player says yes with the king.
	d.rome.move("rome", "e5", "e7", 1)
	oslo.asked("takeback")
	oslo.says(".state", "Black asks to take back Qe5*.")
	rome.says(".state", "waiting for the other side")
	d.oslo.asksKing("oslo", "e1")
	d.oslo.nods("oslo", "e1")
	d.rome.await("rome", "it stands already", stands(climbed[:5]...))
	oslo.says(".state", "Taken back")
	d.oslo.move("oslo", "e5", "e7", 1)
	both("the queen is down at both", stands(climbed[:5]...))
	d.play(6, "e7", "e5")

	// Both pieces of the pile are captured at once; a copy that leaves one of them is not right yet.
	d.oslo.hand("oslo", `{"do":"lift","square":"e5","count":2}`)
	d.oslo.hand("oslo", `{"do":"discard"}`)
	d.oslo.move("oslo", "f3", "e5", 1)
	made := append(climbed, "f3e5")
	d.oslo.await("oslo", "the knight has captured both", stands(made...))
	d.rome.await("rome", "it is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	d.rome.hand("rome", `{"do":"lift","square":"e5"}`)
	d.rome.hand("rome", `{"do":"discard"}`)
	d.rome.move("rome", "f3", "e5", 1)
	d.rome.await("rome", "the pawn under the knight has to go", func(g *wire.Game) bool {
		return g.Wood.State == wire.Executing && len(g.Wood.Squares) == 1 && g.Wood.Squares[0].See == 2
	})
	rome.says(".steps", "e5")
	rome.push(".mend")
	both("it stands at both", stands(made...))

	// A draw is offered by kings, and declined on the page. No offer stands twice, and no sensor is called faulty.
	d.rome.kings("rome", "d4", "d5")
	oslo.asked("draw")
	rome.says(".state", "Your draw offer")
	rome.soon("nothing is wrong with the kings", `!document.querySelector("[data-board] .tip").textContent`)
	oslo.push("[data-do=decline-draw]")
	rome.says(".tip", "declines the draw")
	d.rome.home("rome", "d4", "d5")
	both("the kings are home", func(g *wire.Game) bool { return synced(g) && asksNothing(g) })

	// A knight climbs in a pause, and it counts when the other player lets the clock run. White castles onto the king.
	// Black's knight comes down on the enemy's and locks it.
	rome.push("[data-do=pause]")
	oslo.says(".state", "paused")
	d.rome.move("rome", "b8", "d7", 1)
	rome.says(".state", "Nd7* counts when it goes on")
	oslo.push(".answers [data-do=resume]")
	both("it counts", func(g *wire.Game) bool { return len(g.Moves) == 8 && !g.Paused })
	d.oslo.move("oslo", "b8", "d7", 1)
	made = append(made, "b8d7*")
	both("it stands at both", stands(made...))
	for _, b := range []*running{d.oslo, d.rome} {
		board := map[*running]string{d.oslo: "oslo", d.rome: "rome"}[b]
		b.await(board, "it is ready", func(g *wire.Game) bool { return synced(g) || g.Wood.State == wire.Executing })
		b.move(board, "e1", "g1", 1)
		b.move(board, "h1", "g1", 1)
		b.await(board, "the rook is on the king", stands(append(made, "e1g1*")...))
	}
	d.play(10, "d7", "e5")
	oslo.says(".moves", "Ne5*")

	// Black resigns, and they play again with colors changed.
	rome.push("[data-do=resign]")
	rome.push("[data-do=yes]")
	for _, p := range []*person{oslo, rome} {
		p.says(".state", "White won: resignation")
	}
	oslo.push(".answers [data-do=rematch]")
	array("the colors have changed", func(g *wire.Game) bool { return g.Seats.White == "rome" && g.Variant == "locking" })
	play := func(white bool, m string) {
		t.Helper()
		boards := []string{"oslo", "rome"}
		if !white {
			boards = []string{"rome", "oslo"}
		}
		for _, b := range boards {
			r := map[string]*running{"oslo": d.oslo, "rome": d.rome}[b]
			r.await(b, "it is ready", func(g *wire.Game) bool { return synced(g) || g.Wood.State == wire.Executing })
			r.move(b, m[:2], m[2:], 1)
			r.await(b, m+" stands", func(g *wire.Game) bool { return synced(g) && last(g.Moves) == m })
		}
	}
	play(false, "d2d4")
	play(true, "d7d5")

	// One asks to end without a result, and the other one presses the button that says yes.
	rome.push("[data-do=abort]")
	oslo.asked("abort")
	oslo.push("[data-do=accept]")
	for _, p := range []*person{oslo, rome} {
		p.says(".state", "Ended without a result")
	}
	rome.push(".answers [data-do=rematch]")
	array("the colors have changed again", func(g *wire.Game) bool { return g.Seats.White == "oslo" })
	play(true, "d2d4")
	play(false, "d7d5")

	// One asks for another game, and the other one says yes with the king.
	rome.push("[data-do=new]")
	rome.choose(0, "select", "superchess")
	rome.push("[data-do=yes]")
	oslo.asked("new")
	d.oslo.asksKing("oslo", "e1")
	d.oslo.nods("oslo", "e1")
	array("the other game is there", func(g *wire.Game) bool { return g.Variant == "superchess" })
}
