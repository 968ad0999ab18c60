// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// many draws a figure of a move many times and gives the smallest, the largest and the root of the mean square.
func many(t *testing.T, h Habits, f func(b *bench, s *Script) []float64) (low, high, rms float64) {
	t.Helper()
	low, high = math.Inf(1), math.Inf(-1)
	n := 0.0
	for seed := range uint64(12) {
		b := newBench(rules.Variants()[0], physics.Stack, seed)
		for range 40 {
			s := b.play(t, h)
			if s == nil {
				break
			}
			for _, x := range f(b, s) {
				low, high, rms, n = min(low, x), max(high, x), rms+x*x, n+1
			}
		}
	}
	return low, high, math.Sqrt(rms / n)
}

// seconds of a time.
func seconds(d time.Duration) []float64 { return []float64{d.Seconds()} }

// TestFigures pins what hands are drawn from: each range is used up to its ends, and not beyond.
func TestFigures(t *testing.T) {
	press := func(s *Script, first bool) (list []float64) { // how long fingers are on a piece before and after its way
		for _, p := range s.Presses {
			c := p.Curve
			if p.Piece >= 0 && (c[0].G == 0 && c[len(c)-1].G < 0) == first {
				list = append(list, (c[len(c)-1].At - c[0].At).Seconds())
			}
		}
		return list
	}
	square := func(s *Script) (list []*physics.Press) {
		for _, p := range s.Presses {
			if p.Piece < 0 {
				list = append(list, p)
			}
		}
		return list
	}
	for _, c := range []struct {
		what      string
		habits    Habits
		low, high float64
		f         func(b *bench, s *Script) []float64
	}{
		{"speed, mm/s", 0, 250, 750, func(b *bench, _ *Script) []float64 {
			return []float64{b.crew.People[0].Speed,
				b.crew.People[1].Speed}
		}},
		{"lift, mm", 0, 12, 45, func(b *bench, _ *Script) []float64 {
			return []float64{b.crew.People[0].Lift,
				b.crew.People[1].Lift}
		}},
		{"press, weights", 0, 0.5, 3, func(b *bench, _ *Script) []float64 {
			return []float64{b.crew.People[0].Press,
				b.crew.People[1].Press}
		}},
		{"grip, s", 0, 0.06, 0.25, func(_ *bench, s *Script) []float64 { return press(s, true) }},
		{"letting go, s", 0, 0.03, 0.22, func(_ *bench, s *Script) []float64 { return press(s, false) }},
		{"levels of pressing", 0, 1, 3.01, func(_ *bench, s *Script) (list []float64) {
			for _, p := range s.Presses {
				list = append(list, float64(len(p.Curve)-2)/2)
			}
			return list
		}},
		{"turn of pressing, s", 0, 0.0033, 0.012, func(_ *bench, s *Script) (list []float64) {
			for _, p := range s.Presses {
				list = append(list, (p.Curve[1].At - p.Curve[0].At).Seconds())
			}
			return list
		}},
		{"from key to key, s", 0, 0.008, 0.25, func(_ *bench, s *Script) (list []float64) {
			for _, h := range s.Hands {
				for i := 1; i < len(h.Keys); i++ {
					list = append(list, (h.Keys[i].At - h.Keys[i-1].At).Seconds())
				}
			}
			return list
		}},
		{"pause, s", Wave, 0.15, 0.7, func(b *bench, _ *Script) []float64 { return seconds(b.crew.pause()) }},
		{"lean, g", Lean, -0.5, 0.5, func(_ *bench, s *Script) []float64 {
			return []float64{s.Tilts[0].G,
				s.Tilts[0].X, s.Tilts[0].Y}
		}},
		{"leaning, s", Lean, 0.5, 3, func(_ *bench,
			s *Script) []float64 {
			return seconds(s.Tilts[0].To - s.Tilts[0].From)
		}},
		{"fingers, g", Rest, 3, 40, func(_ *bench, s *Script) []float64 { return []float64{square(s)[0].Curve[1].G} }},
		{"sleeve, g", Sleeve, 1, 2, func(_ *bench, s *Script) []float64 { return []float64{square(s)[0].Curve[1].G} }},
		{"knock, g", Shake, 0.4, 4, func(_ *bench, s *Script) []float64 { return []float64{s.Knocks[0].G} }},
		{"knock fades, s", Shake, 0.1, 0.1, func(_ *bench, s *Script) []float64 { return seconds(s.Knocks[0].Fades) }},
		{"knock swings, s", Shake, 0.08, 0.08, func(_ *bench,
			s *Script) []float64 {
			return seconds(s.Knocks[0].Swing)
		}},
	} {
		low, high, _ := many(t, c.habits, c.f)
		room := (c.high - c.low) / 50
		if c.habits == 0 && c.high > 0.3 {
			room *= 7 // of two people in each game
		}
		if low < c.low-1e-3 || high > c.high+1e-3 || low > c.low+room || high < c.high-room {
			t.Errorf("%s: %.4g to %.4g, want %v to %v", c.what, low, high, c.low, c.high)
		}
	}
}

// TestHands pins what single movements are like.
func TestHands(t *testing.T) {
	b := newBench(rules.Variants()[0], physics.Stack, 1)
	c := b.crew
	c.People[0].Speed = 500
	s := &Script{First: math.MaxInt64}
	m := c.hand(s, &c.People[0], 0, physics.Vec{})
	began, from := m.t, m.to
	m.arc(from.Plus(physics.Vec{X: 250}), 0)
	if took := m.t - began; took < 620*time.Millisecond || took >= 628*time.Millisecond {
		t.Errorf("250 mm at 500 mm/s take %v, want 120 ms and half a second, to the next key", took)
	}
	if by := m.h.Keys[1].At - m.h.Keys[0].At; by != 8*time.Millisecond {
		t.Errorf("keys are %v apart, want 8 ms", by)
	}
	m.t = time.Second
	shake, turns, was := 0.0, 0, 0.0
	for range 1000 {
		m.t += time.Millisecond
		x := m.shakes(0.5)
		if shake = max(shake, x); x*was < 0 {
			turns++
		}
		was = x
	}
	if math.Abs(shake-0.6) > 0.01 || turns < 17 || turns > 19 {
		t.Errorf("a hand in the air shakes by %.2f mm, %d half swings a second: want 0.6 and 18", shake, turns)
	}
	hang := func() float64 {
		s := &Script{First: math.MaxInt64}
		m := c.hand(s, &c.People[0], 0, physics.Vec{})
		m.reach(c.piles[12][0])
		c.hang(m, errand{pieces: c.piles[12], from: 12, to: 28})
		return m.to.Z
	}
	low, high := math.Inf(1), 0.0
	for range 1000 {
		z := math.Mod(hang(), 35)
		low, high = min(low, z), max(high, z)
	}
	if low < 3 || low > 3.3 || high > 22 || high < 21.7 {
		t.Errorf("pieces hang %.1f to %.1f mm over the board, want 3 to 22", low, high)
	}
	short, long := time.Hour, time.Duration(0)
	for range 400 {
		s := &Script{First: math.MaxInt64}
		c.wave(s, &c.People[0], 0)
		keys := s.Hands[0].Keys
		took := keys[len(keys)-1].At
		short, long = min(short, took), max(long, took)
	}
	if short < 700*time.Millisecond || short > 1300*time.Millisecond || long < 2400*time.Millisecond ||
		long > 4900*time.Millisecond {
		t.Errorf("waves take %v to %v with the way there and back", short, long)
	}
}

// TestMends: what was dropped or knocked is mended after the time that it is meant to take.
func TestMends(t *testing.T) {
	low, high, _ := many(t, Drop, func(_ *bench, s *Script) (list []float64) {
		for _, h := range s.Hands {
			if h.Body != nil {
				continue
			}
			for _, o := range s.Hands {
				for i := 1; o.Body != nil && i < len(o.Grips); i++ {
					if o.Grips[i-1].To == h.Grips[0].From {
						list = append(list, (o.Grips[i].From - o.Grips[i-1].To).Seconds())
					}
				}
			}
		}
		return list
	})
	if low < 0.40 || low > 0.56 || high < 1.75 || high > 2.1 {
		t.Errorf("what fell is lifted %.2f to %.2f s later, want about 0.4 (0.2, a reach and a grip) to 2", low, high)
	}
}

// TestWhereSet: pieces are put around the middle of their squares, more exactly on other pieces.
func TestWhereSet(t *testing.T) {
	b := newBench(rules.Variants()[0], physics.Stack, 1)
	deck, pile, far := 0.0, 0.0, 0.0
	const n = 4000
	for range n {
		x := b.crew.target(30).X - physics.Middle(30).X
		deck, far = deck+x*x/n, max(far, math.Abs(x))
		y := b.crew.target(4).X - b.crew.pos[b.crew.piles[4][0]].X
		pile += y * y / n
	}
	if a, c := math.Sqrt(deck), math.Sqrt(pile); math.Abs(a-2.5) > 0.15 || math.Abs(c-1.2) > 0.08 || far > 7 ||
		far < 6.9 {
		t.Errorf("off by %.2f mm on the board, %.2f on a piece, %.2f at most: want 2.5, 1.2 and 7", a, c, far)
	}
}

// TestAccidents: what falls, is knocked, hangs or lies over a line does so within its figures.
func TestAccidents(t *testing.T) {
	for _, c := range []struct {
		what      string
		habit     Habits
		low, high float64
		f         func(h *physics.Hand) float64 // of a hand of which nothing is seen
	}{
		{"fall, s", Drop, 0.06, 0.06,
			func(h *physics.Hand) float64 { return (h.Grips[0].To - h.Grips[0].From).Seconds() }},
		{"knocked aside, s", Nudge, 0.06, 0.06,
			func(h *physics.Hand) float64 { return (h.Grips[0].To - h.Grips[0].From).Seconds() }},
		{"knocked aside, mm", Nudge, 5, 14, func(h *physics.Hand) float64 {
			by := h.Keys[len(h.Keys)-1].To.Minus(h.Keys[0].To)
			return math.Hypot(by.X, by.Y)
		}},
	} {
		low, high, _ := many(t, c.habit, func(_ *bench, s *Script) (list []float64) {
			for _, h := range s.Hands {
				if h.Body == nil {
					list = append(list, c.f(h))
				}
			}
			return list
		})
		room := (c.high - c.low) / 7
		if low < c.low-1e-6 || high > c.high+1e-6 || low > c.low+room || high < c.high-room {
			t.Errorf("%s: %.4g to %.4g, want %v to %v", c.what, low, high, c.low, c.high)
		}
	}
	// A hand that puts a piece half on a line puts it down twice, so far apart.
	low, high, _ := many(t, Half, func(_ *bench, s *Script) (list []float64) {
		for _, h := range s.Hands {
			for i := 1; i < len(h.Grips); i++ {
				if h.Grips[i].Slides {
					a, b := place(h, h.Grips[i].From), place(h, h.Grips[i].To)
					list = append(list, math.Hypot(a.X-b.X, a.Y-b.Y))
				}
			}
		}
		return list
	})
	if low < 16 || high > 24 || low > 17.5 || high < 22.5 {
		t.Errorf("a piece half on a line is %.1f to %.1f mm off, want 16 to 24", low, high)
	}
}

// place is where a hand is at the time of one of its keys.
func place(h *physics.Hand, at time.Duration) (v physics.Vec) {
	for _, k := range h.Keys {
		if k.At <= at {
			v = k.To
		}
	}
	return v
}

// TestCapturedStacks: the pieces of a captured stack are lifted together about as often as one by one.
func TestCapturedStacks(t *testing.T) {
	whole := 0
	for seed := range uint64(200) {
		b := newBench(rules.Variants()[1], physics.Stack, seed)
		c := b.crew
		c.piles[30] = []int{c.piles[48][0], c.piles[49][0]} // a7 and b7 stand on g4
		c.piles[48], c.piles[49] = nil, nil
		lies := wood.Wood{}
		for p := range lies {
			for _, id := range c.piles[p] {
				lies[p] += wood.Pile(c.letter(id))
			}
		}
		lies[30], lies[14] = "P", "" // g2 takes both
		want := c.goals(&lies, 14)
		if list := c.plan(&want); len(list) == 2 && len(list[0].pieces) == 2 {
			whole++
		} else if len(list) != 3 {
			t.Fatalf("the errands of a pawn that takes two: %v", list)
		}
	}
	if whole < 75 || whole > 125 {
		t.Errorf("%d of 200 captured stacks are lifted whole, want about half", whole)
	}
}
