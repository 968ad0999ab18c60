package virtual

import (
	"math"
	"time"
)

// VL6180X is the register model of a VL6180X, after STMicroelectronics' datasheet DocID026171: 16-bit indices that
// count up by themselves, single-shot ranging, status and result registers.
type VL6180X struct {
	look func(began, ended time.Time) Sight

	reg   [0x300]byte
	index uint16
	began time.Time // of the last measurement
	until time.Time // its end
	busy  bool      // it has not been put into the registers
}

// Sight is what a sensor sees: what is nearest in its cone.
type Sight struct {
	MM     float64 // millimetres away
	Status byte    // a status of RESULT__RANGE_STATUS, 0 a good range
	Noise  float64 // millimetres, added to MM
}

// The registers that do something here.
const (
	vlModel       = 0x000
	vlFresh       = 0x016
	vlStart       = 0x018
	vlConvergence = 0x01c
	vlOffset      = 0x024
	vlStatus      = 0x04d
	vlInterrupt   = 0x04f
	vlRange       = 0x062
	vlRate        = 0x066
)

// NewVL6180X makes a sensor, just powered up. look says what it sees in a span of time.
func NewVL6180X(look func(began, ended time.Time) Sight) *VL6180X {
	c := &VL6180X{look: look}
	c.Reset()
	return c
}

// Reset is what a power cycle does.
func (c *VL6180X) Reset() {
	c.reg = [0x300]byte{vlModel: 0xb4, vlFresh: 1, vlConvergence: 49, vlStatus: 1, vlOffset: factoryOffset}
	c.began, c.until, c.busy = time.Time{}, time.Time{}, false
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
		r[i] = 0
		if int(c.index) < len(c.reg) {
			r[i] = c.reg[c.index]
		}
		c.index++
	}
}

func (c *VL6180X) write(now time.Time, v byte) {
	switch {
	case int(c.index) >= len(c.reg), c.index == vlModel, c.index == vlStatus, c.index == vlRange:
		return
	case c.index == vlStart:
		if v&1 == 1 && c.reg[vlStatus]&1 == 1 {
			c.start(now)
		}
		return
	}
	c.reg[c.index] = v
}

// start begins a measurement: 3.2 ms before, the convergence, 4.4 ms of averaging, some 12 ms in all. Convergence takes
// longer the farther the target is; without one it takes the longest that is allowed.
func (c *VL6180X) start(now time.Time) {
	s := c.look(now, now)
	converge := 3 + 1.5*s.MM/150
	if limit := float64(c.reg[vlConvergence]); s.Status != 0 || converge > limit {
		converge = limit
	}
	c.began = now
	c.until = now.Add(time.Duration((3.2 + converge + 4.4) * float64(time.Millisecond)))
	c.reg[vlStatus] &^= 1
	c.busy = true
}

// finish puts the result of a measurement that is over into the registers.
func (c *VL6180X) finish(now time.Time) {
	if !c.busy || now.Before(c.until) {
		return
	}
	s := c.look(c.began, c.until)
	c.busy = false
	c.reg[vlStatus] = s.Status<<4 | 1
	c.reg[vlInterrupt] = c.reg[0x014] & 7
	if s.Status != 0 {
		c.reg[vlRange] = 255
		return
	}
	v := s.MM + s.Noise + float64(int8(c.reg[vlOffset])) - factoryOffset + c.untuned()
	c.reg[vlRange] = byte(max(0, min(255, math.Round(v))))
	rate := uint16(128 * 400 / max(10, s.MM))
	c.reg[vlRate], c.reg[vlRate+1] = byte(rate>>8), byte(rate)
}

// untuned is how far off a sensor is that was not given the application note's settings: the true figure is not
// published, what matters is that nobody takes it for a good one.
func (c *VL6180X) untuned() float64 {
	if c.reg[0x207] != 1 || c.reg[0x1a7] != 0x1f || c.reg[0x30] != 0 || c.reg[vlFresh] != 0 {
		return 25
	}
	return 0
}

// measuring tells whether the last measurement was under way at any time of the span.
func (c *VL6180X) measuring(from, to time.Time) bool {
	return c.began.Before(to) && from.Before(c.until)
}
