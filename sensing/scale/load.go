// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"math"

	"boardd/rules"
)

// The plan of the board, in millimetres from its middle: x towards the h file and y towards the eighth rank. Squares
// have 50 mm (hardware/README.md). The cells are under the corners of the whole board, in the order a1, h1, a8, h8.
const (
	Cell    = 50.0  // a square
	Arm     = 190.0 // from the middle to a load cell, along the ranks and along the files (hardware/README.md)
	Corners = 4
	edge    = 4 * Cell
)

// sides are the directions of the corners along x and y.
var sides = [Corners][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// Squares holds the squares at which a reading has the four corners.
var Squares = [Corners]rules.Square{0, 7, 56, 63}

// Known is the set of these squares.
const Known rules.Bitboard = 1<<0 | 1<<7 | 1<<56 | 1<<63

// Side is the direction of a corner along x and y, -1 or 1.
func Side(corner int) (x, y float64) { return sides[corner][0], sides[corner][1] }

// Load is a weight and its moments about the middle of the board.
type Load struct {
	MG   float64 // milligrams
	X, Y float64 // milligrams times millimetres
}

// At is a weight at a place of the board, in mm from its middle.
func At(mg, x, y float64) Load { return Load{mg, mg * x, mg * y} }

// On is a weight on the middle of a square.
func On(mg float64, sq rules.Square) Load {
	x, y := Middle(sq)
	return At(mg, x, y)
}

// Plus is both loads together.
func (l Load) Plus(o Load) Load { return Load{l.MG + o.MG, l.X + o.X, l.Y + o.Y} }

// Minus is what a load has more than another.
func (l Load) Minus(o Load) Load { return Load{l.MG - o.MG, l.X - o.X, l.Y - o.Y} }

// Times is a load this many times as heavy.
func (l Load) Times(f float64) Load { return Load{f * l.MG, f * l.X, f * l.Y} }

// Centre is the centre of the load, in mm from the middle. Without a weight it is far away.
func (l Load) Centre() (x, y float64) {
	if l.MG == 0 {
		return math.Inf(1), math.Inf(1)
	}
	return l.X / l.MG, l.Y / l.MG
}

// Middle is where the middle of a square is, in mm from that of the board.
func Middle(sq rules.Square) (x, y float64) {
	return (float64(sq.File()) - 3.5) * Cell, (float64(sq.Rank()) - 3.5) * Cell
}

// Square is the square at a place, in mm from the middle of the board; ok is false beside the squares.
func Square(x, y float64) (sq rules.Square, ok bool) {
	if !(math.Abs(x) < edge && math.Abs(y) < edge) {
		return 0, false
	}
	return rules.SquareAt(int((x+edge)/Cell), int((y+edge)/Cell)), true
}

// Read is the load of which the corners bear bear, in milligrams.
func Read(bear *[Corners]float64) (l Load) {
	for i, mg := range bear {
		l.MG += mg
		l.X += mg * sides[i][0] * Arm
		l.Y += mg * sides[i][1] * Arm
	}
	return l
}

// Share is what each corner bears of a load, in milligrams, if the board does not bend and its feet are alike. A load
// does not determine more: a board that bends bears a part of it crosswise, which Read ignores.
func (l Load) Share() (bear [Corners]float64) {
	for i := range bear {
		bear[i] = (l.MG + (l.X*sides[i][0]+l.Y*sides[i][1])/Arm) / Corners
	}
	return bear
}

// Twist is the crosswise load of the corners, in milligrams: how much more a1 and h8 bear than h1 and a8. Its causes
// are feet that do not stand flat and a board that bends.
func Twist(bear *[Corners]float64) float64 { return (bear[0] - bear[1] - bear[2] + bear[3]) / Corners }
