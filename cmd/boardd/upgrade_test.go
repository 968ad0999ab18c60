// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestUpgrade: the files of a released version are taken over as they are: its configuration with every setting, its
// game, its key and its calibration. The folders were written by those versions.
func TestUpgrade(t *testing.T) {
	for _, from := range []string{"0.1.0"} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata/upgrade", from))); err != nil {
				t.Fatal(err)
			}
			conf, state := filepath.Join(dir, "board.yaml"), filepath.Join(dir, "state")
			text, err := os.ReadFile(conf)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(conf, bytes.Replace(text, []byte("STATE"), []byte(state), 1), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(state, "board.key"), 0o600); err != nil {
				t.Fatal(err)
			}
			kept := map[string][]byte{"board.key": nil, "board.pub": nil, "calibration.yaml": nil}
			for name := range kept {
				if kept[name], err = os.ReadFile(filepath.Join(state, name)); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := program(t.Context(), "check", "--config", conf).CombinedOutput(); err != nil {
				t.Errorf("its configuration and calibration: %v: %s", err, out)
			}
			r := start(t, "run", "--config", conf)
			r.await("table", "its game is there, and the wood as it stood", synced)
			r.move("table", "f1", "g2", 1)
			r.await("table", "and goes on", moved("e2e4", "e7e5", "g1f3", "d8e8*", "f1g2*"))
			r.stop()
			for name, want := range kept {
				if got, err := os.ReadFile(filepath.Join(state, name)); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s was changed: %v", name, err)
				}
			}
		})
	}
}
