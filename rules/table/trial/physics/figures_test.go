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

// spread is the smallest, the largest, the mean and the standard deviation of what is drawn many times.
func spread(draw func(d Draw) float64, factor float64) (low, high, mean, sd float64) {
	const n = 4000
	low, high = math.Inf(1), math.Inf(-1)
	for seed := range uint64(n) {
		d := bought(seed)
		d.Factor = factor
		x := draw(d)
		low, high, mean, sd = min(low, x), max(high, x), mean+x/n, sd+x*x/n
	}
	return low, high, mean, math.Sqrt(sd - mean*mean)
}

// near reports whether a figure is within a part of another one.
func near(got, want, part float64) bool { return math.Abs(got-want) <= math.Abs(want)*part }

// TestMagnet: the moment is that of the disc, by its remanence and size.
func TestMagnet(t *testing.T) {
	const mu0 = 4e-7 * math.Pi // T m/A
	volume := math.Pi * 5 * 5 * 4 * 1e-9
	moment := 1.3 * volume / mu0
	if want := mu0 / (4 * math.Pi) * moment * 1e12; !near(fieldUnit, want, 0.02) {
		t.Errorf("the unit of fields is %.4g mT mm3, want %.4g", fieldUnit, want)
	}
	if want := 3 * mu0 / (4 * math.Pi) * moment * moment * 1e12 / 9.81e-3; !near(pullUnit, want, 0.03) {
		t.Errorf("the unit of pulls is %.4g g mm4, want %.4g", pullUnit, want)
	}
}

// TestPartsAsBought: what is drawn for each part is as wide as its datasheet says, and twice as wide with the factor
// two.
func TestPartsAsBought(t *testing.T) {
	contact := func(f func(reed) float64) func(Draw) float64 {
		return func(d Draw) float64 { return f(newReed(27, d)) }
	}
	load := func(f func(cell) float64) func(Draw) float64 {
		return func(d Draw) float64 { return f(newCell(d)) }
	}
	see := func(f func(eye) float64) func(Draw) float64 {
		return func(d Draw) float64 { return f(newEye(27, d)) }
	}
	for _, c := range []struct {
		what      string
		draw      func(Draw) float64
		low, high float64 // as bought
		sd        float64 // as bought, 0: not checked
	}{
		{"pull-in, mT", contact(func(r reed) float64 { return r.pullIn }), 1.5, 3, 0.433},
		{"drop-out, part", contact(func(r reed) float64 { return r.dropOut / r.pullIn }), 0.55, 0.85, 0.0866},
		{"reed's place, mm", contact(func(r reed) float64 { return r.at.X - 175 }), -3.5, 3.5, 0.7},
		{"reed's depth, mm", contact(func(r reed) float64 { return r.at.Z }), -5, -5, 0},
		{"reed to the south, mm", contact(func(r reed) float64 { return r.at.Y - 175 + 11 }), -3.5, 3.5, 0.7},
		{"white noise, g", load(func(c cell) float64 { return c.noise }), 0.03, 0.12, 0.0253},
		{"gain of a cell", load(func(c cell) float64 { return c.gain - 1 }), -0.01, 0.01, 0.002},
		{"drift, g a minute", load(func(c cell) float64 { return c.drift }), -0.04, 0.04, 0.0231},
		{"white noise of a corner, g", func(d Draw) float64 { return newCorner(d).noise }, 0.15, 0.6, 0.1265},
		{"drift of a corner, g a minute", func(d Draw) float64 { return newCorner(d).drift }, -0.2, 0.2, 0.1155},
		{"noise of an eye, mm", see(func(e eye) float64 { return e.noise }), 0.848, 1.698, 0.243},
		{"gain of an eye", see(func(e eye) float64 { return e.gain - 1 }), -0.03, 0.03, 0.0173},
		{"cover, mm", see(func(e eye) float64 { return e.cover }), -3.5, 3.5, 0.7},
		{"eye's place, mm", see(func(e eye) float64 { return e.at.X - 175 }), -3.5, 3.5, 0.7},
		{"tilt, degrees", see(func(e eye) float64 { return math.Atan(e.rays[0].x) * 180 / math.Pi }), -2.5, 2.5, 0.5},
		{"cone, degrees", see(func(e eye) float64 {
			return 2 * math.Atan(e.rays[7].x-e.rays[0].x) * 180 / math.Pi
		}), 12, 16.01, 1.155},
	} {
		low, high, _, sd := spread(c.draw, 1)
		room := (c.high - c.low) / 4
		// wide: drawn without ends: the range is five standard deviations
		wide := c.what == "gain of a cell" || c.sd*8 < c.high-c.low
		if low < c.low-1e-9 || high > c.high+1e-9 || !wide && (low > c.low+room || high < c.high-room) ||
			math.Abs(sd-c.sd) > 0.06*c.sd+1e-5 {
			t.Errorf("%s: %.4g to %.4g, standard deviation %.4g, want %v to %v and %v", c.what, low, high, sd, c.low,
				c.high, c.sd)
		}
		if _, _, _, twice := spread(c.draw, 2); c.sd > 0 && !near(twice, 2*sd, 0.12) {
			t.Errorf("%s: with the factor two the standard deviation is %.4g, want twice %.4g", c.what, twice, sd)
		}
	}
}

// TestPieces: one piece differs from its kind, and light ones send more light back than dark ones.
func TestPieces(t *testing.T) {
	piece := func(letter byte, f func(Piece) float64) func(Draw) float64 {
		return func(d Draw) float64 {
			s := Scene{draw: d}
			return f(s.Pieces[s.Add(letter, 20, Vec{})])
		}
	}
	if _, _, mean, sd := spread(piece('P', func(p Piece) float64 { return p.Mass }), 1); !near(mean, 20, 0.01) ||
		!near(sd, 0.15, 0.06) {
		t.Errorf("pawns of 20 g weigh %.2f g, standard deviation %.3f, want 0.15", mean, sd)
	}
	if _, _, mean, sd := spread(piece('P', func(p Piece) float64 { return p.moment }), 1); !near(mean, 1, 0.01) ||
		!near(sd, 0.03, 0.06) {
		t.Errorf("magnets are %.3f as strong as bought, standard deviation %.4f, want 0.03", mean, sd)
	}
	for letter, want := range map[byte][2]float64{'P': {0.5, 0.9}, 'p': {0.3, 0.45}} {
		if low, high, _, _ := spread(piece(letter, func(p Piece) float64 { return p.shine }), 1); !near(low, want[0],
			0.02) || !near(high, want[1], 0.02) {
			t.Errorf("%c sends %.3f to %.3f of the light back, want %v", letter, low, high, want)
		}
	}
}

// count is how many readings of a kind come in a time.
func count(s *Scene, d time.Duration, kind sensing.Kind) (n int) {
	for end := s.Now + d; ; {
		next := s.Next()
		if next >= end {
			return n
		}
		s.Advance(next)
		s.Sweep(time.Unix(0, 0), func(r *sensing.Reading) {
			if r.Kind == kind {
				n++
			}
		})
	}
}

// TestRounds: each bank is read as often as it can be while something moves, and seldom on a quiet board.
func TestRounds(t *testing.T) {
	quiet := func(kind Kind) *Scene {
		s := New(kind, 35, bought(1))
		count(s, 5*time.Second, sensing.Reeds)
		return s
	}
	busy := quiet(Reeds)
	busy.changed = busy.Now + time.Hour
	waiting := quiet(Twin)
	waiting.Await(rules.Square(3).Bit())
	moving := quiet(Twin)
	moving.stirred = moving.Now + time.Hour
	for _, c := range []struct {
		what string
		s    *Scene
		kind sensing.Kind
		want int // in 2 s
	}{
		{"reeds of a quiet board", quiet(Reeds), sensing.Reeds, 50},
		{"reeds while one changes", busy, sensing.Reeds, 1000},
		{"cells", quiet(Stack), sensing.Weights, 160},
		{"eyes of a quiet board", quiet(Twin), sensing.Heights, 50},
		{"eyes while something moves", moving, sensing.Heights, 125},
		{"an eye that is waited for", waiting, sensing.Heights, 50 + 143},
	} {
		if got := count(c.s, 2*time.Second, c.kind); math.Abs(float64(got-c.want)) > float64(c.want)/25 {
			t.Errorf("%s: %d readings in two seconds, want %d", c.what, got, c.want)
		}
	}
}

// TestLingers: banks stay busy for as long after a change as they are meant to.
func TestLingers(t *testing.T) {
	s := New(Twin, 35, bought(1))
	count(s, 5*time.Second, sensing.Reeds)
	s.Add('P', 20, Middle(27))
	if got := count(s, 400*time.Millisecond, sensing.Reeds); got < 2*75 || got > 2*90 {
		t.Errorf("%d readings of two decks in 400 ms with a change, want 2 for each of 75 in the first 150 ms and some", got)
	}
	if got := count(s, 4*time.Second, sensing.Heights); got < 135 || got > 160 {
		t.Errorf("%d readings of heights in the 4 s after it, want 100 in 1.6 s and 60 in the rest", got)
	}
}

// TestCellWanders: over minutes a cell drifts and creeps as datasheets say, and its noise is not white.
func TestCellWanders(t *testing.T) {
	var drift, creep, slow, kept float64
	const n = 12
	for seed := range uint64(n) {
		s := New(Stack, 35, bought(seed))
		s.Add('K', 60, Middle(27))
		s.Advance(time.Millisecond)
		var told, before [64]float64
		sample := func(seconds int) {
			for range 80 * seconds {
				s.sample(&told)
			}
		}
		sample(1)
		at := s.cells[28].off
		sample(239)
		for i := range before {
			before[i] = s.cells[i].wander
		}
		sample(1)
		for i := range before {
			slow += s.cells[i].wander * s.cells[i].wander / (64 * n)
			kept += s.cells[i].wander * before[i] / (64 * n)
		}
		drift += math.Abs(s.cells[28].off-at) / n
		creep += s.cells[27].creep / n
	}
	if got, want := kept/slow, math.Exp(-0.5); !near(got, want, 0.1) {
		t.Errorf("after a second the slow noise is %.2f of what it was, want %.2f", got, want)
	}
	if drift < 0.02 || drift > 0.14 {
		t.Errorf("in four minutes cells drift by %.3f g, want 0.02 to 0.14", drift)
	}
	if want := 60 * 0.0006 * (1 - math.Exp(-2)); !near(creep, want, 0.03) {
		t.Errorf("under 60 g cells creep by %.4f g in four minutes, want %.4f", creep, want)
	}
	if sd := math.Sqrt(slow); !near(sd, 0.03, 0.1) {
		t.Errorf("the slow part of the noise is %.4f g, want 0.03", sd)
	}
}

// TestGeometry pins what is measured with a ruler.
func TestGeometry(t *testing.T) {
	if a, b := Middle(63), Middle(64); a != (Vec{375, 375, 0}) || b != (Vec{25, 25, 150}) {
		t.Errorf("h8 is at %v and a1 of the upper deck at %v", a, b)
	}
	twin := &Scene{Kind: Twin}
	if cellOf(399.9) != 7 || cellOf(520) != 8 || twin.deckOf(149.96) != 150 || twin.deckOf(149.94) != 0 {
		t.Error("the board does not end at 400 mm, or the upper deck is not at 150")
	}
}

// TestField: the field in a reed is the mean over 10 mm of its length of a dipole's, 8 mm higher up. By hand it is
// 3.25e4 x 3 z y / r^5.
func TestField(t *testing.T) {
	s := New(Reeds, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
	r := &s.reeds[27]
	id := s.Add('P', 20, r.at)
	s.Pieces[id].At.Z = 0
	for y, want := range map[float64]float64{12: 18.97266, 30: 0.91114} {
		s.Pieces[id].At.Y = r.at.Y + y
		if got := math.Abs(s.field(r, false)); !near(got, want, 0.001) {
			t.Errorf("%v mm beside the reed it feels %.4f mT, want %.4f", y, got, want)
		}
	}
	for y, felt := range map[float64]bool{105: true, 115: false} {
		s.Pieces[id].At.Y = r.at.Y + y
		if got := s.field(r, false); (got != 0) != felt {
			t.Errorf("%v mm beside the reed it feels %v mT", y, got)
		}
	}
}

// TestFollows: beam and square follow a load with a time constant of 8 ms, and a knock shakes the more the more stands
// there.
func TestFollows(t *testing.T) {
	s := New(Stack, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
	s.Add('P', 30, Middle(27))
	s.Advance(time.Millisecond)
	var told [64]float64
	s.sample(&told)
	if got, want := s.cells[27].bends, 30*(1-math.Exp(-12.5/8)); !near(got, want, 1e-6) {
		t.Errorf("after one sample the beam bears %.3f g, want %.3f", got, want)
	}
	s.Knocks = []Knock{{At: 0, G: 1, Fades: 100 * time.Millisecond, Swing: 80 * time.Millisecond}}
	s.Now = 20 * time.Millisecond
	if a, b := s.knockLoad(0), s.knockLoad(27); !near(b, 2*a, 1e-6) || a < 0.5 {
		t.Errorf("a knock moves an empty square by %.3f g and one with 30 g by %.3f, want twice that", a, b)
	}
}

// TestLight: what an eye sees is as bright, against the bare deck, as distance and surface make it.
func TestLight(t *testing.T) {
	s := New(Twin, 35, Draw{rand.New(rand.NewPCG(1, 1)), 0})
	s.Pieces = []Piece{{At: Middle(27), shine: 0.7}}
	s.Advance(time.Millisecond)
	if _, bright := s.look(&s.eyes[27], nil); !near(bright, 0.7/0.5*(147.0/112)*(147.0/112), 0.001) {
		t.Errorf("a light cube is %.3f as bright as the deck", bright)
	}
	over := Middle(27)
	s.Hands = []*Hand{{Body: &Body{Home: -120, Shine: 0.2, Under: true}, Keys: []Key{{0, over}, {time.Second, over}}}}
	if tops := s.handTops(nil); len(tops) < 3 || tops[0].shine != 0.6 || tops[2].shine != 0.2 {
		t.Errorf("a hand with a sleeve is %v", tops)
	}
}

// TestDarkIsMute: dark pieces are not answered for more often than light ones.
func TestDarkIsMute(t *testing.T) {
	mute := func(letter string) (n int) {
		for seed := range uint64(40) {
			s := New(Twin, 35, bought(seed))
			if letter != "" {
				pile(s, 27, letter, 20)
			}
			s.Advance(time.Millisecond)
			for range 500 {
				if _, ok := s.measure(27, nil); !ok {
					n++
				}
			}
		}
		return n
	}
	deck, light, dark := mute(""), mute("P"), mute("p")
	if deck < 55 || deck > 110 || light >= deck || dark <= light {
		t.Errorf("of 20,000 ranges %d of the deck, %d of light and %d of dark pieces are not told, want 80, fewer, and "+
			"more again", deck, light, dark)
	}
}
