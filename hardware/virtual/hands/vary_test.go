// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math/rand/v2"
	"testing"

	"boardd/sensing/wood"
)

// TestVary: whatever way is drawn, any wood is turned into any other, the hands end empty, and no pause is missing.
func TestVary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (w wood.Wood) {
		for range 12 {
			w[r.IntN(8)] += wood.Pile("PNBRQKpnbrqk#"[r.IntN(13):][:1])
		}
		return w
	}
	for range 5000 {
		from, to := random(), random()
		style := RoughStyle()
		acts := Vary(r, &style, &from, &to)
		tb := table{wood: from}
		for _, a := range acts {
			tb.act(t, a)
			if a.After <= 0 {
				t.Fatalf("%v: no pause before it", a)
			}
		}
		if tb.wood != to {
			t.Fatalf("after %v the wood differs at %v", acts, tb.wood.Diff(&to))
		}
		if tb.hands != [2]string{} {
			t.Fatalf("after %v the hands hold %q", acts, tb.hands)
		}
	}
}
