// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/uci"
	"boardd/sync/web"

	"github.com/google/renameio/v2"
)

// Sheet is the analysis of a game.
type Sheet struct {
	Version int              `json:"version"` // of this form: 1
	Variant string           `json:"variant"`
	Start   string           `json:"start"` // stack FEN
	Moves   []string         `json:"moves"` // coordinate moves
	Judged  []web.Evaluation `json:"judged"`
}

const version = 1

// Game is a game to be analysed.
type Game struct {
	Start rules.Position
	Moves []rules.Move
}

// positions is the number of positions of the game.
func (g *Game) positions() int { return len(g.Moves) + 1 }

// at is the position after this many moves.
func (g *Game) at(ply int) rules.Position {
	p := g.Start
	for _, m := range g.Moves[:ply] {
		p.Play(m)
	}
	return p
}

// fits cuts off evaluations of positions that are not of the game, and takes over the moves of the game.
func (s *Sheet) fits(g *Game) {
	moves := make([]string, 0, len(g.Moves))
	p := g.Start
	for _, m := range g.Moves {
		moves = append(moves, p.Coord(m))
		p.Play(m)
	}
	same := 0
	for same < min(len(moves), len(s.Moves)) && moves[same] == s.Moves[same] {
		same++
	}
	if id, fen := g.Start.Variant().ID(), g.Start.FEN(); s.Version != version || s.Variant != id || s.Start != fen {
		*s = Sheet{Version: version, Variant: id, Start: fen}
	} else if len(s.Judged) > same+1 {
		s.Judged = s.Judged[:same+1]
	}
	s.Moves = moves
}

// whole reports whether every position was looked at.
func (s *Sheet) whole() bool { return len(s.Judged) > len(s.Moves) }

// Of returns what is known of the positions of a game, beginning with the one before the first move.
func (s *Sheet) Of(g *Game) []web.Evaluation {
	if s == nil {
		return nil
	}
	own := *s
	own.fits(g)
	return own.Judged
}

// Write adds the evaluations to the moves of a game file.
func (s *Sheet) Write(f *pgn.Game) {
	g := Game{Start: f.Start}
	for _, ply := range f.Plies {
		g.Moves = append(g.Moves, ply.Move)
	}
	for i, j := range s.Of(&g) {
		if i > 0 && len(j.Lines) > 0 {
			f.Plies[i-1].Eval = pgn.Eval{Known: true, Cents: j.Lines[0].Centipawns, Mate: j.Lines[0].Mate, Depth: j.Depth}
		}
	}
}

// longestLine is how many moves of a line are kept.
const longestLine = 8

// judged is an engine's answer in the form of the sheet: for White.
func judged(p *rules.Position, a *uci.Answer) web.Evaluation {
	j := web.Evaluation{Depth: a.Depth, Lines: []web.Line{}}
	sign := 1
	if p.Turn() == rules.Black {
		sign = -1
	}
	lines := a.Lines
	if len(lines) == 0 && a.Score.Known {
		lines = []uci.Line{{Score: a.Score, Moves: a.Line}}
	}
	for _, l := range lines {
		best := web.Line{Centipawns: sign * l.Score.Cents, Mate: sign * l.Score.Mate}
		q := *p
		for _, m := range l.Moves[:min(len(l.Moves), longestLine)] {
			best.Moves, best.SAN = append(best.Moves, q.Coord(m)), append(best.SAN, q.SAN(m))
			q.Play(m)
		}
		j.Lines = append(j.Lines, best)
	}
	return j
}

// id is the form of the ids of games.
var id = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$`)

// file is where the sheet of a game is kept.
func file(dir, game string) string { return filepath.Join(dir, game+".json") }

// Read reads the sheet of a game, nil if there is none.
func Read(dir, game string) (*Sheet, error) {
	if !id.MatchString(game) {
		return nil, fmt.Errorf("%q is no name of a game", game)
	}
	data, err := size.Read(file(dir, game), size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the analysis: %w", err)
	}
	s := &Sheet{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("read the analysis %s: %w: remove the file, and have the game analysed again",
			file(dir, game), err)
	}
	return s, nil
}

// keep writes the sheet of a game, in place of the oldest one if there are too many.
func (s *Sheet) keep(dir, game string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if err := renameio.WriteFile(file(dir, game), data, 0o640); err != nil {
		return err
	}
	return errors.Join(dateNewest(dir, file(dir, game)), prune(dir))
}

// dateNewest dates a sheet behind all others, also if the clock was set back, so that it is not the first to go.
func dateNewest(dir, name string) error {
	ages, err := ages(dir)
	own := ages[name]
	for _, at := range ages {
		if own <= at {
			own = at + 1
		}
	}
	if err == nil && own > ages[name]+1 {
		at := time.Unix(0, own)
		err = os.Chtimes(name, at, at)
	}
	return err
}

// ages are the times at which the sheets in a folder were written, in nanoseconds since 1970.
func ages(dir string) (map[string]int64, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	all := map[string]int64{}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			all[name] = info.ModTime().UnixNano()
		}
	}
	return all, err
}

// mostSheets is the largest number of sheets that are kept. A game of a hundred plies takes about 60 kB.
const mostSheets = 300

// prune removes the oldest sheets.
func prune(dir string) error {
	age, err := ages(dir)
	if err != nil || len(age) <= mostSheets {
		return err
	}
	names := slices.SortedFunc(maps.Keys(age), func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	var errs []error
	for _, name := range names[:len(names)-mostSheets] {
		errs = append(errs, os.Remove(name))
	}
	return errors.Join(errs...)
}
