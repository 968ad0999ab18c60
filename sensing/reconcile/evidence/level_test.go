// SPDX-License-Identifier: Apache-2.0

package evidence

import "testing"

// TestLevelAt: what a sensor showed at a time is that of the level which then lasted, as far back as levels are kept.
func TestLevelAt(t *testing.T) {
	var l Level
	for k := range pastLevels + 3 {
		for n := range 4 {
			l.add(float64(1000*k), 1, 5, Tick(10*k+n))
		}
	}
	for _, c := range []struct {
		at   Tick
		want float64
	}{
		{0, 2000}, {29, 2000}, {30, 3000}, {39, 3000}, {99, 9000}, {100, 10000}, {500, 10000},
	} {
		if got := l.At(c.at); got != c.want {
			t.Errorf("at %d: %v, want %v", c.at, got, c.want)
		}
	}
	var none Level
	if none.add(7, 1, 5, 1); none.At(0) != 7 || none.At(2) != 7 {
		t.Errorf("one level alone: %v and %v, want 7", none.At(0), none.At(2))
	}
}
