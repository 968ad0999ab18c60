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

// TestReedsOfOneBin: of the 128 reeds of two decks, none closes in less than half of the field that the least
// sensitive one needs. None opens above nine tenths of the field that closed it. The reeds spread over the whole of
// these ranges, and a board keeps its reeds.
func TestReedsOfOneBin(t *testing.T) {
	for _, l := range []physics.Level{physics.Club(), physics.Rough()} {
		o := physics.Options{Level: l, Seed: 23, Decks: 2, Cube: 35_000}
		o.Level.Magnet, o.Level.Weak, o.Level.DeadSpot = 0, 0, 0
		o.Mass['P'] = 20_000
		reach := func(sq rules.Square, from, by float64) float64 { // where a piece that is shifted in steps changes its reed
			w := physics.New(o)
			at := time.Second
			w.Set(at, sensing.Lower, sq, "P", physics.Landing{Off: [2]float64{from, 0}})
			began := w.Closed(at+time.Second/2, sensing.Lower).Has(sq)
			for off := from; off >= 0 && off <= 30; off += by {
				at += time.Second
				w.Shift(at, sensing.Lower, sq, physics.Landing{Off: [2]float64{off, 0}})
				if w.Stands(sensing.Lower, sq) != began {
					return off
				}
			}
			return -1
		}
		var least, most = 30.0, 0.0
		for sq := range rules.Square(64) {
			opens, closes := reach(sq, 0, 0.1), reach(sq, 30, -0.1)
			if opens <= closes {
				t.Errorf("%s: the reed of %v opens %.1f mm off and closes at %.1f: want it to hold on", l.Name, sq, opens, closes)
			}
			if closes < 10.7 || closes > 17.5 || opens > 24 {
				t.Errorf("%s: the reed of %v closes %.1f mm off and opens at %.1f", l.Name, sq, closes, opens)
			}
			if again := reach(sq, 30, -0.1); again != closes {
				t.Errorf("%s: the reed of %v closed at %.1f, then at %.1f", l.Name, sq, closes, again)
			}
			least, most = min(least, closes), max(most, closes)
		}
		if most-least < 4 {
			t.Errorf("%s: all close between %.1f and %.1f mm", l.Name, least, most)
		}
	}
}

// TestContactResistance: the input of the strips shows a contact of up to 3 kohm as closed and one of 25 kohm as open.
// Between them it may show either.
func TestContactResistance(t *testing.T) {
	for _, c := range []struct {
		ohms          float64
		shut, chatter bool
	}{{0, true, false}, {200, true, false}, {3000, true, false}, {8000, false, true}, {25000, false, false}} {
		w := newWorld(physics.Clean(), 1)
		w.Resist(sensing.Lower, e2, c.ohms)
		w.Set(10*ms, sensing.Lower, e2, "P", physics.Landing{})
		changes, was := 0, w.Closed(20*ms, sensing.Lower).Has(e2)
		for at := 20 * ms; at < 2*time.Second; at += 5 * ms {
			if now := w.Closed(at, sensing.Lower).Has(e2); now != was {
				changes, was = changes+1, now
			}
		}
		if chatter := changes > 10; chatter != c.chatter || !chatter && (was != c.shut || changes > 0) {
			t.Errorf("%g ohm: closed %v, %d changes in two seconds", c.ohms, was, changes)
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

// TestWiring: swapped wires exchange two squares, a leak closes an input with its neighbour, broken reeds show one
// state.
func TestWiring(t *testing.T) {
	w := newWorld(physics.Clean(), 1)
	w.Swap(sensing.Lower, e2, e4)
	w.Set(0, sensing.Lower, e2, "P", physics.Landing{})
	if got := w.Closed(time.Second, sensing.Lower); got != e4.Bit() {
		t.Errorf("swapped: %x, want e4", uint64(got))
	}
	w = newWorld(physics.Clean(), 1)
	w.Crosstalk(sensing.Lower, e3, e2)
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
	if !(clean.CellNoise < club.CellNoise && club.CellNoise*10 == rough.CellNoise &&
		club.RangeNoise*10 == rough.RangeNoise) {
		t.Errorf("noise of %v, %v, %v mg", clean.CellNoise, club.CellNoise, rough.CellNoise)
	}
	if _, err := physics.LevelByName("filthy"); err == nil {
		t.Error("a level that does not exist was found")
	}
}
