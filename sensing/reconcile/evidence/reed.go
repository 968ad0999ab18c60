// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"time"

	"boardd/sensing/reconcile/world"
)

// flipsKept is the number of flips of a reed that are kept, and one more: a bounce that is forgotten has overwritten
// the oldest one.
const flipsKept = 24

// Reed holds the flips of one reed.
type Reed struct {
	at       [flipsKept]Tick          // a ring
	flips    uint32                   // flips until now
	raw      [world.ChatterFlips]Tick // a ring of all changes, bounces included
	rawCount uint32
	wrong    float64 // nats: what it says in this evaluation against the state that it does not show
	stamp    uint32  // the evaluation to which wrong belongs
}

// Last is when the reed last flipped.
func (c *Reed) Last() Tick { return c.Back(0) }

// Back is the time of the flip k flips before the last one, never if that is not kept.
func (c *Reed) Back(k uint32) Tick {
	if k >= c.flips || k >= flipsKept-1 {
		return Never
	}
	return c.at[(c.flips-1-k)%flipsKept]
}

// flip notes that the reed flipped. A flip right after another is a bounce: both are forgotten, and undone is true.
func (c *Reed) flip(at Tick) (undone bool) {
	c.raw[c.rawCount%world.ChatterFlips] = at
	c.rawCount++
	if c.flips > 0 && at.Since(c.Last()) < world.Bounce {
		c.flips--
		return true
	}
	c.at[c.flips%flipsKept] = at
	c.flips++
	return false
}

// After counts the flips after a time.
func (c *Reed) After(t Tick) int {
	k := uint32(0)
	for c.Back(k) > t {
		k++
	}
	return int(k)
}

// Chattering reports whether the reed toggles although nothing moves.
func (c *Reed) Chattering(now Tick) bool {
	return c.rawCount >= world.ChatterFlips && now.Since(c.raw[c.rawCount%world.ChatterFlips]) < world.ChatterWindow
}

// Calm reports whether the reed has hardly changed since a time.
func (c *Reed) Calm(since Tick) bool {
	return c.rawCount < world.ChatterFlips || c.raw[(c.rawCount+world.ChatterFlips-3)%world.ChatterFlips] < since
}

// LongestOpen is the longest time from one flip to the next for which the reed was open after t. closed is its state
// now.
func (c *Reed) LongestOpen(t Tick, closed bool) (longest time.Duration) {
	k := uint32(0)
	if !closed {
		k = 1
	}
	for ; c.Back(k+1) > t; k += 2 {
		longest = max(longest, c.Back(k).Since(c.Back(k+1)))
	}
	return longest
}

// Exchanges counts the flips after t without openings too short for an exchange: knocks, and magnets at the edge of
// the reed. closed is its state now.
func (c *Reed) Exchanges(t Tick, closed bool) (n int) {
	n = c.After(t)
	k := uint32(0)
	if !closed {
		k = 1
	}
	for ; c.Back(k+1) > t; k += 2 {
		if c.Back(k).Since(c.Back(k+1)) < world.ExchangeTakes {
			n -= 2
		}
	}
	return n
}

// Nth is when the reed flipped for the n-th time after t. If it flipped less often, it is when it flipped last.
func (c *Reed) Nth(t Tick, n int) Tick {
	if m := c.After(t); n > 0 && m > n {
		return c.Back(uint32(m - n))
	}
	return c.Last()
}

// DoneAt is when a reed had done the n flips that a move needs, after t; never if it did no more. Flips that another
// soon undid do not count: a knock, or a magnet at the edge of the reed.
func (c *Reed) DoneAt(t Tick, n int) Tick {
	var lasting [flipsKept]Tick
	k := 0
	for i := c.After(t) - 1; i >= 0; i-- {
		at := c.Back(uint32(i))
		if k > 0 && at.Since(lasting[k-1]) < world.ExchangeTakes {
			k--
			continue
		}
		lasting[k], k = at, k+1
	}
	if n > 0 && k > n {
		return lasting[n-1]
	}
	return Never
}
