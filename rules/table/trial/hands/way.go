// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math"
	"time"

	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// mover writes down the ways of one hand.
type mover struct {
	c     *Crew
	who   *Person
	s     *Script
	h     *physics.Hand
	t     time.Duration
	to    physics.Vec // where it is at t
	holds int         // pieces
}

// hand begins the way of a hand at the player's edge.
func (c *Crew) hand(s *Script, who *Person, t time.Duration, near physics.Vec) *mover {
	body := who.body
	m := &mover{c: c, who: who, s: s, t: t, h: &physics.Hand{Body: &body}}
	m.to = m.home(near)
	m.key()
	s.Hands = append(s.Hands, m.h)
	return m
}

// home is where the hand is when it is away.
func (m *mover) home(near physics.Vec) physics.Vec {
	return physics.Vec{X: max(0, min(physics.Board, near.X)) + m.who.body.Lean*(m.who.body.Home-near.Y),
		Y: m.who.body.Home, Z: near.Z + 30}
}

func (m *mover) key() { m.h.Keys = append(m.h.Keys, physics.Key{At: m.t, To: m.to}) }

// arc goes somewhere: up, across and down in one movement that rises so far over the straight line.
func (m *mover) arc(to physics.Vec, lift float64) {
	from := m.to
	far := math.Sqrt(square(to.X-from.X)+square(to.Y-from.Y)+square(to.Z-from.Z)) + lift
	total := quickReach + time.Duration(far/m.who.Speed*float64(time.Second))
	began := m.t
	for t := step; ; t += step {
		u := min(1, float64(t)/float64(total))
		across := smooth(max(0, min(1, (u-0.12)/0.76)))
		up := lift * smooth(min(1, u/0.35)) * smooth(min(1, (1-u)/0.35))
		m.t, m.to = began+t, from.Plus(to.Minus(from).Times(across))
		m.to.Z += up
		if m.to.X, m.to.Y = m.to.X+m.shakes(u), m.to.Y+m.shakes(u); u == 1 {
			m.to = to
		}
		m.key()
		if u == 1 {
			return
		}
	}
}

func square(x float64) float64 { return x * x }

// smooth is the part of the way after a part of the time, with the least jerk.
func smooth(u float64) float64 { return u * u * u * (10 - 15*u + 6*u*u) }

// shakes is the tremor, most of it in the middle of a way.
func (m *mover) shakes(u float64) float64 {
	return 4 * u * (1 - u) * tremor * m.c.dice.factor * math.Sin(2*math.Pi*tremorHz*m.t.Seconds())
}

// wait stays where it is; in the air a hand is never quite still.
func (m *mover) wait(d time.Duration, air bool) {
	end, still := m.t+d, m.to
	for air && m.t+3*step < end {
		m.t += 3 * step
		m.to = still.Plus(physics.Vec{X: m.shakes(0.5), Y: m.shakes(0.5), Z: m.c.dice.off(tremor/2, 1)})
		m.to.Z = max(m.to.Z, still.Z)
		m.key()
	}
	m.t, m.to = end, still
	m.key()
}

// over is how much a way has to rise to pass over what stands below it, including the extra lift of this person.
func (m *mover) over(to physics.Vec) float64 {
	high := m.c.tallest(m.to, to)
	lift := max(m.who.Lift, high+m.who.Lift/2-min(m.to.Z, to.Z))
	if m.c.scene.Kind == physics.Twin && to.Z < physics.Gap {
		room := physics.Gap - 6 - m.c.scene.Height*float64(max(1, m.holds)) - max(m.to.Z, to.Z)
		lift = max(3, min(lift, room))
	}
	return lift
}

// reach brings an empty hand to a piece.
func (m *mover) reach(piece int) {
	to := m.c.pos[piece]
	p, _ := m.c.piles.find(piece)
	m.c.withdraw(p, m.t)
	m.pass(to)
	m.arc(to, m.over(to)+m.c.scene.Height/2)
}

// pass goes round the edge when the way leads from one deck to the other.
func (m *mover) pass(to physics.Vec) {
	if m.c.scene.Over(m.to.Z) == m.c.scene.Over(to.Z) || m.outside(m.to) {
		return
	}
	out := m.home(m.to)
	m.arc(out, 5)
	out.Z = to.Z + 30
	m.arc(out, 0)
}

func (m *mover) outside(v physics.Vec) bool {
	return v.X < 0 || v.X > physics.Board || v.Y < 0 || v.Y > physics.Board
}

// lift takes pieces up: fingers close, press, bear, and the pieces leave the board.
func (m *mover) lift(pieces []int) {
	low := pieces[0]
	weight := m.c.mass(pieces)
	touch := m.t
	m.wait(m.c.dice.time(gripLow, gripHigh), false)
	m.press(low, touch, m.t, 0, -weight, weight)
	m.h.Grips = append(m.h.Grips, physics.Grip{From: m.t, Pieces: pieces})
	m.holds += len(pieces)
	m.s.First = min(m.s.First, touch)
}

// put puts down what a grip holds where the hand is, and lets go.
func (m *mover) put(g int) {
	pieces, landed := m.land(g), m.t
	weight := m.c.mass(pieces)
	m.wait(m.c.dice.time(pressLow, pressHigh), false)
	m.press(pieces[0], landed, m.t, -weight*m.c.dice.Float64(), 0, weight)
	m.s.Release = max(m.s.Release, m.t)
}

// land ends a grip where the hand is, and returns the pieces that stand there now.
func (m *mover) land(g int) []int {
	grip := &m.h.Grips[g]
	grip.To = m.t
	m.holds -= len(grip.Pieces)
	was := m.c.pos[grip.Pieces[0]]
	for _, id := range grip.Pieces {
		m.c.pos[id] = m.c.pos[id].Plus(m.to.Minus(was))
	}
	m.s.Contact = max(m.s.Contact, m.t)
	return grip.Pieces
}

// touch leaves fingers lightly on a piece that stands where the hand is.
func (m *mover) touch(piece int, weight float64, lasts time.Duration) {
	p := &physics.Press{Piece: piece, Curve: []physics.Point{{At: m.t}}}
	end := m.t + lasts
	for t := m.t; t+2*pressTurn < end; {
		g := weight * m.c.dice.between(touchLow, touchHigh)
		next := min(end-pressTurn, t+m.c.dice.time(touchFor, touchMost))
		p.Curve = append(p.Curve, physics.Point{At: t + pressTurn, G: g}, physics.Point{At: next, G: g})
		t = next
	}
	p.Curve = append(p.Curve, physics.Point{At: end})
	m.s.Presses = append(m.s.Presses, p)
	m.wait(lasts, false)
}

// press writes down what fingers do to a piece from one time to another: levels that begin and end as given.
func (m *mover) press(piece int, from, to time.Duration, first, last, weight float64) {
	p := &physics.Press{Piece: piece, Curve: []physics.Point{{At: from, G: first}}}
	levels := 1 + m.c.dice.IntN(pressTimes)
	each := (to - from) / time.Duration(levels)
	for i := range levels {
		g := m.level(weight)
		at := from + time.Duration(i)*each
		p.Curve = append(p.Curve, physics.Point{At: at + min(each/3, pressTurn), G: g},
			physics.Point{At: at + each - min(each/3, pressTurn), G: g})
	}
	p.Curve = append(p.Curve, physics.Point{At: to, G: last})
	m.s.Presses = append(m.s.Presses, p)
}

// level is how a hand presses on a piece for a while: it bears a part of it, or presses it down.
func (m *mover) level(weight float64) float64 {
	if m.c.dice.chance(0.4) {
		return -weight * m.c.dice.Float64() * 0.95
	}
	return weight * m.who.Press * square(m.c.dice.Float64())
}

// target is where pieces are put on a place now, never quite in its middle.
func (c *Crew) target(p wood.Place) physics.Vec {
	d := &c.dice
	if p == aside {
		return c.tray()
	}
	pile := c.piles[p]
	if len(pile) == 0 {
		v := physics.Middle(int(p))
		v.X, v.Y = v.X+d.off(offCentre, offMost), v.Y+d.off(offCentre, offMost)
		return v
	}
	v := c.pos[pile[len(pile)-1]]
	return physics.Vec{X: v.X + d.off(offPile, 3), Y: v.Y + d.off(offPile, 3), Z: v.Z + c.scene.Height}
}

// leave takes the hand away from the board.
func (m *mover) leave() {
	m.arc(m.home(m.to), m.over(m.to)+m.c.scene.Height/2)
}
