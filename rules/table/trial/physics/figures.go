// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math/rand/v2"
	"time"
)

// The board: squares of 50 mm, an upper deck 150 mm above the lower one.
const (
	Square   = 50.0  // mm
	Board    = 400.0 // mm
	Gap      = 150.0 // mm, from the lower deck to the upper one
	CubeEdge = 35.0  // mm, the base of every piece, whatever its height
)

// The magnet in the base of a piece: a disc of 10 x 4 mm, N42. Its moment is remanence x volume / mu0 = 1.3 T x 314
// mm3 / mu0 = 0.325 A m2. The remanence is that of the grade (datasheet, 1.28 to 1.32 T).
const (
	fieldUnit = 3.25e4 // mT mm3: mu0/4pi x moment
	pullUnit  = 3.23e6 // g mm4: 3 mu0/4pi x moment squared
	// magnetRise: mm, from the bottom of the piece to the middle of its magnet: a floor of 1 mm and half the
	// disc
	magnetRise = 3.0
	// momentOff: standard deviation of one magnet's moment, as a part (tolerance of the disc's size and grade)
	momentOff  = 0.03
	feltWithin = 110.0 // mm across; a magnet farther away is not felt by a reed (0.01 mT) or by another magnet (1 mg)
)

// The reed under a square: 14 mm long, along the file, mounted off the centre because its field is nothing exactly
// under the magnet.
const (
	reedSouth = 11.0 // mm from the centre of the square towards the first rank; assumed, between 8 and 14 all work
	reedDepth = 5.0  // mm below the deck: 3 mm of deck and half the glass
	// reedHalf: mm: the field counts as its mean over this much to both sides (contact datasheets: 14 mm of
	// glass)
	reedHalf  = 5.0
	reedMount = 0.7 // mm, standard deviation of its place, assumed
	// ampereTurns: mT for one ampere-turn of the coils that makers test with (application notes: 10 AT is about
	// 1 mT)
	ampereTurns = 0.1
	pullInLow   = 15.0 // ampere-turns, the most sensitive of a bag (measurements: reeds of 15-30)
	pullInHigh  = 30.0
	dropLow     = 0.55 // drop-out as a part of pull-in (datasheets: 0.5 to 0.9)
	dropHigh    = 0.85
)

// A contact bounces for 0.5 to 1 ms (datasheets).
const bounceFor = time.Millisecond

// Load cells: 64 converters read at 80 samples a second (HX711).
const (
	cellEvery  = 12500 * time.Microsecond
	mechanical = 8 * time.Millisecond // time constant of beam and square, assumed for a beam of 1 kg with 50 g on it
	// cellNoise: g, standard deviation of one sample, of the middling cell; drawn from half to twice of it
	cellNoise = 0.06
	wander    = 0.03 // g, the part of the noise that is not white, with wanderFor as its memory
	wanderFor = 2 * time.Second
	gainOff   = 0.002 // standard deviation of the gain after calibration, as a part, assumed
	// creepPart: of the load, as a part, with creepFor as time constant (datasheets: 0.02 to 0.1 % in minutes)
	creepPart = 0.0006
	creepFor  = 2 * time.Minute
	driftHigh = 0.040       // g a minute (measurements: 10 to 40 mg)
	driftTurn = time.Minute // a cell drifts the other way after about so long
	tile      = 30.0        // g, the square and its half of the beam, which a knock shakes
)

// The scale: the whole board on four cells of 5 kg, one under each corner.
const (
	cornerSize   = 5.0                   // times the range, and so noise and drift, of a cell of 1 kg
	cornerArm    = 190.0                 // mm, from the middle to a cell, both ways (the building guide)
	boardMass    = 2500.0                // g, of a deck with its strips, assumed
	plateFollows = 15 * time.Millisecond // time constant of the board on its cells, assumed
	// rimPart: the rim is a part of the board here. An arm may tilt a table so far that a single cell under a square
	// shows a gram. It then presses on the rim with this many grams; assumed
	rimPart  = 800.0
	leanRamp = 150 * time.Millisecond
)

// Height sensors under the upper deck, looking down (VL6180X).
const (
	eyeHigh  = 147.0 // mm above the lower deck
	eyeMount = 0.7   // mm, standard deviation of its place
	eyeTilt  = 0.5   // degrees, standard deviation
	// coneLow: degrees, whole angle of what it sees (datasheet: 25; what it really sees is less and must be
	// measured)
	coneLow  = 12.0
	coneHigh = 16.0
	eyeNoise = 1.2  // mm, standard deviation of one range on a light surface at 100 mm (datasheet: 1 to 2)
	eyeGain  = 0.03 // off by so much of what stands above the deck, at most (measurements: 1 to 3 %)
	eyeCover = 0.7  // mm, off by its cover, standard deviation after calibration on the empty board
	// eyeMute: of ranges on a light deck are not told, because the light does not suffice; darker ones more
	// often
	eyeMute   = 0.004
	deckShine = 0.5 // part of the light that comes back: deck, light and dark pieces, skin, sleeves
	lightLow  = 0.5
	lightHigh = 0.9
	// darkLow: stained wood (what is printed in black comes down to 0.05 and cannot be used with these
	// sensors); divided by the factor
	darkLow  = 0.3
	darkHigh = 0.45
	skin     = 0.6
)

// Rounds of the height sensors: dark squares and light ones take turns.
const (
	eyeBusy   = 16 * time.Millisecond // half a round while something moves
	eyeQuiet  = 40 * time.Millisecond // half a round on a board at rest
	eyeFocus  = 14 * time.Millisecond // of squares that the game waits for
	eyeLinger = 2 * time.Second       // after the last movement
)

// Rounds of the reeds.
const (
	reedBusy   = 2 * time.Millisecond
	reedQuiet  = 40 * time.Millisecond
	reedLinger = 150 * time.Millisecond
)

// Pieces.
const (
	massOff = 0.15 // g, standard deviation of one piece from its kind's mass, assumed for weighed and filled pieces
	resting = 0.05 // mm: what is not higher than this above what it stands on bears on it
)

// Draw is where a board's figures come from. Factor multiplies what is bad: 1 for parts as bought.
type Draw struct {
	*rand.Rand
	Factor float64
}

// between is evenly drawn.
func (d Draw) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

// off is drawn around nothing with a standard deviation, times the factor.
func (d Draw) off(sd float64) float64 { return d.NormFloat64() * sd * d.Factor }

// wide is drawn evenly around the middle of a range, widened by the factor, and never below a tenth of its middle.
func (d Draw) wide(low, high float64) float64 {
	mid, half := (low+high)/2, (high-low)/2*d.Factor
	return max(mid/10, d.between(mid-half, mid+half))
}
