// SPDX-License-Identifier: Apache-2.0

package scratch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestClean: the folders of processes that have ended go, and nothing else.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	mine, err := Make(dir, "boardd-x-")
	if err != nil {
		t.Fatal(err)
	}
	const ended = "999999999" // higher than Linux counts
	want := []string{"boardd-x-" + ended, "boardd-x--1-1", "boardd-x-0-1", "boardd-x-1-1", "boardd-x-word-1",
		"boardd-y-" + ended + "-1", filepath.Base(mine)}
	for _, name := range append(want[:6:6], "boardd-x-"+ended+"-1", "boardd-x-"+ended+"-2") {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	Clean(dir, "boardd-x-")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
	if info, err := os.Stat(mine); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can read what this process keeps: %v, %v", info.Mode(), err)
	}
	Clean(filepath.Join(dir, "missing"), "boardd-x-")
}
