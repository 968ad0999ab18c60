// SPDX-License-Identifier: Apache-2.0

package livechess

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"boardd/rules"
	"boardd/sync/wire"
)

// shown is a board whose game a test sets.
type shown struct {
	mu      sync.Mutex
	data    []byte
	changed chan struct{}
}

func (s *shown) source(id string) Source {
	return Source{ID: id, Game: func() []byte { s.mu.Lock(); defer s.mu.Unlock(); return s.data },
		Changed: func() <-chan struct{} { s.mu.Lock(); defer s.mu.Unlock(); return s.changed }}
}

// set plays moves from the array of a game.
func (s *shown) set(t testing.TB, variant, moves string) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	g := wire.Game{Schema: wire.Schema, Game: "g", Variant: variant, Seats: wire.Seats{White: "local", Black: "local"},
		Start: p.FEN()}
	for _, text := range strings.Fields(moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Moves, g.SAN = append(g.Moves, p.Coord(m)), append(g.SAN, p.SAN(m))
		p.Play(m)
	}
	g.FEN, g.Turn = p.FEN(), p.Turn().String()
	data, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = data
	if s.changed != nil {
		close(s.changed)
	}
	s.changed = make(chan struct{})
}

// house is a server with three boards: one plays another game, one the orthodox one, one nothing yet.
func house(t testing.TB) (h http.Handler, played *shown) {
	stacks, chess, none := &shown{}, &shown{}, &shown{changed: make(chan struct{})}
	stacks.set(t, "locking", "e4")
	chess.set(t, "chess", "")
	return Handler([]string{"lichess.org"}, stacks.source("stacks"), chess.source("chess"), none.source("none")), chess
}

// TestPrograms talks with the server as a program for electronic boards does.
func TestPrograms(t *testing.T) {
	h, board := house(t)
	s := httptest.NewServer(h)
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c, _, err := websocket.Dial(ctx, s.URL+"/api/v1.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	say := func(text string) {
		t.Helper()
		if err := c.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	hear := func(want ...string) {
		t.Helper()
		_, data, err := c.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(data), w) {
				t.Errorf("heard %s, want %s in it", data, w)
			}
		}
	}
	start := `"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"`
	say(`{"id":"1","call":"eboards"}`)
	hear(`"response":"call","id":1,`,
		`[{"serialnr":"chess","source":"boardd","state":"ACTIVE","battery":null,"comment":null,`+start+
			`,"flipped":false,"clock":null},{"serialnr":"stacks","source":"boardd","state":"INACTIVE"`)
	say(`{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":7,"param":{"serialnr":"chess"}}}`)
	hear(`{"response":"call","id":2,"param":null,"time":`)
	hear(`{"response":"feed","id":7,"param":{"serialnr":"chess",`+start, `"match":true`)
	board.set(t, "chess", "e4")
	hear(`"id":7`, `"san":["e4"],"match":true`)
	say(`{"id":3,"call":"call","param":{"id":7,"method":"setup","param":{"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"}}}`)
	hear(`"response":"call","id":3`)
	hear(`"match":true}`) // nothing was played since
	say(`{"id":4,"call":"call","param":{"id":"7","method":"setup","param":{"fen":"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"}}}`)
	hear(`"response":"call","id":4`)
	hear(`"match":false`) // the other side's move is not on the board yet
	board.set(t, "chess", "e4 c5")
	hear(`"match":true}`)
	board.set(t, "chess", "e4 c5 Nf3")
	hear(`"san":["Nf3"],"match":true`)
	for request, want := range map[string]string{
		"nonsense":                   "that is no request",
		`{"call":"eboards"}`:         "has no number",
		`{"id":5,"call":"shutdown"}`: `the call \"shutdown\" is unknown`,
		`{"id":5,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"x"}}}`: `there is no board \"x\"`,
		`{"id":5,"call":"subscribe","param":{"feed":"clock","id":1}}`:                                "want eboardevent",
		`{"id":5,"call":"call","param":{"id":9,"method":"setup","param":{}}}`:                        "no such feed",
		`{"id":5,"call":"call","param":{"id":7,"method":"setup","param":{"fen":"x"}}}`:               "setup:",
		`{"id":5,"call":"call","param":{"id":7,"method":"explode"}}`:                                 "want setup",
		`{"id":5,"call":"unsubscribe","param":8}`:                                                    "no such feed",
	} {
		say(request)
		hear(`"response":"error"`, want)
	}
	say(`{"id":6,"call":"unsubscribe","param":7}`)
	hear(`"response":"call","id":6`)
	board.set(t, "chess", "e4 c5 Nf3 d6")
	say(`{"id":8,"call":"eboards"}`)
	hear(`"id":8`) // and nothing of the feed before it
}

// TestDoors: who may look on. Plain HTTP serves only the list.
func TestDoors(t *testing.T) {
	h, _ := house(t)
	s := httptest.NewServer(h)
	defer s.Close()
	for origin, want := range map[string]bool{"": true, "https://lichess.org": true, "https://evil.example": false,
		"http://127.0.0.1.evil.example": false} {
		o := &websocket.DialOptions{HTTPHeader: http.Header{}}
		if origin != "" {
			o.HTTPHeader.Set("Origin", origin)
		}
		c, _, err := websocket.Dial(t.Context(), s.URL+"/api/v1.0", o)
		if (err == nil) != want {
			t.Errorf("origin %q: %v", origin, err)
		}
		if err == nil {
			c.CloseNow()
		}
	}
	resp, err := http.Get(s.URL + "/api/v1.0/eboards")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list []eboard
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list) != 3 || list[0].Serial != "chess" ||
		resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%+v, %v", list, err)
	}
	var all []*websocket.Conn
	refused := 0
	for range mostPrograms + 5 {
		c, _, err := websocket.Dial(t.Context(), s.URL+"/api/v1.0", nil)
		if err != nil {
			refused++
			continue
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.CloseNow()
	}
	if refused < 5 {
		t.Errorf("%d programs were let in", len(all))
	}
}

// FuzzAnswer: no request does harm, and every one is answered, with its number as a number.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"id":1,"call":"eboards"}`))
	f.Add([]byte(`{"id":"2","call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"chess"}}}`))
	f.Add([]byte(`{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}}}`))
	chess := &shown{}
	chess.set(f, "chess", "e4 e5")
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &program{server: &server{boards: []Source{chess.source("chess")}}, feeds: map[float64]*feed{}}
		answer, about := p.answer(data, time.Unix(0, 0))
		out := append([][]byte{answer}, p.news(time.Unix(0, 0), about)...)
		if len(out) == 0 || !json.Valid(bytes.Join(out, []byte("\n"))[:len(out[0])]) {
			t.Errorf("%q: answered by %q", data, out)
		}
	})
}
