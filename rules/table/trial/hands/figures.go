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
	leanLow     = 5 * time.Second // of the same things for several moves, and of a forearm
	leanHigh    = 60 * time.Second
	forearmLow  = 10.0 // g on each square, of a forearm on empty ones
	forearmHigh = 100.0
	forearmMost = 3                      // squares
	waverLow    = 500 * time.Millisecond // from one level of a long weight to the next, from 0.7 to 1.3 of it
	waverHigh   = 5 * time.Second
	rimAt       = 8.0                    // mm from the edge of the board, of fingers that rest there
	withdrawn   = 100 * time.Millisecond // what lies on a square goes for a hand that comes there
	shakeLow    = 0.4                    // g on an empty square, of a knock on the table
	shakeHigh   = 4.0
	shakeFades  = 100 * time.Millisecond
	shakeSwing  = 80 * time.Millisecond
)

// How people think with a piece in the hand. Long times are drawn so that their logarithm is even (dice.long): of 2 to
// 40 s half are below 9 s.
const (
	ponderLow  = 2 * time.Second // a piece is held in the air
	ponderHigh = 40 * time.Second
	// clearLow: mm over what stands on a square that a held piece does not go to. Nobody keeps a hand closer for
	// seconds without resting it. Below 17 mm a reed may close, and reeds alone cannot tell that from a piece that
	// stands there
	clearLow  = 20.0
	clearHigh = 80.0
	swayLow   = 300 * time.Millisecond // from one place of a tired hand to the next
	swayHigh  = 1500 * time.Millisecond
	sway      = 3.0 // mm, standard deviation of these places, along each axis
	swayMost  = 8.0 // mm

	mindLow  = 300 * time.Millisecond // another piece is held, and put back
	mindHigh = 20 * time.Second
	triedToo = 0.3 // of these pieces are tried out on another square, as in tryOut, and not held

	tryLow  = 300 * time.Millisecond // a piece stands on a square that it does not stay on
	tryHigh = 5 * time.Second
	// letGo: a piece is let go for less than this; otherwise fingers stay on it. Whoever lets go for longer has made
	// that move, on any board
	letGo     = 700 * time.Millisecond
	touchLow  = -0.3                   // weights of the piece, of fingers that stay on it: they bear so much,
	touchHigh = 0.5                    // or press so much
	touchFor  = 150 * time.Millisecond // one level of that, at least
	touchMost = 900 * time.Millisecond
	slidesOn  = 0.3 // of tried pieces are slid on, not lifted, where the way is free

	adjustMost  = 4   // pieces or piles that are straightened
	straighten  = 0.5 // of them are slid, the others lifted
	adjustLow   = 1.0 // mm that they are lifted
	adjustHigh  = 15.0
	lastAgain   = 0.3 // after a move the first one that is straightened is the moved piece
	wholePile   = 0.5 // of piles are straightened whole; of the others, from a piece that is drawn up
	slowLow     = 2 * time.Second
	slowHigh    = 30 * time.Second // from lifting the captured piece, or putting it aside, to the next touch
	captorFirst = 0.5              // of captures with thinking, the capturing piece is lifted first
)
