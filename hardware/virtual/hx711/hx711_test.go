// SPDX-License-Identifier: Apache-2.0

package hx711_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/hardware/virtual/hx711"
)

const us = time.Microsecond

// read clocks a count out of chips, a pulse every two microseconds, and returns the time after it.
func read(at time.Duration, pulses int, chips ...*hx711.Chip) (counts []int32, after time.Duration) {
	counts = make([]int32, len(chips))
	for n := range pulses {
		for i, c := range chips {
			c.Clock(at, true)
			if n < 24 {
				counts[i] <<= 1
				if c.Out(at) {
					counts[i] |= 1
				}
			}
			c.Clock(at+us, false)
		}
		at += 2 * us
	}
	for i := range counts {
		counts[i] = counts[i] << 8 >> 8
	}
	return counts, at
}

// ready waits until a chip has a conversion, and returns when that was seen.
func ready(c *hx711.Chip, at time.Duration) time.Duration {
	for c.Out(at) {
		at += us
	}
	return at
}

const period = 12500 * us

func TestSettles(t *testing.T) {
	c := hx711.New(0, period, 1)
	c.Load(1000)
	at := ready(c, 0)
	if at < 4*period-period/10 || at > 4*period+period/10 {
		t.Errorf("the first conversion is there after %v, want four periods", at)
	}
	if got, _ := read(at, 25, c); got[0] != 1000 {
		t.Errorf("got %d, want 1000", got[0])
	}
	c.Load(5000)
	for i, want := range []int32{2000, 3000, 4000, 5000, 5000} {
		at = ready(c, at+200*us)
		var got []int32
		if got, at = read(at, 25, c); got[0] != want {
			t.Errorf("conversion %d after a step shows %d, want %d", i+1, got[0], want)
		}
	}
}

func TestGainIsChosenByPulses(t *testing.T) {
	for pulses, want := range map[int]int32{25: 1000, 26: 0, 27: 500} {
		c := hx711.New(0, period, 1)
		c.Load(1000)
		at := time.Duration(0)
		var got []int32
		for range 7 {
			got, at = read(ready(c, at+200*us), pulses, c)
		}
		if got[0] != want {
			t.Errorf("with %d pulses it shows %d, want %d", pulses, got[0], want)
		}
	}
}

func TestSaturates(t *testing.T) {
	for load, want := range map[int32]int32{1 << 24: hx711.Max, -1 << 24: -hx711.Max - 1} {
		c := hx711.New(0, period, 1)
		c.Load(load)
		if got, _ := read(ready(c, 0), 25, c); got[0] != want {
			t.Errorf("a load of %d counts shows %d, want %d", load, got[0], want)
		}
	}
}

// A clock that is high for too long puts the converter to sleep, and it begins again. Too few pulses and too many
// spoil the next conversion.
func TestWrongClocks(t *testing.T) {
	c := hx711.New(0, period, 1)
	c.Load(1000)
	at := ready(c, 0)
	c.Clock(at, true)
	if !c.Out(at + 61*us) {
		t.Error("asleep, its output is low")
	}
	c.Clock(at+61*us, false)
	if again := ready(c, at+62*us); again-at < 3*period {
		t.Errorf("woken, it has a conversion after %v, want four periods", again-at)
	}
	for _, pulses := range []int{12, 24, 28} {
		c := hx711.New(0, period, 1)
		c.Load(1000)
		_, at := read(ready(c, 0), pulses, c)
		read(ready(c, at+period), 25, c)
		if c.Spoiled() != 1 {
			t.Errorf("%d pulses spoil %d conversions, want one", pulses, c.Spoiled())
		}
	}
}

// A reading during which a conversion ends is wrong.
func TestStraddledReadingIsWrong(t *testing.T) {
	c := hx711.New(0, period, 1)
	c.Load(0x2aaaaa)
	at := ready(c, 0)
	if got, _ := read(at+period-hx711.Loading-25*us, 25, c); got[0] == 0x2aaaaa {
		t.Error("a reading over the end of a conversion is right")
	}
}

// bank is 64 chips with loads that do not change.
type bank struct {
	chips []*hx711.Chip
	want  []int32
}

func newBank(alike bool) *bank {
	rnd := rand.New(rand.NewPCG(2, 2))
	b := &bank{}
	for i := range 64 {
		p := hx711.Shortest + time.Duration(i*29%64)*(hx711.Longest-hx711.Shortest)/64
		seed := uint64(i)
		if alike { // one clock on all XI pins, and reset together
			p, seed = period, 0
		}
		c, load := hx711.New(0, p, seed), rnd.Int32N(1<<24)-1<<23
		c.Load(load)
		b.chips, b.want = append(b.chips, c), append(b.want, load)
	}
	return b
}

// poll is how often the hub looks at the outputs.
const poll = 50 * us

// together reads some chips on one clock, each time that all are ready, until a time; it returns how many counts were
// wrong.
func (b *bank) together(from, to int, until time.Duration) (wrong, reads int) {
	for at := 60 * time.Millisecond; at < until; at += poll {
		all := true
		for _, c := range b.chips[from:to] {
			all = all && !c.Out(at)
		}
		if !all {
			continue
		}
		var got []int32
		got, at = read(at, 25, b.chips[from:to]...)
		reads++
		for i, v := range got {
			if v != b.want[from+i] {
				wrong++
			}
		}
	}
	return wrong, reads
}

// watched is the same, but knows when each output fell, and reads only when none of the chips ends a conversion soon.
func (b *bank) watched(from, to int, until time.Duration) (wrong, reads int) {
	const guard = 350 * us
	chips := b.chips[from:to]
	fell, span, high := make([]time.Duration, len(chips)), make([]time.Duration, len(chips)), make([]bool, len(chips))
	for at := 60 * time.Millisecond; at < until; at += poll {
		safe := true
		for i, c := range chips {
			now := c.Out(at)
			if high[i] && !now {
				if d := at - fell[i]; d < 18*time.Millisecond {
					span[i] = d
				}
				fell[i] = at
			}
			high[i] = now
			safe = safe && !now && span[i] > 0 && at-fell[i]+guard < span[i]
		}
		if !safe {
			continue
		}
		var got []int32
		got, at = read(at, 25, chips...)
		reads++
		for i, v := range got {
			if v != b.want[from+i] {
				wrong++
			}
			high[i] = true
		}
	}
	return wrong, reads
}

// TestRemedies: 64 converters with different speeds on one clock give wrong counts. So does a rank of eight that is
// read as soon as all are ready. One clock on all XI pins gives none. Nor does a rank that is read when none of its
// eight is about to end a conversion. The last costs nothing: it is what the hub does.
func TestRemedies(t *testing.T) {
	const span = 5 * time.Second
	free, alike, naive, guarded := newBank(false), newBank(true), newBank(false), newBank(false)
	type result struct{ wrong, reads int }
	var one, xi, ranks, kept result
	one.wrong, one.reads = free.together(0, 64, span)
	xi.wrong, xi.reads = alike.together(0, 64, span)
	for r := 0; r < 64; r += 8 {
		w, n := naive.together(r, r+8, span)
		ranks.wrong, ranks.reads = ranks.wrong+w, ranks.reads+n
		w, n = guarded.watched(r, r+8, span)
		kept.wrong, kept.reads = kept.wrong+w, kept.reads+n
		if n < 70*int(span/time.Second) {
			t.Errorf("rank %d was read %d times in %v, want 70 a second at least", r/8+1, n, span)
		}
	}
	a := func(n int) float64 { return float64(n) / span.Seconds() }
	t.Logf("wrong counts a second: one clock for all %.0f (%.0f frames), one clock on all XI %.0f (%.0f), a clock for "+
		"each rank %.0f (%.0f), and watched %.0f (%.0f)",
		a(one.wrong), a(one.reads), a(xi.wrong), a(xi.reads), a(ranks.wrong), a(ranks.reads)/8, a(kept.wrong),
		a(kept.reads)/8)
	if one.wrong < 100 || ranks.wrong == 0 {
		t.Errorf("without a remedy %d and %d counts are wrong: the model is too kind", one.wrong, ranks.wrong)
	}
	if xi.wrong != 0 || kept.wrong != 0 {
		t.Errorf("with remedies %d and %d counts are wrong, want none", xi.wrong, kept.wrong)
	}
}
