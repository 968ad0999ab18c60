// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// Table is a physical world and two hands at it.
type Table struct {
	World *physics.World
	hands [2]string
}

// Wood is what stands on the table.
func (t *Table) Wood() (w wood.Wood) {
	for p := range wood.Place(wood.Places) {
		w[p] = t.pile(p)
	}
	return w
}

func (t *Table) pile(p wood.Place) wood.Pile {
	return wood.Pile(t.World.Pile(p.Deck(), p.Square()))
}

// Stand puts a wood up at once, and empties the hands.
func (t *Table) Stand(at time.Duration, w *wood.Wood) {
	t.hands = [2]string{}
	for p := range wood.Place(wood.Places) {
		if t.pile(p) != w[p] {
			t.World.Set(at, p.Deck(), p.Square(), string(w[p]), t.World.Untidy())
		}
	}
}

// Announce says which act will be done next, and when: the hand is on its way.
func (t *Table) Announce(at time.Duration, a *Act) {
	if a.Do == Discard || a.Do == Take || a.Place.Deck() != sensing.Lower {
		return
	}
	begin := max(0, at-comes)
	span := at - begin + stays + a.Span
	t.World.Hover(begin, a.Place.Square(), span)
}

// Act does one act. It returns until when the act has an effect. Acts have one on a reed, on a load cell that is
// pressed, and on a height sensor that sees the hand. An act that the wood does not allow does nothing.
func (t *Table) Act(at time.Duration, a *Act) (touch, pressed, hand time.Duration) {
	h := &t.hands[a.Hand]
	d, sq := a.Place.Deck(), a.Place.Square()
	how := t.World.Untidy()
	touch, pressed, hand = at, at, at+stays
	switch a.Do {
	case Lift:
		pile := t.pile(a.Place)
		n := len(pile) - a.Count
		if n < 0 {
			return
		}
		*h += string(pile[n:])
		t.World.Set(at, d, sq, string(pile[:n]), how)
	case Put:
		t.World.Set(at, d, sq, string(t.pile(a.Place))+*h, how)
		*h = ""
		pressed += how.Held
	case Discard:
		*h = ""
		hand = at
	case Take:
		*h += a.Pieces
		hand = at
	case Graze:
		t.World.Rock(at, d, sq, a.Span, 5_000)
		touch, pressed = at+a.Span, at+a.Span
	case Knock:
		t.World.Rock(at, d, sq, a.Span, how.Press)
		touch, pressed = at+a.Span, at+a.Span
	case Adjust:
		t.World.Shift(at, d, sq, how)
		pressed += how.Held
	case Hover:
		hand += a.Span
	}
	return touch, pressed, hand
}

// Empty reports whether both hands are empty.
func (t *Table) Empty() bool { return t.hands == [2]string{} }

// Straighten pushes a pile to the very middle of its square, as people do when the board does not notice it.
func (t *Table) Straighten(at time.Duration, p wood.Place) {
	t.World.Shift(at, p.Deck(), p.Square(), physics.Landing{Press: 10_000, Held: presses})
}
