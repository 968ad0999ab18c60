// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

// TestOldestRemoved: that somebody has removed the oldest segments is said at every start. That the budget has is not,
// wherever the power fails meanwhile.
func TestOldestRemoved(t *testing.T) {
	m := journaltest.NewMemory()
	o := journal.Options{SegmentBytes: 60, BudgetBytes: 300}
	for again := range 2 {
		j, _, report := open(t, m, o)
		if report.String() != "" {
			t.Errorf("start %d: %s", again, report)
		}
		for i := range 16 {
			if err := errors.Join(j.Append(record(i)), j.Boundary()); err != nil {
				t.Fatal(err)
			}
		}
		closeNow(t, j)
	}
	for n := range m.Steps {
		for part := range len(m.Steps[n].Data) + 1 {
			for _, forget := range []bool{false, true} {
				after := m.PowerCut(n, part, forget)
				for again := range 2 {
					j, _, report := open(t, after, o)
					if report.RemovedSegments != 0 || report.Missing != 0 {
						t.Fatalf("step %d byte %d forget %v, start %d: %s", n, part, forget, again, report)
					}
					closeNow(t, j)
				}
			}
		}
	}
	names, err := m.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	removed := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".journal") && removed < 2 {
			delete(m.Files, dir+"/"+name)
			removed++
		}
	}
	for again := range 2 {
		j, _, report := open(t, m, o)
		closeNow(t, j)
		_, read, err := journal.Read(dir, journal.Options{FS: m})
		if report.RemovedSegments != 2 || !strings.Contains(report.String(), "has removed") ||
			read.RemovedSegments != 2 || err != nil {
			t.Errorf("start %d after two were removed: %q, read: %q, %v", again, report, read, err)
		}
	}
}

// TestAllRemoved: that the journal of a board that has played is empty is said.
func TestAllRemoved(t *testing.T) {
	m := journaltest.NewMemory()
	for _, used := range []bool{false, true} {
		j, _, report := open(t, m, journal.Options{ExpectRecords: used})
		closeNow(t, j)
		if report.Empty != used || (report.String() != "") != used {
			t.Errorf("used %v: %q", used, report)
		}
	}
	j, _, _ := open(t, m, journal.Options{})
	if err := j.Append(record(0)); err != nil {
		t.Fatal(err)
	}
	closeNow(t, j)
	j, _, report := open(t, m, journal.Options{ExpectRecords: true})
	closeNow(t, j)
	if report.String() != "" {
		t.Error(report)
	}
	delete(m.Files, fmt.Sprintf("%s/%08d.journal", dir, 1))
	j, _, report = open(t, m, journal.Options{})
	closeNow(t, j)
	if report.RemovedSegments != 1 {
		t.Errorf("the only segment was removed: %q", report)
	}
}

// TestOldestNotWritten: a full disk takes not even the number of the oldest segment. Old segments are removed all the
// same, and nobody is said to have removed them.
func TestOldestNotWritten(t *testing.T) {
	m := journaltest.NewMemory()
	o := journal.Options{SegmentBytes: 60, BudgetBytes: 300}
	full := false
	m.Refuse = func(s journaltest.Step) (int, error) {
		if full && s.Kind == "write" && s.Name == dir+"/oldest" {
			return 3, errors.New("no space left on device")
		}
		return 0, nil
	}
	for again := range 3 {
		j, _, report := open(t, m, o)
		if report.String() != "" {
			t.Errorf("start %d: %s", again, report)
		}
		full = again == 1
		for i := range 20 {
			if err := errors.Join(j.Append(record(i)), j.Boundary()); err != nil {
				t.Errorf("start %d, record %d: %v", again, i, err)
			}
		}
		full = false
		if size := total(m); size > o.BudgetBytes+50 {
			t.Errorf("start %d: %d bytes, budget %d", again, size, o.BudgetBytes)
		}
		closeNow(t, j)
	}
}

// TestNewestLost: that the end of the newest file was cut off, or the file emptied or removed, is said. The numbers go
// on after the gap, so that it is seen at every later start too.
func TestNewestLost(t *testing.T) {
	o := journal.Options{SegmentBytes: 60, BudgetBytes: 1000}
	for name, harm := range map[string]func(m *journaltest.Memory, newest string){
		"cut":     func(m *journaltest.Memory, newest string) { m.Files[newest] = m.Files[newest][:16] },
		"emptied": func(m *journaltest.Memory, newest string) { m.Files[newest] = nil },
		"removed": func(m *journaltest.Memory, newest string) { delete(m.Files, newest) },
	} {
		t.Run(name, func(t *testing.T) {
			m := journaltest.NewMemory()
			j, _, _ := open(t, m, o)
			for i := range 7 {
				if err := errors.Join(j.Append(record(i)), j.Boundary()); err != nil {
					t.Fatal(err)
				}
			}
			closeNow(t, j)
			names, err := m.List(dir)
			if err != nil {
				t.Fatal(err)
			}
			newest := ""
			for _, name := range names {
				if strings.HasSuffix(name, ".journal") && len(m.Files[dir+"/"+name]) > 16 {
					newest = dir + "/" + name
				}
			}
			harm(m, newest)
			_, read, err := journal.Read(dir, journal.Options{FS: m})
			if err != nil || read.MissingNewest == 0 || !read.NewestLost() {
				t.Errorf("read: %q, %v", read, err)
			}
			j, records, report := open(t, m, o)
			if report.MissingNewest != 7-len(records) || report.Missing != report.MissingNewest || !report.NewestLost() ||
				!strings.Contains(report.String(), "what was played last") {
				t.Errorf("%d records, %d of 7 said to be missing: %q", len(records), report.MissingNewest, report)
			}
			if err := j.Append(record(9)); err != nil {
				t.Fatal(err)
			}
			closeNow(t, j)
			j, records, again := open(t, m, o)
			closeNow(t, j)
			if again.Missing != report.Missing || again.MissingNewest != 0 || !records[len(records)-1].Gap {
				t.Errorf("at the next start: %q", again)
			}
		})
	}
}

// TestNewestCut: that the last record was cut off exactly where it begins is said. The journal was not closed, and no
// game had begun since. That a power cut has taken the last record before it was acknowledged is not.
func TestNewestCut(t *testing.T) {
	m := journaltest.NewMemory()
	j, _, _ := open(t, m, journal.Options{})
	segment := fmt.Sprintf("%s/%08d.journal", dir, 1)
	var ends []int
	for i := range 4 {
		if err := j.Append(record(i)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(m.Files[segment]))
	}
	steps := len(m.Steps)
	defer closeNow(t, j)
	syncs := 0
	for _, s := range m.Steps {
		if s.Kind == "sync" && s.Name == dir+"/newest" {
			syncs++
		}
	}
	if syncs != 0 {
		t.Errorf("the number was synced %d times for 4 records, want 0: that is a sync more for each move", syncs)
	}
	for kept, end := range ends {
		after := m.PowerCut(steps, 0, false) // the process was killed: everything has reached the files
		after.Files[segment] = after.Files[segment][:end]
		lost := len(ends) - 1 - kept
		_, read, err := journal.Read(dir, journal.Options{FS: after})
		again, records, report := open(t, after, journal.Options{})
		closeNow(t, again)
		if err != nil || read.MissingNewest != lost || report.MissingNewest != lost || len(records) != kept+1 {
			t.Errorf("%d of 4 records left: %d read, missing %d and %d, want %d; %v",
				kept+1, len(records), read.MissingNewest, report.MissingNewest, lost, err)
		}
	}
	for n := range steps {
		for part := range len(m.Steps[n].Data) + 1 {
			for _, forget := range []bool{false, true} {
				again, _, report := open(t, m.PowerCut(n, part, forget), journal.Options{})
				closeNow(t, again)
				if report.Missing != 0 {
					t.Fatalf("step %d byte %d forget %v: %s", n, part, forget, report)
				}
			}
		}
	}
}
