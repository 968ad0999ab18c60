// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"

	"boardd/rules"
	"boardd/rules/search/eval"
)

const (
	width = eval.Hidden
	row   = eval.Row
)

// model is a network in floating point. All its numbers lie in one list, rows first, so that one loop steps them all.
type model struct {
	game                          string
	inputs                        int
	all, gradient, mean, variance []float32
	known                         []float32 // the rows as they were known by hand, to which pull pulls them
}

// Where the parts begin in the list, after the rows.
func (n *model) bias() int           { return n.inputs * row }
func (n *model) out(stage uint8) int { return n.bias() + width + int(stage)*(2*width+1) }
func (n *model) size() int           { return n.out(eval.Phases) }

// newModel is the network that says what is known by hand, with small random weights besides.
func newModel(v *rules.Variant, r *rand.Rand) *model {
	start := eval.InitialWeights(v)
	n := &model{game: start.Game, inputs: len(start.Rows)}
	n.all, n.gradient = make([]float32, n.size()), make([]float32, n.size())
	n.mean, n.variance = make([]float32, n.size()), make([]float32, n.size())
	n.known = make([]float32, n.bias())
	for i := range n.inputs {
		for j := range row {
			if j < width {
				n.all[i*row+j] = float32(r.NormFloat64() * 0.06)
			} else {
				n.known[i*row+j] = float32(start.Rows[i][j]) / eval.Pawns
				n.all[i*row+j] = n.known[i*row+j]
			}
		}
	}
	for i := range width {
		n.all[n.bias()+i] = 0.3
	}
	for stage := range uint8(eval.Phases) {
		for i := range width {
			weight := float32(r.NormFloat64() * 0.05)
			n.all[n.out(stage)+i], n.all[n.out(stage)+width+i] = weight, -weight
		}
	}
	return n
}

// views returns the sums of a sample's rows as the side to move and as its opponent see them. With mirror = 7 left and
// right are exchanged.
func (n *model) views(s *sample, mirror eval.Feature) (v [2][row]float32) {
	bias := n.all[n.bias():]
	for i := range width {
		v[0][i], v[1][i] = bias[i], bias[i]
	}
	for _, in := range s.inputs {
		in ^= mirror
		mine, theirs := in, in.Turned()
		if s.turn == rules.Black {
			mine, theirs = theirs, mine
		}
		a, b := (*[row]float32)(n.all[int(mine)*row:]), (*[row]float32)(n.all[int(theirs)*row:])
		for i := range row {
			v[0][i] += a[i]
			v[1][i] += b[i]
		}
	}
	return v
}

func (n *model) output(s *sample, v *[2][row]float32) float64 {
	out := n.all[n.out(s.stage):]
	worth := width + int(s.stage)
	sum := out[2*width] + (v[0][worth]-v[1][worth])/2
	for view := range 2 {
		for i := range width {
			x := min(max(v[view][i], 0), 1)
			sum += x * x * out[view*width+i]
		}
	}
	return float64(sum)
}

// learn adds the gradient of the squared error of one sample, as it is or mirrored. Except in castling, the games do
// not tell left from right, so a mirrored position is as good as another one.
func (n *model) learn(s *sample, mirrored bool) {
	mirror := eval.Feature(0)
	if mirrored {
		mirror = 7
	}
	v := n.views(s, mirror)
	predicted := sigmoid(n.output(s, &v))
	d := float32(2 * (predicted - float64(s.target)) * predicted * (1 - predicted))
	at := n.out(s.stage)
	out, gradient := n.all[at:], n.gradient[at:]
	gradient[2*width] += d
	var back [2][width]float32
	for view := range 2 {
		for i := range width {
			x := min(max(v[view][i], 0), 1)
			gradient[view*width+i] += d * x * x
			if x > 0 && x < 1 {
				back[view][i] = d * 2 * x * out[view*width+i]
			}
		}
	}
	bias := n.gradient[n.bias():]
	for i := range width {
		bias[i] += back[0][i] + back[1][i]
	}
	for _, in := range s.inputs {
		in ^= mirror
		mine, theirs := in, in.Turned()
		if s.turn == rules.Black {
			mine, theirs = theirs, mine
		}
		a, b := (*[row]float32)(n.gradient[int(mine)*row:]), (*[row]float32)(n.gradient[int(theirs)*row:])
		a[width+int(s.stage)] += d / 2
		b[width+int(s.stage)] -= d / 2
		for i := range width {
			a[i] += back[0][i]
			b[i] += back[1][i]
		}
	}
}

// step moves every number against its gradient (Adam: Kingma and Ba, ICLR 2015, with their constants), and begins a
// new batch. The numbers of the rows are pulled back to what is known by hand as well (decoupled weight decay:
// Loshchilov and Hutter, ICLR 2019). Without that, those of pieces where they are seldom seen are left where single
// positions threw them. A search meets such pieces more often than games do.
func (n *model) step(t int, rate float64) {
	const b1, b2, tiny = 0.9, 0.999, 1e-8
	c1, c2 := 1-math.Pow(b1, float64(t)), 1-math.Pow(b2, float64(t))
	rows := n.bias()
	for i := range n.all {
		g := n.gradient[i] / batch
		n.gradient[i] = 0
		n.mean[i] += (1 - b1) * (g - n.mean[i])
		n.variance[i] += (1 - b2) * (g*g - n.variance[i])
		if n.mean[i] == 0 {
			continue
		}
		if i < rows {
			n.all[i] -= float32(rate*pull) * (n.all[i] - n.known[i])
		}
		n.all[i] -= float32(rate * float64(n.mean[i]) / c1 / (math.Sqrt(float64(n.variance[i])/c2) + tiny))
		if i < rows && i%row < width {
			n.all[i] = min(max(n.all[i], -rowMost), rowMost)
		}
	}
}

// loss is the mean squared error.
func (n *model) loss(samples []sample) float64 {
	sum := 0.0
	for i := range samples {
		v := n.views(&samples[i], 0)
		d := sigmoid(n.output(&samples[i], &v)) - float64(samples[i].target)
		sum += d * d
	}
	return sum / float64(max(len(samples), 1))
}

// weights is the network in whole numbers.
func (n *model) weights() *eval.Weights {
	w := &eval.Weights{Game: n.game, Units: width, Rows: make([][row]int16, n.inputs)}
	round := func(x float32, one float64) int16 {
		return int16(min(max(math.Round(float64(x)*one), -32767), 32767))
	}
	for i := range n.inputs {
		for j := range row {
			one := float64(eval.One)
			if j >= width {
				one = eval.Pawns
			}
			w.Rows[i][j] = round(n.all[i*row+j], one)
		}
	}
	for j := range width {
		w.Bias[j] = round(n.all[n.bias()+j], eval.One)
	}
	for stage := range uint8(eval.Phases) {
		out := n.all[n.out(stage):]
		for j := range 2 * width {
			w.Out[stage][j] = round(out[j], eval.OutOne)
		}
		w.OutBias[stage] = int32(math.Round(float64(out[2*width]) * eval.One * eval.OutOne))
	}
	return w
}
