// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// TestEngineLevelPage: who begins a game against the engine on the page chooses how strongly it plays and how long it
// thinks. Both are found again the next time. Without the engine nobody is asked.
func TestEngineLevelPage(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
	opened := func() {
		t.Helper()
		evaluate[bool](t, ctx, `(document.querySelector(".fresh, [data-do=new]").click(), true)`)
		soon(t, ctx, "the window is open", `document.querySelector("dialog .gamecard") !== null`)
	}
	const fields = `(() => { const byWords = (words) => [...document.querySelectorAll("dialog label")]` +
		`.find((l) => l.firstChild.textContent === words); return ["opponent", "level", "thinks about a move"].map(byWords) })()`
	opened()
	if shown := evaluate[string](t, ctx, fields+`.map((l) => l.hidden).join()`); shown != "false,true,true" {
		t.Errorf("hidden without the engine: %s", shown)
	}
	evaluate[bool](t, ctx, `((f) => { ["engine", "2", "10"].forEach((v, i) => { const s = f[i].querySelector("select");
		s.value = v; s.dispatchEvent(new Event("change", {bubbles: true})); }); return true; })(`+fields+`)`)
	if shown := evaluate[string](t, ctx, fields+`.map((l) => l.hidden).join()`); shown != "false,false,false" {
		t.Errorf("hidden with the engine: %s", shown)
	}
	keep(t, ctx, "level.png")
	evaluate[bool](t, ctx, `(document.querySelector("dialog [data-do=yes]").click(), true)`)
	g := r.await("table", "the game begins", func(g *wire.Game) bool { return g.Seats.Black == "engine" })
	if g.Options["level"] != "2" || g.Options["seconds"] != "10" || g.Options["takeback"] == "" {
		t.Errorf("the options are %v, want level 2, 10 seconds, and the takeback as before", g.Options)
	}
	soon(t, ctx, "the page shows the game", `document.querySelector(".main").textContent.includes("the engine")`)
	opened()
	if chosen := evaluate[string](t, ctx, fields+`.map((l) => l.querySelector("select").value).join()`); chosen !=
		"engine,2,10" {
		t.Errorf("chosen the next time: %s", chosen)
	}
	noErrors(t, ctx)
}

// TestHintPage: whoever asks for a hint on the page is shown first the piece and then where it goes, and reads both.
func TestHintPage(t *testing.T) {
	t.Parallel()
	looked(t)
	for _, v := range rules.Variants() {
		if !*whole && v.ID() != "locking" && v.ID() != "flying" {
			continue
		}
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			kind := "stack"
			if v.Layered() {
				kind = "twin"
			}
			r := start(t, "run", "--config", writeConfig(t, t.TempDir(), v.ID(), kind, ""))
			r.await("table", "the array stands", synced)
			ctx := browser(t, 1300, 1250, r.page)
			soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
			told := r.hear("table", "event")
			evaluate[bool](t, ctx, `(window.stages = [], window.read = [], new MutationObserver(() => {
				const lit = [...document.querySelectorAll(".main .sq.lit")].map((s) => s.dataset.square).join();
				if (lit && lit !== stages.at(-1)) stages.push(lit);
				const says = document.querySelector(".main .tip").textContent;
				if (says && says !== read.at(-1)) read.push(says);
			}).observe(document.body, {subtree: true, childList: true, attributes: true}), true)`)
			evaluate[bool](t, ctx, `(document.querySelector(".main [data-do=hint]").click(), true)`)
			var e wire.Event
			told(func(data []byte) bool {
				e = wire.Event{}
				return json.Unmarshal(data, &e) == nil && e.Kind == wire.EventHint
			}, func() string { return "the hint is told" })
			from := e.Move[:2]
			soon(t, ctx, "the page shows the piece, and then where it goes",
				`stages.length > 1 && stages.at(-1).split(",").length > 1`)
			if stages := evaluate[string](t, ctx, `stages.join(" ")`); !strings.HasPrefix(stages, from+" ") ||
				!strings.Contains(stages, strings.TrimSuffix(e.Move[2:], "^")[:1]) {
				t.Errorf("%s is shown as %s, want %s first", e.Move, stages, from)
			}
			soon(t, ctx, "it says both in words", fmt.Sprintf(`read.join(" ") === "Hint: look at %s. Hint: %s."`, from, e.SAN))
			keep(t, ctx, "hint-"+v.ID()+".png")
			noErrors(t, ctx)
		})
	}
}
