// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/search/problems"
	"boardd/rules/table"
	"boardd/rules/table/solving"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestGameAfterProblems: the game after problems has the seats and the options of the one before them, however it
// begins. A position or an array that is set up has the clock as well. A restart meanwhile changes nothing.
func TestGameAfterProblems(t *testing.T) {
	options := map[string]string{game.OptionTakeback: game.TakebackNever, game.OptionLevel: "7",
		game.OptionDraws: game.DrawsAutomatic}
	clock := &game.Timing{Kind: game.Fischer, Initial: 600_000}
	const position = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"
	for name, c := range map[string]struct {
		begin func(s *sparring)
		timed bool
	}{
		"a new game": {func(s *sparring) { s.do(table.Command{Action: game.Action{Do: table.NewGame}}) }, false},
		"a position": {func(s *sparring) {
			s.do(table.Command{Action: game.Action{Do: table.SetUp}, Start: position})
		}, true},
		"the array is set up after the end": {func(s *sparring) {
			s.do(table.Command{Action: game.Action{Do: game.Resign}})
			s.pass(time.Second)
			array := s.t.Game().Variant().Start()
			s.show(3*time.Second, &array)
		}, true},
	} {
		for _, restart := range []bool{false, true} {
			s := spar(t, table.Options{})
			s.thinks = func(int, bool) int { return 0 }
			s.do(table.Command{Action: game.Action{Do: table.NewGame}, Options: options, Clock: clock, Seated: true,
				White: game.Engine, Black: game.Local})
			s.pass(time.Second)
			for range 2 { // one problem after another
				s.do(table.Command{Action: game.Action{Do: table.NewGame},
					Options: map[string]string{table.OptionProblem: "next"}})
				s.pass(time.Second)
			}
			if restart {
				s.restart()
			}
			c.begin(s)
			got := s.t.Game().Setup()
			if _, shown := s.t.Problem(); shown || !maps.Equal(got.Options, options) || got.White != game.Engine ||
				got.Black != game.Local || (got.Clock != nil) != c.timed {
				t.Errorf("%s, after a restart %v: a game of %s and %s with options %v and clock %v, a problem is shown: %v", name,
					restart, got.White, got.Black, got.Options, got.Clock, shown)
			}
		}
	}
}

// restart goes on with the game and the progress that the journal has, as after a power cut.
func (s *sparring) restart() {
	s.test.Helper()
	var solved *solving.Progress
	for _, r := range s.kept {
		if r.Solving != nil {
			solved = r.Solving
		}
	}
	g := s.t.Game()
	s.t = table.New(table.Options{Board: "home", Engine: true,
		Decode: func() table.Decoder { return reconcile.New(s.g, reconcile.DefaultTiming()) }})
	effects, err := s.t.Resume(s.now, g, nil, solved, nil)
	if err != nil {
		s.test.Fatal(err)
	}
	s.carry(effects)
	s.pass(time.Second)
}

// TestTryThatEndsTheGame: a try that ends the game without being the mate is a wrong try, whichever rule ends it. It
// counts once, also over a restart, the person is told why, the way back is lit, and the problem goes on. Only who
// gives up is shown the key.
func TestTryThatEndsTheGame(t *testing.T) {
	found := map[rules.Result]bool{}
	for _, v := range rules.Variants() {
		list, err := problems.Of(v)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for n, pr := range list {
			p, err := v.ParseFEN(pr.FEN)
			if err != nil {
				t.Fatal(err)
			}
			try := rules.NoMove
			for _, m := range p.AppendMoves(nil) {
				q := p
				if q.Play(m); q.Result() != rules.Playing && (try == rules.NoMove || !found[q.Result()]) {
					try = m
				}
			}
			if try == rules.NoMove || tried == 3 {
				continue
			}
			tried++
			q := p
			q.Play(try)
			found[q.Result()] = true
			endedTry(t, v, n+1, p.Coord(try), q.Result())
		}
		if tried == 0 {
			t.Errorf("%s: no problem has a first move that ends the game: the test tells nothing", v.ID())
		}
	}
}

func endedTry(t *testing.T, v *rules.Variant, number int, try string, why rules.Result) {
	t.Helper()
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.do(table.Command{Action: game.Action{Do: table.NewGame}, Variant: v.ID(),
		Options: map[string]string{table.OptionProblem: strconv.Itoa(number)}})
	s.pass(time.Second)
	s.move(try)
	s.pass(time.Minute) // longer than a problem that is over stands
	wrong := func(when string) {
		t.Helper()
		x, _ := s.t.Problem()
		if x.State != table.Refuted || x.Tries != 1 || x.Shown != 0 || x.Key != rules.NoMove || x.Number != number ||
			x.Refutation != rules.NoMove {
			t.Fatalf("%s, problem %d, %s, %s: it stands as %+v, want one wrong try", v.ID(), number, try, when, x)
		}
		if none := (wood.Set{}); s.view.From == none || s.view.To == none {
			t.Errorf("%s, problem %d, %s, %s: no way back is lit", v.ID(), number, try, when)
		}
	}
	wrong("made")
	told := ""
	for _, e := range s.seen {
		if e, ok := e.(table.Tell); ok && e.Event.Kind == table.WrongTry {
			told += e.Event.Text.English
		}
	}
	if want := string(why) + ": take the move back and try another one"; told != want {
		t.Errorf("%s, problem %d, %s: told %q, want %q once", v.ID(), number, try, told, want)
	}
	s.restart()
	s.pass(3 * time.Second)
	wrong("after a restart")
	s.do(table.Command{Action: game.Action{Do: game.Takeback}})
	s.pass(time.Second)
	if x, _ := s.t.Problem(); x.State != table.ToFind || x.Tries != 1 || s.t.Game().Plies() != 0 {
		t.Errorf("%s, problem %d, %s: taken back it stands as %+v", v.ID(), number, try, x)
	}
	s.do(table.Command{Action: game.Action{Do: game.Resign}})
	s.pass(time.Second)
	if x, _ := s.t.Problem(); x.State != table.GivenUp || x.Shown != 1 || x.Key == rules.NoMove {
		t.Errorf("%s, problem %d: given up it stands as %+v", v.ID(), number, x)
	}
}

// TestProvenTries: the first move is right only if it is the key. Later ones are right unless they are proven wrong.
// What is lit against a wrong one is proven to refute it. If nothing is proven in time, a wrong first move is lit
// back, and a later move is answered. The last move is right only if it mates. How many moves are left is asked.
func TestProvenTries(t *testing.T) {
	v := rules.Variants()[0]
	list, err := problems.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	number := slices.IndexFunc(list, func(pr problems.Problem) bool { return pr.In == 3 }) + 1
	key := list[number-1].Key
	wrong := func(p *rules.Position) string {
		for _, m := range p.AppendMoves(nil) {
			if q := *p; p.Coord(m) != key {
				if q.Play(m); q.Result() == rules.Playing {
					return p.Coord(m)
				}
			}
		}
		return ""
	}
	for _, c := range []struct {
		name  string
		tries string // k the key, w another move that ends nothing
		holds []bool // by try: it is proven that the answer refutes it
		state table.ProblemState
		lit   bool
		asked []int // how many moves are left
	}{
		{"the key", "k", []bool{false}, table.ToFind, false, []int{2}},
		{"a wrong first move", "w", []bool{true}, table.Refuted, true, []int{2}},
		{"one that nothing is proven of", "w", []bool{false}, table.Refuted, false, []int{2}},
		{"a right second move, or one that nothing is proven of", "kw", []bool{false, false}, table.ToFind, false,
			[]int{2, 1}},
		{"a wrong second move", "kw", []bool{false, true}, table.Refuted, true, []int{2, 1}},
		{"a last move that does not mate", "kww", []bool{false, false, false}, table.Refuted, true, []int{2, 1, 0}},
	} {
		s := spar(t, table.Options{})
		s.thinks = func(int, bool) int { return 0 }
		s.holds = func(plies int) bool { return c.holds[plies/2] }
		s.do(table.Command{Action: game.Action{Do: table.NewGame},
			Options: map[string]string{table.OptionProblem: strconv.Itoa(number)}})
		s.pass(time.Second)
		for _, try := range c.tries {
			p := s.t.Game().Position()
			move := key
			if try == 'w' {
				move = wrong(&p)
			}
			s.move(move)
			s.pass(3 * time.Second)
		}
		x, _ := s.t.Problem()
		if x.State != c.state || (x.Refutation != rules.NoMove) != c.lit || !slices.Equal(s.proofs, c.asked) {
			t.Errorf("%s: it stands as %s, lit is %v, asked for mates in %v; want %s, a move is lit: %v, asked %v", c.name,
				x.State, x.Refutation, s.proofs, c.state, c.lit, c.asked)
		}
		if want := 2*len(c.tries) - map[bool]int{true: 1}[c.state == table.Refuted]; s.t.Game().Plies() != want {
			t.Errorf("%s: %d plies, want %d", c.name, s.t.Game().Plies(), want)
		}
	}
}

// TestChooseProblems: a command chooses a problem by its number, or which ones come. Those that follow are of the same
// kind. A skipped problem is no try and no solution. A command that is refused changes nothing.
func TestChooseProblems(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	last := 0
	for _, c := range []struct{ word, only string }{{"next", "0 2"}, {"mate-in-3", "3 3"}, {"next", "3 3"}, {"12", "3 2"},
		{"next", "3 3"}, {"mate-in-2", "2 2"}, {"any", "0 2"}} {
		command := table.Command{Action: game.Action{Do: table.NewGame}}
		for _, bad := range []string{"mate-in-9", "0", "301"} {
			command.Options = map[string]string{table.OptionProblem: bad}
			if _, err := s.t.Command(s.now, &command); err == nil {
				t.Errorf("%q is taken", bad)
			}
		}
		command.Options = map[string]string{table.OptionProblem: c.word}
		s.do(command)
		s.pass(time.Second)
		x, _ := s.t.Problem()
		if got := strconv.Itoa(x.Only) + " " + strconv.Itoa(x.In); got != c.only || x.Number == last || x.Shown != 0 ||
			c.word == "12" && x.Number != 12 {
			t.Errorf("after %s: problem %d of mates in %s, %d shown; want %s", c.word, x.Number, got, x.Shown, c.only)
		}
		last = x.Number
	}
}

// TestKeyReachesTheWall: when a problem has stood for two minutes, the game is published again, and then with the key.
// So spectators see it although nothing moves.
func TestKeyReachesTheWall(t *testing.T) {
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.do(table.Command{Action: game.Action{Do: table.NewGame}, Options: map[string]string{table.OptionProblem: "1"}})
	s.pass(time.Second)
	published := func(d time.Duration) (told []bool) {
		t.Helper()
		for end := s.now.Add(d); s.now.Before(end); {
			s.seen = nil
			s.pass(100 * time.Millisecond)
			for _, e := range s.seen {
				if _, ok := e.(table.Publish); ok {
					x, _ := s.t.Problem()
					told = append(told, x.Key != rules.NoMove)
				}
			}
		}
		return told
	}
	if told := published(100 * time.Second); slices.Contains(told, true) {
		t.Errorf("before two minutes it is published with the key: %v", told)
	}
	if told := published(30 * time.Second); !slices.Contains(told, true) || slices.Contains(told[1:], false) {
		t.Errorf("after two minutes it is published with the key: %v", told)
	}
}
