// SPDX-License-Identifier: Apache-2.0

package heights_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing/wood"
)

// TestPaint: a deck that reflects 8 % of the light is measured from 147 mm, and so is a black cube on it. A black deck
// is not: its empty squares are unknown, never high, and health names them. A cube on it is measured, because it is
// nearer.
func TestPaint(t *testing.T) {
	const black, dark = 0.03, 0.08
	for _, k := range []struct {
		deck  float64
		empty bool // squares without a cube are known
	}{{0, true}, {0.17, true}, {dark, true}, {black, false}} {
		t.Run(fmt.Sprintf("deck %g", k.deck), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rigOf(t, virtual.Options{Untimed: true, Deck: k.deck, Pieces: black})
				var w wood.Wood
				w[c3] = "P"
				r.Put(w)
				got := r.next(30)
				if !got.Known.Has(c3) || got.Value[c3] < 30_000 || got.Value[c3] > 40_000 {
					t.Errorf("the black cube on c3 is known: %v, %d um high", got.Known.Has(c3), got.Value[c3])
				}
				a1 := rules.Square(0)
				if got.Known.Has(a1) != k.empty {
					t.Errorf("an empty square is known: %v, want %v", got.Known.Has(a1), k.empty)
				}
				if detail := r.trouble(a1); k.empty != (detail == "") {
					t.Errorf("health says %q of an empty square", detail)
				}
				for sq := range (got.Known &^ c3.Bit()).Squares() {
					if !level(got.Value[sq]) {
						t.Errorf("empty %v is %d um high", sq, got.Value[sq])
					}
				}
			})
		})
	}
}
