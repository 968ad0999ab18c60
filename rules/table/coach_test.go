// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/search"
	"boardd/rules/search/nets"
	"boardd/rules/table"
)

// TestCoachWithEngine: our own engine, which looks at 10,000 positions, lets sound moves pass. It tells of a knight
// that is left to be taken.
func TestCoachWithEngine(t *testing.T) {
	s := spar(t, table.Options{Coach: true, Level: 2})
	engine := search.New(nets.Of(s.t.Game().Variant()), 1<<20)
	s.thinks = func(int, bool) int {
		info := engine.Run(s.t.Game().Position(), nil, search.Limits{Nodes: 10000, ClearTable: true}, nil)
		return info.Lines[0].Score
	}
	s.pass(3 * time.Second)
	for _, m := range []string{"e2e4", "g1f3", "f1c4"} {
		s.move(m)
		if s.pass(5 * time.Second); s.told(table.Blunder) != 0 {
			t.Fatalf("%s is called a blunder", m)
		}
	}
	if last := s.t.Game().Coords()[s.t.Game().Plies()-1]; last != "b8c6" {
		t.Fatalf("the engine has played %s, want its knight on c6", last)
	}
	s.move("f3d4") // where it is taken
	if s.pass(5 * time.Second); s.told(table.Blunder) != 1 {
		t.Errorf("a lost knight is told %d times, want once", s.told(table.Blunder))
	}
	s.do(table.Command{Action: game.Action{Do: game.AcceptTakeback}})
	s.pass(3 * time.Second)
	s.move("d2d4")
	if s.pass(5 * time.Second); s.told(table.Blunder) != 1 {
		t.Errorf("a sound move in its place is told as well")
	}
}
