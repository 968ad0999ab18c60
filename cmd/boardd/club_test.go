// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/corentings/chess/v2"

	"boardd/sync/broker"
	"boardd/sync/wire"
)

// clubhouse is a broker, a virtual board that uses it, and the organiser's program.
type clubhouse struct {
	t           *testing.T
	folder      string
	board, club *running
	pushed      chan string // what was sent to the broadcast; capacity 100
}

func startClub(t *testing.T) *clubhouse {
	t.Helper()
	dir := t.TempDir()
	h := &clubhouse{t: t, folder: filepath.Join(dir, "club"), pushed: make(chan string, 100)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body) //nolint:errcheck // the test notices if a part is missing
		h.pushed <- r.URL.Path + " " + r.Header.Get("Authorization") + "\n" + string(data)
		fmt.Fprint(w, `{"games":[{"tags":{},"error":"the server dislikes it"}]}`)
	}))
	t.Cleanup(server.Close)
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	put := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	pairings := put("round3.pgn", "[Event \"Open\"]\n[Round \"3.1\"]\n[White \"Polgar, Judit\"]\n"+
		"[Black \"Blunt, R.\"]\n[Board \"table\"]\n[Result \"*\"]\n\n*\n")
	token := put("token", "secret\n")
	config := put("club.yaml", fmt.Sprintf("lichess:\n  url: %s\n  token_file: %s\nmqtt:\n  url: %s\nclub:\n"+
		"  lichess_round: abcd1234\n  listen: 127.0.0.1:0\n  dir: %s\n  pairings: %s\n", server.URL, token, br.URL(),
		h.folder, pairings))
	h.board = start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
	h.club = start(t, "club", "--config", config)
	h.board.await("table", "the array stands", synced)
	return h
}

// get returns a file of the club's page.
func (h *clubhouse) get(name string) string {
	h.t.Helper()
	resp, err := h.club.client.Get(h.club.page + name)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: status %d, %v: %s", name, resp.StatusCode, err, data)
	}
	return string(data)
}

// until waits for a condition and returns when it became true.
func (h *clubhouse) until(what string, so func() bool) time.Time {
	h.t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	limit := time.After(soonEnough)
	for !so() {
		select {
		case <-look.C:
		case <-limit:
			h.t.Fatalf("waited in vain until %s: %s", what, h.get("status.json"))
		}
	}
	return time.Now()
}

// TestClub: pairings reach the board before its game, and a move made by hand reaches the files of the round.
func TestClub(t *testing.T) {
	t.Parallel()
	h := startClub(t)
	h.board.await("table", "the board shows who plays", func(g *wire.Game) bool {
		return g.Names != nil && g.Names.White == "Polgar, Judit" && g.Names.Round == "3"
	})
	var made []string
	for _, m := range []string{"e2e4", "e7e5", "g1f3"} {
		h.board.move("table", m[:2], m[2:], 1)
		made = append(made, m)
		h.board.await("table", m+" is made", moved(made...))
		h.until(m+" is in the feed", func() bool {
			g, err := chess.NewScanner(strings.NewReader(h.get("games.pgn"))).ParseNext()
			return err == nil && len(g.Moves()) == len(made) && g.Moves()[len(made)-1].String() == m &&
				g.GetTagPair("White") == "Polgar, Judit"
		})
	}
	h.board.command("table", `{"id":"1","do":"resign","by":"black"}`)
	h.until("the result is there", func() bool {
		return strings.Contains(h.get("results.csv"), `3,1,"Polgar, Judit","Blunt, R.",1-0,resignation,2,`)
	})
	for limit := time.After(soonEnough); ; {
		var last string
		select {
		case last = <-h.pushed:
		case <-limit:
			t.Fatalf("the result was not pushed; last was %s", last)
		}
		if !strings.HasPrefix(last, "/api/broadcast/round/abcd1234/push Bearer secret\n") {
			t.Fatalf("pushed was %s", last)
		}
		if strings.HasSuffix(last, "1.e4 e5 2.Nf3 1-0\n\n") {
			break
		}
	}
	h.until("the organiser is told what the broadcast has against the game",
		func() bool { return strings.Contains(h.get("status.json"), "the server dislikes it") })
	for _, name := range []string{"games.pgn", "game-1.pgn", "game-1.json", "round.json", "index.json", "results.csv",
		"results.pgn"} {
		if got, err := os.ReadFile(filepath.Join(h.folder, "round-3", name)); err != nil ||
			string(got) != h.get("round-3/"+name) {
			t.Errorf("%s: in the folder it is %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"": "<title>boardd club", "club.js": "status.json", "wall": "<html",
		"game-1.json": `"moves":["e4","e5","Nf3"],"result":"1-0"`, "index.json": `"lname":"Polgar"`} {
		if got := h.get(name); !strings.Contains(got, want) {
			t.Errorf("/%s: %s, want %q in it", name, got, want)
		}
	}
	for _, name := range []string{"round-3/.state.json", "../club.yaml", "round-3/../../club.yaml", "round-4/games.pgn"} {
		resp, err := h.club.client.Get(h.club.page + name)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("/%s: status %d", name, resp.StatusCode)
		}
	}
}

// quiet plays a random move that lifts one piece and puts it on an empty square.
func quiet(t *testing.T, g *chess.Game, random *rand.Rand) string {
	t.Helper()
	moves := slices.DeleteFunc(g.ValidMoves(), func(m chess.Move) bool {
		return m.HasTag(chess.Capture) || m.HasTag(chess.EnPassant) || m.HasTag(chess.KingSideCastle) ||
			m.HasTag(chess.QueenSideCastle) || m.Promo() != chess.NoPieceType
	})
	if len(moves) == 0 || g.Outcome() != chess.NoOutcome {
		t.Fatalf("the game has come to an end: %s", g)
	}
	m := moves[random.IntN(len(moves))]
	if err := g.Move(&m, nil); err != nil {
		t.Fatal(err)
	}
	return m.String()
}

// TestLatencyOfBroadcast measures how long a move takes from the hand that lets go to the file that broadcasts read.
//
//	go test ./cmd/boardd -run LatencyOfBroadcast -latency 60 -v
func TestLatencyOfBroadcast(t *testing.T) {
	if *latencyMoves == 0 {
		t.Skip("no moves asked for: -latency 60")
	}
	h := startClub(t)
	file := filepath.Join(h.folder, "round-3", "games.pgn")
	var times []time.Duration
	g := chess.NewGame()
	random := rand.New(rand.NewPCG(1, 1))
	for n := range *latencyMoves {
		m := quiet(t, g, random)
		h.board.hand("table", fmt.Sprintf(`{"do":"lift","square":%q}`, m[:2]))
		h.board.hand("table", fmt.Sprintf(`{"do":"place","square":%q}`, m[2:]))
		contact := time.Now()
		written := h.until(m+" is in the file", func() bool {
			text, err := os.ReadFile(file)
			_, moves, _ := strings.Cut(string(text), "\n\n")
			return err == nil && len(strings.Fields(moves)) == n+2 // the result is a word of its own
		})
		times = append(times, written.Sub(contact))
	}
	slices.Sort(times)
	at := func(part float64) time.Duration {
		return times[int(part*float64(len(times)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("a piece stands until its move is in the broadcast's file: median %v  p90 %v  p99 %v  most %v  (%d moves)",
		at(0.5), at(0.9), at(0.99), at(1), len(times))
}
