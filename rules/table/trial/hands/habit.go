// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// Habits are things that people do besides what they have to.
type Habits uint32

// The habits. Some concern whole moves and are for whoever plays the game to carry out: Quick, Takeback.
const (
	Push        Habits = 1 << iota // a piece is pushed over the lines, not lifted
	Half                           // a piece is put half on a line, and then pushed in
	Hesitate                       // a piece hangs over squares on its way
	Nudge                          // a neighbour is knocked aside, and mended
	Drop                           // a piece slips out of the hand on its way
	Wave                           // a hand goes over the board before it works
	MoverLift                      // the capturing piece is lifted first, and the other hand takes the captured one
	SameHand                       // the capturing hand takes the captured piece while it holds the capturing piece
	PutOn                          // the capturing piece is put on the captured one, which is then pulled from under it
	TwoHands                       // two hands at once: captures, castling
	RookFirst                      // in castling
	Lean                           // a weight on the rim
	Rest                           // fingers rest on squares at the edge
	Shake                          // the table is knocked
	Sleeve                         // a sleeve lies on squares
	Quick                          // the reply begins before the first hand is away
	Takeback                       // the move is taken back by hand
	Ponder                         // a piece is held in the air for long before it is put
	ChangeMind                     // another piece is lifted first, held, and put back
	TryOut                         // the piece is put on another square first, under the fingers when that takes long
	Adjust                         // pieces are straightened before or after the move
	LeanLong                       // fingers, a forearm or a weight on the rim for several moves
	SlowCapture                    // the captured piece is taken off long before the capturing one is moved
)

// Long are the habits that let a move take tens of seconds.
const Long = Ponder | ChangeMind | SlowCapture

// names are the habits' words, in order.
var names = [...]string{"push", "half", "hesitate", "nudge", "drop", "wave", "mover-first", "same-hand", "put-on",
	"two-hands", "rook-first",
	"lean", "rest", "shake", "sleeve", "quick", "takeback",
	"ponder", "change-mind", "try-out", "adjust", "lean-long", "slow-capture"}

// Count is how many habits there are.
const Count = len(names)

// Has reports whether a habit is among these.
func (h Habits) Has(one Habits) bool { return h&one != 0 }

// String is the word of a single habit.
func (h Habits) String() string {
	for i, n := range names {
		if h == 1<<i {
			return n
		}
	}
	return "several"
}

// pause is a hand that waits.
func (c *Crew) pause() time.Duration { return c.dice.time(pauseLow, pauseHigh) }

// push pushes a pile over the board instead of lifting it, if nothing stands in its way. It reports whether it did.
func (c *Crew) push(m *mover, e errand, habits Habits) bool {
	if !habits.Has(Push) || e.from == aside || e.to == aside || e.from.Deck() != e.to.Deck() ||
		len(c.piles[e.from]) != len(e.pieces) || len(c.piles[e.to]) != 0 {
		return false
	}
	from, to := c.pos[e.pieces[0]], c.target(e.to)
	for p := range c.piles {
		if wood.Place(p) == e.from || len(c.piles[p]) == 0 || wood.Place(p).Deck() != e.to.Deck() {
			continue
		}
		if at := c.pos[c.piles[p][0]]; beside(at, from, to) < physics.CubeEdge {
			return false
		}
	}
	m.wait(c.dice.time(gripLow, gripHigh), false)
	c.slide(m, e.pieces, to)
	return true
}

// slide pushes pieces over the board from where they stand, and lets go.
func (c *Crew) slide(m *mover, pieces []int, to physics.Vec) {
	touch := m.t
	m.s.First = min(m.s.First, touch)
	m.h.Grips = append(m.h.Grips, physics.Grip{From: m.t, Pieces: pieces, Slides: true})
	m.holds += len(pieces)
	from := m.to
	speed := m.who.Speed * c.dice.between(0.3, 0.8)
	total := quickReach + time.Duration(math.Hypot(to.X-from.X, to.Y-from.Y)/speed*float64(time.Second))
	for t := step; t <= total; t += step {
		m.t += step
		m.to = from.Plus(to.Minus(from).Times(smooth(float64(t) / float64(total))))
		m.key()
	}
	m.to = to
	m.t += step
	m.key()
	weight := c.mass(pieces)
	m.press(pieces[0], touch, m.t, 0, 0, weight)
	m.put(len(m.h.Grips) - 1)
}

// half puts a pile half over the edge of its square, waits, and pushes it in. It reports whether there was room for
// that.
func (c *Crew) half(m *mover, e errand, to physics.Vec, habits Habits) bool {
	if !habits.Has(Half) || e.to == aside || len(c.piles[e.to]) != 0 {
		return false
	}
	dx, dy := m.to.X-to.X, m.to.Y-to.Y
	far := max(1, math.Hypot(dx, dy))
	by := c.dice.between(halfLow, halfHigh)
	edge := to.Plus(physics.Vec{X: dx / far * by, Y: dy / far * by})
	for p := range c.piles {
		if len(c.piles[p]) > 0 && wood.Place(p).Deck() == e.to.Deck() {
			if at := c.pos[c.piles[p][0]]; math.Abs(at.X-edge.X) < physics.CubeEdge+1 &&
				math.Abs(at.Y-edge.Y) < physics.CubeEdge+1 {
				return false
			}
		}
	}
	m.arc(edge, m.over(edge))
	m.put(len(m.h.Grips) - 1)
	m.wait(c.pause(), false)
	c.slide(m, e.pieces, to)
	return true
}

// underway is what happens to a piece on its way.
func (c *Crew) underway(m *mover, e errand, habits Habits) {
	if habits.Has(Hesitate) {
		for range 1 + c.dice.IntN(3) {
			c.hang(m, e)
		}
	}
	if habits.Has(Drop) {
		c.slip(m, e)
	}
}

// hang lets a piece hang over a square beside the one it goes to, or over that one.
func (c *Crew) hang(m *mover, e errand) {
	p, ok := c.beside(e.to)
	if c.dice.chance(0.3) || !ok {
		p = e.to
	}
	to := physics.Middle(int(p))
	if n := len(c.piles[p]); n > 0 {
		to = c.pos[c.piles[p][n-1]]
		to.Z += c.scene.Height
	}
	to.X, to.Y = to.X+c.dice.off(4, 12), to.Y+c.dice.off(4, 12)
	to.Z += c.dice.between(hangLow, hangHigh)
	if c.scene.Kind == physics.Twin && to.Z < physics.Gap && to.Z+c.scene.Height*float64(m.holds) > physics.Gap-6 {
		return
	}
	m.arc(to, m.over(to)/2)
	m.wait(c.pause(), true)
}

// beside is a place next to another one.
func (c *Crew) beside(p wood.Place) (wood.Place, bool) {
	f, r := int(p)%8+c.dice.IntN(3)-1, int(p)/8%8+c.dice.IntN(3)-1
	q := wood.Place(r*8+f) + p/64*64
	return q, f >= 0 && f < 8 && r >= 0 && r < 8 && q != p
}

// slip lets a piece fall on its way onto an empty square, and takes it up again.
func (c *Crew) slip(m *mover, e errand) {
	var p wood.Place
	for range 20 {
		if q, ok := c.beside(e.to); ok && len(c.piles[q]) == 0 {
			p = q
		}
	}
	if p == 0 || len(c.piles[p]) != 0 {
		return
	}
	to := physics.Middle(int(p))
	to.X, to.Y = to.X+c.dice.off(5, 7), to.Y+c.dice.off(5, 7)
	high := to.Plus(physics.Vec{Z: c.dice.between(10, 25)})
	c.withdraw(p, m.t)
	m.arc(high, m.over(high)/2)
	m.h.Grips[len(m.h.Grips)-1].To = m.t
	m.holds = 0
	c.glide(m.s, e.pieces, m.t, fallFor, high, to)
	m.s.Astray = true
	m.s.Contact = max(m.s.Contact, m.t+fallFor)
	m.wait(c.dice.time(mendLow, mendHigh), true)
	m.reach(e.pieces[0])
	m.lift(e.pieces)
}

// glide moves pieces without a hand: they fall, or are knocked.
func (c *Crew) glide(s *Script, pieces []int, t, takes time.Duration, from, to physics.Vec) {
	h := &physics.Hand{Grips: []physics.Grip{{From: t, To: t + takes, Pieces: pieces, Slides: from.Z == to.Z}}}
	for k := range 9 {
		u := float64(k) / 8
		at := from.Plus(to.Minus(from).Times(u))
		if from.Z > to.Z {
			at.Z = from.Z + (to.Z-from.Z)*u*u
		}
		h.Keys = append(h.Keys, physics.Key{At: t + time.Duration(u*float64(takes)), To: at})
	}
	s.Hands = append(s.Hands, h)
	was := c.pos[pieces[0]]
	for _, id := range pieces {
		c.pos[id] = c.pos[id].Plus(to.Minus(was))
	}
}

// nudge knocks a single piece beside a place out of its middle, and mends it.
func (c *Crew) nudge(m *mover, by wood.Place) {
	for range 20 {
		p, ok := c.beside(by)
		if !ok || len(c.piles[p]) != 1 {
			continue
		}
		id := c.piles[p][0]
		at := c.pos[id]
		a := c.dice.between(0, 2*math.Pi)
		far := c.dice.between(knockLow, knockHigh)
		to := at.Plus(physics.Vec{X: far * math.Cos(a), Y: far * math.Sin(a)})
		if c.crowded(to, p) {
			continue
		}
		c.glide(m.s, []int{id}, m.t, knockFor, at, to)
		m.s.Astray = true
		m.wait(knockFor+c.dice.time(mendLow, mendHigh), true)
		m.reach(id)
		m.wait(c.dice.time(gripLow, gripHigh), false)
		middle := physics.Middle(int(p))
		middle.X, middle.Y = middle.X+c.dice.off(offCentre, offMost), middle.Y+c.dice.off(offCentre, offMost)
		c.slide(m, []int{id}, middle)
		return
	}
}

// crowded reports whether a piece would stand in another one.
func (c *Crew) crowded(at physics.Vec, but wood.Place) bool {
	for p := range c.piles {
		if wood.Place(p) != but && len(c.piles[p]) > 0 && wood.Place(p).Deck() == but.Deck() {
			if q := c.pos[c.piles[p][0]]; math.Abs(at.X-q.X) < physics.CubeEdge &&
				math.Abs(at.Y-q.Y) < physics.CubeEdge {
				return true
			}
		}
	}
	return at.X < 18 || at.Y < 18 || at.X > physics.Board-18 || at.Y > physics.Board-18
}

// List returns the words of all the habits.
func (h Habits) List() (words string) {
	for i, n := range names {
		if h.Has(1 << i) {
			words += " " + n
		}
	}
	return strings.TrimSpace(words)
}

// ParseHabit reads the word of a habit, "all" or "none".
func ParseHabit(word string) (Habits, error) {
	switch i := slices.Index(names[:], word); {
	case i >= 0:
		return 1 << i, nil
	case word == "all":
		return 1<<Count - 1, nil
	case word == "none":
		return 0, nil
	}
	return 0, fmt.Errorf("habit %q: want all, none or one of %s", word, strings.Join(names[:], ", "))
}

// Names are the words of all habits, in order.
func Names() []string { return names[:] }
