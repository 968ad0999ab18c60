// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// play has the wood follow a move, which the decoder is then told, and lets it rest.
func (s *still) play(p rules.Position, coord string) rules.Position {
	s.t.Helper()
	m, err := p.ParseMove(coord)
	if err != nil {
		s.t.Fatal(err)
	}
	after := p
	after.Play(m)
	s.wood = s.g.Lay(&after)
	s.rest(300 * time.Millisecond)
	s.Expect([]Base{{Position: after, Moves: true, OpponentHere: true}, {Position: p, Moves: true, Takeback: true}})
	for range 100 {
		s.rest(30 * time.Millisecond)
		s.Explain(s.now)
	}
	return after
}

// taken is the first move that is recognised while time passes, NoMove if none is.
func (s *still) taken(d time.Duration) rules.Move {
	for end := s.now.Add(d); s.now.Before(end); {
		s.rest(10 * time.Millisecond)
		if x := s.Explain(s.now); x.State == Moved {
			return x.Move
		}
	}
	return rules.NoMove
}

// TestWhatStaysCountsForNothing: a sensor that goes on to show what a confirmed move has taken away is not heard,
// until it shows something new. It is a sign neither that the piece came back, nor of anything else.
func TestWhatStaysCountsForNothing(t *testing.T) {
	const fen = "4k3/7p/8/8/8/8/8/2Q1K3 w - - 0 1"
	for _, c := range []struct {
		sensor sensing.Kind
		set    func(g *wood.Geometry)
		stay   func(s *still)
		move   func(s *still)
	}{
		{sensing.Heights, func(g *wood.Geometry) { g.Weights, g.Heights = false, true },
			func(s *still) { s.hand[s.at("c1")] = s.g.CubeHeight }, func(s *still) { s.hand[s.at("c1")] = 0 }},
		{sensing.Weights, func(g *wood.Geometry) { g.Weights, g.Heights = true, false },
			func(s *still) { s.gram[s.at("c1")] = s.g.Mass['Q'] }, func(s *still) { s.gram[s.at("c1")] = 0 }},
	} {
		g := wood.Reference()
		c.set(&g)
		s, p := newStillOn(t, g, "chess", fen)
		c1 := s.at("c1")
		c.stay(s)
		p = s.play(p, "c1b2")
		if s.seen.IsDiscounted(c.sensor, c1) {
			t.Errorf("%v: not heard before a move has confirmed the wood", c.sensor)
		}
		p = s.play(p, "h7h6")
		if !s.seen.IsDiscounted(c.sensor, c1) {
			t.Errorf("%v: still heard", c.sensor)
		}
		s.wood[s.at("b2")] = ""
		if got := s.taken(2 * time.Second); got != rules.NoMove {
			t.Errorf("%v: the queen is in the hand, and %s was taken", c.sensor, p.Coord(got))
		}
		s.wood[s.at("b5")] = "Q"
		if got := s.taken(3 * time.Second); p.Coord(got) != "b2b5" {
			t.Errorf("%v: %s, want b2b5", c.sensor, p.Coord(got))
		}
		c.move(s)
		s.rest(time.Second)
		if s.seen.IsDiscounted(c.sensor, c1) {
			t.Errorf("%v: shows something new and is not heard", c.sensor)
		}
	}
}

// TestDiscountedCellIsReported: a cell that is passed over is found faulty all the same.
func TestDiscountedCellIsReported(t *testing.T) {
	g := wood.Reference()
	g.Weights, g.Heights = true, false
	s, p := newStillOn(t, g, "chess", "4k3/7p/8/8/8/8/8/2Q1K3 w - - 0 1")
	s.gram[s.at("c1")] = s.g.Mass['Q']
	s.play(s.play(p, "c1b2"), "h7h6")
	s.rest(s.timing.FaultAfter)
	for range 300 {
		s.rest(20 * time.Millisecond)
		s.Explain(s.now)
		s.watch(s.now)
	}
	for _, x := range s.Faults() {
		if x.Place == s.at("c1") && x.Sensor == sensing.Weights {
			return
		}
	}
	t.Errorf("faults %v, want the cell under c1", s.Faults())
}

// TestUnseenLandingWaits: where a reed does not answer, a lifted piece may have landed or be in the hand. It is not
// said to stand there as soon as the hand pauses.
func TestUnseenLandingWaits(t *testing.T) {
	g := wood.Reference()
	g.Weights, g.Heights = false, false
	s, p := newStillOn(t, g, "chess", "4k3/8/8/8/8/8/8/2N1K3 w - - 0 1")
	s.deaf = s.at("d3").Square().Bit()
	s.rest(2 * time.Second)
	s.Explain(s.now)
	s.wood[s.at("c1")] = ""
	if got := s.taken(1200 * time.Millisecond); got != rules.NoMove {
		t.Errorf("%s was taken while the knight is in the hand", p.Coord(got))
	}
	s.wood[s.at("b3")] = "N"
	if got := s.taken(2 * time.Second); p.Coord(got) != "c1b3" {
		t.Errorf("%s, want c1b3", p.Coord(got))
	}
}

// TestNothingHeard: a board whose sensors have not answered yet is not said to show a move that was told. Else a copy
// that is asked for would be forgotten after a restart.
func TestNothingHeard(t *testing.T) {
	g := wood.Reference()
	g.Weights, g.Heights = true, false
	s, p := newStillOn(t, g, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	m, err := p.ParseMove("e2e4")
	if err != nil {
		t.Fatal(err)
	}
	after := p
	after.Play(m)
	s.Decoder = New(g, DefaultTiming())
	s.Follow([]Base{{Position: after, Moves: true}}, &p)
	for at := s.now; at.Before(s.now.Add(10 * time.Second)); at = at.Add(50 * time.Millisecond) {
		for _, k := range []sensing.Kind{sensing.Reeds, sensing.Weights} {
			s.Observe(&sensing.Reading{At: at, Kind: k})
		}
		if x := s.Explain(at); x.State != Moving {
			t.Fatalf("%v after the start, with no sensor heard: state %v", at.Sub(s.now), x.State)
		}
	}
	s.now = s.now.Add(10 * time.Second)
	s.rest(time.Second)
	if x := s.Explain(s.now); x.State == Synced {
		t.Error("the pawn still stands on e2, and the move counts as copied")
	}
}

// TestBrushed: a pawn brushes a square, so that a move is taken at once, and goes on to where no sensor shows it. When
// the wood has rested, that move is taken back. Had it stood there for longer, it might be in a hand for a reply.
func TestBrushed(t *testing.T) {
	for _, c := range []struct {
		occupied time.Duration
		want     State
	}{{60 * time.Millisecond, Unmade}, {400 * time.Millisecond, Moving}} {
		s, p := newStill(t, false, "chess", "4k3/8/8/4p3/5P2/8/8/4K3 b - - 0 1")
		s.rest(time.Second)
		s.wood[s.at("e5")] = ""
		s.rest(300 * time.Millisecond)
		s.wood[s.at("e4")] = "p"
		m := s.taken(60 * time.Millisecond)
		if p.Coord(m) != "e5e4" {
			t.Fatalf("%s, want e5e4", p.Coord(m))
		}
		after := p
		after.Play(m)
		s.Expect([]Base{{Position: after, Moves: true, OpponentHere: true}, {Position: p, Moves: true, Takeback: true}})
		s.rest(c.occupied - 10*time.Millisecond)
		s.wood[s.at("e4")], s.wood[s.at("f4")] = "", "p"
		var x Explanation
		for range 20 {
			if s.rest(10 * time.Millisecond); s.Explain(s.now).State != Moving {
				t.Fatalf("occupied for %v: %v at once", c.occupied, s.Explain(s.now).State)
			}
		}
		for end := s.now.Add(2 * time.Second); s.now.Before(end) && x.State != Unmade; x = s.Explain(s.now) {
			s.rest(10 * time.Millisecond)
		}
		if x.State != c.want {
			t.Errorf("occupied for %v: %v, want %v", c.occupied, x.State, c.want)
			continue
		}
		if c.want != Unmade {
			continue
		}
		s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
		if l := s.Explain(s.now).Lifts; len(l) != 1 || l[0].Place != s.at("e5") {
			t.Errorf("lifted: %v, want e5", l)
		}
		s.wood[s.at("f4")], s.wood[s.at("e4")] = "P", "p"
		if got := s.taken(time.Second); p.Coord(got) != "e5e4" {
			t.Errorf("%s, want e5e4: the piece was put there after all", p.Coord(got))
		}
	}
}

// TestAnswerOverrules: people say that the move was made which a dead cell contradicts. The wood then stands as it
// should, also where it is waited for until every sensor has settled on it. Without their word it does not.
func TestAnswerOverrules(t *testing.T) {
	for _, c := range []struct{ answered, followed bool }{{true, false}, {true, true}, {false, true}} {
		s, p := newStill(t, true, "chess", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1")
		s.rest(time.Second)
		e5 := s.at("e5")
		s.wood[s.at("e7")], s.wood[e5] = "", "p"
		s.gram[e5] = -s.g.Mass['p']
		x := s.Explain(s.now)
		for end := s.now.Add(20 * time.Second); s.now.Before(end) && x.State != Asking; x = s.Explain(s.now) {
			s.rest(10 * time.Millisecond)
		}
		if x.State != Asking || len(x.Choices) != 1 || p.Coord(x.Choices[0].Move) != "e7e5" {
			t.Fatalf("%v %v, want a question about e7e5", x.State, x.Choices)
		}
		after := p
		after.Play(x.Choices[0].Move)
		if c.answered {
			s.Answered()
		}
		bases := []Base{{Position: after, Moves: true, OpponentHere: true}, {Position: p, Takeback: true}}
		s.Expect(bases)
		if c.followed {
			s.Follow(bases, &after)
		}
		for range 100 {
			s.rest(10 * time.Millisecond)
			x = s.Explain(s.now)
		}
		if got := x.State == Synced; got != c.answered {
			t.Errorf("answered %v, followed %v: %v", c.answered, c.followed, x.State)
		}
	}
}
