// SPDX-License-Identifier: Apache-2.0

package nets

import (
	"testing"

	"boardd/rules"
)

// TestOf: every game has an evaluation that can be read, and that knows that a queen more is good.
func TestOf(t *testing.T) {
	for _, v := range rules.Variants() {
		e := Of(v)
		p, err := v.ParseFEN("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
		if err != nil {
			t.Fatal(err)
		}
		s := e.Accumulate(&p)
		if got := e.Score(&s, &p); got < 400 || got > 2000 {
			t.Errorf("%s: a queen more counts %d hundredths of a pawn, want 400 to 2000", v, got)
		}
	}
}
