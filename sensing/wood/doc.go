// SPDX-License-Identifier: Apache-2.0

// Package wood says what stands where on a board: places, piles of pieces, sets of places, and how a position lies.
//
// Sensing, the lights, the virtual boards and the table all speak of the wood in these words. A [Place] is a square of
// a deck, a [Pile] is what stands on it, [Wood] is the piles of all places, and a [Set] is some of the places. A
// [Geometry] is what a board is; [Geometry.Lay] says how a position of any game lies on it.
//
// The package is pure: nothing here reads a sensor or a clock.
package wood
