// SPDX-License-Identifier: Apache-2.0

package owner

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// folder makes a folder with a folder in it, a file in that, and a link to a file elsewhere.
func folder(t *testing.T) (state, elsewhere string) {
	t.Helper()
	state, elsewhere = t.TempDir(), filepath.Join(t.TempDir(), "passwd")
	for _, err := range []error{os.Mkdir(filepath.Join(state, "imported"), 0o750),
		os.WriteFile(filepath.Join(state, "imported", "a.pgn"), nil, 0o600), os.WriteFile(elsewhere, nil, 0o600),
		os.Symlink(elsewhere, filepath.Join(state, "link"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return state, elsewhere
}

// owners returns who owns each name of a folder, the folder left out.
func owners(t *testing.T, dir string) map[string]owner {
	t.Helper()
	found := map[string]owner{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		found[name] = ownerOf(info)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestGive: root gives everything in a folder to its owner, and a link itself, not what it points to. Where the test
// runs as root the disk is asked afterwards. Otherwise the calls to the kernel are held against what they should be.
func TestGive(t *testing.T) {
	state, elsewhere := folder(t)
	want, root := owner{os.Getuid(), os.Getgid()}, os.Geteuid() == 0
	if root {
		want = owner{12345, 12346}
		if err := os.Chown(state, want.user, want.group); err != nil {
			t.Fatal(err)
		}
	}
	before := owners(t, filepath.Dir(elsewhere))
	given := map[string]owner{}
	record := func(name string, user, group int) error {
		given[name] = owner{user, group}
		if !root {
			return nil
		}
		return os.Lchown(name, user, group)
	}
	for _, name := range []string{state, filepath.Join(state, "no")} {
		if err := give(name, state, 0, record); err != nil {
			t.Fatal(err)
		}
	}
	called := map[string]owner{}
	for _, name := range []string{state, filepath.Join(state, "imported"), filepath.Join(state, "imported", "a.pgn"),
		filepath.Join(state, "link")} {
		called[name] = want
	}
	if !maps.Equal(given, called) {
		t.Errorf("given %v, want %v", given, called)
	}
	for name, got := range owners(t, state) {
		if got != want {
			t.Errorf("%s belongs to %v, want %v", name, got, want)
		}
	}
	if after := owners(t, filepath.Dir(elsewhere)); !maps.Equal(after, before) {
		t.Errorf("what a link points to belongs to %v, want %v", after, before)
	}
}

// TestGiveIsForRoot: for nobody else anything is done. A file that goes away meanwhile is no error, one that cannot be
// given is.
func TestGiveIsForRoot(t *testing.T) {
	state, _ := folder(t)
	calls := 0
	answer := func(err error) func(string, int, int) error {
		return func(name string, _, _ int) error { calls++; return err }
	}
	if err := give(state, state, 1000, answer(nil)); err != nil || calls != 0 {
		t.Errorf("an ordinary user: %v and %d calls, want none", err, calls)
	}
	if err := give(state, state, 0, answer(os.ErrNotExist)); err != nil || calls != 4 {
		t.Errorf("files that went away: %v and %d calls, want no error and 4", err, calls)
	}
	if err := give(state, state, 0, answer(syscall.EROFS)); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a disk that cannot be written: got %v", err)
	}
	if err := give(state, filepath.Join(state, "no"), 0, answer(nil)); err == nil {
		t.Error("a folder that does not exist has no owner: got no error")
	}
	if err := Give(state, state); err != nil { // to whom it belongs already
		t.Error(err)
	}
}
