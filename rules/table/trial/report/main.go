// SPDX-License-Identifier: Apache-2.0

// Command report plays games in the second world and prints what the table made of them.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
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
	pool   bool
	game   int
	traces string
	show   bool
	jobs   int
	sent   bool
}

func report() error {
	var o options
	flag.Uint64Var(&o.seed, "seed", 0, "what everything is drawn from; 0: drawn now")
	flag.IntVar(&o.moves, "moves", 1000, "moves of each row")
	flag.StringVar(&o.only, "only", "", "GAME/BOARD/HABIT/PARTS, * for any: chess/stack/all/1, */twin/push/2; "+
		"HABIT is all, none or a word of hands.Names, PARTS is 1 (as bought), 2 (twice as bad), fault (one sensor "+
		"fails), busy (the computer reads no sensor for up to 5 s at times) or "+
		"copied (Black's moves are told by another board, and copied); "+
		"without it: each game and board with all habits, and each habit alone over all games and boards")
	flag.BoolVar(&o.pool, "pool", false, "with -only: one row for each habit and parts, its games and boards in turn")
	flag.IntVar(&o.game, "game", -1, "only this game of each row, as a failure names it")
	flag.StringVar(&o.traces, "traces", "", "a folder for a trace of each failure, for boardd replay --blind")
	flag.BoolVar(&o.show, "show", true, "print each failure but alarms during moves")
	flag.IntVar(&o.jobs, "jobs", 1, "rows that are played at once; they are printed in their order")
	flag.BoolVar(&o.sent, "sent", false, "take moves as if each went to another board, where it cannot be corrected")
	flag.Parse()
	if o.moves < 1 || o.jobs < 1 {
		return errors.New("-moves and -jobs: want 1 or more")
	}
	if o.seed == 0 {
		var b [8]byte
		rand.Read(b[:]) //nolint:errcheck // it never fails
		o.seed = binary.LittleEndian.Uint64(b[:]) % 1_000_000
	}
	list, err := rows(&o)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d\n", o.seed)
	fmt.Println("bounds at 95 % in brackets; recognised: of the moves that the sensors can tell; early: wrong at " +
		"first, corrected by itself;")
	fmt.Println("alarms: at rest, and moves with one, and of these such on whose way a piece fell, was " +
		"knocked or was tried out; dark: moves of another board of which a place was not named;\n" +
		"p50, p99: ms from the last contact or touch until the move is taken")
	fmt.Printf("%-34s %7s %6s %15s %5s %6s %20s %5s %6s %15s %7s %6s %5s %5s %5s %5s\n", "game/board/habits/parts",
		"moves", "untold", "wrong", "early", "missed", "recognised", "asked", "unfair", "alarms", "moving", "astray",
		"dark", "step", "p50", "p99")
	sums := map[string]*trial.Count{}
	for i, done := range play(list, &o) {
		r, c := list[i], <-done
		fmt.Print(r.said.String())
		r.print(r.name, c)
		if sums[r.parts] == nil {
			sums[r.parts] = &trial.Count{}
		}
		sums[r.parts].Add(c)
	}
	for _, parts := range parts {
		if sums[parts] != nil && len(list) > 1 {
			list[0].print("all of parts "+parts, sums[parts])
		}
	}
	return nil
}

// play plays the rows, this many at once, and gives a channel for the count of each. Each channel holds one count, so
// that nobody waits to be heard.
func play(list []*row, o *options) []chan *trial.Count {
	done := make([]chan *trial.Count, len(list))
	free := make(chan struct{}, o.jobs)
	for i := range list {
		done[i] = make(chan *trial.Count, 1)
	}
	go func() {
		for i, r := range list {
			free <- struct{}{}
			go func() {
				done[i] <- r.run(o)
				<-free
			}()
		}
	}()
	return done
}

// parts are how the parts of boards are.
var parts = []string{"1", "2", "fault", "busy", "copied"}

// row is one line of the report.
type row struct {
	name, parts string
	settings    []trial.Setting // its games are played in turn
	said        strings.Builder // what failed
}

// rows lists those that were asked for.
func rows(o *options) (list []*row, err error) {
	pattern := strings.Split(o.only, "/")
	for len(pattern) < 4 {
		pattern = append(pattern, "*")
	}
	for _, p := range parts {
		for _, habit := range append([]string{"all", "none"}, hands.Names()...) {
			if (p == "busy" || p == "copied") && habit != "all" && o.only == "" {
				continue
			}
			pooled := &row{}
			for _, s := range settings(habit, p) {
				words := []string{s.Game.ID(), s.Board.String(), habit, p}
				if s.Board == physics.Scale && pattern[1] != "scale" && (o.only != "" || o.pool || habit != "all") {
					continue // it came last: the games of former reports' seeds stay what they were
				}
				if o.only == "" || fits(pattern, words) {
					list = append(list, &row{name: strings.Join(words, "/"), parts: p, settings: []trial.Setting{s}})
					pooled.settings = append(pooled.settings, s)
				}
			}
			if n := len(pooled.settings); n > 0 && (o.pool || o.only == "" && habit != "all") {
				pooled.name, pooled.parts = fmt.Sprintf("%s/%s/%s/%s", pattern[0], pattern[1], habit, p), p
				if o.only == "" {
					pooled.name = "*/*/" + habit + "/" + p
				}
				list = append(list[:len(list)-n], pooled)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("-only %q fits no row: want GAME/BOARD/HABIT/PARTS, such as chess/stack/all/1", o.only)
	}
	return list, nil
}

func fits(pattern, words []string) bool {
	for i, w := range words {
		if ok, _ := path.Match(pattern[i], w); !ok {
			return false
		}
	}
	return true
}

// settings is every game on every board that can follow it.
func settings(habit, parts string) (list []trial.Setting) {
	h, err := hands.ParseHabit(habit)
	if err != nil {
		panic("report: " + err.Error()) // a word of the list of all words
	}
	for _, v := range rules.Variants() {
		for kind := physics.Stack; kind <= physics.Scale; kind++ {
			s := trial.Setting{Game: v, Board: kind, Habits: h, Alone: habit != "all", Factor: 1,
				Fault: parts == "fault", Busy: parts == "busy", Copied: parts == "copied"}
			if parts == "2" {
				s.Factor = 2
			}
			g := trial.Senses(wood.Reference(), kind)
			if solo.CanFollow(&g, v) == nil {
				list = append(list, s)
			}
		}
	}
	return list
}

// run plays games until the row has its moves.
func (r *row) run(o *options) *trial.Count {
	all := &trial.Count{}
	for i := 0; all.Moves < o.moves; i++ {
		if o.game >= 0 {
			i = o.game
		}
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s %d", o.seed, r.name, i)
		var fail func(trial.Failure)
		s := r.settings[i%len(r.settings)]
		s.Sent = o.sent
		if o.show || o.traces != "" {
			fail = func(f trial.Failure) { r.tell(o, i, &s, &f) }
		}
		c, err := trial.Play(s, h.Sum64(), min(o.moves-all.Moves, (o.moves+len(r.settings)-1)/len(r.settings)), fail)
		all.Add(&c)
		if err != nil {
			fmt.Fprintf(&r.said, "  game %d is broken off: %v\n", i, err)
		}
		if o.game >= 0 || c.Moves == 0 {
			break
		}
	}
	return all
}

// print prints a row.
func (r *row) print(name string, c *trial.Count) {
	bad := c.Missed + c.AskedUnfairly + c.Wrong
	fmt.Printf("%-34s %7d %6d %15s %5d %6d %8.3f%% (>%6.2f%%) %5d %6d %15s %7d %6d %5d %5d %5d %5d\n", name, c.Moves,
		c.Untold, rate(c.Wrong, c.Moves),
		c.Early, c.Missed, 100*c.Recognised(), 100*(1-trial.Bound(bad, c.Moves-c.Untold)), c.Asked, c.AskedUnfairly,
		rate(c.AlarmsResting, c.Moves), c.AlarmsMoving, c.AlarmsAstray, c.Dark, c.OutOfStep, c.Wait(0.5).Milliseconds(),
		c.Wait(0.99).Milliseconds())
}

// rate is how often something was seen, and the bound of its rate.
func rate(k, n int) string { return fmt.Sprintf("%d (<%.1e)", k, trial.Bound(k, n)) }

// tell prints a failure and keeps its trace.
func (r *row) tell(o *options, game int, s *trial.Setting, f *trial.Failure) {
	if f.What == "alarm-moving" {
		return
	}
	if o.show {
		fmt.Fprintf(&r.said, "  %s: %s/%s game %d ply %d at %v: %s, got %s [%s]%s\n", f.What, s.Game, s.Board, game,
			f.Ply,
			f.At.Round(time.Millisecond), f.Move,
			f.Got, f.Habits, f.Shows)
	}
	if o.traces == "" {
		return
	}
	name := fmt.Sprintf("%s-%d-%d-%d-%s.trace", strings.NewReplacer("/", "-", "*", "any").Replace(r.name), o.seed,
		game, f.Ply, f.What)
	if err := os.WriteFile(filepath.Join(o.traces, name), f.Trace, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
	}
}
