// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"net/http"
	"sync"

	"boardd/rules"
	"boardd/sync/wire"
)

// UpdateFunc takes news of one board: its game, or whether it is online. A nil pointer: no change. Both nil: the board
// is known here, and keeps its place. It may be called from any goroutine and does not wait.
type UpdateFunc func(board string, game *wire.Game, online *bool)

// wall is every board that can be seen, of this daemon or of its broker. They are followed only while somebody looks
// at the wall.
type wall struct {
	followAll func(context.Context, UpdateFunc)

	mu      sync.Mutex
	feed    *Feed // for those who look now; nil when nobody does
	seen    map[string]*wallBoard
	known   map[string]bool // boards that are known here
	viewers int
	stop    context.CancelFunc
	done    chan struct{}
}

// wallBoard is what the wall shows of one board.
type wallBoard struct {
	Board   string        `json:"board"`
	Online  bool          `json:"online"`
	Game    string        `json:"game,omitempty"`
	Variant string        `json:"variant,omitempty"`
	White   string        `json:"white,omitempty"`
	Black   string        `json:"black,omitempty"`
	FEN     string        `json:"fen,omitempty"`
	Turn    string        `json:"turn,omitempty"`
	Check   bool          `json:"check,omitempty"`
	Plies   int           `json:"plies"`
	Move    string        `json:"move,omitempty"` // the last one, coordinate form
	SAN     string        `json:"san,omitempty"`
	Outcome string        `json:"outcome,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	State   string        `json:"state,omitempty"`
	Clock   *wire.Clock   `json:"clock,omitempty"`
	Names   *wire.Names   `json:"names,omitempty"`
	Problem *wire.Problem `json:"problem,omitempty"`

	away bool // it said that it is offline
}

// setGame takes a game over.
func (t *wallBoard) setGame(g *wire.Game) {
	// The two boards of one game publish the same seats, and each has one of them. So a board that claims the id and the
	// seats of another table's game does not hide that table.
	t.Game = g.Game + " " + g.Seats.White + " " + g.Seats.Black
	if t.Board != g.Seats.White && t.Board != g.Seats.Black {
		t.Game += " at " + t.Board
	}
	t.Variant, t.White, t.Black = g.Variant, g.Seats.White, g.Seats.Black
	t.FEN, t.Turn, t.Check, t.Plies = g.FEN, g.Turn, g.Check, len(g.Moves)
	t.Outcome, t.Reason, t.State, t.Clock, t.Names, t.Problem = g.Outcome, g.Reason, g.Wood.State, g.Clock, g.Names,
		g.Problem
	t.Move, t.SAN = "", ""
	if n := len(g.Moves); n > 0 && len(g.SAN) == n {
		t.Move, t.SAN = g.Moves[n-1], g.SAN[n-1]
	}
}

// isDrawable reports whether the game of a board can be drawn. A position that the rules refuse is not sent to
// browsers.
func isDrawable(g *wire.Game) bool {
	v, err := rules.ByID(g.Variant)
	if err == nil {
		_, err = v.ParseFEN(g.FEN)
	}
	return err == nil
}

// maxWallBoards is the largest number of boards of a wall, so that a broker full of names does not fill the memory.
const maxWallBoards = 1000

// enter counts a viewer and returns the feed. The boards are followed from the first viewer to the last.
func (l *wall) enter() (*Feed, func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.viewers++; l.viewers == 1 {
		ctx, stop := context.WithCancel(context.Background())
		feed, done := NewFeed(), make(chan struct{})
		l.feed, l.seen, l.stop, l.done = feed, map[string]*wallBoard{}, stop, done
		l.known = map[string]bool{}
		go func() {
			defer close(done)
			l.followAll(ctx, func(board string, g *wire.Game, online *bool) { l.update(feed, board, g, online) })
		}()
	}
	return l.feed, l.leave
}

func (l *wall) leave() {
	l.mu.Lock()
	if l.viewers--; l.viewers > 0 {
		l.mu.Unlock()
		return
	}
	l.feed = nil
	l.stop()
	done := l.done
	l.mu.Unlock()
	<-done
}

// update takes in news of a board. News for a feed that has ended is ignored.
func (l *wall) update(feed *Feed, board string, g *wire.Game, online *bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if feed != l.feed {
		return
	}
	if g == nil && online == nil {
		l.known[board] = true
		return
	}
	t := l.seen[board]
	if t == nil {
		// On a full wall a status without a game was not kept. So a game that moves tells that its board is online.
		t = &wallBoard{Board: board, Online: g != nil && len(l.seen) >= maxWallBoards}
	}
	if g != nil && isDrawable(g) {
		t.setGame(g)
	}
	if online != nil {
		t.Online, t.away = *online, !*online
	}
	if l.seen[board] == nil && !l.makeRoom(feed, t) {
		return
	}
	l.seen[board] = t
	feed.Set(board, t)
}

// makeRoom reports whether there is a place for one more board. On a full wall it takes the place of another one that
// counts less.
func (l *wall) makeRoom(feed *Feed, t *wallBoard) bool {
	if len(l.seen) < maxWallBoards {
		return true
	}
	least, weight := "", l.weight(t)
	for name, other := range l.seen {
		if w := l.weight(other); w < weight {
			least, weight = name, w
		}
	}
	if least != "" {
		delete(l.seen, least)
		feed.Drop(least)
	}
	return least != ""
}

// weight is how much a board counts where not all have a place. Those that are known here come first, then those where
// something goes on. A board whose game came before its status may be online.
func (l *wall) weight(t *wallBoard) (n int) {
	switch {
	case t.FEN == "" || t.away:
	case t.Outcome == "" && t.Plies > 0:
		n = 3
	case t.Outcome == "":
		n = 2
	default:
		n = 1
	}
	if l.known[t.Board] {
		n += 4
	}
	return n
}

// wallEvents streams the wall: one event "board" for every board that has changed.
func (s *Server) wallEvents(w http.ResponseWriter, r *http.Request) {
	feed, leave := s.wall.enter()
	defer leave()
	s.stream(w, r, channel{name: "board", feed: feed})
}

// wallGames answers with the stored games that the wall plays when nothing happens.
func (s *Server) wallGames(w http.ResponseWriter, _ *http.Request) {
	data, err := s.wallGameCache.get()
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	writeJSON(w, http.StatusOK, data)
}

// followOwn follows only the boards of this daemon, if there is no broker.
func (s *Server) followOwn(ctx context.Context, tell UpdateFunc) {
	var all sync.WaitGroup
	for _, b := range s.boards {
		all.Go(func() { followBoard(ctx, b, tell) })
	}
	all.Wait()
}

// followBoard tells of one board until ctx ends.
func followBoard(ctx context.Context, b *Board, tell UpdateFunc) {
	here := true
	for {
		changed := b.Feed.Changed()
		if g, err := wire.DecodeGame(b.Feed.Get("game")); err == nil {
			tell(b.ID, &g, &here)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
