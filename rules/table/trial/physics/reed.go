// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"
)

// reed is one contact.
type reed struct {
	at      Vec
	pullIn  float64 // mT
	dropOut float64 // mT
	still   float64 // mT, of all that stands
	closed  bool
	frozen  bool          // what it said last before it failed
	bounces time.Duration // until then
}

func newReed(i int, d Draw) reed {
	at := Middle(i)
	r := reed{at: Vec{at.X + d.off(reedMount), at.Y - reedSouth + d.off(reedMount), at.Z - reedDepth}}
	r.pullIn = d.wide(pullInLow, pullInHigh) * ampereTurns
	r.dropOut = r.pullIn * min(0.97, d.wide(dropLow, dropHigh))
	return r
}

// Middle is the middle of a place, a1 of the lower deck being 0 and of the upper one 64.
func Middle(place int) Vec {
	return Vec{(float64(place%8) + 0.5) * Square, (float64(place/8%8) + 0.5) * Square, float64(place/64) * Gap}
}

// field is what a reed feels of the pieces that stand, or of those that move.
func (s *Scene) field(r *reed, moving bool) (mT float64) {
	for i := range s.Pieces {
		if p := &s.Pieces[i]; p.held == moving {
			mT += r.feels(p)
		}
	}
	return mT
}

// feels is what a reed feels of one piece.
func (r *reed) feels(p *Piece) (mT float64) {
	if p.At.across(r.at) > feltWithin*feltWithin {
		return 0
	}
	way := r.at.Minus(p.At)
	way.Z -= magnetRise
	b := fieldAlong(way) / 2
	way.Y -= reedHalf
	b += fieldAlong(way) / 4
	way.Y += 2 * reedHalf
	b += fieldAlong(way) / 4
	return b * p.moment
}

// switchReeds lets every contact follow its field. Nothing changes while no piece moves.
func (s *Scene) switchReeds() {
	var buf [8]int
	moving := buf[:0]
	for i := range s.Pieces {
		if s.Pieces[i].held {
			moving = append(moving, i)
		}
	}
	if len(moving) == 0 && s.switched {
		return
	}
	s.switched = true
	for i := range s.reeds {
		r := &s.reeds[i]
		b := 0.0
		for _, p := range moving {
			b += r.feels(&s.Pieces[p])
		}
		b = math.Abs(r.still + b)
		if was := r.closed; b >= r.pullIn {
			r.closed = true
			s.bounced(r, was)
		} else if b < r.dropOut {
			r.closed = false
			s.bounced(r, was)
		}
	}
}

// bounced lets a contact that has changed bounce.
func (s *Scene) bounced(r *reed, was bool) {
	if r.closed != was {
		r.bounces = s.Now + time.Duration(s.draw.between(-1, 1)*s.draw.Factor*float64(bounceFor))
	}
}

// shows reports whether an expander reads a contact as closed.
func (s *Scene) shows(r *reed) bool {
	if s.Now < r.bounces {
		return s.draw.Uint64()&1 == 0
	}
	return r.closed
}
