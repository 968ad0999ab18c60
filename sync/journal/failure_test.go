// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

func fixHeader(b []byte) {
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[:12], crc32.MakeTable(crc32.Castagnoli)))
}

// TestEveryStepFailsOnce lets each single step of a run fail once, and a write after every possible number of bytes.
// The append reports it, later ones succeed, and no record is lost, doubled or out of order.
func TestEveryStepFailsOnce(t *testing.T) {
	o := journal.Options{SegmentBytes: 60}
	run := func(m *journaltest.Memory) (failed int) {
		j, _, _ := open(t, m, o)
		for i := range 9 {
			if err := j.Boundary(); err != nil {
				failed++
			}
			if err := j.Append(record(i)); err != nil {
				failed++
				if j.Pending() != 1 || !strings.Contains(err.Error(), "1 records wait") {
					t.Fatalf("pending %d after %v, want 1", j.Pending(), err)
				}
			}
		}
		if err := j.Retry(); err != nil || j.Pending() != 0 {
			t.Fatalf("%d records wait at the end, want none", j.Pending())
		}
		closeNow(t, j)
		return failed
	}
	clean := journaltest.NewMemory()
	run(clean)
	for n, s := range clean.Steps {
		for taken := range len(s.Data) + 1 {
			m, count := journaltest.NewMemory(), 0
			m.Refuse = func(s journaltest.Step) (int, error) {
				count++
				if count == n+1 {
					return taken, errFull
				}
				return 0, nil
			}
			want := 1
			if s.Name == dir+"/newest" {
				want = 0 // it is tried again later, and nothing waits for it
			}
			if failed := run(m); failed != want {
				t.Fatalf("step %d (%s %s): %d calls failed, want %d", n, s.Kind, s.Name, failed, want)
			}
			m.Refuse = nil
			j, records, report := open(t, m, o)
			if got := checkRecords(t, s.Kind, records); got != 9 || report.String() != "" {
				t.Fatalf("step %d (%s): got %d records, report %q, want 9 and none", n, s.Kind, got, report)
			}
			closeNow(t, j)
		}
	}
}

func TestReadOnlyCardOpensAndRecovers(t *testing.T) {
	m := journaltest.NewMemory()
	whole := written(t, 3)
	m.Files[dir+"/00000001.journal"] = slices.Clone(whole[:len(whole)-1]) // torn, and cannot be cut off
	m.Refuse = func(journaltest.Step) (int, error) { return 0, syscall.EROFS }
	j, records, report := open(t, m, journal.Options{})
	if n := checkRecords(t, "read-only", records); n != 2 || report.Warning == nil {
		t.Fatalf("got %d records, warning %v, want 2 and one", n, report.Warning)
	}
	for i := range 3 {
		if err := j.Append(record(2 + i)); err == nil {
			t.Fatal("a read-only card takes records")
		}
	}
	if j.Pending() != 3 {
		t.Errorf("%d appends wait, want 3", j.Pending())
	}
	m.Refuse = nil
	if err := j.Retry(); err != nil {
		t.Fatal(err)
	}
	closeNow(t, j)
	j, records, _ = open(t, m, journal.Options{})
	if n := checkRecords(t, "recovered", records); n != 5 || len(sideFiles(m)) != 1 {
		t.Errorf("got %d records, side files %v, want 5 and the torn tail", n, sideFiles(m))
	}
	closeNow(t, j)
}

func TestRotationKeepsTheBudgetAndTheRunningGame(t *testing.T) {
	m := journaltest.NewMemory()
	o := journal.Options{SegmentBytes: 200, BudgetBytes: 600}
	j, _, _ := open(t, m, o)
	for i := range 100 {
		if i%5 == 0 {
			if err := j.Boundary(); err != nil {
				t.Fatal(err)
			}
			if size := total(m); size > o.BudgetBytes {
				t.Fatalf("record %d: %d bytes after a boundary, budget %d", i, size, o.BudgetBytes)
			}
		}
		if err := j.Append(record(i)); err != nil {
			t.Fatal(err)
		}
	}
	closeNow(t, j)
	j, records, report := open(t, m, o)
	defer closeNow(t, j)
	first := slices.IndexFunc(allRecords(100), func(b []byte) bool { return string(b) == string(records[0].Payload) })
	if first < 0 || first%5 != 0 || first+len(records) != 100 || report.Segments < 2 {
		t.Errorf("got records %d to %d in %d segments, want the newest, from the beginning of a game", first,
			first+len(records)-1, report.Segments)
	}
}

func TestSideFilesCountAgainstTheBudget(t *testing.T) {
	m := journaltest.NewMemory()
	m.Files[dir+"/00000001.journal.40.cut"] = make([]byte, 5000)
	m.Files[dir+"/lock"] = nil
	m.Files[dir+"/notes.txt"] = make([]byte, 5000)
	j, _, _ := open(t, m, journal.Options{SegmentBytes: 100, BudgetBytes: 1000})
	if err := j.Append(record(0)); err != nil {
		t.Fatal(err)
	}
	if err := j.Boundary(); err != nil {
		t.Fatal(err)
	}
	closeNow(t, j)
	if _, kept := m.Files[dir+"/notes.txt"]; len(sideFiles(m)) != 0 || !kept {
		t.Errorf("side files %v, notes kept %v, want none and true", sideFiles(m), kept)
	}
}

func total(m *journaltest.Memory) (sum int64) {
	for name, b := range m.Files {
		if strings.Contains(name, ".journal") {
			sum += int64(len(b))
		}
	}
	return sum
}

func allRecords(n int) (out [][]byte) {
	for i := range n {
		out = append(out, record(i))
	}
	return out
}

var errFull = errors.New("no space left on device")

func sideFiles(m *journaltest.Memory) []string {
	var out []string
	for name := range m.Files {
		if strings.HasSuffix(name, ".cut") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// TestBadSectors: what the card cannot read costs the records that stand there. All others are read, and what comes
// then is written to a new segment.
func TestBadSectors(t *testing.T) {
	const all, sector = 400, 4096
	m := journaltest.NewMemory()
	j, _, _ := open(t, m, journal.Options{SegmentBytes: 3 * sector})
	for i := range all {
		if err := errors.Join(j.Append(record(i)), j.Boundary()); err != nil {
			t.Fatal(err)
		}
	}
	closeNow(t, j)
	whole := m.Files
	for bad, b := range whole {
		if !strings.HasSuffix(bad, ".journal") {
			continue
		}
		for at := int64(0); at < int64(len(b)); at += sector {
			m := journaltest.NewMemory()
			for name, b := range whole {
				m.Files[name] = slices.Clone(b)
			}
			m.Unread = func(name string, from, to int64) error {
				if name == bad && from < at+sector && to > at {
					return unix.EIO
				}
				return nil
			}
			read := func() int {
				t.Helper()
				j, records, report := open(t, m, journal.Options{})
				if text := report.String(); !strings.Contains(text, bad) || !strings.Contains(text, "input/output error") {
					t.Fatalf("%s at %d: the report is %q", bad, at, text)
				}
				if err := j.Append(record(all)); err != nil {
					t.Fatalf("%s at %d: %v", bad, at, err)
				}
				closeNow(t, j)
				return len(records)
			}
			n := read()
			lost := 0
			for i := range sector {
				if at+int64(i) < int64(len(b)) && m.Files[bad][at+int64(i)] == 'd' { // the end of the word record
					lost++
				}
			}
			if n < all-lost-2 || n >= all {
				t.Errorf("%s at %d: %d of %d records are read, and %d stood there", bad, at, n, all, lost)
			}
			if again := read(); again != n+1 {
				t.Errorf("%s at %d: %d records are read, and then %d", bad, at, n, again)
			}
			if !bytes.Equal(m.Files[bad], b) {
				t.Errorf("%s at %d: the segment was written", bad, at)
			}
		}
	}
}

// TestUnopened: a segment that the file system does not open costs what stands in it, and is not written. Once it
// opens again, all is there. Where a right is missing, people give it, and the journal waits for that.
func TestUnopened(t *testing.T) {
	m := journaltest.NewMemory()
	j, _, _ := open(t, m, journal.Options{SegmentBytes: 60})
	for i := range 6 {
		if err := errors.Join(j.Append(record(i)), j.Boundary()); err != nil {
			t.Fatal(err)
		}
	}
	closeNow(t, j)
	names, next := []string{"00000001.journal", "00000002.journal", "00000003.journal"}, 6
	for _, bad := range names {
		name := dir + "/" + bad
		before := slices.Clone(m.Files[name])
		if before == nil {
			t.Fatalf("there is no %s", bad)
		}
		m.Unopened = func(n string) error {
			if n == name {
				return unix.EUCLEAN
			}
			return nil
		}
		j, records, report := open(t, m, journal.Options{})
		if text := report.String(); !strings.Contains(text, bad) || !strings.Contains(text, "structure needs cleaning") ||
			len(records) == 0 || len(records) >= next {
			t.Errorf("%s: %d of %d records, and the report is %q", bad, len(records), next, text)
		}
		if err := j.Append(record(next)); err != nil {
			t.Errorf("%s: %v", bad, err)
		}
		next++
		closeNow(t, j)
		if !bytes.Equal(m.Files[name], before) {
			t.Errorf("%s was written", bad)
		}
	}
	m.Unopened = nil
	j, records, report := open(t, m, journal.Options{})
	if n := checkRecords(t, "opened again", records); n != next || report.String() != "" {
		t.Errorf("%d records and %q, want %d", n, report, next)
	}
	closeNow(t, j)
	m.Unopened = func(string) error { return unix.EACCES }
	if _, _, _, err := journal.Open(dir, journal.Options{FS: m}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a right is missing: %v", err)
	}
}

// TestLinkToNobody: the journal, or a folder above it, is a link to a disk that is not mounted. That is said.
func TestLinkToNobody(t *testing.T) {
	for _, linked := range []string{"state", "state/journal"} {
		home := t.TempDir()
		link, gone := filepath.Join(home, linked), filepath.Join(home, "disk", "journal")
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(gone, link)); err != nil {
			t.Fatal(err)
		}
		_, _, _, err := journal.Open(filepath.Join(home, "state", "journal"), journal.Options{})
		if !errors.Is(err, journal.ErrNoTarget) || !strings.Contains(err.Error(), link+" leads to "+gone) {
			t.Errorf("%s: %v", linked, err)
		}
	}
}

// TestFileInPlaceOfFolder: a file where the journal's folder is to be is named, and stays.
func TestFileInPlaceOfFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(dir, []byte("a note"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := journal.Open(dir, journal.Options{})
	if err == nil || !strings.Contains(err.Error(), "move the file away") {
		t.Errorf("got %v, want that a file stands there", err)
	}
	if text, err := os.ReadFile(dir); string(text) != "a note" {
		t.Errorf("the file has %q now, %v", text, err)
	}
}
