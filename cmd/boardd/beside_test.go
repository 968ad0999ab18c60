// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/broker"
	"boardd/sync/wire"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// TestTakenWebPort: the port of the page is in use. The game goes on over the broker, which says why there is no page.
// The page is served once the port is free.
func TestTakenWebPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	withoutPage(t, l.Addr().String(), "", l.Addr().String(), func() { l.Close() })
}

// TestMissingTokens: the same where the file of tokens is gone.
func TestMissingTokens(t *testing.T) {
	t.Parallel()
	tokens := filepath.Join(t.TempDir(), "tokens")
	withoutPage(t, freeAddress(t), "\n  token_file: "+tokens, tokens, func() {
		if err := os.WriteFile(tokens, []byte("player 8WqLrzBLvMHw\n"), 0o600); err != nil {
			t.Error(err)
		}
	})
}

// withoutPage starts a daemon whose page cannot be served, and says so, until it is mended.
func withoutPage(t *testing.T, taken, more, why string, mend func()) {
	t.Helper()
	broker, dir := freeAddress(t), t.TempDir()
	conf := writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+broker+"\n  commands: [on]\n")
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(conf, bytes.Replace(text, []byte("127.0.0.1:0"), []byte(taken+more), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := program(ctx, "run", "--config", conf)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		if err := cmd.Wait(); err != nil && ctx.Err() == nil {
			t.Errorf("it did not end cleanly: %v: %s", err, &errs)
		}
	}()
	listening(t, broker)
	s := spectate(t, "tcp://"+broker)
	s.until("a command is carried out and the broker says that there is no page",
		func() func(_, leaf string, payload []byte) bool {
			said, moved := false, false
			s.send(wire.Topic("table", wire.LeafCommand), `{"id":"1","do":"move","move":"e2e4"}`)
			return func(_, leaf string, payload []byte) bool {
				said = said || leaf == wire.LeafHealth && strings.Contains(string(payload), why)
				moved = moved || leaf == wire.LeafGame && strings.Contains(string(payload), "e2e4")
				return said && moved
			}
		}())
	mend()
	page := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := pageLine.FindStringSubmatch(lines.Text()); m != nil {
				page <- m[1]
				return
			}
		}
	}()
	select {
	case at := <-page:
		if at != "http://"+taken+"/" {
			t.Errorf("the page is at %s, want http://%s/", at, taken)
		}
	case <-time.After(soonEnough):
		t.Fatal("it is mended, and there is no page")
	}
}

// listening waits until somebody listens at an address.
func listening(t *testing.T, address string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), soonEnough)
	defer stop()
	for again := time.NewTicker(50 * time.Millisecond); ; {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("nobody listens at %s", address)
		}
	}
}

// TestMissingHardware: a board whose sensors, lights and display cannot be opened has its page and its game all the
// same, and says what is missing.
func TestMissingHardware(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := filepath.Join(dir, "board.yaml")
	text := fmt.Sprintf("board: table\nstate_dir: %s/state\nhardware:\n  kind: reeds\n  i2c: I2C77\n  spi: SPI77.0\n"+
		"  display: I2C78\ngame:\n  variant: chess\nweb:\n  listen: 127.0.0.1:0\n", dir)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	r.listen("table", "health", func(data []byte) bool {
		for _, want := range []string{"I2C77", "SPI77.0", "I2C78"} {
			if !strings.Contains(string(data), want) {
				return false
			}
		}
		return true
	}, func() string { return "the page says what is missing" })
	if _, reply := r.post("table", "command", `{"id":"1","do":"move","move":"e2e4"}`); reply["ok"] != true {
		t.Fatalf("a move by the page: %v", reply)
	}
	r.await("table", "the move counts", func(g *wire.Game) bool { return strings.Join(g.Moves, " ") == "e2e4" })
}

// takes listens at an address as soon as it can, as another program does that waits for it. The result is nil if ctx
// ends before.
func takes(ctx context.Context, address string) <-chan net.Listener {
	taken := make(chan net.Listener, 1)
	go func() {
		for ctx.Err() == nil {
			if l, err := net.Listen("tcp", address); err == nil {
				taken <- l
				return
			}
		}
		taken <- nil
	}()
	return taken
}

// TestPortsTakenAtARestart: a restart from the page frees two ports. In that moment another program takes that of the
// built-in broker, and then that of the page. The game goes on, and both come back.
func TestPortsTakenAtARestart(t *testing.T) {
	t.Parallel()
	broker, site := freeAddress(t), freeAddress(t)
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+broker+"\n")
	text, err := os.ReadFile(conf)
	must(t, err)
	must(t, os.WriteFile(conf, bytes.Replace(text, []byte("127.0.0.1:0"), []byte(site), 1), 0o600))
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	listening(t, broker)
	again := func(address string, during func()) {
		t.Helper()
		ctx, end := context.WithTimeout(t.Context(), soonEnough)
		defer end()
		taken := takes(ctx, address)
		for {
			resp, err := r.client.Post(r.page+"api/settings/restart", "application/json", strings.NewReader("{}"))
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("the restart: %v, %v", resp, err)
			}
			resp.Body.Close()
			select {
			case l := <-taken:
				if l == nil {
					t.Fatalf("nobody could take %s", address)
				}
				during()
				l.Close()
				return
			case <-time.After(20 * time.Second): // on a busy machine the board may be quicker: once more
				listening(t, site)
			}
		}
	}
	again(broker, func() {
		listening(t, site)
		r.move("table", "e2", "e4", 1)
		r.await("table", "the game goes on", moved("e2e4"))
	})
	r.listen("table", "link", func(data []byte) bool { return strings.Contains(string(data), `"up":true`) },
		func() string { return "the broker runs" })
	again(site, func() {})
	listening(t, site)
	r.move("table", "e7", "e5", 1)
	r.await("table", "the game goes on", moved("e2e4", "e7e5"))
}

// TestStrangersIDAndNoTraces: at a broker of somebody else another client holds the board's id, and what is sensed
// cannot be recorded. Page and log say both. The game goes on, and reaches the broker under another id.
func TestStrangersIDAndNoTraces(t *testing.T) {
	t.Parallel()
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s := spectate(t, b.URL())
	stranger := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(b.URL()).SetClientID("boardd-table").
		SetAutoReconnect(true).SetMaxReconnectInterval(100 * time.Millisecond))
	token := stranger.Connect()
	token.Wait()
	must(t, token.Error())
	defer stranger.Disconnect(0)
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "state"), 0o750))
	must(t, os.WriteFile(filepath.Join(dir, "state", "traces"), nil, 0o600)) // where the folder should be
	r := start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: "+b.URL()+"\n"))
	r.patience = 2 * soonEnough
	r.listen("table", "health", func(data []byte) bool {
		return strings.Contains(string(data), `"part: recording"`)
	}, func() string { return "the page says that nothing is recorded" })
	r.await("table", "the array stands", synced)
	r.listen("table", "link", func(data []byte) bool {
		return strings.Contains(string(data), "another client probably uses the id boardd-table")
	}, func() string { return "the page says that another client uses the board's id" })
	r.move("table", "e2", "e4", 1)
	r.await("table", "the game goes on", moved("e2e4"))
	s.until("the game reaches the broker", func(_, leaf string, payload []byte) bool {
		return leaf == wire.LeafGame && strings.Contains(string(payload), "e2e4")
	})
	r.stop()
	for _, want := range []string{"another client probably uses the id boardd-table", "this board takes another one",
		"what is sensed is not recorded"} {
		if !strings.Contains(r.errs.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, r.errs)
		}
	}
}
