// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"iter"
	"math"
	"time"

	"boardd/sensing"
)

// Meter keeps what a scale shows: the mean since the last step.
type Meter struct {
	Load  Load          // the mean
	N     int           // samples in it, at most longest; 0 when nothing was heard
	Since time.Duration // when the level began
	Heard time.Duration // when the scale last answered
	every sensing.Cadence
	Steps uint32        // levels until now
	Rests Load          // what the scale showed while the wood of the game stood
	Known bool          // Rests was measured with wood at rest; changes since are computed, see Guess
	Guess int           // number of pieces that came or went since Rests was measured
	past  [levels]level // the last levels; the one at Steps modulo levels is the present one
}

// Age is for how long the scale has shown its load. The time after the next reading was due does not count, because
// nobody looked.
func (m *Meter) Age(now time.Duration) time.Duration { return m.every.Seen(m.Since, m.Heard, now) }

// levels is how many levels are kept, a power of two.
const levels = 32

// level is the least, the greatest and the mean load of a scale from one step to the next.
type level struct {
	since     time.Duration
	low, high float64 // milligrams
	mean      Load
	n         int // samples in the mean
}

// Span is the least and the greatest load of the scale since a time, in milligrams. ok is false when the time is
// longer ago than is kept.
func (m *Meter) Span(from time.Duration) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range min(levels, m.Steps) {
		l := &m.past[(m.Steps-i)%levels]
		low, high = min(low, l.low), max(high, l.high)
		if l.since <= from {
			return low, high, true
		}
	}
	return low, high, false
}

// Lighter goes through the levels that began after a time. In these the board bore less than the game's wood, by at
// least mg milligrams. Each comes with that difference and with the number of samples in its mean, the newest first.
func (m *Meter) Lighter(from time.Duration, mg float64) iter.Seq2[Load, int] {
	return func(yield func(Load, int) bool) {
		for i := range min(levels, m.Steps) {
			l := &m.past[(m.Steps-i)%levels]
			if d := l.mean.Minus(m.Rests); l.since <= from || d.MG <= -mg && !yield(d, l.n) {
				return
			}
		}
	}
}

// longest is the greatest number of samples in the mean; a limit lets it follow drift. A level of leastSettled samples
// may be the weight of the game's wood, because samples are rare while nothing moves. follow is the fraction of the
// difference by which each update moves Rests towards the load. A sample begins a new level if it is off by step
// standard deviations.
const (
	longest      = 12
	leastSettled = 2
	follow       = 0.05
	step         = 5.0
)

// Add takes in a sample. noise is that of one cell, in milligrams. It reports whether a new level begins.
func (m *Meter) Add(l Load, noise float64, at time.Duration) bool {
	if m.N > 0 {
		m.every.Note(at - m.Heard)
	}
	m.Heard = at
	near := step * math.Sqrt(1+1/float64(max(1, m.N)))
	sum := 2 * noise // of four cells
	d := l.Minus(m.Load)
	if m.N > 0 && math.Abs(d.MG) <= near*sum && math.Abs(d.X) <= near*sum*Arm && math.Abs(d.Y) <= near*sum*Arm {
		m.N = min(m.N+1, longest)
		m.Load = m.Load.Plus(d.Times(1 / float64(m.N)))
		p := &m.past[m.Steps%levels]
		p.low, p.high, p.mean, p.n = min(p.low, l.MG), max(p.high, l.MG), m.Load, m.N
		return false
	}
	fresh := m.N > 0
	m.Load, m.N, m.Since = l, 1, at
	m.Steps++
	m.past[m.Steps%levels] = level{at, l.MG, l.MG, l, 1}
	return fresh
}

// Settle says that the present level is the weight of the game's wood.
func (m *Meter) Settle() {
	if m.N < leastSettled {
		return
	}
	if !m.Known || m.Guess > 0 {
		m.Rests, m.Known, m.Guess = m.Load, true, 0
		return
	}
	m.Rests = m.Rests.Plus(m.Load.Minus(m.Rests).Times(follow))
}

// AddExpected says that the game went on: so much load came or went with this many pieces.
func (m *Meter) AddExpected(l Load, pieces int) {
	m.Rests = m.Rests.Plus(l)
	m.Guess += pieces
}

// More is how much more the scale shows than while the game's wood stood.
func (m *Meter) More() Load { return m.Load.Minus(m.Rests) }
