// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"
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
	taken, broker, dir := l.Addr().String(), freeAddress(t), t.TempDir()
	conf := writeConfig(t, dir, "chess", "stack", "mqtt:\n  url: embedded\n  listen: "+broker+"\n  commands: [on]\n")
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(conf, bytes.Replace(text, []byte("127.0.0.1:0"), []byte(taken), 1), 0o600); err != nil {
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
				said = said || leaf == wire.LeafHealth && strings.Contains(string(payload), taken)
				moved = moved || leaf == wire.LeafGame && strings.Contains(string(payload), "e2e4")
				return said && moved
			}
		}())
	l.Close()
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
		t.Fatal("the port is free, and there is no page")
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
