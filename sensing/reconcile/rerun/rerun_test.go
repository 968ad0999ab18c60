// SPDX-License-Identifier: Apache-2.0

package rerun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
)

// TestCorpus replays every trace of testdata/traces: each move as it was made, none that was not, and no question but
// those that were recorded. A file more is a regression test more. In those named limit-wrong one move is taken for
// another, which no sensor of the board contradicts. In those named limit-asks more is asked than was asked then, and
// no move is taken for another.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../testdata/traces/*.trace*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	known, err := os.ReadFile("../testdata/limits.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		limit := strings.Contains(string(known), "\ntrace "+filepath.Base(name)+"\n")
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			tr, err := trace.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			g, err := rerun.Geometry(tr, "stack")
			if err != nil {
				t.Fatal(err)
			}
			var told string
			got := rerun.Run(tr, g, func(line string) { told += line + "\n" })
			for line := range strings.Lines(told) {
				if w := strings.Fields(line); w[3] == "margin" {
					t.Errorf("a move has no name in %q", line)
				}
			}
			want := rerun.Result{Moves: got.Moves}
			switch {
			case strings.HasPrefix(filepath.Base(name), "limit-wrong-"):
				want.Differ, want.Wrong = 1, 1
			case strings.HasPrefix(filepath.Base(name), "limit-asks-"):
				want.Differ, want.Questions = max(1, got.Questions), max(1, got.Questions)
			}
			switch {
			case got != want && !limit:
				t.Errorf("%+v\n%s", got, told)
			case got == want && limit:
				t.Errorf("this is a known limit, and is read right now: take %s out of testdata/limits.txt", filepath.Base(name))
			}
		})
	}
}
