// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// halfMade is how many nats a half-made move gains, and whether it counts as half made.
func (s *still) halfMade(p rules.Position, move string) (nats float64, counts bool) {
	s.t.Helper()
	s.rank(s.against)
	h := s.hypothesis(p, move, "")
	return h.PartScore, slices.ContainsFunc(s.halves, func(i int32) bool { return &s.list.Hyps[i] == h })
}

// TestHalfMade: a capture in passing whose captured pawn was put where its captor will come is half made, although no
// piece is in a hand. A piece put on another square costs more than a hand at work pays.
func TestHalfMade(t *testing.T) {
	s, p := newStill(t, true, "pillar", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1")
	s.put("d4", "")
	s.put("d3", "P")
	s.rest(300 * time.Millisecond)
	before, counts := s.halfMade(p, "e4d3")
	if !counts || s.holding {
		t.Errorf("the captured pawn stands on d3: e4d3 counts as half made: %v, a piece in the hand: %v, "+
			"want true and false", counts, s.holding)
	}
	if _, counts := s.halfMade(p, "e8d8"); counts {
		t.Error("e8d8 counts as half made, and nothing of it was done")
	}
	free := s.free
	s.put("a6", "p")
	s.rest(300 * time.Millisecond)
	after, _ := s.halfMade(p, "e4d3")
	if got := after - s.free - (before - free); math.Abs(got+3.5) > 0.3 {
		t.Errorf("a piece put on a6 meanwhile costs %.1f nats beside what hands at work pay for it, want -3.5", got)
	}
	s.put("a6", "")
	s.put("d3", "Pp")
	s.put("e4", "")
	s.rest(300 * time.Millisecond)
	if _, counts := s.halfMade(p, "e4d3"); counts {
		t.Error("e4d3 is made, and counts as half made")
	}
}

// TestOneOf: hands are on the way to one move of all, or to something else.
func TestOneOf(t *testing.T) {
	for _, moves := range []int{1, 12, 40, 200} {
		if got := float64(moves) * math.Exp(hypotheses.OneMoveCost(moves)); got >= 1 ||
			got < float64(moves)/float64(moves+2*world.OtherAims) {
			t.Errorf("%d moves have together the probability %.2f to be aimed at, want nearly 1, the rest being something else",
				moves, got)
		}
	}
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	moves := len(p.AppendMoves(nil))
	if got, want := s.list.OnTheWayCost(0), hypotheses.OneMoveCost(moves); got != want {
		t.Errorf("each of %d moves costs %.2f nats, want %.2f", moves, got, want)
	}
}

// TestTakenUpAndPutBack: if lifting a piece alone would be a move, it may still be put back. A piece put somewhere may
// not.
func TestTakenUpAndPutBack(t *testing.T) {
	s, p := newStill(t, true, "flying", "4k3/8/3[Rn]4/8/8/8/8/4K3 w - - 0 1")
	s.put("d6", "R")
	s.rest(250 * time.Millisecond)
	headbutt := s.list.Hyps[slices.IndexFunc(s.list.Hyps, func(h hypotheses.Hypothesis) bool {
		return h.Move.From() == h.Move.To() && h.Move.IsCapture() && s.list.PileOn(&h, s.at("d6")) == "R"
	})]
	if got := s.stopOdds(&headbutt, 300*time.Millisecond); math.Abs(got-0.0055) > 1e-4 {
		t.Errorf("odds of %.4f that the headbutt goes on after 300 ms, want 0.0055", got)
	}
	if h := s.hypothesis(p, "e1d1", ""); s.list.TakesAway(h) {
		t.Error("e1d1 takes nothing away")
	}
}

// TestStands: a question is asked only when the heights over all places of its choices have stood for a while. A hand
// that has just come makes it wait.
func TestStands(t *testing.T) {
	s, h := newTwin(t)
	s.hand[s.at("d5")] = 35_000
	s.rest(500 * time.Millisecond)
	s.rank(s.against)
	if got := s.heightsStableFor(h); got < 400*time.Millisecond {
		t.Errorf("the lock has stood for %v, want since it was made", got)
	}
	s.hand[s.at("d5")] = 60_000
	s.rest(50 * time.Millisecond)
	s.rank(s.against)
	if got := s.heightsStableFor(h); got > 60*time.Millisecond {
		t.Errorf("another height has stood for %v, want 50ms", got)
	}
}

// TestNoQuestionAboutAHand: what may be a hand, because one is seen next to it, is not asked about. Nor is any move
// that is as likely.
func TestNoQuestionAboutAHand(t *testing.T) {
	for _, c := range []struct {
		name string
		um   int32 // of the hand over e5
		came time.Duration
		best string // the best hypothesis, "" for the pile
		asks bool
	}{
		{"no hand", 0, 500 * time.Millisecond, "", true},
		{"a hand beside it", 90_000, 500 * time.Millisecond, "", false},
		{"just now", 0, 250 * time.Millisecond, "", false},
		{"another is best, no hand", 0, 500 * time.Millisecond, "d4a4", true},
		{"another is best, and a hand beside the pile", 90_000, 500 * time.Millisecond, "d4a4", false},
	} {
		s, h := newTwin(t)
		p := s.base
		if c.best != "" {
			s.put("a4", "R")
		}
		s.hand[s.at("d5")] = 90_000
		s.rest(500 * time.Millisecond)
		s.hand[s.at("d5")] = 35_000
		s.hand[s.at("e5")] = c.um
		s.rest(c.came)
		s.rank(s.against)
		if c.best != "" {
			pile := h
			h = s.hypothesis(p, c.best, "")
			h.Score = pile.Score
		}
		o := odds{best: h, sum: 1.1, group: 1.1, others: 1, same: 0.6}
		x, _ := s.decideBest(&o, 500*time.Millisecond, s.now)
		if got := x.State == Asking; got != c.asks {
			t.Errorf("%s: asks %v, want %v", c.name, got, c.asks)
		}
	}
}

// TestSlightForLong: a square with a small and old contradiction does not hold up a takeback. A square that begins to
// contradict does.
func TestSlightForLong(t *testing.T) {
	for _, c := range []struct {
		name string
		rest time.Duration
		want int
	}{
		{"just now", 250 * time.Millisecond, 1},
		{"for long", 3 * time.Second, 0},
	} {
		s, _ := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		e2 := s.at("e2")
		s.wood[e2] = ""
		s.rest(300 * time.Millisecond)
		s.wood[e2], s.gram[e2] = "P", 2800 // or another piece
		s.rest(c.rest)
		if !s.against.Has(e2) || s.clear.Has(e2) {
			t.Fatalf("%s: e2 contradicts %v, clearly %v, want true and false", c.name, s.against.Has(e2), s.clear.Has(e2))
		}
		if got := s.fresh().Count(); got != c.want {
			t.Errorf("%s: %d places speak against a takeback, want %d", c.name, got, c.want)
		}
	}
}

// TestTogether: two moves were taken together, and the last one was never made. Then a piece that the first one
// exchanged was not lifted and put back.
func TestTogether(t *testing.T) {
	s, _ := newStill(t, true, "chess", "4k3/8/8/4N3/8/8/8/4K3 b - - 0 1")
	e5, epoch := s.at("e5"), s.seen.Epoch
	s.put("e5", "")
	s.rest(time.Second)
	s.put("e5", "N")
	s.rest(time.Second)
	for k := range s.past {
		s.past[k].wood, s.past[k].epoch = s.Decoder.now, epoch
	}
	s.past[1].wood[e5] = "n"
	for _, c := range []struct {
		joined bool
		want   float64
	}{{false, world.IdleLift}, {true, 0}} {
		s.past[0].joined = c.joined
		if got := s.misreadCost(&hypotheses.Hypothesis{Base: 1}, e5, "N"); got != c.want {
			t.Errorf("taken together: %v: it costs %.1f nats, want %.1f", c.joined, got, c.want)
		}
	}
}

// TestReconsider: a move that was replaced or taken back remains a hypothesis, with its replies, until the game has
// gone on by two plies.
func TestReconsider(t *testing.T) {
	played := func(p rules.Position, move string) (rules.Position, rules.Move) {
		t.Helper()
		for _, m := range p.AppendMoves(nil) {
			if p.Coord(m) == move {
				p.Play(m)
				return p, m
			}
		}
		t.Fatalf("no legal move %s", move)
		return p, rules.NoMove
	}
	for _, c := range []struct {
		name  string
		goes  func(s *still, start, double, single rules.Position)
		bases []int // of the pairs that are listed for the double step, after each further move
	}{
		{"replaced", func(s *still, start, double, single rules.Position) {
			s.Expect([]Base{{Position: single, Moves: true, OpponentHere: true},
				{Position: start, Moves: true, Takeback: true}})
		}, []int{1, 2}},
		{"taken back", func(s *still, start, double, single rules.Position) {
			s.Expect([]Base{{Position: start, Moves: true, OpponentHere: true}})
			s.Expect([]Base{{Position: single, Moves: true, OpponentHere: true},
				{Position: start, Moves: true, Takeback: true}})
		}, []int{1, 2}},
		{"set up anew", func(s *still, start, double, single rules.Position) {
			s.Expect([]Base{{Position: single, Moves: true, OpponentHere: true}})
		}, nil},
	} {
		s, start := newStill(t, true, "pillar", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
		double, step := played(start, "d2d4")
		single, _ := played(start, "d2d3")
		s.Expect([]Base{{Position: double, Moves: true, OpponentHere: true},
			{Position: start, Moves: true, Takeback: true}})
		c.goes(s, start, double, single)
		next, _ := played(single, "e4e3")
		for ply := range 3 {
			want := 0
			if ply < len(c.bases) {
				want = c.bases[ply]
			}
			got := 0
			for _, h := range s.list.Hyps {
				if h.Restores && h.Move == step {
					got = h.Base
				}
			}
			if got != want {
				t.Errorf("%s, %d plies later: replies to the double step are listed from base %d, want %d", c.name, ply, got, want)
			}
			bases := []Base{{Position: next, Moves: true, OpponentHere: true},
				{Position: single, Moves: true, Takeback: true},
				{Position: start, Moves: true, Takeback: true}}
			if ply == 1 {
				later, _ := played(next, "e1d1")
				bases = append([]Base{{Position: later, Moves: true, OpponentHere: true}}, bases...)
			}
			s.Expect(bases)
		}
	}
}

// TestExchangedAfterLeaving: a square whose piece left before the ply began, and on which something stands again, was
// filled in this ply. No hand holds a piece for it.
func TestExchangedAfterLeaving(t *testing.T) {
	s, _ := newStill(t, true, "chess", "r3k3/8/8/8/R7/8/8/4K3 b - - 0 1")
	s.put("a4", "")
	s.seen.Epoch = s.seen.Now
	s.put("a8", "")
	s.put("a4", "r")
	s.rest(300 * time.Millisecond)
	if s.holding {
		t.Error("the rook that left a8 stands on a4, and counts as in the hand")
	}
}

// TestHeldForAnotherBoard: a move for another board is taken later, when it is surer, unless the clock was pressed.
// Meanwhile the explanation names it, and people are asked if it does not get surer.
func TestHeldForAnotherBoard(t *testing.T) {
	for _, c := range []struct {
		name          string
		sent, pressed bool
		least, most   time.Duration // after the pawn landed
	}{
		{"here", false, false, 0, 60 * time.Millisecond},
		{"to another board", true, false, 80 * time.Millisecond, 600 * time.Millisecond},
		{"to another board, by the clock", true, true, 0, 60 * time.Millisecond},
	} {
		s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		s.Expect([]Base{{Position: p, Moves: true, Irrevocable: c.sent}})
		s.wood[s.at("e2")] = ""
		s.rest(100 * time.Millisecond)
		s.wood[s.at("e4")] = "P"
		if c.pressed {
			s.PressClock()
		}
		landed, held := s.now, false
		for s.now.Sub(landed) < 2*time.Second {
			s.rest(10 * time.Millisecond)
			x := s.Explain(s.now)
			if x.State == Moved {
				break
			}
			held = held || x.State == Moving && p.Coord(x.Move) == "e2e4"
		}
		if took := s.now.Sub(landed); took < c.least || took > c.most {
			t.Errorf("%s: the move is taken after %v, want %v to %v", c.name, took, c.least, c.most)
		}
		if want := c.sent && !c.pressed; held != want {
			t.Errorf("%s: held %v, want %v", c.name, held, want)
		}
	}
	s, h := newTwin(t)
	s.bases[0].Irrevocable = true
	s.hand[s.at("d5")] = 35_000
	s.rest(4 * time.Second)
	s.rank(s.against)
	for rest, want := range map[time.Duration]State{time.Second: Moving, 3 * time.Second: Asking} {
		o := odds{best: h, sum: 1, same: 0.998, group: 1}
		if x, ok := s.decideBest(&o, rest, s.now); !ok || x.State != want {
			t.Errorf("as unsure after %v: %v, want %v", rest, x.State, want)
		}
	}
}

// TestSecondHand: a move in place of the last one is unlikely if another piece was lifted right after one had landed.
// If it is the piece that landed, seen by the reeds of both squares for a moment, that is no other hand. It went on
// from where it had stood, or something else had stood there for a second.
func TestSecondHand(t *testing.T) {
	for _, c := range []struct {
		turn          string
		first, then   string
		lands, leaves string // what happens after the first move, in this order
		want          float64
	}{
		{"w", "a1a4", "a1a5", "a5", "a4", world.LandsBefore * (1 - math.Exp(-80.0/60))},
		{"b", "e7d6", "c7d6", "e7", "c7", world.SecondHand},
	} {
		s, before := newStill(t, false, "chess", "7k/2p1p3/3N4/8/8/8/8/R3K3 "+c.turn+" - - 0 1")
		p := before
		m, err := p.ParseMove(c.first)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		for _, q := range []string{c.first[:2], c.first[2:]} {
			s.put(q, "")
			s.rest(200 * time.Millisecond)
			s.put(q, s.g.Lay(&p)[s.at(q)])
		}
		s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}})
		s.rest(time.Second)
		s.wood[s.at(c.lands)] = "R"
		s.rest(80 * time.Millisecond)
		s.wood[s.at(c.leaves)] = ""
		s.rest(500 * time.Millisecond)
		for i := range s.list.Hyps {
			if h := &s.list.Hyps[i]; h.Base == 1 && h.Move != rules.NoMove && before.Coord(h.Move) == c.then {
				if got := s.eventCost(h); math.Abs(got-c.want) > 0.01 {
					t.Errorf("%s instead of %s costs %.1f nats, want %.1f", c.then, c.first, got, c.want)
				}
			}
		}
	}
}

// TestStoodWhereNothingWas: a move that was taken may never have been made. But if its piece stood on its square for
// long, something did, and the board had nothing else to put there.
func TestStoodWhereNothingWas(t *testing.T) {
	for stood, want := range map[time.Duration]float64{300 * time.Millisecond: 0, time.Second: world.StoodUnexplained} {
		s, before := newStill(t, false, "chess", "7k/8/8/8/8/8/8/R3K3 w - - 0 1")
		p := before
		m, err := p.ParseMove("a1a4")
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		s.wood[s.at("a1")] = ""
		s.rest(200 * time.Millisecond)
		s.wood[s.at("a4")] = "R"
		s.rest(20 * time.Millisecond)
		s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}})
		s.rest(stood - 20*time.Millisecond)
		s.wood[s.at("a4")] = ""
		s.rest(200 * time.Millisecond)
		if got := s.misreadCost(&hypotheses.Hypothesis{Base: 1}, s.at("a4"), ""); math.Abs(got-want) > 0.01 {
			t.Errorf("a rook that stood on a4 for %v, and was never moved there, costs %.1f nats, want %.1f", stood, got, want)
		}
		s.past[0].wood[s.at("h2")] = "p" // which is captured: it may have been set down on a4
		if got := s.misreadCost(&hypotheses.Hypothesis{Base: 1}, s.at("a4"), ""); got != 0 {
			t.Errorf("a captured piece that stood on a4 for %v costs %.1f nats, want none", stood, got)
		}
	}
}

// TestCaptureOfAnEqual: a piece is captured by one that weighs the same. Hands that are still at work would have
// lifted that piece for nothing, so the move is taken soon after the captor stands.
func TestCaptureOfAnEqual(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	s.wood[s.at("d5")] = ""
	s.rest(time.Second)
	s.wood[s.at("e4")] = ""
	s.rest(300 * time.Millisecond)
	s.wood[s.at("d5")] = "P"
	for waited := 10 * time.Millisecond; ; waited += 10 * time.Millisecond {
		s.rest(10 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved && p.Coord(x.Move) == "e4d5" {
			return
		}
		if waited >= 100*time.Millisecond {
			t.Fatalf("not taken after %v", waited)
		}
	}
}

// TestPutOnBesideDeafSquare: a bishop vanishes where it may have gone to a square without a sensor, or stand on what
// it captures. The first is taken. Then something is lifted where it could capture, and something stands there again:
// it may be the bishop, or what stood there. People are asked, until they answer.
func TestPutOnBesideDeafSquare(t *testing.T) {
	g := wood.Reference()
	g.Weights, g.Heights = false, false
	s, before := newStillOn(t, g, "chess", "5B2/6p1/8/8/8/8/k7/2K5 w - - 0 1")
	s.deaf = s.at("d6").Square().Bit()
	s.rest(time.Second)
	s.wood[s.at("f8")] = ""
	s.rest(3 * time.Second)
	x := s.Explain(s.now)
	if x.State != Moved || before.Coord(x.Move) != "f8d6" {
		t.Fatalf("got %+v, want the bishop on the square without a sensor", x)
	}
	after := before
	after.Play(x.Move)
	s.Expect([]Base{{Position: after, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}})
	s.rest(800 * time.Millisecond)
	s.wood[s.at("g7")] = ""
	s.rest(400 * time.Millisecond)
	s.wood[s.at("g7")] = "B"
	for range 3 {
		s.rest(1100 * time.Millisecond)
		x := s.Explain(s.now)
		var choices []string
		for _, c := range x.Choices {
			choices = append(choices, before.Coord(c.Move))
		}
		if slices.Sort(choices); x.State != Asking || x.Base != 1 || !slices.Equal(choices, []string{"f8d6", "f8g7"}) {
			t.Fatalf("got %+v, want to be asked whether it went to d6 or captured", x)
		}
	}
}
