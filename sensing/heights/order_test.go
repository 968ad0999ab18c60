// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"testing"
	"time"

	"boardd/sensing"
)

// TestReadingsInOrder: no reading has an earlier date than the one sent before it, even if it was measured earlier.
func TestReadingsInOrder(t *testing.T) {
	out := make(chan sensing.Reading, 2)
	w := wave{b: &Bank{}, ctx: t.Context(), out: out}
	now := time.Now()
	w.tell(now, 0)
	w.tell(now.Add(-50*time.Millisecond), 0)
	if a, b := <-out, <-out; b.At.Before(a.At) {
		t.Errorf("a reading dated %v after one of %v", b.At, a.At)
	}
}
