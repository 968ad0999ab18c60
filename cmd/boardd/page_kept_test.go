// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// TestAnalysis: a game that was played here is on the page of kept games, and is analysed on request. The page shows
// progress, evaluations and best lines. The files of the game on the page, live and in the export have the evaluations
// as well.
func TestAnalysis(t *testing.T) { // not in parallel: other tests would leave nothing for an engine of low priority
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	made := []string{"f2f3", "e7e5", "g2g4", "d8h4"}
	for _, m := range made {
		r.command("table", fmt.Sprintf(`{"id":"1","do":"move","move":%q}`, m))
	}
	g := r.await("table", "it is mate", func(g *wire.Game) bool { return g.Outcome == "0-1" })
	ctx := browser(t, 1440, 900, r.page+"games")
	soon(t, ctx, "the game is listed", `document.querySelectorAll(".keptcard").length === 1`)
	// a button that is pressed before the game has come does nothing
	evaluate[bool](t, ctx, `(document.querySelector(".keptcard").click(),
		document.querySelector("[data-act=analyse]").click(), document.querySelector(".leaf button").click(), true)`)
	soon(t, ctx, "the game is shown",
		`document.querySelectorAll(".kept .ply").length === 4 && document.querySelector("[data-act=analyse]").offsetWidth > 0`)
	// it may be over before the test looks again, so the page keeps what it showed
	evaluate[bool](t, ctx, `(() => {
		window.furthest = 0;
		const far = document.querySelector(".judgebar progress");
		const look = () => (window.furthest = Math.max(window.furthest, far.value));
		new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
		document.querySelector("[data-act=analyse]").click();
		return true;
	})()`)
	soon(t, ctx, "its progress is told", `window.furthest > 0`)
	soon(t, ctx, "it is analysed",
		`document.querySelector("[data-act=analyse]").hidden && document.querySelector("[data-act=stop]").hidden`)
	evaluate[bool](t, ctx, `(document.querySelector(".kept [data-ply='3']").click(), true)`)
	soon(t, ctx, "the mate is seen",
		`document.querySelector(".worth").textContent.includes("#-1") && document.querySelectorAll(".lines li").length === 3 && document.querySelector(".lines").textContent.includes("Qh4#")`)
	graph := evaluate[string](t, ctx, `document.querySelector(".evalwhite").getAttribute("d")`)
	if strings.Count(graph, "L") != 6 || !strings.HasSuffix(graph, "L600.0 120.0L600 120z") {
		t.Errorf("the graph %q has not five positions, or does not end with Black's mate", graph)
	}
	evaluate[bool](t, ctx, `(document.querySelector(".kept [data-ply='4']").click(), true)`)
	soon(t, ctx, "the last position says how the game ended",
		`document.querySelector(".worth").textContent === "Black won: checkmate"`)
	keep(t, ctx, "analysis-desk.png")
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	if wide := evaluate[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d wide on a phone", wide)
	}
	keep(t, ctx, "analysis-phone.png")
	noErrors(t, ctx)
	// the board takes the analysis over a moment after the page has it
	soon(t, ctx, "the board's own file has it", `(fetch("/api/boards/table/pgn").then((a) => a.text()).then((s) => {
		window.file = s; }), (window.file || "").includes("%eval"))`)
	for _, where := range []string{"games/" + g.Game + "/pgn", "pgn"} {
		evaluated(t, where, get(t, r.page+"api/boards/table/"+where))
	}
	r.stop()
	out, err := program(t.Context(), "export", "--config", conf).Output()
	if err != nil {
		t.Fatal(err)
	}
	evaluated(t, "export", string(out))
}

// evaluated checks that the file of the game contains the mate where readers look for it.
func evaluated(t *testing.T, what, text string) {
	t.Helper()
	list, err := pgn.Read(strings.NewReader(text), rules.Variants()[0])
	if err != nil || len(list) != 1 || len(list[0].Plies) != 4 {
		t.Fatalf("%s: %v in %s", what, err, text)
	}
	if p := list[0].Plies; p[2].Eval.Mate != -1 || !p[0].Eval.Known || p[3].Eval.Known {
		t.Errorf("%s has no evaluations, or wrong ones:\n%s", what, text)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %.200s", url, answer.Status, err, text)
	}
	return string(text)
}

// TestManyKept: when there are many imported games, the page says that it shows the first ones, and a button brings
// the others.
func TestManyKept(t *testing.T) {
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	file := filepath.Join(t.TempDir(), "many.pgn")
	if err := os.WriteFile(file, []byte(strings.Repeat("[White \"A\"]\n\n1. e4 *\n\n", 1003)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t.Context(), "import", "--config", conf, file).CombinedOutput(); err != nil {
		t.Fatalf("import: %v, %s", err, out)
	}
	r := start(t, "run", "--config", conf)
	ctx := browser(t, 1440, 900, r.page+"games")
	const cards = `document.querySelectorAll(".keptcard").length === `
	soon(t, ctx, "the first games are shown, and it is said", cards+
		`1000 && document.querySelector(".keptpart .help").textContent.includes("1000")`)
	const more = `document.querySelector(".keptpart > button:last-child")`
	evaluate[bool](t, ctx, `(`+more+`.scrollIntoView(), true)`)
	keep(t, ctx, "kept-many.png")
	evaluate[bool](t, ctx, `(`+more+`.click(), `+more+`.click(), true)`)
	soon(t, ctx, "all games are shown", cards+`1003 && !document.querySelector(".keptpart .help")`)
	evaluate[bool](t, ctx, `(`+more+`.click(), true)`)
	soon(t, ctx, "the last one is opened", `document.querySelectorAll(".kept .ply").length === 1`)
	noErrors(t, ctx)
}

// TestKeptMoveInSight: who leafs through a kept game sees in the list which move is shown. On a phone the list is one
// row.
func TestKeptMoveInSight(t *testing.T) {
	t.Parallel()
	thorough(t)
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	file := filepath.Join(t.TempDir(), "long.pgn")
	text := ""
	for n := 1; n < 40; n += 2 {
		text += fmt.Sprintf("%d. Nf3 Nf6 %d. Ng1 Ng8 ", n, n+1)
	}
	if err := os.WriteFile(file, []byte("[White \"A\"]\n\n"+text+"*\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t.Context(), "import", "--config", conf, file).CombinedOutput(); err != nil {
		t.Fatalf("import: %v, %s", err, out)
	}
	r := start(t, "run", "--config", conf)
	for _, size := range [][2]int{{1440, 900}, {390, 844}} {
		ctx := browser(t, size[0], size[1], r.page+"games")
		soon(t, ctx, "the game is listed", `document.querySelectorAll(".keptcard").length === 1`)
		evaluate[bool](t, ctx, `(document.querySelector(".keptcard").click(), true)`)
		soon(t, ctx, "the game is shown", `document.querySelectorAll(".kept .ply").length === 80`)
		for _, step := range []struct{ button, ply int }{{3, 80}, {1, 79}, {0, 0}, {2, 1}} {
			if in := evaluate[bool](t, ctx, fmt.Sprintf(`(() => {
				document.querySelectorAll(".leaf button")[%d].click();
				const b = document.querySelector(".kept [data-ply='%d'][aria-current]");
				if (!b) return %[2]d === 0;
				const r = b.getBoundingClientRect(), box = b.closest(".moves").getBoundingClientRect();
				return r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 1 && r.bottom <= box.bottom + 1;
			})()`, step.button, step.ply)); !in {
				t.Errorf("%d wide: half-move %d is not in sight", size[0], step.ply)
			}
		}
	}
}

// TestAnalysisRemote: while a game against another board goes on, nothing is analysed and no analysis is shown.
func TestAnalysisRemote(t *testing.T) {
	t.Parallel()
	r := startDemo(t, "--variant", "chess")
	r.await("north", "the array stands", synced)
	r.command("north", `{"id":"1","do":"move","move":"e2e4"}`)
	g := r.await("north", "e4 is made", moved("e2e4"))
	answer, reply := r.post("north", "games/"+g.Game+"/analysis", `{"on":true}`)
	if answer != http.StatusConflict || !strings.Contains(fmt.Sprint(reply["error"]), "not here") {
		t.Errorf("got %d %v, want that it is refused", answer, reply)
	}
}
