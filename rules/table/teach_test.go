// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"maps"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/rules/table/solving"
	"boardd/sensing/reconcile"
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
