// SPDX-License-Identifier: Apache-2.0

package route

import (
	"fmt"
	"math"
)

// Point is a place in millimetres, y downwards.
type Point struct{ X, Y float64 }

// Layer is a side of the board.
type Layer int

// The two layers of tracks.
const (
	Front Layer = iota
	Back
	layers
)

// Box is an upright rectangle.
type Box struct{ Min, Max Point }

// Holds reports whether a point is in the box.
func (b Box) Holds(p Point) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y
}

// apart is how far a point is from the box, 0 inside.
func (b Box) apart(p Point) float64 {
	return math.Hypot(max(b.Min.X-p.X, 0, p.X-b.Max.X), max(b.Min.Y-p.Y, 0, p.Y-b.Max.Y))
}

func (b Box) middle() Point { return Point{(b.Min.X + b.Max.X) / 2, (b.Min.Y + b.Max.Y) / 2} }

// Pad is copper of a part. A hole without copper is a pad of no net.
type Pad struct {
	Net  string // "" for none
	Box  Box    // its copper is within
	Core Box    // is all copper: where tracks may end
	On   [layers]bool
	Hole bool // its copper is on all layers, and it joins a plane by itself
}

// Area is a rectangle of one layer that belongs to one net: nothing else may enter it. No net at all may enter one of
// net "".
type Area struct {
	Net string
	On  Layer
	Box Box
}

// Net is what to join.
type Net struct {
	Name   string
	Widths []float64 // of its tracks, in the order of preference: the next one where the first finds no way
	// where it has a plane between the layers: each pad there gets a via instead of a track to its neighbours
	Plane []Box
}

// Rules holds the distances that a board house needs.
type Rules struct {
	Gap      float64 // between copper of different nets
	Edge     float64 // between copper and the board's edge
	Via      float64 // diameter of a via
	Drill    float64 // of its hole
	HoleGap  float64 // between holes
	HoleEdge float64 // between copper and a hole without copper
}

// Board is a rectangle from 0, 0.
type Board struct {
	Width, Height float64
	Rules         Rules
	Pads          []Pad
	Areas         []Area
	Nets          []Net
}

// Track is straight copper.
type Track struct {
	Net   string
	On    Layer
	Width float64
	A, B  Point
}

// Via joins all layers.
type Via struct {
	Net string
	At  Point
}

// Layout is what was found.
type Layout struct {
	Tracks []Track
	Vias   []Via
	Rounds int
}

// Find lays all nets. The error names all wires that it could not lay.
func Find(b Board) (Layout, error) {
	g := newGrid(b)
	wires := g.wires()
	rounds, err := g.negotiate(wires)
	if err != nil {
		return Layout{}, fmt.Errorf("find the tracks of a board of %g x %g mm: %w", b.Width, b.Height, err)
	}
	out := Layout{Rounds: rounds}
	for _, w := range wires {
		w.write(g, &out)
	}
	return out, nil
}
