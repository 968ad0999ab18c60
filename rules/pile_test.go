// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPileKeepsStacksApart plays at random with a pile and with 64 slices, which must agree.
func TestPileKeepsStacksApart(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var b pile
	var model [64][]Piece
	for range 20000 {
		s := Square(random.IntN(64))
		if n := random.IntN(12); len(model[s]) == 0 && b.total()+n <= pileRoom {
			var r nibbles
			for i := range n {
				pc := Piece(1 + random.IntN(14))
				model[s] = append(model[s], pc)
				r = r.or(one(pc).up(i))
			}
			b.put(s, r, n)
		} else if random.IntN(3) == 0 {
			r, n := b.take(s)
			got := make([]Piece, n)
			for i := range got {
				got[i] = r.at(i)
			}
			if !slices.Equal(got, model[s]) {
				t.Fatalf("%s: took %v, want %v", s, got, model[s])
			}
			model[s] = nil
		}
		for s := range NoSquare {
			if got := b.append(nil, s); !slices.Equal(got, model[s]) {
				t.Fatalf("%s: got %v, want %v", s, got, model[s])
			}
			if b.tall.Has(s) != (len(model[s]) > 0) {
				t.Fatalf("%s: tall %v, want %v", s, b.tall.Has(s), model[s])
			}
		}
	}
}
