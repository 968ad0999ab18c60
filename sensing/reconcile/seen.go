package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Bands within which three values in a row count as settled: a load cell that still moves by more than 0.6 g in 25 ms
// is a load still settling; a height that moves by more than 6 mm (three times the sensor's noise) is a hand.
const (
	massBand   = 600   // milligrams
	heightBand = 6_000 // micrometres
)

// outlier is how many standard deviations a settled value may lie from what it should be before it contradicts.
const outlier = 4.5

// seen is what the sensors show now and showed since the wood last stood as it should.
type seen struct {
	known  Set // reeds that answered
	closed Set // reeds that are closed
	mass   [64]meter
	height [64]meter

	stirred Set       // places whose reed opened or closed since the path began
	dipped  Set       // places that weighed less, or were lower, than the game has it, for at least one reading
	moved   time.Time // when a reed last changed
	latest  time.Time // time of the newest reading
	first   time.Time // time of the first one
	heard   [3]Set    // by kind of sensor: places that were known at least once
}

// take folds a reading in and says which reeds changed.
func (s *seen) take(r *sensing.Reading) {
	if r.At.After(s.latest) {
		s.latest = r.At
	}
	if s.first.IsZero() {
		s.first = r.At
	}
	s.heard[r.Kind][r.Deck] |= r.Known
	switch r.Kind {
	case sensing.Reeds:
		s.takeReeds(r)
	case sensing.Weights:
		takeMeters(&s.mass, r)
	case sensing.Heights:
		takeMeters(&s.height, r)
	}
}

// waking is how long a bank of sensors may take to say its first word. Load cells need 0.4 s after power-up (BOARD 1),
// a hub that has to be opened again up to a second.
const waking = 2 * time.Second

// blind tells whether too little has been sensed yet to say anything: what was never read is not empty. A bank that
// stays silent is waited for no longer than waking; its places are unknown then.
func (s *seen) blind(g *Geometry, at time.Time) bool {
	if s.first.IsZero() {
		return true
	}
	missing := s.heard[sensing.Reeds][sensing.Lower] == 0 || g.TwoDecks && s.heard[sensing.Reeds][sensing.Upper] == 0
	missing = missing || g.Weights && s.heard[sensing.Weights].Empty() || g.Heights && s.heard[sensing.Heights].Empty()
	return missing && at.Sub(s.first) < waking
}

func (s *seen) takeReeds(r *sensing.Reading) {
	changed := (s.closed[r.Deck] ^ r.Closed) & r.Known & s.known[r.Deck]
	s.known[r.Deck] = r.Known
	s.closed[r.Deck] = s.closed[r.Deck]&^r.Known | r.Closed&r.Known
	if changed != 0 {
		s.stirred[r.Deck] |= changed
		s.moved = r.At
	}
}

// A dip is half of the lightest piece, or half a cube, missing: more than any noise.
func (s *seen) dip(g *Geometry, now *Wood, r *sensing.Reading) {
	if r.Kind == sensing.Reeds {
		return
	}
	for q := range rules.Square(64) {
		if now[q] == "" || !r.Known.Has(q) {
			continue
		}
		want, _ := g.mass(now[q])
		missing, drift := float64(g.Mass['p'])/2, s.mass[q].offset
		if r.Kind == sensing.Heights {
			want, _ = g.height(now[q])
			missing, drift = float64(g.CubeHeight)/2, 0
		}
		if float64(r.Value[q])-drift < want-missing {
			s.dipped.Add(Place(q))
		}
	}
}

func takeMeters(m *[64]meter, r *sensing.Reading) {
	for q := range m {
		if r.Known&(1<<q) != 0 {
			m[q].add(r.Value[q])
		} else {
			m[q].forget()
		}
	}
}

// verdict is what the sensors of one place say of a pile there.
type verdict struct {
	nats    float64 // logarithm of the likelihood, up to a constant
	against bool    // a settled sensor contradicts
	pending bool    // an analog sensor is still settling
}

// Logarithms of likelihoods: a reed shows the wrong state in one sweep of about 2000 (dead spots, BOARD 1).
const (
	reedRight = 0.0
	reedWrong = -7.6
	floorNats = -20 // no single sensor may weigh more than this: it could be at fault
)

// judge holds a pile against what one place shows.
func (s *seen) judge(g *Geometry, p Place, want Pile) verdict {
	var v verdict
	if s.known.Has(p) {
		if s.closed.Has(p) == (want != "") {
			v.nats = reedRight
		} else {
			v.nats, v.against = reedWrong, true
		}
	}
	if p >= 64 {
		return v
	}
	if g.Weights {
		mean, spread := g.mass(want)
		v.weigh(&s.mass[p], mean, spread, massBand)
	}
	if g.Heights {
		if reedOpen := s.known.Has(p) && !s.closed.Has(p); !reedOpen { // over an open reed only a hand can be seen
			mean, spread := g.height(want)
			v.weigh(&s.height[p], mean, spread, heightBand)
		}
	}
	return v
}

// weigh adds what an analog sensor says.
func (v *verdict) weigh(m *meter, want, spread float64, band int32) {
	if m.n == 0 {
		return
	}
	mean, ok := m.steady(band)
	if !ok {
		v.pending = true
		return
	}
	z := (mean - want) / spread
	v.nats += max(-z*z/2, floorNats)
	v.against = v.against || z > outlier || z < -outlier
}

// drift lets the zeros of all places follow slowly while the wood is known.
func (s *seen) drift(g *Geometry, w *Wood) {
	for q := range rules.Square(64) {
		if g.Weights {
			mean, spread := g.mass(w[q])
			s.mass[q].drift(mean, outlier*spread, massBand)
		}
	}
}
