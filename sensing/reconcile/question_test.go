// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// choices is the moves that the decoder asks about, as they are called in a position.
func (b *bench) choices(p *rules.Position) (names []string) {
	for _, c := range b.last.Choices {
		names = append(names, p.Coord(c.Move))
	}
	return names
}

// TestFewerPiecesThanChoices: a pawn has come to its last rank, and beside it only the kings are there to answer with what it becomes. No piece
// answers for two choices, and the queen is not the one left over.
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

// TestLandedUnwitnessed: a rank has lost its height sensors. What goes onto a pawn there is seen by nothing, and may as well lie on a square of that rank whose
// reed is dead: that is asked, though no sound reed says so. Where one square has lost its sensor there is no other such square.
func TestLandedUnwitnessed(t *testing.T) {
	const b6, c5, a5 = rules.Square(41), rules.Square(34), rules.Square(32)
	land := func(lost rules.Bitboard, to rules.Square) (*bench, rules.Position) {
		b, p := faultyIn(t, "locking", "twin", "4k3/8/1q6/2p5/8/8/8/4K3 b - - 0 1", func(*bench) broken {
			return broken{
				reed: func(q wood.Place, closed bool) bool { return closed && q != wood.Place(a5) },
				silent: func(k sensing.Kind, _ sensing.Deck) rules.Bitboard {
					if k == sensing.Heights {
						return lost
					}
					return 0
				},
			}
		})
		b.do(hands.Right, hands.Lift, wood.Place(b6), 300*time.Millisecond)
		b.do(hands.Right, hands.Put, wood.Place(to), 4*time.Second)
		return b, p
	}
	b, p := land(0xff<<32, a5)
	if got := b.choices(&p); b.last.State != reconcile.Asking || !slices.Contains(got, "b6a5") || !slices.Contains(got, "b6c5*") {
		t.Errorf("got %v %v, want b6a5 and b6c5* among the choices", b.last.State, got)
	}
	b, p = land(c5.Bit(), c5)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "b6c5*" {
		t.Errorf("got %v %s, want b6c5*", b.last.State, got)
	}
}

// TestBarelyMeasured: a rank has lost its height sensors, and the reed of f5 is dead. A queen put there is seen by its height only, which wavers so much that it
// is never the same for long: it is asked all the same whether she went there or onto the pawn of the lost rank, where nothing would show her.
func TestBarelyMeasured(t *testing.T) {
	const c2, f5 = rules.Square(10), rules.Square(37)
	b, p := faultyIn(t, "locking", "twin", "4k3/8/6p1/8/8/8/2[PQ]5/4K3 w - - 0 1", func(b *bench) broken {
		return broken{
			reed: func(q wood.Place, closed bool) bool { return closed && q != wood.Place(f5) },
			height: func(q rules.Square, um float64) float64 {
				if q == f5 && b.wood[q] != "" && b.now.UnixMilli()/500%2 == 0 {
					um -= 8_000
				}
				return um
			},
			silent: func(k sensing.Kind, _ sensing.Deck) rules.Bitboard {
				if k == sensing.Heights {
					return 0xff << 40
				}
				return 0
			},
		}
	})
	b.do(hands.Right, hands.Lift, wood.Place(c2), 300*time.Millisecond)
	b.do(hands.Right, hands.Put, wood.Place(f5), 4*time.Second)
	if got := b.choices(&p); b.last.State != reconcile.Asking || !slices.Contains(got, "c2f5") || !slices.Contains(got, "c2g6*") {
		t.Fatalf("got %v %s %v, want to be asked about c2f5 and c2g6*", b.last.State, p.Coord(b.last.Move), got)
	}
}

// TestLateCorrection: the magnet of a piece on d1 closes the reed of c1 too, so that the queen on her way to d1 seems to have gone to c1. What she captures is
// exchanged while the height over c1 is still taken for a hand's. Once it counts, it is asked whether she went to d1: the sensor of c1 may be blind.
func TestLateCorrection(t *testing.T) {
	const c1, d1, c2 = wood.Place(2), wood.Place(3), wood.Place(10)
	near := false
	b, p := faulty(t, "twin", "4k3/8/8/8/8/8/2Q4K/3q4 w - - 0 1", func(b *bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed || q == c1 && near }}
	})
	b.do(hands.Right, hands.Lift, c2, 100*time.Millisecond)
	near = true
	b.pass(time.Second)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "c2c1" {
		t.Fatalf("got %v %s, want c2c1: the reed says so, and no height yet", b.last.State, got)
	}
	after := p
	after.Play(b.last.Move)
	bases := []reconcile.Base{{Position: after, Moves: true, Reply: true}, {Position: p, Moves: true, Back: true}}
	b.d.Expect(bases)
	b.do(hands.Left, hands.Lift, d1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, d1, 200*time.Millisecond)
	b.do(hands.Left, hands.Discard, d1, 4*time.Second)
	if got := b.choices(&p); b.last.State != reconcile.Asking || !slices.Contains(got, "c2c1") || !slices.Contains(got, "c2d1") {
		t.Fatalf("got %v %s %v, want to be asked about c2c1 and c2d1", b.last.State, p.Coord(b.last.Move), got)
	}
	b.d.Expect(bases)
	if b.pass(4 * time.Second); b.last.State != reconcile.Synced {
		t.Errorf("got %v %v after the answer that c2c1 was right, want nothing more to be asked", b.last.State, b.choices(&p))
	}
}

// TestSwallowed: the reeds of two ranks are gone, and the heights of one of them. A queen goes there and a rook comes from there to where she could have gone: that
// looks like one move of hers, and is asked, unless it went so quickly that no second piece can have been lifted.
func TestSwallowed(t *testing.T) {
	const c3, e2, e3, c4 = wood.Place(18), wood.Place(12), wood.Place(20), wood.Place(26)
	gone := func(*bench) broken {
		return broken{silent: func(k sensing.Kind, deck sensing.Deck) rules.Bitboard {
			switch {
			case k == sensing.Reeds && deck == sensing.Lower:
				return 0xffff << 16
			case k == sensing.Heights:
				return 0xff << 16
			}
			return 0
		}}
	}
	const fen = "7k/8/8/8/8/2r5/4[PQ]3/4K3 w - - 0 1"
	b, p := faultyIn(t, "locking", "twin", fen, gone)
	b.do(hands.Right, hands.Lift, e2, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, e3, 200*time.Millisecond)
	b.do(hands.Left, hands.Lift, c3, 200*time.Millisecond)
	b.do(hands.Left, hands.Put, c4, 4*time.Second)
	if got := b.choices(&p); b.last.State != reconcile.Asking || !slices.Contains(got, "e2c4") || !slices.Contains(got, "e2e3") {
		t.Errorf("got %v %s %v, want to be asked about e2c4 and e2e3", b.last.State, p.Coord(b.last.Move), got)
	}
	b, p = faultyIn(t, "locking", "twin", fen, gone)
	b.do(hands.Right, hands.Lift, e2, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, c4, 4*time.Second)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "e2c4" {
		t.Errorf("got %v %s, want e2c4: it was quick", b.last.State, got)
	}
}
