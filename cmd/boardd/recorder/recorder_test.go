// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// TestTriedAgain: while nothing can be written that is said once; when it can, a trace begins where the game then
// stands.
func TestTriedAgain(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	dir := filepath.Join(t.TempDir(), "traces")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file stands where the folder should be
		t.Fatal(err)
	}
	said := &strings.Builder{}
	g := wood.Reference()
	var r Recorder
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	stands := func() table.Begin { return table.Begin{Position: p, Plies: 7} }
	r.Flush(now, stands) // before the first game
	r.Begin(dir, &table.Begin{Position: p}, &g, slog.New(slog.NewTextHandler(said, nil)))
	now = time.Now()
	for range 10 {
		now = now.Add(retries)
		r.Flush(now, stands)
	}
	if r.Err() == nil {
		t.Error("it does not say that nothing is recorded")
	}
	if n := strings.Count(said.String(), "level=WARN msg=\"what is sensed is not recorded"); n != 1 {
		t.Errorf("said %d times that nothing is recorded:\n%s", n, said)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	r.Flush(now.Add(time.Second), stands)
	if _, err := os.Stat(dir); err == nil {
		t.Error("tried again at once")
	}
	r.Flush(now.Add(retries), stands)
	if r.Err() == nil || strings.Contains(said.String(), "recorded again") {
		t.Errorf("nothing is written yet, and it says that it is recorded again:\n%s", said)
	}
	r.Flush(now.Add(retries+time.Second), stands)
	if err := r.Err(); err != nil {
		t.Errorf("it is recorded again, and yet: %v", err)
	}
	r.Reading(&sensing.Reading{At: now.Add(retries), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)})
	r.Close()
	traces, err := filepath.Glob(filepath.Join(dir, "*-007.trace"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("%v, %v: want one trace from ply 7 on", traces, err)
	}
	if f, err := os.Stat(traces[0]); err != nil || f.Size() == 0 || !strings.Contains(said.String(), "recorded again") {
		t.Errorf("%v, %v:\n%s", f, err, said)
	}
}

// TestFullDisk: on a full disk a file can be made, and nothing be written to it. That is said once, and that it is
// recorded again only when something was written. A game that begins meanwhile changes nothing.
func TestFullDisk(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	dir, said, full, g := t.TempDir(), &strings.Builder{}, true, wood.Reference()
	r := Recorder{create: func(name string) (*os.File, error) {
		if !full {
			return os.Create(name)
		}
		if err := os.Symlink("/dev/full", name); err != nil {
			return nil, err
		}
		return os.OpenFile(name, os.O_WRONLY, 0)
	}}
	begin := table.Begin{Position: v.Start()}
	stands := func() table.Begin { return begin }
	log := slog.New(slog.NewTextHandler(said, nil))
	r.Begin(dir, &begin, &g, log)
	now := time.Now()
	look := func(failed bool, warned, again int) {
		t.Helper()
		if failed != (r.Err() != nil) || strings.Count(said.String(), "is not recorded") != warned ||
			strings.Count(said.String(), "recorded again") != again {
			t.Errorf("%v, want failed %v, said %d and %d times:\n%s", r.Err(), failed, warned, again, said)
		}
	}
	r.Flush(now, stands)
	look(true, 1, 0)
	for range 300 {
		now = now.Add(time.Second)
		r.Flush(now, stands)
		look(true, 1, 0)
	}
	r.Begin(dir, &begin, &g, log)
	look(true, 1, 0)
	for range 100 {
		now = now.Add(time.Second)
		r.Flush(now, stands)
		look(true, 1, 0)
	}
	full = false
	for range 100 {
		now = now.Add(time.Second)
		r.Flush(now, stands)
	}
	look(false, 1, 1)
	r.Close()
	if left := traces(dir); len(left) != 1 {
		t.Errorf("left are %v, want one", left)
	}
}

// TestWrongClock: a trace that begins while the computer's clock is wrong still counts as the newest. It is kept, and
// takes the place of no other one.
func TestWrongClock(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	dir, g := t.TempDir(), wood.Reference()
	for i := range keepTraces {
		name := filepath.Join(dir, fmt.Sprintf("20261126-1200%02d-000.trace", i))
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) { // it is the year 2000
		for range 3 {
			var r Recorder
			r.Begin(dir, &table.Begin{Position: v.Start(), Plies: 7}, &g, slog.New(slog.DiscardHandler))
			r.Reading(&sensing.Reading{At: time.Now(), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)})
			r.Close()
		}
	})
	left := traces(dir)
	want := []string{"20261126-120019-000.trace", "20261126-120020-007.trace", "20261126-120021-007.trace",
		"20261126-120022-007.trace"}
	if len(left) != keepTraces || !slices.Equal(left[len(left)-len(want):], want) {
		t.Errorf("left are %v, want %d that end in %v", left, keepTraces, want)
	}
	for _, name := range want[1:] {
		if f, err := os.Stat(filepath.Join(dir, name)); err != nil || f.Size() < 100 {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
