// SPDX-License-Identifier: Apache-2.0

package hands

import "time"

// How hands move. Unless a source is named the figures are assumed: they are meant to be wider than what people do.
const (
	step = 8 * time.Millisecond // between two keys of a way
	// slowest: mm/s, on the way (reaching movements of 300 mm take 0.5 to 1 s: Fitts 1954 and later)
	slowest    = 250.0
	fastest    = 750.0
	quickReach = 120 * time.Millisecond // the shortest movement of a hand
	liftLow    = 12.0                   // mm, over what stands on the way
	liftHigh   = 45.0
	offCentre  = 2.5 // mm, standard deviation of where a piece is put on its square
	offPile    = 1.2 // mm, the same on another piece
	offMost    = 7.0 // mm
	tremor     = 0.6 // mm, of a hand in the air (physiological tremor of an outstretched hand: below 1 mm, 6 to 12 Hz)
	tremorHz   = 9.0
)

// How fingers press (measurements: from nothing to several times the weight, steady for tens to hundreds of
// milliseconds).
const (
	gripLow    = 60 * time.Millisecond // from the first touch until the piece leaves the board
	gripHigh   = 250 * time.Millisecond
	pressLow   = 30 * time.Millisecond // one level of pressing
	pressHigh  = 220 * time.Millisecond
	pressMost  = 3.0                   // times the weight of the piece
	pressTurn  = 12 * time.Millisecond // from one level to the next
	pressTimes = 3                     // levels at most
)

// What the habits are like.
const (
	together = 0.5 // of captured stacks are lifted whole

	pauseLow  = 150 * time.Millisecond // hesitating in the air, half on a line, between letting go and pushing in
	pauseHigh = 700 * time.Millisecond
	mendLow   = 200 * time.Millisecond // until a knocked or dropped piece is mended
	mendHigh  = 1500 * time.Millisecond
	halfLow   = 16.0 // mm off the middle of the square towards where the piece came from
	halfHigh  = 24.0
	knockLow  = 5.0 // mm that a neighbour is pushed aside
	knockHigh = 14.0
	knockFor  = 60 * time.Millisecond
	fallFor   = 60 * time.Millisecond // from 18 mm
	hangLow   = 3.0                   // mm above what stands there, of a piece over a square
	hangHigh  = 22.0
	waveLow   = 400 * time.Millisecond
	waveHigh  = 1800 * time.Millisecond

	restLow     = 500 * time.Millisecond // fingers on the edge, a weight on the rim
	restHigh    = 3 * time.Second
	fingersLow  = 3.0 // g, of fingers on the edge
	fingersHigh = 40.0
	leanMost    = 0.5 // g, in the middle of a board with a weight on its rim; as much again across
	sleeveLow   = 1.0 // g (measurements: 1 to 2)
	sleeveHigh  = 2.0
	shakeLow    = 0.4 // g on an empty square, of a knock on the table
	shakeHigh   = 4.0
	shakeFades  = 100 * time.Millisecond
	shakeSwing  = 80 * time.Millisecond
)
