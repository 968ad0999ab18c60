// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"boardd/rules"
)

// TestRoyalNeedsTheKing (3.9): the word is royal only if the enemy king himself gives check. Here the knight that
// stands on him does.
func TestRoyalNeedsTheKing(t *testing.T) {
	v, err := rules.ByID("locking")
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN("r7/pp1q1pp[pr]/2p[kn]1n1b/2p1p3/2[KP]5/Q1N4P/[PR]1PPNP[PB]1/2B4R w - - 1 21")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Result(); got != rules.Lockmate {
		t.Errorf("got %s, want %s", got, rules.Lockmate)
	}
}
