// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
)

const dir = "j"

func record(i int) []byte { return []byte(fmt.Sprintf("record %d %s", i, strings.Repeat("x", i%5*7))) }

func open(t *testing.T, m *journaltest.Memory, o journal.Options) (*journal.Journal, []journal.Record,
	journal.Report) {
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
	if got, want := strings.Join(kinds, " "), "write sync write"; got != want {
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

// TestEveryBitFlipped damages every single bit of the file. Only the record that was hit is lost, and only a torn end
// is removed and kept aside.
func TestEveryBitFlipped(t *testing.T) {
	const n = 5
	whole := written(t, n)
	for bit := range len(whole) * 8 {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = bytes.Clone(damaged)
		j, records, report := open(t, m, journal.Options{})
		var got, want []string
		for _, r := range records {
			got = append(got, string(r.Payload))
		}
		hit := -1
		if bit/8 >= 16 {
			hit = recordAt(whole, bit/8)
		}
		for i := range n {
			if i != hit {
				want = append(want, string(record(i)))
			}
		}
		if !slices.Equal(got, want) || len(report.Damage) != 1 || report.String() == "" {
			t.Fatalf("bit %d: got %q, report %q, want %q and one damage", bit, got, report, want)
		}
		if hit >= 0 && hit < n-1 && (!records[hit].Gap || hit > 0 && report.Missing != 1 ||
			report.Damage[0].RecordsAfter != n-1-hit) {
			t.Fatalf("bit %d: record %d after the hit one %+v, report %q", bit, hit, records[hit], report)
		}
		text := report.String()
		if last := keptBytes(whole, n-1); bit/8 >= last+4 && !strings.Contains(text, "a damaged record, the last one") {
			t.Fatalf("bit %d, in the last record: report %q", bit, text)
		}
		if err := j.Append(record(n)); err != nil {
			t.Fatal(err)
		}
		closeNow(t, j)
		if at := keptBytes(whole, n-1); bit/8 < at && !bytes.HasPrefix(m.Files[dir+"/00000001.journal"], damaged) {
			t.Fatalf("bit %d: the damaged file was changed", bit)
		}
		again, report, err := journal.Read(dir, journal.Options{FS: m})
		if err != nil || len(again) != len(want)+1 || string(again[len(want)].Payload) != string(record(n)) || hit < n-1 &&
			len(report.Damage) != 1 {
			t.Fatalf("bit %d: %d records afterwards, %v, report %q", bit, len(again), err, report)
		}
	}
}

// TestRepeatedAndMissingFrames: the numbers show every missing or repeated frame.
func TestRepeatedAndMissingFrames(t *testing.T) {
	const n = 6
	whole := written(t, n)
	for i := range n {
		from, to := keptBytes(whole, i), min(keptBytes(whole, i+1), len(whole))
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = slices.Concat(whole[:to], whole[from:to], whole[to:])
		records, report, err := journal.Read(dir, journal.Options{FS: m})
		if err != nil || checkRecords(t, "repeated", records) != n || report.Repeated != 1 {
			t.Fatalf("frame %d twice: %d records, %v, report %q", i, len(records), err, report)
		}
		m.Files[dir+"/00000001.journal"] = slices.Concat(whole[:from], whole[to:])
		records, report, err = journal.Read(dir, journal.Options{FS: m})
		if err != nil || len(records) != n-1 || i > 0 && i < n-1 && (report.Missing != 1 || !records[i].Gap) {
			t.Fatalf("frame %d is missing: %d records, %v, report %q", i, len(records), err, report)
		}
	}
}

// old is a segment of version 1, as boardd wrote it until then.
func old(n int) []byte {
	b := []byte("boarddJ\n\x01\x00\x00\x00csum")
	fixHeader(b)
	for i := range n {
		length := binary.LittleEndian.AppendUint32(nil, uint32(len(record(i))))
		sum := crc32.Checksum(slices.Concat(length, record(i)), crc32.MakeTable(crc32.Castagnoli))
		b = slices.Concat(b, length, binary.LittleEndian.AppendUint32(nil, sum), record(i))
	}
	return b
}

// TestGapOverSegments: in version 1 no number shows that the last record of a segment is missing. The damage does, and
// the next record is marked, even behind a segment without records.
func TestGapOverSegments(t *testing.T) {
	for _, c := range []struct {
		name    string
		damaged []int // segments, of three
		marked  int   // record after the damage, -1 for none
	}{
		{"none", nil, -1}, {"the first", []int{0}, 1}, {"the second", []int{1}, 3}, {"the last", []int{2}, -1},
	} {
		m := journaltest.NewMemory()
		for i := range 3 {
			b := old(2)
			if slices.Contains(c.damaged, i) {
				b[len(b)-1] ^= 1
			}
			m.Files[fmt.Sprintf("%s/%08d.journal", dir, i+1)] = b
		}
		check := func(what string) {
			t.Helper()
			records, _, err := journal.Read(dir, journal.Options{FS: m})
			if err != nil || slices.IndexFunc(records, func(r journal.Record) bool { return r.Gap }) != c.marked {
				t.Errorf("%s: %s: %v, %+v; want a gap before %d alone", c.name, what, err, records, c.marked)
			}
		}
		check("damaged")
		if c.marked == 1 {
			m.Files[dir+"/00000002.journal"] = old(0)
			check("with an empty one behind")
		}
	}
}

// TestOlderVersionIsReadAndNotWritten: after a segment of version 1, records go into another segment.
func TestOlderVersionIsReadAndNotWritten(t *testing.T) {
	for _, torn := range []int{0, 3} {
		before := old(5)
		before = before[:len(before)-torn]
		m := journaltest.NewMemory()
		m.Files[dir+"/00000001.journal"] = bytes.Clone(before)
		j, records, _ := open(t, m, journal.Options{})
		n := checkRecords(t, "version 1", records)
		if err := j.Append(record(n)); err != nil || torn == 0 && n != 5 || torn > 0 && n != 4 {
			t.Fatalf("%d records of version 1, %v", n, err)
		}
		closeNow(t, j)
		j, records, _ = open(t, m, journal.Options{})
		if got := checkRecords(t, "both versions", records); got != n+1 || !bytes.Equal(m.Files[dir+"/00000001.journal"],
			before) {
			t.Errorf("%d records, want %d, and the old segment as it was", got, n+1)
		}
		closeNow(t, j)
	}
}

// TestTornEndsAreAllKept: two ends torn off at the same place are both there afterwards.
func TestTornEndsAreAllKept(t *testing.T) {
	whole := written(t, 2)
	m := journaltest.NewMemory()
	for i := range 3 {
		m.Files[dir+"/00000001.journal"] = slices.Concat(whole, bytes.Repeat([]byte{byte(i + 1)}, 5))
		j, _, _ := open(t, m, journal.Options{})
		closeNow(t, j)
	}
	if got := sideFiles(m); len(got) != 3 {
		t.Errorf("side files %v, want three", got)
	}
}

// keptBytes is how long a journal of the first n records of whole is.
func keptBytes(whole []byte, n int) int {
	at := 16
	for i := range n {
		at += 16 + len(record(i))
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

// appendAndReopen checks that a repaired journal of n records takes further ones, and is whole when it is opened
// again.
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
	o := journal.Options{SegmentBytes: 60, BudgetBytes: 1 << 20}
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
	before := []byte("boarddJ\n\x03\x00\x00\x00csumanything")
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
	if _, _, _, err := journal.Open(at, journal.Options{}); err == nil ||
		!strings.Contains(err.Error(), "another process") {
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
		j, records, before, err := journal.Open(dir, journal.Options{FS: m})
		if err != nil {
			return // a later version
		}
		if err := j.Append([]byte("one more")); err != nil {
			t.Fatal(err)
		}
		closeNow(t, j)
		j, again, report := open(t, m, journal.Options{})
		if len(again) != len(records)+1 || len(report.Damage) > len(before.Damage) {
			t.Fatalf("%d records became %d, report %q", len(records), len(again), report)
		}
		closeNow(t, j)
	})
}
