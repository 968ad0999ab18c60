// SPDX-License-Identifier: Apache-2.0

// Package wood says what stands where on a board: places, piles of pieces, sets of places, and how a position lies.
//
// Sensing, the lights, the virtual boards and the table use these types. A [Place] is a square of a deck, and a [Pile]
// is what stands on it. [Wood] is the piles of all places, and a [Set] is a set of places. A [Geometry] describes a
// board, and [Geometry.Lay] places a position of any game on it.
//
// The package is pure: nothing here reads a sensor or a clock.
package wood
