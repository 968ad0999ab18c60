// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardd/config"
	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// TestEnginePage: a person with a mouse plays on the page against the engine on a virtual board, drags the own moves
// and copies the engine's. With -engineplies 400 a whole game of each variant is played, without it the beginning of
// two.
func TestEnginePage(t *testing.T) {
	t.Parallel()
	for i, v := range rules.Variants() {
		if shortened() || *enginePlies < 10 && v.ID() != "locking" && v.ID() != "flying" {
			continue // one game of each kind of board
		}
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			kind := "stack"
			if v.Layered() {
				kind = "twin"
			}
			engineGame(t, v, kind, rand.New(rand.NewPCG(22, uint64(i))))
		})
	}
}

func engineGame(t *testing.T, v *rules.Variant, kind string, random *rand.Rand) {
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), v.ID()+"\n  black: engine", kind,
		"engine:\n  level: 2\n"))
	r.await("table", "the array stands", synced)
	conf := config.Default()
	conf.Kind = kind
	geometry := conf.Geometry()
	p := v.Start()
	by := cursor{}
	d := &dragger{t: t, ctx: by.open(t, r.page), r: r, by: by, wood: geometry.Lay(&p), held: map[hands.Hand]wood.Pile{}}
	t.Cleanup(func() {
		if t.Failed() {
			keep(t, d.ctx, "failed-engine-"+v.ID()+".png")
		}
	})
	soon(t, d.ctx, "the board is drawn", `document.querySelectorAll("section.board .deck .cube").length === 32`)
	var made []string
	g := wire.Game{}
	for len(made) < *enginePlies && p.Result() == rules.Playing {
		moves := p.AppendMoves(nil)
		slices.Sort(moves)
		m := moves[random.IntN(len(moves))]
		before := p
		made = append(made, p.Coord(m))
		p.Play(m)
		want := geometry.Lay(&p)
		if !d.captures(&before, m, &want) {
			d.bring(&want)
		}
		d.settle(made)
		if p.Result() != rules.Playing {
			break
		}
		g = r.await("table", "the engine moves",
			func(g *wire.Game) bool { return len(g.Moves) > len(made) || g.Outcome != "" })
		if len(g.Moves) == len(made) {
			break // a draw
		}
		answer, err := p.ParseMove(g.Moves[len(made)])
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, p.Coord(answer))
		p.Play(answer)
		want = geometry.Lay(&p)
		d.bring(&want)
		g = r.await("table", "the engine's move is copied", func(g *wire.Game) bool { return synced(g) || g.Outcome != "" })
	}
	if !slices.Equal(g.Moves[:min(len(g.Moves), len(made))], made[:min(len(g.Moves), len(made))]) {
		t.Errorf("the board has %v, want %v", g.Moves, made)
	}
	keep(t, d.ctx, "engine-"+v.ID()+".png")
	if result := p.Result(); result != rules.Playing {
		soon(t, d.ctx, "the page names the result", `document.querySelector(".now").dataset.kind === "over"`)
		t.Logf("%d plies, %s", len(made), result)
	}
	noErrors(t, d.ctx)
}

// TestEnginePausesNothing: while the engine's move is to be copied, its clock waits, and nobody is offered to let it
// run.
func TestEnginePausesNothing(t *testing.T) {
	t.Parallel()
	looked(t)
	r := start(t, "run", "--config", engineConfig(t, "chess", "  level: 1"))
	r.await("table", "the array stands", synced)
	if _, reply := r.post("table", "command", `{"id":"1","do":"new","seats":{"white":"table","black":"engine"},`+
		`"clock":{"kind":"sudden-death","initial_ms":3600000}}`); reply["ok"] != true {
		t.Fatal(reply)
	}
	ctx := browser(t, 1440, 900, r.page)
	r.move("table", "e2", "e4", 1)
	r.await("table", "the engine's move waits to be copied",
		func(g *wire.Game) bool { return len(g.Moves) == 2 && g.Paused })
	soon(t, ctx, "the page shows both moves", `document.querySelectorAll(".main .ply").length === 2`)
	if shown := evaluate[string](t, ctx,
		`[...document.querySelectorAll(".main [data-do=pause], .main [data-do=resume]")].filter((b) => !b.hidden)`+
			`.map((b) => b.dataset.do).join()`); shown != "pause" {
		t.Errorf("offered is %q, want pause", shown)
	}
}
