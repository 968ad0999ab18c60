// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/sync/seal"
)

// TestCutLists: a list of paired boards, or of the numbers of signed commands, may be emptied or cut off anywhere. It
// is not taken for a shorter one: no board is believed that is not known otherwise. Nor is a folder in its place, or a
// file of zeros.
func TestCutLists(t *testing.T) {
	north, _ := board(t, "north")
	south, dir := board(t, "south")
	east, _ := board(t, "east")
	signers := filepath.Join(dir, "signers")
	if err := errors.Join(Pair(dir, Known{}, "north", north.Words()), Pair(dir, Known{}, "east", east.Words()),
		Outdate(dir, time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), time.Time{}),
		os.WriteFile(signers, []byte(seal.Line("arbiter", seal.Public(north.own))), 0o600)); err != nil {
		t.Fatal(err)
	}
	read := map[string]func() error{
		PairsFile: func() error { return south.Reread(dir) },
		SignedCommandsFile: func() error {
			_, err := ReadSignedCommands(signers, dir)
			return err
		},
	}
	for file, read := range read {
		name := filepath.Join(dir, file)
		whole, err := os.ReadFile(name)
		if err = errors.Join(err, read()); err != nil {
			t.Fatal(err)
		}
		all := len(strings.TrimSpace(string(whole)))
		for n := range all {
			if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := read(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("the first %d of %d bytes of %s: %v", n, len(whole), file, err)
			}
		}
		if file == PairsFile {
			anew, err := Read("")
			if err := errors.Join(err, anew.Reread(dir)); err == nil {
				t.Errorf("%s is cut, and is read after a restart", file)
			}
			if why := believed(t, anew, north); !strings.Contains(why, "cannot be read") {
				t.Errorf("%s is cut, and a board that is not known otherwise is believed: %q", file, why)
			}
		}
		if err := os.WriteFile(name, make([]byte, len(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := read(); err == nil {
			t.Errorf("zeros in place of %s are read", file)
		}
		if err := errors.Join(os.Remove(name), os.Mkdir(name, 0o700)); err != nil {
			t.Fatal(err)
		}
		if err := read(); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a folder in place of %s: %v", file, err)
		}
		if err := errors.Join(os.Remove(name), os.WriteFile(name, whole, 0o600), read()); err != nil {
			t.Errorf("whole again: %v", err)
		}
	}
	// A list that has become empty by what people did is whole.
	err := errors.Join(Unpair(dir, "north"), Unpair(dir, "east"), south.Reread(dir))
	if err != nil || south.Pinned("east") {
		t.Errorf("after all pairings were undone: %v", err)
	}
}
