// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// corners is what the scale of a world shows, the mean of many readings.
func corners(t *testing.T, w *physics.World, at time.Duration) (l scale.Load) {
	t.Helper()
	const n = 50
	for range n {
		var bear [scale.Corners]float64
		for i, sq := range scale.Squares {
			mg, ok := w.Corner(at, sq)
			if !ok {
				t.Fatalf("the corner at %v does not answer", sq)
			}
			bear[i] = mg
		}
		l = l.Plus(scale.Read(&bear).Times(1.0 / n))
	}
	return l
}

// TestScaleFeelsPieces: four corners bear what stands on the board, and their centre is where it stands.
func TestScaleFeelsPieces(t *testing.T) {
	o := physics.Options{Level: physics.Club(), Seed: 1, Decks: 1, Cube: 35_000, Scale: true}
	o.Mass['P'], o.Mass['k'], o.Level.Lean = 20_000, 60_000, 0
	w := physics.New(o)
	w.Set(0, sensing.Lower, e2, "P", physics.Landing{Off: [2]float64{3, -2}})
	l := corners(t, w, time.Second)
	x, y := l.Centre()
	wx, wy := scale.Middle(e2)
	if math.Abs(l.MG-20_000) > 1500 || math.Abs(x-wx-3) > 5 || math.Abs(y-wy+2) > 5 {
		t.Errorf("a pawn on e2 weighs %.0f mg at %.1f, %.1f, want 20000 at %.0f, %.0f", l.MG, x, y, wx+3, wy-2)
	}
	w.Lean(2*time.Second, scale.At(1_000_000, 0, -200), time.Second)
	if l = corners(t, w, 2500*time.Millisecond); math.Abs(l.MG-1_020_000) > 5000 {
		t.Errorf("with a hand of 1 kg on the rim it shows %.0f mg", l.MG)
	}
	if l = corners(t, w, 4*time.Second); math.Abs(l.MG-20_000) > 1500 {
		t.Errorf("with the hand gone it shows %.0f mg", l.MG)
	}
	if _, ok := w.Corner(5*time.Second, rules.Square(12)); ok {
		t.Error("there is a load cell in the middle of the board")
	}
	w.Cell(scale.Squares[1], physics.CellAbsent)
	if _, ok := w.Corner(5*time.Second, scale.Squares[1]); ok {
		t.Error("a corner that is unplugged answers")
	}
}

// TestHandsLean: hands lean on the rim as often as the level says.
func TestHandsLean(t *testing.T) {
	o := physics.Options{Level: physics.Club(), Seed: 2, Decks: 1, Cube: 35_000, Scale: true}
	o.Mass['P'], o.Level.Lean = 20_000, 0.25
	w := physics.New(o)
	leans, at := 0, time.Duration(0)
	for range 400 {
		at += 10 * time.Second
		w.Set(at, sensing.Lower, e2, "P", physics.Landing{})
		if l := corners(t, w, at+150*ms); l.MG > 100_000 {
			leans++
		}
		w.Set(at+5*time.Second, sensing.Lower, e2, "", physics.Landing{})
	}
	if leans < 60 || leans > 140 {
		t.Errorf("%d of 400 hands leaned, want about 100", leans)
	}
}
