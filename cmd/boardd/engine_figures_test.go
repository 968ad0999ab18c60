// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/sync/wire"
)

// frames returns the lights of the board as the page gets them, each when it comes.
func (r *running) frames(board string) <-chan string {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.page+"api/boards/"+board+"/events", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	out := make(chan string, 10000) // more than the test makes
	go func() {
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for kind := ""; lines.Scan(); {
			if k, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				kind = k
			} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && kind == "leds" {
				out <- data
			}
		}
	}()
	return out
}

// lights waits for a frame with a light on, or with all lights off.
func lights(t *testing.T, frames <-chan string, on bool) time.Time {
	t.Helper()
	late := time.After(soonEnough)
	for {
		select {
		case f := <-frames:
			if strings.ContainsAny(strings.ReplaceAll(f, "#000000", ""), "#") == on {
				return time.Now()
			}
		case <-late:
			t.Fatalf("no frame came in which something shines: %v", on)
		}
	}
}

// resident returns how much memory a process holds, in MiB, and its child processes.
func resident(t *testing.T, pid int) (mib int, children []int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue // it has ended
		}
		for _, word := range strings.Fields(string(list)) {
			child, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, child)
		}
	}
	return kib >> 10, children
}

// What the report holds a hint and the daemon to. Half of the hints take no longer. The garbage collector alone makes
// the daemon's memory swing by some MiB.
const (
	mostHint   = 300 * time.Millisecond
	mostGrowth = 8
)

// TestLatencyBesideEngine measures the time from the first touch of a piece to its light, in turn while all is quiet
// and while the engine ponders. It also measures how long a hint takes, and the memory of daemon and engine. It
// uses the cores that there are; the published figures are from two. It is a part of `make engine-report`.
//
//	go test ./cmd/boardd -run LatencyBesideEngine -latency 60 -v
func TestLatencyBesideEngine(t *testing.T) {
	if *latencyMoves == 0 {
		t.Skip("no touches asked for: -latency 60")
	}
	r := start(t, "run", "--config", engineConfig(t, "chess", "  level: 8\n  ponder: true"))
	frames := r.frames("table")
	const each = 10 // touches of a round
	touch := func() (took []time.Duration) {
		for range each {
			for len(frames) > 0 {
				<-frames
			}
			begun := time.Now()
			r.hand("table", `{"do":"lift","square":"g1"}`)
			took = append(took, lights(t, frames, true).Sub(begun))
			r.hand("table", `{"do":"place","square":"g1"}`)
			r.await("table", "it stands again", synced)
			lights(t, frames, false)
		}
		return took
	}
	var quiet, beside, hints []time.Duration
	alone, grown, whole := 0, 0, 0
	for len(beside) < *latencyMoves {
		r.command("table", `{"id":"1","do":"new"}`)
		g := r.await("table", "the array is to be set up", func(g *wire.Game) bool { return len(g.Moves) == 0 })
		r.copied(&g)
		quiet = append(quiet, touch()...)
		if alone == 0 {
			alone, _ = resident(t, r.cmd.Process.Pid)
		}
		r.move("table", "e2", "e4", 1)
		g = r.await("table", "the engine moves", func(g *wire.Game) bool { return len(g.Moves) == 2 })
		r.copied(&g)
		beside = append(beside, touch()...)
		daemon, children := resident(t, r.cmd.Process.Pid)
		grown = max(grown, daemon)
		t.Logf("daemon %d MiB (%d before it asked the engine)", daemon, alone)
		for _, child := range children {
			mib, _ := resident(t, child)
			whole = max(whole, mib)
			t.Logf("engine %d MiB", mib)
		}
		for len(frames) > 0 {
			<-frames
		}
		begun := time.Now()
		r.command("table", `{"id":"2","do":"hint"}`)
		hints = append(hints, lights(t, frames, true).Sub(begun))
		r.command("table", `{"id":"3","do":"resign"}`)
	}
	for _, row := range []struct {
		what  string
		times []time.Duration
	}{{"touch to light, the engine quiet", quiet}, {"touch to light, the engine pondering", beside},
		{"hint asked to hint lit", hints}} {
		slices.Sort(row.times)
		at := func(part float64) time.Duration {
			return row.times[int(part*float64(len(row.times)-1))].Round(100 * time.Microsecond)
		}
		t.Logf("%-38s median %9v  p90 %9v  p99 %9v  most %9v  (%d)", row.what, at(0.5), at(0.9), at(0.99), at(1),
			len(row.times))
	}
	// sorted above; the highest of so few swing too much to be held to anything
	if ratio := float64(beside[len(beside)/2]) / float64(quiet[len(quiet)/2]); ratio > 1.25 {
		t.Errorf("touch to light takes %.2f times as long beside a pondering engine, want the same", ratio)
	}
	if half := hints[len(hints)/2]; half > mostHint {
		t.Errorf("a hint takes %v, want at most %v", half, mostHint)
	}
	if grown > alone+mostGrowth {
		t.Errorf("the daemon grows from %d to %d MiB by asking the engine, want the same", alone, grown)
	}
	if whole == 0 || whole > 64 {
		t.Errorf("an engine holds %d MiB, want some, and at most 64", whole)
	}
}
