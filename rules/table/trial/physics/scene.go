// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"slices"
	"time"
)

// Kind is what a board senses with.
type Kind uint8

// The kinds of boards.
const (
	Stack Kind = iota // reeds and a load cell under every square
	Twin              // two decks of reeds, and a height sensor over every square of the lower one
	Reeds             // reeds alone
	Scale             // reeds, and a load cell under every corner of the whole board
)

// String is the kind's name in traces.
func (k Kind) String() string { return [...]string{"stack", "twin", "reeds", "scale"}[k] }

// Piece is one piece of wood.
type Piece struct {
	Letter byte
	Mass   float64 // g
	At     Vec     // the middle of its bottom

	moment float64 // of its magnet, 1 as bought
	shine  float64
	held   bool // it moves with a hand
	base   int  // the piece on which its pile stands, itself on the board
}

// Scene is a board with everything on it and around it, at a time.
type Scene struct {
	Kind    Kind
	Height  float64 // mm, of a piece
	Now     time.Duration
	Pieces  []Piece
	Hands   []*Hand
	Presses []*Press
	Knocks  []Knock
	Tilts   []Tilt
	Fault   *Fault // nil: all sensors are sound

	draw    Draw
	reeds   []reed // a1 of the lower deck first
	cells   [64]cell
	corners [4]cell // a1, h1, a8, h8
	eyes    [64]eye
	moved   bool // what stands has changed, and its effect on the sensors must be worked out again
	stirred time.Duration
	// switched: the contacts have followed their field since what stands changed, and since something moved
	switched bool
	sweeps
}

// New makes a board whose parts are drawn. Pieces are added with Add.
func New(kind Kind, height float64, d Draw) *Scene {
	s := &Scene{Kind: kind, Height: height, draw: d, moved: true}
	for i := range s.decks() * 64 {
		s.reeds = append(s.reeds, newReed(i, d))
	}
	for i := range 64 {
		s.cells[i], s.eyes[i] = newCell(d), newEye(i, d)
	}
	if kind == Scale {
		for i := range s.corners {
			s.corners[i] = newCorner(d)
		}
	}
	return s
}

func (s *Scene) decks() int {
	if s.Kind == Twin {
		return 2
	}
	return 1
}

// Add puts a new piece of a kind that weighs this many grams somewhere, and gives its number.
func (s *Scene) Add(letter byte, grams float64, at Vec) int {
	shine := s.draw.between(lightLow, lightHigh)
	if letter >= 'a' {
		shine = s.draw.between(darkLow/max(1, s.draw.Factor), darkHigh)
	}
	s.Pieces = append(s.Pieces, Piece{
		Letter: letter, Mass: grams + s.draw.off(massOff), At: at,
		moment: 1 + s.draw.off(momentOff), shine: shine,
	})
	s.moved = true
	return len(s.Pieces) - 1
}

// Advance moves everything on to a time.
func (s *Scene) Advance(t time.Duration) {
	s.Now = t
	s.Hands = slices.DeleteFunc(s.Hands, func(h *Hand) bool {
		s.carry(h)
		return t > h.End()
	})
	s.Presses = slices.DeleteFunc(s.Presses, func(p *Press) bool { return t > p.ends() })
	s.Knocks = slices.DeleteFunc(s.Knocks, func(k Knock) bool { return t > k.At+8*k.Fades })
	s.Tilts = slices.DeleteFunc(s.Tilts, func(l Tilt) bool { return t > l.To })
	if s.moved {
		s.settle()
	}
}

// carry moves what a hand holds.
func (s *Scene) carry(h *Hand) {
	for i := range h.Grips {
		g := &h.Grips[i]
		switch {
		case s.Now < g.From || g.From == g.To:
		case s.Now < g.To:
			s.take(h, g)
			s.bring(g, h.at(s.Now))
		case g.held || g.off == nil:
			s.take(h, g)
			h.next = 0
			s.bring(g, h.at(g.To))
			s.release(g)
		}
	}
}

// take begins a grip.
func (s *Scene) take(h *Hand, g *Grip) {
	if g.held || g.off != nil {
		return
	}
	g.held = true
	h.next = 0
	from := h.at(g.From)
	for _, p := range g.Pieces {
		s.Pieces[p].held = true
		g.off = append(g.off, s.Pieces[p].At.Minus(from))
	}
	s.moved = true
	h.next = 0
}

// bring puts what is held where the hand is.
func (s *Scene) bring(g *Grip, at Vec) {
	for i, p := range g.Pieces {
		s.Pieces[p].At = at.Plus(g.off[i])
	}
	s.stirred, s.switched = s.Now, false
}

// release ends a grip.
func (s *Scene) release(g *Grip) {
	g.held = false
	for _, p := range g.Pieces {
		s.Pieces[p].held = false
	}
	s.moved = true
}

// Busy reports whether a hand is near, or something presses or shakes.
func (s *Scene) Busy() bool {
	for _, h := range s.Hands {
		if h.near(s.Now) {
			return true
		}
	}
	return len(s.Presses) > 0 || len(s.Knocks) > 0 || len(s.Tilts) > 0
}

// settle works out what all that stands does to the sensors.
func (s *Scene) settle() {
	s.moved, s.switched = false, false
	for i := range s.Pieces {
		s.Pieces[i].base = s.standsOn(i)
	}
	for i := range s.reeds {
		s.reeds[i].still = s.field(&s.reeds[i], false)
	}
	if s.Kind == Stack {
		s.weigh()
	}
	for i := range s.eyes {
		s.eyes[i].known = false
	}
}

// standsOn is the lowest piece of the pile that a piece stands in.
func (s *Scene) standsOn(i int) int {
	p := &s.Pieces[i]
	low, z := i, p.At.Z
	for j := range s.Pieces {
		q := &s.Pieces[j]
		if !q.held && q.At.Z < z && q.At.Z >= s.deckOf(p.At.Z) && overlap(p.At, q.At) > 0.25 {
			low, z = j, q.At.Z
		}
	}
	return low
}

// Over reports whether a height is over the upper deck. High piles of a board with one deck reach there as well.
func (s *Scene) Over(z float64) bool { return s.Kind == Twin && z >= Gap-resting }

// deckOf is the height of the deck over which something is.
func (s *Scene) deckOf(z float64) float64 {
	if s.Over(z) {
		return Gap
	}
	return 0
}

// overlap is which part of the base of one piece lies over that of another.
func overlap(a, b Vec) float64 {
	x, y := CubeEdge-math.Abs(a.X-b.X), CubeEdge-math.Abs(a.Y-b.Y)
	if x <= 0 || y <= 0 {
		return 0
	}
	return x * y / (CubeEdge * CubeEdge)
}

// support is the height of what is under a piece that moves, and the piece on which that pile stands, -1 for the
// board.
func (s *Scene) support(at Vec) (z float64, base int) {
	z, base = s.deckOf(at.Z+resting), -1
	for i := range s.Pieces {
		p := &s.Pieces[i]
		if top := p.At.Z + s.Height; !p.held && top <= at.Z+1 && top > z && overlap(at, p.At) > 0.02 {
			z, base = top, p.base
		}
	}
	return z, base
}

// Shares is on which squares of the lower deck a base stands, and with which part of it; none beside the board.
func Shares(at Vec) (squares [4]int, part [4]float64, n int) {
	const half = CubeEdge / 2
	for f := cellOf(at.X - half); f <= cellOf(at.X+half); f++ {
		for r := cellOf(at.Y - half); r <= cellOf(at.Y+half); r++ {
			w := common(at.X, f) * common(at.Y, r) / (CubeEdge * CubeEdge)
			if f < 0 || f > 7 || r < 0 || r > 7 || w <= 0 {
				continue
			}
			squares[n], part[n] = r*8+f, w
			n++
		}
	}
	return squares, part, n
}

// cellOf is the file or rank, -1 and 8 beside the board.
func cellOf(mm float64) int {
	switch {
	case mm < 0:
		return -1
	case mm >= Board:
		return 8
	}
	return int(mm / Square)
}

// common is how many mm of a base around a middle lie in a file or rank.
func common(middle float64, i int) float64 {
	low, high := max(middle-CubeEdge/2, float64(i)*Square), min(middle+CubeEdge/2, float64(i+1)*Square)
	return max(0, high-low)
}
