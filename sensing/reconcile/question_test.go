// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/wood"
)

// TestFewerPiecesThanChoices: a pawn has come to its last rank, and only the kings are left to answer what it becomes.
// No piece answers for two choices, and the queen is not the choice without a piece.
func TestFewerPiecesThanChoices(t *testing.T) {
	const a7, a8 = rules.Square(48), rules.Square(56)
	b, p := faulty(t, "reeds", "7k/P7/8/8/8/8/8/K7 w - - 0 1", func(*bench) broken { return broken{} })
	b.act(hands.Act{Do: hands.Lift, Place: wood.Place(a7), Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: wood.Place(a8)})
	b.pass(5 * time.Second)
	if len(b.last.Choices) != 4 {
		t.Fatalf("state %v, %d choices, want a question with four", b.last.State, len(b.last.Choices))
	}
	seen := map[wood.Place]bool{}
	for i, c := range b.last.Choices {
		if c.Place == wood.Nowhere {
			if i < 3 {
				t.Errorf("%s has no piece to answer with, want that for the last choice only", p.Coord(c.Move))
			}
			continue
		}
		if seen[c.Place] || b.wood[c.Place] == "" {
			t.Errorf("%s is answered with %v, where nothing stands or another choice is answered", p.Coord(c.Move), c.Place)
		}
		seen[c.Place] = true
	}
}
