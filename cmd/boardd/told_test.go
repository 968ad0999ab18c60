// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/cmd/boardd/page"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// TestNotStoredNotPublished: while the disk takes nothing, neither the broker nor a program for electronic boards gets
// a move. The story says that its newest part is not stored. When there is room again, they get all.
func TestNotStoredNotPublished(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &troubled{t: t}
		done := w.open("twin", dir)
		ctx, stop := context.WithCancel(t.Context())
		var daemon sync.WaitGroup
		daemon.Go(func() { must(t, w.b.run(ctx)) })
		w.until("the array stands", synced)
		board := &web.Board{ID: "table", Feed: w.b.feed}
		programs := page.Programs(nil, nil, board)
		spectators := web.Handler(web.Options{Access: web.Access{Visitors: web.Spectator}}, board)
		get := func(h http.Handler, path string) string {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = "localhost"
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, r)
			return answer.Body.String()
		}
		for _, c := range []struct {
			move string
			full bool
			told string // the pieces as a program hears them
		}{
			{"e2e4", false, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},
			{"e7e5", true, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},
			{"g1f3", true, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"},
			{"b8c6", false, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"},
		} {
			w.full.Store(c.full)
			if r := w.b.ask(t.Context(), wire.Command{ID: "1", Do: wire.DoMove, Move: c.move}, atPage); !r.OK {
				t.Errorf("%s: %s", c.move, r.Error)
			}
			time.Sleep(time.Second) // what is published arrives
			var told wire.Game
			must(t, json.Unmarshal(w.net.Retained()[wire.Topic("table", wire.LeafGame)], &told))
			if slices.Contains(told.Moves, c.move) == c.full {
				t.Errorf("%s with a full disk %v: the broker has %v", c.move, c.full, told.Moves)
			}
			if heard := get(programs, "/api/v1.0/eboards"); !strings.Contains(heard, c.told) {
				t.Errorf("%s with a full disk %v: a program hears %s, want %s", c.move, c.full, heard, c.told)
			}
			story := get(spectators, "/api/boards/table/story")
			if !strings.Contains(story, c.move) || strings.Contains(story, `"unstored":true`) != c.full {
				t.Errorf("%s with a full disk %v: the story is %s", c.move, c.full, story)
			}
		}
		stop()
		daemon.Wait()
		done()
		must(t, w.v.Close())
		time.Sleep(time.Minute) // what is still on its way arrives
		must(t, w.net.Close())
		synctest.Wait()
	})
}
