// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// What the fitting is done with. Chosen by short matches in chess, and not tried further. A rate four times as high
// without the pull had the same loss and played worse by 100 points of Elo.
const (
	batch        = 1024
	initialRate  = 0.0009 // Adam's step, falling to nothing by a cosine
	pull         = 0.3    // see step; a part of the rate
	rowMost      = 2.5    // of a row's weight, so that 40 pieces fit into 16 bits
	heldOutEvery = 20     // one sample in this many is not learnt but tells the loss
)

// fit fits a network to the samples and writes it as it was after the epoch with the least loss on the samples held
// out. The losses, from that of the estimate by hand on, go to loss.tsv.
func (s *settings) fit(ctx context.Context, v *rules.Variant, samples []sample, generation int,
	dir string) (*eval.Weights, error) {
	r := rand.New(rand.NewPCG(s.seed, uint64(generation)))
	heldOut := len(samples) / heldOutEvery
	test, learn := samples[:heldOut], samples[heldOut:] // whole files come one after another: the first games of all
	n := newModel(v, r)
	best, least := n.weights(), n.loss(test)
	steps, step := s.epochs*(len(learn)/batch+1), 0
	losses := []float64{least}
	for epoch := range s.epochs {
		r.Shuffle(len(learn), func(i, j int) { learn[i], learn[j] = learn[j], learn[i] })
		for at := 0; at < len(learn); at += batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i := at; i < min(at+batch, len(learn)); i++ {
				n.learn(&learn[i], r.IntN(2) == 0)
			}
			step++
			n.step(step, initialRate*0.5*(1+math.Cos(math.Pi*float64(step)/float64(steps+1))))
			s.progress(v, generation, "fit", float64(step)/float64(steps), "")
		}
		loss := n.loss(test)
		losses = append(losses, loss)
		if loss < least {
			best, least = n.weights(), loss
		}
		if epoch == 0 || epoch == 2 {
			if err := save(n.weights(), filepath.Join(dir, fmt.Sprintf("net-epoch-%d", epoch+1))); err != nil {
				return nil, err
			}
		}
		s.progress(v, generation, "fit", float64(step)/float64(steps),
			fmt.Sprintf("loss %.5f after %d epochs", loss, epoch+1))
	}
	s.progress(v, generation, "fit", 1, fmt.Sprintf("loss %.5f, by hand %.5f", least, losses[0]))
	text := ""
	for i, loss := range losses {
		text += fmt.Sprintf("%d\t%.6f\n", i, loss)
	}
	if err := write(filepath.Join(dir, "loss.tsv"), []byte(text)); err != nil {
		return nil, err
	}
	return best, save(best, filepath.Join(dir, netFile))
}

func save(w *eval.Weights, name string) error {
	file, err := w.AppendBinary(nil)
	if err != nil {
		return err
	}
	return write(name, file)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
