// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"testing"
	"time"
)

func ms(n int) Tick { return Tick(n) * Tick(time.Millisecond) }

// TestLevelAt: what a sensor showed at a time is that of the level which then lasted, as far back as levels are kept.
func TestLevelAt(t *testing.T) {
	var l Level
	for k := range pastLevels + 3 {
		for n := range 4 {
			l.add(float64(1000*k), 1, 5, ms(100*k+n))
		}
	}
	for _, c := range []struct {
		at   int
		want float64
	}{
		{0, 2000}, {299, 2000}, {300, 3000}, {399, 3000}, {999, 9000}, {1000, 10000}, {9000, 66000},
	} {
		if got := l.At(ms(c.at)); got != c.want {
			t.Errorf("at %d ms: %v, want %v", c.at, got, c.want)
		}
	}
	// a hand trembles
	var h Level
	h.add(5000, 1, 5, ms(0))
	for n := range 100 {
		h.add(float64(10_000+1000*(n%2)), 1, 5, ms(500+10*n))
	}
	if got := h.At(ms(400)); got != 5000 {
		t.Errorf("before a hand trembled for a second: %v, want 5000", got)
	}
	var none Level
	if none.add(7, 1, 5, 1); none.At(0) != 7 || none.At(2) != 7 {
		t.Errorf("one level alone: %v and %v, want 7", none.At(0), none.At(2))
	}
}

// TestLevelAboveSince: a load was above a limit since the first of the levels that followed each other there.
func TestLevelAboveSince(t *testing.T) {
	var l Level
	for k, v := range []float64{1000, 5000, 9000, 7000, 0} {
		for n := range 4 {
			l.add(v, 1, 5, ms(100*k+n))
		}
	}
	for _, c := range []struct {
		at    int
		limit float64
		want  int
	}{{400, 2000, 100}, {400, 6000, 200}, {400, 8000, 400}, {300, 6000, 200}, {100, 2000, 100}, {400, 500, 0}} {
		if got := l.AboveSince(ms(c.at), c.limit); got != ms(c.want) {
			t.Errorf("above %v up to %d ms since %v, want %d ms", c.limit, c.at, time.Duration(got), c.want)
		}
	}
}
