// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"time"

	"boardd/rules/table/trial/physics"
)

// capture takes a piece in one of the ways that are not one thing after the other, and reports whether the habits
// know one.
func (c *Crew) capture(m *mover, captured, captor errand, habits Habits) bool {
	switch {
	case habits.Has(SameHand):
		c.sameHand(m, captured, captor, habits)
	case habits.Has(MoverLift), habits.Has(TwoHands):
		c.otherHand(m, captured, captor, habits)
	case habits.Has(PutOn) && len(captor.pieces) == 1 && captured.from.Deck() == captor.from.Deck() && c.room(2):
		c.pulledFrom(m, captured, captor)
	case habits.Has(Ponder) && c.dice.chance(captorFirst):
		if c.dice.chance(0.5) {
			c.sameHand(m, captured, captor, habits)
		} else {
			c.otherHand(m, captured, captor, habits|MoverLift)
		}
	default:
		return false
	}
	return true
}

// room reports whether a pile of this many pieces, held up, has room under the upper deck.
func (c *Crew) room(n int) bool {
	return c.scene.Kind != physics.Twin || float64(n)*c.scene.Height+20 < physics.Gap
}

// sameHand lifts the captor, brings it to the captured piece, takes that into the palm, and puts the captor down.
func (c *Crew) sameHand(m *mover, captured, captor errand, habits Habits) {
	m.reach(captor.pieces[0])
	m.lift(captor.pieces)
	held := len(m.h.Grips) - 1
	c.gone(captor)
	if habits.Has(Ponder) {
		c.ponder(m, captor)
	}
	m.pass(c.pos[captured.pieces[0]])
	above := c.pos[captured.pieces[0]].Plus(physics.Vec{X: c.dice.between(-15, 15), Y: c.dice.between(-15, 15),
		Z: c.scene.Height + c.dice.between(3, 12)})
	m.arc(above, m.over(above))
	m.wait(c.dice.time(gripLow, gripHigh), true)
	from := c.pos[captured.pieces[0]]
	up := from.Plus(physics.Vec{X: c.dice.between(-10, 10), Y: m.toPlayer(30), Z: c.scene.Height + 15})
	takes := quickReach + c.dice.time(0, quickReach)
	began := m.t
	c.gone(captured)
	c.withdraw(captor.to, began)
	to := c.target(captor.to)
	m.wait(takes, true)
	m.arc(to, 4)
	m.put(held)
	c.piles[captor.to] = append(c.piles[captor.to], captor.pieces...)
	landed := m.t
	m.leave()
	c.palm(m, captured.pieces, began, takes, landed, from, up)
	c.spares = append(c.spares, captured.pieces...)
}

// toPlayer is a way along y towards the player.
func (m *mover) toPlayer(mm float64) float64 {
	if m.who.body.Home > m.to.Y {
		return mm
	}
	return -mm
}

// palm is the way of a piece held in the palm. It goes up from where it stood, stays there until the hand lets go of
// the other one, and leaves with the hand.
func (c *Crew) palm(m *mover, pieces []int, began, takes, landed time.Duration, from, up physics.Vec) {
	h := &physics.Hand{}
	for k := range 9 {
		u := float64(k) / 8
		h.Keys = append(h.Keys, physics.Key{At: began + time.Duration(u*float64(takes)),
			To: from.Plus(up.Minus(from).Times(smooth(u)))})
	}
	away := c.tray()
	h.Keys = append(h.Keys, physics.Key{At: landed, To: up}, physics.Key{At: m.t, To: away})
	h.Grips = []physics.Grip{{From: began, To: m.t, Pieces: pieces}}
	m.s.Hands = append(m.s.Hands, h)
	for _, id := range pieces {
		c.pos[id] = away
	}
	m.press(pieces[0], began-min(began, gripLow), began, 0, -c.mass(pieces), c.mass(pieces))
}

// otherHand lets one hand take the captured piece and the other one bring the captor, which waits until its square is
// free.
func (c *Crew) otherHand(m *mover, captured, captor errand, habits Habits) {
	late := c.dice.time(0, 3*quickReach)
	if habits.Has(MoverLift) {
		late = 0
	}
	m.t += late
	m.reach(captor.pieces[0])
	m.lift(captor.pieces)
	c.gone(captor)
	if habits.Has(Ponder) {
		c.ponder(m, captor)
	}
	second := m.t
	if !habits.Has(MoverLift) {
		second = max(0, m.t-late-2*quickReach)
	}
	o := c.hand(m.s, m.who, second, c.pos[captured.pieces[0]])
	o.reach(captured.pieces[0])
	o.lift(captured.pieces)
	c.gone(captured)
	free := o.t
	c.set(o, captured, 0)
	o.leave()
	m.pass(c.somewhere(captor.to))
	near := physics.Middle(int(captor.to))
	near.Z += c.scene.Height + 20
	m.arc(near, m.over(near))
	if m.t < free+quickReach {
		m.wait(free+quickReach-m.t, true)
	}
	c.set(m, captor, habits&(Half|Nudge))
}

// pulledFrom puts the captor on the captured piece, lifts it a little, and lets the other hand take that away under
// it.
func (c *Crew) pulledFrom(m *mover, captured, captor errand) {
	m.reach(captor.pieces[0])
	m.lift(captor.pieces)
	c.gone(captor)
	on := c.target(captor.to)
	m.arc(on, m.over(on))
	m.put(len(m.h.Grips) - 1)
	m.wait(c.pause(), false)
	m.lift(captor.pieces)
	up := on.Plus(physics.Vec{Z: c.dice.between(6, 25)})
	m.arc(up, 0)
	o := c.hand(m.s, m.who, max(0, m.t-3*quickReach), c.pos[captured.pieces[0]])
	o.reach(captured.pieces[0])
	if o.t < m.t {
		o.wait(m.t-o.t, false)
	}
	o.lift(captured.pieces)
	c.gone(captured)
	side := c.pos[captured.pieces[0]].Plus(physics.Vec{Y: o.toPlayer(physics.Square), Z: 3})
	o.arc(side, 3)
	free := o.t
	c.set(o, captured, 0)
	o.leave()
	if m.t < free {
		m.wait(free-m.t, true)
	}
	c.set(m, captor, 0)
}

// both does two errands with two hands at about the same time.
func (c *Crew) both(m *mover, one, two errand) {
	o := c.hand(m.s, m.who, m.t+c.dice.time(0, 3*quickReach), c.pos[two.pieces[0]])
	for i, e := range []errand{one, two} {
		hand := m
		if i == 1 {
			hand = o
		}
		c.carry(hand, e, 0)
	}
	o.leave()
}
