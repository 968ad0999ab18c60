// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"math"
	"time"

	"boardd/sensing"
	"boardd/sensing/reconcile/world"
)

// maxLevelSamples is the largest number of samples in the mean of a level, so that the mean follows slow drift.
const maxLevelSamples = 12

// MinLevelSamples is how many samples make a level that of something that stands. Fingers press and pull for less.
const MinLevelSamples = 3

// Level is what one load cell or height sensor shows: the mean since the level began, in milligrams or micrometres.
type Level struct {
	Mean     float64
	N        int     // samples in the mean, at most maxLevelSamples; 0 when nothing is known
	Since    Tick    // when the level began
	Still    Tick    // since when the mean has hardly moved: a level may slide
	still    float64 // the mean then
	Rose     bool    // it is above the level before
	Heard    Tick    // when the sensor last answered
	tended   Tick    // Record.tended at that time
	cadence  sensing.Cadence
	Turns    uint32   // changes of direction from level to level until now
	Samples  uint32   // samples until now
	Rests    float64  // what the sensor showed while the accepted wood stood
	Known    int      // number of evaluations in rests
	Zero     float64  // what the sensor shows when nothing stands there
	Extremes          // since the ply began
	Before   Extremes // those of the ply before
	From     Tick     // from when the extremes count
	ended    [pastLevels]endedLevel
	ends     uint32 // levels that have ended until now, the last pastLevels of them in ended
}

// pastLevels is how many levels are kept of those that have ended. Those that follow one within world.LandsSlack count
// as one with it. So it takes a hand that trembles some seconds to fill them.
const pastLevels = 64

type endedLevel struct {
	since, until Tick
	mean         float64 // when it, or the first of those that belong to it, ended
	n            int     // samples in that mean
}

// Extremes are the least and the greatest level of a ply, and the greatest single sample.
type Extremes struct{ Low, High, Top float64 }

var noExtremes = Extremes{math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (x Extremes) with(o Extremes) Extremes {
	return Extremes{min(x.Low, o.Low), max(x.High, o.High), max(x.Top, o.Top)}
}

// Age is for how long the sensor has shown the level. The time after the next reading was due does not count, because
// nobody looked.
func (l *Level) Age(now Tick) time.Duration {
	return l.cadence.Seen(time.Duration(l.Since), time.Duration(l.Heard), time.Duration(now))
}

// Stands is for how long the level has not slid, counted like Age.
func (l *Level) Stands(now Tick) time.Duration {
	return l.cadence.Seen(time.Duration(l.Still), time.Duration(l.Heard), time.Duration(now))
}

// At is the mean of the level at a time, or the oldest that is known. A level that slides counts as it was last.
func (l *Level) At(t Tick) float64 {
	mean, since := l.Mean, l.Since
	for k := l.ends; since > t && k > 0 && l.ends-k < pastLevels; k-- {
		e := &l.ended[(k-1)%pastLevels]
		if since = e.until; since > t {
			mean = e.mean
		}
	}
	return mean
}

// RoseAt is when the level last rose by at least so much, at once or little by little, and Never if it did not. It is
// when the oldest level began that is kept, if that may have been before.
func (l *Level) RoseAt(least float64) Tick {
	top, at := l.Mean, l.Since
	for k := l.ends; k > 0; k-- {
		if l.ends-k == pastLevels {
			return at
		}
		e := &l.ended[(k-1)%pastLevels]
		if top-e.mean >= least {
			return e.until
		}
		top, at = max(top, e.mean), e.since
	}
	return Never
}

// FellAt is when the level first fell at once by at least so much after a time: Never if it did not.
func (l *Level) FellAt(least float64, after Tick) Tick {
	at, next := Never, l.Mean
	for k := l.ends; k > 0 && l.ends-k < pastLevels; k-- {
		e := &l.ended[(k-1)%pastLevels]
		if e.until <= after {
			break
		}
		if e.mean-next >= least {
			at = e.until
		}
		next = e.mean
	}
	return at
}

// end keeps the level, which ends at a time.
func (l *Level) end(at Tick) {
	if last := &l.ended[(l.ends-1)%pastLevels]; l.ends > 0 && at.Since(last.since) < world.LandsSlack {
		last.until = at
		return
	}
	l.ended[l.ends%pastLevels] = endedLevel{since: l.Since, until: at, mean: l.Mean, n: l.N}
	l.ends++
}

// ResetExtremes begins the extremes of another ply at a time. If the ply before goes on instead, with another move in
// place of its own, they belong to that.
func (l *Level) ResetExtremes(at Tick, same bool) {
	if same {
		l.Before = l.Before.with(l.Extremes)
	} else {
		l.Before = l.Extremes
	}
	l.Extremes, l.From = noExtremes, at
}

// BackdateExtremes begins those of another ply at an earlier time, with the levels since then.
func (l *Level) BackdateExtremes(at Tick) {
	l.ResetExtremes(at, false)
	note := func(mean float64, n int) {
		if n >= MinLevelSamples {
			l.Low, l.High, l.Top = min(l.Low, mean), max(l.High, mean), max(l.Top, mean)
		}
	}
	note(l.Mean, l.N)
	for k := l.ends; k > 0 && l.ends-k < pastLevels; k-- {
		e := &l.ended[(k-1)%pastLevels]
		if e.until <= at {
			break
		}
		note(e.mean, e.n)
	}
}

// ResumeExtremes goes on with those of the ply before.
func (l *Level) ResumeExtremes() { l.Extremes = l.Extremes.with(l.Before) }

// add takes in a sample and reports whether it begins a new level.
func (l *Level) add(v, noise, step float64, at Tick) bool {
	if l.Samples > 0 {
		l.cadence.Note(at.Since(l.Heard))
	}
	l.Heard = at
	l.Samples++
	if at > l.From {
		l.Top = max(l.Top, v)
	}
	if l.N > 0 && math.Abs(v-l.Mean) <= step*noise*math.Sqrt(1+1/float64(l.N)) {
		l.N = min(l.N+1, maxLevelSamples)
		l.Mean += (v - l.Mean) / float64(l.N)
		if math.Abs(l.Mean-l.still) > step*noise {
			l.Still, l.still = at, l.Mean
		}
		if l.N >= MinLevelSamples && at > l.From {
			l.Low, l.High = min(l.Low, l.Mean), max(l.High, l.Mean)
		}
		return false
	}
	fresh, rose := l.N > 0, v > l.Mean
	if rose != l.Rose {
		l.Turns++
	}
	if fresh {
		l.end(at)
	}
	l.Mean, l.N, l.Since, l.Rose = v, 1, at, rose
	l.Still, l.still = at, v
	return fresh
}

// FollowRest makes Rests, and Zero if the square is empty, follow what the sensor shows while the accepted wood
// stands.
func (l *Level) FollowRest(empty bool) {
	if l.N < maxLevelSamples {
		return
	}
	if l.Known == 0 {
		l.Rests = l.Mean
	} else {
		l.Rests += world.CellFollow * (l.Mean - l.Rests)
	}
	l.Known++
	if empty {
		l.Zero = l.Rests
	}
}
