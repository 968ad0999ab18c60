// SPDX-License-Identifier: Apache-2.0

package trial

import "time"

// How a game goes, and how it is judged. All are choices of this report, not measurements.
const (
	settle    = 1200 * time.Millisecond // before the first move: the converters' settling and some
	thinkLow  = 100 * time.Millisecond  // from one move to the next
	thinkHigh = 1200 * time.Millisecond
	// one of so many players at another board thinks so much longer
	thinksLong, longer = 0.1, 40
	// patience: the wood rests so long in the new position before the move counts as not recognised
	patience = 4 * time.Second
	rests    = 600 * time.Millisecond // a recognised move is watched so long for being taken back, and for alarms
	answers  = 300 * time.Millisecond // a person reads a question and answers by word
	inStep   = time.Second            // after a move was said by word
	breaks   = 3 * time.Minute        // within which the sensor fails that is to fail
	longest  = 80                     // plies of a game
	// a busy computer reads nothing for 50 ms to 5 s, the longer the seldomer, and again after some six seconds
	stallLow, stallMost = 50 * time.Millisecond, 100.0
	stallsEvery         = 6 * time.Second
	stallStep           = 2 * time.Millisecond // in which hands, wood and contacts go on meanwhile
	// lookBack: earlier positions of the wood that a move must not lead back to, as that would take moves back
	lookBack = 16
	sigmas   = 6.0 // by which the sensors can tell one wood from another
	// leanOff: g: a weight on the rim comes or goes with so much on a square, at most (hands: 0.5 in each of three ways)
	leanOff = 3.0
	// mostAll: chance of each habit in a move when all are on: drawn for each game up to this
	mostAll = 0.15
	// mostLong: the same of each habit that takes long (hands.Long), which would slow the report down
	mostLong = 0.08
	former   = 17  // of the habits, which reports of before 30 November 2026 had
	alone    = 0.6 // chance of a habit that is on alone
	highest  = 3   // cubes of a pile under the upper deck: the fourth leaves no room for fingers

	replyLate = 250 * time.Millisecond // from the last touch of a move until the hand of the reply comes over the edge

	cubeHeight = 35.0 // mm
	offCentre  = 2.5  // mm, standard deviation of where a piece stands on its square, as far as the scale may count on it
)
