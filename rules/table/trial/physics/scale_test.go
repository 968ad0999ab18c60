// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"testing"
	"time"

	"boardd/sensing"
)

// shown is the mean of what the corners show over a time: the weight in g and its place, in mm from the middle.
func shown(s *Scene, span time.Duration) (g, x, y float64, known int) {
	var bear [4]float64
	n := 0
	for end := s.Now + span; s.Now < end; {
		s.Advance(s.Next())
		s.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
			if r.Kind != sensing.Scale {
				return
			}
			n++
			known += r.Known.Count()
			for i, sq := range cornerSquares {
				bear[i] += float64(r.Value[sq]) / 1000
			}
		})
	}
	for i := range bear {
		bear[i] /= float64(n)
		g += bear[i]
		x += bear[i] * float64(i%2*2-1) * cornerArm
		y += bear[i] * float64(i/2*2-1) * cornerArm
	}
	return g, x / g, y / g, known / n
}

// TestScale: the corners bear a piece by its weight, and by where it stands; more so on a pile.
func TestScale(t *testing.T) {
	d := bought(5)
	d.Factor = 0 // ideal parts
	s := New(Scale, 35, d)
	for _, c := range []struct {
		square int
		grams  float64
	}{{0, 60}, {36, 20}, {63, 33}} {
		s.Pieces = nil
		s.Add('K', c.grams, Middle(c.square))
		shown(s, 300*time.Millisecond)
		g, x, y, known := shown(s, time.Second)
		at := Middle(c.square)
		if !near(g, c.grams, 0.02) || math.Hypot(x-at.X+Board/2, y-at.Y+Board/2) > 3 || known != 4 {
			t.Errorf("%g g on square %d: the scale shows %.2f g at %.1f, %.1f of %d corners", c.grams, c.square, g, x, y, known)
		}
	}
}

// TestArmOnTheRim: an arm is hundreds of grams at the edge, and gone afterwards.
func TestArmOnTheRim(t *testing.T) {
	d := bought(6)
	d.Factor = 0
	s := New(Scale, 35, d)
	s.Add('K', 60, Middle(27))
	s.Tilts = append(s.Tilts, Tilt{From: time.Second, To: 3 * time.Second, G: 0.2, X: 0.3})
	shown(s, 1300*time.Millisecond)
	g, x, _, _ := shown(s, time.Second)
	if g < 300 || g > 600 || x < 150 {
		t.Errorf("an arm on the rim shows as %.0f g at %.0f mm", g, x)
	}
	shown(s, 2*time.Second)
	if g, _, _, _ := shown(s, time.Second); !near(g, 60, 0.02) {
		t.Errorf("%.1f g after the arm is gone, want 60", g)
	}
}

// TestCornerFails: a corner that is silent is missing, and one that is frozen shows what it did.
func TestCornerFails(t *testing.T) {
	for how := Silent; how <= Frozen; how++ {
		s := New(Scale, 35, bought(7))
		s.Add('K', 60, Middle(0))
		s.Fault = &Fault{Part: sensing.Scale, Place: 7, How: how, From: time.Second}
		shown(s, 500*time.Millisecond)
		before, _, _, _ := shown(s, 400*time.Millisecond)
		shown(s, 500*time.Millisecond)
		s.Pieces = nil
		s.Add('K', 60, Middle(7))
		shown(s, 500*time.Millisecond)
		after, _, _, known := shown(s, time.Second)
		if how == Silent && known != 3 || how == Frozen && (known != 4 || near(after, before, 0.3)) {
			t.Errorf("fault %d: %d corners are known; %.0f g before, %.0f after", how, known, before, after)
		}
	}
}
