// SPDX-License-Identifier: Apache-2.0

package heights_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/heights"
)

// stage is a focus, and what the sensors last showed it.
type stage struct {
	heights.Focus
	value [64]int32
	now   time.Time
}

func (s *stage) see(sq rules.Square, um int32) {
	s.Seen(sq, s.value[sq], um)
	s.value[sq] = um
}

// choose lets a round go by.
func (s *stage) choose(awaited rules.Bitboard) rules.Bitboard {
	s.now = s.now.Add(32 * time.Millisecond)
	s.Round(awaited, all, &s.value, s.now)
	return s.On()
}

// round measures every square once more. um has the heights of some.
func (s *stage) round(um map[rules.Square]int32) {
	for sq := range rules.Square(64) {
		s.see(sq, um[sq])
	}
}

// TestFocusFollowsTheGame: the neighbours of e4 see a hand over e4 as well, but lower. So e4 is in focus, and after it
// has settled the next awaited square.
func TestFocusFollowsTheGame(t *testing.T) {
	const d4, e4, e5 = 27, 28, 36
	hand := map[rules.Square]int32{d4: 90_000, e4: 100_000, e5: 90_000}
	var s stage
	awaited := rules.Bitboard(1<<d4 | 1<<e4 | 1<<e5)
	s.round(hand)
	if got := s.choose(awaited); got != 0 {
		t.Errorf("a hand that has just come: %016x is in focus, want nothing", uint64(got))
	}
	s.round(hand)
	if got := s.choose(awaited); got != 1<<e4 || !s.Aside().Has(d4) || !s.Aside().Has(e5) {
		t.Errorf("a hand over e4: %016x is in focus and %016x aside, want e4, and d4 and e5 aside", uint64(got),
			uint64(s.Aside()))
	}
	s.see(e4, 70_000)
	if s.Settled(e4) {
		t.Error("e4 has settled at its first other height")
	}
	s.see(e4, 71_000)
	if !s.Settled(e4) {
		t.Error("e4 has not settled, and showed the same twice")
	}
	if got := s.choose(1<<d4 | 1<<e5); got != 1<<d4|1<<e5 {
		t.Errorf("e4 is awaited no more: %016x is in focus, want d4 and e5", uint64(got))
	}
}

// TestFocusFollowsTheHand: a hand over d4 is in focus, and moves on to e4, which sits out. d4 still shows it, but
// lower. So its neighbours are measured once, and e4 is higher.
func TestFocusFollowsTheHand(t *testing.T) {
	const d4, e4 = 27, 28
	awaited := rules.Bitboard(1<<d4 | 1<<e4)
	var s stage
	for range 2 {
		s.round(map[rules.Square]int32{d4: 100_000, e4: 90_000})
	}
	if got := s.choose(awaited); got != 1<<d4 || s.Done(awaited) {
		t.Fatalf("a hand over d4: %016x is in focus, done %v, want d4, and not done", uint64(got), s.Done(awaited))
	}
	s.see(d4, 90_000)
	if s.Done(awaited) {
		t.Error("d4 has been seen otherwise only once: it may be on the way")
	}
	s.see(d4, 91_000)
	if !s.Done(awaited) {
		t.Fatal("what hangs over d4 has moved, and e4 is not asked")
	}
	if got := s.choose(awaited); got != 1<<e4 {
		t.Fatalf("%016x is in focus, want e4 to be measured once", uint64(got))
	}
	s.see(e4, 100_000)
	if !s.Done(awaited) {
		t.Fatal("e4 has been measured, and nothing is chosen")
	}
	if got := s.choose(awaited); got != 1<<e4 || s.Done(awaited) {
		t.Errorf("the hand is over e4: %016x is in focus, done %v, want e4, and not done", uint64(got), s.Done(awaited))
	}
	began := s.now
	for s.choose(awaited) != 0 {
		if s.see(e4, 100_000); s.now.Sub(began) > time.Second {
			t.Fatal("d4, which is awaited too, has had no turn for a second")
		}
	}
}

// TestFocusIsFair: whatever is awaited and seen, no two squares in focus are neighbours, all of them are awaited, and
// none also sits out. All others have a round at least every one and a half seconds.
func TestFocusIsFair(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s stage
		last := s.now
		for range 300 {
			awaited := rules.Bitboard(r.Uint64() & r.Uint64() & r.Uint64())
			if seed%2 == 0 {
				awaited = 1 << (seed % 64) // a hand that rests on one square
			}
			on := s.choose(awaited)
			if on == 0 {
				last = s.now
			}
			if on&s.Aside() != 0 || on&^awaited != 0 || s.now.Sub(last) > 1600*time.Millisecond {
				t.Fatalf("seed %d: awaited %016x, in focus %016x, aside %016x, the last round of all %v ago", seed,
					uint64(awaited), uint64(on), uint64(s.Aside()), s.now.Sub(last))
			}
			for sq := range (^s.Aside()).Squares() {
				s.see(sq, s.value[sq]+int32(r.IntN(8_000))*int32(r.IntN(2)))
			}
		}
	}
}

// TestRoundsAreWhole: squares are chosen again within a round as well, as those in focus settle. But the round in
// which all others have their turn is a whole one. So the squares that are measured first in a round have it too.
func TestRoundsAreWhole(t *testing.T) {
	const d4, e4, a1 = 27, 28, 0
	awaited := rules.Bitboard(1<<d4 | 1<<e4 | 1<<a1 | 1<<1)
	var s stage
	var turn [64]time.Time
	half := func(from, to rules.Square) {
		s.now = s.now.Add(19 * time.Millisecond) // so that the time for a round comes within one
		for sq := from; sq < to; sq++ {
			if !s.On().Has(sq) && !s.Aside().Has(sq) {
				turn[sq] = s.now
			}
			s.see(sq, 90_000-int32(sq))
		}
	}
	for range 200 {
		s.Round(awaited, all, &s.value, s.now)
		half(0, 32)
		if s.On() != 0 {
			s.Choose(awaited, all, &s.value, s.now)
		}
		half(32, 64)
		for sq := range rules.Square(64) {
			if waits := s.now.Sub(turn[sq]); !s.On().Has(sq) && !turn[sq].IsZero() && waits > 700*time.Millisecond {
				t.Fatalf("square %v has had no turn for %v", sq, waits)
			}
		}
	}
}
