// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// bought draws a board's parts as bought.
func bought(seed uint64) Draw { return Draw{rand.New(rand.NewPCG(seed, 0)), 1} }

// rest lets a board rest for a while and gives the last reading of a kind.
func rest(s *Scene, d time.Duration, kind sensing.Kind, deck sensing.Deck) (last sensing.Reading) {
	for end := s.Now + d; s.Now < end; {
		s.Advance(min(end, s.Next()))
		s.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
			if r.Kind == kind && r.Deck == deck {
				last = *r
			}
		})
	}
	return last
}

// pile puts pieces on each other in the middle of a place.
func pile(s *Scene, place int, letters string, grams float64) {
	for i := range len(letters) {
		at := Middle(place)
		at.Z += float64(i) * s.Height
		s.Add(letters[i], grams, at)
	}
}

// TestReeds: piles of any height close their own reed, and none beside it, with parts as bought.
func TestReeds(t *testing.T) {
	for seed := range uint64(50) {
		for n := 1; n <= 8; n++ {
			s := New(Reeds, 35, bought(seed))
			pile(s, 27, "PPPPPPPP"[:n], 20)
			if got := rest(s, 100*time.Millisecond, sensing.Reeds,
				sensing.Lower); got.Closed != rules.Square(27).Bit() {
				t.Errorf("seed %d: %d pieces on d4 close %x, want d4 alone", seed, n, uint64(got.Closed))
			}
		}
	}
}

// TestTilesAreFelt: magnets of tiles of 6 mm are so close together that the square to the north senses a pile far more
// than one magnet. With cubes it does not.
func TestTilesAreFelt(t *testing.T) {
	north := func(height float64, n int) float64 {
		s := New(Reeds, height, Draw{rand.New(rand.NewPCG(1, 1)), 0})
		pile(s, 27, "PPPPPPPP"[:n], 20)
		s.Advance(time.Millisecond)
		return math.Abs(s.reeds[35].still)
	}
	if tiles, cubes := north(6, 8), north(35, 8); tiles < 2 || cubes > 1 {
		t.Errorf("eight tiles are felt to the north at %.2f mT, eight cubes at %.2f: want more than 2 and less than 1",
			tiles, cubes)
	}
}

// TestLobes: along the file a reed closes in the main lobe, opens where its field turns, and feels the other lobe.
func TestLobes(t *testing.T) {
	s := New(Reeds, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
	r := &s.reeds[27]
	id := s.Add('P', 20, Middle(27))
	feel := func(y float64) float64 {
		s.Pieces[id].At.Y = r.at.Y + y
		return s.field(r, false)
	}
	if a, null, b := feel(12), feel(0), feel(-12); a*b >= 0 || math.Abs(null) > 0.01 || math.Abs(a) < 10 {
		t.Errorf("north of it, over it and south of it a reed feels %.2f, %.2f and %.2f mT: want two lobes", a, null,
			b)
	}
}

// TestHangingMagnet: a magnet that hangs 8 mm above the board closes its reed, and one at 40 mm does not.
func TestHangingMagnet(t *testing.T) {
	for z, want := range map[float64]bool{0: true, 8: true, 40: false} {
		s := New(Reeds, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
		id := s.Add('P', 20, Middle(27))
		s.Pieces[id].At.Z = z
		if got := rest(s, 10*time.Millisecond, sensing.Reeds, sensing.Lower).Closed.Has(27); got != want {
			t.Errorf("at %v mm the reed is closed: %v", z, got)
		}
	}
}

// TestPull: the forces that were computed by others, 4.3 g between stacked cubes and 1.9 g with 8 mm of air between.
func TestPull(t *testing.T) {
	for gap, want := range map[float64]float64{0: 4.3, 8: 1.9} {
		if got := pull(Vec{Z: -35 - gap}); math.Abs(got-want) > 0.1 {
			t.Errorf("a cube with %v mm of air above it is pulled up by %.2f g, want %.1f", gap, got, want)
		}
	}
}

// TestLoadsAddUp: what the cells show together is what stands on them, wherever it stands, over edges as well.
func TestLoadsAddUp(t *testing.T) {
	d := bought(3)
	s := New(Stack, 35, d)
	want := 0.0
	for i := range 20 {
		at := Middle(i * 3)
		at.X, at.Y = at.X+d.between(-7, 7), at.Y+d.between(-7, 7)
		s.Add('N', 27, at)
	}
	edge := Middle(60)
	edge.X += 25
	s.Add('Q', 52, edge)
	for i := range s.Pieces {
		want += s.Pieces[i].Mass
	}
	sum, n := 0.0, 0
	for end := s.Now + 3*time.Second; s.Now < end; {
		s.Advance(s.Next())
		s.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
			if r.Kind != sensing.Weights || s.Now < time.Second {
				return
			}
			for _, mg := range r.Value {
				sum += float64(mg) / 1000
			}
			n++
		})
	}
	// Magnets pull at each other, which changes no sum by more than the board's own part of it: nothing.
	if got := sum / float64(n); math.Abs(got-want) > 3 {
		t.Errorf("the cells bear %.2f g together, want %.2f", got, want)
	}
	if a, b := s.cells[60].still, s.cells[61].still; math.Abs(a-b) > 2 || a < 20 {
		t.Errorf("a queen on the line shows %.1f and %.1f g, want half each", a, b)
	}
}

// TestHighPile: a pile of eight weighs what its pieces weigh together, though it is higher than a second deck would
// be.
func TestHighPile(t *testing.T) {
	s := New(Stack, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
	pile(s, 27, "PPPPPPPP", 20)
	if got := rest(s, time.Second, sensing.Weights, sensing.Lower).Value[27]; got < 159_000 || got > 161_000 {
		t.Errorf("a pile of eight weighs %d mg, want 160,000", got)
	}
}

// TestHeights: an eye sees how high a pile is, within what it is off, and does not confuse counts.
func TestHeights(t *testing.T) {
	for seed := range uint64(20) {
		s := New(Twin, 35, bought(seed))
		pile(s, 27, "PP", 20)
		pile(s, 36, "P", 20)
		pile(s, 10, "PPP", 20)
		r := rest(s, 300*time.Millisecond, sensing.Heights, sensing.Lower)
		for at, want := range map[rules.Square]float64{27: 70, 36: 35, 10: 105, 0: 0} {
			if !r.Known.Has(at) {
				continue
			}
			if got := float64(r.Value[at]) / 1000; math.Abs(got-want) > 12 {
				t.Errorf("seed %d: %s is %.1f mm high, want %v", seed, at, got, want)
			}
		}
	}
}

// TestCalibrate: a light cube in the middle is seen as high as it is once the eyes are calibrated, and not before.
func TestCalibrate(t *testing.T) {
	worst := func(calibrated bool) (mm float64) {
		s := New(Twin, 35, Draw{rand.New(rand.NewPCG(1, 1)), 2})
		if calibrated {
			s.Calibrate()
		}
		for i := range s.eyes {
			s.Pieces = []Piece{{At: Middle(i), shine: (lightLow + lightHigh) / 2}}
			see, _ := s.look(&s.eyes[i], nil)
			mm = max(mm, math.Abs(see-35))
		}
		return mm
	}
	if before, after := worst(false), worst(true); before < 5 || after > 0.01 {
		t.Errorf("cubes look up to %.1f mm wrong before calibration and %.2f after: want 5 at least, and 0", before,
			after)
	}
}

// TestWideCone: a cone of 25 degrees sees past the top of a single cube, one of 17 does not.
func TestWideCone(t *testing.T) {
	see := func(cone float64) float64 {
		s := New(Twin, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
		pile(s, 27, "P", 20)
		s.Advance(time.Millisecond)
		e := &s.eyes[27]
		for i := range e.rays {
			k := tan(cone/2) / tan(coneLow/2)
			e.rays[i].x, e.rays[i].y = e.rays[i].x*k, e.rays[i].y*k
		}
		mm, _ := s.look(e, nil)
		return mm
	}
	if wide, narrow := see(25), see(17); wide > 32 || math.Abs(narrow-35) > 1 {
		t.Errorf("a cube looks %.1f mm high through 25 degrees, %.1f through 17: want less than 32, and 35", wide,
			narrow)
	}
}

// TestHandIsSeen: a hand over a square is higher than what stands there, and only while it is there.
func TestHandIsSeen(t *testing.T) {
	s := New(Twin, 35, bought(1))
	over := Middle(27)
	over.Z = 30
	s.Hands = append(s.Hands, &Hand{Body: &Body{Home: -120, Finger: 10, Palm: 30, Width: 60, Shine: 0.5, Under: true},
		Keys: []Key{{time.Second, over}, {2 * time.Second, over}}})
	before := rest(s, 900*time.Millisecond, sensing.Heights, sensing.Lower).Value[27]
	during := rest(s, 600*time.Millisecond, sensing.Heights, sensing.Lower).Value[27]
	after := rest(s, time.Second, sensing.Heights, sensing.Lower).Value[27]
	if before > 10_000 || during < 40_000 || after > 10_000 {
		t.Errorf("d4 shows %d, then with a hand %d, then %d micrometres", before, during, after)
	}
}

// TestStep: a load is shown whole 60 ms after it came, and not at once (HX711: four samples).
func TestStep(t *testing.T) {
	s := New(Stack, 35, bought(1))
	s.Presses = append(s.Presses, &Press{Piece: -1, Square: 12, Curve: []Point{{500 * time.Millisecond, 50},
		{time.Second, 50}}})
	for at, want := range map[time.Duration]bool{499: false, 500: true, 999: true, 1000: false} {
		if got := s.Presses[0].Lasts(at * time.Millisecond); got != want {
			t.Errorf("somebody presses after %d ms: %v, want %v", at, got, want)
		}
	}
	for at, want := range map[time.Duration][2]int32{
		490 * time.Millisecond: {-1_000, 1_000}, 515 * time.Millisecond: {0,
			30_000}, 590 * time.Millisecond: {49_000, 51_000}, 1200 * time.Millisecond: {-1_000, 1_000},
	} {
		s.Now, s.sweeps = 0, sweeps{}
		s.cells[12].last, s.cells[12].bends = [4]float64{}, 0
		press := *s.Presses[0]
		s.Presses = []*Press{&press}
		if got := rest(s, at, sensing.Weights, sensing.Lower).Value[12]; got < want[0] || got > want[1] {
			t.Errorf("after %v the cell shows %d mg, want %v", at, got, want)
		}
		s.Presses = []*Press{&press}
	}
}
