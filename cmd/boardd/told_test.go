// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sync/wire"
)

// TestNotStoredNotPublished: while the disk takes nothing, the broker gets no move. When there is room again, it gets
// all.
func TestNotStoredNotPublished(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &troubled{t: t}
		done := w.open("twin", dir)
		ctx, stop := context.WithCancel(t.Context())
		var daemon sync.WaitGroup
		daemon.Go(func() { must(t, w.b.run(ctx)) })
		w.until("the array stands", synced)
		for _, c := range []struct {
			move string
			full bool
		}{{"e2e4", false}, {"e7e5", true}, {"g1f3", true}, {"b8c6", false}} {
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
