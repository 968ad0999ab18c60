// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/wood"
)

// near compares odds: a fifth more or less is all that a test allows.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > want/5 {
		t.Errorf("%s: %.3g, want %.3g", what, got, want)
	}
}

// nats compares scores: 0.3 more or less is all that a test allows.
func nats(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.3 {
		t.Errorf("%s: %.2f nats, want %.2f", what, got, want)
	}
}

// TestPauses: how many of all hands that make a move go on after a pause. Most go on at once, some after a quarter of
// a second, a few after a second, and hardly any later.
func TestPauses(t *testing.T) {
	for rest, want := range map[time.Duration]float64{
		30 * time.Millisecond: 0.68, 60 * time.Millisecond: 0.48, 250 * time.Millisecond: 0.124,
		400 * time.Millisecond: 0.075, 1500 * time.Millisecond: 0.0118, 3 * time.Second: 0.0026, time.Minute: 0.0001,
	} {
		near(t, "go on after "+rest.String(), pauseOutlasts(rest), want)
	}
}

// TestCarries: how many of all hands that hold a piece hold it still. One in four carries it for half a second, and
// one in a hundred thinks with it in the hand.
func TestCarries(t *testing.T) {
	for rest, want := range map[time.Duration]float64{0: 0.26, 500 * time.Millisecond: 0.1, 20 * time.Second: 0.00135} {
		near(t, "still in the hand after "+rest.String(), carryOutlasts(rest), want)
	}
}

// TestPassesOn: a piece that is pushed along its line is seen on the squares that it passes for less than a tenth of a
// second. Now and then it pauses on one.
func TestPassesOn(t *testing.T) {
	s, _ := newStill(t, false, "chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	passing := hypotheses.Hypothesis{Onward: 1}
	for rest, want := range map[time.Duration]float64{30 * time.Millisecond: 0.206, 150 * time.Millisecond: 0.044,
		700 * time.Millisecond: 0.0007} {
		near(t, "the rook goes on after "+rest.String(), s.stopOdds(&passing, rest), want)
	}
}

// TestHeightOfAHand: a height that is just that of a pile may be a hand's. It is rather so if it came from the side
// than if it fell from the back of a hand. A hand that stays beside it may still be at work there.
func TestHeightOfAHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		first  int32 // um that is seen over the pawn before, and then 35,000
		beside int32 // um over the square beside it
		age    time.Duration
		want   float64
	}{
		{"fell", 90_000, 0, 10 * time.Millisecond, 0.1},
		{"fell a moment ago", 90_000, 0, 50 * time.Millisecond, 0.02},
		{"rose", 0, 0, 10 * time.Millisecond, 0.92},
		{"rose a quarter of a second ago", 0, 0, 240 * time.Millisecond, 0.135},
		{"fell beside a hand", 90_000, 90_000, 10 * time.Millisecond, 0.198},
		{"fell beside a hand some time ago", 90_000, 90_000, 600 * time.Millisecond, 0.041},
	} {
		s, _ := newTwin(t)
		d5 := s.at("d5")
		s.hand[d5], s.hand[s.at("e5")] = c.first, c.beside
		s.rest(500 * time.Millisecond)
		s.hand[d5] = 35_000
		s.rest(c.age + 10*time.Millisecond)
		near(t, c.name, s.handAt(d5), c.want)
	}
}

// TestHoldsOverASquare: without cells and heights a hand may hold a piece over a square for nearly half a second.
func TestHoldsOverASquare(t *testing.T) {
	for age, want := range map[time.Duration]bool{300 * time.Millisecond: true, 600 * time.Millisecond: false} {
		s, _ := newStill(t, false, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		s.put("e2", "")
		s.wood[s.at("e5")] = "P"
		if s.rest(age); s.maybeInHand(s.at("e5")) != want {
			t.Errorf("the reed closed %v ago: in the hand %v, want %v", age, !want, want)
		}
	}
}

// TestLeftIllegal: what hands have put where it does not belong, they may still take away after two seconds. After
// three it is likelier that they have left it so.
func TestLeftIllegal(t *testing.T) {
	for rest, want := range map[time.Duration]bool{2400 * time.Millisecond: true, 3200 * time.Millisecond: false} {
		s, p := newStill(t, false, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		s.wood[s.at("h4")] = "P"
		if s.rest(rest); s.mayGoOn(s.hypothesis(p, "e2e4", "")) != want {
			t.Errorf("a piece was put on h4 %v ago: may go on %v, want %v", rest, !want, want)
		}
	}
}

// TestChangesMind: a move that was made this moment is often changed. One that has stood for long is changed in one
// case of fifty.
func TestChangesMind(t *testing.T) {
	for stood, want := range map[time.Duration]float64{1500 * time.Millisecond: 0.38, 20 * time.Second: 0.02} {
		near(t, "changed after "+stood.String(), math.Exp(changedLate(stood)), want)
	}
}

// TestPartOfAPile: a load between that of a pile and that of its lower part is taken for the part only if that fits
// far better.
func TestPartOfAPile(t *testing.T) {
	for beyond, want := range map[int32]bool{4200: true, 4900: false} {
		s, _ := newStill(t, true, "locking", "4k3/8/8/8/4[PN]3/8/8/4K3 w - - 0 1")
		e4 := s.at("e4")
		s.gram[e4] = beyond - s.g.Mass['N']
		s.rest(time.Second)
		if _, ok := s.part(e4); ok != want {
			t.Errorf("%d mg more than the pawn weighs: the knight is gone %v, want %v", beyond, ok, want)
		}
	}
}

// TestLittleOverTheEdge: cells that bear a gram of a piece beside them share it with its own cell. Those that bear
// half a gram are pulled by its magnet. Together they must weigh what it does.
func TestLittleOverTheEdge(t *testing.T) {
	for _, c := range []struct {
		name   string
		less   int32 // mg that the cell of the king bears less
		beside []int32
		want   float64
	}{
		{"over a corner", 2400, []int32{800, 800, 800}, 2400},
		{"pulled", 2000, []int32{500, 500, 500, 500}, 0},
		{"the frame bears a part", 8700, []int32{6000}, 6000},
		{"much is missing", 9800, []int32{6000}, 0},
	} {
		s, p := newStill(t, true, "chess", "k7/8/8/8/4K3/8/8/8 w - - 0 1")
		bases := []Base{{Position: p, Moves: true, OpponentHere: true}}
		s.Follow(bases, &p) // as a table does with a new game
		s.Expect(bases)
		s.gram[s.at("e4")] = -c.less
		for i, square := range []string{"d4", "e5", "f4", "e3"}[:len(c.beside)] {
			s.gram[s.at(square)] = c.beside[i]
		}
		s.rest(500 * time.Millisecond)
		if got := s.seen.SpilledLoad[s.at("e4")]; math.Abs(got-c.want) > 1 {
			t.Errorf("%s: %.0f mg lie beside its square, want %.0f", c.name, got, c.want)
		}
	}
}

// TestReplyBegun: once a move stands, its opponent is expected to lift a piece, less so one that is to be captured. A
// lift before the move had landed is rare.
func TestReplyBegun(t *testing.T) {
	for _, c := range []struct {
		name   string
		square string
		early  bool
		want   float64
	}{
		{"a pawn, for the reply", "d7", false, -1},
		{"the same, before the move", "d7", true, -3.5},
		{"the pawn that it captures", "d2", false, -4},
	} {
		s, p := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/3PP3/4K3 w - - 0 1")
		s.put("e2", "")
		if c.early {
			s.put(c.square, "")
		}
		s.put("e4", "P")
		if !c.early {
			s.put(c.square, "")
		}
		s.rank(s.against)
		got := s.replyBegun(s.hypothesis(p, "e2e4", "")) + s.gameFit(s.at(c.square))
		nats(t, c.name, got, c.want)
	}
}

// TestOneHandReaches: a hand needs more than a tenth of a second from one square to another. A piece that is lifted
// sooner after another has landed is lifted by a second hand.
func TestOneHandReaches(t *testing.T) {
	for after, want := range map[time.Duration]bool{120 * time.Millisecond: true, 220 * time.Millisecond: false} {
		s, _ := newStill(t, false, "chess", "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1")
		h := hypotheses.Hypothesis{Places: wood.Set{}}
		for _, q := range []string{"d2", "e2", "e4"} {
			h.Places.Add(s.at(q))
		}
		s.put("e2", "")
		s.wood[s.at("e4")] = "P"
		s.rest(after)
		s.wood[s.at("d2")] = ""
		s.rest(200 * time.Millisecond)
		if got := s.tooQuick(&h, wood.Nowhere); got != want {
			t.Errorf("lifted %v after the other landed: too quick %v, want %v", after, got, want)
		}
	}
}

// TestPairsLater: a move together with its reply is looked for once the wood has rested for a quarter of a second.
func TestPairsLater(t *testing.T) {
	for rest, want := range map[time.Duration]bool{180 * time.Millisecond: false, 320 * time.Millisecond: true} {
		s, _ := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
		for _, step := range [][2]string{{"e2", ""}, {"e4", "P"}, {"d7", ""}, {"d5", "p"}} {
			s.put(step[0], wood.Pile(step[1]))
		}
		s.rank(s.against)
		if got := s.pair(rest); got != want {
			t.Errorf("after %v: pairs %v, want %v", rest, got, want)
		}
	}
}

// TestSwitchedOn: nothing is said of the wood for 150 ms after the board is switched on, while its cells settle.
func TestSwitchedOn(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	fresh := &still{Decoder: New(s.g.Geometry, DefaultTiming()), t: t, wood: s.wood, now: time.Unix(1000, 0)}
	fresh.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
	fresh.wood[s.at("a5")] = "P"
	for _, c := range []struct {
		after time.Duration
		named bool
	}{{110 * time.Millisecond, false}, {80 * time.Millisecond, true}} {
		fresh.rest(c.after)
		if x := fresh.Explain(fresh.now); (len(x.Discrepancies) > 0) != c.named {
			t.Errorf("%v after the first reading: %v, %d squares differ", time.Duration(fresh.seen.Now), x.State,
				len(x.Discrepancies))
		}
	}
}

// TestUnexplained: while something else contradicts the game, a takeback is not what hands have done.
func TestUnexplained(t *testing.T) {
	takeback := func(s *still) float64 {
		s.rank(s.against)
		i := slices.IndexFunc(s.list.Hyps, func(h hypotheses.Hypothesis) bool {
			return h.Base == 1 && h.Move == rules.NoMove
		})
		return s.list.Hyps[i].Score
	}
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1")
	s.play(p, "e2e4")
	s.put("e4", "")
	s.put("e2", "P")
	alone := takeback(s)
	s.put("d2", "")
	nats(t, "a pawn that is lifted meanwhile", takeback(s)-alone, -12)
}
