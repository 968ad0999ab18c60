// SPDX-License-Identifier: Apache-2.0

// Command report measures recognition: virtual hands play seeded games on virtual boards, and every move is compared
// with what the decoder makes of it. It writes REPORT.md, two files of figures, and a picture of each.
//
//	go run ./sensing/reconcile/report    everything, half an hour on two cores
//	go run ./sensing/reconcile/report -draw    the pictures alone, from the figures of the last run
//	go run ./sensing/reconcile/report -only chess/stack/club/none -moves 5000    one scene, the table on standard output
//	go run ./sensing/reconcile/report -seed 1 -only chess/stack/club/none -game 17 -trace f    one game, aloud,
//	                                     its trace into a file
//
// A scene is game/board/level/fault; faults are joined by "+". Games with an even number are random, those with an odd
// one are biased towards captures, promotions and stacking.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.moves, "moves", 100_000, "moves of each game on each board at club without faults; other scenes "+
		"take a share of it")
	flag.Uint64Var(&o.seed, "seed", 1, "of everything")
	flag.StringVar(&o.only, "only", "", "play only the scenes that begin with this: chess, chess/stack, "+
		"chess/stack/club/none")
	flag.StringVar(&o.level, "level", "", "play only this level: clean, club or rough")
	flag.Int64Var(&o.game, "game", -1, "play this one game of the scene and tell what happens")
	flag.StringVar(&o.trace, "trace", "", "with -game: save its trace, compressed")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "games played at once")
	flag.StringVar(&o.dir, "dir", "sensing/reconcile", "where REPORT.md and its figures are written, when everything is "+
		"played")
	flag.IntVar(&o.limit, "limit", mostMoves, "moves of a game at most")
	flag.DurationVar(&o.time, "time", 0, "stop after so long, with as many moves as were made; 0: when all are made")
	flag.BoolVar(&o.again, "draw", false, "draw the two pictures again from the figures that the last run kept, and "+
		"play nothing")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

type options struct {
	moves, workers, limit   int
	seed                    uint64
	only, level, trace, dir string
	game                    int64
	again                   bool
	time                    time.Duration
}

func (o *options) run() error {
	if o.again {
		return o.draw()
	}
	if o.game >= 0 {
		return o.playOne()
	}
	jobs := o.scenes()
	if len(jobs) == 0 {
		return fmt.Errorf("no scene begins with %q at level %q", o.only, o.level)
	}
	whole := o.only == "" && o.level == ""
	if whole {
		if err := os.MkdirAll(o.dir, 0o755); err != nil {
			return err // before it takes its time
		}
	}
	results := o.playAll(jobs)
	if whole {
		return o.write(results)
	}
	for _, r := range results {
		fmt.Println(r.line())
		for _, f := range slices.Concat(r.tally.wrongs, r.tally.failures) {
			fmt.Println("   ", f)
		}
	}
	return nil
}

// playOne plays one game and tells what happens.
func (o *options) playOne() error {
	s, err := parseScene(o.only)
	if err != nil {
		return err
	}
	m := newMatch(s, o.seed, uint64(o.game), &tally{})
	m.verbose = os.Stdout
	fmt.Printf("%s, game %d, seed %d %s\n", s, o.game, o.seed, m.broken)
	finish := func() error { return nil }
	if o.trace != "" {
		f, err := os.Create(o.trace)
		if err != nil {
			return err
		}
		defer f.Close()
		finish = m.recordTo(f)
	}
	m.play(o.limit)
	r := result{scene: s, tally: m.tally}
	fmt.Println(r.line())
	fmt.Println(strings.Join(slices.Concat(m.tally.wrongs, m.tally.failures), "\n"))
	return finish()
}
