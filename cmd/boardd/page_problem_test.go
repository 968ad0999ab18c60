// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/search/problems"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// simple reports whether a move is made by lifting one piece and putting it on an empty square.
func simple(p *rules.Position, m rules.Move) bool {
	after := *p
	after.Play(m)
	return !m.IsCapture() && !m.IsCastling() && !m.IsMarked() && m.Promotion() == rules.NoKind &&
		len(p.AppendStack(nil, m.From())) == 1 && len(p.AppendStack(nil, m.To())) == 0 && after.CountMoves() > 0
}

// solvable is the number of an easy mate in two that has a quiet key and another quiet move.
func solvable(t *testing.T, v *rules.Variant) (number int, start rules.Position, key, wrong string) {
	t.Helper()
	list, err := problems.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	for i, problem := range list {
		p, err := v.ParseFEN(problem.FEN)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.ParseMove(problem.Key)
		if err != nil {
			t.Fatal(err)
		}
		if problem.In != 2 || !simple(&p, m) {
			continue
		}
		for _, other := range p.AppendMoves(nil) {
			if other != m && other.From() != m.From() && simple(&p, other) {
				return i + 1, p, problem.Key, p.Coord(other)
			}
		}
	}
	t.Fatal("no such problem")
	return 0, rules.Position{}, "", ""
}

// TestProblem: a problem is set up by the lights and solved by hand. A wrong try is refuted by light and put back, the
// key is answered, and the mate counts. The next problem is given up on the page, which shows the key. Then the table
// is as before.
func TestProblem(t *testing.T) {
	t.Parallel()
	looked(t)
	games := []string{"locking"}
	if *whole {
		games = nil
		for _, v := range rules.Variants() {
			games = append(games, v.ID())
		}
	}
	for _, id := range games {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			solve(t, id)
		})
	}
}

func solve(t *testing.T, id string) {
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	number, start, key, wrong := solvable(t, v)
	r := startGame(t, id)
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
	r.command("table", fmt.Sprintf(`{"id":"1","do":"new","variant":%q,"options":{"problem":"%d"}}`, id, number))
	g := r.await("table", "the problem is lit", func(g *wire.Game) bool {
		return g.Problem != nil && g.Wood.State == wire.Setup && len(g.Wood.Squares) > 0
	})
	side := map[rules.Color]string{rules.White: "White", rules.Black: "Black"}[start.Turn()]
	soon(t, ctx, "the page says what it will be while it is set up", fmt.Sprintf(
		`document.querySelector(".state").textContent.startsWith("Mate in 2: %s to move. Set up")`, side))
	keep(t, ctx, "set-up-"+id+".png")
	r.copied(&g)
	if g.FEN != start.FEN() || g.Problem.Number != number || g.Problem.State != "find" || g.Problem.Key != nil {
		t.Fatalf("got %+v of %s", g.Problem, g.FEN)
	}
	soon(t, ctx, "the page asks for the key", `document.querySelector(".state").textContent.includes("Mate in 2")`)
	keep(t, ctx, "problem-"+id+".png")

	r.move("table", wrong[:2], wrong[2:4], 1)
	g = r.await("table", "the try is refuted", func(g *wire.Game) bool { return g.Problem.State == "refuted" })
	if g.Problem.Tries != 1 || g.Problem.Refute == nil || !slices.Contains(g.Legal, g.Problem.Refute.Move) ||
		len(g.Moves) != 1 {
		t.Fatalf("refuted by %+v after %v", g.Problem, g.Moves)
	}
	from := square(t, g.Problem.Refute.Move[:2])
	r.listen("table", "leds", func(data []byte) bool {
		var l struct{ Lower, Upper []string }
		return json.Unmarshal(data, &l) == nil && l.Lower[from] != "#000000"
	}, func() string { return "the piece that refutes it is lit" })
	soon(t, ctx, "the page says so",
		`document.querySelector(".state").textContent.includes("refutes") && document.querySelector(".now [data-do=takeback]") !== null`)
	keep(t, ctx, "refuted-"+id+".png")
	r.move("table", wrong[2:4], wrong[:2], 1)
	g = r.await("table", "the try is taken back",
		func(g *wire.Game) bool { return g.Problem.State == "find" && synced(g) && len(g.Moves) == 0 })

	r.move("table", key[:2], key[2:4], 1)
	g = r.await("table", "the key is answered", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	r.copied(&g)
	p, err := v.ParseFEN(g.FEN)
	if err != nil {
		t.Fatal(err)
	}
	r.command("table", fmt.Sprintf(`{"id":"2","do":"move","move":%q}`, mating(t, &p)))
	g = r.await("table", "it is solved", func(g *wire.Game) bool {
		return g.Problem != nil && g.Problem.State == "solved" && g.Problem.Solved == 1
	})
	if g.Problem.Key == nil || g.Problem.Key.Move != key || g.Problem.Shown != 1 {
		t.Errorf("solved as %+v, want the key %s", g.Problem, key)
	}
	r.copied(&g)
	// by the button, or by itself after a while
	soon(t, ctx, "the page offers the next one, or goes on",
		fmt.Sprintf(`(() => { const next = document.querySelector(".now[data-kind=over] [data-do=new].filled"); next?.click(); return next !== null || !document.querySelector(".said").textContent.includes("problem %d of"); })()`, number))
	g = r.await("table", "the next one is lit",
		func(g *wire.Game) bool { return g.Problem != nil && g.Problem.Number != number })
	r.copied(&g)
	soon(t, ctx, "it can be given up", `document.querySelector(".now [data-do=resign]") !== null`)
	evaluate[bool](t, ctx, `(document.querySelector(".now [data-do=resign]").click(), true)`)
	g = r.await("table", "it is given up", func(g *wire.Game) bool {
		return g.Problem != nil && g.Problem.State == "given-up" && g.Problem.Shown == 2
	})
	if g.Problem.Solved != 1 || g.Problem.Key == nil {
		t.Errorf("given up as %+v", g.Problem)
	}
	soon(t, ctx, "the page shows the key", `document.querySelector(".state").textContent.includes("The key was")`)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	keep(t, ctx, "given-up-"+id+".png")
	noErrors(t, ctx)
	r.command("table", `{"id":"3","do":"new"}`)
	g = r.await("table", "the problems are over", func(g *wire.Game) bool { return g.Problem == nil })
	if g.Seats.White != "local" || g.Seats.Black != "local" || g.Options["problem"] != "" {
		t.Errorf("afterwards %+v %v, want two people and no problem", g.Seats, g.Options)
	}
}

// mating is a move that mates.
func mating(t *testing.T, p *rules.Position) string {
	t.Helper()
	for _, m := range p.AppendMoves(nil) {
		q := *p
		q.Play(m)
		if q.CountMoves() == 0 && q.InCheck() {
			return p.Coord(m)
		}
	}
	t.Fatalf("no move mates in %s", p.FEN())
	return ""
}

func square(t *testing.T, name string) rules.Square {
	t.Helper()
	for s := range rules.Square(64) {
		if s.String() == name {
			return s
		}
	}
	t.Fatalf("%q is no square", name)
	return 0
}

func startGame(t *testing.T, id string) *running {
	t.Helper()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), id, "stack", ""))
	r.await("table", "the array stands", synced)
	return r
}

// TestProblemOfTheDemo: somebody who chooses problems at one board of the demo is asked no longer who plays. The other
// board has nothing to do with the problem, and says nothing of it.
func TestProblemOfTheDemo(t *testing.T) {
	t.Parallel()
	thorough(t)
	r := startDemo(t, "--variant", "locking")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the first line invites", `document.querySelectorAll(".main .guest").length === 4`)
	was := r.await("south", "the array stands", synced)
	evaluate[bool](t, ctx, `(document.querySelector(".main [data-act=problems]").click(), true)`)
	soon(t, ctx, "it asks which", `document.querySelector("dialog [data-do=yes]") !== null`)
	evaluate[bool](t, ctx, `(document.querySelector("dialog [data-do=yes]").click(), true)`)
	set := r.await("north", "a problem is set", func(g *wire.Game) bool { return g.Problem != nil })
	r.mend("north", &set)
	soon(t, ctx, "the problem alone is asked", `document.querySelector(".main .state").textContent.startsWith("Mate in") &&
		[...document.querySelectorAll(".main .answers button")].map(b => b.textContent).join() .replace(/[0-9]+/, "n") === "Show the key,Next problem,n / 300,Stop"`)
	r.command("north", `{"id":"1","do":"resign"}`)
	r.await("north", "the key is shown", func(g *wire.Game) bool { return g.Outcome != "" })
	if g := r.await("south", "it goes on", synced); g.Game != was.Game || g.Conflict != "" {
		t.Errorf("the other board plays %s, before %s, and says %q", g.Game, was.Game, g.Conflict)
	}
}

// TestProblemChosen: on the page people choose mates in two or three, or a problem by its number, and skip one. What
// follows is of the same kind. The page says the number, and what is no number is refused in words.
func TestProblemChosen(t *testing.T) {
	t.Parallel()
	looked(t)
	r := startGame(t, "chess")
	ctx := browser(t, 1440, 900, r.page)
	soon(t, ctx, "the board is drawn", `document.querySelectorAll(".deck .cube").length === 32`)
	press := func(button string) {
		t.Helper()
		soon(t, ctx, button+" can be pressed", fmt.Sprintf(`document.querySelector(%q) !== null`, button))
		evaluate[bool](t, ctx, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, button))
	}
	choose := func(button, field, value string) {
		t.Helper()
		press(button)
		soon(t, ctx, "it asks which", `document.querySelector("dialog select") !== null`)
		evaluate[bool](t, ctx, fmt.Sprintf(`(document.querySelector("dialog %s").value = %q, true)`, field, value))
	}
	shown := func(g *wire.Game) {
		t.Helper()
		soon(t, ctx, "the page says its number", fmt.Sprintf(
			`document.querySelector(".main .said").textContent.includes("problem %d of 300")`, g.Problem.Number))
	}
	choose(".main [data-act=problems]", "select", "mate-in-3")
	keep(t, ctx, "choose-problem.png")
	press("dialog [data-do=yes]")
	g := r.await("table", "a mate in three is set",
		func(g *wire.Game) bool { return g.Problem != nil && g.Problem.In == 3 && g.Problem.Only == 3 })
	shown(&g)
	r.copied(&g)
	first := g.Problem.Number
	soon(t, ctx, "it stands, and can be skipped", `document.querySelectorAll(".main .answers [data-do=new]").length === 2`)
	press(".main .answers [data-do=new]")
	g = r.await("table", "it is skipped for another one", func(g *wire.Game) bool {
		return g.Problem != nil && g.Problem.Number != first && g.Problem.In == 3 && g.Problem.Shown == 0
	})
	shown(&g)
	choose(".main .answers [data-act=choose]", "input", "301")
	evaluate[bool](t, ctx, `(document.querySelector("dialog form").noValidate = true)`)
	press("dialog [data-do=yes]")
	soon(t, ctx, "there is no such problem", `document.querySelector("dialog .warn").textContent.includes("1 to 300")`)
	if kind := evaluate[string](t, ctx, `document.querySelector("dialog select").value`); kind != "mate-in-3" {
		t.Errorf("what comes is said to be %s, want mates in three", kind)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	keep(t, ctx, "choose-problem-390.png")
	evaluate[bool](t, ctx, `(document.querySelector("dialog input").value = "17", true)`)
	press("dialog [data-do=yes]")
	g = r.await("table", "number 17 is set",
		func(g *wire.Game) bool { return g.Problem != nil && g.Problem.Number == 17 })
	shown(&g)
	soon(t, ctx, "the window is closed", `document.querySelector("dialog") === null`)
	r.copied(&g)
	soon(t, ctx, "the page asks for the key", `document.querySelector(".main .state").textContent.includes("Find the")`)
	keep(t, ctx, "problem-buttons-390.png")
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900)); err != nil {
		t.Fatal(err)
	}
	keep(t, ctx, "problem-buttons.png")
	noErrors(t, ctx)
}

// TestProblemTable: a table that always shows problems begins with one, and the wall shows it with the score.
func TestProblemTable(t *testing.T) {
	t.Parallel()
	conf := writeConfig(t, t.TempDir(), "meirav", "twin", "")
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(conf, []byte(strings.Replace(string(text), "game:\n", "game:\n  problems: true\n", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", filepath.Clean(conf))
	g := r.await("table", "a problem is lit", func(g *wire.Game) bool { return g.Problem != nil })
	ctx := browser(t, 1440, 900, r.page+"wall")
	soon(t, ctx, "the wall shows it",
		fmt.Sprintf(`document.querySelector(".table .words")?.textContent.includes("Mate in %d ·") && !document.querySelector(".table .words").textContent.includes("solved")`,
			g.Problem.In))
	keep(t, ctx, "problem-wall.png")
	for _, bad := range []string{"0", "301", "first", ""} {
		if _, reply := r.post("table", "command", fmt.Sprintf(`{"id":"1","do":"new","options":{"problem":%q}}`,
			bad)); reply["ok"] == true || !strings.Contains(fmt.Sprint(reply["error"]), "mate-in-3 or a number from 1 to") {
			t.Errorf("problem %q: %v", bad, reply)
		}
	}
	if _, reply := r.post("table", "command", `{"id":"1","do":"hint"}`); reply["ok"] == true {
		t.Errorf("a hint for a problem: %v", reply)
	}
}
