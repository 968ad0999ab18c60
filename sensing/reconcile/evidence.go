// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"cmp"
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// evidence is what the sensors have said: what each shows, since when, and what it showed before.
type evidence struct {
	g      *geometry
	origin time.Time
	now    tick
	epoch  tick   // when this ply began
	stamp  uint32 // the evaluation

	known     wood.Set    // reeds that answered when last read
	closed    wood.Set    // reeds that were closed when they last answered
	everKnown wood.Set    // reeds that have ever answered
	answers   [3]wood.Set // sensors that answered when their bank was last read
	heard     [3][2]bool  // banks that were ever read
	reeds     [wood.Places]reedHistory
	swept     [2]tick // when the reeds of a deck were last read
	cells     [64]level
	eyes      [64]level
	balance   scale.Meter
	noise     [2][64]float64 // standard deviation of a sample of each cell and eye
	trust     [3][wood.Places]trust

	spilledLoad  [64]float64    // mg that neighbouring cells bear of a piece that stands over the edge of a square
	overhangLoad [64]float64    // mg that a cell bears of a piece on a neighbouring square
	shared       rules.Bitboard // squares of which spill or given is not 0

	flipped       tick    // when a reed that does not chatter last flipped
	flippedBefore tick    // the same, without its last flip
	stepped       tick    // when any cell or height sensor last began a new level
	looked        [2]step // the last two squares whose height sensor began a new level, the newer one first
}

// step is when the height sensor over a square began a new level.
type step struct {
	square rules.Square
	at     tick
}

// lastActivity is when a sensor last saw something happen, the height sensor over this place aside.
func (e *evidence) lastActivity(p wood.Place) tick {
	if s := e.looked[0]; wood.Place(s.square) != p {
		return max(e.flipped, s.at)
	}
	return max(e.flipped, e.looked[1].at)
}

func newEvidence(g *geometry) evidence {
	e := evidence{g: g, flipped: never, flippedBefore: never, stepped: never, looked: [2]step{{at: never}, {at: never}}}
	for q := range 64 {
		e.noise[0][q] = float64(cmp.Or(g.CellNoises[q], g.CellNoise))
		e.noise[1][q] = float64(cmp.Or(g.RangeNoises[q], g.RangeNoise))
		e.cells[q].heard, e.eyes[q].heard = never, never
	}
	for k := range e.trust {
		for p := range e.trust[k] {
			e.trust[k][p].err = prior[k]
		}
	}
	return e
}

// tick converts a time.
func (e *evidence) tick(at time.Time) tick {
	if e.origin.IsZero() {
		e.origin = at
	}
	return tick(at.Sub(e.origin))
}

// observe takes in one reading.
func (e *evidence) observe(r *sensing.Reading) {
	at := e.tick(r.At)
	e.now = max(e.now, at)
	if r.Kind <= sensing.Heights && r.Deck <= sensing.Upper {
		e.answers[r.Kind][r.Deck], e.heard[r.Kind][r.Deck] = r.Known, true
	}
	switch {
	case r.Deck > sensing.Upper:
	case r.Kind == sensing.Reeds:
		e.sweep(r, at)
	case r.Kind == sensing.Scale && e.g.Scale:
		e.takeScale(r, at)
	case r.Kind == sensing.Weights && r.Deck == sensing.Lower && e.g.Weights:
		e.weigh(r, at)
	case r.Kind == sensing.Heights && r.Deck == sensing.Lower && e.g.Heights:
		e.measure(r, at)
	}
}

func (e *evidence) sweep(r *sensing.Reading, at tick) {
	d := r.Deck
	if d == sensing.Upper && !e.g.TwoDecks {
		return
	}
	e.swept[d] = at
	turned := (r.Closed ^ e.closed[d]) & r.Known & e.everKnown[d]
	e.known[d], e.closed[d] = r.Known, r.Closed&r.Known|e.closed[d]&^r.Known
	e.everKnown[d] |= r.Known
	for q := range turned.Squares() {
		p := wood.PlaceAt(d, q)
		c := &e.reeds[p]
		switch undone := c.flip(at); {
		case c.chattering(at):
		case undone && e.flipped.within(at):
			e.flipped = e.flippedBefore // the flip was a bounce
		case !undone:
			e.flippedBefore, e.flipped = e.flipped, at
		}
	}
}

func (e *evidence) weigh(r *sensing.Reading, at tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.cells[q]
		if at <= l.heard {
			continue
		}
		if l.add(float64(r.Value[q]), e.noise[0][q], cellStep, at) {
			e.stepped = max(e.stepped, at)
		}
	}
}

func (e *evidence) measure(r *sensing.Reading, at tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.eyes[q]
		if at <= l.heard {
			continue
		}
		if l.add(float64(r.Value[q]), e.noise[1][q], eyeStep, at) {
			e.stepped = max(e.stepped, at)
			if e.looked[0].square != q {
				e.looked[1] = e.looked[0]
			}
			e.looked[0] = step{q, at}
		}
	}
}

// heardCell reports whether the load cell under a place can be used now.
func (e *evidence) heardCell(p wood.Place) bool {
	return e.g.Weights && p < 64 && e.cells[p].n > 0 && e.now.since(e.cells[p].heard) < absentAfter
}

// heardEye reports whether the height sensor over a place can be used now. A reading from before the reed flipped
// cannot, because it shows what stood there before. A sensor that missed a measurement still counts for a moment.
func (e *evidence) heardEye(p wood.Place) bool {
	if !e.g.Heights || p >= 64 || e.eyes[p].n == 0 || e.eyes[p].heard < e.reeds[p].last() {
		return false
	}
	return e.answers[sensing.Heights].Has(p) || e.now.since(e.eyes[p].heard) < missedGrace
}

// turnedAt is when a sensor of a place last showed something new.
func (e *evidence) turnedAt(k sensing.Kind, p wood.Place) tick {
	switch {
	case k == sensing.Weights && p < 64:
		return e.cells[p].since
	case k == sensing.Heights && p < 64:
		return e.eyes[p].since
	}
	return e.reeds[p].last()
}

// lastAt is when anything last happened on a place, by what its sensors show.
func (e *evidence) lastAt(p wood.Place) tick {
	at := e.reeds[p].last()
	if p < 64 && e.cells[p].n > 0 {
		at = max(at, e.cells[p].since)
	}
	if p < 64 && e.eyes[p].n > 0 {
		at = max(at, e.eyes[p].since)
	}
	return at
}

// tick is a time in nanoseconds since the first reading.
type tick int64

// never is a time before all others.
const never = tick(-1 << 62)

func (t tick) since(u tick) time.Duration { return time.Duration(t - u) }

// within reports whether t is less than bounce before u.
func (t tick) within(u tick) bool { return u.since(t) < bounce }

// flipsKept is the number of flips of a reed that are kept.
const flipsKept = 24

// reedHistory holds the flips of one reed.
type reedHistory struct {
	at       [flipsKept]tick    // a ring
	flips    uint32             // flips until now
	raw      [chatterFlips]tick // a ring of all changes, bounces included
	rawCount uint32
	wrong    float64 // nats: what it says in this evaluation against the state that it does not show
	stamp    uint32  // the evaluation to which wrong belongs
}

// last is when the reed last flipped.
func (c *reedHistory) last() tick { return c.back(0) }

// back is the time of the flip k flips before the last one, never if that is not kept.
func (c *reedHistory) back(k uint32) tick {
	if k >= c.flips || k >= flipsKept {
		return never
	}
	return c.at[(c.flips-1-k)%flipsKept]
}

// flip notes that the reed flipped. A flip right after another is a bounce: both are forgotten, and undone is true.
func (c *reedHistory) flip(at tick) (undone bool) {
	c.raw[c.rawCount%chatterFlips] = at
	c.rawCount++
	if c.flips > 0 && at.since(c.last()) < bounce {
		c.flips--
		return true
	}
	c.at[c.flips%flipsKept] = at
	c.flips++
	return false
}

// after counts the flips after a time.
func (c *reedHistory) after(t tick) int {
	k := uint32(0)
	for c.back(k) > t {
		k++
	}
	return int(k)
}

// chattering reports whether the reed toggles although nothing moves.
func (c *reedHistory) chattering(now tick) bool {
	return c.rawCount >= chatterFlips && now.since(c.raw[c.rawCount%chatterFlips]) < chatterWindow
}

// calm reports whether the reed has hardly changed since a time.
func (c *reedHistory) calm(since tick) bool {
	return c.rawCount < chatterFlips || c.raw[(c.rawCount+chatterFlips-3)%chatterFlips] < since
}

// longestOpen is the longest time from one flip to the next for which the reed was open after t. closed is its state
// now.
func (c *reedHistory) longestOpen(t tick, closed bool) (longest time.Duration) {
	k := uint32(0)
	if !closed {
		k = 1
	}
	for ; c.back(k+1) > t; k += 2 {
		longest = max(longest, c.back(k).since(c.back(k+1)))
	}
	return longest
}

// nth is when the reed flipped for the n-th time after t. If it flipped less often, it is when it flipped last.
func (c *reedHistory) nth(t tick, n int) tick {
	if m := c.after(t); n > 0 && m > n {
		return c.back(uint32(m - n))
	}
	return c.last()
}

// maxLevelSamples is the largest number of samples in the mean of a level, so that the mean follows slow drift.
const maxLevelSamples = 12

// minLevelSamples is how many samples make a level that of something that stands. Fingers press and pull for less.
const minLevelSamples = 3

// level is what one load cell or height sensor shows: the mean since the level began, in milligrams or micrometres.
type level struct {
	mean                  float64
	n                     int     // samples in the mean, at most longest; 0 when nothing is known
	since                 tick    // when the level began
	rose                  bool    // it is above the level before
	heard                 tick    // when the sensor last answered
	turns                 uint32  // changes of direction from level to level until now
	samples               uint32  // samples until now
	rests                 float64 // what the sensor showed while the accepted wood stood
	known                 int     // number of evaluations in rests
	zero                  float64 // what the sensor shows when nothing stands there
	low, high             float64 // the least and the greatest level since the ply began
	lowBefore, highBefore float64 // the same in the ply before
	top                   float64 // the greatest single sample
	from                  tick    // from when low, high and top count
}

// resetExtremes makes low, high and top begin again at a time.
func (l *level) resetExtremes(at tick) {
	l.lowBefore, l.highBefore = l.low, l.high
	l.low, l.high, l.top, l.from = math.Inf(1), math.Inf(-1), math.Inf(-1), at
}

// add takes in a sample and reports whether it begins a new level.
func (l *level) add(v, noise, step float64, at tick) bool {
	l.heard = at
	l.samples++
	if at > l.from {
		l.top = max(l.top, v)
	}
	if l.n > 0 && math.Abs(v-l.mean) <= step*noise*math.Sqrt(1+1/float64(l.n)) {
		l.n = min(l.n+1, maxLevelSamples)
		l.mean += (v - l.mean) / float64(l.n)
		if l.n >= minLevelSamples && at > l.from {
			l.low, l.high = min(l.low, l.mean), max(l.high, l.mean)
		}
		return false
	}
	fresh, rose := l.n > 0, v > l.mean
	if rose != l.rose {
		l.turns++
	}
	l.mean, l.n, l.since, l.rose = v, 1, at, rose
	return fresh
}

// followRest makes rests, and zero if the square is empty, follow what the sensor shows while the accepted wood
// stands.
func (l *level) followRest(empty bool) {
	if l.n < maxLevelSamples {
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
