// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// ponder holds pieces that were lifted for long, at one place or at two.
func (c *Crew) ponder(m *mover, e errand) {
	lasts := c.dice.long(ponderLow, ponderHigh)
	if c.dice.chance(0.5) {
		first := time.Duration(c.dice.between(0.2, 0.8) * float64(lasts))
		c.think(m, e, first)
		lasts -= first
	}
	c.think(m, e, lasts)
}

// think holds pieces over where they come from, over where they go, over another square, or beside the board.
func (c *Crew) think(m *mover, e errand, lasts time.Duration) {
	p, low := aside, clearLow
	switch c.dice.IntN(4) {
	case 0:
		p, low = e.from, hangLow
	case 1:
		p, low = e.to, hangLow
	case 2:
		if p = e.to; p == aside {
			p = e.from
		}
		if p != aside {
			p = c.another(p)
		}
	}
	if to, ok := c.above(p, m.holds, low); ok {
		m.pass(to)
		m.arc(to, m.over(to))
		m.hover(lasts)
		return
	}
	m.arc(m.home(m.to), m.over(m.to))
	m.hover(lasts)
	if to := c.somewhere(e.to); c.scene.Over(to.Z) != c.scene.Over(m.to.Z) { // not through the upper deck
		m.arc(physics.Vec{X: m.to.X, Y: m.to.Y, Z: to.Z + 30}, 0)
	}
}

// another is a place on the same deck, often beside this one.
func (c *Crew) another(p wood.Place) wood.Place {
	if q, ok := c.beside(p); ok && c.dice.chance(0.5) {
		return q
	}
	return p/64*64 + wood.Place(c.dice.IntN(64))
}

// above is a point over what stands on a place, from low up. It is not ok where there is no such place, or no room for
// what is held.
func (c *Crew) above(p wood.Place, holds int, low float64) (to physics.Vec, ok bool) {
	if p == aside {
		return to, false
	}
	to = physics.Middle(int(p))
	if n := len(c.piles[p]); n > 0 {
		to = c.pos[c.piles[p][n-1]]
		to.Z += c.scene.Height
	}
	high := clearHigh
	if c.scene.Kind == physics.Twin && p < 64 {
		high = min(high, physics.Gap-6-c.scene.Height*float64(holds)-to.Z)
	}
	to.X, to.Y = to.X+c.dice.off(4, 12), to.Y+c.dice.off(4, 12)
	to.Z += c.dice.between(low, max(low, high))
	return to, high >= low
}

// hover holds what is held about where it is. A hand that does so for long sways.
func (m *mover) hover(lasts time.Duration) {
	d, about, end := &m.c.dice, m.to, m.t+lasts
	for {
		m.wait(min(end-m.t, d.time(swayLow, swayHigh)), true)
		if m.t+2*quickReach >= end {
			m.wait(max(0, end-m.t), true)
			return
		}
		to := about.Plus(physics.Vec{X: d.off(sway, swayMost), Y: d.off(sway, swayMost), Z: d.off(sway, swayMost)})
		to.Z = max(to.Z, about.Z)
		m.arc(to, 0)
	}
}

// changeMind lifts a piece that is not moved then, holds it or tries it out, and puts it back.
func (c *Crew) changeMind(m *mover, but errand) {
	other, ok := c.owned(m.who.Side, but)
	if !ok {
		return
	}
	m.reach(other.pieces[0])
	m.lift(other.pieces)
	c.gone(other)
	if c.dice.chance(triedToo) {
		if c.tryOut(m, other) {
			return
		}
	} else if lasts := c.dice.long(mindLow, mindHigh); lasts > time.Second {
		c.think(m, other, lasts)
	} else if to, ok := c.above(other.from, m.holds, hangLow); ok {
		m.arc(to, 0)
		m.hover(lasts)
	}
	m.pass(c.somewhere(other.from))
	c.set(m, other, 0)
	m.wait(c.pause(), true)
}

// owned is a piece of one side, or the upper part of a pile with such a piece on top. It comes back to its place, and
// is not what is moved.
func (c *Crew) owned(side rules.Color, but errand) (e errand, ok bool) {
	const white, black = "PNBRQK", "pnbrqk"
	own := white
	if side == rules.Black {
		own = black
	}
	for range 100 {
		p := c.dice.IntN(len(c.piles))
		pile := c.piles[p]
		n := len(pile)
		if n == 0 || !strings.ContainsRune(own, rune(c.letter(pile[n-1]))) {
			continue
		}
		k := n - 1
		for k > 0 && c.letter(pile[k-1]) != wood.Pedestal && c.dice.chance(0.3) {
			k--
		}
		if !slices.Equal(pile[k:], but.pieces) {
			return errand{pieces: slices.Clone(pile[k:]), from: wood.Place(p), to: wood.Place(p)}, true
		}
	}
	return e, false
}

// tryOut puts a piece on another square before it goes on to its own. It is let go only for a moment. When it takes
// longer fingers stay on it, because whoever lets go for long has made that move. It reports whether the piece was
// slid on to where it belongs.
func (c *Crew) tryOut(m *mover, e errand) bool {
	q, ok := c.free(e)
	if !ok {
		return false
	}
	m.pass(c.somewhere(q))
	to := c.target(q)
	c.withdraw(q, m.t)
	m.arc(to, m.over(to))
	m.s.Astray = true
	g := len(m.h.Grips) - 1
	if lasts := c.dice.long(tryLow, tryHigh); lasts < letGo {
		m.put(g)
		m.wait(lasts, true)
	} else {
		m.land(g)
		m.touch(e.pieces[0], c.mass(e.pieces), lasts)
	}
	if c.dice.chance(slidesOn) {
		c.piles[q] = slices.Clone(e.pieces)
		if on := (errand{pieces: e.pieces, from: q, to: e.to}); c.push(m, on, Push) {
			c.moved(on)
			return true
		}
		c.piles[q] = nil
	}
	m.lift(e.pieces)
	return false
}

// free is an empty place near the one that pieces go to or come from. It is not one where a king would say that the
// game is over.
func (c *Crew) free(e errand) (q wood.Place, ok bool) {
	if e.from == aside || e.to == aside {
		return q, false
	}
	king := slices.ContainsFunc(e.pieces, func(id int) bool { l := c.letter(id); return l == 'k' || l == 'K' })
	for range 20 {
		q = c.another(e.to)
		if c.dice.chance(0.3) {
			var near bool
			if q, near = c.beside(e.from%64 + e.to/64*64); !near {
				continue
			}
		}
		f, r := q%8, q/8%8
		centre := (f == 3 || f == 4) && (r == 3 || r == 4)
		if len(c.piles[q]) == 0 && q != e.from && q != e.to && !(king && centre) {
			return q, true
		}
	}
	return q, false
}

// adjust straightens pieces of either side. The first of them may be one that was just moved, unless that went aside.
func (c *Crew) adjust(m *mover, last wood.Place) {
	for range 1 + c.dice.IntN(adjustMost) {
		if last == aside || !c.dice.chance(lastAgain) {
			for range 200 {
				if last = wood.Place(c.dice.IntN(len(c.piles))); len(c.piles[last]) > 0 {
					break
				}
			}
		}
		if len(c.piles[last]) > 0 {
			c.straighten(m, last)
		}
		last = aside
	}
}

// straighten slides a pile or its upper part within its square, or lifts it a little and puts it down again.
func (c *Crew) straighten(m *mover, p wood.Place) {
	pile, k := c.piles[p], 0
	if n := len(pile); n > 1 && !c.dice.chance(wholePile) {
		k = c.dice.IntN(n)
	}
	pieces := slices.Clone(pile[k:])
	to := physics.Middle(int(p))
	if k > 0 {
		to = c.pos[pile[k-1]]
		to.X, to.Y, to.Z = to.X+c.dice.off(offPile, 3), to.Y+c.dice.off(offPile, 3), to.Z+c.scene.Height
	} else {
		to.X, to.Y = to.X+c.dice.off(offCentre, offMost), to.Y+c.dice.off(offCentre, offMost)
	}
	m.reach(pieces[0])
	if c.dice.chance(straighten) {
		m.wait(c.dice.time(gripLow, gripHigh), false)
		c.slide(m, pieces, to)
		return
	}
	m.lift(pieces)
	up := m.to
	up.Z += c.dice.between(adjustLow, adjustHigh)
	m.arc(up, 0)
	m.arc(to, 0)
	m.put(len(m.h.Grips) - 1)
}

// slowly takes a captured piece off long before its captor is moved. The hand keeps it for that time, or puts it aside
// and comes back, or keeps it while the other hand moves the captor.
func (c *Crew) slowly(m *mover, captured, captor errand) {
	m.reach(captured.pieces[0])
	m.lift(captured.pieces)
	c.gone(captured)
	lasts := c.dice.long(slowLow, slowHigh)
	switch c.dice.IntN(3) {
	case 0:
		c.think(m, captured, lasts)
		c.set(m, captured, 0)
	case 1:
		c.set(m, captured, 0)
		m.arc(m.home(m.to), m.who.Lift)
		m.wait(lasts, false)
	default:
		c.think(m, captured, lasts)
		m.arc(m.home(m.to), m.over(m.to))
		o := c.hand(m.s, m.who, m.t, c.somewhere(captor.from))
		c.carry(o, captor, 0)
		o.leave()
		m.wait(o.t-m.t, true)
		c.set(m, captured, 0)
		return
	}
	c.carry(m, captor, 0)
}
