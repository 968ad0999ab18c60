// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/history"
	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/say"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/web"
)

// Store holds the games that a board keeps: those of its journal, and those that came from files.
type Store struct {
	State   string // the board's folder
	Analyst *analysis.Analyst
}

var _ web.GameStore = Store{}

// storedGame is one game of the store.
type storedGame struct {
	id   string
	file *pgn.Game
	time string // of the day, as 19:40; "": not known
}

// timeOf is the time of day at which the first move of a game was made, "" if the computer's clock was wrong.
func timeOf(g *game.Game) string {
	at, _ := g.MovedAt(1)
	if !game.Dated(at) {
		return ""
	}
	return at.Format("15:04")
}

// timeIn is the time of day that a game file tells, at the place or else in UTC, "" if it tells none.
func timeIn(g *pgn.Game) string {
	for _, tag := range []string{"Time", "UTCTime"} {
		if at, err := time.Parse(time.TimeOnly, g.Tag(tag)); err == nil {
			return at.Format("15:04")
		}
	}
	return ""
}

// mostImported is how many games from files one list has: all of a large collection would take all memory.
const mostImported = 1000

// part says which games from files are wanted.
type part struct {
	file string // the only file, as in file-0123456789ab-; "" for all of them
	skip int    // this many of them come before
	left int    // this many are wanted
	more bool   // there are some after those
}

// each calls take for the games of the journal, the newest first, and then for those of p, until take returns false.
// What cannot be read is left out; boardd journal check says what it is.
func (s Store) each(p *part, take func(b storedGame) bool) error {
	records, _, err := journal.Read(filepath.Join(s.State, "journal"), journal.Options{})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the games: %w", err)
	}
	key, _ := seal.OwnKey(s.State) // without it the notes of who gave the moves are not signed
	from := history.Read(records)
	for _, g := range slices.Backward(from.Games) {
		if g.Plies() > 0 && !take(storedGame{g.ID(), File(g.Game, nil, key), timeOf(g.Game)}) {
			return nil
		}
	}
	for _, text := range from.Imported {
		if more, err := eachOf(text, p, take); err != nil || !more {
			return err
		}
	}
	names, err := fs.Glob(os.DirFS(s.State), imported+"/*.pgn")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := size.Read(filepath.Join(s.State, name), size.Kept)
		if err != nil {
			continue
		}
		if more, err := eachOf(string(text), p, take); err != nil || !more {
			return err
		}
	}
	return nil
}

// eachOf calls take for the games of one file, up to the first that cannot be read. It reports whether more are
// wanted.
func eachOf(text string, p *part, take func(b storedGame) bool) (more bool, err error) {
	v, err := rules.ByID("chess") // of games that do not say
	if err != nil {
		return false, err
	}
	hash, n := sha256.Sum256([]byte(text)), 0
	mark := fmt.Sprintf("file-%x-", hash[:6])
	if p.file != "" && p.file != mark {
		return true, nil
	}
	more = true
	pgn.Each(strings.NewReader(text), v, func(g *pgn.Game) bool { //nolint:errcheck // said above
		n++
		switch {
		case len(g.Plies) == 0:
		case p.skip > 0:
			p.skip--
		case p.left == 0:
			p.more, more = true, false
		default:
			p.left--
			more = take(storedGame{fmt.Sprint(mark, n), g, timeIn(g)})
		}
		return more
	})
	return more, nil
}

// Games lists the games of the journal and the first ones from files. With after, it lists those from files after so
// many instead.
func (s Store) Games(after int) (out []web.StoredGame, next int, err error) {
	p := &part{skip: after, left: mostImported}
	err = s.each(p, func(b storedGame) bool {
		if after > 0 && !strings.HasPrefix(b.id, "file-") {
			return true
		}
		f := b.file
		k := web.StoredGame{Game: b.id, Variant: f.Variant.ID(), Plies: len(f.Plies)}
		// Copies, so that the text of the whole file goes.
		k.White, k.Black = strings.Clone(f.Tag("White")), strings.Clone(f.Tag("Black"))
		k.Outcome = strings.Clone(f.Result)
		if f.Result == "*" && f.Tag("Termination") == "" {
			k.Outcome = "" // the game goes on or was broken off: nobody ended it without a result
		}
		if date := strings.ReplaceAll(f.Tag("Date"), ".", "-"); !strings.Contains(date, "?") {
			k.Date, k.Time = strings.Clone(date), b.time
		}
		if sheet, err := s.Analyst.Sheet(b.id); err == nil && sheet != nil {
			k.Analysed = len(sheet.Judged)
		}
		out = append(out, k)
		return true
	})
	if p.more {
		next = after + mostImported
	}
	return out, next, err
}

func (s Store) find(id string) (storedGame, error) {
	var found *storedGame
	p := &part{left: math.MaxInt, file: id[:strings.LastIndex(id, "-")+1]}
	err := s.each(p, func(b storedGame) bool {
		if b.id == id {
			found = &b
		}
		return found == nil
	})
	switch {
	case err != nil:
		return storedGame{}, err
	case found == nil:
		return storedGame{}, say.Error("no game %q is kept here", id)
	}
	return *found, nil
}

// Game is one game with every position and its analysis.
func (s Store) Game(id string) (web.Story, error) {
	b, err := s.find(id)
	if err != nil {
		return web.Story{}, err
	}
	t := web.NewStory(b.file)
	t.Game = id
	if sheet, err := s.Analyst.Sheet(id); err != nil {
		return t, err
	} else if sheet != nil && s.Analyst.Shown() {
		g := toAnalyse(b.file)
		t.Evaluations = sheet.Of(&g)
	}
	return t, nil
}

// PGN is one game as a game file.
func (s Store) PGN(id string) ([]byte, error) {
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

// Analyse begins the analysis of a game.
func (s Store) Analyse(id string) error {
	b, err := s.find(id)
	if err != nil {
		return err
	}
	return s.Analyst.Begin(id, toAnalyse(b.file))
}

// StopAnalysis ends the analysis of a game.
func (s Store) StopAnalysis(id string) { s.Analyst.Leave(id) }

// toAnalyse is a game file as the analyst takes it.
func toAnalyse(f *pgn.Game) analysis.Game {
	g := analysis.Game{Start: f.Start}
	for _, ply := range f.Plies {
		g.Moves = append(g.Moves, ply.Move)
	}
	return g
}
