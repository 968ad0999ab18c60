// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"
)

// TestSpent: processor time is read even after a program's name with spaces and brackets. Text that is not the state
// of a process is an error.
func TestSpent(t *testing.T) {
	got, err := spent("325 (a) b (c) S 1 325 325 0 -1 4194560 100 0 5 0 1234 66 0 0 20 0 12 0 300 1 1 1")
	if err != nil || got != 1300 {
		t.Errorf("got %d, %v, want 1300", got, err)
	}
	own, err := os.ReadFile("/proc/self/stat")
	must(t, err)
	if _, err := spent(string(own)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "cat: /proc/0/stat: No such file or directory",
		"1 (a) S 1 1 1 1 1 1 1 1 1 1 x 1 0"} {
		if n, err := spent(bad); err == nil {
			t.Errorf("%q: got %d, want an error", bad, n)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
