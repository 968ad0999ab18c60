// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// played is a game message of some moves.
func played(t *testing.T, variant string, moves ...string) wire.Game {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	g := wire.Game{Schema: wire.Schema, Game: "0000000001-a", Variant: variant,
		Seats: wire.Seats{White: "local", Black: "local"}, Start: p.FEN(), Wood: wire.Wood{State: wire.Synced}}
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Moves, g.SAN = append(g.Moves, p.Coord(m)), append(g.SAN, p.SAN(m))
		p.Play(m)
	}
	g.FEN, g.Turn = p.FEN(), p.Turn().String()
	return g
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", url, resp.StatusCode, err, data)
	}
	return string(data)
}

// TestStory: a game can be stepped through, and kept as a file.
func TestStory(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", played(t, "locking", "e4", "d5", "Bg2*"))
	var story Story
	if err := json.Unmarshal([]byte(fetch(t, s.URL+"/api/boards/north/story")), &story); err != nil {
		t.Fatal(err)
	}
	if len(story.FENs) != 4 || story.SAN[2] != "Bg2*" || !strings.Contains(story.FENs[3], "[PB]") {
		t.Errorf("got %+v", story)
	}
}

// TestPGN: the game file is sent as it was stored, and not sent again while it is the same.
func TestPGN(t *testing.T) {
	feed, text := NewFeed(), []byte(nil)
	s := httptest.NewServer(Handler(Options{Access: Access{Visitors: Spectator}},
		&Board{ID: "north", Feed: feed, PGN: func() []byte { return text }}))
	defer s.Close()
	feed.Set("game", played(t, "locking", "e4"))
	get := func(tag string) (status int, body, etag string) {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, s.URL+"/api/boards/north/pgn", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		resp, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(data), resp.Header.Get("ETag")
	}
	if status, body, _ := get(""); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "no stored game yet") {
		t.Errorf("before a game is stored: %d, %s", status, body)
	}
	text = []byte("1.e4 *\n")
	status, body, first := get("")
	if status != http.StatusOK || body != "1.e4 *\n" || first == "" {
		t.Errorf("%d, %q, ETag %s", status, body, first)
	}
	if status, body, _ := get(`"other", ` + first); status != http.StatusNotModified || body != "" {
		t.Errorf("the same again: %d, %q", status, body)
	}
	text = []byte("1.e4 e5 *\n")
	if status, body, second := get(first); status != http.StatusOK || body != "1.e4 e5 *\n" || second == first {
		t.Errorf("a move later: %d, %q, ETag %s", status, body, second)
	}
}

// TestWhy: a question about an illegal move is answered with the reason in the rules.
func TestWhy(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", played(t, "locking", "e4", "d5", "Bg2*", "a6"))
	for _, c := range []struct{ ask, want string }{
		{"from=e4&to=d5", `"legal":true`},
		{"from=e4&to=e6", `a pawn`},
		{"from=d1", `"legal":true`},
		{"from=d4", `no piece stands on d4`},
		{"from=h8", `it is white's turn`},
	} {
		if got := fetch(t, s.URL+"/api/boards/north/why?"+c.ask); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.ask, got, c.want)
		}
	}
	feed.Set("game", played(t, "chess", "e4"))
	for from, want := range map[string]string{
		"h8": `"the black pawn on h7 is in its way"`,
		"f8": `"the black pawn on e7 is in its way"`,
		"d8": `"the black pawn on d7 is in its way"`,
	} {
		if got := fetch(t, s.URL+"/api/boards/north/why?from="+from); !strings.Contains(got, want) {
			t.Errorf("stuck on %s: got %s, want %s", from, got, want)
		}
	}
	resp, err := http.Get(s.URL + "/api/boards/north/why?from=z9")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("no square: status %d, want 400", resp.StatusCode)
	}
}
