// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// Wiring is a permutation of the squares. Its entry i is the real square of what the reference wiring takes for square
// i.
type Wiring [64]rules.Square

// Straight is the reference wiring.
func Straight() (w Wiring) {
	for i := range w {
		w[i] = rules.Square(i)
	}
	return w
}

// Inverse gives, for each real square, the square of the reference wiring.
func (w *Wiring) Inverse() (inverse Wiring) {
	for i, sq := range w {
		inverse[sq] = rules.Square(i)
	}
	return inverse
}

// Weight is the weight of pieces of one kind and color.
type Weight struct {
	MG     int32 // milligrams, the mean of those weighed
	Spread int32 // milligrams, their standard deviation; 0 if only one was weighed
}

// Calibration is how one board differs from the reference board. Tables by square are by the real square, a1 first.
type Calibration struct {
	Made  time.Time
	Board string // the board's name
	Kind  string // stack, twin, scale or reeds, as configured
	Wired string // the expanders and multiplexers when it was made, if not those of the reference board

	Reeds  [2]Wiring // by deck
	Lights [2]Wiring
	Cells  Wiring
	Eyes   Wiring // the height sensors

	Dead [2]rules.Bitboard // by deck: the squares whose switch never closed

	Empty     [64]int32   // milligrams that a cell of the reference kind shows with nothing on it
	Gain      [64]float64 // factor for the milligrams beyond that, usually 0.5 to 2
	CellNoise [64]int32   // milligrams, standard deviation at rest
	Lift      [64]int32   // micrometres added to a height
	EyeNoise  [64]int32   // micrometres, standard deviation at rest
	// the light that a cover reflects into a height sensor, in 1/128 Mcps, for its register; 0 without a cover
	Crosstalk [64]int32

	Plate scale.Plate // of a scale: what its corners show, and what that is worth

	Weights    map[byte]Weight // by letter, '#' the pedestal; nil if none was weighed
	CubeHeight int32           // micrometres; 0 if not measured
}

// New returns the calibration of a board that is exactly like the reference board.
func New() Calibration {
	c := Calibration{Reeds: [2]Wiring{Straight(), Straight()}, Lights: [2]Wiring{Straight(), Straight()},
		Cells: Straight(), Eyes: Straight()}
	for i := range c.Gain {
		c.Gain[i] = 1
	}
	c.Plate = scale.Nominal()
	return c
}

// Reading corrects a reading in the reference wiring. A switch that never closed is not Known.
func (c *Calibration) Reading(r sensing.Reading) sensing.Reading {
	if r.Kind == sensing.Scale {
		return c.corners(r)
	}
	out := sensing.Reading{At: r.At, Kind: r.Kind, Deck: r.Deck}
	w := c.wiring(r.Kind, r.Deck)
	for i := range r.Known.Squares() {
		sq := w[i]
		out.Known |= 1 << sq
		if r.Closed.Has(i) {
			out.Closed |= 1 << sq
		}
		if r.Stale.Has(i) {
			out.Stale |= 1 << sq
		}
		switch r.Kind {
		case sensing.Weights:
			out.Value[sq] = int32(float64(r.Value[i]-c.Empty[sq]) * c.Gain[sq])
		case sensing.Heights:
			out.Value[sq] = r.Value[i] + c.Lift[sq]
		}
	}
	if r.Kind == sensing.Reeds {
		out.Known &^= c.Dead[r.Deck]
		out.Closed &= out.Known
	}
	return out
}

func (c *Calibration) wiring(k sensing.Kind, d sensing.Deck) *Wiring {
	switch k {
	case sensing.Weights:
		return &c.Cells
	case sensing.Heights:
		return &c.Eyes
	}
	return &c.Reeds[d]
}

// Frame converts a frame of lights to the reference wiring.
func (c *Calibration) Frame(f leds.Frame) (out leds.Frame) {
	for d := range f {
		for i, sq := range c.Lights[d] {
			out[d][i] = f[d][sq]
		}
	}
	return out
}

// Noise returns the standard deviations of one settled reading of a cell (mg) and of a height sensor (um), 0 if not
// measured. They are those of the fourth worst square, so that a few bad squares do not make recognition slow on all
// others.
func (c *Calibration) Noise() (cellMG, eyeUM int32) { return worst(c.CellNoise), worst(c.EyeNoise) }

func worst(v [64]int32) int32 {
	s := v
	for i := range s { // a few steps of an insertion sort of 64 values
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s[60]
}
