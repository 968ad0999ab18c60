// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Times and counts that decide what is a bounce, a level or noise.
const (
	burst = 20 * time.Millisecond // changes of a reed nearer to each other than this are one bounce
	calm  = 6                     // values in a row that must lie near each other for a change to have settled
	most  = 20                    // levels that are kept of a square
)

// step is the least change of a value that is not noise: 5 g and 15 mm; under a corner a quarter of a pawn.
var step = map[sensing.Kind]float64{sensing.Weights: 5000, sensing.Heights: 15000, sensing.Scale: 5000}

// Gauge gathers readings of one kind on one deck.
type Gauge struct {
	kind     sensing.Kind
	squares  [64]trace
	readings int
	first    time.Time
	last     time.Time
	longest  time.Duration
}

// trace is one square.
type trace struct {
	known   int
	changes int

	level   float64 // mean of the present level
	n       int     // values in it
	before  float64 // the value before, of the same level
	squared float64 // sum of squares of the differences of neighbours on a level
	pairs   int
	levels  []float64 // that have been left
	recent  []float64 // values since a change began
	times   []time.Time
	settles []float64 // ms

	closed  bool
	turned  time.Time // when the reed last changed
	began   time.Time // when its bounce began
	bounces []float64 // ms
}

// take adds a reading.
func (g *Gauge) take(r *sensing.Reading) {
	if g.readings++; g.readings == 1 {
		g.first, g.kind = r.At, r.Kind
	} else if d := r.At.Sub(g.last); d > g.longest {
		g.longest = d
	}
	g.last = r.At
	for sq := range (r.Known &^ r.Stale).Squares() {
		t := &g.squares[sq]
		t.known++
		if r.Kind == sensing.Reeds {
			t.turn(r.Closed.Has(sq), r.At)
		} else {
			t.value(float64(r.Value[sq]), r.At, step[r.Kind])
		}
	}
}

// turn is the state of a reed.
func (t *trace) turn(closed bool, at time.Time) {
	if t.known > 1 && closed != t.closed {
		t.changes++
		if at.Sub(t.turned) > burst {
			t.rest()
			t.began = at
		}
		t.turned = at
	}
	t.closed = closed
}

// rest notes the bounce that is over.
func (t *trace) rest() {
	if !t.began.IsZero() {
		t.bounces = append(t.bounces, ms(t.turned.Sub(t.began)))
		t.began = time.Time{}
	}
}

// value is the value of a load cell or height sensor.
func (t *trace) value(v float64, at time.Time, step float64) {
	if t.recent == nil && (t.n == 0 || math.Abs(v-t.level) < step) {
		if t.n > 0 {
			t.squared += (v - t.before) * (v - t.before)
			t.pairs++
		}
		t.n++
		t.level += (v - t.level) / float64(min(t.n, 100))
		t.before = v
		return
	}
	t.recent, t.times = append(t.recent, v), append(t.times, at)
	if len(t.recent) < calm {
		return
	}
	tail := t.recent[len(t.recent)-calm:]
	if slices.Max(tail)-slices.Min(tail) > max(step/20, 8*t.noise()) {
		if len(t.recent) > 10*calm { // it never rests: forget what is long ago
			t.recent, t.times = t.recent[1:], t.times[1:]
		}
		return
	}
	var sum float64
	for _, v := range tail {
		sum += v
	}
	if mean := sum / calm; math.Abs(mean-t.level) >= step {
		t.changes++
		t.settles = append(t.settles, ms(t.times[len(t.times)-calm].Sub(t.times[0])))
		if len(t.levels) < most {
			t.levels = append(t.levels, math.Round(t.level))
		}
		t.level, t.n = mean, calm
	}
	t.before, t.recent, t.times = tail[calm-1], nil, nil
}

// noise is the standard deviation on levels, from neighbours.
func (t *trace) noise() float64 { return math.Sqrt(t.squared / float64(max(1, t.pairs)) / 2) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Square holds the figures of one square. Units are those of readings: milligrams, micrometres.
type Square struct {
	Square  string  `json:"square"`
	Known   float64 `json:"known"`   // share of the readings in which the square was known
	Changes int     `json:"changes"` // of a reed's state, or of a level
	// standard deviation, from neighbours on a level, so that drift does not count
	Noise  float64   `json:"noise,omitempty"`
	Levels []float64 `json:"levels,omitempty"` // the levels at rest, the present one last
	// from the first value that left a level to the first that stayed on the next
	Settle []float64 `json:"settle_ms,omitempty"`
	Bounce []float64 `json:"bounce_ms,omitempty"` // of a reed, as far as the sweeps see it
}

// Kind holds the figures of one kind of sensor on one deck.
type Kind struct {
	Kind     string   `json:"kind"`
	Deck     string   `json:"deck"`
	Readings int      `json:"readings"`
	Interval float64  `json:"interval_ms"` // mean time between readings
	Longest  float64  `json:"longest_ms"`
	Squares  []Square `json:"squares"`
}

// found returns the figures.
func (g *Gauge) found(deck sensing.Deck) Kind {
	k := Kind{Kind: g.kind.String(), Deck: deck.String(), Readings: g.readings, Longest: tenth(ms(g.longest))}
	if g.readings > 1 {
		k.Interval = tenth(ms(g.last.Sub(g.first)) / float64(g.readings-1))
	}
	for i := range g.squares {
		t := &g.squares[i]
		t.rest()
		s := Square{Square: rules.Square(i).String(), Changes: t.changes,
			Known: tenth(1000*float64(t.known)/float64(max(1, g.readings))) / 1000, Settle: t.settles, Bounce: t.bounces}
		if g.kind != sensing.Reeds && t.n > 0 {
			s.Levels = append(t.levels, math.Round(t.level))
		}
		if t.pairs > 0 {
			s.Noise = tenth(t.noise())
		}
		k.Squares = append(k.Squares, s)
	}
	return k
}

func tenth(v float64) float64 { return math.Round(10*v) / 10 }
