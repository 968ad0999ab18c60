// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestWallListensWhileWatched: the boards are followed from the first viewer to the last, and no longer.
func TestWallListensWhileWatched(t *testing.T) {
	began, ended := make(chan UpdateFunc), make(chan bool)
	hall := func(ctx context.Context, tell UpdateFunc) {
		began <- tell
		<-ctx.Done()
		ended <- true
	}
	s := httptest.NewServer(Handler(Options{Access: Access{Visitors: Spectator}, FollowAll: hall}))
	defer s.Close()
	var looks []func()
	var lines [2]*bufio.Scanner
	var tell UpdateFunc
	for i := range lines {
		ctx, leave := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/wall/events", nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines[i], looks = bufio.NewScanner(resp.Body), append(looks, leave)
		if i == 0 {
			tell = <-began
		}
	}
	g, online := played(t, "locking", "e4", "d5"), true
	tell("north", &g, nil)
	tell("north", nil, &online)
	for _, l := range lines {
		for l.Scan() && !strings.Contains(l.Text(), `"san":"d5"`) {
		}
		if l.Err() != nil {
			t.Fatal(l.Err())
		}
	}
	looks[0]()
	looks[1]()
	<-ended
}

// TestWallTakesOnlySoManyBoards: a broker full of names does not fill the memory.
func TestWallTakesOnlySoManyBoards(t *testing.T) {
	l := wall{followAll: func(ctx context.Context, _ UpdateFunc) { <-ctx.Done() }}
	feed, leave := l.enter()
	defer leave()
	for i := range maxWallBoards + 10 {
		l.update(feed, fmt.Sprint("board-", i), nil, new(bool))
	}
	if len(l.seen) != maxWallBoards {
		t.Errorf("%d boards are kept, want %d", len(l.seen), maxWallBoards)
	}
	l.update(NewFeed(), "late", nil, new(bool))
	if l.seen["late"] != nil {
		t.Error("news of a listener that was stopped count")
	}
}

// TestWallKeepsRealTables: where more boards publish than have a place, a table where somebody plays takes that of a
// name without a game. One that is known here takes that of any other. Viewers are told which board is gone.
func TestWallKeepsRealTables(t *testing.T) {
	l := wall{followAll: func(ctx context.Context, _ UpdateFunc) { <-ctx.Done() }}
	feed, leave := l.enter()
	defer leave()
	l.update(feed, "pinned", nil, nil)
	g, none, online := played(t, "chess", "e4", "e5"), played(t, "chess"), true
	for i := range maxWallBoards {
		l.update(feed, fmt.Sprint("name-", i), nil, &online)
	}
	seen := feed.newCursor()
	feed.changesSince(seen)
	l.update(feed, "table", nil, &online) // for which there is no place
	l.update(feed, "table", &g, nil)
	if !l.seen["table"].Online {
		t.Error("a table whose game moves is shown as away")
	}
	gone := 0
	for _, m := range feed.changesSince(seen) {
		if m.data == nil {
			gone++
		}
	}
	if gone != 1 || len(seen.revs) != maxWallBoards {
		t.Errorf("viewers were told that %d boards are gone, and remember %d", gone, len(seen.revs))
	}
	for i := range maxWallBoards + 10 { // they look like tables where nobody has moved yet, and then like any table
		l.update(feed, fmt.Sprint("false-", i), &none, &online)
	}
	if l.seen["table"] == nil || len(l.seen) != maxWallBoards {
		t.Errorf("the table is gone, or %d boards have a place", len(l.seen))
	}
	for i := range maxWallBoards {
		l.update(feed, fmt.Sprint("falser-", i), &g, &online)
	}
	l.update(feed, "pinned", &none, nil)
	if l.seen["pinned"] == nil || l.seen["table"] == nil || len(l.seen) != maxWallBoards {
		t.Errorf("a known table has no place, or the first one is gone, of %d", len(l.seen))
	}
}

// TestHouse: without a broker the wall shows the boards of this daemon.
func TestHouse(t *testing.T) {
	s, feed, _ := newServer(t)
	feed.Set("game", played(t, "chess", "e4"))
	resp, err := http.Get(s.URL + "/api/wall/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), `"board":"north","online":true`) {
	}
	if !strings.Contains(lines.Text(), `"move":"e2e4"`) {
		t.Errorf("got %q", lines.Text())
	}
}

func BenchmarkWallMove(b *testing.B) {
	l := wall{followAll: func(ctx context.Context, _ UpdateFunc) { <-ctx.Done() }}
	feed, leave := l.enter()
	defer leave()
	g := wire.Game{Variant: "chess", FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
	for i := 0; b.Loop(); i++ {
		g.Moves = append(g.Moves[:0], fmt.Sprint(i))
		l.update(feed, "board", &g, nil)
	}
}
