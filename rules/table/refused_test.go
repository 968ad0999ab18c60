// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/wood"
)

// TestRefusedHint: who holds the own clock button down and gets no hint is told why, once. The own king shines for two
// seconds.
func TestRefusedHint(t *testing.T) {
	for name, c := range map[string]struct {
		begin func(s *sparring)
		side  game.Side
		king  string
		why   string
	}{
		"at the other side's turn": {func(*sparring) {}, game.Black, "e8", "hint: it is not your turn"},
		"at the engine's turn": {func(s *sparring) {
			s.move("e2e4")
			s.now = s.now.Add(500 * time.Millisecond) // its move is held back for a second
		}, game.Black, "e8", "hint: it is not the turn of a person here"},
		"after the end": {func(s *sparring) { s.do(table.Command{Action: game.Action{Do: game.Resign}}) }, game.White, "e1",
			"hint: the game has ended"},
		"in a pause": {func(s *sparring) { s.do(table.Command{Action: game.Action{Do: game.Pause}}) }, game.White, "e1",
			"hint: the game is paused"},
	} {
		s := spar(t, table.Options{})
		s.thinks = func(int, bool) int { return 0 }
		s.do(table.Command{Action: game.Action{Do: table.NewGame},
			Clock: &game.Timing{Kind: game.Fischer, Initial: 600_000}})
		s.pass(3 * time.Second)
		c.begin(s)
		s.seen = nil
		s.carry(s.t.Press(s.now, s.now, c.side, true))
		at, err := rules.ParseSquare(c.king)
		if err != nil {
			t.Fatal(err)
		}
		var king wood.Set
		king.Add(wood.Place(at))
		if s.view.Stuck != king {
			t.Errorf("%s: %v shines dark red, want %s", name, s.view.Stuck, c.king)
		}
		var told []string
		for _, e := range s.seen {
			if e, ok := e.(table.Tell); ok {
				told = append(told, e.Event.Text.English)
			}
		}
		if len(told) != 1 || told[0] != c.why {
			t.Errorf("%s: told %q, want %q", name, told, c.why)
		}
		if s.pass(3 * time.Second); s.view.Stuck != (wood.Set{}) {
			t.Errorf("%s: %v still shines", name, s.view.Stuck)
		}
	}
}
