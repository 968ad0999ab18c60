// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
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

// lean is what one person leans on the board with for several moves.
type lean struct {
	presses []*physics.Press
	hand    *physics.Hand // whose fingers these are, where height sensors may see it
	until   time.Duration // a weight is on the rim so long; as for squares see presses
}

// ends is when somebody has stopped to lean.
func (l *lean) ends() (t time.Duration) {
	t = l.until
	for _, p := range l.presses {
		t = max(t, p.Curve[len(p.Curve)-1].At)
	}
	return t
}

// leanLong lets fingers, a forearm or a weight stay at the edge of a person while the game goes on. Nothing happens
// while something of that person is there already. A forearm lies on squares that are empty.
func (c *Crew) leanLong(s *Script, who *Person) {
	l, d := &c.leans[who.Side], &c.dice
	from := s.Release + d.time(0, 2*pauseHigh)
	if from < l.ends() {
		return
	}
	*l = lean{}
	lasts, at := d.long(leanLow, leanHigh), c.rim(who)
	bear := func(at int, g float64) {
		p := c.bear(at, from, lasts, g*d.factor)
		l.presses, s.Presses = append(l.presses, p), append(s.Presses, p)
	}
	switch d.IntN(3) {
	case 0:
		most := leanMost * d.factor
		l.until = from + lasts
		s.Tilts = append(s.Tilts, physics.Tilt{From: from, To: l.until, G: d.between(-most, most),
			X: d.between(-most, most), Y: d.between(-most, most)})
	case 1:
		bear(at, d.between(fingersLow, fingersHigh))
		if c.scene.Kind == physics.Twin {
			l.hand = who.rests(at, from, lasts)
			s.Hands = append(s.Hands, l.hand)
		}
	case 2:
		for end := at/8*8 + 8; at < end && len(l.presses) < forearmMost; at++ {
			if len(c.piles[at]) == 0 {
				bear(at, d.between(forearmLow, forearmHigh))
			}
		}
	}
}

// rests is a hand whose fingers lie on the edge of a square at the rim.
func (who *Person) rests(square int, from, lasts time.Duration) *physics.Hand {
	body := who.body
	to := physics.Middle(square)
	to.Y = rimAt
	if who.Side == rules.Black {
		to.Y = physics.Board - rimAt
	}
	away := physics.Vec{X: to.X, Y: body.Home, Z: 30}
	return &physics.Hand{Body: &body, Keys: []physics.Key{{At: from, To: away}, {At: from + 3*withdrawn, To: to},
		{At: from + lasts - 3*withdrawn, To: to}, {At: from + lasts, To: away}}}
}

// bear is a force on a square that comes, wavers and goes.
func (c *Crew) bear(square int, from, lasts time.Duration, g float64) *physics.Press {
	p := &physics.Press{Piece: -1, Square: square, Curve: []physics.Point{{At: from}}}
	end := from + lasts
	for t := from + 2*pressTurn; t < end-2*pressTurn; t += c.dice.time(waverLow, waverHigh) {
		p.Curve = append(p.Curve, physics.Point{At: t, G: g * c.dice.between(0.7, 1.3)})
	}
	p.Curve = append(p.Curve, physics.Point{At: end - pressTurn, G: p.Curve[len(p.Curve)-1].G}, physics.Point{At: end})
	return p
}

// withdraw takes away what lies on a square long, at a time: a hand comes to it.
func (c *Crew) withdraw(square wood.Place, at time.Duration) {
	for i := range c.leans {
		for _, p := range c.leans[i].presses {
			n := len(p.Curve)
			if h := c.leans[i].hand; h != nil && p.Square == int(square) {
				leave(h, at)
			}
			if p.Square != int(square) || p.Curve[n-1].At <= at {
				continue
			}
			for n > 1 && p.Curve[n-1].At > at {
				n--
			}
			g := p.Curve[n-1].G
			p.Curve = append(p.Curve[:n:n], physics.Point{At: max(at, p.Curve[n-1].At), G: g},
				physics.Point{At: max(at, p.Curve[n-1].At) + withdrawn})
		}
	}
}

// leave takes a hand that rests away, at a time.
func leave(h *physics.Hand, at time.Duration) {
	n := len(h.Keys)
	for n > 1 && h.Keys[n-1].At > at {
		n--
	}
	if n < len(h.Keys) {
		from, away := h.Keys[n-1], h.Keys[len(h.Keys)-1].To
		at = max(at, from.At)
		h.Keys = append(h.Keys[:n:n], physics.Key{At: at, To: from.To}, physics.Key{At: at + 3*withdrawn, To: away})
	}
}

// Leant says on which squares somebody leans, or has leant after a time, and whether a weight was on the rim. Weights
// say little of these.
func (c *Crew) Leant(since time.Duration) (squares rules.Bitboard, rim bool) {
	for i := range c.leans {
		l := &c.leans[i]
		rim = rim || l.until > since
		for _, p := range l.presses {
			if p.Curve[len(p.Curve)-1].At > since {
				squares |= rules.Square(p.Square).Bit()
			}
		}
	}
	return squares, rim
}
