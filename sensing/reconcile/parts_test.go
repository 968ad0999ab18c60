// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// still is a decoder with a board whose sensors show exactly what a test sets. Time passes only in rest.
type still struct {
	*Decoder
	t    *testing.T
	wood wood.Wood
	gram [64]int32      // mg that a cell shows beside what stands there
	hand [64]int32      // um that a hand is seen above what stands there
	deaf rules.Bitboard // squares of the lower deck whose reed does not answer
	now  time.Time
}

func newStill(t *testing.T, weights bool, variant, fen string) (*still, rules.Position) {
	t.Helper()
	g := wood.Reference()
	g.Weights = weights
	return newStillOn(t, g, variant, fen)
}

// newStillOn is that of another board.
func newStillOn(t *testing.T, g wood.Geometry, variant, fen string) (*still, rules.Position) {
	t.Helper()
	v, err := rules.ByID(variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	s := &still{Decoder: New(g, DefaultTiming()), t: t, wood: g.Lay(&p), now: time.Unix(1000, 0)}
	s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
	s.rest(time.Second)
	return s, p
}

// rest lets time pass while the sensors are read, and then evaluates.
func (s *still) rest(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(10 * time.Millisecond)
		r := sensing.Reading{At: s.now, Kind: sensing.Reeds, Known: ^s.deaf}
		c := sensing.Reading{At: s.now, Kind: sensing.Weights, Known: ^rules.Bitboard(0)}
		h := sensing.Reading{At: s.now, Kind: sensing.Heights, Known: ^rules.Bitboard(0)}
		for q := range rules.Square(64) {
			if s.wood[q] != "" {
				r.Closed |= q.Bit()
			}
			c.Value[q], h.Value[q] = s.gram[q], s.hand[q]+int32(len(s.wood[q]))*s.g.CubeHeight
			for _, piece := range []byte(s.wood[q]) {
				c.Value[q] += s.g.Mass[piece]
			}
		}
		s.Observe(&r)
		if s.g.TwoDecks {
			u := sensing.Reading{At: s.now, Kind: sensing.Reeds, Deck: sensing.Upper, Known: ^rules.Bitboard(0)}
			for q := range rules.Square(64) {
				if s.wood[64+q] != "" {
					u.Closed |= q.Bit()
				}
			}
			s.Observe(&u)
		}
		if s.g.Weights {
			s.Observe(&c)
		}
		if s.g.Heights {
			s.Observe(&h)
		}
		s.seen.Now = s.seen.Tick(s.now)
	}
	s.evaluate()
}

// put makes a pile stand on a square, and waits.
func (s *still) put(square string, pile wood.Pile) {
	s.wood[s.at(square)] = pile
	s.rest(200 * time.Millisecond)
}

func (s *still) at(square string) wood.Place {
	s.t.Helper()
	q, err := rules.ParseSquare(square)
	if err != nil {
		s.t.Fatal(err)
	}
	return wood.Place(q)
}

// hypothesis is that of a move, with the reply if one is named.
func (s *still) hypothesis(p rules.Position, move, reply string) *hypotheses.Hypothesis {
	s.t.Helper()
	for i := range s.list.Hyps {
		h := &s.list.Hyps[i]
		if h.Base != 0 || h.Move == rules.NoMove || p.Coord(h.Move) != move || h.Reply == rules.NoMove != (reply == "") {
			continue
		}
		if reply != "" {
			q := p
			if q.Play(h.Move); q.Coord(h.Reply) != reply {
				continue
			}
		}
		return h
	}
	s.t.Fatalf("no hypothesis %s %s", move, reply)
	return nil
}

// TestEyeThatMissesAMeasurement: a height sensor that misses a measurement is believed for a moment, but not about
// what came after it was last read.
func TestEyeThatMissesAMeasurement(t *testing.T) {
	const e4 = rules.Square(28)
	g := wood.Reference()
	g.TwoDecks, g.Heights = true, true
	e := evidence.New(evidence.NewGeometry(&g))
	at := func(ms int) time.Time { return time.Unix(1000, 0).Add(time.Duration(ms) * time.Millisecond) }
	e.Observe(&sensing.Reading{At: at(0), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)})
	e.Observe(&sensing.Reading{At: at(0), Kind: sensing.Heights, Known: ^rules.Bitboard(0)})
	for _, c := range []struct {
		ms   int
		want bool
	}{{90, true}, {110, false}} {
		e.Observe(&sensing.Reading{At: at(c.ms), Kind: sensing.Heights, Known: ^e4.Bit()})
		if got := e.HeardEye(wood.Place(e4)); got != c.want {
			t.Errorf("%d ms after it last answered: heard %v, want %v", c.ms, got, c.want)
		}
	}
	e.Observe(&sensing.Reading{At: at(200), Kind: sensing.Heights, Known: ^rules.Bitboard(0)})
	e.Observe(&sensing.Reading{At: at(210), Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: e4.Bit()})
	if e.HeardEye(wood.Place(e4)) {
		t.Error("a height read before the reed closed is believed of what came")
	}
}

// TestSureAfterARest: after a rest less certainty is needed, unless a piece that the move does not explain was lifted
// before it.
func TestSureAfterARest(t *testing.T) {
	type act struct {
		square string
		pile   wood.Pile
	}
	other, lift, back, land := act{"a7", ""}, act{"e2", ""}, act{"e2", "P"}, act{"e4", "P"}
	for _, c := range []struct {
		name  string
		acts  []act
		pause time.Duration
		want  float64
	}{
		{"rested", []act{lift, land, other}, 1100 * time.Millisecond, world.SettledProbability},
		{"not rested yet", []act{lift, land, other}, 900 * time.Millisecond, world.SureProbability},
		{"another lifted before", []act{other, lift, land}, 1100 * time.Millisecond, world.SureProbability},
		{"another lifted after the move was begun", []act{lift, other, back, lift, land}, 1100 * time.Millisecond,
			world.SettledProbability},
	} {
		s, p := newStill(t, false, "chess", "4k3/p7/8/8/8/8/4P3/4K3 w - - 0 1")
		for _, a := range c.acts {
			s.put(a.square, a.pile)
		}
		if got := s.requiredProbability(s.hypothesis(p, "e2e4", ""), c.pause); got != c.want {
			t.Errorf("%s: sure above %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLeftAt: a piece left a square when its reed opened. If a part of the pile stays, it left when the load began a
// new level. A square that nobody touched was not left.
func TestLeftAt(t *testing.T) {
	s, _ := newStill(t, true, "locking", "4k3/8/8/8/4[PN]3/8/P7/4K3 w - - 0 1")
	if _, ok := s.leftAt(s.at("e4")); ok {
		t.Error("left before it was touched")
	}
	for _, c := range []struct {
		square string
		rest   wood.Pile
	}{{"a2", ""}, {"e4", s.wood[s.at("e4")][:1]}} {
		from := s.seen.Now
		s.put(c.square, c.rest)
		if at, ok := s.leftAt(s.at(c.square)); !ok || at <= from || at.Since(from) > 20*time.Millisecond {
			t.Errorf("%s: left %v after it was touched, %v", c.square, at.Since(from), ok)
		}
	}
}

// TestBetweenMoveAndReply: a recapture begins when the first captor is taken off its square, not when the second one
// lands there.
func TestBetweenMoveAndReply(t *testing.T) {
	s, p := newStill(t, false, "chess", "4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1")
	s.put("d5", "")
	s.put("e4", "")
	s.put("d5", "P")
	began := s.seen.Now
	s.put("d5", "")
	s.put("e6", "")
	s.put("d5", "p")
	s.pair(time.Second)
	h := s.hypothesis(p, "e4d5", "e6d5")
	if h.ReplyFlips != [2]uint8{2, 0} {
		t.Errorf("the reply flips the reeds of d5 %v times, want 2 and 0", h.ReplyFlips)
	}
	if at := s.between(h); at < began || at.Since(began) >= 10*time.Millisecond {
		t.Errorf("the reply began %v after its first lift, want the moment before", at.Since(began))
	}
}

// TestLoadOverTheEdge: the excess load of a neighbouring cell counts for a piece only if its own cell bears too
// little. That is so too if what is left weighs as another piece, and if a light excess lies on a piece beside it. An
// excess as heavy as a piece is one where a pile may have lost it. More than half of a piece is none over the edge.
func TestLoadOverTheEdge(t *testing.T) {
	for _, c := range []struct {
		name   string
		fen    string
		stands string // what comes from e2 onto e4, or "" for what has stood there
		off    int32  // mg that the cell of e4 bears less
		above  int32  // mg that the cell of e5 bears more
		want   float64
	}{
		{"over the edge", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "P", 8000, 8000, 8000},
		{"fingers beside it", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "P", 0, 8000, 0},
		{"nothing beside it", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "P", 8000, 0, 0},
		{"a queen whose rest weighs as a bishop", "3k4/8/8/8/4Q3/8/6b1/4K3 w - - 0 1", "", 11000, 11000, 11000},
		{"onto a piece beside it", "k7/8/8/4p3/4K3/8/8/8 w - - 0 1", "", 4700, 4700, 4700},
		{"as much as a piece beside it", "k7/8/8/4p3/4K3/8/8/8 w - - 0 1", "", 20000, 20000, 0},
		{"from a pile, as heavy as a piece", "k7/8/8/8/4[NP]3/8/8/4K3 w - - 0 1", "", 20000, 20000, 0},
		{"more than half of it", "3k4/8/8/8/4Q3/8/8/4K3 w - - 0 1", "", 31000, 31000, 0},
	} {
		s, p := newStill(t, true, "pillar", c.fen)
		bases := []Base{{Position: p, Moves: true, OpponentHere: true}}
		s.Follow(bases, &p) // as a table does with a new game
		if s.Expect(bases); c.stands != "" {
			s.put("e2", "")
		}
		s.gram[s.at("e4")], s.gram[s.at("e5")] = -c.off, c.above
		if s.rest(500 * time.Millisecond); c.stands != "" {
			s.put("e4", wood.Pile(c.stands))
		}
		if got := s.seen.SpilledLoad[s.at("e4")]; got < c.want-1 || got > c.want+1 {
			t.Errorf("%s: %v mg of what stands on e4 lie beside it, want %v", c.name, got, c.want)
		}
		if got := s.seen.OverhangLoad[s.at("e5")]; got < c.want-1 || got > c.want+1 {
			t.Errorf("%s: e5 bears %v mg of it, want %v", c.name, got, c.want)
		}
	}
}

// TestInPlaceOfTwo: another move may replace the last two if these were taken together. It never replaces three.
func TestInPlaceOfTwo(t *testing.T) {
	for _, c := range []struct {
		name string
		rest time.Duration
		want float64 // the prior, 0 for no such hypothesis
	}{
		{"at once", 1900 * time.Millisecond, -4.5},
		{"one after the other", 2100 * time.Millisecond, 0},
	} {
		s, p := newStill(t, false, "chess", "4k3/p7/8/8/8/8/4P3/4K3 w - - 0 1")
		bases := []Base{{Position: p, Moves: true}}
		for _, name := range []string{"e2e4", "a7a5", "e4e5"} {
			q := bases[0].Position
			for _, m := range q.AppendMoves(nil) {
				if q.Coord(m) == name {
					q.Play(m)
					break
				}
			}
			bases = append([]Base{{Position: q, Moves: true}}, bases...)
			s.rest(c.rest)
			s.Expect(bases)
		}
		prior := 0.0
		for i := range s.list.Hyps {
			switch h := &s.list.Hyps[i]; {
			case h.Move == rules.NoMove:
			case h.Base > 2:
				t.Errorf("%s: a move in place of %d", c.name, h.Base)
			case h.Base == 2:
				prior = h.Prior
			}
		}
		if prior != c.want {
			t.Errorf("%s: a move in place of two costs %v, want %v", c.name, prior, c.want)
		}
	}
}

// TestExchangedUnderAClosedReed: a captor that comes while the captured piece is taken off may keep the reed closed. A
// cell or a height sensor that has seen the square empty shows the exchange as well. A move given in words counts as
// copied then. So it does if no sensor has seen the exchange, but all else of the move has stood for long.
func TestExchangedUnderAClosedReed(t *testing.T) {
	for _, c := range []struct {
		name  string
		bears wood.Pile // what the cell of the captured piece bears for a while
		want  float64
	}{
		{"taken off", "", world.ShortExchange},
		{"never taken off", "P", world.ExchangeUnseen},
	} {
		s, p := newStill(t, true, "chess", "4k3/8/8/6p1/7P/8/8/4K3 b - - 0 1")
		s.put("g5", "")
		if c.bears == "" {
			s.gram[s.at("h4")] = -s.g.Mass['P']
		}
		s.rest(300 * time.Millisecond)
		s.gram[s.at("h4")] = 0
		s.put("h4", "p")
		h := s.hypothesis(p, "g5h4", "")
		if got := s.exchangeCost(s.at("h4"), "P", "p", 0); math.Abs(got-c.want) > 0.7 {
			t.Errorf("%s: the exchange costs %.1f nats, want %.1f", c.name, got, c.want)
		}
		q := p
		q.Play(h.Move)
		for _, later := range []time.Duration{0, world.AllHandsLeave + time.Second} {
			s.rest(later)
			s.Follow([]Base{{Position: q, Moves: true}, {Position: p, Moves: true}}, &p)
			s.rest(100 * time.Millisecond)
			if got, want := s.goal.met(s.Decoder), c.bears == "" || later > 0; got != want {
				t.Errorf("%s, told by word %v later: done %v, want %v", c.name, later, got, want)
			}
			s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
		}
	}
}

// TestRestoreScore: a reply right after a correction speaks for the move that was replaced. It does so more if the
// correction had to pay for being late, and less the longer hands rested before the reply. Where a part of a pile is
// lifted, the load tells when.
func TestRestoreScore(t *testing.T) {
	for _, c := range []struct {
		name  string
		touch string
		rest  wood.Pile
		after time.Duration // from the correction to the lift
		want  float64
	}{
		{"soon", "a7", "", 900 * time.Millisecond, 2.9},
		{"soon, but put back, and lifted again", "a7", "p", 900 * time.Millisecond, 2.9},
		{"late", "a7", "", 3 * time.Second, 0.7},
		{"never", "", "", 0, -2.7},
		{"a part of a pile", "d7", "p", 900 * time.Millisecond, 2.9},
	} {
		s, p := newStill(t, true, "locking", "4k3/p2[pn]4/8/8/8/8/4P3/4K3 w - - 0 1")
		s.put("e2", "")
		s.put("e4", "P")
		s.accepted, s.replacedMove.cost = s.seen.Now, world.PriorCorrect-2
		s.seen.Epoch = s.seen.Now
		s.rest(c.after)
		from := "a7"
		if c.touch != "" {
			from = c.touch
			if c.rest == "p" && c.touch == "a7" {
				s.put(c.touch, "")
				s.put(c.touch, c.rest)
				s.rest(time.Second)
				s.put(c.touch, "")
			}
			s.put(c.touch, c.rest)
		}
		h := *s.hypothesis(p, "e2e4", "")
		q := p
		q.Play(h.Move)
		for _, m := range q.AppendMoves(nil) {
			if wood.Place(m.From()) == s.at(from) {
				h.Reply = m
			}
		}
		if got := s.restoreScore(&h); math.Abs(got-c.want) > 0.3 {
			t.Errorf("%s: %v nats, want %v", c.name, got, c.want)
		}
	}
}

// TestAccused: a cell that contradicts what stands there is reported as faulty, but still counts for something. A cell
// that trembles does not count any more. One that is off by what magnets and sleeves may do is sound.
func TestAccused(t *testing.T) {
	const sound = FaultKind(255)
	for _, c := range []struct {
		name   string
		off    func(n int) int32 // mg that the cell under e1 shows too much at the n-th reading
		want   FaultKind
		counts bool
	}{
		{"contradicts", func(int) int32 { return -7000 }, Drifting, true},
		{"is pulled", func(int) int32 { return -3000 }, sound, true},
		{"trembles", func(n int) int32 { return int32(n*7919%5) * 3000 }, Noisy, false},
	} {
		s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		e1 := s.at("e1")
		for n := range 2000 {
			switch n {
			case 980:
				s.wood[s.at("e2")] = ""
			case 1000:
				s.wood[s.at("e4")] = "P"
			}
			s.gram[e1] = c.off(n)
			s.rest(10 * time.Millisecond)
			if x := s.Explain(s.now); x.State == Moved {
				if p.Coord(x.Move) != "e2e4" {
					t.Errorf("%s: %s, want e2e4", c.name, p.Coord(x.Move))
				}
				after := p
				after.Play(x.Move)
				s.Expect(local(after, p))
			}
		}
		switch f := s.Faults(); {
		case c.want == sound && len(f) > 0:
			t.Errorf("%s: faults %v, want none", c.name, f)
		case c.want != sound && (len(f) != 1 || f[0].Place != e1 || f[0].Sensor != sensing.Weights || f[0].Kind != c.want):
			t.Errorf("%s: faults %v, want the cell of e1 %v", c.name, f, c.want)
		}
		if got := s.seen.CellTrusted(e1); got != c.counts {
			t.Errorf("%s: counts %v, want %v", c.name, got, c.counts)
		}
	}
}

// TestTremblingHandIsNoFault: a hand trembles over a square of the twin board for a long time. Its height sensor is
// not noisy. It tells what stands there as soon as the hand has gone.
func TestTremblingHandIsNoFault(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	s, p := newStillOn(t, g, "locking", "4k3/8/8/3P4/3R4/8/8/4K3 w - - 0 1")
	s.rest(time.Second)
	s.wood[s.at("d4")] = ""
	d5 := s.at("d5")
	for n := range 1200 {
		s.hand[d5] = 60_000 + int32(n*7919%5)*6_000
		s.rest(10 * time.Millisecond)
		s.Explain(s.now)
	}
	if f := s.Faults(); len(f) > 0 {
		t.Errorf("faults %v, want none", f)
	}
	s.wood[d5], s.hand[d5] = "PR", 0
	if got := s.taken(time.Second); got == rules.NoMove || p.Coord(got) != "d4d5*" {
		t.Errorf("got %v, want d4d5* at once", got)
	}
}

// TestSeenToLeave: a piece was seen to leave a pile. A hypothesis that changes nothing there, while a rival does, pays
// for that.
func TestSeenToLeave(t *testing.T) {
	for _, c := range []struct {
		name  string
		shows int32 // mg that the cell of the captured piece shows in addition for a while
		want  float64
	}{
		{"taken off, and something put there", -19_500, -3},
		{"pressed", 21_000, 0},
		{"let alone", 0, 0},
	} {
		s, p := newStill(t, true, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
		d5 := s.at("d5")
		s.turned = wood.Set{} // setting it up was no ply
		s.gram[d5] = c.shows
		s.rest(300 * time.Millisecond)
		s.gram[d5] = 0
		s.put("e4", "")
		s.put("e5", "P")
		s.rivalPlaces = s.hypothesis(p, "e4d5", "").Places
		if got := s.eventCost(s.hypothesis(p, "e4e5", "")); math.Abs(got-c.want) > 0.1 {
			t.Errorf("%s: e5 pays %.1f nats for its way, want %.1f", c.name, got, c.want)
		}
		if got := s.idleCost(s.hypothesis(p, "e4d5", "")); got != 0 {
			t.Errorf("%s: the capture pays %.1f nats", c.name, got)
		}
	}
}

// TestHovers: while a hand is seen over a place that contradicts the game, it is likelier that the hand is not done.
// This effect falls with time. A height that a pile there could explain is no hand, and a hand over a place that
// agrees with the game does not count.
func TestHovers(t *testing.T) {
	g := wood.Reference()
	g.TwoDecks, g.Heights, g.Weights = true, true, false
	for _, c := range []struct {
		name, square string
		hand         int32 // um
		stays        time.Duration
		least, most  float64
	}{
		{"over the piece", "e4", 50_000, 20 * time.Millisecond, 0.38, 0.4},
		{"for long", "e4", 50_000, 4 * time.Second, 0.02, 0.04},
		{"none", "e4", 0, 20 * time.Millisecond, 0, 0},
		{"over another", "a2", 50_000, 20 * time.Millisecond, 0, 0},
	} {
		s, _ := newStillOn(t, g, "chess", "4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1")
		s.put("e2", "")
		s.put("e4", "P")
		before := s.atWork(time.Second)
		s.hand[s.at(c.square)] = c.hand
		s.rest(c.stays)
		if s.hovering < c.least || s.hovering > c.most {
			t.Errorf("%s: %v, want %v to %v", c.name, s.hovering, c.least, c.most)
		}
		if got := s.atWork(time.Second); math.Abs(got-before-s.hovering) > 1e-9 {
			t.Errorf("%s: at work with %v after %v without a hand", c.name, got, before)
		}
	}
}

// TestSlowLift: a cell that falls while its reed is still closed is not at fault, however long the piece is held then.
func TestSlowLift(t *testing.T) {
	for eased := int32(1000); eased <= 1500; eased += 50 {
		s, _ := newStill(t, true, "chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
		e1 := s.at("e1")
		for _, mg := range []int32{0, eased, eased, 20_000, 40_000, s.g.Mass['K']} {
			s.gram[e1] = -mg
			s.rest(10 * time.Millisecond)
			s.Explain(s.now)
		}
		s.gram[e1], s.wood[e1] = 0, ""
		for range 50 {
			s.rest(100 * time.Millisecond)
			s.Explain(s.now)
		}
		if f := s.Faults(); len(f) > 0 || s.seen.Trust[sensing.Weights][e1].Err > 0.01 {
			t.Errorf("eased by %d mg, then lifted: faults %v, wrong with %v; want none", eased, f,
				s.seen.Trust[sensing.Weights][e1].Err)
		}
	}
}

// TestOpenedIdly: without cells the reed tells the same, if it was open for longer than a knock opens it.
func TestOpenedIdly(t *testing.T) {
	for _, c := range []struct {
		open time.Duration
		want float64
	}{{600 * time.Millisecond, -3}, {400 * time.Millisecond, -1}} {
		s, p := newStill(t, false, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
		s.seen.Epoch, s.turned = s.seen.Now, wood.Set{} // setting it up was no ply
		s.wood[s.at("d5")] = ""
		s.rest(c.open)
		s.put("d5", "p")
		s.put("e4", "")
		s.put("e5", "P")
		s.rivalPlaces = s.hypothesis(p, "e4d5", "").Places
		if got := s.eventCost(s.hypothesis(p, "e4e5", "")); math.Abs(got-c.want) > 0.1 {
			t.Errorf("open for %v: e5 pays %.1f nats for its way, want %.1f", c.open, got, c.want)
		}
	}
}

// TestPauseOfLoads: the rest of a move counts from the last step of the loads on which it relies, even if they
// contradict nothing. Other loads do not matter.
func TestPauseOfLoads(t *testing.T) {
	s, p := newStill(t, true, "locking", "4k3/8/8/3[pn]4/4P3/8/8/4K3 w - - 0 1")
	s.put("e4", "")
	s.rest(time.Second)
	for _, c := range []struct {
		square string
		most   time.Duration
	}{{"e1", time.Hour}, {"d5", 30 * time.Millisecond}} {
		s.gram[s.at(c.square)] = 1100
		s.rest(20 * time.Millisecond)
		if got := s.pause(s.hypothesis(p, "e4d5", ""), time.Minute); got > c.most || c.most == time.Hour &&
			got < time.Second {
			t.Errorf("the load of %s stepped 20 ms ago: rests for %v", c.square, got)
		}
	}
}

// TestFaultStays: a cell stuck at its old load does not count as sound again just because it is no longer heard. What
// it shows is not taken for its zero.
func TestFaultStays(t *testing.T) {
	s, p := newStill(t, true, "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	e2 := s.at("e2")
	s.gram[e2] = s.g.Mass['P']
	s.put("e2", "")
	s.put("e4", "P")
	p.Play(s.hypothesis(p, "e2e4", "").Move)
	s.Expect([]Base{{Position: p, Moves: true, OpponentHere: true}})
	look := func() {
		for range 50 {
			s.rest(100 * time.Millisecond)
			s.Explain(s.now)
		}
	}
	look()
	s.seen.Trust[sensing.Weights][e2].Err = 0.5
	look()
	if f := s.Faults(); len(f) != 1 || f[0].Place != e2 || f[0].Kind != Stuck {
		t.Errorf("faults %v, want the cell of e2 stuck", f)
	}
	if z := s.seen.Cells[e2].Zero; math.Abs(z) > 100 {
		t.Errorf("the cell of e2 shows %v mg when nothing stands there", z)
	}
	s.gram[e2] = 0
	look()
	if f := s.Faults(); len(f) != 0 {
		t.Errorf("faults %v though it shows nothing again", f)
	}
}
