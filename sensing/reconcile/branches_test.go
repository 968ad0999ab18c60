// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/wood"
)

// TestLiftsLastMoved: a move that only takes away what the last one put down may be its player thinking again.
func TestLiftsLastMoved(t *testing.T) {
	s, p := newStill(t, true, "flying", "4k3/8/3[Rn]4/8/8/8/8/4K3 w - - 0 1")
	s.put("d6", "R")
	headbutt := &s.list.Hyps[slices.IndexFunc(s.list.Hyps, func(h hypotheses.Hypothesis) bool {
		return h.Move.From() == h.Move.To() && h.Move.IsCapture() && s.list.PileOn(&h, s.at("d6")) == "R"
	})]
	beside := s.hypothesis(p, "e1d1", "")
	for _, c := range []struct {
		name string
		made rules.Move
		h    *hypotheses.Hypothesis
		want bool
	}{
		{"what the last move put down", headbutt.Move, headbutt, true},
		{"what stands elsewhere", beside.Move, headbutt, false},
		{"no last move is known", rules.NoMove, headbutt, false},
		{"a move that puts its piece down", headbutt.Move, beside, false},
	} {
		if s.list.Made = c.made; s.liftsLastMoved(c.h) != c.want {
			t.Errorf("%s: lifts what was moved last %v, want %v", c.name, !c.want, c.want)
		}
	}
}

// TestReplying: an opponent who sits at the board, and has lifted a piece, seems to reply.
func TestReplying(t *testing.T) {
	for _, c := range []struct {
		name string
		here bool
		lift string
		put  wood.Pile
		want bool
	}{
		{"the opponent lifts", true, "d7", "", true},
		{"whose turn it is lifts", true, "e2", "", false},
		{"something comes", true, "h5", "p", false},
		{"the opponent is elsewhere", false, "d7", "", false},
	} {
		s, p := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
		s.Expect([]Base{{Position: p, Moves: true, OpponentHere: c.here}})
		if s.put(c.lift, c.put); s.replying() != c.want {
			t.Errorf("%s: replying %v, want %v", c.name, !c.want, c.want)
		}
	}
}

// TestWrongAtOnceOrLater: wood that begins no legal move is wrong soon after it rests. If the opponent has lifted a
// piece meanwhile, the two moves are looked for together first.
func TestWrongAtOnceOrLater(t *testing.T) {
	for _, c := range []struct {
		lifted bool
		rest   time.Duration
		want   bool
	}{
		{false, 100 * time.Millisecond, false}, {false, 200 * time.Millisecond, true},
		{true, 200 * time.Millisecond, false}, {true, 300 * time.Millisecond, true},
	} {
		s, _ := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
		s.put("a5", "P")
		s.put("h5", "P")
		if c.lifted {
			s.put("d7", "")
		}
		s.put("h6", "P")
		s.rest(2 * time.Second)
		if s.rank(s.against); s.isWrong(c.rest) != c.want {
			t.Errorf("rests for %v, the opponent has lifted a piece %v: wrong %v, want %v", c.rest, c.lifted, !c.want, c.want)
		}
	}
}

// TestPawnOnTheLastRank: people are asked what a pawn becomes once it has stood on its last rank for a moment. Before,
// they may still exchange it.
func TestPawnOnTheLastRank(t *testing.T) {
	s, _ := newStill(t, true, "chess", "8/4P3/8/8/k7/8/8/4K3 w - - 0 1")
	s.wood[s.at("e7")] = ""
	s.rest(300 * time.Millisecond)
	s.wood[s.at("e8")] = "P"
	x, took := s.until(2*time.Second, func(x *Explanation) bool { return x.State == Asking })
	if x.State != Asking || len(x.Choices) < 4 || took < 250*time.Millisecond || took > 400*time.Millisecond {
		t.Errorf("%v about %d choices after %v, want to be asked what it becomes after 300ms", x.State, len(x.Choices), took)
	}
}

// TestExplained: what follows from an explanation that is taken, for the game and for its sensors.
func TestExplained(t *testing.T) {
	s, p := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
	s.put("e2", "")
	s.put("e4", "P")
	s.rank(s.against)
	h := s.hypothesis(p, "e2e4", "")
	after := p
	after.Play(h.Move)
	s.Decoder.replied = 0
	if x := s.explainMove(h, 1, 0); x.State != Moved || s.proposed != after || s.Decoder.taken != h.Places ||
		s.Decoder.replied != 0 {
		t.Errorf("a move: %v, the game goes on %v, %v contradict it, replied at %v", x.State, s.proposed != p,
			s.Decoder.taken, s.Decoder.replied)
	}
	s.put("d7", "")
	s.rank(s.against)
	lift := s.seen.Reeds[s.at("d7")].Last()
	if s.explainMove(h, 1, 0); s.Decoder.replied != lift-1 {
		t.Errorf("with the opponent's lift at %v: the reply began at %v, want the moment before", lift, s.Decoder.replied)
	}
	s.put("d5", "p")
	s.pair(time.Second)
	s.Decoder.replied = 0
	landed := s.seen.Reeds[s.at("e4")].Last()
	s.explainMove(s.hypothesis(p, "e2e4", "d7d5"), 1, 0)
	if got := s.Decoder.replied; got < landed || got >= lift {
		t.Errorf("with the reply: it began at %v, want between %v and %v", got, landed, lift)
	}
	kings := hypotheses.Hypothesis{Result: "1-0", Places: s.against}
	if x := s.explainMove(&kings, 1, 0); x.State != Ended || !s.Decoder.taken.Empty() || s.proposed != p {
		t.Errorf("kings in the centre: %v, %v contradict it, want none, and the game as it was", x.State, s.Decoder.taken)
	}
}

// TestAskedAboutWhatFollows: a move in place of the last one is likeliest, but all moves that follow the last one are
// together likelier. Then people are asked about the best of these.
func TestAskedAboutWhatFollows(t *testing.T) {
	for _, c := range []struct {
		near float64 // all moves close to the best, relative to those in place of the last
		want int     // the base that the question is about
	}{{2.5, 0}, {1.5, 1}} {
		s, before := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
		after := before
		s.put("e2", "")
		s.put("e4", "P")
		after.Play(s.hypothesis(before, "e2e4", "").Move)
		s.Expect(local(after, before))
		s.rest(5 * time.Second)
		s.rank(s.against)
		plain := s.hypothesis(after, "d7d6", "")
		best := &s.list.Hyps[slices.IndexFunc(s.list.Hyps, func(h hypotheses.Hypothesis) bool {
			return h.Base == 1 && h.Move != rules.NoMove
		})]
		best.Score, plain.Score, s.ranked, s.stray, s.holding = 5, 4.5, s.ranked[:0], logprob.Never, false
		o := odds{best: best, plain: plain, sum: c.near, same: 1, group: 1, near: c.near}
		x, ok := s.decideBest(&o, 5*time.Second, s.now)
		if !ok || x.State != Asking || x.Base != c.want {
			t.Errorf("%.1f times as likely: %v about base %d, want a question about base %d", c.near, x.State, x.Base, c.want)
		}
	}
}

// TestTheirLifts: a move explains its places, and an opponent who sits at the board lifts a piece for the reply. It
// explains nothing else.
func TestTheirLifts(t *testing.T) {
	for _, c := range []struct {
		name   string
		here   bool
		square string
		put    wood.Pile
		move   bool
		want   bool
	}{
		{"their piece is lifted", true, "d7", "", true, true},
		{"and they are elsewhere", false, "d7", "", true, false},
		{"and nobody has moved", true, "d7", "", false, false},
		{"another piece of the mover is lifted", true, "a2", "", true, false},
		{"something was put down", true, "h5", "p", true, false},
	} {
		s, p := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/P3P3/4K3 w - - 0 1")
		s.Expect([]Base{{Position: p, Moves: true, OpponentHere: c.here}})
		h := *s.hypothesis(p, "e2e4", "")
		if !c.move {
			h.Move = rules.NoMove
		}
		s.put(c.square, c.put)
		if got := s.theirLifts(s.against, &h); got != c.want || !s.theirLifts(wood.Set{}, &h) {
			t.Errorf("%s: a move and a lift explain it %v, want %v; and nothing needs no explanation", c.name, got, c.want)
		}
	}
}

// TestNotYetWrong: what may still be in a hand is not called wrong.
func TestNotYetWrong(t *testing.T) {
	for _, c := range []struct {
		name string
		came time.Duration // ago, onto the empty square a5
		want bool
	}{
		{"a piece that a hand may hold over a square", 100 * time.Millisecond, false},
		{"a piece that stands", 3 * time.Second, true},
	} {
		s, _ := newStill(t, false, "chess", "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1")
		s.put("h5", "P")
		s.put("h6", "P")
		s.rest(3 * time.Second)
		s.wood[s.at("a5")] = "P"
		s.rest(c.came)
		if s.rank(s.against); s.isWrong(2*time.Second) != c.want {
			t.Errorf("%s: wrong %v, want %v", c.name, !c.want, c.want)
		}
	}
}
