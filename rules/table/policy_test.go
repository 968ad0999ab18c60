// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
)

// TestTakebackFromTheEngine: nobody can consent to a takeback against an engine, so consent is as free there. A person
// takes back by a command, by hand and as the coach offers it. If takebacks are forbidden, none of these takes
// anything back, and the coach says only what answers the move.
func TestTakebackFromTheEngine(t *testing.T) {
	for policy, free := range map[string]bool{"": true, game.TakebackFree: true, game.TakebackConsent: true,
		game.TakebackNever: false} {
		options := map[string]string{}
		if policy != "" {
			options[game.OptionTakeback] = policy
		}
		left := map[bool]string{true: "", false: "e2e4"}[free]

		r := layReeds(t, game.Setup{Black: game.Engine, Options: options})
		r.act("e2", "e4")
		r.pass(20 * time.Second) // longer than a correction takes
		r.want(policy+", before", "e2e4", table.Synced)
		r.act("e4", "e2")
		r.pass(2 * time.Second)
		if got := strings.Join(r.t.Game().Coords(), " "); got != left {
			t.Errorf("%q, by hand: the game is %q, want %q", policy, got, left)
		}

		for _, do := range []game.ActionKind{game.Takeback, game.AcceptTakeback} {
			s := spar(t, table.Options{Coach: true})
			s.thinks = func(plies int, _ bool) int { return 300 * (plies % 2) } // White has lost by three pawns
			s.do(table.Command{Action: game.Action{Do: table.NewGame}, Options: options})
			s.pass(3 * time.Second)
			s.move("e2e4")
			s.pass(3 * time.Second)
			if _, m := s.t.Coach(); m == rules.NoMove || s.told(table.Blunder) != 1 {
				t.Fatalf("%q: told of %d blunders", policy, s.told(table.Blunder))
			}
			for _, e := range s.seen {
				if e, ok := e.(table.Tell); ok && e.Event.Kind == table.Blunder &&
					strings.Contains(e.Event.Text.English, "take the move back") != free {
					t.Errorf("%q: the coach says %q", policy, e.Event.Text.English)
				}
			}
			effects, err := s.t.Command(s.now, &table.Command{Action: game.Action{Do: do}})
			s.carry(effects)
			s.pass(time.Second)
			if got := strings.Join(s.t.Game().Coords(), " "); got != left || (err == nil) != free ||
				len(s.t.Requests()) > 0 {
				t.Errorf("%q, %s: the game is %q, asked is %v, error %v; want %q", policy, do, got, s.t.Requests(), err, left)
			}
			if free {
				continue
			}
			s.do(table.Command{Action: game.Action{Do: game.DeclineTakeback}})
			if s.pass(3 * time.Second); s.t.Game().Plies() != 2 {
				t.Errorf("%q: the engine was told to go on, and has not moved", policy)
			}
		}
	}
}
