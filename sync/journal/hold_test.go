// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestManySmallRecords: what records take in memory beside their payloads counts. A file made of the smallest ones
// takes many times its size.
func TestManySmallRecords(t *testing.T) {
	s := scan{records: make([]Record, 1000)}
	for i := range s.records {
		s.records[i].Payload = []byte("x")
	}
	if s.hold(9 * 1000); s.held < 64*1000 {
		t.Errorf("1000 records count as %d bytes, want 64,000 at least", s.held)
	}
}

// TestMoreRecordsThanAny: of a segment of tiny records no more are read than one of boardd's own can have. The rest is
// said to be left, and the file stays as it is.
func TestMoreRecordsThanAny(t *testing.T) {
	dir := t.TempDir()
	text := make([]byte, headerSize, headerSize+11*mostRecords)
	copy(text, header(1))
	frame, err := appendFrame(nil, 1, 0, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, bytes.Repeat(frame, mostRecords+10)...)
	name := filepath.Join(dir, segmentName(1))
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	records, report, err := Read(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	left := int64(10 * len(frame))
	if n := len(report.Damage); len(records) != mostRecords || n != 1 || !report.Damage[0].TooLarge ||
		report.Damage[0].Lost != left {
		t.Errorf("%d records and the damage %+v, want %d and %d bytes that were not read", len(records), report.Damage,
			mostRecords, left)
	}
	j, _, _, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, text) {
		t.Errorf("the file has %d bytes after it was opened, want the %d of before: %v", len(after), len(text), err)
	}
}
