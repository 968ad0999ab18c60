// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecondDaemon: a second daemon does not run with the state folder of one that runs. The file of the lock may be
// one that cannot be opened, or was removed. The second one says so before it touches the board's hardware or its
// broker, and the first one plays on.
func TestSecondDaemon(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := writeConfig(t, dir, "locking", "stack", "")
	lock := filepath.Join(dir, "state", "journal", "lock")
	if err := os.MkdirAll(lock, 0o750); err != nil { // a folder in its place
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	// Hardware that is missing would be named if it were looked for.
	other := filepath.Join(dir, "other.yaml")
	if err := os.WriteFile(other, []byte(strings.ReplaceAll(string(text), "virtual: true", "hub: /dev/nowhere")),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{conf, other} {
		out, err := program(t.Context(), "run", "--config", c).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "another boardd runs with this state_dir") ||
			strings.Count(string(out), "\n") != 1 {
			t.Errorf("a second daemon: %v: %s", err, out)
		}
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t.Context(), "run", "--config", conf).CombinedOutput(); err == nil {
		t.Errorf("after the lock was removed: %s", out)
	}
	r.move("table", "e2", "e4", 1)
	r.await("table", "the first one plays on", moved("e2e4"))
}
