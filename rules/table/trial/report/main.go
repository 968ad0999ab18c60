// SPDX-License-Identifier: Apache-2.0

// Command report plays games in the second world and prints what the table made of them.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/table/solo"
	"boardd/rules/table/trial"
	"boardd/rules/table/trial/hands"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

func main() {
	if err := report(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// options are what was asked for on the command line.
type options struct {
	seed   uint64
	moves  int
	only   string
	game   int
	traces string
	show   bool
}

func report() error {
	var o options
	flag.Uint64Var(&o.seed, "seed", 0, "what everything is drawn from; 0: drawn now")
	flag.IntVar(&o.moves, "moves", 1000, "moves of each row")
	flag.StringVar(&o.only, "only", "*", "GAME/BOARD/HABIT/FACTOR, * for any: chess/stack/all, */twin/push/2; habits: all, none and those of hands.Habits")
	flag.IntVar(&o.game, "game", -1, "only this game of each row, as a failure names it")
	flag.StringVar(&o.traces, "traces", "", "a folder for a trace of each failure, for boardd replay --blind")
	flag.BoolVar(&o.show, "show", true, "print each failure")
	flag.Parse()
	if o.seed == 0 {
		var b [8]byte
		rand.Read(b[:]) //nolint:errcheck // it never fails
		o.seed = binary.LittleEndian.Uint64(b[:]) % 1_000_000
	}
	fmt.Printf("seed %d\n", o.seed)
	fmt.Println("upper bounds of 95 %; wait: from the last contact or touch to the move's being taken")
	fmt.Printf("%-34s %7s %7s %5s %9s %6s %6s %8s %5s %6s %6s %6s %5s %6s %6s\n", "game/board/habits/factor", "moves", "untold", "wrong", "bound", "early", "missed",
		"recogn.", "asked", "unfair", "al.rest", "al.move", "step", "p50", "p99")
	for _, r := range rows(o.only) {
		if err := r.run(&o); err != nil {
			return err
		}
	}
	return nil
}

// row is one line of the report.
type row struct {
	trial.Setting
	name string
}

// rows lists those that were asked for.
func rows(only string) (list []row) {
	pattern := strings.Split(only, "/")
	for len(pattern) < 4 {
		pattern = append(pattern, "*")
	}
	if only == "*" || pattern[3] == "*" && len(strings.Split(only, "/")) == 3 {
		pattern[3] = "*"
	}
	fits := func(i int, word string) bool {
		ok, _ := path.Match(pattern[i], word)
		return ok
	}
	for _, factor := range []float64{1, 2} {
		for _, habit := range append([]string{"all", "none"}, hands.Names()...) {
			for _, v := range rules.Variants() {
				for kind := physics.Stack; kind <= physics.Reeds; kind++ {
					h, _ := hands.ParseHabit(habit)
					r := row{name: fmt.Sprintf("%s/%s/%s/%g", v, kind, habit, factor),
						Setting: trial.Setting{Game: v, Board: kind, Habits: h, Alone: habit != "all", Factor: factor}}
					if fits(0, v.ID()) && fits(1, kind.String()) && fits(2, habit) && fits(3, fmt.Sprint(factor)) && r.playable() {
						list = append(list, r)
					}
				}
			}
		}
	}
	return list
}

// playable reports whether the board can follow the game.
func (r *row) playable() bool {
	g := wood.Reference()
	g.TwoDecks, g.Weights, g.Heights = r.Board == physics.Twin, r.Board == physics.Stack, r.Board == physics.Twin
	return solo.CanFollow(&g, r.Game) == nil
}

// run plays games until the row has its moves, and prints the row.
func (r *row) run(o *options) error {
	var all trial.Count
	for i := 0; all.Moves < o.moves; i++ {
		if o.game >= 0 {
			i = o.game
		}
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s %d", o.seed, r.name, i)
		fail := func(f trial.Failure) { r.tell(o, i, &f) }
		if !o.show && o.traces == "" {
			fail = nil
		}
		c, err := trial.Play(r.Setting, h.Sum64(), o.moves-all.Moves, fail)
		all.Add(&c)
		if err != nil {
			fmt.Printf("  game %d is broken off: %v\n", i, err)
		}
		if o.game >= 0 || c.Moves == 0 {
			break
		}
	}
	fmt.Printf("%-34s %7d %7d %5d %9.2g %6d %6d %7.3f%% %5d %6d %6d %6d %5d %6d %6d\n", r.name, all.Moves, all.Untold, all.Wrong, trial.Bound(all.Wrong, all.Moves), all.Early, all.Missed,
		100*all.Recognised(), all.Asked, all.AskedUnfairly, all.AlarmsResting, all.AlarmsMoving, all.OutOfStep,
		all.Wait(0.5).Milliseconds(), all.Wait(0.99).Milliseconds())
	return nil
}

// tell prints a failure and keeps its trace.
func (r *row) tell(o *options, game int, f *trial.Failure) {
	if o.show {
		fmt.Printf("  %s: game %d ply %d at %v: %s, got %s [%s]%s\n", f.What, game, f.Ply, f.At.Round(time.Millisecond), f.Move,
			f.Got, f.Habits, f.Shows)
	}
	if o.traces == "" {
		return
	}
	name := fmt.Sprintf("%s-%d-%d-%d-%s.trace", strings.ReplaceAll(r.name, "/", "-"), o.seed, game, f.Ply, f.What)
	if err := os.WriteFile(filepath.Join(o.traces, name), f.Trace, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
	}
}
