// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// person is somebody with a browser at a board.
type person struct {
	t     *testing.T
	ctx   context.Context
	r     *running
	board string
}

func (r *running) person(board string, width, height int) *person {
	r.t.Helper()
	p := &person{t: r.t, ctx: browser(r.t, width, height, r.page+"?board="+board), r: r, board: board}
	r.t.Cleanup(func() {
		if r.t.Failed() {
			keep(r.t, p.ctx, "failed-people-"+board+".png")
		}
	})
	p.soon("the board is drawn", `document.querySelectorAll("section.board .deck .cube").length === 32`)
	return p
}

func (p *person) soon(what, js string) {
	p.t.Helper()
	soon(p.t, p.ctx, p.board+": "+what, js)
}

// says waits until a part of the page contains some words.
func (p *person) says(css, words string) {
	p.t.Helper()
	p.soon(fmt.Sprintf("%s says %q", css, words),
		fmt.Sprintf(`document.querySelector("[data-board] %s")?.textContent.includes(%q)`, css, words))
}

// push presses what a selector finds, twice, as impatient people do, where it can be seen and nothing covers it. If it
// is in the menu of the board, push opens that.
func (p *person) push(css string) {
	p.t.Helper()
	p.click(p.at(css), 1)
	evaluate[bool](p.t, p.ctx,
		`(() => { const b = document.elementFromPoint(window.gripped.x, window.gripped.y)?.closest("[data-do]"); if (b?.matches(`+quote(css)+`)) b.click(); return true; })()`)
}

// at is where a pointer reaches what a selector finds.
func (p *person) at(css string) point {
	p.t.Helper()
	found := fmt.Sprintf(`(() => {
		const b = [...document.querySelectorAll("dialog[open] %[1]s, [data-board] %[1]s")].find((b) => !b.hidden && !b.disabled);
		if (!b) return null;
		const pane = b.closest("details.more");
		if (pane) pane.open = true;
		b.scrollIntoView({ block: "nearest" });
		const r = b.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2, at = document.elementFromPoint(x, y), g = window.gripped;
		return at && b.contains(at) ? { x, y, still: g && g.x === x && g.y === y ? g.still + 1 : 0 } : null;
	})()`, css)
	evaluate[bool](p.t, p.ctx, "(window.gripped = null) === null")
	// after 8 frames without a change, nothing is moving any more
	p.soon("a pointer reaches "+css, "(window.gripped = "+found+")?.still > 8")
	return evaluate[point](p.t, p.ctx, "window.gripped")
}

// click presses and releases the mouse; the second click of a double click has the count 2.
func (p *person) click(at point, count int) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(count))); err != nil {
		p.t.Fatal(err)
	}
}

// asked waits until the page asks its person something.
func (p *person) asked(what string) {
	p.t.Helper()
	p.soon("it is asked: "+what, fmt.Sprintf(`(document.querySelector("[data-board] .now").dataset.ask || "") === %q`,
		what))
}

// drags plays a move on the page and waits until the board has it.
func (p *person) drags(made ...string) {
	p.t.Helper()
	m := made[len(made)-1]
	p.soon("every cube has come to where it goes",
		`document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)`)
	rest(p.t, p.ctx)
	drag(p.t, p.ctx, grip(p.t, p.ctx, p.board, "lower", m[:2], 0), grip(p.t, p.ctx, p.board, "lower", m[2:4], -1))
	p.r.await(p.board, m+" is made", func(g *wire.Game) bool { return slices.Equal(g.Moves, made) && synced(g) })
}

// follows lets the page's hand do what the lights ask.
func (p *person) follows(made ...string) {
	p.t.Helper()
	p.push(".mend")
	p.r.await(p.board, "the wood follows", func(g *wire.Game) bool { return slices.Equal(g.Moves, made) && synced(g) })
}

// choose sets a field of the open window.
func (p *person) choose(number int, of, value string) {
	p.t.Helper()
	evaluate[bool](p.t, p.ctx,
		fmt.Sprintf(`(() => { const e = document.querySelectorAll("dialog[open] %s")[%d]; e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`, of, number, value))
}

// TestTwoPagesTwoBoards: two people at two boards do on their pages everything that docs/people.md lists. Each action
// is seen on both pages. The other player is asked for consent where it is needed, and a refusal is reported to the
// player who asked.
func TestTwoPagesTwoBoards(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	north, south := r.person("north", 1440, 900), r.person("south", 390, 844)
	for _, p := range []*person{north, south} { // what is said for a while stays, unless something takes it away
		evaluate[bool](t, p.ctx, `(() => { const later = window.setTimeout;
			window.setTimeout = (act, ms, ...rest) => ms === 12000 ? 0 : later(act, ms, ...rest); return true; })()`)
	}
	both := func(what string, ok func(*wire.Game) bool) (g wire.Game) {
		t.Helper()
		for _, b := range []string{"north", "south"} {
			g = r.await(b, what, ok)
		}
		return g
	}
	first := both("the array stands", synced)

	// Begin, with a clock: nothing was played yet, so nobody is asked. The other page shows the clock.
	north.push("[data-do=new]")
	north.choose(1, "select", "fischer")
	north.choose(0, "input[type=number]", "10")
	north.push("[data-do=yes]")
	g := both("the game with a clock stands",
		func(g *wire.Game) bool { return g.Game != first.Game && g.Clock != nil && synced(g) })
	if g.Clock.White != 600000 || g.Timing == nil || g.Timing.Increment != 5000 {
		t.Errorf("clock %+v, timing %+v; want ten minutes and five seconds", g.Clock, g.Timing)
	}
	south.says(".said", "10 minutes + 5 seconds")
	north.drags("e2e4")
	south.follows("e2e4")
	south.drags("e2e4", "e7e5")
	north.follows("e2e4", "e7e5")

	// Who is about to leave the game for another one reads it before.
	north.push("[data-do=new]")
	north.choose(2, "select", "")
	north.soon("a warning", `document.querySelector("dialog .warn").textContent.includes("Your game with south will be left")`)
	north.choose(2, "select", "south")
	north.soon("the warning has gone", `document.querySelector("dialog .warn").textContent === ""`)
	evaluate[bool](t, north.ctx, `(() => { document.querySelector("dialog").close(); return true; })()`)

	// Pause, and go on from the other end.
	north.push("[data-do=pause]")
	south.says(".state", "paused")
	south.push("[data-do=resume]")
	both("the clock goes on", func(g *wire.Game) bool { return !g.Paused && g.Clock.Running == "white" })

	// Adjust: asked, declined and reported; asked again and set.
	for _, yes := range []bool{false, true} {
		north.push("[data-do=adjust]")
		north.choose(0, "input", "3:00")
		north.choose(1, "input", "4")
		north.push("[data-do=yes]")
		south.asked("adjust")
		south.says(".state", "White 3:00, Black 4:00")
		north.says(".state", "waiting for the other side")
		if yes {
			south.push("[data-do=accept]")
			both("the clocks are set",
				func(g *wire.Game) bool { return g.Clock.White <= 180000 && g.Clock.Black == 240000 && asksNothing(g) })
		} else {
			south.push("[data-do=decline]")
			north.says(".tip", "declines")
			both("the clocks are as they were", func(g *wire.Game) bool { return g.Clock.White > 500000 && asksNothing(g) })
		}
	}

	// Take back: declined and reported; allowed, and both put it right.
	south.push("[data-do=takeback]")
	north.asked("takeback")
	north.push("[data-do=decline-takeback]")
	south.says(".tip", "declines")
	south.push("[data-do=takeback]")
	north.asked("takeback")
	north.push("[data-do=accept-takeback]")
	both("it is taken back", func(g *wire.Game) bool { return len(g.Moves) == 1 && asksNothing(g) })
	for _, p := range []*person{north, south} {
		p.says(".state", "Taken back")
		p.soon("no question is left", `!document.querySelector("[data-board] .tip").textContent.includes("answer")`)
	}
	north.follows("e2e4")
	south.follows("e2e4")
	south.drags("e2e4", "c7c5")
	north.follows("e2e4", "c7c5")

	// A draw, a new game and an end without a result: declined and reported, and gone from the asker's page.
	north.push("[data-do=offer-draw]")
	south.asked("draw")
	south.push("[data-do=decline-draw]")
	north.says(".tip", "declines the draw")
	north.soon("the offer is gone", `!document.querySelector("[data-board] .state").textContent.includes("waiting")`)
	north.push("[data-do=new]")
	north.push("[data-do=yes]")
	south.asked("new")
	south.push("[data-do=decline]")
	north.says(".tip", "declines")
	south.push("[data-do=abort]")
	north.asked("abort")
	north.push("[data-do=decline]")
	south.says(".tip", "declines")
	g = both("the game goes on", func(g *wire.Game) bool { return asksNothing(g) && synced(g) })
	if len(g.Moves) != 2 || g.Outcome != "" {
		t.Errorf("%v, outcome %q: want the game to go on", g.Moves, g.Outcome)
	}

	// Resign, and play again with colors exchanged: the own side is at the bottom.
	north.push("[data-do=resign]")
	north.push("[data-do=yes]")
	for _, p := range []*person{north, south} {
		p.says(".state", "Black won: resignation")
	}
	south.push(".answers [data-do=rematch]")
	both("the colors have changed", func(g *wire.Game) bool { return g.Seats.White == "south" && g.Outcome == "" })
	for _, p := range []*person{north, south} {
		p.soon("the own side is below", fmt.Sprintf(`document.querySelector("[data-board] .me").classList.contains(%q)`,
			map[string]string{"north": "black", "south": "white"}[p.board]))
		p.follows()
	}
	south.drags("d2d4")
	north.follows("d2d4")
	north.drags("d2d4", "d7d5")
	south.follows("d2d4", "d7d5")

	// Leave and come back: the page shows the game as it stands, and goes on.
	if err := chromedp.Do(south.ctx, chromedp.Navigate("about:blank"),
		chromedp.Navigate(r.page+"?board=south")); err != nil {
		t.Fatal(err)
	}
	south.says(".moves", "d5")
	south.drags("d2d4", "d7d5", "c2c4")
	north.follows("d2d4", "d7d5", "c2c4")

	// A new game and an end without a result, agreed.
	running := r.await("north", "the game", synced).Game
	south.push("[data-do=new]")
	south.push("[data-do=yes]")
	north.asked("new")
	north.push("[data-do=accept]")
	both("the new game is there", func(g *wire.Game) bool { return g.Game != running && len(g.Moves) == 0 })
	south.push("[data-do=abort]")
	for _, p := range []*person{north, south} {
		p.says(".state", "Ended without a result")
	}
}

// TestOnePageTwoPeople: the same at one board with both sides at it. No other board is asked, and requests are
// answered on the same page.
func TestOnePageTwoPeople(t *testing.T) {
	t.Parallel()
	looked(t)
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	p := r.person("table", 1440, 900)
	first := r.await("table", "the array stands", synced)
	p.push("[data-do=new]")
	p.choose(1, "select", "sudden-death")
	p.choose(0, "input[type=number]", "10")
	p.push("[data-do=yes]")
	r.await("table", "the game with a clock stands",
		func(g *wire.Game) bool { return g.Game != first.Game && g.Clock != nil && synced(g) })
	p.drags("e2e4")
	p.push("[data-do=pause]")
	p.says(".state", "paused")
	p.push("[data-do=resume]")
	p.soon("it goes on", `!document.querySelector("[data-board] .state").textContent.includes("paused")`)
	p.push("[data-do=adjust]")
	p.choose(0, "input", "3:00")
	p.choose(1, "input", "4")
	p.push("[data-do=yes]")
	r.await("table", "the clocks are set",
		func(g *wire.Game) bool { return g.Clock.White == 180000 && g.Clock.Black <= 240000 })
	p.push("[data-do=takeback]")
	r.await("table", "the move is taken back", func(g *wire.Game) bool { return len(g.Moves) == 0 })
	p.follows()
	p.drags("e2e4")
	p.drags("e2e4", "e7e5")
	p.push("[data-do=offer-draw]")
	p.asked("draw")
	p.push("[data-do=decline-draw]")
	p.asked("")
	p.drags("e2e4", "e7e5", "g1f3")
	p.says(".said", "King's Knight Opening")
	p.push("[data-do=offer-draw]")
	p.asked("draw")
	p.push("[data-do=accept-draw]")
	p.says(".state", "Drawn: agreement")
	p.push(".answers [data-do=rematch]")
	r.await("table", "the next game", func(g *wire.Game) bool { return len(g.Moves) == 0 && g.Outcome == "" })
	p.follows()
	p.drags("d2d4")
	p.push("[data-do=resign]")
	p.push("[data-do=other]")
	p.says(".state", "White won: resignation")
	p.push(".answers [data-do=rematch]")
	p.follows()
	p.drags("d2d4")
	if games, _ := r.text("api/boards/table/games"); !strings.Contains(games, `"outcome":""`) ||
		strings.Contains(games, `"outcome":"*"`) {
		t.Errorf("a game that goes on is kept as ended: %s", games)
	}
	p.push("[data-do=abort]")
	p.says(".state", "Ended without a result")
	if games, _ := r.text("api/boards/table/games"); !strings.Contains(games, `"outcome":"*"`) {
		t.Errorf("a game without a result is kept otherwise: %s", games)
	}
	if g := r.await("table", "the end", func(g *wire.Game) bool { return g.Outcome != "" }); !strings.HasPrefix(g.Outcome,
		"*") {
		t.Errorf("outcome %q", g.Outcome)
	}
}

// onOneBroker returns two boards to be, and a broker of their own for them.
func onOneBroker(t *testing.T) *duel {
	t.Helper()
	dir := t.TempDir()
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	return &duel{t: t, dir: dir, url: br.URL()}
}

// TestDisputeOnThePage: if the other board's list of moves contradicts this one's, the page says so in red and
// nothing changes until its player gives way. A board that disconnects and comes back is named. A flag that falls
// there ends the game here.
func TestDisputeOnThePage(t *testing.T) {
	t.Parallel()
	looked(t)
	d := onOneBroker(t)
	r := start(t, "run", "--config", d.config("oslo", "local", "rome", ""))
	r.await("oslo", "the array stands", synced)
	r.command("oslo",
		`{"id":"1","do":"new","seats":{"white":"oslo","black":"rome"},"clock":{"kind":"fischer","initial_ms":60000,"increment_ms":0}}`)
	g := r.await("oslo", "the game with a clock", func(g *wire.Game) bool { return g.Clock != nil })
	s := spectate(t, d.url)
	say := func(leaf, text string) {
		t.Helper()
		if k := s.client.Publish(wire.Topic("rome", leaf), 1, true, text); !k.WaitTimeout(soonEnough) || k.Error() != nil {
			t.Fatal(k.Error())
		}
	}
	rome := func(moves, rest string) {
		t.Helper()
		say(wire.LeafGame,
			fmt.Sprintf(`{"schema":1,"game":%q,"variant":"chess","seats":{"white":"oslo","black":"rome"},"moves":[%s]%s}`,
				g.Game, moves, rest))
	}
	p := r.person("oslo", 1440, 900)
	p.says(".faults", "no game is heard of board rome")
	say(wire.LeafStatus, wire.Online)
	rome("", "")
	p.soon("rome has come", `!document.querySelector("[data-board] .faults").textContent.includes("rome")`)
	p.drags("e2e4")
	rome(`"d2d4","d7d5"`, "")
	p.says(".state", "d2d4")
	p.soon("the line is the one of a conflict", `document.querySelector("[data-board] .now").dataset.kind === "conflict"`)
	if g := r.await("oslo", "a conflict", func(g *wire.Game) bool { return g.Conflict != "" }); !slices.Equal(g.Moves,
		[]string{"e2e4"}) {
		t.Errorf("%v: want the own list as it was", g.Moves)
	}
	p.push(".answers [data-do=settle]")
	r.await("oslo", "the other list is taken",
		func(g *wire.Game) bool { return slices.Equal(g.Moves, []string{"d2d4", "d7d5"}) && g.Conflict == "" })
	p.follows("d2d4", "d7d5")
	p.drags("d2d4", "d7d5", "c2c4")
	rome(`"d2d4","d7d5","c2c4"`, `,"outcome":"1-0","reason":"time","clock":{"white_ms":50000,"black_ms":0,"running":""}`)
	p.says(".state", "White won: time")
}
