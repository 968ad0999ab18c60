package calibration

import (
	"fmt"
	"math"

	"boardd/rules"
)

// Drift says in sentences what has changed since a former calibration: wiring, the zero of cells by more than a gram, gain by
// more than one part in fifty, heights by more than 3 mm, pieces by more than half a gram. None is no sentence.
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
	for _, letter := range []byte(Letters) {
		a, ok := c.Weights[letter]
		b, had := former.Weights[letter]
		if by := float64(a.MG-b.MG) / 1000; ok && had && math.Abs(by) > 0.5 {
			tell("%c weighs %+.1f g more than before", letter, by)
		}
	}
	return say
}

// extreme is the largest of 64 values and where it is.
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
