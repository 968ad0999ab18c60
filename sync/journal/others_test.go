// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

// TestOthersFilesStay: somebody puts back a file of the journal while the board runs, or something else has its name.
// It stays as it is, and what is recorded from then on goes elsewhere.
func TestOthersFilesStay(t *testing.T) {
	old := written(t, 3) // records 0 to 2
	for name, put := range map[string]func(name string) error{
		"a segment":        func(name string) error { return os.WriteFile(name, old, 0o600) },
		"a folder":         func(name string) error { return os.Mkdir(name, 0o700) },
		"a pipe":           func(name string) error { return unix.Mkfifo(name, 0o600) },
		"a link to nobody": func(name string) error { return os.Symlink("/nowhere/at/all", name) },
	} {
		for _, begun := range []bool{false, true} {
			dir := t.TempDir()
			o := journal.Options{SegmentBytes: 20}
			j, _, _, err := journal.Open(dir, o)
			if err != nil {
				t.Fatal(err)
			}
			next, file := 3, "00000001.journal"
			want := [][]byte{}
			add := func() {
				t.Helper()
				want = append(want, record(next))
				if err := errors.Join(j.Boundary(), j.Append(record(next))); err != nil {
					t.Errorf("%s, begun %v: %v", name, begun, err)
				}
				next++
			}
			if begun {
				add()
				file = "00000002.journal"
			}
			if err := put(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			add()
			add()
			closeNow(t, j)
			if name == "a segment" { // a pipe would keep the reader waiting
				if data, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !slices.Equal(data, old) {
					t.Errorf("begun %v: the file that was put there has changed: %v", begun, err)
				}
			}
			_, records, _, err := journal.Open(dir, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range want {
				if !slices.ContainsFunc(records, func(got journal.Record) bool { return slices.Equal(got.Payload, r) }) {
					t.Errorf("%s, begun %v: %s is not read", name, begun, r)
				}
			}
		}
	}
}

// TestHighNumbers: a damaged file of a journal with a high number hides nothing that is recorded afterwards.
func TestHighNumbers(t *testing.T) {
	for _, names := range [][]string{{"9223372036854775807"}, {"1000000000000000"}, {"99999999", "100000000"}} {
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = written(t, 2)
		for _, name := range names {
			m.Files[dir+"/"+name+".journal"] = []byte("not a journal at all")
		}
		next := 2
		for range 3 {
			j, records, _ := open(t, m, journal.Options{SegmentBytes: 20})
			if n := checkRecords(t, names[0], records); n != next {
				t.Errorf("%v: %d records are read, want %d", names, n, next)
			}
			if err := errors.Join(j.Append(record(next)), j.Boundary(), j.Append(record(next+1))); err != nil {
				t.Error(err)
			}
			next += 2
			closeNow(t, j)
		}
	}
}

// TestHalfWrittenGoes: where a journal cannot be written to its end, nothing of it stays that could pass for whole.
func TestHalfWrittenGoes(t *testing.T) {
	payloads := allRecords(20)
	for n := range 20 {
		m, count := journaltest.NewMemory(), 0
		m.Refuse = func(s journaltest.Step) (int, error) {
			if s.Kind == "remove" {
				return 0, nil
			}
			if count++; count > n {
				return len(s.Data) / 2, errFull
			}
			return 0, nil
		}
		o := journal.Options{FS: m, SegmentBytes: 200}
		err := journal.Create(dir, o, journal.Version, payloads)
		if err == nil {
			return // no step is left that could fail
		}
		if len(m.Files) > 0 {
			t.Errorf("step %d failed (%v), and %d files stay", n+1, err, len(m.Files))
		}
		m.Refuse = nil
		if err := journal.Create(dir, o, journal.Version, payloads); err != nil {
			t.Errorf("once there is room: %v", err)
		}
	}
	t.Error("no run of 20 steps was whole")
}
