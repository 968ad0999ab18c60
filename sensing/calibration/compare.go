// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"
	"math"

	"boardd/rules"
	"boardd/rules/say"
)

// Drift returns one sentence for each change since a former calibration, none if there is no change. It reports
// changed wiring and dead switches. It reports a cell whose zero changed by more than 1 g or whose gain changed by
// more than 2 %. It reports a height that changed by more than 3 mm. It reports a piece that changed by more than 0.5
// g or 0.5 mm.
func (c *Calibration) Drift(former *Calibration) []string {
	var say []string
	tell := func(format string, args ...any) { say = append(say, fmt.Sprintf(format, args...)) }
	for d, deck := range []string{"lower", "upper"} {
		if c.Reeds[d] != former.Reeds[d] {
			tell("the switches of the %s deck are wired otherwise", deck)
		}
		if c.Lights[d] != former.Lights[d] {
			tell("the lights of the %s deck run otherwise", deck)
		}
	}
	if c.Cells != former.Cells {
		tell("the cells are wired otherwise")
	}
	if c.Eyes != former.Eyes {
		tell("the height sensors are wired otherwise")
	}
	drift := worstOf(func(i int) float64 { return float64(c.Empty[i]-former.Empty[i]) / 1000 })
	if math.Abs(drift.by) > 1 {
		tell("the zero of the cells has moved, the most on %v by %+.1f g", drift.at, drift.by)
	}
	gain := worstOf(func(i int) float64 { return 100 * (c.Gain[i]/former.Gain[i] - 1) })
	if math.Abs(gain.by) > 2 {
		tell("the gain of the cells has moved, the most on %v by %+.1f %%", gain.at, gain.by)
	}
	lift := worstOf(func(i int) float64 { return float64(c.Lift[i]-former.Lift[i]) / 1000 })
	if math.Abs(lift.by) > 3 {
		tell("the height sensors have moved, the most over %v by %+.1f mm", lift.at, lift.by)
	}
	if by := float64(c.CubeHeight-former.CubeHeight) / 1000; c.CubeHeight > 0 && former.CubeHeight > 0 &&
		math.Abs(by) > 0.5 {
		tell("a piece is %+.1f mm higher than before", by)
	}
	for d, deck := range []string{"lower", "upper"} {
		if dead := c.Dead[d] &^ former.Dead[d]; dead != 0 {
			tell("switches of the %s deck that closed then are dead now: %s", deck, names(dead))
		}
	}
	for _, letter := range []byte(Letters) {
		a, ok := c.Weights[letter]
		b, had := former.Weights[letter]
		if by := float64(a.MG-b.MG) / 1000; ok && had && math.Abs(by) > 0.5 {
			tell("%c weighs %+.1f g more than before", letter, by)
		}
	}
	return say
}

// extreme is the largest of 64 values, and its square.
type extreme struct {
	at rules.Square
	by float64
}

func worstOf(value func(i int) float64) extreme {
	var e extreme
	for i := range 64 {
		if v := value(i); math.Abs(v) > math.Abs(e.by) {
			e = extreme{rules.Square(i), v}
		}
	}
	return e
}

// Summary describes in sentences how the board is wired, and what did not work.
func (c *Calibration) Summary() (list []say.Said) {
	tell := func(s say.Said) { list = append(list, s) }
	decks := 1
	if c.Kind == "twin" {
		decks = 2
	}
	for d, deck := range []string{"lower", "upper"}[:decks] {
		tell(say.That("The switches of the %s deck are %s.", deck, c.Reeds[d].lie()))
		tell(say.That("The lights of the %s deck are %s.", deck, c.Lights[d].lie()))
		if c.Dead[d] != 0 {
			tell(say.That("No switch closed on %s of the %s deck: mend it and calibrate again, until then the board has to "+
				"work out what happens there.", names(c.Dead[d]), deck))
		}
	}
	switch c.Kind {
	case "stack":
		tell(say.That("The cells are %s.", c.Cells.lie()))
	case "scale":
		hundredths := func(corner int) string { return fmt.Sprintf("%.2f", c.Plate.Part[0][corner]) }
		tell(say.That("A gram on the corners at a1, h1, a8 and h8 counts as %s, %s, %s and %s g.", hundredths(0),
			hundredths(1), hundredths(2), hundredths(3)))
	case "twin":
		tell(say.That("The height sensors are %s.", c.Eyes.lie()))
	}
	return list
}

// lie says how a wiring differs from that of the reference board: it is turned or mirrored, or differs on some
// squares.
func (w *Wiring) lie() say.Said {
	ways := []say.Said{say.That("wired as on the reference board"), say.That("mirrored left to right"),
		say.That("mirrored top to bottom"), say.That("turned by 180 degrees"),
		say.That("mirrored about the long diagonal from a1 to h8"), say.That("turned by 90 degrees"),
		say.That("turned by 270 degrees"), say.That("mirrored about the diagonal from a8 to h1")}
	best, fewest := 0, 65
	var differ rules.Bitboard
	for turn := range 8 {
		for _, serpentine := range []bool{false, true} {
			var not rules.Bitboard
			for i := range w {
				if at := turned(turn, i%8, i/8, serpentine); w[i] != at {
					not |= at.Bit()
				}
			}
			if n := not.Count(); n < fewest {
				best, fewest, differ = turn, n, not
				if serpentine {
					best += 8
				}
			}
		}
	}
	way := ways[best%8]
	if best >= 8 {
		way = way.And(" ", say.That("and run to and fro"))
	}
	switch {
	case fewest == 0:
		return way
	case fewest > 32:
		return say.That("wired in an order of their own")
	}
	return way.And(", ", say.That("but for %s", names(differ)))
}
