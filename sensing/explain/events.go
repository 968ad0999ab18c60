// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math"
	"time"
)

// tick is a time in nanoseconds since the first reading.
type tick int64

// never is a time before all others.
const never = tick(-1 << 62)

func (t tick) since(u tick) time.Duration { return time.Duration(t - u) }

// within reports whether a time is no longer before another than a contact bounces.
func (t tick) within(u tick) bool { return u.since(t) < bounce }

// flipsKept is how many flips of a reed are kept.
const flipsKept = 24

// contact is the flips of one reed, newest last.
type contact struct {
	at   [flipsKept]tick // a ring
	n    uint32          // flips so far
	raw  [chatters]tick  // a ring of all changes, also those of a contact that bounces
	raws uint32
}

// last is when the reed last flipped.
func (c *contact) last() tick { return c.back(0) }

// back is when it flipped k flips ago, never if that is not kept.
func (c *contact) back(k uint32) tick {
	if k >= c.n || k >= flipsKept {
		return never
	}
	return c.at[(c.n-1-k)%flipsKept]
}

// flip notes that the reed flipped. A flip right after another one undoes it: that is one contact that bounces, and undone is true.
func (c *contact) flip(at tick) (undone bool) {
	c.raw[c.raws%chatters] = at
	c.raws++
	if c.n > 0 && at.since(c.last()) < bounce {
		c.n--
		return true
	}
	c.at[c.n%flipsKept] = at
	c.n++
	return false
}

// after counts the flips after a time.
func (c *contact) after(t tick) int {
	k := uint32(0)
	for c.back(k) > t {
		k++
	}
	return int(k)
}

// chattering reports whether the reed toggles though nothing moves.
func (c *contact) chattering(now tick) bool {
	return c.raws >= chatters && now.since(c.raw[c.raws%chatters]) < chatterFor
}

// calm reports whether the reed has hardly changed since a time.
func (c *contact) calm(since tick) bool {
	return c.raws < chatters || c.raw[(c.raws+chatters-3)%chatters] < since
}

// longestOpen is the longest time for which the reed was open after a time, from one flip to the next; closed says what it is now.
func (c *contact) longestOpen(t tick, closed bool) (longest time.Duration) {
	k := uint32(0)
	if !closed {
		k = 1
	}
	for ; c.back(k+1) > t; k += 2 {
		longest = max(longest, c.back(k).since(c.back(k+1)))
	}
	return longest
}

// nth is when the reed flipped for the n-th time after a time, or last if it flipped less often.
func (c *contact) nth(t tick, n int) tick {
	if m := c.after(t); n > 0 && m > n {
		return c.back(uint32(m - n))
	}
	return c.last()
}

// longest is how many samples make the mean of a level at most, so that slow drift is followed.
const longest = 12

// stands is how many samples make a level one at which something stood: fingers press and pull for less.
const stands = 3

// level is what one analog sensor shows: the mean since it last stepped, in milligrams or micrometres.
type level struct {
	mean                  float64
	n                     int     // samples in the mean, at most longest; 0 when nothing is known
	since                 tick    // when the level began
	rose                  bool    // it lies above the one before
	heard                 tick    // when the sensor last answered
	steps                 uint32  // levels so far
	samples               uint32  // so far
	rests                 float64 // what it showed while the accepted wood stood
	known                 int     // evaluations that rests stands on, 0 for none
	zero                  float64 // what it shows when nothing stands there
	low                   float64 // the least and the most it has shown since the ply began
	high                  float64
	lowBefore, highBefore float64 // the same in the ply before
	top                   float64 // the most of any single sample
	from                  tick    // from when low, high and top count
}

// forget lets low and high begin anew at a time.
func (l *level) forget(at tick) {
	l.lowBefore, l.highBefore = l.low, l.high
	l.low, l.high, l.top, l.from = math.Inf(1), math.Inf(-1), math.Inf(-1), at
}

// add takes a sample in and reports whether it begins a new level.
func (l *level) add(v, noise, step float64, at tick) bool {
	l.heard = at
	l.samples++
	if at > l.from {
		l.top = max(l.top, v)
	}
	if l.n > 0 && math.Abs(v-l.mean) <= step*noise*math.Sqrt(1+1/float64(l.n)) {
		l.n = min(l.n+1, longest)
		l.mean += (v - l.mean) / float64(l.n)
		if l.n >= stands && at > l.from {
			l.low, l.high = min(l.low, l.mean), max(l.high, l.mean)
		}
		return false
	}
	fresh := l.n > 0
	l.rose = v > l.mean
	l.mean, l.n, l.since = v, 1, at
	l.steps++
	return fresh
}

// settles follows what the sensor shows while the accepted wood stands.
func (l *level) settles(empty bool) {
	if l.n < longest {
		return
	}
	if l.known == 0 {
		l.rests = l.mean
	} else {
		l.rests += cellFollow * (l.mean - l.rests)
	}
	l.known++
	if empty {
		l.zero = l.rests
	}
}
