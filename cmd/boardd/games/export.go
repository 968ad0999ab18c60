// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/config"
	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/broadcast"
	"boardd/sync/journal"
	"boardd/sync/seal"

	"github.com/google/renameio/v2"
)

// stateFlag adds --config and --state to the flags. The function returns the state folder after parsing.
func stateFlag(f *flag.FlagSet) func() (string, error) {
	conf := f.String("config", "", "the board's configuration file")
	state := f.String("state", "", "the board's state folder, instead of --config")
	return func() (string, error) {
		switch {
		case *conf == "" && *state == "":
			return "", cli.Misuse("name the board by --config FILE, or its state folder by --state DIR")
		case *state != "":
			return *state, nil
		}
		c, err := config.LoadWithoutCredentials(*conf)
		return c.StateDir, err
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
	state, err := dir()
	if err != nil {
		return err
	}
	where := filepath.Join(state, "journal")
	if _, err := os.Stat(where); err != nil {
		if _, other := os.Stat(filepath.Join(state, imported)); other != nil || *id != "" {
			return fmt.Errorf("there is no journal: %w", err)
		}
		return writeImported(s.Out, state) // of a board that never played
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
	s.Out = cli.Plain(s.Out) // the journal may be a stranger's
	key, err := seal.OwnKey(state)
	if err != nil {
		fmt.Fprintln(s.Err, "boardd export: who gave the moves is not signed:", err)
	}
	found, err := writeGames(s.Out, book, *id, key, func(id string) *analysis.Sheet {
		sheet, err := analysis.Read(Sheets(state), id)
		if err != nil {
			fmt.Fprintln(s.Err, "boardd export:", err)
		}
		return sheet
	})
	if err == nil && *id == "" {
		err = writeImported(s.Out, state)
	}
	if err != nil {
		return err
	}
	if *id != "" && !found {
		return fmt.Errorf("no game %q in %s", *id, where)
	}
	return nil
}

// Sheets is where the analyses of a board's games lie.
func Sheets(state string) string { return filepath.Join(state, "analysis") }

// writeGames writes all games, or the one with the id, in the order of the journal, with their analyses.
func writeGames(w io.Writer, book *history.Book, id string, key ed25519.PrivateKey,
	sheet func(id string) *analysis.Sheet) (found bool, err error) {
	for _, g := range book.Games {
		if id == "" || g.ID() == id {
			found = true
			if _, err := w.Write(Text(g.Game, sheet(g.ID()), key)); err != nil {
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

// File is a game as a game file, with the signatures that `boardd verify` checks, and with its analysis if there is
// one. Who gave the moves is signed by the key, if that has signed moves of the game; nil: it is not signed.
func File(g *game.Game, s *analysis.Sheet, key ed25519.PrivateKey) *pgn.Game {
	out := broadcast.File(g)
	for i := range out.Plies {
		out.Plies[i].Comment = strings.TrimSpace(stampText(g.SealAt(i+1)) + " " + viaText(g.Via(i+1)))
	}
	out.Tags = append(append(out.Tags, sealTags(g)...), viaTags(g)...)
	signWays(out, g, key)
	s.Write(out)
	return out
}

// Text is File as text.
func Text(g *game.Game, s *analysis.Sheet, key ed25519.PrivateKey) []byte {
	var b bytes.Buffer
	if err := pgn.Write(&b, File(g, s, key)); err != nil {
		panic("games: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// Annotate writes the analysis of a game into its file, if it has one.
func Annotate(name string, s *analysis.Sheet) error {
	text, err := size.Read(name, size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := rules.ByID("chess") // of a file that does not say
	if err != nil {
		return err
	}
	list, err := pgn.Read(bytes.NewReader(text), v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var b bytes.Buffer
	for i := range list {
		s.Write(&list[i])
		if err := pgn.Write(&b, &list[i]); err != nil {
			return err
		}
	}
	return renameio.WriteFile(name, b.Bytes(), 0o640)
}
