// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

// TestOneWriter: a second process never writes a journal, whatever is in the place of its file "lock" or has become of
// that file since.
func TestOneWriter(t *testing.T) {
	for what, spoil := range map[string]func(lock string) error{
		"a folder":                  func(lock string) error { return os.Mkdir(lock, 0o700) },
		"a link that leads nowhere": func(lock string) error { return os.Symlink("/nowhere/lock", lock) },
		"a pipe":                    func(lock string) error { return syscall.Mkfifo(lock, 0o600) },
		"a file without rights":     func(lock string) error { return os.WriteFile(lock, nil, 0) },
		"removed later":             func(string) error { return nil },
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "journal")
			lock := filepath.Join(dir, "lock")
			if err := errors.Join(os.Mkdir(dir, 0o700), spoil(lock)); err != nil {
				t.Fatal(err)
			}
			j, _, report, err := journal.Open(dir, journal.Options{})
			if err != nil || report.Warning != nil {
				t.Fatal(err, report.Warning)
			}
			if what == "removed later" {
				if err := os.Remove(lock); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if second, _, _, err := journal.Open(dir, journal.Options{}); !errors.Is(err, journal.ErrLocked) {
					t.Errorf("opened twice at once: %v", err)
					if err == nil {
						second.Close() //nolint:errcheck // the test has failed
					}
				}
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			j, _, _, err = journal.Open(dir, journal.Options{})
			if err != nil {
				t.Fatalf("after the first has ended: %v", err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestOlderProgramsLock: a program that locks only the file, as version 0.1.0 does, and this one keep each other
// out.
func TestOlderProgramsLock(t *testing.T) {
	dir := t.TempDir()
	older := func() (*os.File, error) {
		f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDONLY|os.O_CREATE, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		return f, syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	f, err := older()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := journal.Open(dir, journal.Options{}); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("beside an older program: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	j, _, _, err := journal.Open(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f, err = older(); err == nil {
		t.Error("an older program may write it as well")
	}
	if err := errors.Join(f.Close(), j.Close()); err != nil {
		t.Fatal(err)
	}
}

// lockless is a file system without locks.
type lockless struct{ *journaltest.Memory }

func (lockless) Lock(string) (io.Closer, error) { return nil, syscall.ENOLCK }

// TestNoLock: where no lock can be taken, nothing is opened, and the error says so.
func TestNoLock(t *testing.T) {
	_, _, _, err := journal.Open("j", journal.Options{FS: lockless{journaltest.NewMemory()}})
	if !errors.Is(err, journal.ErrNoLock) || !errors.Is(err, syscall.ENOLCK) || errors.Is(err, journal.ErrLocked) {
		t.Errorf("got %v", err)
	}
}

// TestFree: whether a folder is free is told without a file being made. Where only the file in it is locked, as
// version 0.1.0 did, it is not free.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "lock")
	if err := journal.Free(dir); err != nil {
		t.Error(err)
	}
	if err := journal.Free(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	held, err := journal.Hold(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := journal.Free(dir); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("a folder that is held: %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(lock); err == nil {
		t.Error("a file was made")
	}
	old, err := os.Create(lock)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := journal.Free(dir); err != nil {
		t.Errorf("a file that nobody has locked: %v", err)
	}
	if err := syscall.Flock(int(old.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := journal.Free(dir); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("a folder whose file is locked: %v", err)
	}
	if err := journal.Free(lock); err == nil || errors.Is(err, journal.ErrLocked) {
		t.Errorf("a file in place of the folder: %v", err)
	}
}
