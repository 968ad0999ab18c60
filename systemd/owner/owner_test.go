// SPDX-License-Identifier: Apache-2.0

package owner

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestGive: what root wrote belongs to the owner of the folder, in folders as well, and links are not followed.
func TestGive(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	const user, group = 12345, 12346
	state, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "passwd")
	for _, err := range []error{os.Chown(state, user, group), os.Mkdir(filepath.Join(state, "imported"), 0o750),
		os.WriteFile(filepath.Join(state, "imported", "a.pgn"), nil, 0o600), os.WriteFile(elsewhere, nil, 0o600),
		os.Symlink(elsewhere, filepath.Join(state, "link")), Give(state, state), Give(filepath.Join(state, "no"), state)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]uint32{filepath.Join(state, "imported"): user, elsewhere: 0,
		filepath.Join(state, "imported", "a.pgn"): user, filepath.Join(state, "link"): user} {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; got != want {
			t.Errorf("%s belongs to %d, want %d", name, got, want)
		}
	}
}
