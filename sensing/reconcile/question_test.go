package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
)

// TestFewerPiecesThanChoices: a pawn has come to its last rank, and beside it only the kings are there to answer with what it becomes. No piece
// answers for two choices, and the queen is not the one left over.
func TestFewerPiecesThanChoices(t *testing.T) {
	const a7, a8 = rules.Square(48), rules.Square(56)
	b, p := faulty(t, "reeds", "7k/P7/8/8/8/8/8/K7 w - - 0 1", func(*bench) broken { return broken{} })
	b.act(hands.Act{Do: hands.Lift, Place: reconcile.Place(a7), Count: 1})
	b.pass(200 * time.Millisecond)
	b.act(hands.Act{Do: hands.Put, Place: reconcile.Place(a8)})
	b.pass(5 * time.Second)
	if len(b.last.Choices) != 4 {
		t.Fatalf("state %v, %d choices, want a question with four", b.last.State, len(b.last.Choices))
	}
	seen := map[reconcile.Place]bool{}
	for i, c := range b.last.Choices {
		if c.Place == reconcile.Nowhere {
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

// TestLandedUnwitnessed: a rank has lost its height sensors. What goes onto a pawn there is seen by nothing, and may as well lie on a square of that rank whose
// reed is dead: that is asked, though no sound reed says so. Where one square has lost its sensor there is no other such square.
func TestLandedUnwitnessed(t *testing.T) {
	const b6, c5, a5 = rules.Square(41), rules.Square(34), rules.Square(32)
	land := func(lost rules.Bitboard, to rules.Square) (*bench, rules.Position) {
		b, p := faultyIn(t, "locking", "twin", "4k3/8/1q6/2p5/8/8/8/4K3 b - - 0 1", func(*bench) broken {
			return broken{
				reed: func(q reconcile.Place, closed bool) bool { return closed && q != reconcile.Place(a5) },
				silent: func(k sensing.Kind, _ sensing.Deck) rules.Bitboard {
					if k == sensing.Heights {
						return lost
					}
					return 0
				},
			}
		})
		b.do(hands.Right, hands.Lift, reconcile.Place(b6), 300*time.Millisecond)
		b.do(hands.Right, hands.Put, reconcile.Place(to), 4*time.Second)
		return b, p
	}
	b, p := land(0xff<<32, a5)
	var got []string
	for _, c := range b.last.Choices {
		got = append(got, p.Coord(c.Move))
	}
	if b.last.State != reconcile.Asking || !slices.Contains(got, "b6a5") || !slices.Contains(got, "b6c5*") {
		t.Errorf("got %v %v, want b6a5 and b6c5* among the choices", b.last.State, got)
	}
	b, p = land(c5.Bit(), c5)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "b6c5*" {
		t.Errorf("got %v %s, want b6c5*", b.last.State, got)
	}
}
