// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"
)

// cell is one load cell with its converter.
type cell struct {
	size   float64 // times what a cell of 1 kg does
	noise  float64 // g
	gain   float64
	drift  float64 // g a minute
	still  float64 // g, of all that stands
	bends  float64 // g, as far as the beam has followed
	last   [4]float64
	wander float64
	creep  float64
	off    float64 // g, drifted so far
}

func newCell(d Draw) cell {
	return cellOfSize(1, d)
}

func cellOfSize(size float64, d Draw) cell {
	return cell{
		size:  size,
		noise: size * cellNoise * d.Factor * math.Exp2(d.between(-1, 1)),
		gain:  1 + d.off(gainOff),
		drift: size * d.between(-driftHigh, driftHigh) * d.Factor,
	}
}

// weigh works out what the cells bear of all that stands: weights, and the pull between magnets of different piles.
func (s *Scene) weigh() {
	for i := range s.cells {
		s.cells[i].still = 0
	}
	for i := range s.Pieces {
		p := &s.Pieces[i]
		if p.held {
			continue
		}
		s.bear(p.base, p.Mass-s.pulled(i, false), func(c *cell) *float64 { return &c.still })
	}
}

// bear lets the squares under a pile bear a force.
func (s *Scene) bear(base int, g float64, on func(*cell) *float64) {
	squares, part, n := Shares(s.Pieces[base].At)
	for k := range n {
		*on(&s.cells[squares[k]]) += g * part[k]
	}
}

// pulled is the force upwards on a standing piece by the magnets of other piles, those that stand or those that
// move.
func (s *Scene) pulled(i int, moving bool) (g float64) {
	p := &s.Pieces[i]
	for j := range s.Pieces {
		q := &s.Pieces[j]
		if q.held != moving || j == i || !moving && q.base == p.base || p.At.across(q.At) > feltWithin*feltWithin {
			continue
		}
		way := p.At.Minus(q.At)
		if moving && math.Abs(way.Z) <= s.Height+resting && overlap(p.At, q.At) > 0.25 {
			continue // it stands on the piece: what they do to each other stays between them
		}
		g += pull(way) * p.moment * q.moment
	}
	return g
}

// load is what each cell bears now.
func (s *Scene) load(g *[64]float64) {
	for i := range s.cells {
		g[i] = s.cells[i].still
	}
	moving := false
	for _, h := range s.Hands {
		for k := range h.Grips {
			if h.Grips[k].held {
				if h.Grips[k].Slides {
					s.contact(&h.Grips[k], g)
				}
				moving = true
			}
		}
	}
	if moving {
		s.hover(g)
	}
	for _, p := range s.Presses {
		s.pressed(p, g)
	}
	for i := range g {
		g[i] += s.knockLoad(i)
		if g[i] < -tile {
			g[i] = -tile
		}
	}
}

// contact is what pieces bear on the board that slide over it or over others.
func (s *Scene) contact(k *Grip, g *[64]float64) {
	low := &s.Pieces[k.Pieces[0]]
	_, base := s.support(low.At)
	at := low.At
	if base >= 0 {
		at = s.Pieces[base].At
	}
	mass := 0.0
	for _, p := range k.Pieces {
		mass += s.Pieces[p].Mass
	}
	share(at, mass, g)
}

func share(at Vec, force float64, g *[64]float64) {
	squares, part, n := Shares(at)
	for k := range n {
		g[squares[k]] += force * part[k]
	}
}

// hover is the pull of magnets that move on those that stand.
func (s *Scene) hover(g *[64]float64) {
	for i := range s.Pieces {
		if p := &s.Pieces[i]; !p.held {
			if up := s.pulled(i, true); up != 0 {
				share(s.Pieces[p.base].At, -up, g)
			}
		}
	}
}

// pressed adds a force besides weight. Fingers that bear a piece take no more than it weighs.
func (s *Scene) pressed(p *Press, g *[64]float64) {
	f := p.force(s.Now)
	if p.Piece < 0 {
		g[p.Square] += f
		return
	}
	q := &s.Pieces[p.Piece]
	at := q.At
	if !q.held {
		share(s.Pieces[q.base].At, f, g)
		return
	}
	if z, base := s.support(at); at.Z <= z+resting {
		if base >= 0 {
			at = s.Pieces[base].At
		}
		share(at, f, g)
	}
}

// knockLoad is what knocks and leaning do to a cell.
func (s *Scene) knockLoad(i int) (g float64) {
	for _, k := range s.Knocks {
		if t := (s.Now - k.At).Seconds(); t > 0 {
			heavy := 1 + s.cells[i].still/tile
			g += k.G * heavy * math.Exp(-t/k.Fades.Seconds()) * math.Sin(2*math.Pi*t/k.Swing.Seconds())
		}
	}
	for _, l := range s.Tilts {
		const ramp = 0.15 // s
		in, out := (s.Now-l.From).Seconds()/ramp, (l.To-s.Now).Seconds()/ramp
		if much := min(1, in, out); much > 0 {
			at := Middle(i)
			g += much * (l.G + l.X*(at.X/Board*2-1) + l.Y*(at.Y/Board*2-1))
		}
	}
	return g
}

// taps holds the weights of the newest and the three former samples in the converter's output. A step is complete
// after four (datasheet: 50 ms at 80 samples a second).
var taps = [4]float64{0.2, 0.3, 0.3, 0.2}

// sample lets every cell convert once, and gives what is told of it in g.
func (s *Scene) sample(told *[64]float64) {
	var load [64]float64
	s.load(&load)
	for i := range s.cells {
		told[i] = s.convert(&s.cells[i], load[i], mechanical)
	}
}

// convert is what a cell's converter tells next, in g, when it bears a load that moves it with a time constant.
func (s *Scene) convert(c *cell, load float64, inertia time.Duration) float64 {
	dt := cellEvery.Seconds()
	keep := math.Exp(-dt / wanderFor.Seconds())
	c.bends += (load - c.bends) * (1 - math.Exp(-dt/inertia.Seconds()))
	copy(c.last[1:], c.last[:3])
	c.last[0] = c.bends
	out := 0.0
	for k, w := range taps {
		out += w * c.last[k]
	}
	c.creep += (creepPart*s.draw.Factor*load - c.creep) * dt / creepFor.Seconds()
	c.wander = c.wander*keep + c.size*s.draw.off(wander)*math.Sqrt(1-keep*keep)
	if c.off += c.drift * dt / time.Minute.Seconds(); s.draw.Float64() < dt/driftTurn.Seconds() {
		c.drift = c.size * s.draw.between(-driftHigh, driftHigh) * s.draw.Factor
	}
	return out*c.gain + c.creep + c.wander + c.off + s.draw.NormFloat64()*c.noise
}

// Noise is the standard deviation of one sample of a cell, in g, as a builder measures it.
func (s *Scene) Noise(square int) float64 {
	c := &s.cells[square]
	return math.Hypot(c.noise, wander*s.draw.Factor)
}
