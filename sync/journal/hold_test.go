// SPDX-License-Identifier: Apache-2.0

package journal

import "testing"

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
