package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// approach is the least time in which a hand comes from beside the cones of the neighbouring squares to the middle of one: a
// quick hand does a metre in a second, and the cones reach 20 mm beyond the square.
const approach = 20 * time.Millisecond

// trust lets the first reading of a height count that was taken while no hand was near. One reading of a pile of cubes is beyond doubt by
// its spread; a second one is only needed because a hand may hang at just that height.
func (s *seen) trust(g *Geometry) {
	for q := range rules.Square(64) {
		if m := &s.height[q]; m.n == 1 && m.enough > 1 && g.eye(q).count == 1 && s.nobodyNear(q, m.since) {
			m.enough = 1
		}
	}
}

// nobodyNear tells whether the height sensors of at least two neighbours saw that no hand is over them, not earlier than a hand
// needs to come from there, and none saw one. A hand is wider than a square.
func (s *seen) nobodyNear(q rules.Square, at time.Time) bool {
	clear := 0
	for _, n := range [4]rules.Square{q - 8, q + 8, q - 1, q + 1} {
		if n >= 64 || n.File() != q.File() && n.Rank() != q.Rank() {
			continue // beyond the edge
		}
		m := &s.height[n]
		if m.n == 0 || s.mute[sensing.Heights].Has(Place(n)) || m.heard.Before(at.Add(-approach)) {
			continue
		}
		switch {
		case m.last <= lowestHand:
			clear++
		case at.Sub(m.since) < passing:
			return false // higher than a moment ago: a hand, or a pile that has just grown
		}
	}
	return clear >= 2
}
