// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/config"
	"boardd/rules/say"
	"boardd/sync/journal"
)

// Run is the command journal.
func Run(ctx context.Context, s cli.Std, args []string) error {
	s.Out = cli.Plain(s.Out) // the journal may be a stranger's
	if len(args) > 0 {
		switch args[0] {
		case "check":
			return check(s, args[1:])
		case "salvage":
			cli.Whole(ctx)
			return salvage(s, args[1:])
		}
	}
	if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
		return salvage(s, args) // it has the options of check, and more
	}
	return cli.Misuse("say check or salvage")
}

// stateFlags are --config and --state; the function gives the folder of the journal after parsing.
func stateFlags(f *flag.FlagSet) func() (string, error) {
	conf := f.String("config", "", "the board's configuration file")
	state := f.String("state", "", "the board's state folder, instead of --config")
	return func() (string, error) {
		dir := *state
		switch {
		case *conf == "" && dir == "":
			return "", cli.Misuse("name the board by --config FILE, or its state folder by --state DIR")
		case dir == "":
			c, err := config.LoadWithoutCredentials(*conf)
			if err != nil {
				return "", err
			}
			dir = c.StateDir
		}
		if _, err := os.Stat(dir); err != nil {
			return "", fmt.Errorf("there is no state folder: %w", err)
		}
		return filepath.Join(dir, "journal"), nil
	}
}

// never reports whether a board has never played, and prints so.
func never(s cli.Std, dir string) bool {
	_, err := os.Stat(dir)
	if !errors.Is(err, fs.ErrNotExist) || hasPlayed(dir) {
		return false
	}
	fmt.Fprintf(s.Out, "%s: there is none: nothing was played here yet, or this is no state folder of a board\n", dir)
	return true
}

// hasPlayed reports whether the board of a journal has played, by the file of its game that lies beside it.
func hasPlayed(dir string) bool {
	_, err := os.Lstat(filepath.Join(filepath.Dir(dir), "live.pgn"))
	return err == nil
}

// check lists the games of a journal and everything in it that is damaged.
func check(s cli.Std, args []string) error {
	f := flag.NewFlagSet("journal check", flag.ContinueOnError)
	where := stateFlags(f)
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much: FOLDER is for salvage; to check the journal of a state folder use --state DIR",
			rest[0])
	}
	dir, err := where()
	if err != nil || never(s, dir) {
		return err
	}
	records, report, err := journal.Read(dir, journal.Options{ExpectRecords: hasPlayed(dir)})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the folder is gone, although this board has played; put it back if you have it", err)
	}
	if err != nil {
		return err
	}
	book := history.Read(records)
	fmt.Fprintf(s.Out, "%s: segments %d, records %d, bytes %d\n", dir, report.Segments, report.Records, report.Bytes)
	for _, g := range book.Games {
		fmt.Fprint(s.Out, say.Counted("game %s: %s, %d moves, %s%s\n", g.ID(), g.Variant().ID(), g.Plies(),
			ending(g), whose(book, g)))
	}
	if n := len(book.Imported); n > 0 {
		fmt.Fprintf(s.Out, "games that were imported: %d\n", n)
	}
	faults := faultsOf(book, &report)
	for _, fault := range faults {
		fmt.Fprintln(s.Out, "damaged:", fault)
	}
	if n := len(book.Passed); n > 0 {
		fmt.Fprintf(s.Out, "records that this version does not know, kept and passed over: %d\n", n)
	}
	cut, err := journal.SideFiles(dir, journal.Options{})
	for _, name := range cut {
		fmt.Fprintln(s.Out, "cut off earlier, and kept:", name)
	}
	if err == nil && len(faults) > 0 {
		err = errors.New(say.Counted("%d faults: `boardd journal salvage` saves what can be saved into a new journal",
			len(faults)))
	}
	return err
}

// whose names the board of a game, where games of several lie in the journal.
func whose(b *history.Book, g *history.Kept) string {
	own := g.Setup().Board
	if !slices.ContainsFunc(b.Games, func(other *history.Kept) bool { return other.Setup().Board != own }) {
		return ""
	}
	return fmt.Sprintf(" (board %s)", own)
}

// ending is how a game ended, in words.
func ending(g *history.Kept) string {
	if !g.Over() {
		return "goes on"
	}
	return g.Outcome() + " by " + string(g.Reason())
}

// faultsOf lists what is damaged, a line each.
func faultsOf(b *history.Book, r *journal.Report) (faults []string) {
	for _, d := range r.Damage {
		faults = append(faults, d.String())
	}
	return append(append(faults, r.Losses()...), b.Faults()...)
}
