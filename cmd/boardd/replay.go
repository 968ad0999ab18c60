// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/config/size"
	"boardd/rules/say"
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
)

// replayTrace feeds a recorded sensor trace through recognition and prints the game.
func replayTrace(_ context.Context, s cli.Std, args []string) error {
	s.Out = cli.Plain(s.Out) // a trace may be a stranger's
	f := flag.NewFlagSet("replay", flag.ContinueOnError)
	kind := f.String("board", "stack", "the kind of board that was recorded, if the trace does not say: stack, twin, "+
		"scale or reeds")
	blind := f.Bool("blind", false, "ignore the moves that the trace records: print what the readings alone tell")
	files, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return cli.Misuse("name one trace")
	}
	if !slices.Contains([]string{"stack", "twin", "scale", "reeds"}, *kind) {
		return cli.Misuse("--board %q: it is stack, twin, scale or reeds", *kind)
	}
	file, err := size.OpenPipe(files[0])
	if err != nil {
		return fmt.Errorf("cannot read the trace: %w", err)
	}
	defer file.Close()
	t, err := trace.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	if t.Torn != nil {
		fmt.Fprintf(s.Err, "boardd replay: %s ends in the middle of a line, which is left out: %v\n", files[0], t.Torn)
	}
	g, err := rerun.Geometry(t, *kind)
	if err != nil {
		return err
	}
	if *blind {
		moves := rerun.Blind(t, g, func(line string) { fmt.Fprintln(s.Out, line) })
		fmt.Fprint(s.Out, say.Counted("%d moves stand\n", len(moves)))
		return nil
	}
	t.Entries = withoutTakebacks(t.Entries)
	found := rerun.Run(t, g, func(line string) { fmt.Fprintln(s.Out, line) })
	fmt.Fprint(s.Out, say.Counted("%d moves by hand, %d differ from the record\n", found.Moves, found.Differ))
	if found.Differ > 0 {
		return errors.New(say.Counted("recognition differs from the record in %d places", found.Differ))
	}
	return nil
}

// replayLag is how much later recognition may be in a replay than on the board: a trace leaves out small changes.
const replayLag = time.Second

// withoutTakebacks leaves out moves that were taken back or corrected by hand, and the takebacks. Recognition takes
// back the same moves by itself, but maybe a little earlier or later than the board did. The entries after that are
// compared once there was time for both.
func withoutTakebacks(entries []trace.Entry) []trace.Entry {
	var ready time.Duration
	var moves []int // indexes of the entries of the game's moves
	undone := map[int]bool{}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Back > 0:
			left := max(0, len(moves)-e.Back)
			if e.Here {
				ready = max(ready, e.At+replayLag)
				undone[i] = true
				for _, m := range moves[left:] {
					undone[m] = true
				}
			}
			moves = moves[:left]
		case e.Move != "":
			moves = append(moves, i)
		}
		if e.Reading == nil && e.Unread == nil {
			e.At = max(e.At, ready)
		}
	}
	var list []trace.Entry
	for i := range entries {
		if !undone[i] {
			list = append(list, entries[i])
		}
	}
	return list
}
