// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
)

// TestKingsStayInTheCentre: kings in the centre offer a draw, end a game or are refused once, however long they stand
// there. No sensor is at fault because they do, not even when the next game begins meanwhile.
func TestKingsStayInTheCentre(t *testing.T) {
	for _, c := range []struct {
		rival, white, black string
		outcome             string
		requests, refusals  int
		state               table.State
	}{
		{"away", "d4", "d5", "", 1, 0, table.Moving},
		{"away", "e4", "d5", "", 0, 1, table.Wrong}, // the other board would resign
		{"away", "d4", "e5", "0-1", 0, 0, ""},
		{game.Local, "d4", "d5", "1/2-1/2", 0, 0, ""},
	} {
		t.Run(c.rival+" "+c.white+c.black, func(t *testing.T) {
			r := layReeds(t, game.Setup{Black: c.rival})
			told := func() (refusals, faults int) {
				for _, e := range r.seen {
					switch e, ok := e.(table.Tell); {
					case !ok:
					case e.Event.Kind == table.Fault:
						faults++
					case strings.HasPrefix(e.Event.Text.English, "kings in the centre"):
						refusals++
					}
				}
				return refusals, faults
			}
			r.act("a2", "a3")
			r.pass(time.Second)
			r.act("e1", c.white, "e8", c.black)
			r.pass(time.Minute)
			if g, n := r.t.Game(), len(r.t.Requests()); g.Outcome() != c.outcome || n != c.requests {
				t.Errorf("outcome %q and %d requests, want %q and %d", g.Outcome(), n, c.outcome, c.requests)
			}
			if n, _ := told(); n != c.refusals {
				t.Errorf("refused %d times, want %d", n, c.refusals)
			}
			if c.outcome != "" {
				r.do(table.Rematch)
				r.pass(time.Minute)
			} else if w := r.t.Wood(); w.State != c.state {
				t.Errorf("the wood is %s, want %s", w.State, c.state)
			}
			if _, n := told(); n > 0 {
				t.Errorf("%d faults of sensors, want none", n)
			}
			if c.outcome != "" {
				return
			}
			r.act(c.white, c.white)
			r.pass(5 * time.Second)
			if w := r.t.Wood(); w.State != c.state {
				t.Errorf("after a king was lifted and put back the wood is %s, want %s", w.State, c.state)
			}
			if n, _ := told(); n != c.refusals {
				t.Errorf("refused %d times, want %d", n, c.refusals)
			}
			r.act(c.white, "e1", c.black, "e8")
			r.pass(2 * time.Second)
			if w := r.t.Wood(); w.State != table.Synced {
				t.Errorf("with the kings at home again the wood is %s", w.State)
			}
		})
	}
}
