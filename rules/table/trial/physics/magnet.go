// SPDX-License-Identifier: Apache-2.0

package physics

import "math"

// Vec is a point or a vector. x goes from the a-file to the h-file, y from the first rank to the eighth, z up from the
// lower deck.
type Vec struct{ X, Y, Z float64 }

// Plus returns the sum of two vectors.
func (a Vec) Plus(b Vec) Vec { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Minus returns the vector from b to a.
func (a Vec) Minus(b Vec) Vec { return Vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Times returns the vector made k times as long.
func (a Vec) Times(k float64) Vec { return Vec{a.X * k, a.Y * k, a.Z * k} }

func (a Vec) across(b Vec) (mm2 float64) { return (a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) }

// fieldAlong returns the y component, in mT, of the field of a magnet whose pole points up, at the displacement r
// from it. It is the field of a dipole, mu0/4pi (3 (m.r) r / r^5 - m / r^3), whose second term has no y component.
func fieldAlong(r Vec) float64 {
	r2 := r.X*r.X + r.Y*r.Y + r.Z*r.Z
	return fieldUnit * 3 * r.Z * r.Y / (r2 * r2 * math.Sqrt(r2))
}

// pull is the upward force, in g, on a magnet at the vector r from another one, both poles up. For two dipoles it is 3
// mu0 m m / 4pi r^5 z (3 - 5 z^2/r^2). Of two on top of each other it draws the upper one down and the lower one up.
func pull(r Vec) float64 {
	r2 := r.X*r.X + r.Y*r.Y + r.Z*r.Z
	return pullUnit * r.Z * (3 - 5*r.Z*r.Z/r2) / (r2 * r2 * math.Sqrt(r2))
}
