// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math"
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
)

// within fails unless the smallest and the largest of a list lie near two bounds, inside them.
func within(t *testing.T, what string, list []float64, low, high, room float64) {
	t.Helper()
	if len(list) == 0 {
		t.Errorf("%s: none were seen", what)
		return
	}
	a, b := slices.Min(list), slices.Max(list)
	if a < low-1e-6 || a > low+room || b > high+1e-6 || b < high-room {
		t.Errorf("%s: %.4g to %.4g, want %v to %v", what, a, b, low, high)
	}
}

// part fails unless a part of n is about what is wanted.
func part(t *testing.T, what string, k, n int, want float64) {
	t.Helper()
	if got := float64(k) / float64(n); math.Abs(got-want) > 0.05 {
		t.Errorf("%s: %.3f of %d, want %v", what, got, n, want)
	}
}

// think lets a person with quick hands do something many times, always from the array.
func think(t *testing.T, n int, f func(c *Crew, m *mover)) {
	t.Helper()
	b := newBench(rules.Variants()[0], physics.Stack, 1)
	c := b.crew
	c.People[0].Speed = 1e6
	piles, pos := c.piles.clone(), slices.Clone(c.pos)
	for range n {
		c.piles, c.pos, c.spares = piles.clone(), slices.Clone(pos), nil
		s := &Script{First: math.MaxInt64}
		f(c, c.hand(s, &c.People[0], 0, physics.Vec{}))
	}
}

// pawn is the way of e2 to e4.
func pawn(c *Crew, m *mover) errand {
	e := errand{pieces: slices.Clone(c.piles[12]), from: 12, to: 28}
	m.reach(e.pieces[0])
	m.lift(e.pieces)
	c.gone(e)
	return e
}

// TestPonder: a piece is held for as long, and as high and as restlessly, as it is meant to be.
func TestPonder(t *testing.T) {
	var took, clear, high, still, swayed []float64
	think(t, 1500, func(c *Crew, m *mover) {
		e := pawn(c, m)
		began := m.t
		c.ponder(m, e)
		took = append(took, (m.t - began).Seconds())
		for _, low := range []float64{clearLow, hangLow} {
			to, _ := c.above(28, 1, low)
			high = append(high, to.Z)
			if low == clearLow {
				clear = append(clear, to.Z)
			}
		}
	})
	within(t, "held, s", took, 2, 41.5, 2)
	within(t, "over another square, mm", clear, 20, 80, 0.5)
	within(t, "over its square, mm", high, 3, 80, 0.5)
	think(t, 1, func(_ *Crew, m *mover) {
		about, first := m.to, len(m.h.Keys)
		m.hover(2000 * time.Second)
		keys, since := m.h.Keys[first-1:], m.h.Keys[first-1].At
		for i := 1; i < len(keys); i++ {
			if keys[i].At-keys[i-1].At != step {
				continue
			}
			if by := (keys[i-1].At - since).Seconds(); by > 0 { // a movement begins here
				still = append(still, by)
				swayed = append(swayed, keys[i-1].To.X-about.X)
			}
			since = keys[i].At
		}
	})
	within(t, "from sway to sway, s", still, 0.3, 1.5, 0.02)
	sum := 0.0
	for _, x := range swayed {
		sum += x * x / float64(len(swayed))
	}
	if rms, most := math.Sqrt(sum), slices.Max(swayed); math.Abs(rms-3) > 0.3 || most > 8.01 || most < 6 {
		t.Errorf("a hand sways by %.2f mm, %.2f at most: want 3 and 8", rms, most)
	}
}

// TestChangeMind: another piece of the same side is held for a while and stands where it was.
func TestChangeMind(t *testing.T) {
	var took []float64
	tried := 0
	think(t, 1500, func(c *Crew, m *mover) {
		before := c.piles.clone()
		c.changeMind(m, errand{pieces: c.piles[12], from: 12, to: 28})
		g := m.h.Grips[0]
		if p, _ := before.find(g.Pieces[0]); p == 12 || p >= 16 || len(m.h.Grips) > 2 {
			t.Fatalf("%v is lifted from %s, %d times", g.Pieces, p, len(m.h.Grips))
		}
		if len(m.h.Grips) == 2 {
			tried++
		} else {
			took = append(took, (g.To - g.From).Seconds())
		}
		for p := range before {
			if !slices.Equal(before[p], c.piles[p]) {
				t.Fatalf("%v stands on %d, want %v", c.piles[p], p, before[p])
			}
		}
	})
	within(t, "held, s", took, 0.4, 21, 1)
	part(t, "tried out", tried, 1500, 0.3)
}

// TestTryOut: a piece that stands for long where it does not stay has fingers on it.
func TestTryOut(t *testing.T) {
	var stands, touched, levels, each []float64
	slid := 0
	think(t, 1500, func(c *Crew, m *mover) {
		e := pawn(c, m)
		if c.tryOut(m, e) {
			slid++
		}
		g := m.h.Grips
		for p := range c.piles { // what comes to stand on a place later is no piece of this hand
			if len(c.piles[p]) == 0 {
				c.piles[p] = append(c.piles[p], c.piles[0][0])
			}
		}
		if g[1].Pieces[0] != g[0].Pieces[0] || g[0].Pieces[0] == c.piles[0][0] {
			t.Fatalf("%v and then %v are held", g[0].Pieces, g[1].Pieces)
		}
		stands = append(stands, (g[1].From - g[0].To).Seconds())
		for _, p := range m.s.Presses {
			n := len(p.Curve)
			if p.Curve[0].At != g[0].To || p.Curve[0].G != 0 {
				continue
			}
			touched = append(touched, (p.Curve[n-1].At - p.Curve[0].At).Seconds())
			for i := 1; i < n-1; i += 2 {
				levels = append(levels, p.Curve[i].G/c.mass(e.pieces))
				if i < n-3 {
					each = append(each, (p.Curve[i+1].At - p.Curve[i].At + pressTurn).Seconds())
				}
			}
		}
	})
	within(t, "tried out, s", stands, 0.36, 5.26, 0.15)
	within(t, "under fingers, s", touched, 0.7, 5, 0.03)
	within(t, "fingers, weights", levels, -0.3, 0.5, 0.01)
	within(t, "one level, s", each, 0.15, 0.9, 0.01)
	part(t, "slid on", slid, 1500, slidesOn)
	if slidesOn != 0.3 {
		t.Errorf("%v are slid on, want 0.3", slidesOn)
	}
	b := newBench(rules.Variants()[0], physics.Stack, 1)
	for range 500 { // no king in the centre: that would end the game
		if q, ok := b.crew.free(errand{pieces: b.crew.piles[4], from: 4, to: 20}); ok && (q == 27 || q == 28 ||
			q == 35 || q == 36) {
			t.Fatalf("the king is tried out on %s", q)
		}
	}
}

// TestAdjust: one to four pieces are slid or lifted a little.
func TestAdjust(t *testing.T) {
	var times, rises []float64
	slid, all, again := 0, 0, 0
	const n = 1000
	think(t, n, func(c *Crew, m *mover) {
		c.adjust(m, 12)
		times = append(times, float64(len(m.h.Grips)))
		if m.h.Grips[0].Pieces[0] == c.piles[12][0] {
			again++
		}
		for _, g := range m.h.Grips {
			all++
			if g.Slides {
				slid++
				continue
			}
			rise := 0.0
			for _, k := range m.h.Keys {
				if k.At > g.From && k.At < g.To {
					rise = max(rise, k.To.Z)
				}
			}
			rises = append(rises, rise)
		}
	})
	within(t, "straightened", times, 1, 4, 0)
	within(t, "lifted, mm", rises, 1, 15, 0.2)
	part(t, "slid", slid, all, 0.5)
	part(t, "the moved piece first", again, n, 0.3+0.7/32)
	whole := 0
	think(t, n, func(c *Crew, m *mover) {
		c.piles[12] = append(c.piles[12], c.piles[13][0])
		c.pos[c.piles[12][1]] = c.target(12)
		c.piles[13] = nil
		if c.straighten(m, 12); len(m.h.Grips[0].Pieces) == 2 {
			whole++
		}
	})
	part(t, "whole piles of two", whole, n, 0.75)
}

// TestSlowCapture: between the first touch of a captured piece and that of its captor there is time to think.
func TestSlowCapture(t *testing.T) {
	var took []float64
	first := 0
	const n = 1500
	captured, captor := errand{from: 48, to: aside, captured: true}, errand{from: 12, to: 48}
	think(t, n, func(c *Crew, m *mover) {
		captured.pieces, captor.pieces = slices.Clone(c.piles[48]), slices.Clone(c.piles[12])
		c.slowly(m, captured, captor)
		var a, b time.Duration
		for _, h := range m.s.Hands {
			for _, g := range h.Grips {
				if g.Pieces[0] == captured.pieces[0] {
					a = g.From
				} else {
					b = g.From
				}
			}
		}
		took = append(took, (b - a).Seconds())
		if len(c.piles[48]) != 1 || c.piles[48][0] != captor.pieces[0] {
			t.Fatalf("%v stands where %v took %v", c.piles[48], captor.pieces, captured.pieces)
		}
	})
	within(t, "to the captor, s", took, 2.2, 31.5, 1)
	think(t, n, func(c *Crew, m *mover) {
		captured.pieces, captor.pieces = slices.Clone(c.piles[48]), slices.Clone(c.piles[12])
		if c.capture(m, captured, captor, Ponder) {
			first++
		}
	})
	part(t, "the captor first", first, n, 0.5)
}

// TestLeanLong: what lies on squares does so for seconds, wavers, and goes when a hand comes.
func TestLeanLong(t *testing.T) {
	var lasts, fingers, forearm, each, squares []float64
	think(t, 4000, func(c *Crew, m *mover) {
		c.leans, c.piles = [2]lean{}, piles{}
		m.s.First = 0
		c.leanLong(m.s, m.who)
		for _, l := range m.s.Tilts {
			lasts = append(lasts, (l.To - l.From).Seconds())
			if _, rim := c.Leant(l.To - 1); !rim {
				t.Error("nobody knows of a weight on the rim")
			}
		}
		for _, p := range m.s.Presses {
			k := p.Curve
			lasts = append(lasts, (k[len(k)-1].At - k[0].At).Seconds())
			for i := 2; i < len(k)-2; i++ {
				each = append(each, (k[i].At - k[i-1].At).Seconds())
			}
			if len(m.s.Presses) == 1 && p.Square%8 < 7 {
				fingers = append(fingers, k[1].G)
			} else if p.Square%8 < 7 {
				forearm = append(forearm, k[1].G)
			}
		}
		squares = append(squares, float64(len(m.s.Presses)))
	})
	within(t, "leaning, s", lasts, 5, 60, 0.5)
	within(t, "fingers, g", fingers, 0.7*3, 1.3*40, 2)
	within(t, "forearm, g", forearm, 0.7*10, 1.3*100, 4)
	within(t, "from level to level, s", each, 0.5, 5, 0.02)
	within(t, "squares", squares, 0, 3, 0)

	c := newBench(rules.Variants()[0], physics.Stack, 1).crew
	p := c.bear(3, time.Second, 10*time.Second, 20)
	c.leans[0].presses = []*physics.Press{p}
	c.withdraw(4, 4*time.Second)
	if n := len(p.Curve); p.Curve[n-1].At != 11*time.Second {
		t.Errorf("an arm goes from d1 when a hand comes to e1, at %v", p.Curve[n-1].At)
	}
	c.withdraw(3, 4*time.Second)
	if n := len(p.Curve); p.Curve[n-1].At != 4100*time.Millisecond || p.Curve[n-1].G != 0 {
		t.Errorf("an arm goes at %v from where a hand comes after 4 s", p.Curve[n-1].At)
	}
	if on, rim := c.Leant(4 * time.Second); on != rules.Square(3).Bit() || rim {
		t.Errorf("leant on %v, %v: want d1", on, rim)
	}
	c.withdraw(3, 0)
	h := c.People[0].rests(3, time.Second, 10*time.Second)
	if at := place(h, 5*time.Second); at.X != 175 || at.Y != 8 {
		t.Errorf("fingers on d1 are at %.0f", at)
	}
	if leave(h, 4*time.Second); h.End() != 4300*time.Millisecond || place(h, 4*time.Second).Y != 8 ||
		place(h, h.End()).Y != -120 {
		t.Errorf("a hand that goes at 4 s goes at %v: %v", h.End(), h.Keys)
	}
	if on, _ := c.Leant(1100 * time.Millisecond); on != 0 {
		t.Errorf("leant on %v though the hand came first", on)
	}
}
