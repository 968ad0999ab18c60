// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// sweeps is when each bank is read next, and what it said last.
type sweeps struct {
	reedAt, cellAt, eyeAt, focusAt time.Duration
	changed                        time.Duration // when a contact changed last
	said                           [2]sensing.Reading
	saidAt                         time.Duration
	heights, weights               sensing.Reading
	froze                          int32 // what an eye said last before it failed
	dark                           bool  // the dark squares are next
	awaited                        rules.Bitboard
}

// Await says of which squares the heights are waited for.
func (s *Scene) Await(squares rules.Bitboard) { s.awaited = squares }

// Shows is what was read of a place last: its contact, and g or mm, 0 where neither is measured.
func (s *Scene) Shows(place int) (closed bool, value float64) {
	closed = s.said[place/64].Closed.Has(rules.Square(place % 64))
	switch {
	case place >= 64:
	case s.Kind == Stack:
		value = float64(s.weights.Value[place]) / 1000
	case s.Kind == Twin:
		value = float64(s.heights.Value[place]) / 1000
	}
	return closed, value
}

// Next is when the world has to be looked at next.
func (s *Scene) Next() time.Duration {
	next := s.reedAt
	switch s.Kind {
	case Stack, Scale:
		next = min(next, s.cellAt)
	case Twin:
		if next = min(next, s.eyeAt); s.awaited != 0 {
			next = min(next, s.focusAt)
		}
	}
	return max(next, s.Now)
}

// Sweep reads the banks that are due, as they are at Now, and gives each reading to take. began is when the world
// began.
func (s *Scene) Sweep(began time.Time, take func(*sensing.Reading)) {
	if s.Now >= s.reedAt {
		s.sweepReeds(began, take)
	}
	if s.Kind == Stack && s.Now >= s.cellAt {
		s.sweepCells(began, take)
	}
	if s.Kind == Scale && s.Now >= s.cellAt {
		s.sweepScale(began, take)
	}
	if s.Kind != Twin {
		return
	}
	switch {
	case s.Now >= s.eyeAt:
		s.sweepEyes(began, take)
	case s.awaited != 0 && s.Now >= s.focusAt:
		s.focus(began, take)
	}
}

// sweepReeds reads the contacts: often while one changes, and seldom on a quiet board, where a change wakes them.
func (s *Scene) sweepReeds(began time.Time, take func(*sensing.Reading)) {
	s.switchReeds()
	s.reedAt = s.Now + reedBusy
	var now [2]sensing.Reading
	changed := false
	for d := range s.decks() {
		r := &now[d]
		*r = sensing.Reading{At: began.Add(s.Now), Kind: sensing.Reeds, Deck: sensing.Deck(d),
			Known: ^rules.Bitboard(0)}
		for i := range 64 {
			if s.shows(&s.reeds[d*64+i]) {
				r.Closed |= rules.Square(i).Bit()
			}
		}
		s.keep(r)
		s.spoil(r)
		changed = changed || r.Closed != s.said[d].Closed || s.said[d].Known == 0
	}
	if changed {
		s.changed, s.stirred = s.Now, s.Now
	}
	if s.Now-s.changed > reedLinger && s.Now-s.saidAt < reedQuiet {
		return
	}
	s.saidAt = s.Now
	for d := range s.decks() {
		s.said[d] = now[d]
		take(&now[d])
	}
}

// keep notes what a sensor says for as long as it is sound.
func (s *Scene) keep(r *sensing.Reading) {
	f := s.Fault
	if f == nil || s.Now >= f.From || f.Part != r.Kind || sensing.Deck(f.Place/64) != r.Deck {
		return
	}
	at := rules.Square(f.Place % 64)
	if r.Kind == sensing.Reeds {
		s.reeds[f.Place].frozen = r.Closed.Has(at)
	} else if r.Known.Has(at) {
		s.froze = r.Value[at]
	}
}

// sweepCells reads the load cells.
func (s *Scene) sweepCells(began time.Time, take func(*sensing.Reading)) {
	s.cellAt = s.Now + cellEvery
	var g [64]float64
	s.sample(&g)
	r := sensing.Reading{At: began.Add(s.Now), Kind: sensing.Weights, Known: ^rules.Bitboard(0)}
	for i := range g {
		r.Value[i] = int32(math.Round(g[i] * 1000))
	}
	s.spoil(&r)
	s.weights = r
	take(&r)
}

// darkSquares is a1 and its like.
const darkSquares rules.Bitboard = 0xaa55aa55aa55aa55

// sweepEyes measures the squares of one color.
func (s *Scene) sweepEyes(began time.Time, take func(*sensing.Reading)) {
	half := eyeQuiet
	if s.Now-s.stirred < eyeLinger || s.Now == 0 {
		half = eyeBusy
	}
	s.eyeAt = s.Now + half
	squares := darkSquares
	if s.dark = !s.dark; s.dark {
		squares = ^darkSquares
	}
	s.ranges(squares, began, take)
}

// focus measures what is waited for.
func (s *Scene) focus(began time.Time, take func(*sensing.Reading)) {
	s.focusAt = s.Now + eyeFocus
	s.ranges(s.awaited, began, take)
}

// ranges measures some squares; what is known of the others is stale.
func (s *Scene) ranges(squares rules.Bitboard, began time.Time, take func(*sensing.Reading)) {
	r := &s.heights
	r.Kind, r.At = sensing.Heights, began.Add(s.Now)
	r.Stale = r.Known &^ squares
	var buf [64]top
	hands := s.handTops(buf[:0])
	for q := range squares.Squares() {
		mm, ok := s.measure(int(q), hands)
		r.Known |= q.Bit()
		r.Value[q] = int32(math.Round(mm * 1000))
		if !ok {
			r.Known &^= q.Bit()
			r.Value[q] = 0
		}
	}
	s.keep(r)
	now := *r
	s.spoil(&now)
	take(&now)
}
