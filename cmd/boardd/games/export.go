// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/config"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/journal"
)

// imported is the record of a game that came from a file. It is kept beside the games played here and never resumed.
type imported struct {
	PGN string `json:"imported"`
}

// stateFlag adds --config and --state to the flags; the function gives the folder of the journal after parsing.
func stateFlag(f *flag.FlagSet) func() (string, error) {
	conf := f.String("config", "", "the board's configuration file")
	state := f.String("state", "", "the board's state folder, instead of --config")
	return func() (string, error) {
		switch {
		case *conf == "" && *state == "":
			return "", cli.Misuse("name the board by --config FILE, or its state folder by --state DIR")
		case *state != "":
			return filepath.Join(*state, "journal"), nil
		}
		c, err := config.Look(*conf)
		return filepath.Join(c.StateDir, "journal"), err
	}
}

// Export writes the games of a board as PGN. The daemon may be running.
func Export(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("export", flag.ContinueOnError)
	dir := stateFlag(f)
	id := f.String("game", "", "one game only, by its id")
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much", rest[0])
	}
	where, err := dir()
	if err != nil {
		return err
	}
	if _, err := os.Stat(where); err != nil {
		return fmt.Errorf("there is no journal: %w", err)
	}
	records, report, err := journal.Read(where, journal.Options{})
	if err != nil {
		return err
	}
	if text := report.String(); text != "" {
		fmt.Fprintln(s.Err, "boardd export:", text)
	}
	book := history.Read(records)
	if text := book.String(); text != "" {
		fmt.Fprintln(s.Err, "boardd export:", text)
	}
	found, err := writeGames(s.Out, book, *id)
	if err != nil {
		return err
	}
	if *id != "" && !found {
		return fmt.Errorf("no game %q in %s", *id, where)
	}
	return nil
}

// writeGames writes all games, or the one with the id, in the order of the journal.
func writeGames(w io.Writer, book *history.Book, id string) (found bool, err error) {
	for _, g := range book.Games {
		if id == "" || g.ID() == id {
			found = true
			if err := pgn.Write(w, File(g.Game)); err != nil {
				return found, err
			}
		}
	}
	for _, text := range book.Imported {
		if id != "" {
			break
		}
		if _, err := io.WriteString(w, text); err != nil {
			return found, err
		}
	}
	return found, nil
}

// File is a game in the form of a game file, with the signatures that `boardd verify` checks.
func File(g *game.Game) *pgn.Game {
	s := g.Setup()
	out := &pgn.Game{Variant: g.Variant(), Start: g.Start(), Result: g.Outcome()}
	if out.Result == "" {
		out.Result = "*"
	}
	out.Tags = []pgn.Tag{{Name: "Event", Value: "boardd"}, {Name: "Site", Value: s.Board}, {Name: "White", Value: s.White}, {Name: "Black", Value: s.Black}, {Name: "GameId", Value: g.ID()}}
	if g.Over() {
		out.Tags = append(out.Tags, pgn.Tag{Name: "Termination", Value: string(g.Reason())})
	}
	san := g.SAN()
	for i, m := range g.Moves() {
		if i == 0 {
			at, _ := g.MovedAt(1)
			out.Tags = append(out.Tags, pgn.Tag{Name: "Date", Value: at.Format("2006.01.02")})
		}
		out.Plies = append(out.Plies, pgn.Ply{Move: m, SAN: san[i], Clock: -1, Comment: stampText(g.Stamp(i + 1))})
	}
	out.Tags = append(out.Tags, sealTags(g)...)
	return out
}

// Import reads game files, checks every move, and keeps the games in the board's journal. The daemon must not run.
func Import(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("import", flag.ContinueOnError)
	dir := stateFlag(f)
	id := f.String("variant", "chess", "the rule set of games without a Variant tag: "+cli.VariantIDs())
	files, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return cli.Misuse("name the game files, or - for standard input")
	}
	v, err := rules.ByID(*id)
	if err != nil {
		return cli.Wrong(err)
	}
	where, err := dir()
	if err != nil {
		return err
	}
	var records [][]byte
	for _, name := range files {
		rs, err := readImport(s, name, v)
		if err != nil {
			return err
		}
		records = append(records, rs...)
	}
	j, _, _, err := journal.Open(where, journal.Options{})
	if err != nil {
		return fmt.Errorf("%w; a daemon that runs holds its journal: stop it first", err)
	}
	err = errors.Join(j.Append(records...), j.Close())
	if err == nil {
		fmt.Fprintf(s.Out, "%d games are kept in %s\n", len(records), where)
	}
	return err
}

// readImport reads the games of one file, each as a record.
func readImport(s cli.Std, name string, v *rules.Variant) ([][]byte, error) {
	var src io.Reader = s.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read the game file: %w", err)
		}
		defer f.Close()
		src = f
	}
	games, err := pgn.Read(src, v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was kept", name, err)
	}
	var records [][]byte
	for i := range games {
		if !strings.Contains(" 1-0 0-1 1/2-1/2 ", " "+games[i].Result+" ") {
			games[i].Result = "*"
		}
		var b bytes.Buffer
		if err := pgn.Write(&b, &games[i]); err != nil {
			return nil, err
		}
		data, err := json.Marshal(imported{b.String()})
		if err != nil {
			return nil, err
		}
		records = append(records, data)
	}
	return records, nil
}
