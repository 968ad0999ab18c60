// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"testing"
	"time"

	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/wood"
)

// opened is a board of load cells whose reed over e2 has just opened, though the cell bears what it did.
func opened(t *testing.T) (s *still, e2 wood.Place, at evidence.Tick) {
	t.Helper()
	s, _ = newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	e2 = 12
	s.rest(time.Second)
	s.gram[e2] = s.g.Mass['P']
	s.wood[e2] = ""
	s.rest(10 * time.Millisecond)
	at = s.seen.Reeds[e2].Last()
	if at != s.seen.Now {
		t.Fatalf("the reed opened at %v, want it just now, at %v", at, s.seen.Now)
	}
	return s, e2, at
}

// TestYoungReed: a reed that has just flipped may be bouncing: of that chance 1/e is left after 5 ms.
func TestYoungReed(t *testing.T) {
	s, p, at := opened(t)
	chance := func(age time.Duration) float64 {
		s.seen.Now = at + evidence.Tick(age)
		s.seen.Stamp++
		return math.Exp(s.seen.ReedFit(p, true))
	}
	old := chance(10 * time.Second)
	if got := (chance(5*time.Millisecond) - old) / (chance(0) - old); math.Abs(got-1/math.E) > 0.01 {
		t.Errorf("after 5 ms %.3f of it is left, want 0.368", got)
	}
}

// TestPressing: what a hand that only presses shows costs one nat more after 400 ms.
func TestPressing(t *testing.T) {
	s, p, _ := opened(t)
	last := s.seen.LastAt(p)
	price := func(age time.Duration) float64 {
		s.seen.Now = last + evidence.Tick(age)
		s.seen.Stamp++
		flat, _ := s.seen.HandAtWork(p, &s.want[p], s.highest(p))
		return flat
	}
	if got := price(200*time.Millisecond) - price(600*time.Millisecond); math.Abs(got-1) > 0.01 {
		t.Errorf("400 ms cost %.3f nats, want 1", got)
	}
}
