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

// TestLevelRoseAndFell: a load rises and falls step by step.
func TestLevelRoseAndFell(t *testing.T) {
	var l Level
	for k, v := range []float64{1000, 5000, 9000, 7000, 0, 8000, 4000, 6000} {
		for n := range 4 {
			l.add(v, 1, 5, ms(100*k+n))
		}
	}
	for least, want := range map[float64]Tick{1000: ms(700), 3000: ms(500), 8000: ms(500), 9000: Never} {
		if got := l.RoseAt(least); got != want {
			t.Errorf("rose by %v at %v, want %v", least, time.Duration(got), time.Duration(want))
		}
	}
	for _, c := range []struct {
		least float64
		after int
		want  Tick
	}{{1000, 0, ms(300)}, {3000, 0, ms(400)}, {3000, 450, ms(600)}, {5000, 450, Never}} {
		if got := l.FellAt(c.least, ms(c.after)); got != c.want {
			t.Errorf("fell by %v after %d ms at %v, want %v", c.least, c.after, time.Duration(got), time.Duration(c.want))
		}
	}
	for n := range 2 * pastLevels { // it trembles until the steps are forgotten
		l.add(6000+100*float64(n%2), 1, 5, ms(800+70*n))
	}
	if got := l.RoseAt(3000); got <= ms(800) || got > ms(800+70*pastLevels) {
		t.Errorf("after many levels it rose at %v, want the oldest that is known", time.Duration(got))
	}
}
