// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// TestFaults: a sensor that fails is silent, goes on saying what it said, or is silent now and then; the others are
// sound.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		part sensing.Kind
	}{{Stack, sensing.Reeds}, {Stack, sensing.Weights}, {Twin, sensing.Heights}} {
		for how := Silent; how <= Loose; how++ {
			s := New(c.kind, 35, bought(1))
			s.Fault = &Fault{Part: c.part, Place: 27, How: how, From: time.Second}
			pile(s, 27, "P", 20)
			pile(s, 20, "P", 20)
			before := rest(s, 1100*time.Millisecond, c.part, sensing.Lower)
			s.Pieces[0].At.X, s.Pieces[1].At.X = -100, -100 // both are taken away
			s.moved = true
			silent, closed, told, n := 0, 0, int32(0), 0
			rest(s, 600*time.Millisecond, c.part, sensing.Lower)
			for end := s.Now + 2*time.Second; s.Now < end; {
				s.Advance(s.Next())
				s.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
					if r.Kind != c.part {
						return
					}
					n++
					if !r.Known.Has(27) {
						silent++
					} else {
						told = r.Value[27]
					}
					if r.Closed.Has(27) {
						closed++
					}
					if r.Closed.Has(20) || r.Value[20] > 15_000 {
						t.Errorf("%v %v: e3, which is sound, still shows its piece", c.part, how)
					}
				})
			}
			holds := closed == n || told != 0 && told > before.Value[27]-2_000 && told < before.Value[27]+2_000
			switch {
			case how == Silent && silent != n, how == Frozen && (!holds || silent > n/20), how == Loose &&
				c.part != sensing.Reeds && (silent == 0 || silent == n):
				t.Errorf("%s: silent in %d of %d readings, closed in %d, tells %d after %d", s.Fault, silent, n,
					closed, told, before.Value[27])
			}
		}
	}
}

// TestBreak: what is drawn to fail is a sensor that the board has, and it is sound before.
func TestBreak(t *testing.T) {
	for seed := range uint64(200) {
		kind := Kind(seed % 3)
		s := New(kind, 35, bought(seed))
		s.Break(time.Minute)
		f := s.Fault
		if f.Place >= 64 && (kind != Twin || f.Part != sensing.Reeds) || f.Part == sensing.Weights &&
			kind != Stack || f.Part == sensing.Heights && kind != Twin {
			t.Errorf("seed %d: a %s board has no %s", seed, kind, f)
		}
		if !s.Works(f.Part, f.Place) {
			t.Errorf("seed %d: %s, and does not work at 0", seed, f)
		}
		if s.Now = f.From; s.Works(f.Part, f.Place) || !s.Works(f.Part, int(rules.Square(f.Place)^1)) {
			t.Errorf("seed %d: %s, and works then", seed, f)
		}
	}
}
