// SPDX-License-Identifier: Apache-2.0

package watchdog_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/systemd/watchdog"
)

// listen is a service manager that waits for a sign of life within a limit, and what it hears next; "" for nothing.
func listen(t *testing.T, limit time.Duration) (next func() string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	t.Setenv("WATCHDOG_PID", strconv.Itoa(os.Getpid()))
	t.Setenv("WATCHDOG_USEC", strconv.FormatInt(limit.Microseconds(), 10))
	raw, err := conn.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	return func() (said string) {
		err := raw.Read(func(fd uintptr) bool {
			var b [64]byte
			n, _, err := unix.Recvfrom(int(fd), b[:], unix.MSG_DONTWAIT) // what was sent is there already
			if err == nil {
				said = string(b[:n])
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
}

// TestFed: a loop that runs often says that it is alive three times within the limit, and not each time.
func TestFed(t *testing.T) {
	next := listen(t, 30*time.Second)
	d, now, heard := watchdog.New(), time.Unix(1000, 0), 0
	for at := time.Duration(0); at < 30*time.Second; at += 100 * time.Millisecond {
		d.Feed(now.Add(at))
		if next() == "WATCHDOG=1" {
			heard++
		}
	}
	if heard != 3 {
		t.Errorf("heard %d times in 30 seconds, want 3", heard)
	}
	d.Say("READY=1")
	if got := next(); got != "READY=1" {
		t.Errorf("heard %q, want READY=1", got)
	}
}

// TestNobodyWaits: where no service manager waits, or waits for another process, nothing is said.
func TestNobodyWaits(t *testing.T) {
	for name, env := range map[string][2]string{"no limit": {"WATCHDOG_USEC", ""},
		"another process": {"WATCHDOG_PID", "1"}, "no number": {"WATCHDOG_USEC", "soon"}} {
		t.Run(name, func(t *testing.T) {
			next := listen(t, 30*time.Second)
			t.Setenv(env[0], env[1])
			d := watchdog.New()
			d.Feed(time.Unix(1000, 0))
			if got := next(); got != "" {
				t.Errorf("heard %q, want nothing", got)
			}
		})
	}
}
