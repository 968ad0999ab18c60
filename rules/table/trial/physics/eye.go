// SPDX-License-Identifier: Apache-2.0

package physics

import "math"

// eye is one height sensor: a bundle of rays from under the upper deck.
type eye struct {
	at     Vec
	rays   [19]ray
	gain   float64 // of what stands above the deck
	cover  float64 // mm
	noise  float64 // mm
	known  bool    // what it sees of all that stands is worked out
	still  float64 // mm above the deck
	bright float64 // of still, 1: the bare deck
}

// ray is how far it goes aside for each mm down, and its part in what is seen.
type ray struct{ x, y, part float64 }

func newEye(i int, d Draw) eye {
	at := Middle(i)
	e := eye{
		at: Vec{at.X + d.off(eyeMount), at.Y + d.off(eyeMount), eyeHigh},
		gain: 1 + d.between(-eyeGain,
			eyeGain)*d.Factor, cover: d.off(eyeCover), noise: eyeNoise * d.Factor * math.Exp2(d.between(-0.5, 0.5)),
	}
	cone := coneLow + (coneHigh-coneLow)*d.Float64()*d.Factor
	tiltX, tiltY := tan(d.off(eyeTilt)), tan(d.off(eyeTilt))
	n, sum := 0, 0.0
	for ring, rays := range [3]int{1, 6, 12} {
		out := float64(ring) / 2 // of the half angle
		for k := range rays {
			a := 2 * math.Pi * float64(k) / float64(rays)
			r := tan(cone / 2 * out)
			part := math.Exp(-out * out) // brighter in the middle; each ray stands for about the same area
			e.rays[n] = ray{r*math.Cos(a) + tiltX, r*math.Sin(a) + tiltY, part}
			n, sum = n+1, sum+part
		}
	}
	for k := range e.rays {
		e.rays[k].part /= sum
	}
	return e
}

func tan(degrees float64) float64 { return math.Tan(degrees * math.Pi / 180) }

// top is a level surface that rays may meet.
type top struct {
	x0, x1, y0, y1 float64
	z, shine       float64
}

// look is what an eye sees now: mm above the deck after its calibration on the bare deck, and how bright that is.
func (s *Scene) look(e *eye, hands []top) (mm, bright float64) {
	var near [40]top
	tops := s.pieceTops(near[:0], e)
	for _, h := range hands {
		if h.x0 < e.at.X+Square && h.x1 > e.at.X-Square && h.y0 < e.at.Y+Square && h.y1 > e.at.Y-Square {
			tops = append(tops, h)
		}
	}
	light, far := 0.0, 0.0
	for _, r := range e.rays {
		z, shine := 0.0, deckShine
		for k := range tops {
			t := &tops[k]
			if t.z <= z {
				continue
			}
			x, y := e.at.X+r.x*(eyeHigh-t.z), e.at.Y+r.y*(eyeHigh-t.z)
			if x >= t.x0 && x <= t.x1 && y >= t.y0 && y <= t.y1 {
				z, shine = t.z, t.shine
			}
		}
		d := max(3, eyeHigh-z)
		l := r.part * shine / (d * d)
		light, far = light+l, far+l*d
	}
	mm = (eyeHigh-far/light)*e.gain + e.cover
	return mm, light / (deckShine / (eyeHigh * eyeHigh))
}

// pieceTops lists the pieces in sight of an eye.
func (s *Scene) pieceTops(list []top, e *eye) []top {
	for i := range s.Pieces {
		p := &s.Pieces[i]
		if p.At.Z < eyeHigh-s.Height && math.Abs(p.At.X-e.at.X) < 1.5*Square && math.Abs(p.At.Y-e.at.Y) < 1.5*Square &&
			len(list) < cap(list) {
			const half = CubeEdge / 2
			list = append(list, top{p.At.X - half, p.At.X + half, p.At.Y - half, p.At.Y + half, p.At.Z + s.Height,
				p.shine})
		}
	}
	return list
}

// handTops lists what there is to see of the hands under the upper deck.
func (s *Scene) handTops(list []top) []top {
	for _, h := range s.Hands {
		if h.Body == nil || !h.Body.Under || !h.near(s.Now) {
			continue
		}
		at, holds := h.at(s.Now), 1.0
		if at.Z > Gap-s.Height/2 {
			continue // above the upper deck
		}
		for k := range h.Grips {
			if h.Grips[k].held {
				holds = float64(len(h.Grips[k].Pieces))
			}
		}
		list = h.Body.tops(list, at, at.Z+holds*s.Height)
	}
	return list
}

// tops are the fingers around what is held, the back of the hand behind them, and the arm to the player's edge.
func (b *Body) tops(list []top, at Vec, z float64) []top {
	side := 1.0 // from the hand towards the player
	if b.Home < at.Y {
		side = -1
	}
	low := func(z float64) float64 { return min(z, eyeHigh-4) } // what is under the upper deck cannot be higher
	list = append(list, top{at.X - 22, at.X + 22, at.Y - 14, at.Y + 14, low(z + b.Finger), skin})
	palm := at.Y + side*50
	x := at.X + b.Lean*50
	list = append(list, top{x - 42, x + 42, palm - 42, palm + 42, low(z + b.Palm), skin})
	for y := palm + side*40; (b.Home-y)*side > 0; y += side * 40 {
		x += b.Lean * 40
		list = append(list, top{x - b.Width/2, x + b.Width/2, y - 25, y + 25, low(z + b.Palm), b.Shine})
	}
	return list
}

// measure is one range of an eye, in mm above the deck; ok is false when too little light came back.
func (s *Scene) measure(i int, hands []top) (mm float64, ok bool) {
	e := &s.eyes[i]
	moving := len(hands) > 0
	for k := 0; k < len(s.Hands) && !moving; k++ {
		moving = s.Hands[k].near(s.Now)
	}
	var bright float64
	switch {
	case moving:
		mm, bright = s.look(e, hands)
	case !e.known:
		e.known = true
		e.still, e.bright = s.look(e, nil)
		fallthrough
	default:
		mm, bright = e.still, e.bright
	}
	if s.draw.Float64() < eyeMute*s.draw.Factor/max(bright, 0.02) {
		return 0, false
	}
	return mm + s.draw.NormFloat64()*e.noise/math.Sqrt(min(4, max(bright, 0.2))), true
}

// RangeNoise is the standard deviation of one range of an eye, in mm, as a builder measures it on the bare deck.
func (s *Scene) RangeNoise(square int) float64 { return s.eyes[square].noise }

// Calibrate does with every sensor what a builder does. A light piece is put in the middle of its square, and what the
// sensor shows then counts as the height of that piece.
func (s *Scene) Calibrate() {
	whole := s.Pieces
	for i := range s.eyes {
		e := &s.eyes[i]
		s.Pieces = []Piece{{At: Middle(i), shine: (lightLow + lightHigh) / 2}}
		if mm, _ := s.look(e, nil); mm > s.Height/4 {
			e.gain *= (s.Height - e.cover) / (mm - e.cover)
		}
		e.known = false
	}
	s.Pieces = whole
}
