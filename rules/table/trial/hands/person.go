// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math"
	"math/rand/v2"
	"time"

	"boardd/rules"
	"boardd/rules/table/trial/physics"
)

// Person is what one person's hands are like, drawn for a game.
type Person struct {
	Side  rules.Color
	Speed float64 // mm/s
	Lift  float64 // mm
	Press float64 // times the weight, at most
	body  physics.Body
}

// dice draws.
type dice struct {
	*rand.Rand
	factor float64
}

func (d dice) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

func (d dice) time(low, high time.Duration) time.Duration {
	return low + time.Duration(d.Float64()*float64(high-low))
}

// long draws a time whose logarithm is even: short ones are more frequent.
func (d dice) long(low, high time.Duration) time.Duration {
	return time.Duration(float64(low) * math.Pow(float64(high)/float64(low), d.Float64()))
}

// chance reports whether something happens that happens so often.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// off is drawn around nothing, and never more than most.
func (d dice) off(sd, most float64) float64 {
	return max(-most, min(most, d.NormFloat64()*sd*d.factor))
}

// newPerson draws one.
func newPerson(side rules.Color, d dice) Person {
	p := Person{Side: side, Speed: d.between(slowest, fastest), Lift: d.between(liftLow, liftHigh),
		Press: d.between(0.5, pressMost) * d.factor}
	p.body = physics.Body{
		Home: -120, Lean: d.between(-0.3, 0.3), Finger: d.between(3, 20), Palm: d.between(15, 55),
		Width: d.between(60, 80+20*(d.factor-1)), Shine: d.between(0.1, 0.8), Under: true,
	}
	if side == rules.Black {
		p.body.Home = physics.Board + 120
	}
	return p
}
