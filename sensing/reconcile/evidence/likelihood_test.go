// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"math"
	"testing"
	"time"

	"boardd/sensing/wood"
)

// weighing is a board with cells on whose square 0 a load stands.
func weighing(mg int32) *watched {
	g := wood.Reference()
	g.Weights = true
	w := watch(g)
	w.interval = 10 * time.Millisecond
	w.closed = 1
	w.mg[0] = mg
	return w
}

// TestLoads: how much likelier than any other the load is that a pile has, by what the cell under it shows.
func TestLoads(t *testing.T) {
	const pawn = 20_000 // mg
	for _, c := range []struct {
		name  string
		mg    int32 // the cell shows so much more
		stood time.Duration
		want  float64
	}{
		{"it fits", 0, time.Second, 1},
		{"the pull of a neighbour's magnet", 500, time.Second, 0.6},
		{"pull, drift and a sleeve together", 2000, time.Second, 0.012},
		{"another load: one cell in 300 is wrong, and shows anything up to 100 g", 10_000, time.Second, 0.003 * 0.012},
		{"another load that has come this moment, and may settle or be a finger", 10_000, 20 * time.Millisecond, 0.0069},
		{"another load 50 ms ago: nearly settled", 10_000, 60 * time.Millisecond, 0.00078},
	} {
		w := weighing(pawn + c.mg)
		w.rest(c.stood)
		pile := w.Board.Target("P")
		odds(t, c.name, w.LoadFit(0, w.Cells[0].Mean-pile.Mass, &pile), c.want)
	}
}

// TestOverTheEdge: a piece that rests on two cells is unusual. The frame between them bears up to a quarter of what
// lies over the edge.
func TestOverTheEdge(t *testing.T) {
	for missing, want := range map[int32]float64{0: 0.135, 2500: 0.135 * 0.17} {
		w := weighing(41_000 - 5000 - missing)
		w.rest(time.Second)
		w.SpilledLoad[0] = 5000
		rook := w.Board.Target("R")
		odds(t, "over the edge", w.SharedLoadFit(0, w.Cells[0].Mean-rook.Mass, &rook), want)
	}
}

// TestCellFollowsDrift: what a cell shows at rest is learned again after some dozens of evaluations, and not at once.
func TestCellFollowsDrift(t *testing.T) {
	learned := func(evaluations int) float64 {
		l := Level{N: maxLevelSamples}
		l.FollowRest(false)
		for l.Mean = 1000; evaluations > 0; evaluations-- {
			l.FollowRest(false)
		}
		return l.Rests / l.Mean
	}
	if soon, later := learned(25), learned(45); soon > 0.5 || later < 0.5 {
		t.Errorf("of a drift %.2f are learned after 25 evaluations and %.2f after 45, want half between them", soon, later)
	}
}

// TestFingers: fingers that rest on a piece beside a move are unusual, and have left after half a second or a second.
func TestFingers(t *testing.T) {
	w := weighing(50_000)
	w.rest(20 * time.Millisecond)
	soon := w.Finger(0)
	odds(t, "fingers", soon, 0.03)
	w.rest(time.Second)
	odds(t, "fingers that stay for a second more, of those that came", w.Finger(0)-soon, math.Exp(-2))
}

// looking is a board with height sensors, over whose square 0 a height is seen.
func looking(um int32) *watched {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	w := watch(g)
	w.interval = 10 * time.Millisecond
	w.closed = 1
	w.um[0] = um
	return w
}

// TestHeights: how much likelier than any other the height is that a pile has, by what the sensor over it shows.
func TestHeights(t *testing.T) {
	const cube = 35_000 // um
	for _, c := range []struct {
		name  string
		pile  wood.Pile
		um    int32 // the sensor shows so much more
		stood time.Duration
		want  float64
	}{
		{"it fits", "P", 0, time.Second, 1},
		{"cover, cone and neighbours", "P", -2500, time.Second, 0.33},
		{"gain, which tells more of a high pile", "PNBRQ", -7000, time.Second, 0.21},
		{"a piece off centre in the cone", "P", -9000, time.Second, 0.0099},
		{"another height: one sensor in 100 is wrong, and shows any", "PN", -cube, time.Second, 0.01 * 0.035},
		{"another height that has just come: it is a hand's", "PN", -cube, 20 * time.Millisecond, 0.0185},
		{"another height 60 ms ago", "PN", -cube, 70 * time.Millisecond, 0.0039},
	} {
		w := looking(int32(len(c.pile))*cube + c.um)
		w.rest(c.stood)
		pile := w.Board.Target(c.pile)
		odds(t, c.name, w.Sees(0, &pile, false), c.want)
	}
}

// TestHandOverAPile: a hand over a pile, which may be at any height in the gap, is usual where something has just
// happened. It leaves within some seconds, and is rarer the longer nothing has happened.
func TestHandOverAPile(t *testing.T) {
	const comes = 0.15 * 2.5 * 1680 / 150_000
	w := looking(90_000)
	pile := w.Board.Target("P")
	w.rest(time.Second)
	w.closed |= 2
	w.rest(20 * time.Millisecond)
	odds(t, "for a second, and another piece came just now", w.Sees(0, &pile, false), comes*math.Exp(-1.02/1.5))
	w = looking(35_000)
	w.rest(4 * time.Second)
	w.um[0] = 90_000
	w.rest(150 * time.Millisecond)
	odds(t, "just now, after all was quiet for four seconds", w.Sees(0, &pile, false), comes*math.Exp(-0.15/1.5-4.15/3))
}

// TestNewLevel: a load or a height that differs by no more than the noise of the sensor is no new one.
func TestNewLevel(t *testing.T) {
	for step, want := range map[int32]bool{600: false, 1000: true} {
		w := weighing(20_000)
		w.rest(time.Second)
		began := w.Now
		w.mg[0] += step
		w.rest(10 * time.Millisecond)
		if got := w.Cells[0].Since > began; got != want {
			t.Errorf("%d mg more begin a new level: %v, want %v", step, got, want)
		}
	}
	for step, want := range map[int32]bool{6000: false, 12_000: true} {
		w := looking(35_000)
		w.rest(time.Second)
		began := w.Now
		w.um[0] += step
		w.rest(10 * time.Millisecond)
		if got := w.Eyes[0].Since > began; got != want {
			t.Errorf("%d um more begin a new level: %v, want %v", step, got, want)
		}
	}
}

// TestHandAtWork: what a hand that is still at work may have done, in odds against a place that shows what it should.
func TestHandAtWork(t *testing.T) {
	const price = 0.082 // of a hand at work that explains one place
	w := weighing(0)
	w.closed = 0
	w.rest(time.Second)
	pawn, none := w.Board.Target("P"), w.Board.Target("")
	took, _ := w.HandAtWork(0, &pawn, 0)
	odds(t, "it took the piece", took, price)
	w = weighing(27_000)
	w.rest(time.Second)
	_, put := w.HandAtWork(0, &none, 0)
	odds(t, "it put down something that weighs as much", put, price*0.37)
	w = weighing(0)
	w.rest(100 * time.Millisecond)
	hovers, _ := w.HandAtWork(0, &none, 0)
	odds(t, "it holds a piece over a square, whose cell bears nothing", hovers, price*math.Exp(-0.1/1.5))
	w.rest(time.Second)
	_, left := w.HandAtWork(0, &none, 0)
	odds(t, "it put down something without weight", left, price*0.00034)
	w = weighing(27_000)
	w.closed = 0
	w.rest(400 * time.Millisecond)
	presses, _ := w.HandAtWork(0, &none, 0)
	odds(t, "it presses on an empty square for 0.4 s", presses, price*0.37*0.37)
}

// TestPiledUp: something piled up to just the height that is seen is rarer than a pile that a move may leave. It is
// rarer still if it is higher than that. But what stays for some seconds is no hand.
func TestPiledUp(t *testing.T) {
	const price = 0.082
	for highest, want := range map[float64]float64{105_000: 0.135, 35_000: 0.03} {
		w := looking(105_000)
		w.rest(3 * time.Second)
		pawn := w.Board.Target("P")
		_, left := w.HandAtWork(0, &pawn, highest)
		odds(t, "three cubes high, for three seconds", left, price*want)
	}
}
