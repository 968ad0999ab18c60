// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Rig is which sensors a sampler reads, and when, as the drivers do on the reference boards.
type Rig struct {
	Weights, Heights bool
	Scale            bool          // one reading of four corners in place of those of all squares
	Wake             time.Duration // from a change of a reed to the end of the sweep that its interrupt starts
	Active           time.Duration // from sweep to sweep of the reeds while something changes
	Linger           time.Duration // for so long after the last change
	Idle             time.Duration // from sweep to sweep on a quiet board
	Frame            time.Duration // from frame to frame of the hub
	Eyes             Wave          // how the height sensors range
	// load cells and heights are read at full speed for so long after hands have done something
	Eager time.Duration
	// from reading to reading of load cells and heights that show nothing but noise; 0: as always
	Calm time.Duration
}

// Reference is the rig of the reference boards. It reads reeds every 2 ms, or every 4 on two decks, whose bus the
// height sensors share. The hub sends 80 frames a second. A sweep of four expanders takes 0.5 ms at 400 kHz.
func Reference(decks int, weights, heights bool) Rig {
	n := time.Duration(decks)
	return Rig{Weights: weights, Heights: heights, Wake: n*ms/2 + ms/10, Active: 2 * n * ms, Linger: 150 * ms,
		Idle:  40 * ms,
		Frame: time.Second / 80, Eyes: ReferenceWave(), Eager: eager}
}

// Sampler makes readings of a world as time goes by.
type Sampler struct {
	w     *World
	r     Rig
	start time.Time
	now   time.Duration
	due   [3]time.Duration // by kind of sensor; a scale's is that of weights
	busy  time.Duration    // reeds are swept quickly until
	keen  time.Duration    // load cells and heights are read at full speed until
	old   [2]rules.Bitboard
	out   sensing.Reading
	gone  gone
	eyes  eyes
	host  host
}

// host is the machine that reads the sensors. A starved machine is stopped again and again, for a moment or for a
// third of a second. Measurements under way go on meanwhile.
type host struct {
	starves     bool
	runs, stops time.Duration // until when it does; it runs first
}

// Starve makes the machine that reads the sensors short of time.
func (s *Sampler) Starve() { s.host.starves = true }

// awake is the first time not before another at which the machine runs.
func (s *Sampler) awake(at time.Duration) time.Duration {
	h := &s.host
	for h.starves && at >= h.runs {
		if at < h.stops {
			return h.stops
		}
		h.runs = max(at, h.stops) + ms + time.Duration(s.w.rnd.Float64()*float64(200*ms))
		h.stops = h.runs + 5*ms + time.Duration(min(4, s.w.rnd.ExpFloat64())*float64(80*ms))
	}
	return at
}

// gone is what does not answer at all.
type gone struct {
	bus, hub bool
	banks    [2]rules.Bitboard // squares whose reeds' expander is gone
	rows     rules.Bitboard    // squares whose height sensors' multiplexer is gone
}

// NewSampler reads a world; its time 0 is start.
func NewSampler(w *World, r Rig, start time.Time) *Sampler { return &Sampler{w: w, r: r, start: start} }

// Now is how far time has gone.
func (s *Sampler) Now() time.Duration { return s.now }

// Time is a time of the world as readings have it.
func (s *Sampler) Time(at time.Duration) time.Time { return s.start.Add(at) }

// Bus takes the whole I2C bus away, or brings it back.
func (s *Sampler) Bus(away bool) { s.gone.bus = away }

// Hub takes the load cells' hub away, or brings it back.
func (s *Sampler) Hub(away bool) { s.gone.hub = away }

// Bank takes the k-th expander of a deck away: two ranks of reeds.
func (s *Sampler) Bank(d sensing.Deck, k int) { s.gone.banks[d] |= 0xffff << (16 * k) }

// Row takes the multiplexer of a rank away: eight height sensors.
func (s *Sampler) Row(rank int) { s.gone.rows |= 0xff << (8 * rank) }

// Stirred says that hands have just done something: the interrupt wakes the reeds, and what is slow is read at full
// speed.
func (s *Sampler) Stirred() {
	s.busy, s.keen = s.now+s.r.Linger, s.now+s.r.Eager
	s.due[sensing.Reeds] = min(s.due[sensing.Reeds], s.now+s.r.Wake)
	s.due[sensing.Weights] = min(s.due[sensing.Weights], s.now+time.Duration(s.w.rnd.Float64()*float64(s.r.Frame)))
	s.wake()
}

// Next is when the next reading is due.
func (s *Sampler) Next() time.Duration {
	next := s.due[sensing.Reeds]
	if s.r.Weights || s.r.Scale {
		next = min(next, s.due[sensing.Weights])
	}
	if s.r.Heights {
		next = min(next, s.due[sensing.Heights])
	}
	return next
}

// Run lets time go by until a time, and hands on every reading that is due before it. The reading is valid until seen
// returns. When seen returns false, time stands still there. Run reports whether the time was reached.
func (s *Sampler) Run(until time.Duration, seen func(*sensing.Reading) bool) bool {
	for {
		next := s.awake(s.Next())
		if next > until {
			s.now = max(s.now, until)
			return true
		}
		s.now = max(s.now, next)
		if !s.sweep(next, seen) {
			return false
		}
	}
}

// sweep makes the reading that is due, and reports whether seen wants more.
func (s *Sampler) sweep(at time.Duration, seen func(*sensing.Reading) bool) bool {
	switch {
	case s.due[sensing.Reeds] <= at:
		return s.reeds(seen)
	case (s.r.Weights || s.r.Scale) && s.due[sensing.Weights] <= at:
		return s.weights(seen)
	}
	return s.heights(seen)
}

func (s *Sampler) reeds(seen func(*sensing.Reading) bool) bool {
	on := true
	for d := range sensing.Deck(s.w.o.Decks) {
		s.begin(sensing.Reeds, d)
		s.out.Known = ^rules.Bitboard(0) &^ s.gone.banks[d]
		if s.lost(4) {
			s.out.Known &^= 0xffff << (16 * s.w.rnd.IntN(4))
		}
		if s.gone.bus {
			s.out.Known = 0
		}
		now := s.w.Closed(s.now, d)
		if now != s.old[d] {
			s.busy = max(s.busy, s.now+s.r.Linger)
			s.old[d] = now
		}
		s.out.Closed = now & s.out.Known
		on = seen(&s.out) && on
	}
	gap := s.r.Idle
	if s.now < s.busy || s.w.Busy(s.now) {
		gap = s.r.Active
	}
	s.due[sensing.Reeds] = s.now + gap
	return on
}

// lost reports whether one of n transfers fails.
func (s *Sampler) lost(n int) bool {
	c := s.w.o.Level.NoAnswer
	return c > 0 && s.w.rnd.Float64() < float64(n)*c
}

func (s *Sampler) begin(k sensing.Kind, d sensing.Deck) {
	s.out.At, s.out.Kind, s.out.Deck, s.out.Known, s.out.Closed = s.Time(s.now), k, d, 0, 0
	if k != sensing.Reeds {
		s.out.Value = [64]int32{}
	}
}

func (s *Sampler) weights(seen func(*sensing.Reading) bool) bool {
	s.due[sensing.Weights] = s.now + s.pace(s.r.Frame)
	if s.gone.hub || s.lost(1) {
		return true // a frame that does not come, or has a bad checksum, is no reading
	}
	if s.r.Scale {
		return s.corners(seen)
	}
	s.begin(sensing.Weights, sensing.Lower)
	for sq := range rules.Square(64) {
		if mg, ok := s.w.Weight(s.now, sq); ok {
			s.out.Known |= sq.Bit()
			s.out.Value[sq] = int32(math.Round(mg))
		}
	}
	return seen(&s.out)
}

// pace is the time to the next reading of an analog sensor.
func (s *Sampler) pace(full time.Duration) time.Duration {
	if s.r.Calm > full && s.now > s.keen && s.eyes.awaited == 0 {
		return s.r.Calm
	}
	return full
}
