// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/rules/say"
	"boardd/sync/wire"
)

// Story is a game with all its positions, so that a page can step through it without knowing the rules.
type Story struct {
	Game        string       `json:"game"`
	Variant     string       `json:"variant"`
	White       string       `json:"white"`
	Black       string       `json:"black"`
	Outcome     string       `json:"outcome"`
	Reason      string       `json:"reason"`
	Moves       []string     `json:"moves"` // coordinate moves
	SAN         []string     `json:"san"`
	FENs        []string     `json:"fens"`               // one more than moves: before the first, after each
	Unstored    bool         `json:"unstored,omitempty"` // the newest of it could not be stored yet
	Evaluations []Evaluation `json:"judged,omitempty"`   // of the same positions, as far as they were analysed
}

// NewStory makes the story of a game file.
func NewStory(g *pgn.Game) Story {
	t := Story{Variant: g.Variant.ID(), White: g.Tag("White"), Black: g.Tag("Black"), Outcome: g.Result,
		Reason: g.Tag("Termination"),
		Moves:  []string{}, SAN: []string{}, FENs: []string{g.Start.FEN()}}
	p := g.Start
	for _, ply := range g.Plies {
		t.Moves, t.SAN = append(t.Moves, p.Coord(ply.Move)), append(t.SAN, ply.SAN)
		p.Play(ply.Move)
		t.FENs = append(t.FENs, p.FEN())
	}
	if r := p.Result(); r != rules.Playing {
		t.Reason = string(r)
	}
	return t
}

// gameFile is a game message in the form of a game file.
func gameFile(g *wire.Game) (*pgn.Game, error) {
	v, err := rules.ByID(g.Variant)
	if err != nil {
		return nil, err
	}
	p, err := v.ParseFEN(g.Start)
	if err != nil {
		return nil, err
	}
	f := &pgn.Game{Variant: v, Start: p, Result: g.Outcome}
	if f.Result == "" {
		f.Result = "*"
	}
	f.Tags = []pgn.Tag{{Name: "White", Value: playerName(g, "white")}, {Name: "Black", Value: playerName(g, "black")}}
	for i, name := range g.Moves {
		m, err := p.ParseMove(name)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		f.Plies = append(f.Plies, pgn.Ply{Move: m, SAN: p.SAN(m), Clock: -time.Second})
		p.Play(m)
	}
	return f, nil
}

// playerName is who plays a side, by name where it is known.
func playerName(g *wire.Game, side string) string {
	if n := g.Names; n != nil {
		if name := map[string]string{"white": n.White, "black": n.Black}[side]; name != "" {
			return name
		}
	}
	return g.Seats.By(side)
}

// game reads the newest game of the board that a request names. If there is none it answers the request.
func (s *Server) game(w http.ResponseWriter, r *http.Request) (*Board, *wire.Game) {
	b := s.board(w, r)
	if b == nil {
		return nil, nil
	}
	data := b.Feed.Get("game")
	if data == nil {
		fail(w, http.StatusServiceUnavailable, say.Error("the board %s has no game yet: try again in a moment", b.ID))
		return nil, nil
	}
	g, err := wire.DecodeGame(data)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return nil, nil
	}
	return b, &g
}

// story answers with every position of the game.
func (s *Server) story(w http.ResponseWriter, r *http.Request) {
	s.answerCached(w, r, "story", func(g *wire.Game) (any, error) {
		f, err := gameFile(g)
		if err != nil {
			return nil, err
		}
		t := NewStory(f)
		t.Game, t.Outcome, t.Reason, t.Unstored = g.Game, g.Outcome, g.Reason, g.Unstored
		return t, nil
	})
}

// pgn answers with the game as a file, to be kept or asked for repeatedly. As long as it has not changed, it is not
// sent again.
func (s *Server) pgn(w http.ResponseWriter, r *http.Request) {
	b, g := s.game(w, r)
	if g == nil {
		return
	}
	var text []byte
	if b.PGN != nil {
		text = b.PGN()
	}
	if text == nil {
		fail(w, http.StatusServiceUnavailable, say.Error("the board %s has no stored game yet: try again in a moment",
			b.ID))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-chess-pgn; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.pgn"`, headerFileName(b.ID+"-"+g.Game)))
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(text)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// headerFileName is a name that can stand in the header of an answer.
func headerFileName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(`"\/`, c) || c < ' ' {
			return '-'
		}
		return c
	}, name)
}

// GameStore holds the games that a board keeps, and their analyses. The errors are for people: they say which game,
// and what is wrong with it.
type GameStore interface {
	// Games lists the kept games, the newest first. Of those from files it skips as many as after says. If next is not 0,
	// there are more, after this many.
	Games(after int) (games []StoredGame, next int, err error)
	Game(id string) (Story, error) // with its analysis, if that may be shown
	PGN(id string) ([]byte, error) // as a game file
	Analyse(id string) error       // begins, in the background
	StopAnalysis(id string)        // ends it; results are kept
}

// StoredGame is one game of a game store.
type StoredGame struct {
	Game     string `json:"game"`
	Variant  string `json:"variant"`
	White    string `json:"white"`
	Black    string `json:"black"`
	Date     string `json:"date"` // as in 2026-11-23, "" if it is not known
	Time     string `json:"time"` // of that day, as in 19:40, "" if it is not known
	Outcome  string `json:"outcome"`
	Plies    int    `json:"plies"`
	Analysed int    `json:"analysed"` // number of analysed positions, of plies + 1
}

// Evaluation is an engine's evaluation of a position: the best lines. There are none if no move is legal.
type Evaluation struct {
	Depth int    `json:"depth"` // search depth in plies
	Lines []Line `json:"lines"`
}

// Line is one line of moves, the best first, with its score for White.
type Line struct {
	Centipawns int      `json:"cp"`   // hundredths of a pawn
	Mate       int      `json:"mate"` // moves to the mate, negative if Black mates; 0 for none
	Moves      []string `json:"moves"`
	SAN        []string `json:"san"`
}

// AnalysisProgress is how far the analysis of a game has come.
type AnalysisProgress struct {
	Game    string `json:"game"` // "" for none
	Done    int    `json:"done"` // positions
	Total   int    `json:"of"`
	Waits   string `json:"waits"`   // why nothing is analysed now: remote, lichess, engine; "" if it goes on
	Queue   int    `json:"queue"`   // games that come after it
	Trouble string `json:"trouble"` // why the analysis was given up

	Said []wire.Sentence `json:"said,omitempty"` // the trouble, for catalogues of other languages
}

// AnalysisStopped is the progress of an analysis that was given up for a reason, nil for none.
func AnalysisStopped(why error) AnalysisProgress {
	if why == nil {
		return AnalysisProgress{}
	}
	return AnalysisProgress{Trouble: why.Error(), Said: wire.Sentences(say.Of(why))}
}

// gameStore finds the game store of the board that a request names. If there is none it answers the request.
func (s *Server) gameStore(w http.ResponseWriter, r *http.Request) GameStore {
	b := s.board(w, r)
	if b == nil {
		return nil
	}
	if b.Games == nil {
		fail(w, http.StatusNotFound, say.Error("the board %s keeps no games", b.ID))
		return nil
	}
	return b.Games
}

// storedGames answers with the kept games. If there are more, the header Link has the address of the next ones (RFC
// 8288).
func (s *Server) storedGames(w http.ResponseWriter, r *http.Request) {
	games := s.gameStore(w, r)
	if games == nil {
		return
	}
	after, _ := strconv.Atoi(r.FormValue("after")) // none: from the first one on
	list, next, err := games.Games(max(after, 0))
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	if next > 0 {
		w.Header().Set("Link", fmt.Sprintf(`<games?after=%d>; rel="next"`, next))
	}
	write(w, http.StatusOK, append([]StoredGame{}, list...))
}

// storedGame answers with a kept game.
func (s *Server) storedGame(w http.ResponseWriter, r *http.Request) {
	games := s.gameStore(w, r)
	if games == nil {
		return
	}
	story, err := games.Game(r.PathValue("game"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	write(w, http.StatusOK, story)
}

// storedPGN answers with a kept game as a game file.
func (s *Server) storedPGN(w http.ResponseWriter, r *http.Request) {
	games := s.gameStore(w, r)
	if games == nil {
		return
	}
	text, err := games.PGN(r.PathValue("game"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-chess-pgn; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.pgn"`, headerFileName(r.PathValue("game"))))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// analyse begins or ends the analysis of a game.
func (s *Server) analyse(w http.ResponseWriter, r *http.Request) {
	games := s.gameStore(w, r)
	if games == nil {
		return
	}
	var wish struct {
		On *bool `json:"on"`
	}
	err := read(r, &wish)
	if err == nil && wish.On == nil {
		err = say.Error(`want {"on":true} to have the game analysed, or {"on":false} to end that`)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	if !*wish.On {
		games.StopAnalysis(r.PathValue("game"))
	} else if err := games.Analyse(r.PathValue("game")); err != nil {
		fail(w, http.StatusConflict, err)
		return
	}
	write(w, http.StatusOK, map[string]any{"ok": true})
}

// gameCache is a cache of the stored games.
type gameCache struct {
	read func() []Story

	mu     sync.Mutex
	at     time.Time
	answer []byte
}

func (t *gameCache) get() ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answer != nil && time.Since(t.at) < wallGamesTTL {
		return t.answer, nil
	}
	games := []Story{}
	if t.read != nil {
		games = append(games, t.read()...)
	}
	data, err := json.Marshal(games)
	t.at, t.answer = time.Now(), data
	return data, err
}
