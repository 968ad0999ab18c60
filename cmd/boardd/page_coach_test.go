// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// TestCoachPage: after a blunder the page says what answers it. If takebacks are free, or need the consent that an
// engine cannot give, the move is taken back by a button or by hand. If they are forbidden, nothing offers that, and
// the engine plays on.
func TestCoachPage(t *testing.T) {
	t.Parallel()
	looked(t)
	for policy, by := range map[string]string{"free": "button", "consent": "hand", "never": ""} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "scripted")
			if err := os.WriteFile(program, []byte(scripted), 0o700); err != nil {
				t.Fatal(err)
			}
			r := start(t, "run", "--config", engineConfig(t, "chess", "  level: 2\n  coach: true\n  command: "+program))
			r.await("table", "the array stands", synced)
			ctx := browser(t, 1440, 900, r.page)
			r.blunders(policy)
			soon(t, ctx, "the page says what answers it",
				`document.querySelector(".main .state").textContent.startsWith("Rxa7 would answer that")`)
			want := "Take back,Play on"
			if policy == "never" {
				want = "Play on"
			}
			soon(t, ctx, "and offers "+want, fmt.Sprintf(
				`[...document.querySelectorAll(".main .answers button")].map((b) => b.textContent).join() === %q`, want))
			if shown := evaluate[bool](t, ctx, `[...document.querySelectorAll("[data-do=takeback]")].some((b) => !b.hidden)`); shown !=
				(policy != "never") {
				t.Errorf("a button takes it back: %v", shown)
			}
			keep(t, ctx, "coach-"+policy+".png")
			switch by {
			case "hand":
				r.move("table", "a7", "a1", 1)
			case "button":
				evaluate[bool](t, ctx, `(document.querySelector(".main .answers [data-do=takeback]").click(), true)`)
			default:
				evaluate[bool](t, ctx, `(document.querySelector(".main .answers [data-do=decline-takeback]").click(), true)`)
				r.await("table", "the engine plays on", func(g *wire.Game) bool { return len(g.Moves) == 2 })
				noErrors(t, ctx)
				return
			}
			r.await("table", "it is taken back", func(g *wire.Game) bool { return len(g.Moves) == 0 && g.Blunder == nil })
			noErrors(t, ctx)
		})
	}
}

// scripted is a chess engine that knows the array, and a position with a queen and a rook, and what follows a1a7.
const scripted = `#!/bin/sh
while read -r line; do
	case "$line" in
	uci) echo uciok ;;
	isready) echo readyok ;;
	position*a1a7*) best="score cp 500 pv a8a7" ;;
	position*r3k3*) best="score cp 900 pv a1a8" ;;
	position*) best="score cp 0 pv a2a3" ;;
	go*) echo "info depth 1 $best"; echo "bestmove ${best##* }" ;;
	quit) exit ;;
	esac
done
`

// blunders begins a game against the engine and gives the queen away, until the coach has something to say. The coach
// says nothing while it still weighs the position from before the move.
func (r *running) blunders(policy string) {
	r.t.Helper()
	const fen = "r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1"
	for range 20 {
		r.command("table", fmt.Sprintf(`{"id":"1","do":"new","start":%q,"options":{"takeback":%q}}`, fen, policy))
		r.build("table", rules.Variants()[0], fen)
		r.await("table", "the position stands", synced)
		r.hand("table", `{"do":"lift","square":"a1"}`) // the person hesitates
		r.await("table", "the queen is lifted", func(g *wire.Game) bool { return g.Wood.State == wire.Moving })
		r.hand("table", `{"do":"place","square":"a1"}`)
		r.await("table", "it is put back", synced)
		r.move("table", "a1", "a7", 1)
		if g := r.await("table", "the move is judged, or answered",
			func(g *wire.Game) bool { return g.Blunder != nil || len(g.Moves) == 2 }); g.Blunder != nil {
			return
		}
	}
	r.t.Fatal("the coach says nothing of a lost queen")
}
