// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestToldOnce: the story of a game is made once for each of its states, and another state has its own.
func TestToldOnce(t *testing.T) {
	feed := NewFeed()
	s := &Server{byID: map[string]*Board{"north": {ID: "north", Feed: feed}}}
	ask := func() string {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/api/boards/north/story", nil)
		r.SetPathValue("board", "north")
		s.story(w, r)
		return strings.TrimSpace(w.Body.String())
	}
	feed.Set("game", played(t, "chess", "e4"))
	first := ask()
	last, ok := s.told.Load("north")
	if !ok || string(last.(answered).answer) != first || !strings.Contains(first, "e4") {
		t.Fatalf("%s is not kept", first)
	}
	s.told.Store("north", answered{last.(answered).from, []byte(`"kept"`)})
	if got := ask(); got != `"kept"` {
		t.Errorf("the same state is told anew: %s", got)
	}
	feed.Set("game", played(t, "chess", "e4", "c5"))
	if got := ask(); !strings.Contains(got, "c5") {
		t.Errorf("the next state is not told: %s", got)
	}
}
