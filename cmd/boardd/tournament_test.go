// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/corentings/chess/v2"

	"boardd/sync/broker"
	"boardd/sync/wire"
)

var (
	tables = flag.Int("tables", 2, "virtual tables of TestTournamentByHand, each a daemon")
	apart  = flag.Duration("apart", 0, "for how long the broker cannot be reached by one of them, at least")
)

// cable is a line to the broker that can be pulled.
type cable struct {
	to       string
	listener net.Listener

	mu     sync.Mutex
	pulled bool
	ends   []net.Conn
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{to: to, listener: l}
	t.Cleanup(func() { l.Close(); c.pull(true) })
	go func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			c.join(a)
		}
	}()
	return c
}

// join connects a client to the broker, unless the cable is pulled.
func (c *cable) join(a net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := net.Dial("tcp", c.to)
	if err != nil || c.pulled {
		a.Close()
		if err == nil {
			b.Close()
		}
		return
	}
	c.ends = append(c.ends, a, b)
	for _, way := range [][2]net.Conn{{a, b}, {b, a}} {
		go func() {
			io.Copy(way[0], way[1]) //nolint:errcheck // it ends when either end does
			way[0].Close()
			way[1].Close()
		}()
	}
}

func (c *cable) pull(out bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pulled = out
	for _, end := range c.ends {
		end.Close()
	}
	c.ends = nil
}

// player plays both sides of a table's game by hand.
type player struct {
	*running
	board  string
	game   *chess.Game
	random *rand.Rand
	made   []string
}

// opening is played at the second table, where the kings end the game. After it the kings stand on their first squares
// and the centre is empty.
var opening = strings.Fields("g1f3 g8f6 b1c3 b8c6 a2a3 a7a6 h2h3 h7h6")

// play plays a move, and waits until the board has taken it.
func (p *player) play(number int) {
	p.t.Helper()
	m := ""
	if number == 2 {
		m = opening[len(p.made)]
	} else {
		m = quiet(p.t, p.game, p.random)
	}
	p.move(p.board, m[:2], m[2:], 1)
	p.made = append(p.made, m)
	p.await(p.board, m+" is made", moved(p.made...))
}

// end ends the game: with the kings on both light squares of the centre, or by a command.
func (p *player) end(number int) (outcome, reason string) {
	p.t.Helper()
	outcome = []string{"1-0", "0-1"}[number%2]
	if number == 2 {
		p.move(p.board, "e1", "e4", 1)
		p.move(p.board, "e8", "d5", 1)
	} else {
		p.command(p.board, fmt.Sprintf(`{"id":"end","do":"resign","by":%q}`, []string{"black", "white"}[number%2]))
	}
	g := p.await(p.board, "the game is over", func(g *wire.Game) bool { return g.Outcome != "" })
	return outcome, g.Reason
}

// TestTournamentByHand: hands play a round on virtual boards, each a daemon of its own. Pairings go in, and games and
// results come out, which independent programs read. The cable of one table is pulled in the middle. It plays on, its
// last message remains, and afterwards nothing is missing.
//
//	go test ./cmd/boardd -run TournamentByHand -tables 20 -apart 60s
func TestTournamentByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	_, address, _ := strings.Cut(br.URL(), "://")
	line := newCable(t, address)
	var pairings strings.Builder
	for n := 1; n <= *tables; n++ {
		fmt.Fprintf(&pairings, "[Event \"Open\"]\n[Round \"2.%d\"]\n[White \"White, %d\"]\n[Black \"Black, %d\"]\n"+
			"[Result \"*\"]\n\n*\n\n", n, n, n)
	}
	put := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	h := &clubhouse{t: t, folder: filepath.Join(dir, "club")}
	h.club = start(t, "club", "--config", put("club.yaml", fmt.Sprintf("mqtt:\n  url: %s\nclub:\n"+
		"  listen: 127.0.0.1:0\n  dir: %s\n  pairings: %s\n", br.URL(), h.folder, put("round2.pgn", pairings.String()))))
	var seats []*player
	for n := 1; n <= *tables; n++ {
		url, board := br.URL(), fmt.Sprintf("table-%d", n)
		if n == 1 {
			url = "tcp://" + line.listener.Addr().String()
		}
		r := start(t, "run", "--config", put(board+".yaml", fmt.Sprintf(
			"board: %s\nstate_dir: %s\nhardware:\n  virtual: true\n  kind: stack\ngame:\n  variant: chess\nmqtt:\n  url: %s\n"+
				"web:\n  listen: 127.0.0.1:0\n", board, filepath.Join(dir, board), url)))
		seats = append(seats, &player{running: r, board: board, game: chess.NewGame(),
			random: rand.New(rand.NewPCG(2, uint64(n)))})
	}
	for n, p := range seats {
		p.await(p.board, "the board shows who plays", func(g *wire.Game) bool {
			return synced(g) && g.Names != nil && g.Names.White == fmt.Sprintf("White, %d", n+1)
		})
	}
	var before [][]string
	// feed returns the games of the round as an independent program reads them. No game ever gets shorter.
	feed := func() (now [][]string) {
		t.Helper()
		read := chess.NewScanner(strings.NewReader(h.get("games.pgn")))
		for read.HasNext() {
			g, err := read.ParseNext()
			if err != nil {
				t.Fatal(err)
			}
			var moves []string
			for _, m := range g.Moves() {
				moves = append(moves, m.String())
			}
			now = append(now, moves)
		}
		for n, moves := range before {
			if len(now) != len(before) || len(now[n]) < len(moves) || !slices.Equal(now[n][:len(moves)], moves) {
				t.Fatalf("the feed goes back: %v after %v", now, before)
			}
		}
		before = now
		return now
	}
	shows := func(what string, from int) {
		t.Helper()
		h.until(what, func() bool {
			now := feed()
			for n := from; n < len(seats); n++ {
				if len(now) != len(seats) || !slices.Equal(now[n], seats[n].made) {
					return false
				}
			}
			return true
		})
	}
	plies := func() {
		for n, p := range seats {
			p.play(n + 1)
		}
	}
	plies()
	plies()
	shows("two moves of every table are in the feed", 0)
	line.pull(true)
	h.until("the organiser is told that a table is away",
		func() bool { return strings.Contains(h.get("status.json"), "its board is not connected") })
	plies()
	shows("the other tables go on", 1)
	if got := feed()[0]; !slices.Equal(got, seats[0].made[:2]) {
		t.Errorf("the table that is away shows %v, want what it said last", got)
	}
	<-time.After(*apart)
	line.pull(false)
	shows("what the table played meanwhile is there", 0)
	plies()
	shows("all go on", 0)
	want := [][]string{{"round", "table", "white", "black", "result", "reason", "moves", "game"}}
	for n, p := range seats {
		outcome, reason := p.end(n + 1)
		number := fmt.Sprint(n + 1)
		want = append(want, []string{"2", number, "White, " + number, "Black, " + number, outcome, reason,
			fmt.Sprint(len(p.made) / 2)})
	}
	var rows [][]string
	h.until("every result is there", func() bool {
		results := h.get("results.csv")
		rows, err = csv.NewReader(strings.NewReader(results)).ReadAll()
		return err == nil && !strings.Contains(results, ",*,")
	})
	for n := range rows {
		if got := rows[n]; len(rows) != len(want) || !slices.Equal(got[:len(want[n])], want[n]) {
			t.Errorf("results.csv has %v, want %v", got, want[n])
		}
	}
	games, ok := otherReaders(t, h.get("games.pgn"))
	if ok && len(games) != len(seats) {
		t.Fatalf("others read %d games, want %d", len(games), len(seats))
	}
	for n, g := range games {
		if !slices.Equal(g.Moves, seats[n].made) || g.tag("White") != want[n+1][2] || g.tag("Result") != want[n+1][4] {
			t.Errorf("others read at table %d: %+v, want %v %v", n+1, g, seats[n].made, want[n+1])
		}
	}
}
