// SPDX-License-Identifier: Apache-2.0

package game

import "time"

// clock is both sides' time. It is a plain value: a copy is a snapshot.
type clock struct {
	timing  *Timing // nil: played without a clock
	side    [2]allotment
	begun   bool          // somebody has moved or started it
	paused  bool          //
	stopped bool          // the game is over
	used    time.Duration // on this move, before since
	since   time.Time
}

// allotment is one side's time when nothing runs.
type allotment struct {
	left   time.Duration
	period int // 0 is the first
	made   int // moves made in this period
}

func newClock(t *Timing) clock {
	c := clock{timing: t}
	if t != nil {
		c.side[0].left, c.side[1].left = ms(t.first(White).Initial), ms(t.first(Black).Initial)
	}
	return c
}

func (c *clock) of(s Side) *allotment { return &c.side[s.Color()] }

func (c *clock) running() bool { return c.timing != nil && c.begun && !c.paused && !c.stopped }

// spent is the time used on the present move. A wall clock that was set back makes it no less than it was.
func (c *clock) spent(at time.Time) time.Duration {
	if !c.running() {
		return c.used
	}
	return c.used + max(0, at.Sub(c.since))
}

// increment is what counts per move for a side now.
func (c *clock) increment(s Side) time.Duration {
	return ms(c.timing.periods(s)[c.of(s).period].Increment)
}

// charge is what a move that took spent costs while it is thought about.
func (c *clock) charge(s Side, spent time.Duration) time.Duration {
	if c.timing.Kind == Delay {
		return max(0, spent-c.increment(s))
	}
	return spent
}

// left is what a side's clock shows, never negative, when turn is to move and has used spent.
func (c *clock) left(s, turn Side, spent time.Duration) time.Duration {
	left := c.of(s).left
	switch {
	case s == turn:
		left -= c.charge(s, spent)
	case c.timing.Kind == Hourglass:
		left += min(spent, c.of(turn).left)
	}
	return max(0, left)
}

// flag is when the flag of the side to move falls, if it goes on thinking; false when no time runs.
func (c *clock) flag(turn Side) (time.Time, bool) {
	if !c.running() {
		return time.Time{}, false
	}
	allowed := c.of(turn).left
	if c.timing.Kind == Delay {
		allowed += c.increment(turn)
	}
	return c.since.Add(allowed - c.used), true
}

// press ends a side's move that took spent. The first move of a game costs nothing unless the clock was started
// before.
func (c *clock) press(s Side, spent time.Duration, at time.Time) {
	if c.timing == nil {
		return
	}
	mine := c.of(s)
	before := *mine
	mine.left = c.left(s, s, spent)
	switch c.timing.Kind {
	case Fischer:
		mine.left += c.increment(s)
	case Bronstein:
		mine.left += min(spent, c.increment(s), before.left)
	case Hourglass:
		c.of(s.Other()).left += before.left - mine.left
	}
	c.count(s)
	c.begun = true
	c.used, c.since = 0, at
}

// count counts a move and begins the next period when the moves of this one are made.
func (c *clock) count(s Side) {
	mine := c.of(s)
	mine.made++
	periods := c.timing.periods(s)
	now := periods[mine.period]
	if now.Moves > 0 && mine.made >= now.Moves && mine.period+1 < len(periods) {
		mine.period++
		mine.made = 0
		mine.left += ms(periods[mine.period].Initial)
	}
}

// both is what the clocks show together.
func (c *clock) both() time.Duration { return c.of(White).left + c.of(Black).left }

// tell sets a side's time to what its own board measured; an hourglass gives the other side the rest.
func (c *clock) tell(s Side, left time.Duration) {
	if c.timing == nil {
		return
	}
	mine, other := c.of(s), c.of(s.Other())
	if c.timing.Kind == Hourglass {
		other.left = max(0, other.left+mine.left-left)
	}
	mine.left = left
}

// hold stops the time with spent on the present move.
func (c *clock) hold(spent time.Duration) {
	c.used = spent
	c.paused = true
}

// resume lets the time run, and starts it before the first move.
func (c *clock) resume(at time.Time) {
	c.paused = false
	c.begun = true
	c.since = at
}

// Clocks is what the clocks show.
type Clocks struct {
	White, Black time.Duration
	Running      Side // whose time runs; Nobody when both stand
	Paused       bool
}

// Clocks says what the clocks show; false when the game is played without.
func (g *Game) Clocks(at time.Time) (Clocks, bool) {
	c := &g.clock
	if c.timing == nil {
		return Clocks{}, false
	}
	turn, spent := g.Turn(), c.spent(at)
	out := Clocks{White: c.left(White, turn, spent), Black: c.left(Black, turn, spent), Paused: c.paused}
	if c.running() {
		out.Running = turn
	}
	return out, true
}

// FlagAt is when the flag of the side to move falls, if that side is played here: the time to ask for Action Flag.
// False when no time runs or the side's time is measured elsewhere.
func (g *Game) FlagAt() (time.Time, bool) {
	if g.Over() || !g.setup.Here(g.Turn()) || g.setup.Judged() {
		return time.Time{}, false
	}
	return g.clock.flag(g.Turn())
}

// firstYear is the year in which this program was first used. A computer without a clock of its own, such as a
// Raspberry Pi, says an earlier one until somebody sets it.
const firstYear = 2026

// Dated reports whether a time is one of a clock that was set.
func Dated(at time.Time) bool { return at.Year() >= firstYear }
