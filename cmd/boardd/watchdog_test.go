// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"
)

// TestNotify: systemd hears that the daemon is ready, that its loop is alive, and that it stops.
func TestNotify(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "300000")
	r := start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", ""))
	heard := func(want string) {
		t.Helper()
		l.SetReadDeadline(time.Now().Add(soonEnough))
		for buf := make([]byte, 256); ; {
			n, err := l.Read(buf)
			if err != nil {
				t.Fatalf("waited in vain for %s: %v", want, err)
			}
			if strings.Contains(string(buf[:n]), want) {
				return
			}
		}
	}
	heard("READY=1")
	heard("WATCHDOG=1")
	r.await("table", "the array stands", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	heard("WATCHDOG=1")
	r.stop()
	heard("STOPPING=1")
}
