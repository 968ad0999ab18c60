// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// verdict is what the sensors of one place say of a pile there.
type verdict struct {
	nats    float64 // logarithm of the likelihood, up to a constant
	against bool    // a settled sensor contradicts
	pending bool    // an analog sensor is still settling
	doubt   bool    // the reed contradicts, but another settled sensor vouches for the pile
	wrong   uint8   // the sensors that contradict, a bit for each kind
}

// Logarithms of likelihoods: a reed shows the wrong state in one sweep of about 2000 (dead spots, BOARD 1).
const (
	reedRight = 0.0
	reedWrong = -7.6
	floorNats = -20 // no single sensor may weigh more than this: it could be at fault
)

// judge holds a pile against what one place shows. rest is how long the whole board has been at rest: in passing, a load cell
// may lag behind the reed, and only a settled one can vouch against it.
// flat says that no more than one piece can have come to stand there, so that the reed tells all; a height that says otherwise
// is then a hand, unless it stays.
func (s *seen) judge(g *geometry, p wood.Place, want *target, rest time.Duration, flat bool) verdict {
	var v verdict
	reed := s.reed(p)
	if reed && s.closed.Has(p) != (want.pile != "") {
		v.nats, v.wrong = reedWrong, 1<<sensing.Reeds
	}
	vouches := false
	if p < 64 && g.Weights && !s.mute[sensing.Weights].Has(p) {
		m := &s.mass[p]
		of := g.cell(p.Square())
		if s.outdated(p, m) {
			v.pending = true
		} else if v.hold(m, want.mass, m.spread(of, want.variance), sensing.Weights) {
			vouches = rest >= doubt && m.decides(want.pile, of)
		}
	}
	if p < 64 && g.Heights && !s.mute[sensing.Heights].Has(p) && (!flat || !reed || rest >= hover) {
		s.measure(&v, g, p, want, reed, rest, &vouches)
	}
	v.doubt = v.wrong == 1<<sensing.Reeds && vouches
	v.against = v.wrong != 0 && !v.doubt
	return v
}

// How long the board must be at rest before an analog sensor may vouch against a reed. Over an open reed a height sensor
// may see a hand that rests there: it must stay for longer than hands do.
const (
	doubt = 300 * time.Millisecond
	hover = 2 * time.Second
)

// flat tells whether the pieces are tiles, so low that noise and what leans into a cone may look like one.
func (g *geometry) flat() bool { return g.CubeHeight < lowestHand/4 }

// measure adds what the height over a place says. Over an open reed it is most likely a hand that is seen.
func (s *seen) measure(v *verdict, g *geometry, p wood.Place, want *target, reed bool, rest time.Duration, vouches *bool) {
	m := &s.height[p]
	of := g.eye(p.Square())
	height := want.height
	if s.outdated(p, m) {
		v.pending = s.closed.Has(p)
		return
	}
	if open := reed && !s.closed.Has(p); open {
		if g.flat() {
			rest = min(rest, s.latest.Sub(m.since)) // noise may look like a tile for a while
		}
		if want.pile == "" || rest < hover {
			return
		}
		height += s.tilt[p] // what was there before looked like that already
	}
	if mean, ok := m.steady(); ok && s.hand(g, m, mean, want.height, rest) {
		z := (mean - want.height) / m.spread(of, 0)
		v.pending, v.nats = true, v.nats+max(-z*z/2, floorNats) // if it is a hand, and the pile is right, then only just now
		return
	}
	if v.hold(m, height, m.spread(of, 0), sensing.Heights) {
		*vouches = rest >= doubt && m.decides(want.pile, of)
	}
}

// outdated tells whether an analog sensor was last heard before the reed of its place changed: what it showed then says nothing of what is there now.
func (s *seen) outdated(p wood.Place, m *meter) bool {
	return m.n > 0 && s.reed(p) && m.heard.Before(s.changed[p])
}

// decides tells whether the value is enough to say that something stands there, or nothing.
func (m *meter) decides(want wood.Pile, of *grade) bool {
	mean, ok := m.steady()
	if want == "" {
		mean = of.unit - mean
	}
	return ok && mean > outlier*m.spread(of, 0)
}

// passing is for how long a height that is more than what is wanted is taken for a hand's, be it that of a pile.
const passing = 150 * time.Millisecond

// hand tells whether a height that is more than what is wanted is a hand's: it is that of no pile, or has only just come, or is,
// unless it stays, that of a higher pile than can come about.
func (s *seen) hand(g *geometry, m *meter, height, want float64, rest time.Duration) bool {
	cube, near := float64(g.CubeHeight), outlier*float64(g.RangeNoise)
	if height > want+cube/2 && s.latest.Sub(m.since) < passing {
		return true
	}
	if height < want+near {
		return false
	}
	if min(rest, s.latest.Sub(m.since)) < hover && height > cube*float64(s.highest)+max(near, cube/2) {
		return true
	}
	return cube > 2*near && math.Abs(height-cube*math.Round(height/cube)) > near
}

// stands tells whether a height is one at which some pile may stand.
func (s *seen) stands(g *geometry, height float64) bool {
	cube, near := float64(g.CubeHeight), outlier*float64(g.RangeNoise)
	if height > cube*float64(s.highest)+max(near, cube/2) {
		return false
	}
	return cube <= 2*near || math.Abs(height-cube*math.Round(height/cube)) <= near
}

// hold adds what an analog sensor says and tells whether it has settled on what is wanted.
func (v *verdict) hold(m *meter, want, spread float64, k sensing.Kind) (agrees bool) {
	if m.n == 0 {
		return false
	}
	mean, ok := m.steady()
	z := (mean - want) / spread
	if !ok {
		v.pending = true
		return false
	}
	v.nats += max(-z*z/2, floorNats)
	if z > outlier || z < -outlier {
		v.wrong |= 1 << k
		return false
	}
	return true
}

// analog tells whether a sensor that can be trusted counts what stands on a place.
func (s *seen) analog(g *geometry, p wood.Place) bool {
	if p >= 64 {
		return false
	}
	return g.Weights && s.mass[p].n > 0 && !s.mute[sensing.Weights].Has(p) ||
		g.Heights && s.height[p].n > 0 && !s.mute[sensing.Heights].Has(p)
}

// follow lets the zeros of all load cells follow slowly while the wood is known, and notes how heights are off where that is much of a piece.
func (s *seen) follow(g *geometry, want *[wood.Places]target) {
	if !s.fresh {
		return
	}
	s.fresh = false
	for q := range rules.Square(64) {
		m := &s.mass[q]
		if g.Weights && !s.mute[sensing.Weights].Has(wood.Place(q)) {
			m.drift(want[q].mass, outlier*m.spread(g.cell(q), want[q].variance))
		}
		if of := g.eye(q); g.Heights && g.flat() {
			if mean, ok := s.height[q].steady(); ok && math.Abs(mean-want[q].height) < of.unit {
				s.tilt[q] = mean - want[q].height
			}
		}
	}
}
