// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
)

// wave lets a hand go over the board without touching anything, and gives when it is done with that.
func (c *Crew) wave(s *Script, who *Person, t time.Duration) time.Duration {
	over := func() physics.Vec {
		v := physics.Middle(c.dice.IntN(64))
		v.Z = c.dice.between(20, 90)
		return v
	}
	m := c.hand(s, who, t, over())
	for end := t + c.dice.time(waveLow, waveHigh); m.t < end; {
		m.arc(over(), 10)
		if c.dice.chance(0.4) {
			m.wait(c.pause(), true)
		}
	}
	m.leave()
	return m.t - min(m.t, 2*quickReach)
}

// around is what happens to the board besides the move.
func (c *Crew) around(s *Script, who *Person, habits Habits) {
	d := &c.dice
	sometime := func() time.Duration { return d.time(s.First-min(s.First, pauseHigh), s.Release+pauseHigh) }
	if habits.Has(Lean) {
		most := leanMost * d.factor
		from := sometime()
		s.Tilts = append(s.Tilts, physics.Tilt{From: from, To: from + d.time(restLow, restHigh),
			G: d.between(-most, most), X: d.between(-most, most), Y: d.between(-most, most)})
	}
	if habits.Has(Shake) {
		for range 1 + d.IntN(2) {
			s.Knocks = append(s.Knocks, physics.Knock{At: sometime(), G: d.between(shakeLow, shakeHigh) * d.factor,
				Fades: shakeFades, Swing: shakeSwing})
		}
	}
	if habits.Has(Rest) {
		c.lay(s, c.rim(who), sometime(), d.time(restLow, restHigh), d.between(fingersLow, fingersHigh)*d.factor)
	}
	if habits.Has(Sleeve) {
		at := c.rim(who)
		if d.chance(0.5) && who.Side == rules.White {
			at += 8
		} else if d.chance(0.5) && who.Side == rules.Black {
			at -= 8
		}
		c.lay(s, at, sometime(), d.time(pauseLow, pauseHigh), d.between(sleeveLow, sleeveHigh)*d.factor)
	}
}

// rim is a square at the edge of a person.
func (c *Crew) rim(who *Person) int {
	if who.Side == rules.Black {
		return 56 + c.dice.IntN(8)
	}
	return c.dice.IntN(8)
}

// lay lets something lie on a square for a while.
func (c *Crew) lay(s *Script, square int, from, lasts time.Duration, g float64) {
	s.Presses = append(s.Presses, &physics.Press{Piece: -1, Square: square, Curve: []physics.Point{
		{At: from}, {At: from + 2*pressTurn, G: g},
		{At: from + lasts - 2*pressTurn, G: g * c.dice.between(0.7, 1.3)}, {At: from + lasts},
	}})
}
