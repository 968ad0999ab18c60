// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

const dir = "j"

func record(i int) []byte { return []byte(fmt.Sprintf("record %d %s", i, strings.Repeat("x", i%5*7))) }

func open(t *testing.T, m *journaltest.Memory, o journal.Options) (*journal.Journal, []journal.Record, journal.Report) {
	t.Helper()
	o.FS = m
	j, records, report, err := journal.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return j, records, report
}

func closeNow(t *testing.T, j *journal.Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkRecords checks that records are record(0), record(1) ... in order, and gives their number.
func checkRecords(t *testing.T, what string, records []journal.Record) int {
	t.Helper()
	for i, r := range records {
		if !bytes.Equal(r.Payload, record(i)) {
			t.Fatalf("%s: record %d is %.40q, want %.40q", what, i, r.Payload, record(i))
		}
	}
	return len(records)
}

// written makes a journal of n records in one segment and gives its bytes.
func written(t *testing.T, n int) []byte {
	t.Helper()
	m := journaltest.NewMemory()
	j, _, _ := open(t, m, journal.Options{})
	for i := range n {
		if err := j.Append(record(i)); err != nil {
			t.Fatal(err)
		}
	}
	closeNow(t, j)
	return m.Files[dir+"/00000001.journal"]
}

func TestEmptyJournalIsNotDamaged(t *testing.T) {
	j, records, report := open(t, journaltest.NewMemory(), journal.Options{})
	defer closeNow(t, j)
	if len(records) != 0 || report.String() != "" {
		t.Errorf("got %d records and report %q, want none", len(records), report)
	}
}

func TestRecordsComeBackInOrder(t *testing.T) {
	m := journaltest.NewMemory()
	next := 0
	for round := range 5 {
		j, records, report := open(t, m, journal.Options{})
		if n := checkRecords(t, "reopen", records); n != next || report.String() != "" {
			t.Fatalf("round %d: got %d records, report %q, want %d and none", round, n, report, next)
		}
		for range 3 {
			if err := j.Append(record(next), record(next+1)); err != nil {
				t.Fatal(err)
			}
			next += 2
		}
		closeNow(t, j)
	}
}

func TestOneSyncForEachAppend(t *testing.T) {
	m := journaltest.NewMemory()
	j, _, _ := open(t, m, journal.Options{})
	defer closeNow(t, j)
	if err := j.Append(record(0)); err != nil {
		t.Fatal(err)
	}
	before := len(m.Steps)
	if err := j.Append(record(1), record(2), record(3)); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, s := range m.Steps[before:] {
		kinds = append(kinds, s.Kind)
	}
	if got, want := strings.Join(kinds, " "), "write sync"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrongRecordsAreRefused(t *testing.T) {
	j, _, _ := open(t, journaltest.NewMemory(), journal.Options{})
	for _, bad := range [][]byte{nil, {}, make([]byte, journal.MaxRecord+1)} {
		if err := j.Append(bad); err == nil || !strings.Contains(err.Error(), "want 1 to 1048576") {
			t.Errorf("%d bytes: got %v, want an error that names the limits", len(bad), err)
		}
	}
	closeNow(t, j)
	if err := j.Append(record(0)); err == nil {
		t.Error("a closed journal takes records")
	}
}

// TestCutAtEveryByte truncates the file at every length.
func TestCutAtEveryByte(t *testing.T) {
	whole := written(t, 6)
	for n := range whole {
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = bytes.Clone(whole[:n])
		j, records, report := open(t, m, journal.Options{})
		got := checkRecords(t, fmt.Sprintf("cut at %d", n), records)
		kept := keptBytes(whole, got)
		if n > 16 && n > kept && (len(report.Damage) != 1 || len(sideFiles(m)) != 1) {
			t.Fatalf("cut at %d: report %q, side files %v, want one damage kept aside", n, report, sideFiles(m))
		}
		if got > 0 && kept > n || got < 6 && n >= keptBytes(whole, got+1) {
			t.Fatalf("cut at %d: got %d records, which are %d bytes", n, got, kept)
		}
		appendAndReopen(t, m, j, got)
	}
}

// TestEveryBitFlipped damages every single bit of the file.
func TestEveryBitFlipped(t *testing.T) {
	const n = 5
	whole := written(t, n)
	for bit := range len(whole) * 8 {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = damaged
		j, records, report := open(t, m, journal.Options{})
		got, want := checkRecords(t, fmt.Sprintf("bit %d", bit), records), n
		if bit/8 >= 16 {
			want = recordAt(whole, bit/8)
		}
		if got != want || len(report.Damage) != 1 || report.String() == "" {
			t.Fatalf("bit %d: got %d records, report %q, want %d and one damage", bit, got, report, want)
		}
		if want < n-1 && report.Damage[0].Whole == 0 && bit/8 >= 16 {
			t.Fatalf("bit %d: report %q does not say that whole records follow", bit, report)
		}
		last := keptBytes(whole, n-1)
		if text := report.String(); bit/8 >= last+4 && !strings.Contains(text, "a damaged record, the last one") {
			t.Fatalf("bit %d, in the last record: report %q", bit, text)
		} else if bit/8 >= 16 && bit/8 < last && !strings.Contains(text, fmt.Sprintf("a damaged record and %d whole ones", n-1-want)) {
			t.Fatalf("bit %d: report %q, want a damaged record and %d whole ones", bit, text, n-1-want)
		}
		appendAndReopen(t, m, j, got)
	}
}

// keptBytes is how long a journal of the first n records of whole is.
func keptBytes(whole []byte, n int) int {
	at := 16
	for i := range n {
		at += 8 + len(record(i))
	}
	return min(at, len(whole)+1)
}

// recordAt is the number of the record whose frame holds byte i.
func recordAt(whole []byte, i int) int {
	n := 0
	for keptBytes(whole, n+1) <= i {
		n++
	}
	return n
}

// appendAndReopen checks that a mended journal of n records goes on, and is whole when opened again.
func appendAndReopen(t *testing.T, m *journaltest.Memory, j *journal.Journal, n int) {
	t.Helper()
	if err := j.Append(record(n)); err != nil {
		t.Fatal(err)
	}
	closeNow(t, j)
	j, records, report := open(t, m, journal.Options{})
	if got := checkRecords(t, "after mending", records); got != n+1 || report.String() != "" {
		t.Fatalf("after mending: got %d records, report %q, want %d and none", got, report, n+1)
	}
	closeNow(t, j)
}

// TestPowerCutAtEveryStep cuts the power at every step and byte of a run with rotation.
func TestPowerCutAtEveryStep(t *testing.T) {
	m := journaltest.NewMemory()
	o := journal.Options{Segment: 60, Budget: 1 << 20}
	j, _, _ := open(t, m, o)
	acknowledged := map[int]int{} // steps -> records
	for i := range 12 {
		if err := j.Boundary(); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(record(i)); err != nil {
			t.Fatal(err)
		}
		acknowledged[len(m.Steps)] = i + 1
	}
	closeNow(t, j)
	least := 0
	for n := range m.Steps {
		least = max(least, acknowledged[n])
		for part := range len(m.Steps[n].Data) + 1 {
			for _, forget := range []bool{false, true} {
				after := m.PowerCut(n, part, forget)
				j, records, _ := open(t, after, o)
				got := checkRecords(t, fmt.Sprintf("step %d byte %d forget %v", n, part, forget), records)
				if got < least {
					t.Fatalf("step %d byte %d forget %v: %d records, %d were acknowledged", n, part, forget, got, least)
				}
				appendAndReopen(t, after, j, got)
			}
		}
	}
}

func TestLaterVersionIsNotTouched(t *testing.T) {
	m := journaltest.NewMemory()
	before := []byte("boarddJ\n\x02\x00\x00\x00csumanything")
	fixHeader(before)
	m.Files[dir+"/00000001.journal"] = bytes.Clone(before)
	_, _, _, err := journal.Open(dir, journal.Options{FS: m})
	if err == nil || !strings.Contains(err.Error(), "use a newer boardd") {
		t.Errorf("got %v, want an error that asks for a newer boardd", err)
	}
	if !bytes.Equal(m.Files[dir+"/00000001.journal"], before) {
		t.Error("the file was changed")
	}
	if m.Locked[dir] {
		t.Error("the lock is still held")
	}
}

func TestTwoProcessesCannotWriteOneJournal(t *testing.T) {
	at := t.TempDir()
	j, _, _, err := journal.Open(at, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := journal.Open(at, journal.Options{}); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("got %v, want an error that says so", err)
	}
	if err := j.Append(record(0)); err != nil {
		t.Fatal(err)
	}
	if records, _, err := journal.Read(at, journal.Options{}); err != nil || len(records) != 1 {
		t.Errorf("read beside the writer: got %d records, %v, want 1", len(records), err)
	}
	closeNow(t, j)
	j, records, _, err := journal.Open(at, journal.Options{})
	if err != nil || len(records) != 1 {
		t.Fatalf("after closing: got %d records, %v, want 1", len(records), err)
	}
	closeNow(t, j)
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0}, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = b
		j, records, _, err := journal.Open(dir, journal.Options{FS: m})
		if err != nil {
			return // a later version
		}
		if err := j.Append([]byte("one more")); err != nil {
			t.Fatal(err)
		}
		closeNow(t, j)
		j, again, report := open(t, m, journal.Options{})
		if len(again) != len(records)+1 || len(report.Damage) != 0 {
			t.Fatalf("%d records became %d, report %q", len(records), len(again), report)
		}
		closeNow(t, j)
	})
}
