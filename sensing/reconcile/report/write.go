// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// sumWhere adds up the results that a condition picks.
func sumWhere(results []result, ok func(scene) bool) *tally {
	sum := &tally{}
	for _, r := range results {
		if ok(r.scene) {
			sum.add(r.tally)
		}
	}
	return sum
}

// faultlessAt reports whether a scene has no fault, at a level.
func faultlessAt(level string) func(scene) bool {
	return func(s scene) bool { return s.level == level && len(s.faults) == 0 }
}

// clubGame reports whether a scene is of a game on a board, at club without faults.
func clubGame(game, board string) func(scene) bool {
	return func(s scene) bool { return faultlessAt("club")(s) && s.game == game && s.board == board }
}

func anyScene(scene) bool { return true }

// write writes REPORT.md, the figures that are drawn, and their pictures.
func (o *options) write(results []result) error {
	var b strings.Builder
	o.head(&b)
	goals(&b, results)
	perGame(&b, results)
	latencies(&b, results)
	levels(&b, results)
	faults(&b, results)
	pairs(&b, results)
	others(&b, results)
	b.WriteString(`## Margins

![margins](margins.svg)

This shows by how many nats the accepted move was likelier than its runner-up, on all boards at club without faults.
Both scales are logarithmic on the upright axis. The rightmost column holds all above.

`)
	failures(&b, results)
	if err := o.keep(results); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, "REPORT.md"), []byte(b.String()), 0o644)
}

func (o *options) head(b *strings.Builder) {
	fmt.Fprintf(b, `# Recognition, measured

Made by %s, %s %s/%s. Everything but CPU time depends on the seed alone.

Virtual hands play seeded games. One world of wood, magnets, load cells and light (hardware/virtual/physics) is sampled
as the drivers sweep it. The decoder sees nothing but readings, and each move is compared with what hands really made.
Half of the games are random, half biased towards captures, promotions and stacking. There are three levels. Clean has
little noise. The figures of club stand with their sources in physics/level.go and hands/style.go. Rough is ten
times worse than club. Any game can be played again alone:

    go run ./sensing/reconcile/report -seed %d -only chess/stack/club/none -game 17 [-trace FILE]

The words of the tables:

- *wrong*: a move that stands in the game and was not made, once hands were done and had waited
- *asked without need*: a question that the sensors of that board could have answered, had all of them been good
- *not recognised*: a move made on the page instead, after three seconds. While a hand leans on the rim, it is still at
  work
- *cannot be*: the same after the board had said that no sensor of its lower deck answers
- *straightened*: a piece that closed no reed until it was pushed to the middle
- *in the first place*: the share of moves recognised without a needless question, without being wrong, and at all
- *provisional*: a move accepted while hands were still at work, which corrected itself

Games that the daemon refuses to begin on a board (Geometry.CanFollow) are not played. At rough, height sensors have a
spread of 13 mm and cannot count tiles of 6 mm. So there is no Pillar Chess on the twin board.

`, "`make recognition-report`", runtime.Version(), runtime.GOOS, runtime.GOARCH, o.seed)
}

func percent(x float64) string { return fmt.Sprintf("%.3f %%", 100*x) }

func formatTime(d time.Duration, n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func p99(s *spread) string { return formatTime(s.quantile(0.99), s.count) }
func p50(s *spread) string { return formatTime(s.quantile(0.50), s.count) }

func yesOrNo(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

// goals is the table of the goals.
func goals(b *strings.Builder, results []result) {
	club, rough := sumWhere(results, faultlessAt("club")), sumWhere(results, faultlessAt("rough"))
	every := sumWhere(results, anyScene)
	one := sumWhere(results, func(s scene) bool { return len(s.faults) == 1 && onOneSquare(s.faults[0]) })
	b.WriteString("## Goals\n\n| goal | wanted | measured | met |\n|---|---|---|---|\n")
	row := func(what, want, got string, ok bool) {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", what, want, got, yesOrNo(ok))
	}
	row("wrong moves accepted, all levels and faults", "0", fmt.Sprintf("%d of %d", every.wrong, every.moves),
		every.wrong == 0)
	row("the same at club without faults", "0", fmt.Sprintf("%d of %d", club.wrong, club.moves), club.wrong == 0)
	row("recognised without a question where the sensors can tell, club", "99.95 %", percent(club.clear()),
		club.clear() >= 0.9995)
	own := sumWhere(results, func(s scene) bool { return faultlessAt("club")(s) && s.board != "scale" })
	row("the same, boards without a scale", "99.95 %", percent(own.clear()), own.clear() >= 0.9995)
	row("the same at rough, with the scale", "99 %", percent(rough.clear()), rough.clear() >= 0.99)
	row("any one square dead, stuck or noisy, club", "99 %", percent(one.clear()), one.clear() >= 0.99)
	time99 := func(what string, s *spread, limit time.Duration) {
		row(what, "p99 "+formatTime(limit, 1), p99(s), s.count == 0 || s.quantile(0.99) <= limit)
	}
	time99("first touch to its square lit, last LED bit: a piece that stands on the board", &club.lit[0], 10*ms)
	time99("the same: a piece that stands on another, seen by weight or height", &club.lit[1], 10*ms)
	time99("last contact to commit, presence decides", &club.commits[byPresence], 20*ms)
	pillar := func(s scene) bool { return strings.HasPrefix(s.game, "pillar") }
	cubes := sumWhere(results, func(s scene) bool { return faultlessAt("club")(s) && !pillar(s) })
	tiles := sumWhere(results, func(s scene) bool { return faultlessAt("club")(s) && pillar(s) })
	time99("height decides, cubes of 35 mm", &cubes.commits[byHeight], 45*ms)
	time99("the same, tiles of 6 mm", &tiles.commits[byHeight], 45*ms)
	time99("weight decides", &club.commits[byWeight], 80*ms)
	time99("the move could still go on", &club.commits[goesOn], 300*ms)
	time99("wood wrong to light shown", &club.wrongShown, 200*ms)
	fmt.Fprintf(b, "\nFalse alarms at club, the wood called wrong in the middle of a proper move: %d in %d moves.\n",
		club.alarms, club.moves)
	fmt.Fprintf(b, "\nCPU for everything around one move, hands and sensors included: %.2f ms.\n\n",
		every.cpu.Seconds()*1000/float64(max(1, every.moves)))
}

const columns = "| moves | wrong | in the first place | asked | of these without need | lacking the answer | not " +
	"recognised | cannot be | straightened | provisional |\n"

func cells(t *tally) string {
	return fmt.Sprintf("| %d | %d | %s | %d | %d | %d | %d | %d | %d | %d |\n", t.moves, t.wrong, percent(t.clear()),
		t.asked, t.needless, t.misasked, t.stalled, t.blind, t.straightened, t.provisional)
}

func perGame(b *strings.Builder, results []result) {
	b.WriteString("## Games and boards at club\n\n| game | board " + columns +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, game := range games {
		for _, board := range boardsOf(game) {
			t := sumWhere(results, clubGame(game, board))
			fmt.Fprintf(b, "| %s | %s %s", game, board, cells(t))
		}
	}
	b.WriteString(`
Questions that had to be asked are promotions and exchanged pieces of equal height on boards without weights. So are
captures that reeds alone cannot tell apart when both captured pieces were touched. Load cells on the twin board would
answer all of them.

`)
}

func latencies(b *strings.Builder, results []result) {
	b.WriteString(`## Latencies at club

Virtual time, median and 99th percentile. Presence and weight count from the last contact of a reed. Where there are
load cells, they count from when the hand let the piece go, if that was later. Height counts from when the hand left
the cone. The lights include their line. Moves whose
reply began before they were accepted are not timed.

`)
	b.WriteString("| board | presence | height | weight | could go on | only the way tells | touch to light | the " +
		"same, on a stack | wrong to light |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, board := range []string{"stack", "twin", "reeds"} {
		t := sumWhere(results, func(s scene) bool { return faultlessAt("club")(s) && s.board == board })
		fmt.Fprintf(b, "| %s ", board)
		for _, s := range []*spread{&t.commits[byPresence], &t.commits[byHeight], &t.commits[byWeight], &t.commits[goesOn],
			&t.commits[bySequence], &t.lit[0], &t.lit[1], &t.wrongShown} {
			fmt.Fprintf(b, "| %s / %s ", p50(s), p99(s))
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n![latencies](latency.svg)\n\n")
	b.WriteString(cannotBe)
}

func levels(b *strings.Builder, results []result) {
	b.WriteString("## Levels\n\n| level | board " + columns + "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, level := range []string{"clean", "club", "rough"} {
		for _, board := range []string{"stack", "twin", "reeds"} {
			fmt.Fprintf(b, "| %s | %s %s", level, board,
				cells(sumWhere(results, func(s scene) bool { return faultlessAt(level)(s) && s.board == board })))
		}
	}
	b.WriteString("\n")
}

func faults(b *strings.Builder, results []result) {
	b.WriteString("## One fault at club\n\n" +
		"The faulty square is drawn for each game. The fault is there from the beginning and never cured. A game in\n" +
		"which three moves in a row are not recognised is given up.\n\n" +
		"| fault | board | games | given up " + columns + "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, board := range []string{"stack", "twin", "reeds"} {
		for _, f := range faultNames(board) {
			t := sumWhere(results, func(s scene) bool { return s.board == board && len(s.faults) == 1 && s.faults[0] == f })
			fmt.Fprintf(b, "| %s | %s | %d | %d %s", f, board, t.games, t.givenUp, cells(t))
		}
	}
	b.WriteString("\n")
}

func pairs(b *strings.Builder, results []result) {
	b.WriteString("## Two faults at club\n\nEvery pair of different faults, Locking Chess. Only wrong moves and the " +
		"share recognised.\n\n| board | pairs | moves | wrong | in the first place | pairs below 99 % |\n" +
		"|---|--:|--:|--:|--:|---|\n")
	for _, board := range []string{"stack", "twin"} {
		var low []string
		n := 0
		for _, r := range results {
			if r.scene.board == board && len(r.scene.faults) == 2 {
				if n++; r.tally.clear() < 0.99 {
					low = append(low, fmt.Sprintf("%s (%.1f %%)", strings.Join(r.scene.faults, " + "), 100*r.tally.clear()))
				}
			}
		}
		t := sumWhere(results, func(s scene) bool { return s.board == board && len(s.faults) == 2 })
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s | %s |\n", board, n, t.moves, t.wrong, percent(t.clear()),
			strings.Join(low, ", "))
	}
	b.WriteString("\n")
}

// others writes the comparison with what boards do today.
func others(b *strings.Builder, results []result) {
	b.WriteString(`## What the decoder gains

The same readings at club, by plain matching: the occupation of the squares rests for 300 ms and is that of one legal
move. With a tie-break: of several such moves, the one to the square that was emptied last. "Cannot tell" is several
moves that fit, or none.

`)
	b.WriteString("| game | board | decoder wrong | cannot tell or asked | plain wrong | cannot tell | tie-break wrong " +
		"| cannot tell |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, game := range games {
		for _, board := range boardsOf(game) {
			t := sumWhere(results, clubGame(game, board))
			n := float64(max(1, t.moves))
			share := func(k int) string { return percent(float64(k) / n) }
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", game, board, share(t.wrong),
				share(t.asked+t.stalled+t.blind),
				share(t.plain[verdictWrong]), share(t.plain[verdictUnknown]),
				share(t.lifted[verdictWrong]), share(t.lifted[verdictUnknown]))
		}
	}
	b.WriteString("\n")
}

// failures lists what went wrong, with the command that shows it.
func failures(b *strings.Builder, results []result) {
	b.WriteString("## What went wrong\n\nThe first few of each scene; the command plays that game alone and tells what " +
		"happens.\n\n")
	for _, wanted := range []string{"accepted a move", "changed by itself", "ended by kings", "lacks the move",
		"without need", "not recognised"} {
		n := 0
		for _, r := range results {
			for _, f := range slices.Concat(r.tally.wrongs, r.tally.failures) {
				if strings.Contains(f, wanted) {
					if n++; n <= 15 {
						b.WriteString("    " + f + "\n")
					}
				}
			}
		}
		if n > 15 {
			fmt.Fprintf(b, "    ... %q: %d kept of all\n", wanted, n)
		}
	}
}
