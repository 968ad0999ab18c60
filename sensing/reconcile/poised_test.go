// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"testing"
	"time"

	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// TestPoised: what the scale says of wood that weighs otherwise than it should, against figures worked out apart from
// the program, from the formula and the constants of the scale.
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
		d.g.heaviest = 60_000
		d.seen.now = tick(20 * time.Second)
		d.seen.balance = scale.Meter{Load: c.more, N: c.n, Since: 20*time.Second - c.age, Known: true, Guess: c.guess}
		if got := d.poised(scale.Load{}, scale.Load{}); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.3f nats, want %.3f", c.name, got, c.want)
		}
	}
}
