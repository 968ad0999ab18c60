// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/wood"
)

// until lets the wood rest until an explanation is as wanted, or for so long, and returns the last one and how long it
// took.
func (s *still) until(d time.Duration, stop func(x *Explanation) bool) (Explanation, time.Duration) {
	for start := s.now; ; {
		s.rest(10 * time.Millisecond)
		x := s.Explain(s.now)
		if stop(&x) || s.now.Sub(start) >= d {
			return x, s.now.Sub(start)
		}
	}
}

func never(*Explanation) bool { return false }

// local is what may happen after a move, with both sides at the board.
func local(after, before rules.Position) []Base {
	return []Base{{Position: after, Moves: true, OpponentHere: true}, {Position: before, Moves: true, Takeback: true}}
}

// TestManyTakenBack: hands take back five moves one by one, in any order, and pause after each. However far back that
// leads, there is an answer. When all are back, the game is too.
func TestManyTakenBack(t *testing.T) {
	moves := []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4"}
	for _, order := range [][]int{{4, 3, 2, 1, 0}, {2, 4, 3, 1, 0}, {0, 2, 4, 1, 3}, {1, 3, 0, 2, 4}, {0, 1, 2, 3, 4}} {
		s, p := newStill(t, true, "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
		line := []rules.Position{p}
		for _, coord := range moves {
			p = s.play(p, coord)
			line = append(line, p)
		}
		var bases []Base
		for i := len(line) - 1; i >= 0; i-- {
			bases = append(bases, Base{Position: line[i], Moves: len(bases) < 2, Takeback: len(bases) > 0,
				OpponentHere: true})
		}
		s.Expect(bases)
		s.until(2*time.Second, never)
		var x Explanation
		for _, k := range order {
			from, to := s.at(moves[k][:2]), s.at(moves[k][2:])
			s.wood[to] = ""
			s.rest(250 * time.Millisecond)
			s.wood[from] = s.g.Lay(&line[k])[from]
			x, _ = s.until(8*time.Second, never)
		}
		if x.State != TakenBack || x.Base != len(moves) {
			t.Errorf("in the order %v: got %v of %d, want %d moves taken back", order, x.State, x.Base, len(moves))
		}
	}
}

// TestReplyLiftedAndPutBack: the opponent lifts a piece as soon as a capture stands, and puts it back. The queen could
// have captured that one. It has not come from where it stands: that square was empty before it came, not since.
func TestReplyLiftedAndPutBack(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "chess", "4k3/6pQ/7n/8/8/8/8/4K3 w - - 0 1")
	s.until(3*time.Second, never)
	s.wood[s.at("g7")] = ""
	s.until(3*time.Second, never)
	s.wood[s.at("h7")] = ""
	s.until(160*time.Millisecond, never)
	s.wood[s.at("g7")] = "Q"
	s.until(220*time.Millisecond, never)
	s.wood[s.at("h6")] = ""
	m := s.taken(2 * time.Second)
	if m == rules.NoMove || p.Coord(m) != "h7g7" {
		t.Fatalf("got %v, want h7g7", m)
	}
	after := p
	after.Play(m)
	s.Expect(local(after, p))
	s.until(2*time.Second, never)
	s.wood[s.at("h6")] = "n"
	x, _ := s.until(20*time.Second, func(x *Explanation) bool { return x.State == Moved })
	if x.State != Synced {
		t.Errorf("the knight stands on h6 again: got %v %v, want synced", x.State, p.Coord(x.Move))
	}
}

// TestPassingCaptureSlips: in Meirav a pawn is captured in passing. It is put where the captor will come, which looks
// like another move. The captor is set down beside that square for a moment, and then comes on top. The pawn that was
// put there first has not left again.
func TestPassingCaptureSlips(t *testing.T) {
	b := newTable(t, false, "meirav", "4k3/8/8/8/p7/8/1P6/4K3 w - - 0 1")
	for _, s := range []struct {
		square string
		pile   wood.Pile
		waits  time.Duration
	}{
		{"b2", "", 200}, {"b4", "P", 4000}, {"b4", "", 1500}, {"b3", "P", 2700}, {"a4", "", 150}, {"a3", "p", 900},
		{"a3", "", 400}, {"b3", "Pp", 5000},
	} {
		b.set(s.square, s.pile, s.waits*tick)
	}
	if got := b.played(); !slices.Equal(got, []string{"b2b4", "a4b3"}) {
		t.Errorf("got %v, want b2b4 a4b3", got)
	}
}

// TestPileIsNotBrushed: the opponent lifts a pile that the last move completed half a minute ago. Its reed had not
// flipped when the piece came, so nothing says that it was there for a short time only.
func TestPileIsNotBrushed(t *testing.T) {
	for _, v := range []string{"superchess", "locking"} {
		s, p := newStill(t, true, v, "4k3/8/5b2/8/3R4/8/4N3/4K3 w - - 0 1")
		s.until(time.Second, never)
		m, _ := p.ParseMove("e2d4*")
		after := p
		after.Play(m)
		s.wood[s.at("e2")] = ""
		s.rest(200 * time.Millisecond)
		s.wood[s.at("d4")] = "RN"
		if s.taken(3*time.Second) != m {
			t.Fatal("the move is not taken")
		}
		s.Expect(local(after, p))
		s.until(30*time.Second, never)
		s.wood[s.at("d4")] = ""
		x, d := s.until(3*time.Second, func(x *Explanation) bool { return x.State == Unmade })
		if x.State == Unmade {
			t.Errorf("%s: unmade after %v", v, d)
		}
	}
}

// TestUnplayedExplanation: a capture is explained and not played, because the game pauses. Another game begins, and
// the captor still stands where it captured. That is no fault of sensors.
func TestUnplayedExplanation(t *testing.T) {
	s, _ := newStill(t, true, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	s.until(time.Second, never)
	for _, act := range []struct {
		at   string
		pile wood.Pile
	}{{"d5", ""}, {"e4", ""}, {"d5", "P"}} {
		s.wood[s.at(act.at)] = act.pile
		s.rest(300 * time.Millisecond)
	}
	s.until(3*time.Second, never)
	v, _ := rules.ByID("chess")
	q, _ := v.ParseFEN("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
	s.Follow([]Base{{Position: q, Moves: true, OpponentHere: true}}, &q)
	if x, d := s.until(5*time.Second, func(x *Explanation) bool { return x.State == Synced }); x.State == Synced {
		t.Errorf("synced after %v, a pawn too many on d5", d)
	}
}

// TestFollowAgain: a remote capture is copied, and the bishop held for 4 s. Then the table says again what may happen,
// as after a draw offer. The captured pawn still has to go.
func TestFollowAgain(t *testing.T) {
	s, p := newStill(t, false, "chess", "4k3/5p2/8/8/2B5/8/8/4K3 w - - 0 1")
	s.until(time.Second, never)
	m, _ := p.ParseMove("c4f7")
	after := p
	after.Play(m)
	s.Follow([]Base{{Position: after, Moves: true}}, &p)
	s.until(time.Second, never)
	s.wood[s.at("c4")] = ""
	s.until(4*time.Second, never)
	s.Follow([]Base{{Position: after, Moves: true}}, &p)
	if x, d := s.until(5*time.Second, func(x *Explanation) bool { return x.State == Synced }); x.State == Synced {
		t.Errorf("synced after %v, the black pawn still stands on f7", d)
	}
}

// TestFirstPly: in the first ply after a start nothing has flipped yet. A piece over the line beside one that stands
// is recognised, and no move is taken back that the wood lacks.
func TestFirstPly(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/5P2/4K1N1 w - - 0 1")
	if s.turned != (wood.Set{}) {
		t.Errorf("turned %v, want none", s.turned)
	}
	s.until(2*time.Second, never)
	s.wood[s.at("g1")] = ""
	s.rest(200 * time.Millisecond)
	s.wood[s.at("f3")] = "N" // over the line to f2
	s.gram[s.at("f3")], s.gram[s.at("f2")] = -5000, 4000
	if x, _ := s.until(8*time.Second, func(x *Explanation) bool { return x.State == Moved }); x.State != Moved {
		t.Errorf("%v, want g1f3", x.State)
	}
	a := p
	m, _ := p.ParseMove("f2f4")
	a.Play(m)
	s.Decoder = New(s.g.Geometry, DefaultTiming())
	s.wood, s.gram = s.g.Lay(&p), [64]int32{}
	s.Follow(local(a, p), &p)
	if x, _ := s.until(3*time.Second, func(x *Explanation) bool { return x.State == TakenBack }); x.State == TakenBack {
		t.Error("a move is taken back on a board that nobody has touched since the start")
	}
	s.Decoder = New(s.g.Geometry, DefaultTiming())
	s.Follow(local(a, p), &a)
	if x, _ := s.until(3*time.Second, func(x *Explanation) bool { return x.State == TakenBack }); x.State != TakenBack {
		t.Errorf("%v, want the takeback: while the board was off, its pieces were put back", x.State)
	}
	s, p = newStill(t, true, "chess", "4k3/8/8/8/8/8/5P2/4K1N1 w - - 0 1")
	s.Follow(local(a, p), &a) // a command has set the game up so, and nobody has touched the wood yet
	if x, _ := s.until(3*time.Second, func(x *Explanation) bool { return x.State == TakenBack }); x.State == TakenBack {
		t.Error("a position that was set up is taken back by wood that nobody has touched")
	}
}

// TestKingsEitherWay: the kings meet in the centre, whichever comes first.
func TestKingsEitherWay(t *testing.T) {
	for _, c := range []struct {
		fen, made, from, to string
		first, second       wood.Pile
	}{
		{"8/8/8/8/2k5/8/8/6K1 b - - 0 1", "c4d4", "g1", "e5", "k", "K"},
		{"6k1/8/8/8/2K5/8/8/8 w - - 0 1", "c4d4", "g8", "e5", "K", "k"},
	} {
		s, p := newStill(t, false, "chess", c.fen)
		s.until(3*time.Second, never)
		s.wood[s.at("c4")] = ""
		s.rest(200 * time.Millisecond)
		s.wood[s.at("d4")] = c.first
		m := s.taken(2 * time.Second)
		after := p
		after.Play(m)
		s.Expect(local(after, p))
		s.until(2*time.Second, never)
		s.wood[s.at(c.from)] = ""
		s.rest(300 * time.Millisecond)
		s.wood[s.at(c.to)] = c.second
		if x, _ := s.until(time.Minute, func(x *Explanation) bool { return x.State == Ended }); x.Result != "0-1" {
			t.Errorf("%s first on d4: %v %q, want 0-1", c.first, x.State, x.Result)
		}
	}
}

// TestTrustAfterOutage: what is known of a sensor outlasts an outage of its bank.
func TestTrustAfterOutage(t *testing.T) {
	s, _ := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	s.until(time.Second, never)
	r := &s.seen.Trust[sensing.Reeds][s.at("d5")]
	for range 6 {
		r.Confirm(true, evidence.Prior[sensing.Reeds])
	}
	before := r.Err
	s.deaf = s.at("d5").Square().Bit()
	s.until(2*time.Second, never)
	s.deaf = 0
	if s.until(2*time.Second, never); r.Err != before {
		t.Errorf("wrong with probability %.4f, before the outage %.4f", r.Err, before)
	}
}

// TestPressOutlastsExpect: the clock was pressed. Then only what may happen is new, as after a draw offer.
func TestPressOutlastsExpect(t *testing.T) {
	s, p := newStill(t, false, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	s.timing.Commit = ByClock
	s.until(time.Second, never)
	s.wood[s.at("e2")] = ""
	s.rest(200 * time.Millisecond)
	s.wood[s.at("e4")] = "P"
	s.PressClock()
	s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
	if x, _ := s.until(30*time.Second, func(x *Explanation) bool { return x.State == Moved }); x.State != Moved {
		t.Errorf("%v, want e2e4", x.State)
	}
}

// TestPlyAfterTakeback: after a takeback the last move is the one before, with its own ply.
func TestPlyAfterTakeback(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
	play := func(p rules.Position, name string) (rules.Position, []Base) {
		m, err := p.ParseMove(name)
		if err != nil {
			t.Fatal(err)
		}
		after := p
		after.Play(m)
		pile := s.wood[m.From()]
		s.wood[m.From()] = ""
		s.rest(200 * time.Millisecond)
		s.wood[m.To()] = pile
		if got := s.taken(3 * time.Second); got != m {
			t.Fatalf("%s is taken for %v", name, got)
		}
		return after, local(after, p)
	}
	first := s.seen.Epoch
	one, bases := play(p, "e2e4")
	s.Expect(bases)
	s.until(time.Second, never)
	_, next := play(one, "e7e5")
	s.Expect(next)
	s.until(time.Second, never)
	s.wood[s.at("e5")] = ""
	s.rest(200 * time.Millisecond)
	s.wood[s.at("e7")] = "p"
	if x, _ := s.until(3*time.Second, func(x *Explanation) bool { return x.State == TakenBack }); x.State != TakenBack {
		t.Fatalf("%v, want the takeback", x.State)
	}
	s.Expect(bases)
	if s.past[0].epoch != first || s.past[0].wood != s.g.Lay(&p) {
		t.Errorf("the last move's ply began at %v, want %v", s.past[0].epoch, first)
	}
}

// TestExtremesOfPlies: a move that was put in place of another adds to what was seen in their ply. One that was never
// made gives it back.
func TestExtremesOfPlies(t *testing.T) {
	var l evidence.Level
	at := evidence.Tick(0)
	ply := func(low, high float64) { l.Low, l.High, l.Top = low, high, high }
	l.ResetExtremes(at, false)
	ply(1, 5)
	l.ResetExtremes(at, false)
	ply(3, 9)
	l.ResetExtremes(at, true) // another move in place of the last one
	if l.Before.Low != 1 || l.Before.High != 9 || l.High > l.Low {
		t.Errorf("before %v, now %v", l.Before, l.Extremes)
	}
	ply(4, 6)
	l.ResumeExtremes()
	if l.Low != 1 || l.High != 9 || l.Top != 9 {
		t.Errorf("resumed: %v, want 1 to 9", l.Extremes)
	}
}
