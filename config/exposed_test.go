// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExposed: files with secrets that every user may read are named, others are not.
func TestExposed(t *testing.T) {
	dir := t.TempDir()
	c := Default()
	c.StateDir, c.WebTokenFile, c.MQTTPasswordFile, c.MQTTCAFile = dir, filepath.Join(dir, "tokens"),
		filepath.Join(dir, "password"), filepath.Join(dir, "ca")
	for name, mode := range map[string]os.FileMode{"tokens": 0o644, "password": 0o640, "ca": 0o644, "board.key": 0o604} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	got := c.WorldReadable()
	if len(got) != 2 || got[0].Setting != "web.token_file" || got[1].Path != filepath.Join(dir, "board.key") {
		t.Errorf("named %v, want the tokens and the key", got)
	}
}
