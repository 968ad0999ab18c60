// SPDX-License-Identifier: Apache-2.0

package scale_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/scale"
)

// TestSquares: the centre of a weight on a square is that square, and loads add up.
func TestSquares(t *testing.T) {
	for q := range rules.Square(64) {
		x, y := scale.On(30_000, q).Centre()
		if got, ok := scale.Square(x, y); !ok || got != q {
			t.Errorf("%v: the centre is on %v, %v", q, got, ok)
		}
	}
	bear := scale.On(20_000, 12).Plus(scale.On(30_000, 60)).Share()
	l := scale.Read(&bear)
	moved := scale.On(20_000, 28).Minus(scale.On(20_000, 12))
	if l = l.Plus(moved).Minus(scale.On(30_000, 60)); math.Abs(l.MG-20_000) > 1e-6 {
		t.Errorf("%v mg, want 20000", l.MG)
	}
	x, y := l.Centre()
	if got, _ := scale.Square(x, y); got != 28 {
		t.Errorf("a pawn moved from e2 to e4 stands on %v", got)
	}
	for _, at := range [][2]float64{{201, 0}, {0, -201}, {math.NaN(), 0}, {math.Inf(1), 0}} {
		if _, ok := scale.Square(at[0], at[1]); ok {
			t.Errorf("%v is called a square", at)
		}
	}
	if x, _ := (scale.Load{}).Centre(); !math.IsInf(x, 1) {
		t.Errorf("the centre of nothing is at %v", x)
	}
}

// worn is a scale of cells that differ, on feet that are not in their places.
type worn struct {
	gain [scale.Corners]float64
	arm  [scale.Corners][2]float64 // increase of a corner's share for a mm to the right, and up
	bend float64
	rnd  *rand.Rand
}

func newWorn(seed uint64) *worn {
	w := &worn{rnd: rand.New(rand.NewPCG(seed, 1))}
	for i := range w.gain {
		sx, sy := scale.Side(i)
		w.gain[i] = 0.7 + 0.6*w.rnd.Float64()
		w.arm[i] = [2]float64{sx / (160 + 40*w.rnd.Float64()), sy / (160 + 40*w.rnd.Float64())}
	}
	w.bend = w.rnd.Float64()
	return w
}

// shows is what the cells show for a weight, with noise.
func (w *worn) shows(mg float64, q rules.Square, noise float64) (s [scale.Corners]float64) {
	x, y := scale.Middle(q)
	for i := range s {
		s[i] = w.gain[i]*mg/4*(1+x*w.arm[i][0])*(1+w.bend*(y*w.arm[i][1])) + noise*w.rnd.NormFloat64()
		s[i] += w.gain[i] * mg / 4 * (1 - w.bend) * y * w.arm[i][1]
	}
	return s
}

// TestFit: a king of 60 g carried over twelve squares gives gains and corners. Then a piece of 30 g is located within
// 4 mm, although the board bends.
func TestFit(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorn(seed)
		var list []scale.Sample
		for _, q := range []rules.Square{0, 3, 7, 17, 20, 22, 33, 36, 39, 56, 60, 63} {
			list = append(list, scale.Sample{Square: q, Shown: w.shows(60_000, q, 30)})
		}
		p, off, err := scale.Fit(60_000, list)
		if err != nil || len(off) != len(list) {
			t.Fatal(err, off)
		}
		sum := 0.0
		for q := range rules.Square(64) {
			shown := w.shows(30_000, q, 60)
			l := p.Load(&shown)
			x, y := l.Centre()
			wx, wy := scale.Middle(q)
			sum += (x-wx)*(x-wx) + (y-wy)*(y-wy)
			if math.Abs(l.MG-30_000) > 1500 {
				t.Errorf("seed %d: 30 g on %v weigh %.1f g", seed, q, l.MG/1000)
			}
			bear := p.Bear(&shown)
			if m := scale.Read(&bear); math.Abs(m.MG-l.MG) > 1 || math.Abs(m.X-l.X) > 200 || math.Abs(m.Y-l.Y) > 200 {
				t.Errorf("seed %d: the corners say %v, the plate %v", seed, m, l)
			}
		}
		if mm := math.Sqrt(sum / 64); mm > 4 {
			t.Errorf("seed %d: pieces are placed within %.1f mm, want 4", seed, mm)
		}
	}
}

// TestFitRefuses: samples that cannot be fitted are an error.
func TestFitRefuses(t *testing.T) {
	w := newWorn(1)
	on := func(squares ...rules.Square) (list []scale.Sample) {
		for _, q := range squares {
			list = append(list, scale.Sample{Square: q, Shown: w.shows(60_000, q, 30)})
		}
		return list
	}
	for _, c := range []struct {
		name string
		list []scale.Sample
		want string
	}{
		{"none", nil, "0 squares"},
		{"one rank", on(0, 1, 2, 3, 4, 5, 6, 7), "on one line"},
		{"the long diagonal", on(0, 9, 18, 27, 36, 45, 54, 63), "on one line"},
		{"near together", on(27, 28, 35, 36, 26, 34), "near together"},
		{"nothing felt", append(on(0, 7, 56, 63, 27), scale.Sample{Square: 36}), "no cell felt the piece on e5"},
	} {
		if _, _, err := scale.Fit(60_000, c.list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestMeter: noise is averaged, and a step begins a new level. The load at rest is followed, and changed by
// AddExpected.
func TestMeter(t *testing.T) {
	var m scale.Meter
	rnd := rand.New(rand.NewPCG(1, 2))
	at := time.Duration(0)
	feed := func(l scale.Load, n int) (steps int) {
		for range n {
			at += 12500 * time.Microsecond
			bear := l.Share()
			for i := range bear {
				bear[i] += 100 * rnd.NormFloat64()
			}
			if m.Add(scale.Read(&bear), 100, at) {
				steps++
			}
		}
		return steps
	}
	if n := feed(scale.On(500_000, 27), 400); n > 1 {
		t.Errorf("%d steps of a load that rests", n)
	}
	m.Settle()
	lifted := at
	feed(scale.On(500_000, 27).Minus(scale.On(20_000, 12)), 8)
	feed(scale.On(1_500_000, 27), 8) // somebody leans on the board
	feed(scale.On(500_000, 27), 8)
	n := 0
	for l, samples := range m.Lighter(lifted, 10_000) {
		if n++; samples < 8 || math.Abs(l.MG+20_000) > 300 {
			t.Errorf("lighter by %v in %d samples, want by 20 g in 8", l, samples)
		}
	}
	if n != 1 {
		t.Errorf("%d levels lighter than the wood, want 1", n)
	}
	for range m.Lighter(at, 10_000) {
		t.Error("a level before the time that was asked for")
	}
	m.Settle()
	m.AddExpected(scale.On(20_000, 28).Minus(scale.On(20_000, 12)), 2)
	more := scale.On(500_000, 27).Plus(scale.On(20_000, 28)).Minus(scale.On(20_000, 12))
	if n := feed(more, 50); n != 1 {
		t.Errorf("%d steps of a pawn that moves two squares, want 1", n)
	}
	if d := m.More(); math.Abs(d.MG) > 400 || math.Abs(d.X) > 80_000 || math.Abs(d.Y) > 80_000 {
		t.Errorf("after the expected move the scale shows %v more", d)
	}
	if m.Settle(); m.Guess != 0 || !m.Known {
		t.Errorf("not settled: %+v", m)
	}
}

// TestSettlesOnFewSamples: while nothing moves, samples are rare. Two that agree are what the wood weighs, and one may
// be the end of a hand.
func TestSettlesOnFewSamples(t *testing.T) {
	var m scale.Meter
	for n := range 3 {
		m.Settle()
		if m.Known != (n > 1) {
			t.Errorf("after %d samples: known %v", n, m.Known)
		}
		m.Add(scale.On(500_000, 27), 100, time.Duration(n)*300*time.Millisecond)
	}
}
