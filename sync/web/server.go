// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"embed"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzhttp"

	"boardd/rules/openings"
	"boardd/rules/say"
	"boardd/sync/crowd"
	"boardd/sync/web/lean"
	"boardd/sync/wire"
)

//go:embed page
var page embed.FS

// pageFiles serves what is in the folder page, to all servers of the program.
var pageFiles = sync.OnceValue(func() http.Handler {
	h, err := lean.Handler(page, "page")
	if err != nil {
		panic(err) // the folder is embedded: see above
	}
	return h
})

// Board is one board, as this package needs it.
type Board struct {
	ID      string
	Feed    *Feed
	Command func(context.Context, wire.Command, Visitor) wire.Reply // sends a command to the board's loop
	Hands   Hands                                                   // nil on a real board
	// the stored game as a game file, nil while there is none; nil: never any
	PGN func() []byte

	Diagnostics Diagnostics // nil: there is no workshop page
	Games       GameStore   // nil: no game is kept
}

// maxBody is the largest request body, in bytes: a command with a long stack FEN is below 2 KiB.
const maxBody = 16 << 10

// Server answers for the boards of one daemon.
type Server struct {
	boards        []*Board
	byID          map[string]*Board
	access        Access
	version       string
	wallGameCache gameCache
	opponents     Opponents
	wall          wall
	lessons       []lesson

	settings    http.Handler
	calibration *Calibration
	limits      rateLimits
	costlyTurns crowd.Turns // slow answers under way
	answers     sync.Map    // of each board, by its id: *answerCache
	openings    func() *openings.Book
	log         *slog.Logger // nil: nothing is logged
}

// Options are what the page needs beside the boards: who may do what, and what it shows of the program.
type Options struct {
	Access  Access
	Version string
	// follows every board of the broker until the context ends; nil: the wall shows only those of this daemon
	FollowAll   func(context.Context, UpdateFunc)
	Calibration *Calibration   // the running calibration; nil: none
	Hosts       []string       // names of this machine, beside its own
	Log         *slog.Logger   // nil: nothing is logged
	Opponents   Opponents      // who can be asked to play at another board; nil: nobody
	WallGames   func() []Story // games for the wall when nothing happens; nil: none
	// answers below /api/first, to everybody, and there is no other page; nil: the board is configured
	FirstStart http.Handler
	Settings   http.Handler // answers below /api/settings; nil: settings are not changed here
}

// loginPath is where a token is shown once.
const loginPath = "/api/login"

// Handler serves the page and the interface of docs/contract.md for these boards.
func Handler(o Options, boards ...*Board) http.Handler {
	s := &Server{boards: boards, byID: map[string]*Board{}, access: o.Access, version: o.Version,
		wallGameCache: gameCache{read: o.WallGames}, opponents: o.Opponents, calibration: o.Calibration,
		costlyTurns: crowd.Turns{AtOnce: maxCostly}, log: o.Log, lessons: playLessons(), settings: o.Settings,
		openings: sync.OnceValue(openings.Open)}
	if s.settings == nil {
		s.settings = http.HandlerFunc(noSettings)
	}
	if s.wall.followAll = o.FollowAll; o.FollowAll == nil {
		s.wall.followAll = s.followOwn
	}
	for _, b := range boards {
		s.byID[b.ID] = b
	}
	mux := http.NewServeMux()
	// What does not change is sent compressed to who takes it so; events are not, since each has to leave at once.
	still := func(path string, h http.Handler) { mux.Handle("GET "+path, gzhttp.GzipHandler(h)) }
	still("/", pageFiles())
	still("/games.js", http.HandlerFunc(gamesModule))
	still("/languages.js", http.HandlerFunc(languagesModule))
	still("/words/{file}", http.HandlerFunc(texts))
	still("/words/{part}/{file}", http.HandlerFunc(textsPart))
	mux.HandleFunc("GET /icon-192.png", icon)
	mux.HandleFunc("GET /icon-512.png", icon)
	for _, method := range []string{"GET ", "POST "} {
		if o.FirstStart != nil {
			mux.Handle(method+"/api/first", o.FirstStart)
			mux.Handle(method+"/api/first/", o.FirstStart)
		}
	}
	for path, sheet := range htmlPages {
		if path == "/{$}" && o.FirstStart != nil {
			sheet = firstStartPage
		}
		still(path, sheet.serve())
	}
	mux.HandleFunc("GET /api/settings", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("POST /api/settings", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("POST /api/settings/undo", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("POST /api/settings/redo", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("POST /api/settings/restart", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("GET /api/settings/keys", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("POST /api/settings/keys", s.need(Workshop, s.settings.ServeHTTP))
	mux.HandleFunc("GET /api/rules", s.serveLessons)
	mux.HandleFunc("GET /api/openapi.json", s.openAPI)
	mux.HandleFunc("GET /api/asyncapi.json", s.asyncAPI)
	mux.HandleFunc("GET "+loginPath, s.login)
	mux.HandleFunc("POST "+loginPath, s.login)
	mux.HandleFunc("GET /api/boards", s.need(Spectator, s.listBoards))
	mux.HandleFunc("GET /api/boards/{board}/game", s.need(Spectator, s.state("game")))
	mux.HandleFunc("GET /api/boards/{board}/leds", s.need(Spectator, s.state("leds")))
	mux.HandleFunc("GET /api/boards/{board}/wood", s.need(Spectator, s.wood))
	mux.HandleFunc("GET /api/boards/{board}/events", s.need(Spectator, s.events))
	mux.HandleFunc("GET /api/boards/{board}/senses", s.need(Workshop, s.senses))
	mux.HandleFunc("GET /api/boards/{board}/minute", s.need(Workshop, s.minute))
	mux.HandleFunc("GET /api/boards/{board}/traces", s.need(Workshop, s.traces))
	mux.HandleFunc("GET /api/boards/{board}/traces/{name}", s.need(Workshop, s.trace))
	mux.HandleFunc("POST /api/boards/{board}/lights", s.need(Workshop, s.light))
	mux.HandleFunc("GET /api/calibration/events", s.need(Workshop, s.calibrationEvents))
	mux.HandleFunc("POST /api/calibration", s.need(Workshop, s.calibrationAnswer))
	mux.HandleFunc("GET /api/wall/events", s.need(Spectator, s.wallEvents))
	mux.HandleFunc("GET /api/wall/games", s.need(Spectator, s.limitCostly(s.wallGames)))
	mux.HandleFunc("GET /api/events", s.need(Spectator, s.allEvents))
	mux.HandleFunc("GET /api/boards/{board}/story", s.need(Spectator, s.limitCostly(s.story)))
	mux.HandleFunc("GET /api/boards/{board}/pgn", s.need(Spectator, s.limitCostly(s.pgn)))
	mux.HandleFunc("GET /api/boards/{board}/games", s.need(Spectator, s.limitCostly(s.storedGames)))
	mux.HandleFunc("GET /api/boards/{board}/games/{game}", s.need(Spectator, s.limitCostly(s.storedGame)))
	mux.HandleFunc("GET /api/boards/{board}/games/{game}/pgn", s.need(Spectator, s.limitCostly(s.storedPGN)))
	mux.HandleFunc("POST /api/boards/{board}/games/{game}/analysis", s.need(Player, s.limitCostly(s.analyse)))
	mux.HandleFunc("GET /api/boards/{board}/why", s.need(Spectator, s.limitCostly(s.why)))
	mux.HandleFunc("GET /api/boards/{board}/opening", s.need(Spectator, s.limitCostly(s.opening)))
	mux.HandleFunc("POST /api/boards/{board}/command", s.need(Player, s.command))
	mux.HandleFunc("POST /api/boards/{board}/hand", s.need(Player, s.hand))
	mux.HandleFunc("GET /api/opponent", s.need(Spectator, s.opponent))
	mux.HandleFunc("POST /api/opponent", s.need(Player, s.opponent))
	mux.HandleFunc("GET /api/boards/{board}/drop", s.need(Player, s.drop))
	return deadline(refuseForeign(RequireOwnName(o.Hosts, s.limitRate(s.limitGuesses(mux)))))
}

// noSettings answers where there is no file to be changed, as in the demo.
func noSettings(w http.ResponseWriter, _ *http.Request) {
	fail(w, http.StatusNotFound, say.Error("this program was started without a configuration file: there is nothing "+
		"to change"))
}

// refuseForeign refuses what no page of ours sends: requests from other sites and bodies without bound. On a listener
// bound to loopback, a name that is not this machine's is refused. So no foreign page can reach it by a name of its
// own.
func refuseForeign(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		if !isLoopbackName(r) {
			fail(w, http.StatusForbidden, say.Error("this listener answers to localhost and 127.0.0.1, not to %q", r.Host))
			return
		}
		if r.Method == http.MethodPost && !sameOrigin(r) {
			fail(w, http.StatusForbidden, say.Error("requests from other sites are refused"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func isLoopbackName(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return true
	}
	if tcp, ok := at.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return true
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	_, host, _ := strings.Cut(origin, "://")
	return origin == "" || host == r.Host && hasScriptHeader(r)
}

// hasScriptHeader reports whether a request has a header that a form or a link cannot send. A script of another site
// could send it only with permission, which none has. Programs other than browsers send no Origin, and need none.
func hasScriptHeader(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return r.Header.Get("X-Boardd") != "" || kind == "application/json"
}

func (s *Server) listBoards(w http.ResponseWriter, _ *http.Request) {
	ids := []string{}
	for _, b := range s.boards {
		ids = append(ids, b.ID)
	}
	write(w, http.StatusOK, ids)
}

// board finds the board that a request names. If there is none it answers the request.
func (s *Server) board(w http.ResponseWriter, r *http.Request) *Board {
	b := s.byID[r.PathValue("board")]
	if b == nil {
		var known []string
		for _, b := range s.boards {
			known = append(known, b.ID)
		}
		fail(w, http.StatusNotFound, say.Error("no board %q here: there are %s", r.PathValue("board"),
			strings.Join(known, ", ")))
	}
	return b
}

func (s *Server) state(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := s.board(w, r)
		if b == nil {
			return
		}
		data := b.Feed.Get(name)
		if data == nil {
			fail(w, http.StatusServiceUnavailable, say.Error("the board %s has no %s yet: try again in a moment", b.ID, name))
			return
		}
		write(w, http.StatusOK, data)
	}
}

func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	b := s.board(w, r)
	if b == nil {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, say.Error("the command is larger than %d bytes", maxBody))
		return
	}
	c, err := wire.DecodeCommand(body)
	if err != nil {
		write(w, http.StatusBadRequest, wire.Reply{ID: c.ID, Error: err.Error(), Said: wire.Sentences(say.Of(err))})
		return
	}
	right := Player
	if c.Do == wire.DoSettle { // it may have another key believed
		right = Workshop
	}
	s.need(right, func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), commandTimeout)
		defer cancel()
		write(w, http.StatusOK, b.Command(ctx, c, s.access.visitor(r))) // a refusal is an answer too: the reply says so
	})(w, r)
}

// events streams one board, as docs/contract.md says.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if b := s.board(w, r); b != nil {
		s.stream(w, r, channel{feed: b.Feed})
	}
}

// allEvents streams every board of this daemon in one connection, because a browser opens only six. Names of events
// begin with the board.
func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) {
	var cs []channel
	for _, b := range s.boards {
		cs = append(cs, channel{prefix: b.ID + "/", feed: b.Feed})
	}
	s.stream(w, r, cs...)
}

// read reads the JSON of a request.
func read(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return say.Error("the request is larger than %d bytes", maxBody)
	}
	return wire.Unmarshal(body, into)
}

func write(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, status, data)
}

func writeJSON(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(data[:len(data):len(data)], '\n')) //nolint:errcheck // the other side has gone: nobody is left to tell
}

// fail answers with a refusal in English and, if it has codes, with these for translation.
func fail(w http.ResponseWriter, status int, err error) {
	answer := map[string]any{"ok": false, "error": err.Error()}
	if said := wire.Sentences(say.Of(err)); said != nil {
		answer["said"] = said
	}
	write(w, status, answer)
}
