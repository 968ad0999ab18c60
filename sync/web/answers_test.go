// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestToldOnce: the story of a game is computed once for each state of the game. So is why a piece may not go
// somewhere, for each question. Another state has its own answers. A refusal is not cached.
func TestToldOnce(t *testing.T) {
	feed := NewFeed()
	s := &Server{byID: map[string]*Board{"north": {ID: "north", Feed: feed}}}
	ask := func(handler http.HandlerFunc, query string) string {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/?"+query, nil)
		r.SetPathValue("board", "north")
		handler(w, r)
		return strings.TrimSpace(w.Body.String())
	}
	for _, c := range []struct {
		name, query, asked, first string
		handler                   http.HandlerFunc
	}{
		{"story", "", "story", `"e4"`, s.story},
		{"why, of two squares", "from=g8&to=g6", "why g8g6", `"legal":false`, s.why},
		{"why, of one square", "from=c7", "why c7", `"legal":true`, s.why},
	} {
		feed.Set("game", played(t, "chess", "e4"))
		first := ask(c.handler, c.query)
		kept, ok := s.answers.Load("north")
		if !ok || !strings.Contains(first, c.first) || string(kept.(*answerCache).answers[c.asked]) != first {
			t.Fatalf("%s: %s is not kept", c.name, first)
		}
		kept.(*answerCache).answers[c.asked] = []byte(`"kept"`)
		if got := ask(c.handler, c.query); got != `"kept"` {
			t.Errorf("%s: the same state is told anew: %s", c.name, got)
		}
		feed.Set("game", played(t, "chess", "e4", "c5"))
		if got := ask(c.handler, c.query); got == `"kept"` || got == first {
			t.Errorf("%s: the next state is not told: %s", c.name, got)
		}
		if n := len(kept.(*answerCache).answers); n != 1 {
			t.Errorf("%s: %d answers are kept, want none about the state before", c.name, n)
		}
	}
	if got := ask(s.why, "from=z9"); !strings.Contains(got, "from=e2") {
		t.Errorf("a square that there is not: %s", got)
	}
}

// TestStoredOnce: the stored games are cached for a while, and then read again.
func TestStoredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := 0
		s := &Server{wallGameCache: gameCache{read: func() []Story {
			read++
			return []Story{{Game: strings.Repeat("g", read)}}
		}}}
		ask := func() string {
			w := httptest.NewRecorder()
			s.wallGames(w, httptest.NewRequest("GET", "/", nil))
			return w.Body.String()
		}
		first := ask()
		time.Sleep(wallGamesTTL - time.Millisecond)
		if got := ask(); got != first || read != 1 || !strings.Contains(got, `"g"`) {
			t.Errorf("asked twice it is read %d times: %s", read, got)
		}
		time.Sleep(time.Millisecond)
		if got := ask(); read != 2 || !strings.Contains(got, `"gg"`) {
			t.Errorf("later it is read %d times: %s", read, got)
		}
	})
}
