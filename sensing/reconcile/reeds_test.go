package reconcile_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile"
)

// leaking is a board on which the reed of one square closes along with that of another.
func leaking(p, with reconcile.Place) func(*bench) broken {
	return func(b *bench) broken {
		return broken{reed: func(q reconcile.Place, closed bool) bool { return closed || q == p && b.wood[with] != "" }}
	}
}

// TestOneMagnetIsNotTwoMoves: the two reeds could be the queen, had she gone elsewhere, and the reply to that. But she has long landed.
func TestOneMagnetIsNotTwoMoves(t *testing.T) {
	const a5, b5 = reconcile.Place(32), reconcile.Place(33)
	v, _ := rules.ByID("chess")
	before, err := v.ParseFEN("rnbqkb1r/pp1p1ppp/2p1p3/4n3/1PP4R/1Q3N2/P2PPPP1/RNB1KB2 b Qkq - 0 6")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, boards()["reeds"], 1)
	b.stand(&before)
	b.broken = leaking(a5, b5)(b)
	b.d.Expect([]reconcile.Base{{Position: before, Moves: true, Reply: true}})
	b.pass(time.Second)
	p := before
	b.hand(&p, "d8h4", time.Second)
	if b.last.State != reconcile.Moved {
		t.Fatalf("%v, want d8h4", b.last.State)
	}
	p.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Moves: true, Back: true}})
	b.pass(2 * time.Second)
	b.hand(&p, "b4b5", 2500*time.Millisecond)
	if b.last.State != reconcile.Moved || b.last.Base != 0 || p.Coord(b.last.Move) != "b4b5" {
		t.Errorf("%v from base %d, move %s; want b4b5", b.last.State, b.last.Base, p.Coord(b.last.Move))
	}
}
