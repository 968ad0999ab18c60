// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLitterOfTheDead: the folder of a process that is gone is taken away, that of a living one stays.
func TestLitterOfTheDead(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	alive, err := hubFolder()
	if err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(os.TempDir(), hubPrefix+"999999999-1")
	if err := os.Mkdir(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := hubFolder(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the folder of a living process: %v", err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead process: %v", err)
	}
}
