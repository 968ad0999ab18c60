// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/rules"
)

// server is a fake server with the public interface and the faults of a busy, distant one.
type server struct {
	t      *testing.T
	random *rand.Rand

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when something has changed
	games    []*match
	asked    []string // requests, without the streams
	busy     int      // answers 429 to this many requests
	refuse   int      // refuses this many moves
	twice    bool     // says each line twice
	cut      int      // ends a stream after this many lines, 0: never
	drift    time.Duration
	declines bool // a challenge
	now      int  // requests at this moment
	down     bool // ends all streams

	challenges []challenge // of others to the account
	holds      bool        // nobody is found for a seek, and nobody answers a challenge
	ends       int         // this many seeks end after a minute without a game
	waiting    int         // seeks and challenges that are held open
}

// challenge is one of somebody else to the account.
type challenge struct {
	id, color, speed, variant, fen string // color is the challenger's
	direction                      string
}

// match is one game there.
type match struct {
	id, side  string // side of the account
	fen       string // "" for the array
	start     rules.Position
	pos       rules.Position
	moves     []string
	left      [2]time.Duration
	since     time.Time
	status    string
	winner    string
	draw      [2]bool
	back      [2]bool
	wantsDraw bool // the opponent offers a draw after its next move
	silent    bool // the opponent does not move
	yields    bool // it takes back and draws when it is asked
	expires   bool
}

func newServer(t *testing.T) *server {
	return &server{t: t, random: rand.New(rand.NewPCG(4, 25)), changed: make(chan struct{})}
}

// requests returns the requests until now, without streams. last is the last game, count the number of games.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *server) last() match {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.games[len(s.games)-1]
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.games)
}

// change lets something happen, and tells the streams.
func (s *server) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

func index(side string) int {
	if side == "black" {
		return 1
	}
	return 0
}

// begin begins a game.
func (s *server) begin(side, fen string) *match {
	v, err := rules.ByID("chess")
	if err != nil {
		s.t.Fatal(err)
	}
	m := &match{id: fmt.Sprintf("abcd%04d", len(s.games)), side: side, fen: fen, start: v.Start(), status: "started",
		since: time.Now(), left: [2]time.Duration{15 * time.Minute, 15 * time.Minute}}
	if fen != "" {
		if m.start, err = v.ParseFEN(fen); err != nil {
			s.t.Fatal(err)
		}
	}
	m.pos = m.start
	s.games = append(s.games, m)
	if m.pos.Turn().String() != side {
		s.reply(m)
	}
	return m
}

// play makes a move, by whoever is to move.
func (s *server) play(m *match, move string) bool {
	mv, err := m.pos.ParseMove(move)
	if err != nil || m.status != "started" {
		return false
	}
	side := index(m.pos.Turn().String())
	if len(m.moves) > 1 {
		m.left[side] += 10*time.Second - time.Since(m.since)
	}
	m.since = time.Now()
	m.moves = append(m.moves, m.pos.Coord(mv))
	m.draw[1-side] = false
	m.back = [2]bool{}
	m.pos.Play(mv)
	if r := m.pos.Result(); r == rules.Checkmate {
		m.status, m.winner = "mate", []string{"white", "black"}[side]
	} else if r != rules.Playing {
		m.status = "draw"
	}
	return true
}

// reply lets the opponent move a while later.
func (s *server) reply(m *match) {
	after := time.Duration(2+s.random.IntN(5)) * time.Second
	time.AfterFunc(after, func() {
		s.change(func() {
			if m.status != "started" || m.pos.Turn().String() == m.side || m.silent {
				return
			}
			legal := m.pos.AppendMoves(nil)
			s.play(m, m.pos.Coord(legal[s.random.IntN(len(legal))]))
			if m.wantsDraw {
				m.wantsDraw, m.draw[1-index(m.side)] = false, true
			}
		})
	})
}

// line is the state of a game.
func (s *server) line(m *match) string {
	left := m.left
	if len(m.moves) > 1 && m.status == "started" {
		left[index(m.pos.Turn().String())] -= time.Since(m.since)
	}
	expires := ""
	if m.expires && len(m.moves) < 2 {
		expires = `,"expiration":{"idleMillis":2000,"millisToMove":28000}`
	}
	return fmt.Sprintf(`"type":"gameState","moves":%q,"wtime":%d,"btime":%d,"winc":10000,"binc":10000,"status":%q,"winner":%q,"wdraw":%t,"bdraw":%t,"wtakeback":%t,"btakeback":%t%s`,
		strings.Join(m.moves, " "), (left[0] + s.drift).Milliseconds(), (left[1] + s.drift).Milliseconds(), m.status,
		m.winner, m.draw[0], m.draw[1], m.back[0], m.back[1], expires)
}

func (s *server) find(id string) *match {
	for _, m := range s.games {
		if m.id == id {
			return m
		}
	}
	return nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer secret" {
		http.Error(w, `{"error":"No such token"}`, http.StatusUnauthorized)
		return
	}
	switch path := r.URL.Path; {
	case path == "/api/stream/event":
		told := map[string]string{}
		s.stream(w, r, func() (lines []string) {
			for _, m := range s.games {
				kind := "gameStart"
				if m.status != "started" {
					kind = "gameFinish"
				}
				if told[m.id] != kind && (kind == "gameStart" || told[m.id] != "") {
					told[m.id] = kind
					lines = append(lines,
						fmt.Sprintf(`{"type":%q,"game":{"gameId":%q,"fullId":"x","color":%q,"compat":{"bot":false,"board":true}}}`, kind,
							m.id, m.side))
				}
			}
			for _, c := range s.challenges {
				if told[c.id] == "" {
					told[c.id] = "challenge"
					lines = append(lines,
						fmt.Sprintf(`{"type":"challenge","challenge":{"id":%q,"status":"created","challenger":{"name":"Ben"},"destUser":{"id":"anna"},"variant":{"key":%q},"speed":%q,"color":"random","finalColor":%q,"initialFen":%q,"direction":%q}}`, c.id, c.variant, c.speed, c.color, c.fen, c.direction))
				}
			}
			return lines
		})
	case strings.HasPrefix(path, "/api/board/game/stream/"):
		id := strings.TrimPrefix(path, "/api/board/game/stream/")
		last := ""
		s.stream(w, r, func() []string {
			m := s.find(id)
			if m == nil {
				return []string{"end"}
			}
			line := s.line(m)
			first := last == ""
			key := fmt.Sprint(m.moves, m.status, m.draw, m.back)
			if key == last {
				return nil
			}
			last = key
			out := "{" + line + "}"
			if first {
				fen := m.fen
				if fen == "" {
					fen = "startpos"
				}
				out = fmt.Sprintf(`{"type":"gameFull","id":%q,"rated":false,"variant":{"key":"standard"},"clock":{"initial":900000,"increment":10000},"speed":"rapid","white":{"name":"anna"},"black":{"aiLevel":3},"initialFen":%q,"state":{%s}}`, m.id, fen, line)
			}
			if m.status != "started" {
				return []string{out, "end"}
			}
			return []string{out}
		})
	case s.held(path):
		s.hold(w, r)
	default:
		s.request(w, r)
	}
}

// held reports whether a request is one that is held open until a game begins, which is the fault at work.
func (s *server) held(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holds && (path == "/api/board/seek" || path == "/api/challenge/ben")
}

// hold keeps a seek or a challenge open until whoever asked gives up, or, where seeks end, for a minute.
func (s *server) hold(w http.ResponseWriter, r *http.Request) {
	s.change(func() {
		s.asked = append(s.asked, r.URL.Path)
		s.waiting++
	})
	defer s.change(func() { s.waiting-- })
	end := time.Now().Add(time.Minute)
	s.stream(w, r, func() []string {
		if s.ends > 0 && !time.Now().Before(end) {
			s.ends--
			return []string{"end"}
		}
		return nil
	})
}

// stream sends lines as they come, each twice where that is the fault, and ends after a number of them where that is.
func (s *server) stream(w http.ResponseWriter, r *http.Request, lines func() []string) {
	alive := time.NewTicker(6 * time.Second)
	defer alive.Stop()
	sent := 0
	for {
		s.mu.Lock()
		out, changed, twice, cut, down := lines(), s.changed, s.twice, s.cut, s.down
		s.mu.Unlock()
		if down {
			return
		}
		times := 1
		if twice {
			times = 2
		}
		for _, l := range out {
			if l == "end" {
				return
			}
			for range times {
				if sent++; cut > 0 && sent > cut {
					fmt.Fprint(w, l[:len(l)/2])
					return
				}
				fmt.Fprintln(w, l)
			}
		}
		select {
		case <-changed:
		case <-alive.C:
			fmt.Fprintln(w)
		case <-r.Context().Done():
			return
		}
	}
}

// request answers what is no stream, one at a time.
func (s *server) request(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.now++
	if s.now > 1 {
		s.t.Error("two requests at once")
	}
	s.mu.Unlock()
	time.Sleep(200 * time.Millisecond)
	if err := r.ParseForm(); err != nil {
		s.t.Error(err)
	}
	status, answer := 200, `{"ok":true}`
	s.change(func() {
		s.now--
		s.asked = append(s.asked, r.URL.Path)
		if s.busy > 0 {
			s.busy--
			status, answer = 429, `{"error":"Too many requests"}`
			return
		}
		parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/"), "/")
		switch {
		case r.URL.Path == "/api/challenge/ai":
			if got := r.Form.Get("level") + " " + r.Form.Get("clock.limit") + " " +
				r.Form.Get("clock.increment"); got != "3 900 10" {
				s.t.Errorf("asked for a game of %s", got)
			}
			m := s.begin(r.Form.Get("color"), r.Form.Get("fen"))
			answer = fmt.Sprintf(`{"id":%q}`, m.id)
		case r.URL.Path == "/api/board/seek":
			s.begin(r.Form.Get("color"), "")
		case len(parts) == 3 && parts[0] == "challenge":
			i := slices.IndexFunc(s.challenges, func(c challenge) bool { return c.id == parts[1] })
			switch {
			case i < 0:
				status, answer = 404, `{"error":"No such challenge"}`
			case parts[2] == "accept":
				s.begin([]string{"white", "black"}[1-index(s.challenges[i].color)], s.challenges[i].fen)
			}
		case strings.HasPrefix(r.URL.Path, "/api/challenge/"):
			if !s.declines {
				s.begin(r.Form.Get("color"), "")
			}
		case len(parts) > 3 && parts[0] == "board" && parts[1] == "game":
			m := s.find(parts[2])
			if m == nil || m.status != "started" || !s.act(m, parts[3], slices.Concat(parts[4:], []string{""})[0],
				r.FormValue("offeringDraw") == "true") {
				status, answer = 400, `{"error":"Not your turn, or game already over"}`
			}
		default:
			status, answer = 404, `{"error":"Resource not found"}`
		}
	})
	w.WriteHeader(status)
	fmt.Fprint(w, answer)
}

// act is what the account does in a game. It reports whether it may.
func (s *server) act(m *match, do, what string, offers bool) bool {
	mine := index(m.side)
	switch do {
	case "move":
		if s.refuse > 0 {
			s.refuse--
			return false
		}
		if m.pos.Turn().String() != m.side || !s.play(m, what) {
			return false
		}
		m.draw[mine] = offers
		s.reply(m)
	case "resign":
		m.status, m.winner = "resign", []string{"white", "black"}[1-mine]
	case "abort":
		if len(m.moves) > 1 {
			return false
		}
		m.status = "aborted"
	case "draw":
		switch yes := what == "yes"; {
		case yes && (m.draw[1-mine] || m.yields):
			m.status = "draw"
		case yes:
			m.draw[mine] = true
		default:
			m.draw[1-mine] = false
		}
	case "takeback":
		switch yes := what == "yes"; {
		case yes && m.back[1-mine]: // the opponent goes back to its own turn
			s.back(m, 1-mine)
		case yes && m.yields:
			s.back(m, mine)
		case yes:
			m.back[mine] = true
		default:
			m.back[1-mine] = false
			s.reply(m)
		}
	default:
		return false
	}
	return true
}

// back takes moves back until a side is to move.
func (s *server) back(m *match, side int) {
	n := len(m.moves) - 1
	if index(m.pos.Turn().String()) == side {
		n--
	}
	m.moves, m.back = m.moves[:n:n], [2]bool{}
	m.pos = m.start
	for _, text := range m.moves {
		mv, err := m.pos.ParseMove(text)
		if err != nil {
			s.t.Fatal(err)
		}
		m.pos.Play(mv)
	}
	if m.pos.Turn().String() != m.side {
		s.reply(m)
	}
}
