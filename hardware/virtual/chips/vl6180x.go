// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"math"
	"time"
)

// VL6180X is the register model of a VL6180X, after STMicroelectronics' datasheet DocID026171. It has 16-bit indices
// that count up by themselves, single-shot and continuous ranging, and the status, interrupt, result and history
// registers. Every chip has an oscillator of its own, by which all its times are longer or shorter.
type VL6180X struct {
	look  func(began, ended time.Time) Sight
	pace  float64 // its clock's period beside the nominal one
	cover float64 // what a cover over it throws back, in Mcps

	reg     [0x300]byte
	history [16]byte // newest first
	index   uint16
	busy    bool          // a measurement has not been put into the registers
	every   time.Duration // from start to start in continuous mode, by its own clock; 0 is single shots
	stop    bool          // continuous mode ends with the measurement under way
	last    shot          // the newest measurement
	before  [3]shot       // those before it
}

// shot is when a measurement is under way.
type shot struct{ began, until time.Time }

func (s *shot) overlaps(from, to time.Time) bool { return s.began.Before(to) && from.Before(s.until) }

// Sight is what a sensor sees: what is nearest in its cone.
type Sight struct {
	MM     float64 // millimetres away
	Status byte    // a status of RESULT__RANGE_STATUS, 0 a good range
	Noise  float64 // millimetres, added to MM
	Paint  float64 // share of light that the target throws back; 0 is white, 0.88
}

// convergence is how long a range takes to settle, in ms, by distance and paint. It grows with the square of the
// distance, and the less light comes back. Fitted to the datasheet's table of typical convergence times (section
// 2.7.2), which ends at 100 mm. There it gives 0.9 ms for paint of 88 % reflectance, 3.5 ms for 17 %, 9 ms for 5 % and
// 14 ms for 3 %. Beyond 100 mm it is a guess that only a built board can correct.
func (s *Sight) convergence() float64 {
	white := 3 + 1.5*s.MM/150
	if s.Paint == 0 {
		return white
	}
	return max(white, 0.18+3.5*math.Pow(s.MM/100, 2)*math.Pow(0.17/s.Paint, 0.8))
}

// The registers that do something here.
const (
	vlModel       = 0x000
	vlHistoryCtrl = 0x012
	vlInterruptOn = 0x014
	vlClear       = 0x015
	vlFresh       = 0x016
	vlStart       = 0x018
	vlPeriod      = 0x01b
	vlConvergence = 0x01c
	vlCrosstalk   = 0x01e
	vlOffset      = 0x024
	vlStatus      = 0x04d
	vlInterrupt   = 0x04f
	vlHistory     = 0x052
	vlRange       = 0x062
	vlRate        = 0x066
)

// newSample is the interrupt "new sample ready", as asked for and as reported.
const newSample = 4

// NewVL6180X makes a sensor, just powered up. look says what it sees in a span of time.
func NewVL6180X(look func(began, ended time.Time) Sight) *VL6180X {
	c := &VL6180X{look: look, pace: 1}
	c.Reset()
	return c
}

// Pace gives the sensor a clock whose period is this many times the nominal one.
func (c *VL6180X) Pace(pace float64) *VL6180X {
	c.pace = pace
	return c
}

// Cover puts a cover over the sensor that throws so much light back, in Mcps.
func (c *VL6180X) Cover(mcps float64) { c.cover = mcps }

// Reset is what a power cycle does.
func (c *VL6180X) Reset() {
	c.reg = [0x300]byte{vlModel: 0xb4, vlFresh: 1, vlPeriod: 0xff, vlConvergence: 49, vlStatus: 1,
		vlOffset: factoryOffset}
	c.history, c.last, c.before, c.busy, c.every, c.stop = [16]byte{}, shot{}, [3]shot{}, false, 0, false
}

// factoryOffset is the offset in millimetres that the factory has stored in this sensor; a reset brings it back.
const factoryOffset = 3

// Tx writes an index of two bytes and data after it, or reads on from the index.
func (c *VL6180X) Tx(w, r []byte) {
	now := time.Now()
	c.finish(now)
	if len(w) >= 2 {
		c.index = uint16(w[0])<<8 | uint16(w[1])
		for _, v := range w[2:] {
			c.write(now, v)
			c.index++
		}
	}
	for i := range r {
		r[i] = c.read(c.index)
		c.index++
	}
}

func (c *VL6180X) read(reg uint16) byte {
	switch {
	case reg >= vlHistory && reg < vlHistory+16:
		return c.history[reg-vlHistory]
	case int(reg) < len(c.reg):
		return c.reg[reg]
	}
	return 0
}

func (c *VL6180X) write(now time.Time, v byte) {
	switch {
	case int(c.index) >= len(c.reg), c.index == vlModel, c.index >= vlStatus && c.index < vlRate+2:
		return
	case c.index == vlStart:
		c.command(now, v)
		return
	case c.index == vlClear:
		if v&1 == 1 {
			c.reg[vlInterrupt] &^= 7
		}
		return
	}
	c.reg[c.index] = v
}

// command carries out SYSRANGE__START: bit 1 chooses continuous mode, bit 0 starts, and stops what runs continuously.
func (c *VL6180X) command(now time.Time, v byte) {
	switch {
	case v&1 == 0:
	case c.every > 0 && !c.busy:
		c.every = 0
	case c.every > 0:
		c.stop = true
	case !c.busy:
		if v&2 != 0 {
			c.every = c.clock(10 * float64(int(c.reg[vlPeriod])+1))
		}
		c.start(now)
	}
}

// clock is how long this many milliseconds take by the sensor's own clock.
func (c *VL6180X) clock(ms float64) time.Duration {
	return time.Duration(ms * c.pace * float64(time.Millisecond))
}

// start begins a measurement: 3.2 ms before, the convergence, 4.4 ms of averaging, some 12 ms in all. Convergence
// takes longer the farther the target is; without one it takes the longest that is allowed.
func (c *VL6180X) start(at time.Time) {
	s := c.look(at, at)
	converge := s.convergence()
	if limit := float64(c.reg[vlConvergence]); s.Status != 0 || converge > limit {
		converge = limit
	}
	copy(c.before[1:], c.before[:])
	c.before[0] = c.last
	c.last = shot{at, at.Add(c.clock(3.2 + converge + 4.4))}
	c.reg[vlStatus] &^= 1
	c.busy = true
}

// finish puts the results of finished measurements into the registers, and goes on in continuous mode. A start before
// the measurement has ended is ignored.
func (c *VL6180X) finish(now time.Time) {
	for {
		switch {
		case c.busy && now.Before(c.last.until):
			return
		case c.busy:
			c.result()
			if c.stop {
				c.every, c.stop = 0, false
			}
		case c.every > 0 && !now.Before(c.next()):
			c.start(c.next())
		default:
			return
		}
	}
}

// next is when continuous mode starts again.
func (c *VL6180X) next() time.Time {
	at := c.last.began.Add(c.every)
	for at.Before(c.last.until) {
		at = at.Add(c.every)
	}
	return at
}

// result puts the result of the last measurement into the registers.
func (c *VL6180X) result() {
	s := c.look(c.last.began, c.last.until)
	if s.Status == 0 && s.convergence() > float64(c.reg[vlConvergence]) {
		s.Status = 7 // the time was over before the light was enough
	}
	c.busy = false
	c.reg[vlStatus] = s.Status<<4 | 1
	if c.reg[vlInterruptOn]&7 == newSample {
		c.reg[vlInterrupt] = newSample
	}
	c.reg[vlRange] = 255
	if s.Status == 0 {
		rate := 400 / max(10, s.MM) // Mcps
		v := s.MM*(1-c.crosstalk()/rate) + s.Noise + float64(int8(c.reg[vlOffset])) - factoryOffset + c.untuned()
		c.reg[vlRange] = byte(max(0, min(255, math.Round(v))))
		r := uint16(128 * rate)
		c.reg[vlRate], c.reg[vlRate+1] = byte(r>>8), byte(r)
	}
	if c.reg[vlHistoryCtrl]&3 == 1 {
		copy(c.history[1:], c.history[:])
		c.history[0] = c.reg[vlRange]
	}
}

// crosstalk is the cover's light that is not compensated, in Mcps. It shortens ranges by its share of all light that
// comes back (ST's design tip DT0032).
func (c *VL6180X) crosstalk() float64 {
	return c.cover - float64(uint16(c.reg[vlCrosstalk])<<8|uint16(c.reg[vlCrosstalk+1]))/128
}

// untuned is the error of a sensor without the application note's settings. The true figure is not published. What
// matters is that nobody takes such a range for a good one.
func (c *VL6180X) untuned() float64 {
	if c.reg[0x207] != 1 || c.reg[0x1a7] != 0x1f || c.reg[0x30] != 0 || c.reg[vlFresh] != 0 {
		return 25
	}
	return 0
}

// Measuring reports whether a measurement was under way at any time of the span. In continuous mode those count that
// nobody has asked for yet.
func (c *VL6180X) Measuring(from, to time.Time) bool {
	for _, s := range c.before {
		if s.overlaps(from, to) {
			return true
		}
	}
	s := c.last
	for {
		if s.overlaps(from, to) {
			return true
		}
		if c.every == 0 || c.stop || !s.began.Before(to) {
			return false
		}
		s = shot{s.began.Add(c.every), s.until.Add(c.every)}
	}
}
