// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// sparring is a table at which White plays against an engine that thinks what the test says.
type sparring struct {
	*disk
	test   *testing.T
	g      wood.Geometry
	thinks func(plies int, best bool) (cents int) // for the side to move
	played []int                                  // plies at which it was asked for a move of its own
	asked  []table.Think                          // what it was asked then
	holds  func(plies int) bool                   // its answer to a try is proven to refute it; nil: none is
	proofs []int                                  // the mates that it was asked for
}

func spar(t *testing.T, o table.Options) *sparring {
	t.Helper()
	s := &sparring{disk: &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}, test: t, g: wood.Reference()}
	s.g.Weights = true
	o.Board, o.Engine, o.Decode = "home", true,
		func() table.Decoder { return reconcile.New(s.g, reconcile.DefaultTiming()) }
	s.t = table.New(o)
	effects, err := s.t.Start(s.now, game.Setup{ID: s.t.NextID(s.now), Board: "home", Variant: "chess", White: game.Local,
		Black: game.Engine})
	if err != nil {
		t.Fatal(err)
	}
	s.carry(effects)
	return s
}

// pass lets time pass: the wood shows the game, and the engine answers what it is asked.
func (s *sparring) pass(d time.Duration) { s.show(d, nil) }

// show is pass with wood that shows a position, nil for the game's.
func (s *sparring) show(d time.Duration, stands *rules.Position) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(100 * time.Millisecond)
		p := s.t.Game().Position()
		if stands != nil {
			p = *stands
		}
		w := s.g.Lay(&p)
		r := sensing.Reading{At: s.now, Kind: sensing.Reeds, Deck: sensing.Lower, Known: ^rules.Bitboard(0)}
		c := sensing.Reading{At: s.now, Kind: sensing.Weights, Deck: sensing.Lower, Known: ^rules.Bitboard(0)}
		for sq := range rules.Square(64) {
			pile := w[wood.PlaceAt(sensing.Lower, sq)]
			if pile != "" {
				r.Closed |= 1 << sq
			}
			for i := range len(pile) {
				c.Value[sq] += s.g.Mass[pile[i]]
			}
		}
		s.carry(s.t.Observe(&c))
		s.carry(s.t.Sense(s.now, &r))
		s.carry(s.t.Tick(s.now))
		s.answer()
	}
}

func (s *sparring) answer() {
	seen := s.seen
	s.seen = slices.DeleteFunc(slices.Clone(seen), func(e table.Effect) bool { _, ok := e.(table.Think); return ok })
	for _, e := range seen {
		q, ok := e.(table.Think)
		if !ok || len(q.Moves) != s.t.Game().Plies() {
			continue
		}
		if q.Best == 0 {
			s.played, s.asked = append(s.played, len(q.Moves)), append(s.asked, q)
		} else if q.Level != 0 || q.Think != 0 {
			s.test.Errorf("the engine is to help as well as it can, and is asked at level %d for %v", q.Level, q.Think)
		}
		p := s.t.Game().Position()
		m := p.AppendMoves(nil)[0]
		for _, knight := range []string{"b8c6", "c6b8"} { // to and fro
			if n, err := p.ParseMove(knight); err == nil {
				m = n
				break
			}
		}
		o := table.EngineAnswer{Move: m, Known: true, Cents: s.thinks(len(q.Moves), q.Best > 0)}
		if _, problem := s.t.Problem(); problem {
			s.proofs = append(s.proofs, q.Mate)
			o.Holds = s.holds != nil && s.holds(len(q.Moves))
		}
		s.carry(s.t.Thought(s.now, q.Number, o, nil))
	}
}

func (s *sparring) do(c table.Command) {
	s.test.Helper()
	effects, err := s.t.Command(s.now, &c)
	s.carry(effects)
	if err != nil {
		s.test.Fatalf("%s: %v", c.Do, err)
	}
}

func (s *sparring) move(m string) {
	s.test.Helper()
	s.do(table.Command{Action: game.Action{Do: game.Move, Move: m}})
}

func (s *sparring) told(kind table.Kind) (n int) {
	for _, e := range s.seen {
		if e, ok := e.(table.Tell); ok && e.Event.Kind == kind {
			n++
		}
	}
	return n
}

// TestBlunder: after a move that loses two pawns people are told its answer, and the engine waits. If the move is
// taken back, the engine is not asked. Otherwise it plays in the end, or at once when it is told to. A good move is
// answered as ever, and who does not want to be told is not.
func TestBlunder(t *testing.T) {
	bad := func(plies int, best bool) int { // White is even, and after its move lost by three pawns
		if plies%2 == 1 {
			return 300
		}
		return 0
	}
	s := spar(t, table.Options{Coach: true})
	s.thinks = bad
	s.pass(3 * time.Second)
	s.move("e2e4")
	s.pass(3 * time.Second)
	if _, m := s.t.Coach(); s.told(table.Blunder) != 1 || m == rules.NoMove || len(s.played) != 0 {
		t.Fatalf("told %d times, %v is shown, the engine was asked to play at %v", s.told(table.Blunder), m, s.played)
	}
	s.do(table.Command{Action: game.Action{Do: game.AcceptTakeback}})
	s.pass(3 * time.Second)
	if n := s.t.Game().Plies(); n != 0 {
		t.Fatalf("%d moves after the takeback", n)
	}
	s.move("d2d4")
	s.pass(3 * time.Second)
	s.do(table.Command{Action: game.Action{Do: game.DeclineTakeback}})
	s.pass(3 * time.Second)
	if s.t.Game().Plies() != 2 {
		t.Errorf("the engine was told to go on, and has not moved: %d plies", s.t.Game().Plies())
	}
	s.move("g1f3")
	s.pass(10 * time.Second)
	if s.t.Game().Plies() != 3 {
		t.Errorf("the engine has not waited: %d plies", s.t.Game().Plies())
	}
	s.pass(10 * time.Second)
	if s.t.Game().Plies() != 4 || s.told(table.Blunder) != 3 {
		t.Errorf("%d plies after the wait, told %d times", s.t.Game().Plies(), s.told(table.Blunder))
	}
	s.thinks = func(int, bool) int { return 0 }
	s.move("b1c3")
	s.pass(4 * time.Second)
	if s.t.Game().Plies() != 6 || s.told(table.Blunder) != 3 {
		t.Errorf("a good move: %d plies, told %d times", s.t.Game().Plies(), s.told(table.Blunder))
	}
	alone := spar(t, table.Options{})
	alone.thinks = bad
	alone.pass(3 * time.Second)
	alone.move("e2e4")
	alone.pass(4 * time.Second)
	if alone.t.Game().Plies() != 2 || alone.told(table.Blunder) != 0 {
		t.Errorf("left alone: %d plies, told %d times", alone.t.Game().Plies(), alone.told(table.Blunder))
	}
}

// TestEngineLevel: the engine is asked at the level and for the time that the game says. A rematch has the same, and a
// game that says nothing has the board's. Whether people are told of blunders depends on the level of the game.
func TestEngineLevel(t *testing.T) {
	s := spar(t, table.Options{Coach: true, Level: 2})
	s.thinks = func(plies int, best bool) int { return 300 * (plies % 2) } // White has lost by three pawns
	play := func(do table.Command, blunders, level int, think time.Duration) {
		t.Helper()
		s.seen, s.asked = nil, nil
		s.do(do)
		s.pass(3 * time.Second)
		if s.t.Game().Turn() == game.White {
			s.move("a2a3")
		}
		s.pass(30 * time.Second)
		if n := s.told(table.Blunder); n != blunders {
			t.Errorf("%v: told of %d blunders, want %d", do.Options, n, blunders)
		}
		if len(s.asked) == 0 {
			t.Fatalf("%v: the engine is not asked", do.Options)
		}
		for _, q := range s.asked {
			if q.Level != level || q.Think != think {
				t.Errorf("%v: asked at level %d for %v, want %d and %v", do.Options, q.Level, q.Think, level, think)
			}
		}
	}
	begin := func(options map[string]string) table.Command {
		return table.Command{Action: game.Action{Do: table.NewGame}, Options: options}
	}
	play(begin(map[string]string{game.OptionLevel: "7", game.OptionSeconds: "9"}), 0, 7, 9*time.Second)
	play(table.Command{Action: game.Action{Do: table.Rematch}}, 0, 7, 9*time.Second)
	play(table.Command{Action: game.Action{Do: table.Rematch}}, 0, 7, 9*time.Second)
	play(begin(map[string]string{}), 1, 0, 0)
	play(begin(map[string]string{game.OptionLevel: "4"}), 1, 4, 0)
}

// TestBlunderCostsNoTime: while the engine waits for a blunder to be taken back, its clock rests. Then the clock
// of the side to move runs.
func TestBlunderCostsNoTime(t *testing.T) {
	for _, c := range []struct {
		name string
		do   game.ActionKind // "" to wait
		side game.Side
	}{{"told to go on", game.DeclineTakeback, game.Black}, {"waited", "", game.Black},
		{"taken back", game.AcceptTakeback, game.White}} {
		s := spar(t, table.Options{Coach: true})
		s.thinks = func(plies int, best bool) int { return 300 * (plies % 2) } // White has lost by three pawns
		s.do(table.Command{Action: game.Action{Do: table.NewGame},
			Clock: &game.Timing{Kind: game.Fischer, Initial: 60_000}})
		s.pass(3 * time.Second)
		s.move("e2e4")
		s.pass(2 * time.Second)
		before, _ := s.t.Game().Clocks(s.now)
		s.pass(10 * time.Second)
		after, _ := s.t.Game().Clocks(s.now)
		if _, m := s.t.Coach(); m == rules.NoMove || before.Black != after.Black {
			t.Fatalf("%s: %v is shown, Black's clock went from %v to %v", c.name, m, before.Black, after.Black)
		}
		if c.do != "" {
			s.do(table.Command{Action: game.Action{Do: c.do}})
		}
		s.thinks = func(int, bool) int { return 0 }
		for range 80 {
			if s.carry(s.t.Tick(s.now)); s.t.Game().WhyPaused() != table.Advising {
				break
			}
			s.now = s.now.Add(100 * time.Millisecond)
		}
		if clocks, _ := s.t.Game().Clocks(s.now); clocks.Running != c.side {
			t.Errorf("%s: the clock of %q runs, want %q", c.name, clocks.Running, c.side)
		}
	}
}

// TestProblemCountsOnce: a problem that was given up, taken back and given up again was shown once.
func TestProblemCountsOnce(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.do(table.Command{Action: game.Action{Do: table.NewGame}, Options: map[string]string{table.OptionProblem: "1"}})
	s.pass(time.Second)
	s.move(s.t.Game().Legal()[0])
	s.pass(time.Second)
	for _, action := range []game.ActionKind{game.Resign, game.Takeback, game.Resign} {
		s.do(table.Command{Action: game.Action{Do: action}})
		s.pass(time.Second)
	}
	if x, ok := s.t.Problem(); !ok || x.State != table.GivenUp || x.Shown != 1 || x.Solved != 0 {
		t.Errorf("the problem stands as %+v, want it given up and shown once", x)
	}
}

// TestKeyIsNotToldDuringSetup: the two minutes to the key begin when the position stands on the board.
func TestKeyIsNotToldDuringSetup(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.do(table.Command{Action: game.Action{Do: table.NewGame}, Options: map[string]string{table.OptionProblem: "1"}})
	told := func() bool {
		x, ok := s.t.Problem()
		if !ok {
			t.Fatal("no problem is set")
		}
		return x.Key != rules.NoMove
	}
	for range 300 { // nobody sets it up
		s.now = s.now.Add(time.Second)
		s.carry(s.t.Tick(s.now))
	}
	if told() {
		t.Fatal("the key is told before the position stands")
	}
	if s.pass(110 * time.Second); told() {
		t.Error("the key is told before the position has stood for two minutes")
	}
	if s.pass(20 * time.Second); !told() {
		t.Error("the key is not told after two minutes")
	}
}

// TestEngineResigns: an engine that may gives up when it has thought three times that it is lost; another one plays
// on.
func TestEngineResigns(t *testing.T) {
	for _, resigns := range []bool{true, false} {
		s := spar(t, table.Options{Resigns: resigns})
		s.thinks = func(plies int, _ bool) int { return -1200 }
		s.pass(3 * time.Second)
		for i, m := range []string{"e2e4", "d2d4", "g1f3", "b1c3"} {
			if s.pass(4 * time.Second); s.t.Game().Over() {
				break
			}
			if s.t.Game().Plies() != 2*i {
				t.Fatalf("%d plies, want %d", s.t.Game().Plies(), 2*i)
			}
			s.move(m)
		}
		s.pass(4 * time.Second)
		if got, n := s.t.Game().Outcome(), s.t.Game().Plies(); resigns && (got != "1-0" || n != 5) || !resigns &&
			(got != "" || n != 8) {
			t.Errorf("resigns %v: %q after %d plies", resigns, got, n)
		}
	}
}

// TestEngineDraws: an offered draw is taken by an engine that may when it is not better, and late enough; else it is
// declined. The person cannot accept in the engine's place, nor make it resign.
func TestEngineDraws(t *testing.T) {
	pawns := []string{"a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3", "a3a4", "b3b4", "c3c4", "e3e4",
		"f3f4", "g3g4", "h3h4"}
	for _, c := range []struct {
		draws bool
		cents int
		plies int
		taken bool
	}{{true, -30, 30, true}, {true, 80, 30, false}, {false, -30, 30, false}, {true, -30, 2, false}} {
		s := spar(t, table.Options{Draws: c.draws})
		s.thinks = func(int, bool) int { return c.cents }
		s.pass(3 * time.Second)
		for s.t.Game().Plies() < c.plies {
			s.move(pawns[s.t.Game().Plies()/2])
			s.pass(4 * time.Second)
		}
		s.do(table.Command{Action: game.Action{Do: game.OfferDraw}})
		if open := s.t.Game().Offer() != game.Nobody; open != (c.draws && c.plies == 30) {
			t.Errorf("%+v: right after the offer, is it still open: %v", c, open)
		}
		for _, do := range []game.ActionKind{game.AcceptDraw, game.Resign} {
			if _, err := s.t.Command(s.now, &table.Command{Action: game.Action{Do: do, By: game.Black}}); err == nil {
				t.Errorf("the person says %s for the engine", do)
			}
		}
		if _, err := s.t.Command(s.now, &table.Command{Action: game.Action{Do: game.AcceptDraw}}); err == nil {
			t.Error("the person accepts the own offer")
		}
		p := s.t.Game().Position()
		s.move(p.Coord(p.AppendMoves(nil)[0]))
		s.pass(4 * time.Second)
		if got := s.t.Game().Outcome() == game.Draw; got != c.taken || !got && s.t.Game().Offer() != game.Nobody {
			t.Errorf("%+v: taken %v, the offer of %q stands", c, got, s.t.Game().Offer())
		}
	}
}

// TestEngineClaims: an engine that may take draws claims one by repetition, when it does not stand better. Another one
// plays on, until the fifth repetition ends the game.
func TestEngineClaims(t *testing.T) {
	for _, c := range []struct {
		draws  bool
		cents  int
		reason rules.Result
		plies  int
	}{{true, 0, rules.ThreefoldRepetition, 9}, {true, -80, rules.ThreefoldRepetition, 9},
		{true, 30, rules.FivefoldRepetition, 16}, {false, 0, rules.FivefoldRepetition, 16}} {
		s := spar(t, table.Options{Draws: c.draws})
		s.thinks = func(int, bool) int { return c.cents }
		s.pass(3 * time.Second)
		for i := 0; i < 12 && !s.t.Game().Over(); i++ {
			s.move([]string{"g1f3", "f3g1"}[i%2])
			s.pass(4 * time.Second)
		}
		if got, n := s.t.Game().Reason(), s.t.Game().Plies(); got != c.reason || n != c.plies {
			t.Errorf("%+v: ended by %q after %d plies", c, got, n)
		}
	}
}

// TestHeldButton: the side to move that holds its own clock button down gets a hint, by event and by light; the other
// one does not.
func TestHeldButton(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.pass(3 * time.Second)
	for _, c := range []struct {
		side game.Side
		want int
	}{{game.Black, 0}, {game.White, 1}} {
		s.carry(s.t.Press(s.now, s.now, c.side, true))
		s.pass(time.Second)
		if got := s.told(table.Hinted); got != c.want {
			t.Errorf("%s holds the button: %d hints, want %d", c.side, got, c.want)
		}
		s.pass(3 * time.Second)
		var words []string
		for _, e := range s.seen {
			if e, ok := e.(table.Tell); ok && e.Event.Kind == table.Hinted {
				words = append(words, e.Event.Text.English)
			}
		}
		if c.want == 1 && (len(words) != 2 || !strings.HasPrefix(words[0], "hint: look at ") ||
			strings.Contains(words[1], "look")) || c.want == 0 && len(words) > 0 {
			t.Errorf("%s reads %q, want first which piece, and then the move, once", c.side, words)
		}
		s.seen = nil
	}
}

// TestPonder: an engine that may thinks on after its move, while the person does. It is told to rest when the game is
// over, another one begins, or moves are taken back; one that may not, never.
func TestPonder(t *testing.T) {
	for _, c := range []struct {
		name string
		may  bool
		do   table.Command
		want int // rests
	}{
		{"the person moves", true, table.Command{Action: game.Action{Do: game.Move, Move: "d2d4"}}, 0},
		{"the game is over", true, table.Command{Action: game.Action{Do: game.Resign, By: game.White}}, 1},
		{"another game begins", true, table.Command{Action: game.Action{Do: table.NewGame}}, 1},
		{"it is taken back", true, table.Command{Action: game.Action{Do: game.Takeback, By: game.White}}, 1},
		{"it may not", false, table.Command{Action: game.Action{Do: game.Resign, By: game.White}}, 0},
	} {
		s := spar(t, table.Options{Ponder: c.may})
		s.thinks = func(int, bool) int { return 0 }
		s.pass(3 * time.Second)
		s.move("e2e4")
		s.pass(4 * time.Second)
		if n := s.t.Game().Plies(); n != 2 {
			t.Fatalf("%s: %d plies, want the engine's move", c.name, n)
		}
		s.seen = nil
		s.do(c.do)
		s.pass(4 * time.Second)
		got := 0
		for _, e := range s.seen {
			if _, ok := e.(table.StopThinking); ok {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: told %d times to rest, want %d", c.name, got, c.want)
		}
	}
}
