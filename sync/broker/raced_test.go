// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/broker"
	"boardd/systemd/steady/steadytest"
)

// TestPortTakenWhileItStarts: while a broker starts, no other program can take its port. A taken port is no fault of
// the store, which stays where it is.
func TestPortTakenWhileItStarts(t *testing.T) {
	dir := t.TempDir()
	b := start(t, broker.Options{Dir: dir})
	wait(t, "publish", connect(t, b.URL(), "north", "", "").Publish("boardd/v1/north/game", 1, true, "the game"))
	addr := b.Addr()
	b.Close()
	b, err := broker.Start(broker.Options{Listen: addr, Dir: dir, Patience: patience}.WithFree(func() uint64 {
		if other, err := net.Listen("tcp", addr); err == nil {
			t.Error("another program could take the port")
			other.Close()
		}
		return 1 << 30
	}))
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	other, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	_, err = broker.Start(broker.Options{Listen: addr, Dir: dir, Patience: patience})
	if err == nil || !strings.Contains(err.Error(), "another program listens") {
		t.Errorf("got %v, want that another program listens there", err)
	}
	if _, err := os.Stat(dir + ".damaged"); err == nil {
		t.Fatal("the store was set aside")
	}
	other.Close()
	b = start(t, broker.Options{Listen: addr, Dir: dir})
	got := listen(t, connect(t, b.URL(), "look", "", ""), "boardd/v1/#", 1)
	if text := receive(t, got); text != "boardd/v1/north/game the game" {
		t.Errorf("retained is %q", text)
	}
}

// TestSlowStoreStays: a store with which the server is not ready in time is not taken for a damaged one. Nor is one
// whose start was given up. It is set aside only where that is asked for.
func TestSlowStoreStays(t *testing.T) {
	dir := t.TempDir()
	b := start(t, broker.Options{Dir: dir})
	wait(t, "publish", connect(t, b.URL(), "north", "", "").Publish("boardd/v1/north/game", 1, true, "the game"))
	b.Close()
	o := broker.Options{Listen: "127.0.0.1:0", Dir: dir, Patience: time.Nanosecond}
	if _, err := broker.Start(o); !errors.Is(err, broker.ErrSlow) {
		t.Errorf("with a nanosecond: %v, want that it takes long", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := broker.StartContext(ended, broker.Options{Listen: o.Listen, Dir: dir, SetAside: true}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if _, err := os.Stat(dir + ".damaged"); err == nil {
		t.Fatal("the store was set aside")
	}
	b = start(t, broker.Options{Dir: dir})
	if text := receive(t, listen(t, connect(t, b.URL(), "look", "", ""), "boardd/v1/#", 1)); text !=
		"boardd/v1/north/game the game" {
		t.Errorf("retained is %q", text)
	}
	b.Close()
	o.SetAside = true
	if _, err := broker.Start(o); !errors.Is(err, broker.ErrSlow) {
		t.Errorf("with a nanosecond: %v, want that it takes long", err)
	}
	if _, err := os.Stat(dir + ".damaged"); err != nil {
		t.Error("the store is still used")
	}
}

// TestStoppedWhileItStarts: a broker that is stopped while it starts logs nothing, and keeps its store.
func TestStoppedWhileItStarts(t *testing.T) {
	dir := t.TempDir()
	start(t, broker.Options{Dir: dir, Users: two}).Close()
	for after := range 40 {
		var said steadytest.Said
		ctx, end := context.WithTimeout(t.Context(), time.Duration(after)*time.Millisecond)
		b, err := broker.StartContext(ctx, broker.Options{Listen: "127.0.0.1:0", Dir: dir, Users: two,
			Log: slog.New(slog.NewTextHandler(&said, nil))})
		<-ctx.Done()
		end()
		switch {
		case err == nil:
			b.Close()
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("stopped after %d ms: %v", after, err)
		}
		if said.String() != "" {
			t.Errorf("stopped after %d ms, it says:\n%s", after, said.String())
		}
	}
	if _, err := os.Stat(dir + ".damaged"); err == nil {
		t.Error("the store was set aside")
	}
}

// TestSaysWhatToDo: why a broker does not start says where, and what people can do. A folder that is not there is not
// set aside.
func TestSaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o     broker.Options
		wants []string
	}{
		{broker.Options{Listen: "192.0.2.1:1883", Dir: t.TempDir()},
			[]string{"192.0.2.1:1883", "does not have that address"}},
		{broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(file, "broker")}, []string{file, "not a directory"}},
	} {
		c.o.Anonymous = true
		_, err := broker.Start(c.o)
		for _, want := range c.wants {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "rename") {
				t.Errorf("got %v, want %q in it", err, want)
			}
		}
	}
}
