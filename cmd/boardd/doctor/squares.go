// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"strings"

	"boardd/hardware/rig"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// squares says which squares never answered, and which show something impossible.
func (d *examination) squares(r *rig.Rig, all map[sense]*samples, lost *wiring, calibrated bool) {
	want := []sense{{sensing.Reeds, sensing.Lower}}
	if r.Geometry.TwoDecks {
		want = append(want, sense{sensing.Reeds, sensing.Upper})
	}
	if r.Geometry.Weights {
		want = append(want, sense{sensing.Weights, sensing.Lower})
	}
	if r.Geometry.Scale {
		want = append(want, sense{sensing.Scale, sensing.Lower})
	}
	if r.Geometry.Heights {
		want = append(want, sense{sensing.Heights, sensing.Lower})
	}
	for _, k := range want {
		f := all[k]
		if f == nil {
			f = &samples{}
		}
		missing := ^f.known
		if k.kind == sensing.Scale {
			missing &= scale.Known
		}
		if k.kind == sensing.Reeds && missing != 0 && missing&^r.Dead[k.deck] == 0 {
			d.find("squares: "+k.String(),
				mend("no switch closed on "+rig.SquareList(missing)+" when the board was calibrated, and it is not listened to",
					"mend it, then boardd calibrate"), "")
			continue
		}
		if missing != 0 && k.kind != sensing.Weights && k.kind != sensing.Scale && (lost.dead || len(lost.silent) > 0) {
			d.find("squares: "+k.String(), mend("no answer from "+rig.SquareList(missing), "see the bus and its chips above"),
				"")
			continue
		}
		if missing != 0 && k.kind == sensing.Scale {
			d.find("scale", mend("the load cell under the corner at "+rig.SquareList(missing)+" says nothing",
				"see what was said of the hub above, then look at its converter's plug and the cell's wires; without all four "+
					"the scale says nothing"), "")
			continue
		}
		if missing != 0 {
			d.find("squares: "+k.String(), mend("no answer from "+rig.SquareList(missing),
				"see what was said of their sensors above, then look at their wires"), "")
			continue
		}
		switch k.kind {
		case sensing.Reeds:
			d.reeds(r, k, f, stands(r, all, calibrated, k.deck))
		case sensing.Scale:
			d.balance(r, f, all[sense{sensing.Reeds, sensing.Lower}], calibrated)
		case sensing.Weights:
			d.find("squares: "+k.String(), findRestless(f), "all 64 answer, and are still")
		default:
			d.find("squares: "+k.String(), nil, "all 64 answer")
		}
	}
}

// restless is the noise, in milligrams, above which a cell is called faulty: a tenth of a pawn.
const restless = 2000

// findRestless finds cells that do not come to rest.
func findRestless(f *samples) error {
	var wild rules.Bitboard
	for sq := range rules.Square(64) {
		if f.spread(sq) > restless {
			wild |= sq.Bit()
		}
	}
	if wild == 0 {
		return nil
	}
	return mend(fmt.Sprintf("%s tremble by more than %d g", rig.SquareList(wild), restless/1000),
		"keep hands and wind away and try again; then look for a loose wire of the load cell, or a plate that touches its "+
			"neighbour")
}

// standing is what the other sensors say about the squares of a deck: where something stands and where nothing does.
// Squares in neither set are not known.
type standing struct{ yes, no rules.Bitboard }

// stands asks load cells, whose zero is known only by a calibration, and height sensors.
func stands(r *rig.Rig, all map[sense]*samples, calibrated bool, deck sensing.Deck) (s standing) {
	if deck != sensing.Lower {
		return s
	}
	least := 0.0 // half of what the smallest piece makes
	f := all[sense{sensing.Weights, deck}]
	switch {
	case r.Geometry.Weights && calibrated && f != nil:
		least = float64(lightest(r)) / 2
	case r.Geometry.Heights && all[sense{sensing.Heights, deck}] != nil:
		f, least = all[sense{sensing.Heights, deck}], float64(r.Geometry.CubeHeight)/2
	default:
		return s
	}
	for sq := range f.known.Squares() {
		switch v := f.mean(sq); {
		case v > least:
			s.yes |= sq.Bit()
		case v < least/2:
			s.no |= sq.Bit()
		}
	}
	return s
}

// lightest is the weight of the lightest piece, in milligrams.
func lightest(r *rig.Rig) int32 {
	var least int32
	for _, mg := range r.Geometry.Mass {
		if mg > 0 && (least == 0 || mg < least) {
			least = mg
		}
	}
	return least
}

// The board is examined empty or with the pieces set up: then a single switch that says otherwise is at fault.
const (
	arraySquares       rules.Bitboard = 0xffff_0000_0000_ffff
	mostFaultySwitches int            = 4 // this many switches may be at fault for the rest to be believed
)

// reeds compares the switches with each other and with the other sensors.
func (d *examination) reeds(r *rig.Rig, k sense, f *samples, s standing) {
	open, shut := s.yes&^f.closed, s.no&f.closed
	say := "all 64 answer. "
	array := f.closed & arraySquares
	switch {
	case array.Count() >= 32-mostFaultySwitches && (f.closed&^arraySquares).Count() <= mostFaultySwitches:
		open |= arraySquares &^ f.closed
		shut |= f.closed &^ arraySquares
		say += "The pieces are set up, and every switch feels its own"
	case f.closed == 0:
		say += "No magnet is felt. If the board is not empty, or to find switches that never close, set the pieces up as " +
			"at the start of a game and run this again"
	case f.closed.Count() <= mostFaultySwitches:
		shut |= f.closed &^ s.yes
		say += "A magnet is felt on " + rig.SquareList(f.closed) + ", and something stands there"
	default:
		say += "A magnet is felt on " + rig.SquareList(f.closed) + ": is that where the pieces stand? With the board " +
			"empty, or set up as at the start of a game, this finds switches at fault"
	}
	d.find("squares: "+k.String(), reedFault(open, shut), say)
}

func reedFault(open, shut rules.Bitboard) error {
	var what, do []string
	if shut != 0 {
		what = append(what, "closed on "+rig.SquareList(shut)+", where nothing ought to stand")
		do = append(do, "if nothing stands there, its switch is shorted: look for solder between its input and ground, or "+
			"a reed that sticks")
	}
	if open != 0 {
		what = append(what, "open on "+rig.SquareList(open)+", where a piece ought to stand")
		do = append(do, "if a piece stands there, turn it round; if it stays so with another piece as well, look for an "+
			"open wire to its reed or a reed that is broken")
	}
	if what == nil {
		return nil
	}
	return mend("switches are "+strings.Join(what, ", and "), "%s", strings.Join(do, "; "))
}
