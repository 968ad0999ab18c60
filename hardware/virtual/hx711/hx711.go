// SPDX-License-Identifier: Apache-2.0

package hx711

import (
	"math/rand/v2"
	"time"
)

// What the chip does, from AVIA's datasheet unless said otherwise.
const (
	// Loading is how long the register takes a new conversion in; a reading under way then is lost. Measured by others,
	// not in the datasheet.
	Loading = 75 * time.Microsecond
	// Shortest and Longest are conversions at 80 a second: "typically 80" (page 4), and 10.7 ms were measured.
	Shortest, Longest = 10700 * time.Microsecond, 12800 * time.Microsecond
	// Sleep is how long the clock must be high to send the chip to sleep (page 5).
	Sleep = 60 * time.Microsecond
	// Settling is the number of conversions that it takes after a start (page 3: 50 ms at 80 a second, 400 ms at 10).
	Settling = 4
	// jitter is by how much conversions of one oscillator differ. Assumed, not measured.
	jitter = 5 * time.Microsecond
	// Max is the greatest count; the least is -Max-1.
	Max = 1<<23 - 1
)

// Chip is one converter.
type Chip struct {
	period time.Duration
	rnd    *rand.Rand
	load   int32

	seen     [4]int32 // what the last conversions saw: the filter is their mean
	shown    int32    // what the register holds
	bit      int      // bits clocked out of it, -1 once it was read
	loading  bool
	pulses   int // in this conversion
	gain     int
	settling int
	asleep   bool
	high     bool
	rose     time.Duration
	end      time.Duration // of this conversion
	loaded   time.Duration
	spoiled  int
}

// New makes a converter that is switched on at a time; its conversions take so long.
func New(at, period time.Duration, seed uint64) *Chip {
	c := &Chip{period: period, rnd: rand.New(rand.NewPCG(seed, 711))}
	c.wake(at)
	return c
}

func (c *Chip) wake(at time.Duration) {
	c.bit, c.loading, c.pulses, c.asleep, c.gain, c.settling = -1, false, 0, false, 128, Settling
	c.end = at + c.period
}

// Load sets the counts that the load cell asks for at gain 128; beyond the converter's range it shows its greatest or
// least count.
func (c *Chip) Load(counts int32) { c.load = counts }

// Spoiled is how many conversions were wrong because of pulses too few or too many.
func (c *Chip) Spoiled() int { return c.spoiled }

// until brings the chip to a time.
func (c *Chip) until(at time.Duration) {
	for !c.asleep {
		if c.loading && c.loaded <= c.end {
			if c.loaded > at {
				return
			}
			c.loading, c.bit = false, 0
			continue
		}
		if c.end > at {
			return
		}
		c.convert()
	}
}

// convert ends a conversion.
func (c *Chip) convert() {
	copy(c.seen[1:], c.seen[:])
	switch c.gain {
	case 32:
		c.seen[0] = 0 // channel B is grounded
	case 64:
		c.seen[0] = c.load / 2
	default:
		c.seen[0] = c.load
	}
	var sum int64
	for _, v := range c.seen {
		sum += int64(v)
	}
	c.shown = int32(max(-Max-1, min(Max, sum/4)))
	if c.pulses != 0 && (c.pulses < 25 || c.pulses > 27) {
		c.spoiled++
		c.shown = c.rnd.Int32N(1<<24) - 1<<23
	} else if c.pulses != 0 {
		c.gain = [3]int{128, 32, 64}[c.pulses-25]
	}
	c.pulses = 0
	c.settling = max(0, c.settling-1)
	if c.settling == 0 {
		c.loading, c.loaded = true, c.end+Loading
	}
	c.end += c.period + time.Duration(c.rnd.Int64N(int64(2*jitter))) - jitter
}

// Clock sets PD_SCK at a time. Times never run backwards.
func (c *Chip) Clock(at time.Duration, high bool) {
	c.until(at)
	if high == c.high {
		return
	}
	c.high = high
	if !high {
		if at-c.rose > Sleep {
			c.wake(at) // it slept, and begins again
		}
		return
	}
	c.rose = at
	c.pulses++
	if !c.loading && c.bit >= 0 {
		c.bit++
	}
}

// Out reports whether DOUT is high at a time. It is low when a conversion may be read.
func (c *Chip) Out(at time.Duration) bool {
	c.until(at)
	switch {
	case c.high && at-c.rose > Sleep, c.loading, c.bit < 0, c.bit > 24:
		return true
	case c.bit == 0:
		return false
	}
	return c.shown>>(24-c.bit)&1 == 1
}
