// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/history"
	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/journal"
	"boardd/sync/web"
)

// Shelf is the games that a board keeps: those of its journal, and those that came from files.
type Shelf struct {
	State   string // the board's folder
	Analyst *analysis.Analyst
}

var _ web.Shelf = Shelf{}

// book is one game on the shelf.
type book struct {
	id   string
	file *pgn.Game
}

// books reads all games, the newest first. What cannot be read is left out: boardd journal check says what it is.
func (s Shelf) books() ([]book, error) {
	records, _, err := journal.Read(filepath.Join(s.State, "journal"), journal.Options{})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the games: %w", err)
	}
	var out []book
	from := history.Read(records)
	for _, g := range from.Games {
		if g.Plies() > 0 {
			out = append(out, book{g.ID(), File(g.Game, nil)})
		}
	}
	slices.Reverse(out)
	texts := from.Imported
	names, err := fs.Glob(os.DirFS(s.State), imported+"/*.pgn")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := size.Read(filepath.Join(s.State, name), size.Kept)
		if err != nil {
			continue
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		v, err := rules.ByID("chess") // of games that do not say
		if err != nil {
			return nil, err
		}
		list, _ := pgn.Read(strings.NewReader(text), v) // those before what cannot be read
		mark := sha256.Sum256([]byte(text))
		for i := range list {
			if len(list[i].Plies) > 0 {
				out = append(out, book{fmt.Sprintf("file-%x-%d", mark[:6], i+1), &list[i]})
			}
		}
	}
	return out, nil
}

// Games lists all games.
func (s Shelf) Games() ([]web.KeptGame, error) {
	books, err := s.books()
	if err != nil {
		return nil, err
	}
	var out []web.KeptGame
	for _, b := range books {
		f := b.file
		k := web.KeptGame{Game: b.id, Variant: f.Variant.ID(), White: f.Tag("White"), Black: f.Tag("Black"), Outcome: f.Result, Plies: len(f.Plies)}
		if f.Result == "*" && f.Tag("Termination") == "" {
			k.Outcome = "" // it goes on, or was broken off: nobody ended it without a result
		}
		if date := strings.ReplaceAll(f.Tag("Date"), ".", "-"); !strings.Contains(date, "?") {
			k.Date = date
		}
		if sheet, err := s.Analyst.Sheet(b.id); err == nil && sheet != nil {
			k.Analysed = len(sheet.Judged)
		}
		out = append(out, k)
	}
	return out, nil
}

func (s Shelf) find(id string) (book, error) {
	books, err := s.books()
	if err != nil {
		return book{}, err
	}
	for _, b := range books {
		if b.id == id {
			return b, nil
		}
	}
	return book{}, fmt.Errorf("no game %q is kept here", id)
}

// Game is one of them with every position, and what was found out about them.
func (s Shelf) Game(id string) (web.Story, error) {
	b, err := s.find(id)
	if err != nil {
		return web.Story{}, err
	}
	t := web.Tell(b.file)
	t.Game = id
	if sheet, err := s.Analyst.Sheet(id); err != nil {
		return t, err
	} else if sheet != nil && s.Analyst.Shown() {
		g := toAnalyse(b.file)
		t.Judged = sheet.Of(&g)
	}
	return t, nil
}

// PGN is one of them as a game file.
func (s Shelf) PGN(id string) ([]byte, error) {
	b, err := s.find(id)
	if err != nil {
		return nil, err
	}
	sheet, err := s.Analyst.Sheet(id)
	if err != nil {
		return nil, err
	}
	if s.Analyst.Shown() {
		sheet.Write(b.file)
	}
	if !strings.Contains(" 1-0 0-1 1/2-1/2 ", " "+b.file.Result+" ") {
		b.file.Result = "*"
	}
	var text bytes.Buffer
	err = pgn.Write(&text, b.file)
	return text.Bytes(), err
}

// Analyse has one of them analysed.
func (s Shelf) Analyse(id string) error {
	b, err := s.find(id)
	if err != nil {
		return err
	}
	return s.Analyst.Begin(id, toAnalyse(b.file))
}

// Leave ends that.
func (s Shelf) Leave(id string) { s.Analyst.Leave(id) }

// toAnalyse is a game file as the analyst takes it.
func toAnalyse(f *pgn.Game) analysis.Game {
	g := analysis.Game{Start: f.Start}
	for _, ply := range f.Plies {
		g.Moves = append(g.Moves, ply.Move)
	}
	return g
}
