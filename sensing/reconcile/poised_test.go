// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// TestPoised: what the scale says of wood that weighs otherwise than it should. It is compared with figures worked out
// apart from the program, from the formula and the constants of the scale.
func TestPoised(t *testing.T) {
	for _, c := range []struct {
		name  string
		more  scale.Load // mg, and mg mm along the files and ranks
		age   time.Duration
		guess int // pieces that came or went since the board was weighed
		n     int // samples
		want  float64
	}{
		{"at rest", scale.Load{}, 10 * time.Second, 0, 10, -0.085},
		{"two standard deviations of drift", scale.Load{MG: 600}, 10 * time.Second, 0, 10, -1.993},
		{"four of them", scale.Load{MG: -1200}, 10 * time.Second, 0, 10, -6.697},
		{"pieces that were pushed aside", scale.Load{X: 300_000}, 10 * time.Second, 0, 10, -1.120},
		{"to the other side", scale.Load{Y: -300_000}, 10 * time.Second, 0, 10, -1.120},
		{"two pieces that were put down beside the middle", scale.Load{X: 400_000}, 10 * time.Second, 2, 10, -0.528},
		{"a level that has just begun", scale.Load{}, 25 * time.Millisecond, 0, 1, -0.539},
		{"a rook less", scale.Load{MG: -41_000}, 10 * time.Second, 0, 10, -10.414},
		{"a hand", scale.Load{MG: 41_000}, 3 * time.Second, 0, 10, -6.500},
	} {
		g := wood.Reference()
		g.Scale, g.CellNoise, g.MassSpread = true, 100, 1000
		d := New(g, DefaultTiming())
		d.g.Heaviest = 60_000
		d.seen.Now = evidence.Tick(20 * time.Second)
		d.seen.Balance = scale.Meter{Load: c.more, N: c.n, Since: 20*time.Second - c.age,
			Heard: 20 * time.Second, Known: true, Guess: c.guess}
		if got := d.loadFit(scale.Load{}, scale.Load{}); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.3f nats, want %.3f", c.name, got, c.want)
		}
	}
}

// TestScaleThresholds: where a constant of the scale decides, just below it and just above.
func TestScaleThresholds(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	g := wood.Reference()
	g.Scale = true
	weighed := func() *Decoder {
		d := New(g, DefaultTiming())
		d.Expect([]Base{{Position: v.Start(), Moves: true}})
		d.seen.Now = evidence.Tick(time.Minute)
		d.seen.Balance = scale.Meter{N: 10, Heard: time.Minute, Known: true}
		return d
	}
	for _, c := range []struct {
		name string
		is   func(d *Decoder, at float64) bool
		yes  float64
		no   float64
	}{
		{"so many times the heaviest piece more is no hand that leans", usable, 1.4, 1.6},
		{"so many times the heaviest piece less was no hand that had leaned", usable, -5.9, -6.1},
		{"so unlikely contradicts the game", func(d *Decoder, at float64) bool {
			d.scaleFit = at
			return d.scaleContradicts()
		}, -3.1, -2.9},
		{"so many places that changed are expected", func(d *Decoder, at float64) bool {
			old := d.now
			for q := range int(at) {
				old[16+q] = "P"
			}
			d.expectLoad(&old)
			return d.seen.Balance.Known
		}, 8, 9},
		{"for so many seconds it may be a hand, and is not weighed", func(d *Decoder, at float64) bool {
			b := &d.seen.Balance
			b.Known, b.Load, b.Since = false, scale.Load{MG: 5_000_000}, time.Minute-time.Duration(at*float64(time.Second))
			d.weighAtRest()
			return !b.Known
		}, 7.9, 8.1},
	} {
		if !c.is(weighed(), c.yes) || c.is(weighed(), c.no) {
			t.Errorf("%s: %v at %v and %v at %v, want true and false", c.name, c.is(weighed(), c.yes), c.yes,
				c.is(weighed(), c.no), c.no)
		}
	}
}

// usable reports whether a scale counts that shows this many times the heaviest piece more than it should.
func usable(d *Decoder, times float64) bool {
	d.seen.Balance.Load.MG = times * d.g.Heaviest
	return d.scaleUsable()
}
