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

	"boardd/config"
	"boardd/sensing"
	"boardd/sync/wire"

	mqtt "github.com/eclipse/paho.mqtt.golang"
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
	// a fault beside the game keeps nothing from being taken
	rewrite("brightness: 1000", "brightness: 10\n  serpentine: true\nmqtt:\n  accounts_file: /none")
	shine(func(b byte) bool { return b > 0 && b < bright/4 }, "a tenth of the brightness")
	r.stop()
	for _, want := range []string{"need a restart", "leds.serpentine", "leds.brightness", "beside the game cannot run"} {
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
				w.reload(ctx, next)
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
				if !strings.Contains(log, "taken=[game.commit]") || strings.Contains(log, "msg=illegal") ||
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

// reload takes a configuration that was read again.
func (w *troubled) reload(ctx context.Context, c config.Config) {
	w.b.acts <- func() { w.b.reload(ctx, &c) }
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
	// Each try waits for an answer of the daemon. Any other status may come of the fault in the configuration.
	for late := time.Now().Add(soonEnough); ; {
		got := status()
		if got == http.StatusForbidden {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("the token of a file that was deleted still counts: status %d", got)
		}
	}
	r.stop()
	if !strings.Contains(r.errs.String(), "no token counts") {
		t.Errorf("the log does not say why nobody may do anything: %s", r.errs)
	}
}

// TestReloadAccounts: a reload, and a change on the page, read the accounts of the built-in broker again. Whoever has
// none any more, or another password, is disconnected. The board itself comes back with its new password. It runs
// without the race detector: the NATS server takes in changed accounts while its own readers look at them unlocked.
func TestReloadAccounts(t *testing.T) {
	t.Parallel()
	looked(t)
	dir := t.TempDir()
	accounts, password := filepath.Join(dir, "accounts"), filepath.Join(dir, "password")
	write := func(file, text string) { must(t, os.WriteFile(file, []byte(text), 0o600)) }
	write(accounts, "table t board=table\nlook v\n")
	write(password, "t\n")
	address := freeAddress(t)
	r := start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+address+
		"\n  accounts_file: "+accounts+"\n  user: table\n  password_file: "+password+"\n"))
	r.await("table", "the array stands", synced)
	listening(t, address)
	connect := func(name, word string) (c mqtt.Client, lost chan error, err error) {
		t.Helper()
		lost = make(chan error, 1)
		c = mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID(name + word).
			SetUsername(name).SetPassword(word).SetAutoReconnect(false).
			SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err }))
		k := c.Connect()
		if !k.WaitTimeout(soonEnough) {
			t.Fatalf("%s: the broker does not answer", name)
		}
		t.Cleanup(func() { c.Disconnect(0) })
		return c, lost, k.Error()
	}
	_, lost, err := connect("look", "v")
	if err != nil {
		t.Fatal(err)
	}
	write(accounts, "table new board=table\n")
	write(password, "new\n")
	must(t, r.cmd.Process.Signal(syscall.SIGHUP))
	select {
	case <-lost:
	case <-time.After(soonEnough):
		t.Fatalf("an account that was removed is still connected: %s", r.errs)
	}
	if _, _, err := connect("look", "v"); err == nil {
		t.Error("an account that was removed is let in")
	}
	write(accounts, "table new board=table\nlate l\n")
	resp, err := r.client.Post(r.page+"api/settings", "application/json",
		strings.NewReader(`{"name":"leds.brightness","value":"40"}`))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("a change on the page: %v, %v", resp, err)
	}
	resp.Body.Close() //nolint:errcheck // only its status counts
	var late mqtt.Client
	for limit := time.Now().Add(soonEnough); ; { // each try waits for an answer of the broker
		if late, _, err = connect("late", "l"); err == nil {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("an account that was added is not let in after a change on the page: %v", err)
		}
	}
	heard := make(chan string, 100)
	k := late.Subscribe("boardd/v1/table/game", 1, func(_ mqtt.Client, m mqtt.Message) { heard <- string(m.Payload()) })
	if k.Wait(); k.Error() != nil {
		t.Fatal(k.Error())
	}
	r.hand("table", `{"do":"lift","square":"g1"}`)
	r.hand("table", `{"do":"place","square":"f3"}`)
	for limit := time.After(soonEnough); ; {
		select {
		case game := <-heard:
			if strings.Contains(game, `"g1f3"`) {
				r.stop()
				return
			}
		case <-limit:
			t.Fatalf("the board does not come back with its new password: %s", r.errs)
		}
	}
}
