// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sensing"
	"boardd/sync/wire"
)

// TestReload: after SIGHUP the board takes over the new brightness and says which settings need a restart. It takes
// nothing from a file with faults.
func TestReload(t *testing.T) {
	t.Parallel()
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "leds:\n  brightness: 100\n")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.hand("table", `{"do":"lift","square":"g1"}`)
	shine := func(want func(brightest byte) bool, what string) (top byte) {
		t.Helper()
		r.listen("table", "leds", func(data []byte) bool {
			var l struct{ Lower []string }
			if err := json.Unmarshal(data, &l); err != nil {
				t.Fatal(err)
			}
			top = 0
			for _, c := range l.Lower {
				rgb, err := hex.DecodeString(c[1:])
				if err != nil {
					t.Fatal(err)
				}
				top = max(top, slices.Max(rgb))
			}
			return want(top)
		}, func() string { return fmt.Sprintf("%s shine; the brightest is %d: %s", what, top, r.errs) })
		return top
	}
	bright := shine(func(b byte) bool { return b > 0 }, "the knight's squares")
	rewrite := func(from, to string) {
		t.Helper()
		text, err := os.ReadFile(conf)
		if err == nil {
			err = os.WriteFile(conf, []byte(strings.ReplaceAll(string(text), from, to)), 0o600)
		}
		if err == nil {
			err = r.cmd.Process.Signal(syscall.SIGHUP)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rewrite("brightness: 100", "brightness: 1000")
	rewrite("brightness: 1000", "brightness: 10\n  serpentine: true")
	shine(func(b byte) bool { return b > 0 && b < bright/4 }, "a tenth of the brightness")
	r.stop()
	for _, want := range []string{"need a restart", "leds.serpentine", "leds.brightness"} {
		if !strings.Contains(r.errs.String(), want) {
			t.Errorf("the log does not say %q: %s", want, r.errs)
		}
	}
}

// TestReloadCommit: the setting of what a move waits for takes effect between two moves, without any message about the
// wood. A move that is under way counts as before.
func TestReloadCommit(t *testing.T) {
	for _, kind := range []string{"reeds", "twin"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := &troubled{t: t}
				done := w.open(kind, dir)
				next := w.b.conf
				next.Commit = "touch"
				ctx, stop := context.WithCancel(t.Context())
				var daemon sync.WaitGroup
				daemon.Go(func() { must(t, w.b.run(ctx)) })
				w.until("the array stands", synced)
				must(t, w.v.Lift("right", sensing.Lower, at("g1").Square(), 1))
				w.until("it is seen", func(g *wire.Game) bool { return g.Wood.State == wire.Moving })
				w.b.reloads <- next
				must(t, w.v.Place("right", sensing.Lower, at("f3").Square()))
				w.until("the move counts at rest", func(g *wire.Game) bool { return moved("g1f3")(g) && synced(g) })
				time.Sleep(2 * time.Second)
				w.carry("g8", "f6")
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if g := w.shown(); !moved("g1f3")(&g) || g.Wood.State != wire.Moving {
					t.Errorf("the move that rests and nobody answers: %v, %s; want it to wait", g.Moves, g.Wood.State)
				}
				must(t, w.v.Lift("right", sensing.Lower, at("b1").Square(), 1))
				w.until("it counts at the touch", moved("g1f3", "g8f6"))
				stop()
				daemon.Wait()
				done()
				log := strings.Join(w.told(), "")
				if !strings.Contains(log, "taken=game.commit") || strings.Contains(log, "msg=illegal") ||
					strings.Contains(log, "msg=fault") {
					t.Errorf("the log says not what was taken, or more:\n%s", log)
				}
				must(t, w.v.Close())
				time.Sleep(time.Minute)
				must(t, w.net.Close())
				synctest.Wait()
			})
		})
	}
}

// TestReloadWithoutTokens: deleting the file of tokens and reloading ends every right, although the configuration,
// which names that file, now has a fault.
func TestReloadWithoutTokens(t *testing.T) {
	t.Parallel()
	const token = "8WqLrzBLvMHw"
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, []byte("workshop "+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", "  token_file: "+tokens+"\n"))
	r.await("table", "the array stands", synced)
	status := func() int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.page+"api/settings", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := r.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close() //nolint:errcheck // only its status counts
		return resp.StatusCode
	}
	if got := status(); got != http.StatusOK {
		t.Fatalf("the token opens nothing: %d", got)
	}
	if err := errors.Join(os.Remove(tokens), r.cmd.Process.Signal(syscall.SIGHUP)); err != nil {
		t.Fatal(err)
	}
	for late := time.Now().Add(soonEnough); status() == http.StatusOK; { // each try waits for an answer of the daemon
		if time.Now().After(late) {
			t.Fatal("the token of a file that was deleted still counts")
		}
	}
	r.stop()
	if !strings.Contains(r.errs.String(), "no token counts") {
		t.Errorf("the log does not say why nobody may do anything: %s", r.errs)
	}
}
