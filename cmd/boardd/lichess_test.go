// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/sync/broker"
	"boardd/sync/wire"
)

// faraway is a server with one game, in which the opponent answers e2e4 by e7e5. The errors of a busy server are
// tested in sync/lichess.
type faraway struct {
	mu      sync.Mutex
	begun   bool
	moves   []string
	status  string
	asked   []string
	changed chan struct{} // closed and replaced at each change
}

func newFaraway(t *testing.T) (*faraway, string) {
	t.Helper()
	f := &faraway{status: "started", changed: make(chan struct{})}
	s := httptest.NewServer(f)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return f, s.URL
}

// change lets something happen, and tells the streams.
func (f *faraway) change(what func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what()
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *faraway) state() string {
	winner := ""
	if f.status == "resign" {
		winner = "black"
	}
	return fmt.Sprintf(`"moves":%q,"wtime":900000,"btime":900000,"status":%q,"winner":%q`, strings.Join(f.moves, " "),
		f.status, winner)
}

func (f *faraway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/stream/event":
		f.stream(w, r, func() string {
			if f.status == "resign" {
				return `{"type":"gameFinish","game":{"gameId":"abcd1234","color":"white"}}`
			}
			if !f.begun {
				return ""
			}
			return `{"type":"gameStart","game":{"gameId":"abcd1234","color":"white"}}`
		})
		return
	case "/api/board/game/stream/abcd1234":
		first := true
		f.stream(w, r, func() string {
			if first {
				first = false
				return `{"type":"gameFull","variant":{"key":"standard"},"speed":"rapid","clock":{"initial":900000,"increment":10000},"white":{"name":"anna"},"black":{"name":"Ben","title":"FM"},"initialFen":"startpos","state":{"type":"gameState",` + f.state() + `}}`
			}
			return `{"type":"gameState",` + f.state() + `}`
		})
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.URL.Path)
	switch r.URL.Path {
	case "/api/challenge/ai":
		f.begun = true
	case "/api/board/game/abcd1234/move/e2e4":
		f.moves = []string{"e2e4", "e7e5"}
	case "/api/board/game/abcd1234/resign":
		f.status = "resign"
	default:
		http.Error(w, `{"error":"no"}`, http.StatusBadRequest)
		return
	}
	close(f.changed)
	f.changed = make(chan struct{})
	fmt.Fprint(w, `{"ok":true}`)
}

// stream sends a line whenever it has changed.
func (f *faraway) stream(w http.ResponseWriter, r *http.Request, line func() string) {
	fmt.Fprintln(w)
	for last := ""; ; {
		f.mu.Lock()
		now, changed := line(), f.changed
		f.mu.Unlock()
		if now != "" && now != last {
			fmt.Fprintln(w, now)
			last = now
		}
		w.(http.Flusher).Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// overMQTT is a part of a configuration that lets everybody at a broker ask for hints.
const overMQTT = "mqtt:\n  url: %s\n  commands: [hint]\n"

func hintBroker(t *testing.T) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// refusedHint asks for a hint over MQTT, which is refused.
func refusedHint(t *testing.T, url, why string) {
	t.Helper()
	s := spectate(t, url)
	s.send(wire.Topic("table", wire.LeafCommand), `{"id":"by-mqtt","do":"hint"}`)
	s.until("the hint asked for over MQTT is refused", func(_, leaf string, payload []byte) bool {
		var reply wire.Reply
		if leaf != wire.LeafReply || json.Unmarshal(payload, &reply) != nil || reply.ID != "by-mqtt" {
			return false
		}
		if reply.OK || !strings.Contains(reply.Error, why) {
			t.Errorf("a hint asked for over MQTT: %s, want it refused with %q", payload, why)
		}
		return true
	})
}

// startOnline starts a virtual board with an account at a server.
func startOnline(t *testing.T, url, game string) *running {
	t.Helper()
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	name := filepath.Join(dir, "board.yaml")
	text := fmt.Sprintf("board: table\nstate_dir: %s/state\nhardware:\n  virtual: true\ngame:\n  variant: chess\n"+
		"%slichess:\n  url: %s\n  token_file: %s\nweb:\n  listen: 127.0.0.1:0\n", dir, game, url, token)
	for file, text := range map[string]string{token: "secret\n", name: text} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return start(t, "run", "--config", name)
}

// TestLichessSeat: a person at the board plays somebody at Lichess. A move by hand goes there, the answer is lit and
// copied, no program helps, and the person resigns.
func TestLichessSeat(t *testing.T) {
	t.Parallel()
	f, url := newFaraway(t)
	b := hintBroker(t)
	r := startOnline(t, url, "  black: lichess\n"+fmt.Sprintf(overMQTT, b.URL()))
	g := r.await("table", "the game there has begun", func(g *wire.Game) bool {
		return synced(g) && strings.HasSuffix(g.Game, "-liabcd1234") && g.Names != nil
	})
	if g.Seats != (wire.Seats{White: "table", Black: "lichess"}) || g.Names.Black != "Ben" ||
		g.Names.BlackTitle != "FM" || g.Names.Site != url+"/abcd1234" || g.Timing == nil || g.Timing.Initial != 900_000 {
		t.Errorf("seats %+v, names %+v, clock %+v", g.Seats, g.Names, g.Timing)
	}
	r.move("table", "e2", "e4", 1)
	r.await("table", "the answer has come", func(g *wire.Game) bool {
		return strings.Join(g.Moves, " ") == "e2e4 e7e5" && g.Wood.State == wire.Executing
	})
	for what, refused := range map[string]string{
		`{"id":"1","do":"hint"}`: "no program may help",
		`{"id":"2","do":"new","seats":{"white":"local","black":"engine"}}`: "a game at Lichess goes on",
		`{"id":"3","do":"adjust","white_ms":1000,"black_ms":1000}`:         "at Lichess",
		`{"id":"4","do":"abort"}`:                                          "at Lichess",
	} {
		if _, reply := r.post("table", "command", what); reply["ok"] == true || !strings.Contains(fmt.Sprint(reply["error"]),
			refused) {
			t.Errorf("%s: %v", what, reply)
		}
	}
	refusedHint(t, b.URL(), "no program may help")
	r.move("table", "e7", "e5", 1)
	r.await("table", "it is copied", func(g *wire.Game) bool { return synced(g) && len(g.Moves) == 2 })
	r.command("table", `{"id":"5","do":"resign"}`)
	r.await("table", "the game is over", func(g *wire.Game) bool { return g.Outcome == "0-1" })
	r.stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	if got := strings.Join(f.asked, " "); !strings.HasPrefix(got,
		"/api/challenge/ai /api/board/game/abcd1234/move/e2e4") {
		t.Errorf("asked for %s", got)
	}
}

// TestFairPlay: while a game of this account goes on at Lichess, no program helps or plays at this board. That holds
// even in a game of its own. No problem is set. An earlier analysis is not shown either, neither on the page nor in
// the file of the game. TestFair, TestFairLights, TestFairProblem and TestFairButton in rules/table have lights, clock
// buttons and the end of it.
func TestFairPlay(t *testing.T) {
	t.Parallel()
	f, url := newFaraway(t)
	b := hintBroker(t)
	r := startOnline(t, url, fmt.Sprintf(overMQTT, b.URL()))
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "a game of people here goes on", moved("e2e4"))
	r.command("table", `{"id":"3","do":"resign","by":"black"}`)
	game := r.await("table", "it is over, and kept", func(g *wire.Game) bool { return g.Outcome == "1-0" })
	if status, reply := r.post("table", "games/"+game.Game+"/analysis", `{"on":true}`); status != http.StatusOK {
		t.Fatalf("the analysis: %d %v", status, reply)
	}
	kept := "api/boards/table/games/" + game.Game
	places := map[string]string{"api/boards/table/pgn": "%eval", kept + "/pgn": "%eval", kept: `"judged"`}
	shown := func(want bool) {
		t.Helper()
		end := time.Now().Add(soonEnough)
		for path, word := range places {
			for text, ok := r.text(path); !ok || strings.Contains(text, word) != want; text, ok = r.text(path) {
				if time.Now().After(end) {
					t.Fatalf("a game goes on at Lichess: %v; want %s in /%s: %v; it is %s", !want, word, path, want, text)
				}
			}
		}
	}
	shown(true)
	f.change(func() { f.begun = true })
	shown(false)
	for what, refused := range map[string]string{
		`{"id":"1","do":"hint"}`: "a game at Lichess goes on",
		`{"id":"2","do":"new","variant":"chess","options":{"problem":"next"}}`: "a game at Lichess goes on",
	} {
		if _, reply := r.post("table", "command", what); reply["ok"] == true || !strings.Contains(fmt.Sprint(reply["error"]),
			refused) {
			t.Errorf("%s: %v, want %q", what, reply, refused)
		}
	}
	refusedHint(t, b.URL(), "a game at Lichess goes on")
	if status, reply := r.post("table", "games/"+game.Game+"/analysis", `{"on":true}`); status != http.StatusConflict ||
		!strings.Contains(fmt.Sprint(reply["error"]), "nothing is analysed") {
		t.Errorf("the analysis of a game of this daemon: %d %v, want that it is refused", status, reply)
	}
	r.command("table", `{"id":"2","do":"new","seats":{"white":"engine","black":"local"}}`)
	r.move("table", "e4", "e2", 1)
	r.await("table", "the array stands again",
		func(g *wire.Game) bool { return synced(g) && g.Seats.White == "engine" && len(g.Moves) == 0 })
	f.change(func() { f.begun, f.status = false, "resign" })
	r.await("table", "the engine plays when that game is over", func(g *wire.Game) bool { return len(g.Moves) == 1 })
	delete(places, "api/boards/table/pgn") // another game is on the table
	shown(true)
	r.stop()
	if strings.Contains(r.errs.String(), "level=ERROR") {
		t.Errorf("log:\n%s", r.errs)
	}
}
