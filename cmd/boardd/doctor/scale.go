// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"math"

	"boardd/hardware/rig"
	"boardd/rules"
	"boardd/sensing/scale"
)

// How much a calibrated scale may be off before it is called faulty.
const (
	// mg that an empty board may weigh: half a pawn; load cells of 5 kg drift by some grams in a warm room
	offEmpty = 10_000.0
	offArray = 0.05 // share by which the array may weigh more or less than the pieces that were weighed
	offSide  = 10.0 // mm by which the centre of the array may differ from that of the board, in each direction
	offTwist = 0.3  // share of the weight that the corners may bear crosswise
)

// balance reports whether the scale bears what the switches say: nothing, or the array.
func (d *examination) balance(r *rig.Rig, f, reeds *samples, calibrated bool) {
	if err := restlessCorners(f); err != nil {
		d.find("scale", err, "")
		return
	}
	var bear [scale.Corners]float64
	for i, sq := range scale.Squares {
		bear[i] = f.mean(sq)
	}
	load := scale.Read(&bear)
	x, y := load.Centre()
	say := fmt.Sprintf("all four corners answer and are still. It feels %.1f g", load.MG/1000)
	if load.MG > offEmpty {
		say += fmt.Sprintf(", %.0f mm right of the board's middle and %.0f mm up", x, y)
	}
	var err error
	switch {
	case !calibrated:
		say += "; it counts for nothing before boardd calibrate was run"
	case reeds == nil:
	case reeds.closed == 0:
		if math.Abs(load.MG) > offEmpty {
			err = mend(fmt.Sprintf("no switch is closed, and the scale feels %.1f g", load.MG/1000),
				"take off what lies on the board or leans on it; if nothing does, run boardd calibrate: its zero has moved")
		}
	case reeds.closed == arraySquares:
		err = arrayOnScale(r, load, scale.Twist(&bear))
	}
	d.find("scale", err, say)
}

// restlessCorners finds cells that do not come to rest.
func restlessCorners(f *samples) error {
	var wild rules.Bitboard
	for _, sq := range scale.Squares {
		if f.spread(sq) > restless {
			wild |= sq.Bit()
		}
	}
	if wild == 0 {
		return nil
	}
	return mend(fmt.Sprintf("the corners at %s tremble by more than %d g", rig.SquareList(wild), restless/1000),
		"keep hands and wind away, stand the board on a firm table and try again; then look for a loose wire of the load "+
			"cell, or a board that touches its frame")
}

// arrayOnScale compares the load and its centre with those of the array.
func arrayOnScale(r *rig.Rig, load scale.Load, twist float64) error {
	want := 0.0
	for letter, n := range map[byte]int32{'p': 8, 'n': 2, 'b': 2, 'r': 2, 'q': 1, 'k': 1} {
		want += float64(n) * float64(r.Geometry.Mass[letter]+r.Geometry.Mass[letter-'a'+'A'])
	}
	x, y := load.Centre()
	switch {
	case math.Abs(load.MG/want-1) > offArray:
		return mend(fmt.Sprintf("the pieces are set up and weigh %.0f g; they should weigh %.0f g", load.MG/1000, want/1000),
			"if hands and arms are off the board, look whether it touches its frame or a cable lifts it; then run boardd "+
				"calibrate")
	case math.Hypot(x, y) > offSide:
		return mend(fmt.Sprintf("the pieces are set up, and their centre is felt %.0f mm right of the board's middle and "+
			"%.0f mm up", x, y), "look whether one corner of the board rests on its frame instead of its cell; then run "+
			"boardd calibrate")
	case math.Abs(twist) > offTwist*load.MG:
		return mend("two corners that lie across from each other bear the board alone",
			"put a card under the foot of the corner that bears too little, until none rocks; then run boardd calibrate")
	}
	return nil
}
