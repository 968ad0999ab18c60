// SPDX-License-Identifier: Apache-2.0

package logprob

import (
	"math"
	"testing"
	"testing/quick"
	"time"
)

func TestSum(t *testing.T) {
	for _, c := range []struct {
		add  []float64
		want float64
	}{
		{nil, Never},
		{[]float64{Never}, Never},
		{[]float64{-3}, -3},
		{[]float64{Never, 2, Never}, 2},
		{[]float64{1000, 1000}, 1000 + math.Ln2},
		{[]float64{-1000, 5}, 5},
		{[]float64{math.Log(1), math.Log(2), math.Log(4)}, math.Log(7)},
	} {
		s := NewSum()
		for _, x := range c.add {
			s.Add(x)
		}
		if got := s.Nats(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("the sum of %v is %v, want %v", c.add, got, c.want)
		}
	}
	sameInAnyOrder := func(a, b, c int8) bool {
		one, other := NewSum(), NewSum()
		for _, x := range []int8{a, b, c} {
			one.Add(float64(x))
		}
		for _, x := range []int8{c, a, b} {
			other.Add(float64(x))
		}
		return math.Abs(one.Nats()-other.Nats()) < 1e-9
	}
	if err := quick.Check(sameInAnyOrder, nil); err != nil {
		t.Error(err)
	}
}

func TestExp(t *testing.T) {
	for _, x := range []float64{Never, -61} {
		if got := Exp(x); got != 0 {
			t.Errorf("e to the power of %v is %v, want 0", x, got)
		}
	}
	if got := Exp(1e9); math.IsInf(got, 0) {
		t.Error("e to the power of a billion is not finite")
	}
	if got := Decay(time.Second, time.Second); math.Abs(got-1/math.E) > 1e-12 {
		t.Errorf("after its own time %v is left, want 1/e", got)
	}
}

// TestMixtureIsAtMostCertain holds what lets the decoder leave piles unweighed: no residual is worth more than 0. A
// greater residual is never worth more than a smaller one.
func TestMixtureIsAtMostCertain(t *testing.T) {
	property := func(r, more, s, f uint16) bool {
		residual, spread, free := float64(r)/10, 1+float64(s)/100, float64(f)/math.MaxUint16
		near := Mixture(residual, spread, free, 100, 0.08, 10_000)
		far := Mixture(residual+float64(more), spread, free, 100, 0.08, 10_000)
		return near <= 0 && far <= near && near == Mixture(-residual, spread, free, 100, 0.08, 10_000)
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}
