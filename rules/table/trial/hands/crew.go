// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// Crew is the two people at a board, and what they know of it.
type Crew struct {
	People [2]Person

	scene  *physics.Scene
	masses [128]float64 // g, by letter
	dice   dice
	piles  piles         // as they will stand when all that is written down has been done
	pos    []physics.Vec // of each piece, likewise
	spares []int         // pieces beside the board
	leans  [2]lean       // of each of the people, the last long one
}

// Script is what hands do for one move.
type Script struct {
	Hands   []*physics.Hand
	Presses []*physics.Press
	Knocks  []physics.Knock
	Tilts   []physics.Tilt
	First   time.Duration // the first touch of a piece
	Contact time.Duration // a piece came to stand, the last time
	Release time.Duration // a piece was let go, the last time
	End     time.Duration // all hands are away, and nothing presses or shakes any more but long leaning
	Astray  bool          // a piece fell, was knocked or tried out, and was for a while where it does not belong
}

// New sets the pieces up and seats two people.
func New(scene *physics.Scene, start *wood.Wood, masses [128]float64, r *rand.Rand, factor float64) *Crew {
	c := &Crew{scene: scene, masses: masses, dice: dice{r, factor}}
	c.People = [2]Person{newPerson(rules.White, c.dice), newPerson(rules.Black, c.dice)}
	for p := range start {
		for i := range len(start[p]) {
			at := c.target(wood.Place(p))
			c.piles[p] = append(c.piles[p], c.add(start[p][i], at))
		}
	}
	return c
}

// add puts a new piece somewhere.
func (c *Crew) add(letter byte, at physics.Vec) int {
	c.pos = append(c.pos, at)
	return c.scene.Add(letter, c.masses[letter], at)
}

func (c *Crew) letter(id int) byte { return c.scene.Pieces[id].Letter }

func (c *Crew) mass(pieces []int) (g float64) {
	for _, id := range pieces {
		g += c.scene.Pieces[id].Mass
	}
	return g
}

// tray is a place beside the board.
func (c *Crew) tray() physics.Vec {
	x := -120.0
	if c.dice.chance(0.5) {
		x = physics.Board + 120
	}
	return physics.Vec{X: x, Y: c.dice.between(0, physics.Board)}
}

// tallest is the height of the highest pile under a straight way.
func (c *Crew) tallest(from, to physics.Vec) (z float64) {
	upper := c.scene.Over(to.Z)
	for p := range c.piles {
		n := len(c.piles[p])
		if n == 0 || (p >= 64) != upper {
			continue
		}
		if top := c.pos[c.piles[p][n-1]]; beside(top, from, to) < 40 {
			z = max(z, top.Z+c.scene.Height)
		}
	}
	return z
}

// beside is how far a point lies beside a straight way, in mm.
func beside(p, from, to physics.Vec) float64 {
	x, y := to.X-from.X, to.Y-from.Y
	u := 0.0
	if d := x*x + y*y; d > 0 {
		u = max(0, min(1, ((p.X-from.X)*x+(p.Y-from.Y)*y)/d))
	}
	return math.Hypot(p.X-from.X-u*x, p.Y-from.Y-u*y)
}

// Play writes down how a person brings the wood to what it is to be, beginning at a time. The move, if it is one,
// begins on from.
func (c *Crew) Play(t time.Duration, side rules.Color, after *wood.Wood, from wood.Place, habits Habits) (*Script,
	error) {
	s := &Script{First: math.MaxInt64}
	who := &c.People[side]
	want := c.goals(after, from)
	list := c.plan(&want)
	if len(list) == 0 {
		return nil, fmt.Errorf("nothing has to be carried")
	}
	if habits.Has(Wave) {
		t = c.wave(s, who, t)
	}
	m := c.hand(s, who, t, c.pos[list[0].pieces[0]])
	adjusts := habits.Has(Adjust)
	if adjusts && c.dice.chance(0.5) {
		c.adjust(m, aside)
		adjusts = false
	}
	if habits.Has(ChangeMind) {
		c.changeMind(m, list[0])
	}
	c.work(m, c.ordered(list, habits), habits)
	if adjusts {
		c.adjust(m, list[len(list)-1].to)
	}
	m.leave()
	c.around(s, who, habits)
	for _, h := range s.Hands {
		s.End = max(s.End, h.End())
	}
	for _, p := range s.Presses {
		s.End = max(s.End, p.Curve[len(p.Curve)-1].At)
	}
	for _, l := range s.Tilts {
		s.End = max(s.End, l.To)
	}
	if habits.Has(LeanLong) {
		c.leanLong(s, who)
	}
	for _, h := range s.Hands {
		for i := 1; i < len(h.Keys); i++ {
			if h.Keys[i].At < h.Keys[i-1].At {
				return nil, fmt.Errorf("a hand goes back in time at %v", h.Keys[i].At)
			}
		}
	}
	return s, c.check(after)
}

// check reports pieces that the hands did not bring where they were to stand: an error of this package.
func (c *Crew) check(after *wood.Wood) error {
	for p := range after {
		got := ""
		for _, id := range c.piles[p] {
			got += string(c.letter(id))
		}
		if got != string(after[p]) {
			return fmt.Errorf("%s has %q, want %q", wood.Place(p), got, after[p])
		}
	}
	return nil
}

// ordered puts the king's and the rook's errand of castling into the order of this move.
func (c *Crew) ordered(list []errand, habits Habits) []errand {
	if len(list) == 2 && list[0].to != aside && list[1].to != aside && list[0].to != list[1].to &&
		list[0].from != list[1].to {
		king := func(e errand) bool { l := c.letter(e.pieces[0]); return l == 'k' || l == 'K' }
		if king(list[0]) == habits.Has(RookFirst) && (king(list[0]) || king(list[1])) && list[0].to != list[1].from {
			slices.Reverse(list)
		}
	}
	return list
}

// moved takes over that an errand is done.
func (c *Crew) moved(e errand) {
	if e.from == aside {
		c.spares = slices.DeleteFunc(c.spares, func(id int) bool { return slices.Contains(e.pieces, id) })
	} else {
		c.piles[e.from] = c.piles[e.from][:len(c.piles[e.from])-len(e.pieces)]
	}
	if e.to == aside {
		c.spares = append(c.spares, e.pieces...)
	} else {
		c.piles[e.to] = append(c.piles[e.to], e.pieces...)
	}
}

// work does the errands one after the other, two at once where the habit is so. One of them may take long.
func (c *Crew) work(m *mover, list []errand, habits Habits) {
	ponders := -1
	if habits.Has(Ponder) {
		ponders = c.dice.IntN(len(list))
	}
	for i := 0; i < len(list); i++ {
		e, now := list[i], habits
		if i+1 < len(list) {
			next := list[i+1]
			takes := e.captured && len(e.pieces) == 1 && len(c.piles[e.from]) == 1 && next.to == e.from && next.from != aside
			switch {
			case e.captured && !next.captured && habits.Has(SlowCapture):
				c.slowly(m, e, next)
				i++
				continue
			case takes && c.capture(m, e, next, habits):
				i++
				continue
			case habits.Has(TwoHands) && !takes && e.to != aside && e.to != next.from && e.to != next.to &&
				next.to != aside && e.from != next.to:
				c.both(m, e, next)
				i++
				continue
			}
		}
		if i != ponders {
			now &^= Ponder
		}
		if e.from != aside && e.to != aside {
			habits &^= TryOut // not of the next one as well
		}
		c.carry(m, e, now)
	}
}

// carry does one errand.
func (c *Crew) carry(m *mover, e errand, habits Habits) {
	m.reach(e.pieces[0])
	c.withdraw(e.to, m.t)
	if c.push(m, e, habits) {
		c.moved(e)
		return
	}
	m.lift(e.pieces)
	c.gone(e)
	if habits.Has(Ponder) {
		c.ponder(m, e)
	}
	if habits.Has(TryOut) && c.tryOut(m, e) {
		return
	}
	m.pass(c.somewhere(e.to))
	if e.to != aside {
		c.underway(m, e, habits)
	}
	c.set(m, e, habits)
}

// gone takes what is lifted off its pile; set adds it to the other.
func (c *Crew) gone(e errand) {
	if e.from != aside {
		c.piles[e.from] = c.piles[e.from][:len(c.piles[e.from])-len(e.pieces)]
	} else {
		c.spares = slices.DeleteFunc(c.spares, func(id int) bool { return slices.Contains(e.pieces, id) })
	}
}

// somewhere is the middle of a place.
func (c *Crew) somewhere(p wood.Place) physics.Vec {
	if p == aside {
		return physics.Vec{X: -120}
	}
	return physics.Middle(int(p))
}

// set puts down what is held, where it belongs.
func (c *Crew) set(m *mover, e errand, habits Habits) {
	g := len(m.h.Grips) - 1
	to := c.target(e.to)
	if !c.half(m, e, to, habits) {
		m.arc(to, m.over(to))
		m.put(g)
	}
	if e.to == aside {
		c.spares = append(c.spares, e.pieces...)
	} else {
		c.piles[e.to] = append(c.piles[e.to], e.pieces...)
	}
	if e.to != aside && habits.Has(Nudge) {
		c.nudge(m, e.to)
	}
}

// Check reports pieces that do not stand where the hands believe to have put them, once all is done: an error of
// this package.
func (c *Crew) Check() error {
	for p := range c.piles {
		for i, id := range c.piles[p] {
			at, middle := c.scene.Pieces[id].At, physics.Middle(p)
			if off := at.Minus(c.pos[id]); math.Abs(off.X)+math.Abs(off.Y)+math.Abs(off.Z) > 0.01 {
				return fmt.Errorf("%c of %s stands at %.1f, put at %.1f", c.letter(id), wood.Place(p), at, c.pos[id])
			}
			if math.Hypot(at.X-middle.X, at.Y-middle.Y) > physics.Square/2 ||
				math.Abs(at.Z-middle.Z-float64(i)*c.scene.Height) > 0.01 {
				return fmt.Errorf("%c, piece %d of %s, stands at %.1f", c.letter(id), i, wood.Place(p), at)
			}
		}
	}
	return nil
}
