// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// TestPlyGoesOn: when only what may happen is new, as after an offer of a draw, the ply goes on. What was seen in it
// and of the move before is not forgotten.
func TestPlyGoesOn(t *testing.T) {
	s, before := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	s.put("e2", "")
	s.put("e4", "P")
	p := before
	m, err := p.ParseMove("e2e4")
	if err != nil {
		t.Fatal(err)
	}
	p.Play(m)
	bases := []Base{{Position: p, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}}
	s.Expect(bases)
	s.wood[s.at("e8")] = ""
	s.rest(100 * time.Millisecond)
	changed, accepted, epoch, turned := s.changed, s.accepted, s.seen.Epoch, s.turned
	s.Expect(bases)
	s.rest(100 * time.Millisecond)
	if s.changed != changed || changed.Empty() || s.accepted != accepted || s.seen.Epoch != epoch || s.turned != turned {
		t.Errorf("places of the move %v, taken at %v, ply since %v, turned %v; want %v, %v, %v, %v", s.changed, s.accepted,
			s.seen.Epoch, s.turned, changed, accepted, epoch, turned)
	}
	s.Follow(bases, &p)
	if s.Expect(bases); s.seen.Epoch == epoch {
		t.Error("when the wood was brought to the game, no new ply began")
	}
}

// TestOfTheLastMove: a ply begins before the last move was made, as when the opponent was quick. What that move did on
// its own square was not done for nothing in the new ply.
func TestOfTheLastMove(t *testing.T) {
	s, before := newStill(t, true, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	s.rest(time.Second)
	for _, act := range []struct {
		at   string
		pile wood.Pile
	}{{"d5", ""}, {"e4", ""}, {"d5", "P"}} {
		s.wood[s.at(act.at)] = act.pile
		s.rest(400 * time.Millisecond)
	}
	p := before
	m := s.taken(2 * time.Second)
	if m == rules.NoMove || before.Coord(m) != "e4d5" {
		t.Fatalf("got %v, want e4d5", m)
	}
	p.Play(m)
	s.Expect(local(p, before))
	d5 := s.at("d5")
	s.seen.Epoch = 0
	s.findTurned()
	if idle := s.idlyLifted(&hypotheses.Hypothesis{}); idle.Has(d5) {
		t.Error("the capture is said to have been done for nothing")
	}
	s.wood[d5] = ""
	s.rest(400 * time.Millisecond)
	s.wood[d5] = "P"
	s.rest(400 * time.Millisecond)
	if idle := s.idlyLifted(&hypotheses.Hypothesis{}); !idle.Has(d5) {
		t.Error("the pawn was lifted and put back after the capture, and is not said to have been")
	}
}

// TestNewPlyAfterCopying: when the wood was brought to the game, the next ply begins, however long its sensors took to
// settle. What was touched to copy the move is no part of it.
func TestNewPlyAfterCopying(t *testing.T) {
	for _, off := range []int32{0, 1100} { // mg that the cell of the copied piece lacks: it settles after a second
		s, before := newStill(t, true, "chess", "3qk3/8/8/p6p/8/8/4P2P/R3K3 w - - 0 1")
		p := before
		m, err := p.ParseMove("a1a5")
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
		bases := []Base{{Position: p, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}}
		s.Follow(bases, &before)
		for _, act := range []struct {
			at   string
			pile wood.Pile
		}{{"a5", ""}, {"a1", ""}, {"a5", "R"}} {
			if s.wood[s.at(act.at)] = act.pile; act.pile != "" {
				s.gram[s.at(act.at)] = -off
			}
			s.rest(300 * time.Millisecond)
		}
		for range 500 {
			s.rest(10 * time.Millisecond)
			if s.Explain(s.now).State == Synced {
				break
			}
		}
		s.Expect(bases)
		if n := s.seen.Reeds[s.at("a5")].After(s.seen.Epoch); n != 0 || !s.turned.Empty() {
			t.Errorf("%d mg off: the reed of a5 has flipped %d times in the new ply, turned %v", off, n, s.turned)
		}
	}
}

// TestRetraction: that somebody thinks again of the last move is as likely as the game allows it.
func TestRetraction(t *testing.T) {
	s, p := newStill(t, true, "flying", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	moves, takeback := math.Exp(world.PriorCorrect), math.Exp(world.PriorTakeback)
	for _, c := range []struct {
		last Base
		want float64
	}{
		{Base{Position: p, Moves: true, Takeback: true}, moves + takeback},
		{Base{Position: p, Moves: true}, moves},
		{Base{Position: p, Takeback: true}, takeback},
		{Base{Position: p}, 0},
	} {
		s.bases = []Base{{Position: p, Moves: true}, c.last}
		if got := s.retraction(); math.Abs(got-c.want*math.Exp(s.late)) > 1e-9 {
			t.Errorf("moves %v, takeback %v: odds %.3f, want %.3f", c.last.Moves, c.last.Takeback, got, c.want)
		}
	}
	s.bases = s.bases[:1]
	if got := s.retraction(); got != 0 {
		t.Errorf("before the first move: odds %.3f, want 0", got)
	}
}

// TestCountWhatStandsThere: before the wood is brought to a game, nothing is known of a pile but its weight. The piece
// that the game wants there is not one of it.
func TestCountWhatStandsThere(t *testing.T) {
	const fen = "4k3/8/8/4[pq]3/8/5N2/8/6[KR]1 w - - 0 1"
	count := func(s *still, square string) int {
		t.Helper()
		for _, x := range s.Explain(s.now).Discrepancies {
			if x.Place == s.at(square) {
				return x.See
			}
		}
		t.Errorf("%s does not differ", square)
		return -1
	}
	g := wood.Reference()
	g.Weights, g.Heights = true, false
	s, p := newStillOn(t, g, "locking", fen)
	start := p.Variant().Start()
	s.Follow([]Base{{Position: start}}, &start)
	s.rest(2 * time.Second)
	if n := count(s, "g1"); n != 2 {
		t.Errorf("a new game: %d pieces on g1, want king and rook", n)
	}
	s, p = newStillOn(t, g, "locking", fen)
	m, err := p.ParseMove("f3e5")
	if err != nil {
		t.Fatal(err)
	}
	after := p
	after.Play(m)
	s.Follow([]Base{{Position: after}}, &p)
	s.rest(2 * time.Second)
	if n := count(s, "e5"); n != 2 {
		t.Errorf("a capture to copy: %d pieces on e5, want pawn and queen", n)
	}
}
