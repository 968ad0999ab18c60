// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

func sound(*bench) broken { return broken{} }

// TestUnseenIsNoRest: on a machine that has no time to sweep the reeds, a rook that may slide on has not rested there for as long as nobody has looked.
func TestUnseenIsNoRest(t *testing.T) {
	const a1, a3, a4 = wood.Place(0), wood.Place(16), wood.Place(24)
	b, p := faulty(t, "reeds", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, a3, 30*time.Millisecond)
	if e := b.d.Explain(b.now.Add(400 * time.Millisecond)); e.State != reconcile.Moving {
		t.Fatalf("got %v %s 400 ms after the last sweep, want to wait for the next one", e.State, p.Coord(e.Move))
	}
	b.now = b.now.Add(400 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: a3, Count: 1})
	b.do(hands.Right, hands.Put, a4, time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a1a4" {
		t.Errorf("got %v %s, want a1a4", b.last.State, p.Coord(b.last.Move))
	}
}

// TestOldHeightsBlameNobody: heights that nobody has had time to measure since a piece came to one square and another left a second one say nothing against
// the reeds of both.
func TestOldHeightsBlameNobody(t *testing.T) {
	const d8, e8, g1, f3 = wood.Place(59), wood.Place(60), wood.Place(6), wood.Place(21)
	b, p := faultyIn(t, "locking", "twin", "3qk3/8/8/8/8/8/8/4K1N1 w - - 0 1", sound)
	b.pass(3 * time.Second)
	b.late = f3.Square().Bit()
	b.do(hands.Right, hands.Lift, g1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, f3, time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "g1f3" {
		t.Fatalf("got %v %s, want g1f3", b.last.State, p.Coord(b.last.Move))
	}
	p.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: p, Moves: true, Reply: true}})
	b.pass(time.Second)
	b.late |= d8.Square().Bit() | e8.Square().Bit()
	b.do(hands.Right, hands.Lift, d8, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, e8, 3*time.Second)
	if fs := b.d.Faults(); len(fs) > 0 || b.last.State != reconcile.Moving {
		t.Fatalf("got %v, %v, want nobody blamed", b.last.State, reconcile.Describe(fs))
	}
	b.late = 0
	b.pass(2 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "d8e8*" {
		t.Errorf("got %v %s, want d8e8*", b.last.State, p.Coord(b.last.Move))
	}
}

// TestSlowHeightsTellNoOrder: that a height shows late that the captor has left says nothing of when it did, if nobody had measured it before.
func TestSlowHeightsTellNoOrder(t *testing.T) {
	const b5, b1 = wood.Place(33), wood.Place(1)
	b, p := faultyIn(t, "locking", "twin", "4k3/8/8/1[Nq]6/8/8/8/1[NR]2K3 b - - 0 1", sound)
	b.late = rules.Square(b5).Bit()
	b.act(hands.Act{Hand: hands.Left, Do: hands.Lift, Place: b1, Count: 2})
	b.pass(200 * time.Millisecond)
	b.do(hands.Right, hands.Lift, b5, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, b1, 300*time.Millisecond)
	b.do(hands.Left, hands.Discard, 0, 200*time.Millisecond)
	b.late = 0
	b.pass(4 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "b5b1" {
		t.Errorf("got %v %s, touch %v, want b5b1", b.last.State, p.Coord(b.last.Move), b.last.Touch)
	}
}

// TestUnseenIsNotTogether: two pieces that came down while nobody looked were not closed by one magnet.
func TestUnseenIsNotTogether(t *testing.T) {
	const a1, a4, h8, h5 = wood.Place(0), wood.Place(24), wood.Place(63), wood.Place(39)
	b, p := faulty(t, "reeds", "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Left, hands.Lift, h8, 200*time.Millisecond)
	b.act(hands.Act{Hand: hands.Right, Do: hands.Put, Place: a4})
	b.act(hands.Act{Hand: hands.Left, Do: hands.Put, Place: h5})
	b.now = b.now.Add(200 * time.Millisecond)
	b.pass(8 * time.Second)
	if b.last.State != reconcile.Moved || p.Coord(b.last.Move) != "a1a4" || len(b.d.Faults()) > 0 {
		t.Errorf("got %v %s, %v, want a1a4 and its reply", b.last.State, p.Coord(b.last.Move), reconcile.Describe(b.d.Faults()))
	}
}

// TestUnseenCapture: nobody looked while a king captured, and the eye over a bishop of its own is gone, so that it may as well have been put there: somebody
// must say.
func TestUnseenCapture(t *testing.T) {
	const f4, f5 = wood.Place(29), wood.Place(37)
	b, p := faultyIn(t, "locking", "twin", "8/3k4/8/5b2/5K2/4B3/8/8 w - - 0 1", func(*bench) broken {
		return broken{silent: func(k sensing.Kind, _ sensing.Deck) rules.Bitboard {
			if k == sensing.Heights {
				return 0xff0000
			}
			return 0
		}}
	})
	b.pass(3 * time.Second)
	b.do(hands.Right, hands.Lift, f4, 100*time.Millisecond)
	b.act(hands.Act{Hand: hands.Left, Do: hands.Lift, Place: f5, Count: 1})
	b.act(hands.Act{Hand: hands.Right, Do: hands.Put, Place: f5})
	b.now = b.now.Add(300 * time.Millisecond)
	b.act(hands.Act{Hand: hands.Left, Do: hands.Discard})
	b.pass(8 * time.Second)
	if b.last.State != reconcile.Asking || len(b.last.Choices) < 2 {
		t.Errorf("got %v %s, choices %v, want to be asked", b.last.State, p.Coord(b.last.Move), b.last.Choices)
	}
}

// TestAgainIsLater: when nobody sweeps the reeds, the decoder does not ask to be asked again at once, time after time.
func TestAgainIsLater(t *testing.T) {
	const a1 = wood.Place(0)
	b, _ := faulty(t, "reeds", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, a1, 30*time.Millisecond)
	for _, ms := range []time.Duration{300, 500, 900} {
		at := b.now.Add(ms * time.Millisecond)
		if e := b.d.Explain(at); !e.Again.IsZero() && !e.Again.After(at) {
			t.Errorf("%v, again %v before now", e.State, at.Sub(e.Again))
		}
	}
}

// TestOneDeckSweptBeforeTheOther: no move has rested for less than no time.
func TestOneDeckSweptBeforeTheOther(t *testing.T) {
	const a1, a3, e8 = wood.Place(0), wood.Place(16), wood.Place(60)
	b, p := faultyIn(t, "locking", "twin", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", sound)
	b.do(hands.Right, hands.Lift, a1, 200*time.Millisecond)
	b.do(hands.Right, hands.Put, a3, 150*time.Millisecond)
	b.now = b.now.Add(400 * time.Millisecond)
	b.act(hands.Act{Do: hands.Lift, Place: e8, Count: 1})
	r := sensing.Reading{At: b.now, Kind: sensing.Reeds, Known: ^rules.Bitboard(0)}
	for s := range rules.Square(64) {
		if b.wood[s] != "" {
			r.Closed |= s.Bit()
		}
	}
	b.d.Observe(&r)
	if e := b.d.Explain(b.now); e.State != reconcile.Moved || p.Coord(e.Move) != "a1a3" || e.Waited < 0 {
		t.Errorf("got %v %s after %v of rest, want a1a3", e.State, p.Coord(e.Move), e.Waited)
	}
}

// TestCaptureInALapse: all of a capture, the lift included, was made while nobody looked, and its piece may as well have gone where no reed tells.
func TestCaptureInALapse(t *testing.T) {
	const e3, c4, d5 = wood.Place(20), wood.Place(26), wood.Place(35)
	b, p := faulty(t, "reeds", "4k3/8/8/3p4/2P5/4N3/8/4K3 w - - 0 1", dead(c4))
	b.pass(4 * time.Second)
	b.must(&p, "c4c5", time.Second)
	b.must(&p, "e8e7", time.Second)
	b.act(hands.Act{Do: hands.Lift, Place: e3, Count: 1})
	b.act(hands.Act{Hand: hands.Left, Do: hands.Lift, Place: d5, Count: 1})
	b.act(hands.Act{Do: hands.Put, Place: d5})
	b.now = b.now.Add(400 * time.Millisecond)
	if b.pass(8 * time.Second); b.last.State != reconcile.Asking {
		t.Errorf("got %v %s, want to be asked", b.last.State, p.Coord(b.last.Move))
	}
}
