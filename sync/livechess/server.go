// SPDX-License-Identifier: Apache-2.0

package livechess

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"boardd/sync/crowd"
	"boardd/sync/wire"
)

// Source is a board: its newest game message, nil while there is none, and a channel that is closed at the next
// change. The message is one that is stored.
type Source struct {
	ID      string
	Game    func() []byte
	Changed func() <-chan struct{}
}

// What one program may do.
const (
	mostPrograms = 32
	mostFeeds    = 16
	mostRequest  = 16 << 10 // bytes
	patience     = 5 * time.Second
	pingEvery    = 20 * time.Second
)

// What all programs together may ask, in requests: a second, and at once. For each one a whole game may be played
// through.
const (
	askRate  = 50
	askBurst = 100
)

// server answers programs.
type server struct {
	boards  []Source
	origins []string
	room    *crowd.Room // mostPrograms
	pace    crowd.Turns
}

// Handler serves /api/v1.0 and /api/v1.0/eboards. Pages of other sites are answered only if their hosts, such as
// lichess.org, are among the origins. Programs other than browsers send no origin.
func Handler(origins []string, boards ...Source) http.Handler {
	s := &server{boards: boards, origins: origins, room: crowd.NewRoom(mostPrograms, mostPrograms),
		pace: crowd.Turns{Rate: askRate, AtOnce: askBurst}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1.0", s.talk)
	mux.HandleFunc("GET /api/v1.0/eboards", func(w http.ResponseWriter, r *http.Request) {
		if !s.pace.Take(r.Context(), caller(r), patience) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many ask: wait a second", http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(encode(s.eboards())) //nolint:errcheck // nobody is left to tell
	})
	return mux
}

// eboard is a board in the list.
type eboard struct {
	Serial  string  `json:"serialnr"`
	Source  string  `json:"source"`
	State   string  `json:"state"` // ACTIVE, or INACTIVE while it plays no orthodox game
	Battery *string `json:"battery"`
	Comment *string `json:"comment"`
	Board   string  `json:"board"` // the first field of the FEN
	Flipped bool    `json:"flipped"`
	Clock   *string `json:"clock"`
}

// eboards lists the boards. Those that can be used come first, because some programs take the first one.
func (s *server) eboards() []eboard {
	list := []eboard{}
	for _, active := range []bool{true, false} {
		for _, b := range s.boards {
			g := orthodox(b.Game())
			if (g != nil) != active {
				continue
			}
			e := eboard{Serial: b.ID, Source: "boardd", State: "INACTIVE", Board: empty}
			if active {
				e.State, e.Board = "ACTIVE", placement(g.FEN)
			}
			list = append(list, e)
		}
	}
	return list
}

// empty is a board without pieces.
const empty = "8/8/8/8/8/8/8/8"

// orthodox reads a game, nil if it is not chess.
func orthodox(message []byte) *wire.Game {
	g, err := wire.DecodeGame(message)
	if err != nil || g.Variant != "chess" || len(g.SAN) != len(g.Moves) {
		return nil
	}
	return &g
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("livechess: " + err.Error()) // types of this package
	}
	return data
}

// caller is who asks: hosts take turns, and then their connections.
func caller(r *http.Request) crowd.Caller {
	return crowd.Caller{By: []string{crowd.Host(r.RemoteAddr), r.RemoteAddr}}
}

// talk serves one program until it leaves, or until a program of a host that has fewer needs its place.
func (s *server) talk(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	place := s.room.Enter(crowd.Host(r.RemoteAddr), stop)
	defer place.Leave()
	place.Ask().Reached(crowd.Streaming)
	if ctx.Err() != nil {
		http.Error(w, "too many programs look on already", http.StatusServiceUnavailable)
		return
	}
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: s.origins})
	if err != nil {
		return // it has been answered
	}
	defer c.CloseNow() //nolint:errcheck // it has gone
	c.SetReadLimit(mostRequest)
	p := &program{server: s, feeds: map[float64]*feed{}}
	requests := make(chan []byte)
	go func() {
		defer stop()
		for {
			_, data, err := c.Read(ctx)
			if err != nil {
				return
			}
			if !s.pace.Take(ctx, caller(r), patience) {
				return
			}
			select {
			case requests <- data:
			case <-ctx.Done():
				return
			}
		}
	}()
	s.serve(ctx, c, p, requests)
}

// serve answers requests, and says what is new on the boards that the program has subscribed to.
func (s *server) serve(ctx context.Context, c *websocket.Conn, p *program, requests <-chan []byte) {
	changed := make(chan struct{}, 1)
	for _, b := range s.boards {
		go watch(ctx, b, changed)
	}
	alive := time.NewTicker(pingEvery)
	defer alive.Stop()
	say := func(messages [][]byte) bool {
		for _, m := range messages {
			within, cancel := context.WithTimeout(ctx, patience)
			err := c.Write(within, websocket.MessageText, m)
			cancel()
			if err != nil {
				return false
			}
		}
		return true
	}
	for {
		var out [][]byte
		select {
		case data := <-requests:
			answer, about := p.answer(data, time.Now())
			out = append([][]byte{answer}, p.news(time.Now(), about)...)
		case <-changed:
			out = p.news(time.Now(), slices.Sorted(maps.Keys(p.feeds)))
		case <-alive.C:
			within, cancel := context.WithTimeout(ctx, patience)
			err := c.Ping(within)
			cancel()
			if err != nil {
				return
			}
		case <-ctx.Done():
			return
		}
		if !say(out) {
			return
		}
	}
}

// watch tells of each change of a board until ctx ends.
func watch(ctx context.Context, b Source, changed chan<- struct{}) {
	for {
		next := b.Changed()
		select {
		case changed <- struct{}{}:
		default: // it will be looked at
		}
		select {
		case <-next:
		case <-ctx.Done():
			return
		}
	}
}
