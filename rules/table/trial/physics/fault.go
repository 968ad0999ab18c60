// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// How is how a sensor fails.
type How uint8

// The ways.
const (
	Silent How = iota // it does not answer
	Frozen            // it goes on saying what it said
	Loose             // now and then it does not answer, or a contact opens though the magnet is there
)

// Fault is one sensor that fails at a time and stays so.
type Fault struct {
	Part  sensing.Kind
	Place int
	How   How
	From  time.Duration
}

// String says what fails.
func (f *Fault) String() string {
	return fmt.Sprintf("%s of %s %s from %v", f.Part, wood.Place(f.Place), [...]string{"silent", "frozen",
		"loose"}[f.How], f.From.Round(time.Second))
}

// Break lets a sensor that is drawn fail within a time.
func (s *Scene) Break(within time.Duration) {
	f := &Fault{Place: s.draw.IntN(64), How: How(s.draw.IntN(3)), From: time.Duration(s.draw.between(0,
		float64(within)))}
	if s.Kind != Reeds && s.draw.IntN(2) == 0 {
		f.Part = sensing.Weights
		switch s.Kind {
		case Twin:
			f.Part = sensing.Heights
		case Scale:
			f.Part, f.Place = sensing.Scale, int(cornerSquares[f.Place%4])
		}
	} else if s.Kind == Twin && s.draw.IntN(2) == 0 {
		f.Place += 64
	}
	s.Fault = f
}

// Works reports whether a sensor is sound, as far as its readings can be trusted now.
func (s *Scene) Works(part sensing.Kind, place int) bool {
	f := s.Fault
	return f == nil || s.Now < f.From || f.Part != part || f.Place != place
}

// spoil makes of a reading what the fault makes of it.
func (s *Scene) spoil(r *sensing.Reading) {
	f := s.Fault
	if f == nil || s.Now < f.From || f.Part != r.Kind || sensing.Deck(f.Place/64) != r.Deck {
		return
	}
	at := rules.Square(f.Place % 64)
	switch {
	case f.How == Silent, f.How == Loose && r.Kind != sensing.Reeds && s.draw.IntN(3) == 0:
		r.Known, r.Closed, r.Value[at] = r.Known&^at.Bit(), r.Closed&^at.Bit(), 0
	case f.How == Loose && s.draw.IntN(10) == 0:
		r.Closed &^= at.Bit()
	case f.How == Frozen && r.Kind == sensing.Reeds:
		if r.Closed &^= at.Bit(); s.reeds[f.Place].frozen {
			r.Closed |= at.Bit()
		}
	case f.How == Frozen && r.Kind == sensing.Weights:
		r.Value[at] = s.weights.Value[at]
	case f.How == Frozen && r.Known.Has(at):
		r.Value[at] = s.froze
	}
}
