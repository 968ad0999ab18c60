// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
)

const (
	ms = time.Millisecond
	e2 = rules.Square(12)
	e3 = rules.Square(20)
	e4 = rules.Square(28)
)

func newWorld(l physics.Level, seed uint64) *physics.World {
	o := physics.Options{Level: l, Seed: seed, Decks: 1, Cube: 35_000}
	o.Mass['P'], o.Mass['k'] = 20_000, 60_000
	return physics.New(o)
}

// TestReed: a contact bounces for 0.5 to 1 ms and rests then, closed under a piece and open without.
func TestReed(t *testing.T) {
	for seed := range uint64(50) {
		w := newWorld(physics.Clean(), seed)
		w.Set(10*ms, sensing.Lower, e2, "P", w.Untidy())
		changes, last, was := 0, time.Duration(0), false
		for at := 10 * ms; at < 20*ms; at += 10 * time.Microsecond {
			if now := w.Closed(at, sensing.Lower).Has(e2); now != was {
				changes, last, was = changes+1, at, now
			}
		}
		if !was || last > 11*ms || changes > 20 {
			t.Errorf("seed %d: closed %v after %d changes, the last at %v; want closed by 11ms", seed, was, changes, last)
		}
		w.Set(30*ms, sensing.Lower, e2, "", w.Untidy())
		if w.Closed(40*ms, sensing.Lower) != 0 {
			t.Errorf("seed %d: closed without a piece", seed)
		}
	}
}

// TestCell: 50 ms after a piece was put down its weight is shown to one part in a thousand, and to its noise for good.
func TestCell(t *testing.T) {
	w := newWorld(physics.Clean(), 1)
	w.Set(10*ms, sensing.Lower, e2, "Pk", physics.Landing{})
	if mg, _ := w.Weight(12*ms, e2); mg > 40_000 {
		t.Errorf("%.0f mg after 2 ms: a cell does not settle at once", mg)
	}
	for _, at := range []time.Duration{60 * ms, time.Second, time.Hour} {
		if mg, ok := w.Weight(at, e2); !ok || math.Abs(mg-80_000) > 100 {
			t.Errorf("%.0f mg, %v at %v, want 80000", mg, ok, at)
		}
	}
}

// TestPieces: a piece keeps its own weight wherever it stands, and pieces of a kind differ.
func TestPieces(t *testing.T) {
	l := physics.Clean()
	l.PieceMass = 250
	w := newWorld(l, 3)
	weigh := func(at time.Duration, sq rules.Square) float64 {
		mg, _ := w.Weight(at, sq)
		return mg
	}
	w.Set(0, sensing.Lower, e2, "P", physics.Landing{})
	w.Set(0, sensing.Lower, e3, "P", physics.Landing{})
	a, b := weigh(time.Second, e2), weigh(time.Second, e3)
	if math.Abs(a-b) < 30 {
		t.Errorf("two pawns weigh %.0f and %.0f mg, want them to differ", a, b)
	}
	w.Set(2*time.Second, sensing.Lower, e2, "", physics.Landing{})
	w.Set(2*time.Second, sensing.Lower, e4, "P", physics.Landing{})
	if c := weigh(3*time.Second, e4); math.Abs(a-c) > 30 {
		t.Errorf("the pawn weighs %.0f mg on e2 and %.0f on e4", a, c)
	}
}

// TestSight: a height sensor sees the top of a pile, or a hand, or nothing when it is blind.
func TestSight(t *testing.T) {
	w := newWorld(physics.Clean(), 1)
	w.Set(0, sensing.Lower, e2, "PP", physics.Landing{})
	if s := w.Sight(time.Second, time.Second+12*ms, e2); !s.Found || math.Abs(s.MM-77) > 0.1 {
		t.Errorf("%+v, want 77 mm over two cubes", s)
	}
	w.Hover(2*time.Second, e2, 100*ms)
	if s := w.Sight(2050*ms, 2062*ms, e2); s.MM > 60 {
		t.Errorf("%+v, want a hand", s)
	}
	if s := w.Sight(2200*ms, 2212*ms, e2); s.MM < 70 {
		t.Errorf("%+v, the hand is gone", s)
	}
	w.Eye(e2, physics.EyeBlind)
	if s := w.Sight(3*time.Second, 3012*ms, e2); s.Found {
		t.Errorf("%+v of a blind sensor", s)
	}
}

// TestWiring: swapped wires exchange two squares, a leak closes an input with its neighbour, broken reeds show one state.
func TestWiring(t *testing.T) {
	w := newWorld(physics.Clean(), 1)
	w.Swap(sensing.Lower, e2, e4)
	w.Set(0, sensing.Lower, e2, "P", physics.Landing{})
	if got := w.Closed(time.Second, sensing.Lower); got != e4.Bit() {
		t.Errorf("swapped: %x, want e4", uint64(got))
	}
	w = newWorld(physics.Clean(), 1)
	w.Leak(sensing.Lower, e3, e2)
	w.Set(0, sensing.Lower, e2, "P", physics.Landing{})
	if got := w.Closed(time.Second, sensing.Lower); got != e2.Bit()|e3.Bit() {
		t.Errorf("leaking: %x, want e2 and e3", uint64(got))
	}
	w.Reed(sensing.Lower, e2, physics.ReedStuckOpen)
	w.Reed(sensing.Lower, e4, physics.ReedStuckClosed)
	if got := w.Closed(2*time.Second, sensing.Lower); got != e4.Bit() {
		t.Errorf("broken: %x, want e4", uint64(got))
	}
}

// TestSampler: the same seed gives the same readings, and every level knows its sensors' squares most of the time.
func TestSampler(t *testing.T) {
	for _, l := range []physics.Level{physics.Clean(), physics.Club(), physics.Rough()} {
		sum := func() (sum, n int64) {
			w := newWorld(l, 7)
			w.Set(0, sensing.Lower, e2, "P", w.Untidy())
			s := physics.NewSampler(w, physics.Reference(1, true, true), time.Unix(0, 0))
			s.Run(2*time.Second, func(r *sensing.Reading) bool {
				n++
				sum = sum*31 + int64(r.Closed) + int64(r.Known) + int64(r.Value[e2]) + r.At.UnixMicro()
				return true
			})
			return sum, n
		}
		a, n := sum()
		if b, _ := sum(); a != b {
			t.Errorf("%s: two runs differ", l.Name)
		}
		if n < 250 || n > 1500 {
			t.Errorf("%s: %d readings in two seconds", l.Name, n)
		}
	}
}

// TestLevels: rough is rougher than club, club than clean.
func TestLevels(t *testing.T) {
	clean, club, rough := physics.Clean(), physics.Club(), physics.Rough()
	if !(clean.CellNoise < club.CellNoise && club.CellNoise*10 == rough.CellNoise && club.RangeNoise*10 == rough.RangeNoise) {
		t.Errorf("noise of %v, %v, %v mg", clean.CellNoise, club.CellNoise, rough.CellNoise)
	}
	if _, err := physics.LevelByName("filthy"); err == nil {
		t.Error("a level that does not exist was found")
	}
}
