// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/wood"
)

// TestConsentByNod: with `takeback: consent` at one board, the king of the side that is asked shines. Lifted and put
// back it says yes, whether the takeback was asked for with the pieces or on the page. Moving on declines.
func TestConsentByNod(t *testing.T) {
	begin := func(moves ...string) *reeds {
		r := layReeds(t, game.Setup{Options: map[string]string{game.OptionTakeback: game.TakebackConsent}})
		for _, m := range moves {
			r.act(m[:2], m[2:])
			r.pass(2 * time.Second)
		}
		r.want("before", strings.Join(moves, " "), table.Synced)
		return r
	}
	lit := func(r *reeds, what string, want ...string) {
		t.Helper()
		var set wood.Set
		for _, s := range want {
			at, err := rules.ParseSquare(s)
			if err != nil {
				t.Fatal(err)
			}
			set.Add(wood.Place(at))
		}
		if r.view.Choice != set {
			t.Errorf("%s: %v shine white, want %v", what, r.view.Choice, set)
		}
	}

	for _, c := range []struct {
		moves string
		back  string // the squares touched to put the pieces back; "": it is asked for on the page
		king  string // of the side that is asked
		other string // king
		left  string
	}{
		{"e2e4", "e4 e2", "e8", "e1", ""},
		{"e2e4 e7e5", "e5 e7", "e1", "e8", "e2e4"},
		{"e2e4 e7e5 e1e2", "e2 e1", "e8", "e1", "e2e4 e7e5"},
		{"e2e4", "", "e8", "e1", ""},
	} {
		r := begin(strings.Fields(c.moves)...)
		if c.back == "" {
			r.do(game.Takeback)
		}
		both := strings.Fields(c.back)
		for i := 0; i < len(both); i += 2 {
			r.act(both[i], both[i+1])
		}
		r.pass(2 * time.Second)
		if list := r.t.Requests(); len(list) != 1 {
			t.Fatalf("%s: %+v is asked", c.moves, list)
		}
		told := 0
		for _, e := range r.seen {
			if e, ok := e.(table.Tell); ok && strings.Contains(e.Event.Text.English, "say yes by lifting your king") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: how to answer is told %d times, want once", c.moves, told)
		}
		lit(r, c.moves+", asked", c.king)
		r.act(c.other, c.other)
		r.pass(2 * time.Second)
		if len(r.t.Requests()) != 1 {
			t.Errorf("%s: the other king has answered", c.moves)
		}
		r.act(c.king)
		lit(r, c.moves+", the king in the hand", c.king)
		r.act(c.king)
		r.pass(2 * time.Second)
		state := table.Synced
		if c.back == "" {
			state = table.Executing
		}
		r.want(c.moves+" and a nod", c.left, state)
		lit(r, c.moves+", agreed")
	}

	r := begin("e2e4")
	r.do(game.Takeback)
	r.act("e7", "e5")
	r.pass(2 * time.Second)
	r.want("moved on", "e2e4 e7e5", table.Synced)
	if list := r.t.Requests(); len(list) > 0 {
		t.Errorf("%+v is asked after a move", list)
	}
	lit(r, "moved on")

	r = begin("e2e4")
	r.act("e4", "e2")
	r.pass(2 * time.Second)
	r.act("e2", "e4", "e7", "e5")
	r.pass(2 * time.Second)
	r.want("put back, put on again and moved on", "e2e4 e7e5", table.Synced)
	if list := r.t.Requests(); len(list) > 0 {
		t.Errorf("%+v is asked after a move", list)
	}
}
