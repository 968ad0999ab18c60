// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardd/rules/game"
)

// FuzzMerge lets another board say anything. Nothing may panic, and what is merged must be appliable.
func FuzzMerge(f *testing.F) {
	f.Add("e2e4 e7e5", "", "", "black", 0, 1, 0, "black")
	f.Add("e2e4", "1-0", "resignation", "", 1, 0, 3, "white")
	f.Fuzz(func(t *testing.T, moves, outcome, reason, offer string, takebacks, number, to int, by string) {
		g := begin(t, game.Setup{Clock: &game.Timing{Kind: game.Hourglass, Initial: 60000}})
		play(t, g, "e2e4")
		left := int64(takebacks) * 1000
		h := south(strings.Fields(moves)...)
		h.Outcome, h.Reason, h.Offer, h.Takebacks, h.BlackLeft = outcome, reason, game.Side(offer), takebacks, &left
		h.AskBy, h.AskNumber, h.AskTo, h.Declined = game.Side(by), number, to, number
		events, err := g.Merge(h, noon)
		if err != nil {
			return
		}
		apply(t, g, events)
		if got := g.Coords(); len(got) < 1 || got[0] != "e2e4" {
			t.Fatalf("our own move is gone: %v", got)
		}
	})
}

// FuzzApply applies any event to a game that goes on.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"kind":"moved","move":"e7e5","left_ms":5,"remote":true}`))
	f.Add([]byte(`{"kind":"taken-back","ply":0,"count":1}`))
	f.Add([]byte(`{"kind":"ended","outcome":"1-0","reason":"time"}`))
	f.Add([]byte(`{"kind":"asked","by":"grey","ply":-4}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var e game.Event
		if json.Unmarshal(b, &e) != nil {
			return
		}
		g := begin(t, game.Setup{Clock: &game.Timing{Kind: game.Fischer, Initial: 60000, Increment: 1}})
		play(t, g, "e2e4")
		if err := g.Apply(e); err != nil && g.Plies() != 1 {
			t.Fatalf("refused with %v, and %d plies", err, g.Plies())
		}
		g.Clocks(noon)
		g.Legal()
		_, _ = g.Decide(game.Action{Do: game.AcceptTakeback}, noon) // refused or not, it must not panic
	})
}
