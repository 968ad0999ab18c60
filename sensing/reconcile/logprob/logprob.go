// SPDX-License-Identifier: Apache-2.0

// Package logprob reckons with likelihoods by their natural logarithms: in nats.
package logprob

import (
	"math"
	"time"
)

// Never is the logarithm of what does not happen. It is less than all others.
const Never = -1e9

// Exp is e to the power of x, limited to the range of a float64. Below 1e-26 it is 0, because it is only added to
// greater numbers.
func Exp(x float64) float64 {
	if x < -60 {
		return 0
	}
	return math.Exp(min(x, 700))
}

// Decay is the share that is left at an age of what decays exponentially, to 1/e within the time in.
func Decay(age, in time.Duration) float64 { return Exp(-float64(age) / float64(in)) }

// Mixture is the logarithm of the density of a residual r, relative to the peak of the narrow part. It has a narrow
// part of spread s, a wide part, and with probability f any value within span. It is never above 0 if s is less than
// span/2.5.
func Mixture(r, s, f, wide, wideP, span float64) float64 {
	w := max(wide, s)
	narrow := (1 - wideP) * Exp(-r*r/(2*s*s))
	broad := wideP * s / w * Exp(-r*r/(2*w*w))
	return math.Log((1-f)*(narrow+broad) + f*2.5*s/span)
}

// Wrong is the value of Mixture below which a residual is likelier to be any value within span.
func Wrong(s, f, span float64) float64 { return math.Log(2 * f * 2.5 * s / span) }

// Sum is a sum of numbers that are given by their logarithms. Make it with NewSum.
type Sum struct {
	most float64 // the greatest logarithm
	sum  float64 // the sum divided by e to the power of most
}

// NewSum is the sum of nothing.
func NewSum() Sum { return Sum{most: Never} }

// Add adds a number.
func (s *Sum) Add(x float64) {
	if x > s.most {
		s.most, s.sum = x, s.sum*Exp(s.most-x)+1
	} else {
		s.sum += Exp(x - s.most)
	}
}

// Nats is the logarithm of the sum, Never if nothing was added.
func (s *Sum) Nats() float64 {
	if s.sum == 0 {
		return Never
	}
	return s.most + math.Log(s.sum)
}
