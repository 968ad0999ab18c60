// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

// TestSparseFile: a segment whose size is absurdly large is read up to the size that boardd writes, and never written.
func TestSparseFile(t *testing.T) {
	at := t.TempDir()
	name := filepath.Join(at, "00000001.journal")
	if err := os.WriteFile(name, written(t, 3), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 20<<30); err != nil {
		t.Fatal(err)
	}
	j, records, report, err := journal.Open(at, journal.Options{})
	if err != nil || checkRecords(t, "sparse", records) != 3 ||
		!strings.Contains(report.String(), "larger than any that boardd writes") {
		t.Fatalf("%d records, %v, report %q", len(records), err, report)
	}
	if err := j.Append(record(3)); err != nil {
		t.Fatal(err)
	}
	closeNow(t, j)
	if info, err := os.Stat(name); err != nil || info.Size() != 20<<30 {
		t.Errorf("the file was changed: %v, %v", info, err)
	}
}

// TestSparseKeepsGames: a file that seems large, and takes no room, has nothing else removed. Neither has one that is
// larger than any that boardd writes, whatever it takes.
func TestSparseKeepsGames(t *testing.T) {
	for what, bytes := range map[string]int64{"20 GB": 20 << 30, "a whole segment": 64 << 20, "a part": 40 << 20} {
		for damaged := 2; damaged <= 3; damaged++ { // 3 is the one that is written
			at, removed := t.TempDir(), 0
			o := journal.Options{BudgetBytes: 1 << 20, SegmentBytes: 1, OnRemoved: func(string, int64) { removed++ }}
			play(t, at, o, 3)
			if err := os.Truncate(filepath.Join(at, fmt.Sprintf("%08d.journal", damaged)), bytes); err != nil {
				t.Fatal(err)
			}
			play(t, at, o, 2)
			_, report, err := journal.Read(at, journal.Options{})
			used, err2 := journal.Usage(at, o)
			if removed > 0 || err != nil || report.Records != 5 || err2 != nil || used > 1<<20 {
				t.Errorf("%s, segment %d: %d files removed, %d records, %d bytes used, %v, %v", what, damaged, removed,
					report.Records, used, err, err2)
			}
		}
	}
}

// TestTooLargeKeepsGames: a file that is larger than any that boardd writes has nothing removed, even if all of it is
// on the disk.
func TestTooLargeKeepsGames(t *testing.T) {
	m, removed := journaltest.NewMemory(), 0
	o := journal.Options{FS: m, BudgetBytes: 1 << 20, SegmentBytes: 1, OnRemoved: func(string, int64) { removed++ }}
	play(t, dir, o, 3)
	m.Files[dir+"/00000002.journal"] = append(m.Files[dir+"/00000002.journal"], make([]byte, 64<<20)...)
	play(t, dir, o, 2)
	if _, report, err := journal.Read(dir, o); removed > 0 || err != nil || report.Records != 5 {
		t.Errorf("%d files removed, %d records, %v", removed, report.Records, err)
	}
}

// TestSparseHidesNone: files that seem large leave room in the memory for what is in the others.
func TestSparseHidesNone(t *testing.T) {
	at := t.TempDir()
	play(t, at, journal.Options{SegmentBytes: 1}, 7)
	for n := 2; n <= 7; n++ {
		if err := os.Truncate(filepath.Join(at, fmt.Sprintf("%08d.journal", n)), 64<<20); err != nil {
			t.Fatal(err)
		}
	}
	if _, report, err := journal.Read(at, journal.Options{}); err != nil || report.Records != 7 {
		t.Errorf("%d records of 7, %v, %s", report.Records, err, report)
	}
}

// play appends this many games of one record each.
func play(t *testing.T, at string, o journal.Options, games int) {
	t.Helper()
	j, records, _, err := journal.Open(at, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range games {
		if err := j.Boundary(); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(record(len(records) + i)); err != nil {
			t.Fatal(err)
		}
	}
	closeNow(t, j)
}
