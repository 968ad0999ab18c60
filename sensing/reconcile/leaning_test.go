// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

// TestLeaningWhereItComes: somebody leans on an empty square. The piece is put there as the hand leaves. Its reed says
// when it came, however heavily the hand had leaned.
func TestLeaningWhereItComes(t *testing.T) {
	for _, load := range []int32{15_000, 30_000, 60_000} {
		s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		s.rest(time.Second)
		s.gram[s.at("e4")] = load
		s.rest(3 * time.Second)
		s.wood[s.at("e2")] = ""
		s.rest(300 * time.Millisecond)
		s.wood[s.at("e4")], s.gram[s.at("e4")] = "P", 0
		if got := s.taken(300 * time.Millisecond); got == rules.NoMove || p.Coord(got) != "e2e4" {
			t.Errorf("%d mg: got %v, want e2e4 at once", load, got)
		}
	}
}

// TestLeaningWhereItLocks: somebody leans on a pawn, puts a rook on it, trembles there for a while, and leaves. The
// pawn bears more than before the rook was lifted, or has borne the same for longer than a hand would.
func TestLeaningWhereItLocks(t *testing.T) {
	for _, c := range []struct {
		load   int32
		stays  int // readings for which the hand trembles on the rook
		within time.Duration
	}{
		{5_000, 0, time.Second}, {5_000, 50, 2 * time.Second}, {15_000, 150, 2 * time.Second},
		{45_000, 0, 6 * time.Second}, {60_000, 30, 6 * time.Second},
	} {
		s, p := newStill(t, true, "locking", "4k3/8/8/3P4/8/8/8/3RK3 w - - 0 1")
		d5 := s.at("d5")
		s.rest(time.Second)
		s.gram[d5] = c.load
		s.rest(2 * time.Second)
		s.wood[s.at("d1")] = ""
		s.rest(300 * time.Millisecond)
		s.wood[d5] = "PR"
		for n := range c.stays {
			s.gram[d5] = c.load + int32(n/2*7%10)*200
			s.rest(10 * time.Millisecond)
		}
		s.gram[d5] = 0
		x, _ := s.until(c.within, func(x *Explanation) bool { return x.State == Moved || x.State == Wrong })
		if x.State != Moved || p.Coord(x.Move) != "d1d5*" {
			t.Errorf("%d mg, which stay for %d0 ms: got %v %v, want d1d5*", c.load, c.stays, x.State, x.Discrepancies)
		}
	}
}

// TestLeaningWhereTheTopLeft: somebody leans on a pile while its top is moved, and leaves when that has landed. That
// is not when the top left, also if the hand had just pressed with the weight of the top.
func TestLeaningWhereTheTopLeft(t *testing.T) {
	for _, load := range []int32{5_000, 20_000, 41_000, 45_000, 60_000} {
		for move, after := range map[string]wood.Pile{"g8g4": "r", "g8g2*": "Pr"} {
			s, p := newStill(t, true, "locking", "4k1[Nr]1/8/8/8/8/8/6P1/4K3 b - - 0 1")
			s.rest(time.Second)
			s.gram[s.at("g8")] = load
			s.rest(2 * time.Second)
			s.wood[s.at("g8")] = "N"
			s.rest(300 * time.Millisecond)
			s.wood[s.at(move[2:4])] = after
			s.rest(500 * time.Millisecond)
			s.gram[s.at("g8")] = 0
			if got := s.taken(200 * time.Millisecond); got == rules.NoMove || p.Coord(got) != move {
				t.Errorf("leant with %d mg: got %v, want %s at once", load, got, move)
			}
		}
	}
}

// TestWrongWhereSomebodyLeans: somebody leans on a king, puts another piece on it by mistake, and stays there or
// leaves. That is called wrong soon. It is no heavier hand.
func TestWrongWhereSomebodyLeans(t *testing.T) {
	for _, load := range []int32{0, 3_000, 8_000} {
		for _, stays := range []time.Duration{0, 300 * time.Millisecond, time.Minute} {
			s, _ := newStill(t, true, "chess", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1")
			s.rest(time.Second)
			s.gram[s.at("e8")] = load
			s.rest(time.Second)
			s.wood[s.at("d5")] = ""
			s.rest(300 * time.Millisecond)
			s.wood[s.at("e8")] = "kP"
			if stays < time.Minute {
				s.until(stays, never)
				s.gram[s.at("e8")] = 0
			}
			x, _ := s.until(time.Second, func(x *Explanation) bool { return x.State == Wrong })
			if x.State != Wrong {
				t.Errorf("%d mg, for %v: got %v %v, want wrong", load, stays, x.State, x.Discrepancies)
			}
		}
	}
}
