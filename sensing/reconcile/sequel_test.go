// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"slices"
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestLateContactOfCorrection: a rook slides on after its move was accepted, and closes its reed only when the reply has landed. By the reeds the
// reply came first; that is not believed, nor the contrary: somebody must say which was the last move.
func TestLateContactOfCorrection(t *testing.T) {
	a1, d4, h2, h5, h7 := wood.Place(0), wood.Place(27), wood.Place(15), wood.Place(39), wood.Place(55)
	late := true
	b, p := faulty(t, "reeds", "4k3/8/8/7r/8/8/8/B3K3 b - - 0 1", func(*bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed && !(late && q == h7) }}
	})
	carry := func(from, to wood.Place, rest time.Duration) {
		b.act(hands.Act{Do: hands.Lift, Place: from, Count: 1})
		b.pass(150 * time.Millisecond)
		b.act(hands.Act{Do: hands.Put, Place: to})
		b.pass(rest)
	}
	carry(h5, h2, 300*time.Millisecond)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "h5h2" {
		t.Fatalf("got %v %s, want h5h2", b.last.State, got)
	}
	q := p
	q.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: q, Moves: true, Reply: true}, {Position: p, Moves: true, Back: true}})
	carry(h2, h7, 150*time.Millisecond)
	carry(a1, d4, time.Second)
	late = false
	b.pass(4 * time.Second)
	var choices []string
	for _, c := range b.last.Choices {
		choices = append(choices, p.Coord(c.Move))
		if b.wood[c.Place] == "" {
			t.Errorf("%s is to be answered with what stands on %v, where nothing does", p.Coord(c.Move), c.Place)
		}
	}
	if want := []string{"h5h7", "h5h2"}; b.last.State != reconcile.Asking || b.last.Base != 1 || !slices.Equal(choices, want) {
		t.Fatalf("got %v, base %d, %v, want a question for %v", b.last.State, b.last.Base, choices, want)
	}
	right, err := p.ParseMove("h5h7")
	if err != nil {
		t.Fatal(err)
	}
	after := p
	after.Play(right)
	b.d.Expect([]reconcile.Base{{Position: after, Moves: true, Reply: true}, {Position: p, Moves: true, Back: true}})
	if b.pass(time.Second); b.last.State != reconcile.Moved || b.last.Base != 0 || after.Coord(b.last.Move) != "a1d4" {
		t.Errorf("got %v, base %d, %s, want a1d4", b.last.State, b.last.Base, after.Coord(b.last.Move))
	}
}

// TestReplyAfterAQuickExchange: two hands exchange a captured piece for its captor, within the time in which a reed may be open for a knock, and the reply comes
// at once: both moves are found when the wood has rested as long as for the one alone.
func TestReplyAfterAQuickExchange(t *testing.T) {
	const h2, h3, d2, f3 = wood.Place(15), wood.Place(23), wood.Place(11), wood.Place(21)
	for _, board := range []string{"reeds", "twin"} {
		t.Run(board, func(t *testing.T) {
			b, p := faulty(t, board, "8/3k4/8/1p6/1P6/3p3p/3n3K/8 w - - 2 52", func(*bench) broken { return broken{} })
			b.do(hands.Right, hands.Lift, h2, 200*time.Millisecond)
			b.do(hands.Right, hands.Put, h3, 100*time.Millisecond)
			b.do(hands.Left, hands.Lift, h3, 200*time.Millisecond)
			b.do(hands.Right, hands.Lift, h3, 30*time.Millisecond)
			b.do(hands.Left, hands.Put, h3, 250*time.Millisecond)
			b.act(hands.Act{Hand: hands.Right, Do: hands.Discard})
			b.pass(80 * time.Millisecond)
			b.do(hands.Right, hands.Lift, d2, 100*time.Millisecond)
			b.do(hands.Right, hands.Put, f3, 3*time.Second)
			for _, want := range []string{"h2h3", "d2f3"} {
				if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != want {
					t.Fatalf("state %v, move %s, touch %v, want %s", b.last.State, p.Coord(b.last.Move), b.last.Touch, want)
				}
				before := p
				p.Play(b.last.Move)
				b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}, {Position: before, Moves: true, Back: true}})
				b.pass(3 * time.Second)
			}
		})
	}
}

// TestReplyWhileItLiesElsewhere: a queen lies on c4, where the reed is dead and only her height says so, and what she could have captured is captured by a pawn:
// she was not put there and captured in turn.
func TestReplyWhileItLiesElsewhere(t *testing.T) {
	const c4, e2, f5, g4 = wood.Place(26), wood.Place(12), wood.Place(37), wood.Place(30)
	b, p := faultyIn(t, "locking", "twin", "r1b1kbnr/ppq[pn]p2p/8/1Rp2pp1/3P2N1/8/PPP1[PQ]PPP/1NBK1B1R w kq - 0 9", func(*bench) broken {
		return broken{reed: func(q wood.Place, closed bool) bool { return closed && q != c4 }}
	})
	b.do(hands.Right, hands.Lift, e2, 250*time.Millisecond)
	b.do(hands.Right, hands.Put, c4, 300*time.Millisecond)
	b.do(hands.Right, hands.Lift, g4, 250*time.Millisecond)
	b.do(hands.Right, hands.Discard, g4, 200*time.Millisecond)
	b.do(hands.Right, hands.Lift, f5, 1000*time.Millisecond)
	b.do(hands.Right, hands.Put, g4, 5*time.Second)
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "e2c4" {
		t.Errorf("got %v %s %v, want e2c4", b.last.State, got, b.choices(&p))
	}
}

// TestAgainIsEnough: on a quiet board of reeds nobody looks but when the decoder has asked for it. A rook that is captured as soon as it has moved is found all the same.
func TestAgainIsEnough(t *testing.T) {
	const h1, h2, c7 = wood.Place(7), wood.Place(15), wood.Place(50)
	b, p := faulty(t, "reeds", "5br1/2q1p1p1/r7/p1P2kNp/7P/P1B5/1P6/1K3b1R w - - 2 33", func(*bench) broken { return broken{} })
	b.do(hands.Right, hands.Lift, h1, 300*time.Millisecond)
	b.do(hands.Right, hands.Put, h2, 200*time.Millisecond)
	b.do(hands.Right, hands.Lift, h2, 130*time.Millisecond)
	b.do(hands.Right, hands.Discard, h2, 120*time.Millisecond)
	b.do(hands.Right, hands.Lift, c7, 180*time.Millisecond)
	b.do(hands.Right, hands.Put, h2, 10*time.Millisecond)
	for end := b.now.Add(4 * time.Second); b.last.State != reconcile.Moved && b.now.Before(end); {
		b.now = b.now.Add(reedSweep)
		b.sweep()
		if again := b.last.Again; !again.IsZero() && !b.now.Before(again) {
			b.last = b.d.Explain(b.now)
		}
	}
	if got := p.Coord(b.last.Move); b.last.State != reconcile.Moved || got != "h1h2" {
		t.Errorf("got %v %s, want h1h2", b.last.State, got)
	}
}
