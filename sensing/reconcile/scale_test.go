// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// onScale is a scale board with a position on it that the decoder has seen at rest.
func onScale(t *testing.T, variant, fen string) (*bench, rules.Position) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, boards()["scale"], 1)
	b.stand(&p)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true}})
	b.pass(time.Second)
	if b.last.State != reconcile.Synced {
		t.Fatalf("state %v before anything was done", b.last.State)
	}
	return b, p
}

// does carries one piece from a square to another, and returns the decoder's last explanation.
func (b *bench) does(from, to string) reconcile.Explanation {
	b.t.Helper()
	for i, name := range []string{from, to} {
		b.act(hands.Act{Do: [2]hands.Do{hands.Lift, hands.Put}[i], Place: on(b.t, name), Count: 1})
		b.pass(300 * time.Millisecond)
	}
	if b.last.State == reconcile.Moving {
		b.pass(2 * time.Second)
	}
	return b.last
}

// TestScaleFollowsPiles: a piece that goes from one pile to another changes no reed. The scale alone tells which piece
// it was.
func TestScaleFollowsPiles(t *testing.T) {
	b, p := onScale(t, "pillar", "4k3/8/[pn]7/8/8/8/[PR]7/4K3 w - - 0 1")
	x := b.does("a2", "a6")
	if x.State != reconcile.Moved || p.Coord(x.Move) != "a2a6:1" {
		t.Errorf("a rook taken off a pile on a2 and put on one on a6: %v %v, want a2a6:1", x.State, p.Coord(x.Move))
	}
	b, p = onScale(t, "pillar", "4k3/8/[pn]7/[pn]7/8/8/[PR]7/4K3 w - - 0 1")
	if x := b.does("a2", "a5"); x.State != reconcile.Moved || p.Coord(x.Move) != "a2a5:1" {
		t.Errorf("a rook put on the pile before that: %v %v, want a2a5:1", x.State, p.Coord(x.Move))
	}
}

// TestScaleTellsPiles: a piece taken off a pile, or put on one, changes no reed. It is seen all the same, however long
// somebody thinks, and a piece that belongs nowhere is named.
func TestScaleTellsPiles(t *testing.T) {
	lift := func(name string) hands.Act { return hands.Act{Do: hands.Lift, Place: on(t, name), Count: 1} }
	put := func(name string) hands.Act { return hands.Act{Do: hands.Put, Place: on(t, name)} }
	const piles = "4k3/8/[pn]7/8/8/8/[PR]7/4K3 w - - 0 1"
	for _, c := range []struct {
		name         string
		variant, fen string
		acts         []hands.Act
		want         reconcile.State
		touch, lifts string
	}{
		{"a rook in the hand for a long time", "pillar", piles, []hands.Act{lift("a2")}, reconcile.Moving,
			"[a2: PR, R on top]", "[{a2 1}]"},
		{"a rook from a pile onto its king", "pillar", piles, []hands.Act{lift("a2"), put("e1")}, reconcile.Wrong,
			"[e1: take 1 off, K on top a2: PR, R on top]", "[{a2 1}]"},
		{"a pawn from its square onto its king", "chess", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
			[]hands.Act{lift("a2"), put("e1")}, reconcile.Wrong, "[e1: take 1 off, K on top a2: put P]", "[{a2 0}]"},
		{"a rook from the table onto a king", "chess", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
			[]hands.Act{{Do: hands.Take, Pieces: "R"}, put("e1")}, reconcile.Wrong, "[e1: take 1 off, K on top]", "[]"},
	} {
		b, _ := onScale(t, c.variant, c.fen)
		for _, a := range c.acts {
			b.act(a)
			b.pass(300 * time.Millisecond)
		}
		for range 4 {
			b.pass(3 * time.Second)
			if x := b.last; x.State != c.want || fmt.Sprint(reconcile.Guide(x.Discrepancies)) != c.touch ||
				fmt.Sprint(x.Lifts) != c.lifts {
				t.Errorf("%s: %v %v, lifted %v; want %v %s, lifted %s", c.name, x.State,
					reconcile.Guide(x.Discrepancies), x.Lifts, c.want,
					c.touch, c.lifts)
			}
		}
	}
	b, p := onScale(t, "pillar", piles)
	b.act(lift("a2"))
	b.pass(15 * time.Second)
	b.act(put("a6"))
	b.pass(time.Second)
	if x := b.last; x.State != reconcile.Moved || p.Coord(x.Move) != "a2a6:1" {
		t.Errorf("a rook put down after 15 seconds of thought: %v %v, want a2a6:1", x.State, p.Coord(x.Move))
	}
}

// on is the place of a square.
func on(t testing.TB, name string) wood.Place {
	t.Helper()
	sq, err := rules.ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return wood.Place(sq)
}

// TestScaleTellsPromotions: the weight tells what a pawn becomes, which a board of reeds alone has to ask.
func TestScaleTellsPromotions(t *testing.T) {
	b, p := onScale(t, "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1")
	b.act(hands.Act{Do: hands.Lift, Place: on(t, "a7"), Count: 1})
	b.pass(300 * time.Millisecond)
	b.act(hands.Act{Do: hands.Discard})
	b.act(hands.Act{Do: hands.Take, Pieces: "R"})
	b.act(hands.Act{Do: hands.Put, Place: on(t, "a8")})
	for range 4 {
		if b.pass(500 * time.Millisecond); b.last.State != reconcile.Moving {
			break
		}
	}
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a7a8r" {
		t.Errorf("a rook put on a8: %v %v, want a7a8r", b.last.State, p.Coord(b.last.Move))
	}
}

// TestScaleWaitsForAHand: a hand that bears down on a knight shows the weight of a rook. Until it would have moved the
// rook is not taken for certain.
func TestScaleWaitsForAHand(t *testing.T) {
	b, p := onScale(t, "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1")
	b.act(hands.Act{Do: hands.Lift, Place: on(t, "a7"), Count: 1})
	b.pass(300 * time.Millisecond)
	b.act(hands.Act{Do: hands.Discard})
	b.act(hands.Act{Do: hands.Take, Pieces: "R"})
	b.act(hands.Act{Do: hands.Put, Place: on(t, "a8")})
	if b.pass(800 * time.Millisecond); b.last.State != reconcile.Moving {
		t.Errorf("after 800 ms: %v, want it to wait for a hand", b.last.State)
	}
	if b.pass(700 * time.Millisecond); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a7a8r" {
		t.Errorf("after 1500 ms: %v %v, want a7a8r", b.last.State, p.Coord(b.last.Move))
	}
}

// TestScaleUnderAHand: a hand that leans on the rim neither stops a move nor makes one. A board that lacks a corner
// plays on by its reeds.
func TestScaleUnderAHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		leans scale.Load
		deaf  rules.Bitboard
	}{
		{"a forearm on the rim", scale.At(1_500_000, 150, -205), 0},
		{"a wrist on the rim", scale.At(200_000, -100, -205), 0},
		{"a finger on the rim", scale.At(30_000, 205, 20), 0},
		{"a corner that says nothing", scale.Load{}, 1},
	} {
		b, p := onScale(t, "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
		b.leans, b.unheard = c.leans, c.deaf
		for range 4 {
			if b.pass(3 * time.Second); b.last.State != reconcile.Synced {
				t.Errorf("%s: state %v, want synced", c.name, b.last.State)
			}
		}
		if x := b.does("e2", "e4"); x.State != reconcile.Moved || p.Coord(x.Move) != "e2e4" {
			t.Errorf("%s: %v %v, want e2e4", c.name, x.State, p.Coord(x.Move))
		}
	}
}

// TestScaleBeforeAHand: what was lifted before a hand leaned on the board tells which piece came.
func TestScaleBeforeAHand(t *testing.T) {
	const fen = "rnbqk3/pppp1p2/8/3n2pp/1P2p1rP/3[PB]3P/P1P1P[PN]2/1[NR][BQ]1K2R w Kq - 1 12"
	for _, c := range []struct{ from, to, want string }{{"c1", "d1", "c1d1"}, {"f2", "d1", "f2d1"}} {
		b, p := onScale(t, "locking", fen)
		b.act(hands.Act{Do: hands.Lift, Place: on(t, c.from), Count: 1})
		b.pass(300 * time.Millisecond)
		b.leans = scale.At(1_500_000, 150, -205)
		b.act(hands.Act{Do: hands.Put, Place: on(t, c.to), Count: 1})
		if b.pass(1200 * time.Millisecond); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != c.want {
			t.Errorf("a hand leans once %s is put down: %v %v", c.want, b.last.State, p.Coord(b.last.Move))
		}
	}
}

// TestScaleUnderAHandAsksLater: while a hand leans on the board from before a piece was lifted, nothing tells which
// one came. The question waits, and the board need not ask if the hand leaves.
func TestScaleUnderAHandAsksLater(t *testing.T) {
	b, p := onScale(t, "locking", "rnbqk3/pppp1p2/8/3n2pp/1P2p1rP/3[PB]3P/P1P1P[PN]2/1[NR][BQ]1K2R w Kq - 1 12")
	b.leans = scale.At(1_500_000, 150, -205)
	b.pass(300 * time.Millisecond)
	for i, name := range []string{"f2", "d1"} {
		b.act(hands.Act{Do: [2]hands.Do{hands.Lift, hands.Put}[i], Place: on(t, name), Count: 1})
		b.pass(300 * time.Millisecond)
	}
	if b.pass(1200 * time.Millisecond); b.last.State != reconcile.Moving {
		t.Errorf("while a hand leans: %v, want it to wait", b.last.State)
	}
	b.leans = scale.Load{}
	if b.pass(600 * time.Millisecond); b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "f2d1" {
		t.Errorf("after the hand has left: %v %v, want f2d1", b.last.State, p.Coord(b.last.Move))
	}
}

// TestScaleWeighsWhereItStands: a board that weighs what it should, but not where, is not taken for the game's wood.
func TestScaleWeighsWhereItStands(t *testing.T) {
	v, _ := rules.ByID("pillar")
	p, err := v.ParseFEN("4k3/8/[pn]7/8/8/8/[PR]7/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	other, err := v.ParseFEN("4k3/8/[pnR]7/8/8/8/P7/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, boards()["scale"], 1)
	b.stand(&other)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true}})
	b.pass(time.Second)
	if x := b.does("a6", "a2"); x.State != reconcile.Synced {
		t.Errorf("once the rook stands where it should: %v %v, want synced", x.State, p.Coord(x.Move))
	}
}
