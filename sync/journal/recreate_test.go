// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/sync/journal"
)

// TestRemoved: the file that is being written is removed or moved, with its folder or alone, or another file is put in
// its place. Whatever it held is written again with the next record, and another process is still kept out.
func TestRemoved(t *testing.T) {
	for name, remove := range map[string]func(dir, file string) error{
		"the folder": func(dir, _ string) error { return os.RemoveAll(dir) },
		"the file":   func(_, file string) error { return os.Remove(file) },
		"replaced": func(_, file string) error {
			return errors.Join(os.Remove(file), os.WriteFile(file, []byte("something else"), 0o600))
		},
		"the folder moved": func(dir, _ string) error { return os.Rename(dir, dir+".old") },
		"the file moved":   func(_, file string) error { return os.Rename(file, file+".old") },
		"another one moved over it": func(dir, file string) error {
			other := filepath.Join(filepath.Dir(dir), "other")
			return errors.Join(os.WriteFile(other, []byte("something else"), 0o600), os.Rename(other, file))
		},
		"the folder, while a file is in its way": func(dir, _ string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "journal")
			var anew []string
			j, _, _, err := journal.Open(dir, journal.Options{OnRecreated: func(file string) { anew = append(anew, file) }})
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			add := func() error {
				want = append(want, strings.Repeat("x", len(want)+1))
				return j.Append([]byte(want[len(want)-1]))
			}
			if err := errors.Join(add(), add(), remove(dir, filepath.Join(dir, "00000001.journal"))); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				if err := add(); err == nil || !strings.Contains(err.Error(), "was removed") {
					t.Errorf("it is stored nowhere, and the error is %v", err)
				}
				if err := os.Remove(dir); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(add(), add()); err != nil || len(anew) != 1 {
				t.Errorf("%v, written anew %q, want once", err, anew)
			}
			if _, _, _, err := journal.Open(dir, journal.Options{}); !errors.Is(err, journal.ErrLocked) {
				t.Errorf("another process may write it: %v", err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			_, records, _, err := journal.Open(dir, journal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range records {
				got = append(got, string(r.Payload))
			}
			if !slices.Equal(got, want) {
				t.Errorf("read %q, want %q", got, want)
			}
		})
	}
}
