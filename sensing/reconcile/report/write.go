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

// pick adds up the results that a condition picks.
func pick(results []result, ok func(scene) bool) *tally {
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

func all(scene) bool { return true }

// write writes REPORT.md and its plots.
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
	for name, svg := range map[string]string{"margins.svg": marginPlot(results), "latency.svg": latencyPlot(results)} {
		if err := os.WriteFile(filepath.Join(o.dir, name), []byte(svg), 0o644); err != nil {
			return err
		}
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
- *not recognised*: a move made on the page instead, after three seconds
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

func p99(s *spread) string { return formatTime(s.quantile(0.99), s.n) }
func p50(s *spread) string { return formatTime(s.quantile(0.50), s.n) }

func met(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

// goals is the table of the goals.
func goals(b *strings.Builder, results []result) {
	club, rough, every := pick(results, faultlessAt("club")), pick(results, faultlessAt("rough")), pick(results, all)
	one := pick(results, func(s scene) bool { return len(s.faults) == 1 && single(s.faults[0]) })
	b.WriteString("## Goals\n\n| goal | wanted | measured | met |\n|---|---|---|---|\n")
	row := func(what, want, got string, ok bool) {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", what, want, got, met(ok))
	}
	row("wrong moves accepted, all levels and faults", "0", fmt.Sprintf("%d of %d", every.wrong, every.moves),
		every.wrong == 0)
	row("the same at club without faults", "0", fmt.Sprintf("%d of %d", club.wrong, club.moves), club.wrong == 0)
	row("recognised without a question where the sensors can tell, club", "99.95 %", percent(club.clear()),
		club.clear() >= 0.9995)
	row("the same at rough", "99 %", percent(rough.clear()), rough.clear() >= 0.99)
	row("any one square dead, stuck or noisy, club", "99 %", percent(one.clear()), one.clear() >= 0.99)
	time99 := func(what string, s *spread, limit time.Duration) {
		row(what, "p99 "+formatTime(limit, 1), p99(s), s.n == 0 || s.quantile(0.99) <= limit)
	}
	time99("first touch to its square lit, last LED bit: a piece that stands on the board", &club.lit[0], 10*ms)
	time99("the same: a piece that stands on another, seen by weight or height", &club.lit[1], 10*ms)
	time99("last contact to commit, presence decides", &club.commit[byPresence], 20*ms)
	cubes := pick(results, func(s scene) bool { return faultlessAt("club")(s) && !strings.HasPrefix(s.game, "pillar") })
	tiles := pick(results, func(s scene) bool { return faultlessAt("club")(s) && strings.HasPrefix(s.game, "pillar") })
	time99("height decides, cubes of 35 mm", &cubes.commit[byHeight], 45*ms)
	time99("the same, tiles of 6 mm", &tiles.commit[byHeight], 45*ms)
	time99("weight decides", &club.commit[byWeight], 80*ms)
	time99("the move could still go on", &club.commit[goesOn], 300*ms)
	time99("wood wrong to light shown", &club.wrongly, 200*ms)
	fmt.Fprintf(b, "\nFalse alarms at club, the wood called wrong in the middle of a proper move: %d in %d moves.\n",
		club.alarms, club.moves)
	fmt.Fprintf(b, "\nCPU for everything around one move, hands and sensors included: %.2f ms.\n\n",
		every.cpu.Seconds()*1000/float64(max(1, every.moves)))
}

const columns = "| moves | wrong | in the first place | asked | of these without need | lacking the answer | not " +
	"recognised | cannot be | straightened | provisional |\n"

func cells(t *tally) string {
	return fmt.Sprintf("| %d | %d | %s | %d | %d | %d | %d | %d | %d | %d |\n", t.moves, t.wrong, percent(t.clear()),
		t.asked, t.needless, t.misasked, t.stalled, t.said, t.straightened, t.provisional)
}

func perGame(b *strings.Builder, results []result) {
	b.WriteString("## Games and boards at club\n\n| game | board " + columns +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, game := range games {
		for _, board := range boardsOf(game) {
			t := pick(results, func(s scene) bool { return faultlessAt("club")(s) && s.game == game && s.board == board })
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

Virtual time, median and 99th percentile. Presence counts from the last contact of a reed, and weight from when the
hand let the piece go. Height counts from when the hand left the cone. The lights include their line. Moves whose
reply began before they were accepted are not timed.

`)
	b.WriteString("| board | presence | height | weight | could go on | only the way tells | touch to light | the " +
		"same, on a stack | wrong to light |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, board := range []string{"stack", "twin", "reeds"} {
		t := pick(results, func(s scene) bool { return faultlessAt("club")(s) && s.board == board })
		fmt.Fprintf(b, "| %s ", board)
		for _, s := range []*spread{&t.commit[byPresence], &t.commit[byHeight], &t.commit[byWeight], &t.commit[goesOn],
			&t.commit[byWay], &t.lit[0], &t.lit[1], &t.wrongly} {
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
				cells(pick(results, func(s scene) bool { return faultlessAt(level)(s) && s.board == board })))
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
			t := pick(results, func(s scene) bool { return s.board == board && len(s.faults) == 1 && s.faults[0] == f })
			fmt.Fprintf(b, "| %s | %s | %d | %d %s", f, board, t.games, t.given, cells(t))
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
		t := pick(results, func(s scene) bool { return s.board == board && len(s.faults) == 2 })
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
			t := pick(results, func(s scene) bool { return faultlessAt("club")(s) && s.game == game && s.board == board })
			n := float64(max(1, t.moves))
			share := func(k int) string { return percent(float64(k) / n) }
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", game, board, share(t.wrong),
				share(t.asked+t.stalled+t.said),
				share(t.plain[wrongly]), share(t.plain[cannot]), share(t.lifted[wrongly]), share(t.lifted[cannot]))
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

// cannotBe says which goals the sensors do not allow.
const cannotBe = `### What these sensors cannot do

Times named here were measured with the decoder of 0.1.0.

Traces of testdata/traces show each; boardd replay plays them.

- *The light for a piece that is lifted from a stack within 10 ms.* The reed below stays closed. A load cell says so at
  its next frame (12.5 ms) and only once it has moved by more than half a pawn. Of three pieces and more it has to
  settle (50 ms) before it is known how many were lifted. A height sensor sees the hand until it is gone. It would take
  a touch or Hall sensor that looks at the upper pieces. limit-height-decides-locking-twin
- *An exchange of upper pieces on a board without load cells.* It leaves the same picture as the captured piece put
  back while the captor is still held. So it is as far as presence and height go, and hands cover it while it happens:
  "only the way tells" it. When nothing does, the decoder waits, and the move has to be given on the page. Load cells
  would decide it in 80 ms. limit-exchange-under-hands-locking-twin
- *Every move that height decides within 45 ms.* Times by height count from when the hand has left the cone. The
  squares on which the game waits are ranged every 14.3 ms. Those beside them sit out, because their light would spoil
  it. All others are ranged every 31.8 ms (sensing/heights). What is lower than any hand is believed at once. But one
  reading of a pile cannot be told from a hand that hangs at the height of one more piece. Two must agree, which takes
  28 to 43 ms. When pieces go from a pile to the square beside it, both have to be ranged, one after the other. That
  takes 43 to 57 ms and more. Most that takes longer than 50 ms with cubes is such a move. Tiles of 6 mm take three to
  five readings at a spread of 1.3 mm. Nine tiles are as high as a hand, so that they must rest. Sensors that see the
  hand beside the piece (several zones each), that do not dazzle each other, or load cells, would do with one reading.
  limit-height-decides-locking-twin (cubes), limit-height-decides-pillar-liberal-twin (tiles: the knight on c7)
- *Moves that only take pieces away* (a headbutt in Flying Chess) look like the beginning of a capture whose captor is
  still to be lifted. They rest for half a second. It is 0.9 s if what is taken away moved last and may be in the hand
  that moved it. No sensor of wood can tell; the clock ends the wait. limit-piece-taken-away-flying-stack. A flyer may
  be taken away before its own move counts (a quarter of a second where it could fly on). Then it looks like one that
  is still in the hand, and the board waits for it.
- *What lands on a piece of a rank that has lost its height sensors* (mux-gone) is seen by nothing. It may as well lie
  on an empty square of that rank whose reed has never been seen to close, and may be dead. Then it is asked.
  limit-asks-on-a-lost-rank-locking-twin
- *Presence alone for a pile.* A pile that is put down on an empty square closes one reed, be it whole or not. Another
  hand may hold the rest. It is counted first, unless its load cell saw it leave in one go: by weight or by height, and
  so late as these.
- *A reply that looks like the last move made otherwise* (Pillar Chess, equal pieces). When hands or the sensors hide
  which came first, it is asked.
- *Counting at rough.* A height spread of 13 mm does not tell a pile of two cubes from a hand that is low. What lands
  on a piece there must rest for 0.9 s.
- *Swapped wires under pieces, where nothing but reeds senses both squares* (a board of reeds, an upper deck). The same
  holds where the height sensors see the hand over both, because it makes a move beside one of them. A move of the one
  piece is seen as a move of the other. When the rules allow that as well, no sensor contradicts. It is a wrong move,
  and stands until the players say so. Then the wires are named, and the game goes on by itself. boardd calibrate finds
  them beforehand; load cells contradict at once, and height sensors within two seconds where they saw no hand.
  limit-wrong-swapped-reeds-chess-reeds (reeds alone), limit-wrong-swapped-reeds-flying-twin (an upper deck)
- *Where a square at fault is the only witness, on a board of reeds alone.* A piece put on a dead square looks like a
  piece still in the hand. So does a captor put on a stuck one. So the first such move is given on the page, and those
  that follow count after a rest. limit-dead-reed-chess-reeds. A piece that leaves a stuck square looks like a second
  one put on the board. The only move or moves that it could be are asked for. limit-stuck-reed-chess-reeds. A capture
  from a square known to be dead or stuck looks like the captured piece adjusted.
  limit-capture-from-dead-reed-chess-reeds. Of two reeds that one magnet closes, neither says where the piece stands
  when both moves are legal. limit-crosstalk-chess-reeds. A load cell or a height sensor under or over that square
  would tell each.
- *A machine that has no time* (starved-host: again and again nothing is read for 5 to 320 ms). A piece that is lifted
  and another one put in its place in such a moment was seen by nobody. Nothing is guessed: the board waits, or asks,
  until the piece is lifted once more.
- *A board none of whose sensors answers* (bus-gone on the twin board and with reeds only). The board says so, and the
  moves are given on the page ("cannot be").
- *A stacking game without its load cells* (hub-gone): reeds say where something landed, not what. Every move is asked
  for: without that, moves went wrong when another sensor was at fault too.

`
