// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestWaitedForNothing: a move that stands already when the sensors are first read has no known time.
func TestWaitedForNothing(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	d := reconcile.New(wood.Reference(), reconcile.DefaultTiming())
	d.Follow([]reconcile.Base{{Position: p, Moves: true}}, &p)
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 1000 {
		at := began.Add(time.Duration(i) * 10 * time.Millisecond)
		d.Observe(&sensing.Reading{At: at, Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: 0xffff00001000efff})
		e := d.Explain(at)
		if e.State != reconcile.Moved {
			continue
		}
		if e.Waited != 0 {
			t.Errorf("the last contact was %v ago, want 0: there was none", e.Waited)
		}
		return
	}
	t.Error("the move is not found")
}
