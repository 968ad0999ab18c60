// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"
	"time"

	"boardd/sync/wire"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// slow keeps the answers to this page's commands back until answers is called.
func (p *person) slow() {
	p.t.Helper()
	evaluate[bool](p.t, p.ctx, `(() => {
		const quick = window.fetch;
		window.kept = [];
		window.commands = 0;
		window.fetch = async (url, ...rest) => {
			const command = String(url).endsWith("/command");
			if (command) window.commands++;
			const r = await quick(url, ...rest);
			if (command) await new Promise((go) => kept.push(go));
			return r;
		};
		return true;
	})()`)
}

// answers lets one answer to a command through, the first or the last that came, and waits until the page has taken
// it in.
func (p *person) answers(first bool) {
	p.t.Helper()
	next := "kept.pop()"
	if first {
		next = "kept.shift()"
	}
	p.soon("an answer has come", `kept.length > 0`)
	evaluate[bool](p.t, p.ctx, fmt.Sprintf(`(() => {
		window.taken = false;
		%s();
		setTimeout(() => requestAnimationFrame(() => setTimeout(() => (window.taken = true))));
		return true;
	})()`, next))
	p.soon("the answer is taken in", `window.taken`)
}

func (p *person) tip() string {
	p.t.Helper()
	return evaluate[string](p.t, p.ctx, `document.querySelector("[data-board] .tip").textContent`)
}

// TestLateAnswersEraseNothing: when the answer to a command comes late, it erases nothing that was said meanwhile. A
// second press of the same button sends nothing. An error is said until the game goes on.
func TestLateAnswersEraseNothing(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "chess")
	r.await("south", "the array stands", synced)
	north, south := r.person("north", 1440, 900), r.person("south", 1440, 900)
	north.drags("e2e4")
	south.follows("e2e4")
	south.drags("e2e4", "e7e5")
	north.follows("e2e4", "e7e5")
	north.slow()

	// The other side has declined before the own answer is there.
	north.push("[data-do=new]")
	north.push("[data-do=yes]")
	south.asked("new")
	south.push("[data-do=decline]")
	north.says(".tip", "declines")
	if n := evaluate[int](t, north.ctx, "commands"); n != 1 {
		t.Errorf("a button pressed twice sent %d commands, want 1", n)
	}

	// So it may be asked again.
	evaluate[bool](t, north.ctx, `(() => { document.querySelector("dialog[open]").close(); return true; })()`)
	north.push("[data-do=new]")
	north.push("[data-do=yes]")
	south.asked("new")
	south.push("[data-do=decline]")
	north.says(".tip", "declines")
	north.answers(true)
	north.answers(true)
	north.says(".tip", "declines")
	north.soon("the window has closed", `!document.querySelector("dialog[open]")`)

	// Lifting a piece erases nothing that others have said either.
	north.push("[data-do=offer-draw]")
	south.asked("draw")
	south.push("[data-do=decline-draw]")
	north.says(".tip", "declines the draw")
	north.answers(true)
	for _, state := range []string{"moving", "synced"} { // taps: it is lifted, and put back
		at := grip(t, north.ctx, "north", "lower", "g1", -1)
		if err := chromedp.Do(north.ctx, chromedp.MouseClickXY(at.X, at.Y)); err != nil {
			t.Fatal(err)
		}
		r.await("north", "the knight is touched", func(g *wire.Game) bool { return g.Wood.State == state })
	}
	if tip := north.tip(); tip != "Black declines the draw." {
		t.Errorf("after the knight was touched the page says %q, want what the other side answered", tip)
	}

	// A second offer is refused. A later command whose answer comes earlier leaves that to be said. An answer to an
	// earlier one does not take away what was said of a later one.
	again := func(word string) {
		evaluate[bool](t, north.ctx, fmt.Sprintf(
			`(() => { document.querySelector("[data-board] .tools [data-do=%s]").click(); return true; })()`, word))
	}
	north.soon("the buttons rest no more", `!document.querySelector("[data-board] .tools [data-do=offer-draw]").disabled`)
	again("hint") // another board is asked, so it is accepted
	south.asked("hint")
	again("offer-draw")
	north.soon("both answers are on the way", "kept.length === 2")
	north.answers(false)
	refusal := north.tip()
	if refusal == "" || refusal == "Black declines the draw." {
		t.Errorf("a refused offer says %q", refusal)
	}
	north.answers(true)
	if tip := north.tip(); tip != refusal {
		t.Errorf("after a late answer to an earlier command the page says %q, want %q as before", tip, refusal)
	}
	south.push("[data-do=decline]")
	r.move("north", "g1", "f3", 1)
	r.await("north", "the game goes on", func(g *wire.Game) bool { return len(g.Moves) == 3 })
	north.soon("the refusal is no longer said", fmt.Sprintf(
		`!document.querySelector("[data-board] .tip").textContent.includes(%q)`, refusal))

	// Who has refused what is no longer told beside the result.
	evaluate[bool](t, north.ctx, `(() => { const later = window.setTimeout; // what is said for a while stays
		window.setTimeout = (act, ms, ...rest) => ms === 12000 ? 0 : later(act, ms, ...rest); return true; })()`)
	r.command("north", `{"id":"1","do":"takeback"}`)
	south.asked("takeback")
	south.push("[data-do=decline-takeback]")
	north.says(".tip", "declines to take back")
	r.command("south", `{"id":"1","do":"resign"}`)
	north.says(".state", "White won")
	north.soon("the refusal is forgotten", `!document.querySelector("[data-board] .tip").textContent`)
}

// touch is a short touch of a finger at a time.
func (p *person) touch(at point, when time.Time) {
	p.t.Helper()
	draw(p.ctx)
	stamp := input.TimeSinceEpoch(float64(when.UnixMilli()) / 1000)
	for _, e := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}},
			Timestamp: stamp},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}, Timestamp: stamp}} {
		if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, e); err != nil {
			p.t.Fatal(err)
		}
	}
}

// pressed is how many commands the page has sent since the last call. It waits until each is answered: before that,
// the page takes the same command for a second press.
func (p *person) pressed() int {
	p.t.Helper()
	p.soon("every command is answered", "!window.unanswered")
	return evaluate[int](p.t, p.ctx, `(() => {
		const n = window.presses || 0;
		if (window.presses === undefined) {
			const send = window.fetch;
			window.unanswered = 0;
			window.fetch = (url, ...rest) => {
				const answer = send(url, ...rest);
				if (String(url).endsWith("/command")) {
					window.presses++;
					window.unanswered++;
					answer.then((r) => r.clone().text()).finally(() => setTimeout(() => window.unanswered--));
				}
				return answer;
			};
		}
		window.presses = 0;
		return n;
	})()`)
}

// TestDoubleClick: the second click of a double click does nothing, nor does the second of two quick touches. That
// holds even if the page was redrawn between them and another button stands there. A press that is meant is carried
// out.
func TestDoubleClick(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.command("north", `{"id":"1","do":"new","variant":"chess","seats":{"white":"local","black":"local"}}`)
	for _, m := range []string{"e2e4", "e7e5", "g1f3", "b8c6"} {
		r.command("north", `{"id":"2","do":"move","move":"`+m+`"}`)
	}
	p := r.person("north", 1440, 900)
	plies := func(n int, gone string) {
		t.Helper()
		r.await("north", fmt.Sprintf("%d moves are left", n), func(g *wire.Game) bool { return len(g.Moves) == n })
		p.soon("the page has it", fmt.Sprintf(`!document.querySelector("[data-board=north] .moves").textContent.includes(%q)`,
			gone))
	}
	p.says(".moves", "Nc6")
	p.pressed()
	at := p.at("[data-do=takeback]")
	for i := range 2 { // the page has been redrawn between the two
		p.click(at, i+1)
		plies(3, "Nc6")
	}
	if n := p.pressed(); n != 1 {
		t.Errorf("a double click sent %d commands, want 1", n)
	}
	p.click(at, 1)
	plies(2, "Nf3")
	if n := p.pressed(); n != 1 {
		t.Errorf("a press after it sent %d commands, want 1", n)
	}

	// A menu that a double click has opened stays open.
	menu := ".tools > details.more"
	p.at(".tools [data-do=takeback]")
	sum := evaluate[point](t, p.ctx, `(() => { const d = document.querySelector("[data-board] `+menu+`");
		d.open = false;
		const r = d.firstChild.getBoundingClientRect();
		return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()`)
	for i, open := range []bool{true, true, false} {
		p.click(sum, []int{1, 2, 1}[i])
		p.soon("the menu", fmt.Sprintf(`document.querySelector("[data-board] %s").open === %v`, menu, open))
	}

	// The window of a new game opens under the second click: that chooses no game.
	p.click(p.at(".more [data-do=new]"), 1)
	p.soon("the window is open", `document.querySelector("dialog[open] .gamecard") !== null`)
	p.click(p.at(".gamecard[data-game=meirav]"), 2)
	if got := evaluate[string](t, p.ctx, `document.querySelector("dialog[open] .gamecard[aria-pressed=true]").dataset.game`); got != "chess" {
		t.Errorf("a double click on New game has chosen %s", got)
	}
	p.click(p.at(".gamecard[data-game=meirav]"), 1)
	p.soon("a click that is meant chooses", `document.querySelector(".gamecard[data-game=meirav]").ariaPressed === "true"`)
	evaluate[bool](t, p.ctx, `(() => { document.querySelector("dialog[open]").close(); return true; })()`)

	// A finger says the time of each touch: the second one is meant only if it comes later.
	p.says(".moves", "e5")
	first := time.Now().Add(time.Second)     // after the click
	for i, end := range []float64{-20, 20} { // of one button
		p.touch(point{at.X + end, at.Y}, first.Add(time.Duration(i)*200*time.Millisecond))
		plies(1, "e5")
	}
	if n := p.pressed(); n != 1 {
		t.Errorf("two quick touches sent %d commands, want 1", n)
	}

	// The answer ends the game, and the button for the next one comes.
	r.command("north", `{"id":"3","do":"offer-draw","by":"white"}`)
	p.asked("draw")
	at = p.at("[data-do=accept-draw]")
	p.click(at, 1)
	p.soon("the next game is offered", `document.querySelector("[data-board=north] .now [data-do=rematch]")?.checkVisibility()`)
	p.click(p.at(".now [data-do=rematch]"), 2)
	if n := p.pressed(); n != 1 {
		t.Errorf("a double click on the answer sent %d commands, want 1", n)
	}
	p.click(p.at(".now [data-do=rematch]"), 1)
	plies(0, "e4")
}
