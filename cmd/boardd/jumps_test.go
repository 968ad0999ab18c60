// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// jumps is for make soak: it builds Go's package time anew.
var jumps = flag.Bool("jumps", false, "run tests of whole daemons while the computer's clock jumps by years")

// jumping is what is added to Go's package time: the wall clock is ahead by as many seconds as a file says. The
// monotonic clock stays what it is, as on a computer whose clock is set.
const jumping = `
var jumped atomic.Int64

func init() {
	name, ok := syscall.Getenv("BOARDD_TEST_CLOCK")
	if !ok {
		return
	}
	readJump(name)
	go func() {
		for {
			Sleep(20 * Millisecond)
			readJump(name)
		}
	}()
}

func readJump(name string) {
	fd, err := syscall.Open(name, syscall.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer syscall.Close(fd)
	var b [32]byte
	n, _ := syscall.Read(fd, b[:])
	v, sign := int64(0), int64(1)
	for _, c := range b[:n] {
		switch {
		case c == '-':
			sign = -1
		case '0' <= c && c <= '9':
			v = 10*v + int64(c-'0')
		}
	}
	jumped.Store(sign * v)
}
`

// jumped are tests of whole daemons: games and their clocks, two boards, requests, restarts and kills, pairing,
// forgery, another key, signed commands, tokens, accounts, backups.
var jumped = []string{"TestNewCard", "TestClocksStopTogether", "TestFlagOnBothBoards", "TestPairedBoards",
	"TestManInTheMiddle", "TestSignedCommands", "TestRequestsBetweenBoards", "TestReload", "TestReloadAccounts",
	"TestReloadWithoutTokens", "TestOneBoardClocksByWood", "TestClocksBetweenBoards", "TestKilled", "TestForger",
	"TestNewKey", "TestDamageIsHealedByTheRival", "TestStateDamaged", "TestSecondDaemon"}

const year = 365 * 24 * time.Hour

// clockOf is the time that a program reads whose package time is changed.
func clockOf(t *testing.T, overlay, clock string) time.Time {
	t.Helper()
	src := filepath.Join(t.TempDir(), "main.go")
	const program = "package main\n\nimport \"time\"\n\nfunc main() { println(time.Now().Unix()) }\n"
	if err := os.WriteFile(src, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "go", "run", "-overlay", overlay, src)
	run.Env = append(os.Environ(), "BOARDD_TEST_CLOCK="+clock)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sec, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(sec, 0)
}

// TestClockJumps runs tests of whole daemons while the clock of their computer jumps more than once a second. It jumps
// by a year, forward and back, and to 1970 and back. The tests must go as if it had not.
func TestClockJumps(t *testing.T) {
	if !*jumps {
		t.Skip("without -jumps")
	}
	dir := t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(src) + jumping
	for _, c := range [][2]string{{"\tsec, nsec, mono := runtimeNow()\n",
		"\tsec, nsec, mono := runtimeNow()\n\tsec += jumped.Load()\n"},
		{"import (\n", "import (\n\t\"sync/atomic\"\n\t\"syscall\"\n"}} {
		if n := strings.Count(text, c[0]); n < 1 {
			t.Fatalf("Go's package time has no %q any more", c[0])
		}
		text = strings.ReplaceAll(text, c[0], c[1])
	}
	changed, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{name: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{changed: text, overlay: string(replace)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clock := filepath.Join(dir, "clock")
	set := func(to time.Duration) {
		// Renamed into place: a file that is read half would be another time.
		if err := os.WriteFile(clock+".new", fmt.Append(nil, int64(to/time.Second)), 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(clock+".new", clock); err != nil {
			t.Error(err)
		}
	}
	for _, by := range []time.Duration{year, -year} { // or else nothing would have been tested
		set(by)
		at := clockOf(t, overlay, clock)
		if off := time.Until(at) - by; off.Abs() > time.Hour {
			t.Fatalf("a program whose clock is set by %v reads %v", by, at)
		}
	}
	built := filepath.Join(dir, "jumping.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlay, "-o", built,
		".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	set(0)
	run := exec.CommandContext(t.Context(), built, "-test.run", "^("+strings.Join(jumped, "|")+")$",
		"-test.parallel", "2", "-test.timeout", "20m")
	run.Env = append(os.Environ(), "BOARDD_TEST_CLOCK="+clock)
	type result struct {
		out []byte
		err error
	}
	ended := make(chan result, 1)
	go func() {
		out, err := run.CombinedOutput()
		ended <- result{out, err}
	}()
	turn := time.NewTicker(700 * time.Millisecond)
	defer turn.Stop()
	for n := 0; ; n++ {
		select {
		case r := <-ended:
			if r.err != nil {
				t.Errorf("%v: %s", r.err, r.out)
			}
			t.Logf("the clock was set %d times", n)
			return
		case <-turn.C:
			to1970 := -time.Since(time.Unix(60, 0))
			set([]time.Duration{-year, year, to1970, 0, year, to1970, year, -year, 0}[n%9])
		}
	}
}
