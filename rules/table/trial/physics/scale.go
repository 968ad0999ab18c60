// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// cornerSquares are the squares of a reading at which the corners are told.
var cornerSquares = [4]rules.Square{0, 7, 56, 63}

func newCorner(d Draw) cell { return cellOfSize(cornerSize, d) }

// force is a force on the whole board, in g, with its moments about the middle, in g mm.
type force struct{ g, x, y float64 }

// bear adds a force at a place.
func (f *force) bear(g float64, at Vec) {
	f.g += g
	f.x += g * (at.X - Board/2)
	f.y += g * (at.Y - Board/2)
}

// totalLoad is what the board bears besides itself: pieces, hands that press or slide, an arm on its rim, and the
// effect of knocks.
func (s *Scene) totalLoad() (f force) {
	moving := false
	for i := range s.Pieces {
		if p := &s.Pieces[i]; !p.held {
			if beside(s.Pieces[p.base].At) {
				continue
			}
			f.bear(p.Mass, s.Pieces[p.base].At)
		} else {
			moving = true
		}
	}
	if moving {
		s.drag(&f)
	}
	for _, p := range s.Presses {
		s.fingers(p, &f)
	}
	for _, k := range s.Knocks {
		if t := (s.Now - k.At).Seconds(); t > 0 {
			f.g += k.G * (boardMass + f.g) / tile * math.Exp(-t/k.Fades.Seconds()) * math.Sin(2*math.Pi*t/k.Swing.Seconds())
		}
	}
	for _, l := range s.Tilts {
		much := min(1, (s.Now-l.From).Seconds()/leanRamp.Seconds(), (l.To-s.Now).Seconds()/leanRamp.Seconds())
		if way := math.Hypot(l.X, l.Y); much > 0 && way > 0 {
			f.bear(much*rimPart*(math.Abs(l.G)+way), Vec{X: Board/2 + Board/2*l.X/way, Y: Board/2 + Board/2*l.Y/way})
		}
	}
	return f
}

// beside reports whether a place is off the board.
func beside(at Vec) bool { return at.X < 0 || at.X > Board || at.Y < 0 || at.Y > Board }

// drag is what moves: pieces that slide bear on the board, and magnets that pass pull at those that stand.
func (s *Scene) drag(f *force) {
	for _, h := range s.Hands {
		for k := range h.Grips {
			g := &h.Grips[k]
			if !g.held || !g.Slides || beside(s.Pieces[g.Pieces[0]].At) {
				continue
			}
			for _, p := range g.Pieces {
				f.bear(s.Pieces[p].Mass, s.Pieces[g.Pieces[0]].At)
			}
		}
	}
	for i := range s.Pieces {
		if p := &s.Pieces[i]; !p.held && !beside(p.At) {
			f.bear(-s.pulled(i, true), p.At)
		}
	}
}

// fingers adds a force besides weight, at the place where it presses. That is a square, what stands there, or through
// a held piece what is under it.
func (s *Scene) fingers(p *Press, f *force) {
	g := p.force(s.Now)
	switch {
	case g == 0:
	case p.Piece < 0:
		f.bear(g, Middle(p.Square))
	default:
		q := &s.Pieces[p.Piece]
		if z, _ := s.support(q.At); (!q.held || q.At.Z <= z+resting) && !beside(q.At) {
			f.bear(g, q.At)
		}
	}
}

// sweepScale reads the four corners.
func (s *Scene) sweepScale(began time.Time, take func(*sensing.Reading)) {
	s.cellAt = s.Now + cellEvery
	f := s.totalLoad()
	r := sensing.Reading{At: began.Add(s.Now), Kind: sensing.Scale}
	for i, sq := range cornerSquares {
		x, y := float64(i%2*2-1), float64(i/2*2-1)
		bears := (f.g + (f.x*x+f.y*y)/cornerArm) / 4
		r.Known |= sq.Bit()
		r.Value[sq] = int32(math.Round(1000 * s.convert(&s.corners[i], bears, plateFollows)))
	}
	s.keep(&r)
	s.spoil(&r)
	take(&r)
}

// CornerNoise is the standard deviation of one sample of the worst corner, in g, as a builder measures it.
func (s *Scene) CornerNoise() (g float64) {
	for i := range s.corners {
		g = max(g, math.Hypot(s.corners[i].noise, cornerSize*wander*s.draw.Factor))
	}
	return g
}
