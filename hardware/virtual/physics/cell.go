// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"
)

// cell is one load cell, in milligrams.
type cell struct {
	from, to    float64 // before and after the last change
	since       time.Duration
	press       float64 // a hand presses in addition
	pressed     time.Duration
	crept       float64 // of the load before
	drift       float64 // mg an hour
	zero        float64 // mg
	fault       CellFault
	fromPressed float64 // what was shown when the press began or ended
}

// creeping is how long a cell creeps after its load has changed.
const creeping = time.Minute

// target is the load that the cell goes towards at a time, and since when.
func (c *cell) target(at time.Duration) (mg float64, from float64, since time.Duration) {
	if c.press != 0 {
		if at < c.pressed {
			return c.to + c.press, c.from, c.since
		}
		return c.to, c.fromPressed, c.pressed
	}
	return c.to, c.from, c.since
}

// shows is the load that the cell shows at a time, without noise.
func (c *cell) shows(at time.Duration, creep float64) float64 {
	to, from, since := c.target(at)
	v := to
	if dt := at - since; dt < 20*settle {
		v += (from - to) * math.Exp(-float64(dt)/float64(settle))
	}
	part := min(1, float64(at-c.since)/float64(creeping))
	return v + c.crept + (creep*c.to-c.crept)*part + c.off(at)
}

// load changes what is on the cell; a hand presses for a while in addition.
func (c *cell) load(mg float64, at time.Duration, creep, press float64, held time.Duration) {
	now := c.shows(at, creep)
	crept := c.crept + (creep*c.to-c.crept)*min(1, float64(at-c.since)/float64(creeping))
	c.from = now - crept - c.off(at)
	c.to, c.since, c.crept, c.press = mg, at, crept, 0
	if press != 0 {
		c.press, c.pressed = press, at+held
		c.fromPressed = c.to + press + (c.from-c.to-press)*math.Exp(-float64(held)/float64(settle))
	}
}

// still reports whether the cell shows nothing but noise from a time on.
func (c *cell) still(at time.Duration) bool {
	return at-c.since > 20*settle && (c.press == 0 || at-c.pressed > 20*settle)
}

// off is how far the zero has drifted.
func (c *cell) off(at time.Duration) float64 { return c.zero + c.drift*at.Hours() }
