// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// deepest is up to how many pieces on a place are counted while a hand is at work.
const deepest = 12

// stays is between which times a place was seen to stand so many pieces high since the path began: a piece cannot come to a place
// before it left another one. Times count from the first reading; 0 is never.
type stays struct {
	any         bool
	first, last [deepest]time.Duration
}

// lowestHand is how low a hand comes that is over a place, micrometres: what is higher may be a hand at the height of a pile, and
// may stay there as long as it likes.
const lowestHand = 50_000

// stand notes how high the places stand whose heights tell.
func (s *seen) stand(g *geometry, want *[wood.Places]target, r *sensing.Reading) {
	now := r.At.Sub(s.first) + 1
	for q := range rules.Square(64) {
		m, of := &s.height[q], g.eye(q)
		if !r.Known.Has(q) || r.Stale.Has(q) || m.n < of.least {
			continue
		}
		k := math.Round(m.mean / of.unit)
		if m.mean > lowestHand || k < 0 || k >= deepest || math.Abs(m.mean-k*of.unit) > outlier*m.spread(of, 0) {
			continue // a hand
		}
		if off, one := math.Abs(m.mean-k*of.unit), m.spread(of, 0); (of.unit-off)*(of.unit-off)-off*off < 2*sure*one*one {
			continue // one more or less is not out of the question
		}
		if m.leans[0].sum+m.leans[1].sum > 0 || math.Abs(m.last-k*of.unit) > of.unit/2 {
			continue // it may have changed just now
		}
		if p := wood.Place(q); s.reed(p) && s.closed.Has(p) != (k > 0) {
			continue // the reed knows better
		}
		if int(k) == len(want[q].pile) && m.since.After(s.began) {
			continue // as the game has it, again: a hand may look like what it took away
		}
		t := &s.stays[q]
		t.any, t.first[int(k)], t.last[int(k)] = true, m.since.Sub(s.first)+1, now
	}
}

// restay forgets the stays of all places but some.
func (s *seen) restay(keep wood.Set) {
	s.began = s.latest
	for q := range s.stays {
		if t := &s.stays[q]; t.any && !keep.Has(wood.Place(q)) {
			*t = stays{}
		}
	}
}

// stood tells since when a place was last seen so many pieces high.
func (s *seen) stood(p wood.Place, pieces int) (at time.Time, ok bool) {
	if p >= 64 || pieces >= deepest || s.stays[p].first[pieces] == 0 {
		return at, false
	}
	return s.first.Add(s.stays[p].first[pieces]), true
}

// stoodFor is for how long a place was last seen so many pieces high, 0 when it was not.
func (s *seen) stoodFor(p wood.Place, pieces int) time.Duration {
	if p >= 64 || pieces >= deepest {
		return 0
	}
	return s.stays[p].last[pieces] - s.stays[p].first[pieces]
}

// stoodOver tells when a place was last seen higher than so many pieces for so long.
func (s *seen) stoodOver(p wood.Place, pieces int, long time.Duration) (at time.Time, ok bool) {
	var last time.Duration
	if p < 64 {
		for k := pieces + 1; k < deepest; k++ {
			if t := &s.stays[p]; t.last[k]-t.first[k] >= long {
				last = max(last, t.last[k])
			}
		}
	}
	return s.first.Add(last), last > 0
}
