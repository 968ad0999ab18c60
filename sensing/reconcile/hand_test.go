// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// newTwin is a twin board at rest. Its rook on d4, which may lock the pawn on d5, has been lifted.
func newTwin(t *testing.T) (s *still, h *hypotheses.Hypothesis) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "locking", "4k3/8/8/3P4/3R4/8/8/4K3 w - - 0 1")
	s.put("d4", "")
	return s, s.hypothesis(p, "d4d5*", "")
}

// TestHandAtAnyHeight: the height of a possible pile speaks for that pile, and more so the longer it stays. A hand at
// another height says nothing, and costs a hand at work as much as the game.
func TestHandAtAnyHeight(t *testing.T) {
	for _, c := range []struct {
		name        string
		um          int32 // above what stands on d5
		least, most float64
	}{
		{"a pile", 35_000, 4, 7},
		{"a hand between", 53_000, -0.5, 0.5},
		{"a hand high up", 90_000, -0.5, 0.5},
	} {
		s, h := newTwin(t)
		d5 := s.at("d5")
		s.hand[d5] = c.um
		s.rest(300 * time.Millisecond)
		gain := 0.0
		for _, i := range h.Changes {
			if s.list.Changes[i].Place == d5 {
				gain = s.weighed(i).Gain
			}
		}
		if gain < c.least || gain > c.most {
			t.Errorf("%s: the lock gains %.1f nats on d5, want %v to %v", c.name, gain, c.least, c.most)
		}
		if s.against.Has(d5) && math.Abs(gain-s.spare[d5]-(-world.HandPrice-world.AnyHeight)) > 0.3 {
			t.Errorf("%s: a hand at work gains %.1f nats, the lock %.1f", c.name, s.spare[d5], gain)
		}
	}
}

// TestGrown: a height that has fallen from the back of a hand to that of a higher pile is a piece put down. A height
// that has risen may be a hand.
func TestGrown(t *testing.T) {
	for _, c := range []struct {
		name  string
		um    []int32 // above what stands on d5, one after the other
		holds bool
	}{
		{"nothing", []int32{0}, true},
		{"a hand", []int32{80_000}, true},
		{"a hand, then the pile", []int32{80_000, 35_000}, false},
		{"risen to it", []int32{35_000}, true},
		{"a hand that comes lower", []int32{100_000, 60_000}, true},
		{"a hand, then the pile, for a moment", []int32{80_000, 35_000, 0}, true},
	} {
		s, _ := newTwin(t)
		for _, um := range c.um {
			s.hand[s.at("d5")] = um
			s.rest(80 * time.Millisecond)
		}
		if s.against.Has(s.at("d5")) {
			s.against.Drop(s.at("d5")) // a place that contradicts the game counts as put down anyhow
		}
		if got := s.holds(); got != c.holds {
			t.Errorf("%s: holds a piece %v, want %v", c.name, got, c.holds)
		}
	}
}

// TestNoRestForGrown: when the hand leaves the pile that it made, the rest of a move does not begin again. When a
// height rises, it does.
func TestNoRestForGrown(t *testing.T) {
	for _, c := range []struct {
		um   []int32
		most time.Duration
	}{
		{[]int32{80_000, 35_000}, time.Hour},
		{[]int32{0, 35_000}, 60 * time.Millisecond},
	} {
		s, h := newTwin(t)
		for _, um := range c.um {
			s.hand[s.at("d5")] = um
			s.rest(60 * time.Millisecond)
		}
		if got := s.pause(h, time.Minute); got > c.most || c.most == time.Hour && got < time.Second {
			t.Errorf("heights %v um: rests for %v", c.um, got)
		}
	}
}

// TestNoAlarmForHands: a hand over a pile, at the height of a higher pile, is not called wrong, however long the wood
// has rested.
func TestNoAlarmForHands(t *testing.T) {
	s, _ := newTwin(t)
	s.put("d4", "R")
	s.rest(20 * time.Second)
	s.hand[s.at("e8")] = 70_000
	for range 20 {
		s.rest(100 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Wrong {
			t.Fatalf("wrong after %v: touch %v", s.now.Sub(time.Unix(1000, 0)), x.Discrepancies)
		}
	}
}

// TestReplyLiftWithHand: the opponent's lift explains what the reed shows. It explains no more than a hand does of
// what the height sensor shows.
func TestReplyLiftWithHand(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	s.put("e2", "")
	s.put("e4", "P")
	s.put("e8", "")
	h := s.hypothesis(p, "e2e4", "")
	without := s.replyBegun(h) + s.gameFit(s.at("e8"))
	s.hand[s.at("e8")] = 90_000
	s.rest(200 * time.Millisecond)
	with := s.replyBegun(h) + s.gameFit(s.at("e8"))
	if d := without - with; d < 3 || d > 7 {
		t.Errorf("a hand over e8 costs the reply that began there %.1f nats, want 3 to 7", d)
	}
}

// TestCountUnderHand: a hand over a piece is no second piece, unless a likely move would have put one there.
func TestCountUnderHand(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, _ := newStillOn(t, g, "locking", "4k3/8/8/8/4P3/8/3RP3/4K3 w - - 0 1")
	s.hand[s.at("e2")] = 110_000
	s.rest(400 * time.Millisecond)
	if n := s.Count(s.at("e2")); n != 1 {
		t.Errorf("%d pieces stand on e2 under a hand, want 1", n)
	}
	s.put("d2", "")
	s.hand[s.at("e2")] = 0
	s.put("e2", "PR")
	s.rest(400 * time.Millisecond)
	s.Explain(s.now)
	if n := s.Count(s.at("e2")); n != 2 {
		t.Errorf("%d pieces stand on e2, want the rook on the pawn", n)
	}
}

// TestCountWithALooseReed: a reed that opens for a moment, while the height stays, has lifted no piece. A hand that
// lifts one is seen as well.
func TestCountWithALooseReed(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, _ := newStillOn(t, g, "locking", "4k3/8/8/8/4P3/8/3RP3/4K3 w - - 0 1")
	e2 := s.at("e2")
	s.until(time.Second, never)
	s.wood[e2], s.hand[e2] = "", s.g.CubeHeight
	s.rest(10 * time.Millisecond)
	if s.Explain(s.now); s.Count(e2) != 1 {
		t.Errorf("%d pieces stand on e2 while its reed is open, and its height stays, want 1", s.Count(e2))
	}
	s.hand[e2] = 110_000
	s.rest(200 * time.Millisecond)
	if s.Explain(s.now); s.Count(e2) != 0 {
		t.Errorf("%d pieces stand on e2, from which a hand has lifted one, want none", s.Count(e2))
	}
}

// replied is the hypothesis of a move, with a reply to it.
func (s *still) replied(p rules.Position, move, reply string) hypotheses.Hypothesis {
	s.t.Helper()
	h := *s.hypothesis(p, move, "")
	h.Undone = wood.Nowhere
	p.Play(h.Move)
	for _, m := range p.AppendMoves(nil) {
		if p.Coord(m) == reply {
			h.Reply = m
			return h
		}
	}
	s.t.Fatalf("%s is no reply to %s", reply, move)
	return h
}

// TestLandsEarly: a piece that stood on its square long before another left was no part of two moves.
func TestLandsEarly(t *testing.T) {
	for _, c := range []struct {
		name  string
		order []string
		want  float64
	}{
		{"one after the other", []string{"e2-", "e4+", "e7-", "e5+"}, 0},
		{"the reply landed before it left", []string{"e2-", "e5+", "e4+", "e7-"}, world.LandsBefore + world.OutOfOrder},
		{"the reply landed before the move", []string{"e2-", "e7-", "e5+", "e4+"}, world.OutOfOrder},
		{"the reply was made before the move", []string{"e7-", "e5+", "e2-", "e4+"}, world.OutOfOrder + world.WayOutOfOrder},
		{"the move landed before it left", []string{"e4+", "e2-", "e7-", "e5+"}, world.LandsBefore},
	} {
		s, p := newStill(t, true, "chess", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
		piece := map[string]wood.Pile{"e4+": "P", "e5+": "p"}
		for _, step := range c.order {
			s.put(step[:2], piece[step])
		}
		h := s.replied(p, "e2e4", "e7e5")
		if got := s.pairOrderCost(&h); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.1f nats for the way, want %.1f", c.name, got, c.want)
		}
	}
}

// TestCaptorLandsEarly: a captor has not come before it left, of a move that has a reply as well.
func TestCaptorLandsEarly(t *testing.T) {
	for _, c := range []struct {
		name  string
		order []string
		want  float64
	}{
		{"one after the other", []string{"e4-", "d5-", "d5P", "e7-", "e6p"}, 0},
		{"the prey was only touched, before the captor left", []string{"d5-", "d5P", "e4-", "e7-", "e6p"},
			world.LandsBefore},
	} {
		s, p := newStill(t, true, "chess", "4k3/4p3/8/3p4/4P3/8/8/4K3 w - - 0 1")
		for _, step := range c.order {
			s.put(step[:2], wood.Pile(strings.Trim(step[2:], "-")))
		}
		h := s.replied(p, "e4d5", "e7e6")
		if got := s.pairOrderCost(&h); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.1f nats for the way, want %.1f", c.name, got, c.want)
		}
	}
}

// TestReplyLooksLikeTakeback: a reply that goes back the way of the last move, which another one replaces, is one of
// all replies. Hands that take that move back, and put its piece down on the way, leave the same wood.
func TestReplyLooksLikeTakeback(t *testing.T) {
	for reply, back := range map[string]bool{"a4a1": true, "a4a2": false} {
		s, before := newStill(t, true, "chess", "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1")
		s.play(before, "a1a4")
		s.put("a4", "")
		s.put(reply[2:], "r")
		s.put("b1", "R")
		s.pairs()
		after := before
		m, err := after.ParseMove("a1b1")
		if err != nil {
			t.Fatal(err)
		}
		after.Play(m)
		want, found := -5.5, false
		if back {
			want += hypotheses.OneMoveCost(len(after.AppendMoves(nil)))
		}
		for i := range s.list.Hyps {
			if h := &s.list.Hyps[i]; h.Base == 1 && h.Move == m && h.Reply != rules.NoMove && after.Coord(h.Reply) == reply {
				if found = true; math.Abs(h.Prior-want) > 0.2 {
					t.Errorf("a1b1 and %s in place of a1a4 cost %.1f nats, want %.1f", reply, h.Prior, want)
				}
			}
		}
		if !found {
			t.Errorf("a1b1 and %s are no hypothesis", reply)
		}
	}
}

// TestLeavesBeforeAnother: a piece left a square when its reed first opened, also where another one stood there later.
func TestLeavesBeforeAnother(t *testing.T) {
	for _, c := range []struct {
		name  string
		order []string
		want  float64
	}{
		{"it landed, and nothing else stood there", []string{"e8-", "c8+"}, 0},
		{"it landed, and a rook was put there for a while", []string{"e8-", "c8+", "e8+", "e8-"}, 0},
		{"it landed before anything left", []string{"c8+", "e8-"}, world.LandsBefore},
	} {
		s, _ := newStill(t, true, "chess", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1")
		piece := map[string]wood.Pile{"c8+": "k", "e8+": "r"}
		since := s.seen.Now
		for _, step := range c.order {
			s.put(step[:2], piece[step])
		}
		if got := world.LandsBefore * s.landedFirst(s.at("e8"), s.at("c8"), "k", since); math.Abs(got-c.want) > 0.3 {
			t.Errorf("%s: %.1f nats for the way, want %.1f", c.name, got, c.want)
		}
	}
}

// TestExchangedPile: a piece put where a whole pile was taken away counts as put down, although less stands there than
// before.
func TestExchangedPile(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	for _, c := range []struct {
		name  string
		taken wood.Pile // what is left when something was taken off d5
		want  bool
	}{{"exchanged", "", false}, {"the top taken off", "n", true}} {
		s, _ := newStillOn(t, g, "locking", "4k3/8/8/3[np]4/3R4/8/8/4K3 w - - 0 1")
		s.seen.Epoch = s.seen.Now
		s.put("d4", "")
		s.put("d5", c.taken)
		s.put("d5", "R")
		if got := s.holds(); got != c.want {
			t.Errorf("%s: holds a piece %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCoveredExchange: an exchange that its reed did not show is likelier where a hand was seen over the square.
func TestCoveredExchange(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	for um, want := range map[int32]float64{0: world.ExchangeUnseen, 60_000: world.ExchangeCovered} {
		s, _ := newStillOn(t, g, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
		s.seen.Epoch = s.seen.Now
		s.put("e4", "")
		s.hand[s.at("d5")] = um
		s.rest(200 * time.Millisecond)
		s.hand[s.at("d5")] = 0
		s.rest(200 * time.Millisecond)
		if got := s.wholeExchangeCost(s.at("d5"), s.seen.Epoch); math.Abs(got-want) > 0.7 {
			t.Errorf("a hand %d um over the piece: %.1f nats, want %.1f", um, got, want)
		}
	}
}

// TestSunkPiece: the captured piece sinks to the lower deck before the captor is lifted. It is not the captor.
func TestSunkPiece(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "meirav", "4k3/p7/8/8/8/6n1/7P/4K3 w - - 0 1")
	upper := func(square string, pile wood.Pile) {
		s.wood[64+s.at(square)] = pile
		s.rest(200 * time.Millisecond)
	}
	upper("g3", "")
	s.put("g3", "n")
	s.rest(time.Second)
	upper("h2", "")
	upper("g3", "P")
	upper("a7", "")
	upper("a6", "p")
	h := s.replied(p, "h2g3", "a7a6")
	if got := s.pairOrderCost(&h); got != 0 {
		t.Errorf("a capture and a reply, one after the other: %.1f nats for the way, want 0", got)
	}
}

// TestExchangedBefore: a move in place of two may have begun before both. A takeback of two may not.
func TestExchangedBefore(t *testing.T) {
	s, p := newStill(t, false, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	d5, epoch := s.at("d5"), s.seen.Now
	s.put("d5", "")
	s.put("d5", "P")
	s.seen.Epoch = s.seen.Now
	s.past[1] = ply{wood: s.Decoder.now, epoch: epoch}
	for _, c := range []struct {
		plies int
		want  float64
	}{{0, world.ExchangeUnseen}, {2, 0}} {
		if got := s.exchangeCost(d5, "p", "P", c.plies); math.Abs(got-c.want) > 0.7 {
			t.Errorf("before %d plies: the exchange costs %.1f nats, want %.1f", c.plies, got, c.want)
		}
	}
	m := s.hypothesis(p, "e4d5", "").Move
	for _, c := range []struct {
		h    hypotheses.Hypothesis
		want bool
	}{
		{hypotheses.Hypothesis{Base: 0, Move: m}, false},
		{hypotheses.Hypothesis{Base: 1, Move: m}, true},
		{hypotheses.Hypothesis{Base: 1}, true},
		{hypotheses.Hypothesis{Base: 2, Move: m}, true},
		{hypotheses.Hypothesis{Base: 2}, false},
		{hypotheses.Hypothesis{Base: 3, Move: m}, false},
	} {
		if got := s.replaces(&c.h); got != c.want {
			t.Errorf("base %d, move %v: replaces %v, want %v", c.h.Base, c.h.Move, got, c.want)
		}
	}
}

// TestStraightenedPiece: a piece stands half off its square, so that its sensor sees it 16 mm too low. That is
// learned. Once it is pushed to the middle, its full height is no contradiction.
func TestStraightenedPiece(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, _ := newStillOn(t, g, "locking", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1")
	d5 := s.at("d5")
	s.hand[d5] = -16_000
	s.seen.Eyes[d5].Known = 0 // it has just been put there
	for _, um := range []int32{-16_000, 0} {
		s.hand[d5] = um
		for range 20 {
			s.rest(100 * time.Millisecond)
			s.Explain(s.seen.Origin.Add(time.Duration(s.seen.Now)))
		}
		if nats := s.seen.Sees(d5, &s.want[d5], true); nats < -1 {
			t.Errorf("%d um too low: %.1f nats, although it has stood so for two seconds", -um, nats)
		}
	}
}

// TestNothingLanded: a height sensor that has shown the same since before a piece left has not seen it come, whatever
// it shows.
func TestNothingLanded(t *testing.T) {
	for _, c := range []struct {
		name  string
		shows int32         // um above what stands on a4
		lands time.Duration // from the lift to a new height there, 0 for never
		want  float64
	}{
		{"between the two heights", 16_000, 0, world.StepUnseen},
		{"that of the new pile", 35_000, 0, world.StepUnseen},
		{"a new height", 35_000, 300 * time.Millisecond, 0},
	} {
		g := wood.Reference()
		g.TwoDecks, g.Heights = true, true
		s, p := newStillOn(t, g, "pillar", "4k3/8/8/8/[PNq]7/8/8/3QK3 w - - 0 1")
		a4 := s.at("a4")
		if c.lands == 0 {
			s.hand[a4] = c.shows
			s.rest(time.Second)
		}
		s.put("d1", "")
		s.rest(c.lands)
		s.hand[a4] = c.shows
		s.rest(500 * time.Millisecond)
		if got := s.cameBefore(s.hypothesis(p, "d1a4", "")); math.Abs(got-c.want) > 0.2 {
			t.Errorf("%s: the landing costs %.1f nats, want %.1f", c.name, got, c.want)
		}
	}
}

// TestLeaning: somebody leans on the board, with a hand on a piece or on an empty square. For seconds or a minute it
// bears as much as any piece, also as the one that is moved elsewhere. That move is taken at once.
func TestLeaning(t *testing.T) {
	for _, on := range []string{"a1", "a6"} {
		for _, long := range []time.Duration{2 * time.Second, time.Minute} {
			for _, load := range []int32{12_000, 20_000, 35_000, 60_000} {
				s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1")
				s.rest(time.Second)
				s.gram[s.at(on)] = load
				s.rest(long)
				s.wood[s.at("e2")] = ""
				s.rest(300 * time.Millisecond)
				s.wood[s.at("e4")] = "P"
				var x Explanation
				for n := 0; n < 30 && x.State != Moved; n++ {
					s.rest(10 * time.Millisecond)
					x = s.Explain(s.now)
				}
				if x.State != Moved || p.Coord(x.Move) != "e2e4" {
					t.Errorf("%d mg on %s for %v: got %v %v, want e2e4", load, on, long, x.State, x.Discrepancies)
				}
			}
		}
	}
}

// TestLeaningOnAPile: somebody leans on a king, as heavily as the rook on a pile. That rook goes elsewhere. It is not
// taken for having come to the king, because the load was there before.
func TestLeaningOnAPile(t *testing.T) {
	for _, sway := range []int32{0, 2_000} {
		s, p := newStill(t, true, "locking", "4k1[Nr]1/8/8/8/8/8/6P1/4K3 b - - 0 1")
		s.rest(time.Second)
		s.gram[s.at("e8")] = s.g.Mass['r']
		for range 15 {
			s.rest(100 * time.Millisecond)
			s.gram[s.at("e8")], sway = s.gram[s.at("e8")]+sway, -sway
		}
		s.wood[s.at("g8")] = "N"
		s.rest(300 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved {
			t.Errorf("sway %d: %s is taken while the rook is in the hand", sway, p.Coord(x.Move))
		}
		s.wood[s.at("g2")] = "Pr"
		if got := s.taken(2 * time.Second); got == rules.NoMove || p.Coord(got) != "g8g2*" {
			t.Errorf("sway %d: got %v, want g8g2*", sway, got)
		}
	}
}

// TestLeaningAsHeavyAsFlown: somebody leans on a bishop, about as heavily as the rook that stands on a pedestal. That
// rook is lifted, and its pedestal taken away. It has not come to the bishop, however well the load fits.
func TestLeaningAsHeavyAsFlown(t *testing.T) {
	for off := int32(-3_000); off <= 3_000; off += 500 {
		s, p := newStill(t, true, "flying", "4k3/8/8/8/8/8/8/[-R]1B1K3 w - - 0 1")
		s.rest(time.Second)
		s.gram[s.at("c1")] = s.g.Mass['R'] + off + 3_000
		s.rest(5 * time.Second)
		s.wood[s.at("a1")] = "#"
		s.rest(2 * time.Second)
		s.gram[s.at("c1")] = s.g.Mass['R'] + off
		s.wood[s.at("a1")] = ""
		if x, _ := s.until(3*time.Second, func(x *Explanation) bool { return x.State == Moved }); x.State == Moved {
			t.Errorf("leant with %d mg more than the rook weighs: %s, while it is in the hand", off, p.Coord(x.Move))
		}
		s.wood[s.at("a1")] = "R"
		if got := s.taken(2 * time.Second); got == rules.NoMove || p.Coord(got) != "a1^a1" {
			t.Errorf("leant with %d mg more than the rook weighs: got %v, want a1^a1", off, got)
		}
	}
}

// TestLeaningAsHeavyAsAPedestal: for a while somebody has leaned on a bishop, as heavily as a pedestal. Nothing has
// come there since the last move, so the bishop has not taken off.
func TestLeaningAsHeavyAsAPedestal(t *testing.T) {
	s, p := newStill(t, true, "flying", "4k3/8/8/8/8/8/8/4KB2 b - - 0 1")
	s.rest(time.Second)
	s.gram[s.at("f1")] = s.g.Mass[wood.Pedestal]
	s.rest(time.Second)
	s.wood[s.at("e8")] = ""
	s.rest(300 * time.Millisecond)
	s.wood[s.at("e7")] = "k"
	m := s.taken(2 * time.Second)
	after := p
	after.Play(m)
	s.Expect(local(after, p))
	for n := range 2000 {
		if n < 400 {
			s.gram[s.at("f1")] = s.g.Mass[wood.Pedestal] + int32(3_000*math.Sin(float64(n)*2*math.Pi/200))
		}
		s.rest(10 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved {
			t.Fatalf("%s after %d ms, though nothing was added", after.Coord(x.Move), 10*n)
		}
	}
}

// TestPromotedFirst: the queen is put down before the pawn leaves. It is no piece that was there before.
func TestPromotedFirst(t *testing.T) {
	s, p := newStill(t, true, "meirav", "4k3/8/8/8/8/8/1[Pp]6/R3K3 b - - 0 1")
	s.rest(time.Second)
	s.wood[s.at("a1")] = "Rq"
	s.rest(700 * time.Millisecond)
	s.wood[s.at("b2")] = "P"
	if got := s.taken(2 * time.Second); got == rules.NoMove || p.Coord(got) != "b2a1q" {
		t.Errorf("got %v, want b2a1q", got)
	}
}

// TestNoAlarm: what is not finished is not called wrong, as long as it may be in a hand. A pedestal stands where the
// piece did, and the piece is still to come on it. Or a hand leans on a piece while another one is in the hand.
func TestNoAlarm(t *testing.T) {
	for _, c := range []struct {
		name, game, fen string
		lifted          string
		stays           wood.Pile
		leant           string
	}{
		{"a pedestal alone", "flying", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1", "#", ""},
		{"leaning beside a lifted piece", "chess", "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "e2", "", "a1"},
	} {
		s, _ := newStill(t, true, c.game, c.fen)
		s.rest(time.Second)
		if c.leant != "" {
			s.gram[s.at(c.leant)] = 6_000
		}
		s.rest(time.Second)
		s.wood[s.at(c.lifted)] = ""
		s.rest(500 * time.Millisecond)
		s.wood[s.at(c.lifted)] = c.stays
		for n := range 1000 {
			if c.leant != "" && n%150 == 0 {
				s.gram[s.at(c.leant)] = 6_000 + int32(n%7)*500
			}
			s.rest(10 * time.Millisecond)
			if x := s.Explain(s.now); x.State == Wrong {
				t.Errorf("%s: called wrong after %d ms: %v", c.name, 10*n, x.Discrepancies)
				break
			}
		}
	}
}

// TestHandMovesOn: a height that stays while the hand beside it moves is that of a pile. But only a reading since then
// tells whether it stays.
func TestHandMovesOn(t *testing.T) {
	g := wood.Reference()
	g.Weights, g.Heights = false, true
	s, _ := newStillOn(t, g, "locking", "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1")
	d4, e4 := s.at("d4"), s.at("e4")
	s.hand[d4], s.hand[e4] = 35_000, 90_000
	s.rest(300 * time.Millisecond)
	moves := func(heard evidence.Tick) float64 {
		s.seen.Eyes[e4].Since = s.seen.Now
		s.seen.Eyes[d4].Heard = heard
		s.seen.Eyes[d4].Rose = false
		return s.handAt(d4)
	}
	stays, unread := moves(s.seen.Now), moves(s.seen.Now-1)
	if stays >= 0.001 || unread <= 100*stays {
		t.Errorf("odds of a hand %g where it was read since the hand moved, and %g where not: want more", stays, unread)
	}
}

// TestTakenBackWhileLeaning: a move is taken back while somebody leans on another piece.
func TestTakenBackWhileLeaning(t *testing.T) {
	s, p := newStill(t, true, "chess", "1n2k3/7p/8/8/8/8/8/4K3 b - - 0 1")
	s.wood[s.at("h7")] = ""
	s.rest(200 * time.Millisecond)
	s.wood[s.at("h5")] = "p"
	m := s.taken(2 * time.Second)
	after := p
	after.Play(m)
	s.Expect(local(after, p))
	s.rest(2 * time.Second)
	s.gram[s.at("b8")] = 49_000
	s.rest(time.Second)
	s.wood[s.at("h5")] = ""
	s.rest(200 * time.Millisecond)
	s.wood[s.at("h7")] = "p"
	if x, _ := s.until(2*time.Second, func(x *Explanation) bool { return x.State == TakenBack }); x.State != TakenBack {
		t.Errorf("%v %v, want the takeback", x.State, x.Discrepancies)
	}
}

// TestTouchWhileLeaning: where a move counts when the opponent touches a piece, it does so while somebody leans on an
// empty square.
func TestTouchWhileLeaning(t *testing.T) {
	for _, long := range []time.Duration{time.Second, 10 * time.Second} {
		s, p := newStill(t, true, "chess", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
		s.timing.Commit = ByTouch
		s.gram[s.at("h4")] = 60_000
		s.rest(long)
		s.wood[s.at("e2")] = ""
		s.rest(300 * time.Millisecond)
		s.wood[s.at("e4")] = "P"
		if x, _ := s.until(time.Second, func(x *Explanation) bool { return x.State == Moved }); x.State == Moved {
			t.Errorf("leant on for %v: %v counts before it is touched", long, p.Coord(x.Move))
		}
		s.wood[s.at("e7")] = ""
		x, d := s.until(3*time.Second, func(x *Explanation) bool { return x.State == Moved })
		if x.State != Moved || p.Coord(x.Move) != "e2e4" || d > 100*time.Millisecond {
			t.Errorf("leant on for %v: after %v %v %v, want e2e4 at once", long, d, x.State, x.Discrepancies)
		}
	}
}

// TestStandsBeforeItLeaves: a hand leans on an empty square, as high as a piece. When a piece is lifted that could go
// there, it has not come. It comes elsewhere.
func TestStandsBeforeItLeaves(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "chess", "4k3/8/8/8/8/8/8/4K3 b - - 0 1")
	s.hand[s.at("f8")] = 33_000
	s.rest(6 * time.Second)
	s.wood[s.at("e8")] = ""
	for range 200 {
		s.rest(10 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved {
			t.Fatalf("%s is taken, though f8 looked like that before", p.Coord(x.Move))
		}
	}
	s.wood[s.at("e7")] = "k"
	s.rest(300 * time.Millisecond)
	if x := s.Explain(s.now); x.State != Moved || p.Coord(x.Move) != "e8e7" {
		t.Errorf("got %v %v, want e8e7", x.State, x.Discrepancies)
	}
}

// TestCarriedPastItsPrey: a pawn is lifted, and the hand that holds it passes over a piece that it could capture, and
// leaves. No capture is seen, so none is taken.
func TestCarriedPastItsPrey(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "chess", "4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1")
	s.wood[s.at("e5")] = ""
	s.rest(500 * time.Millisecond)
	s.hand[s.at("d6")] = 90_000
	s.rest(700 * time.Millisecond)
	s.hand[s.at("d6")] = 0
	for range 1000 {
		s.rest(10 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved {
			t.Fatalf("%s is taken", p.Coord(x.Move))
		}
	}
	s.wood[s.at("e6")] = "P"
	s.rest(300 * time.Millisecond)
	if x := s.Explain(s.now); x.State != Moved || p.Coord(x.Move) != "e5e6" {
		t.Errorf("got %v %v, want e5e6", x.State, x.Discrepancies)
	}
}

// TestHeldOverItsSquare: somebody thinks with a piece in the hand, close over the square from which it came. Its
// magnet closes the reed, and the cell bears nothing. Nothing is wrong, for as long as that lasts.
func TestHeldOverItsSquare(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	s.rest(time.Second)
	e2, pawn := s.at("e2"), s.g.Mass['P']
	s.wood[e2], s.gram[e2] = "", 0
	s.rest(200 * time.Millisecond)
	s.wood[e2], s.gram[e2] = "P", -pawn
	if x, d := s.until(30*time.Second, func(x *Explanation) bool { return x.State == Wrong }); x.State == Wrong {
		t.Errorf("wrong after %v: %v", d, x.Discrepancies)
	}
	s.wood[e2], s.gram[e2] = "", 0
	s.rest(200 * time.Millisecond)
	s.wood[s.at("e4")] = "P"
	if got := s.taken(2 * time.Second); got == rules.NoMove || p.Coord(got) != "e2e4" {
		t.Errorf("got %v, want e2e4", got)
	}
}

// TestHandOverPieces: on a board with height sensors hands hang over pieces for long, higher than any pile that could
// stand there. Nothing is wrong, with a piece in a hand or without.
func TestHandOverPieces(t *testing.T) {
	for _, lifted := range []string{"", "d7"} {
		g := wood.Reference()
		g.TwoDecks, g.Heights, g.Weights = true, true, false
		s, _ := newStillOn(t, g, "chess", "3qk3/3p4/8/8/8/8/8/4K3 b - - 0 1")
		s.rest(time.Second)
		if lifted != "" {
			s.wood[s.at(lifted)] = ""
			s.rest(200 * time.Millisecond)
		}
		s.hand[s.at("d8")], s.hand[s.at("d7")] = 100_000, 130_000
		if x, d := s.until(20*time.Second, func(x *Explanation) bool { return x.State == Wrong }); x.State == Wrong {
			t.Errorf("lifted %q: wrong after %v: %v", lifted, d, x.Discrepancies)
		}
	}
}

// TestAdjustedBeforeLift: on a board of reeds a piece is put right, and then another is lifted that could capture it.
// Its player thinks with it in the hand.
func TestAdjustedBeforeLift(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Weights = true, false
	s, p := newStillOn(t, g, "flying", "4k3/8/8/8/8/5b2/8/4K1N1 w - - 0 1")
	s.rest(time.Second)
	s.wood[s.at("f3")] = ""
	s.rest(1800 * time.Millisecond)
	s.wood[s.at("f3")] = "b"
	s.rest(3 * time.Second)
	s.wood[s.at("g1")] = ""
	if got := s.taken(5 * time.Second); got != rules.NoMove {
		t.Fatalf("got %v while the knight is in the hand", p.Coord(got))
	}
	s.wood[s.at("g1")+64] = "N"
	if got := s.taken(2 * time.Second); got == rules.NoMove || p.Coord(got) != "g1g1^" {
		t.Errorf("got %v, want g1g1^", got)
	}
}

// TestLeaningSways: somebody leans on a piece for long, and sways. What weighs as much and does not sway stands there.
func TestLeaningSways(t *testing.T) {
	for _, c := range []struct {
		name  string
		sways func(n int) float64 // mg, at the n-th reading
		wrong bool
	}{
		{"an arm", func(n int) float64 { return 4_000 * math.Sin(float64(n)*2*math.Pi/400) }, false},
		{"one that is still at times", func(n int) float64 { return 3_000 * float64(n/150%2) }, false},
		{"a thing", func(int) float64 { return 0 }, true},
		{"a thing that was put down long ago", func(n int) float64 { return 3_000 * float64(min(1, n/200)) }, true},
	} {
		s, _ := newStill(t, true, "chess", "3qk3/8/8/8/8/8/8/4K3 w - - 0 1")
		s.rest(time.Second)
		wrong := false
		for n := range 2000 {
			s.gram[s.at("d8")] = 26_000 + int32(c.sways(n))
			s.rest(10 * time.Millisecond)
			wrong = wrong || s.Explain(s.now).State == Wrong
		}
		if wrong != c.wrong {
			t.Errorf("%s: called wrong: %v, want %v", c.name, wrong, c.wrong)
		}
	}
}

// TestLeaningWhereItLeft: somebody leans on the square that a piece has just left, and sways. The piece stands
// elsewhere since, so nothing is waited for.
func TestLeaningWhereItLeft(t *testing.T) {
	s, p := newStill(t, true, "meirav", "4kb2/8/8/8/1P6/8/8/4K3 b - - 0 1")
	s.rest(time.Second)
	s.wood[s.at("f8")] = ""
	s.rest(300 * time.Millisecond)
	var x Explanation
	for n := 0; n < 400 && x.State != Moved; n++ {
		if n == 30 {
			s.wood[s.at("b4")] = "Pb"
		}
		// an arm comes down, presses harder for two seconds, and sways
		s.gram[s.at("f8")] = int32(min(n, 200))*600 + int32(4_000*math.Sin(float64(n)*2*math.Pi/150))
		s.rest(10 * time.Millisecond)
		if x = s.Explain(s.now); x.State == Moved && n > 250 {
			t.Errorf("taken after %d ms, want it while the arm moves", 10*(n-30))
		}
	}
	if x.State != Moved || p.Coord(x.Move) != "f8b4" {
		t.Errorf("got %v %v, want f8b4", x.State, x.Discrepancies)
	}
}

// TestTooLightForAPiece: a cell shows more than the game's piece weighs, and less than any piece more. Nothing was put
// there: the cell is named, and the square is not called wrong.
func TestTooLightForAPiece(t *testing.T) {
	s, _ := newStill(t, true, "chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
	s.rest(time.Second)
	s.gram[s.at("e1")] = 5_900
	if x, d := s.until(20*time.Second, func(x *Explanation) bool { return x.State == Wrong }); x.State == Wrong {
		t.Errorf("wrong after %v: %v", d, x.Discrepancies)
	}
	if f := s.Faults(); len(f) != 1 || f[0].Place != s.at("e1") || f[0].Sensor != sensing.Weights {
		t.Errorf("faults %v, want the cell of e1", f)
	}
}
