// SPDX-License-Identifier: Apache-2.0

package physics

import "time"

// Key is where a hand is at a time. Keys lie close together while it moves; between two it goes evenly.
type Key struct {
	At time.Duration
	To Vec // of the bottom of what it holds, or would hold
}

// Grip is what a hand holds, and when: the pieces go where the hand goes, the lowest first.
type Grip struct {
	From, To time.Duration
	Pieces   []int
	Slides   bool // the pieces bear on what is under them on their way

	held bool
	off  []Vec // of each piece from the hand
}

// Hand is one hand for as long as it is near the board.
type Hand struct {
	Keys  []Key
	Grips []Grip
	Body  *Body // nil: nothing is seen of it, as of a piece that falls
	next  int   // of Keys, the first one later than now
}

// Body is what a height sensor sees of a hand.
type Body struct {
	Home   float64 // mm, y of the player's edge: the arm comes from there
	Lean   float64 // mm in x for each mm in y, by which the arm comes aslant
	Finger float64 // mm, top of the fingers above the top of what they hold
	Palm   float64 // mm, the same of the back of the hand
	Width  float64 // mm, of the arm with its sleeve
	Shine  float64 // of the sleeve
	Under  bool    // the hand works under the upper deck
}

// Press is a force on what stands on the board, or on the board itself, besides weight: fingers that press or bear,
// a sleeve.
type Press struct {
	Piece  int // -1: on the Square
	Square int
	Curve  []Point // in the order of time; nothing before the first and after the last
}

// Lasts reports whether somebody presses at a time.
func (p *Press) Lasts(at time.Duration) bool {
	return p.Curve[0].At <= at && at < p.ends()
}

// Point is a force in g at a time. Between two points it changes evenly.
type Point struct {
	At time.Duration
	G  float64
}

// Knock shakes the board: a swing that dies away.
type Knock struct {
	At      time.Duration
	G       float64       // on an empty square, at first
	Fades   time.Duration // to a third
	Swing   time.Duration // of one swing
	Damping float64
}

// Tilt is somebody's weight on the rim: the squares bear a little more or less, evenly changing over the board.
type Tilt struct {
	From, To time.Duration
	G        float64 // in the middle
	X, Y     float64 // g more at the far edge than in the middle
}

// at is where the hand is.
func (h *Hand) at(t time.Duration) Vec {
	for h.next < len(h.Keys) && h.Keys[h.next].At <= t {
		h.next++
	}
	switch {
	case h.next == 0:
		return h.Keys[0].To
	case h.next == len(h.Keys):
		return h.Keys[h.next-1].To
	}
	a, b := h.Keys[h.next-1], h.Keys[h.next]
	return a.To.Plus(b.To.Minus(a.To).Times(float64(t-a.At) / float64(b.At-a.At)))
}

// near reports whether the hand is at the board at a time.
func (h *Hand) near(t time.Duration) bool {
	return len(h.Keys) > 0 && h.Keys[0].At <= t && t <= h.Keys[len(h.Keys)-1].At
}

// End is when the hand is away, or has let go for good where nothing is seen of it.
func (h *Hand) End() time.Duration { return h.Keys[len(h.Keys)-1].At }

// force is what the press does at a time.
func (p *Press) force(t time.Duration) float64 {
	c := p.Curve
	if len(c) == 0 || t < c[0].At || t > c[len(c)-1].At {
		return 0
	}
	for i := 1; i < len(c); i++ {
		if t <= c[i].At {
			a, b := c[i-1], c[i]
			if a.At == b.At {
				return b.G
			}
			return a.G + (b.G-a.G)*float64(t-a.At)/float64(b.At-a.At)
		}
	}
	return 0
}

// ends is when the press is over.
func (p *Press) ends() time.Duration { return p.Curve[len(p.Curve)-1].At }
