// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
)

// TestVouches: what a board asks and answers counts as it has signed it, for that position of that game, by the key of
// its moves. A board that signs nothing, and of which no key is known, is taken at its word.
func TestVouches(t *testing.T) {
	north, _ := board(t, "north")
	impostor, _ := board(t, "north")
	south, _ := board(t, "south")
	asks := func(by *Keys) (m table.Message) {
		h, seals := says(t, "north", by)
		h.Offer, h.AskBy, h.AskNumber, h.AskTo, h.Declined, h.NoDraw = game.White, game.White, 3, 0, 2, game.Black
		h.Pauses = 4
		m = table.Message{Game: *h, Seals: seals, Answered: table.Reply{Number: 5}}
		m.Request = &table.Request{What: table.NewGame, By: game.White, Number: 6, Setup: game.Setup{ID: "new",
			Variant: "chess", White: "north", Black: "south", Options: map[string]string{"takeback": "never"},
			Clock: &game.Timing{Kind: game.Fischer, Initial: 60000}}}
		if by != nil {
			m.Said = by.SignSaid(&m)
		}
		return m
	}
	vouched := func(m table.Message) bool {
		t.Helper()
		h := m.Game
		good, err := south.Verify(&h, m.Seals)
		if err != nil {
			t.Fatal(err)
		}
		return south.Vouches(&m, good)
	}
	if !vouched(asks(nil)) {
		t.Error("a board that signs nothing is not heard")
	}
	if !vouched(asks(north)) {
		t.Error("what north has signed is not heard")
	}
	for name, change := range map[string]func(m *table.Message){
		"no signature":      func(m *table.Message) { m.Said = "" },
		"rubbish":           func(m *table.Message) { m.Said = "!" },
		"another key":       func(m *table.Message) { m.Said = impostor.SignSaid(m) },
		"offer":             func(m *table.Message) { m.Game.Offer = game.Nobody },
		"who asks":          func(m *table.Message) { m.Game.AskBy = game.Black },
		"number":            func(m *table.Message) { m.Game.AskNumber++ },
		"to":                func(m *table.Message) { m.Game.AskTo++ },
		"declined":          func(m *table.Message) { m.Game.Declined++ },
		"draw declined":     func(m *table.Message) { m.Game.NoDraw = game.Nobody },
		"paused":            func(m *table.Message) { m.Game.Paused = true },
		"pauses":            func(m *table.Message) { m.Game.Pauses++ },
		"clock runs":        func(m *table.Message) { m.Game.Running = true },
		"why":               func(m *table.Message) { m.Game.PauseReason = "desync" },
		"answer":            func(m *table.Message) { m.Answered.Accepted = true },
		"which answer":      func(m *table.Message) { m.Answered.Number++ },
		"the game's time":   func(m *table.Message) { m.Game.Timing = &game.Timing{Kind: game.Fischer, Initial: 1} },
		"its options":       func(m *table.Message) { m.Game.Options = map[string]string{"outage": "run"} },
		"no request":        func(m *table.Message) { m.Request = nil },
		"which request":     func(m *table.Message) { m.Request.Number++ },
		"what is requested": func(m *table.Message) { m.Request.What = game.Abort },
		"by whom":           func(m *table.Message) { m.Request.By = game.Black },
		"clocks":            func(m *table.Message) { m.Request.Left[1] = time.Minute },
		"new game":          func(m *table.Message) { m.Request.Setup.ID = "other" },
		"rule set":          func(m *table.Message) { m.Request.Setup.Variant = "pillar" },
		"sides": func(m *table.Message) {
			m.Request.Setup.White, m.Request.Setup.Black = m.Request.Setup.Black, m.Request.Setup.White
		},
		"first position": func(m *table.Message) { m.Request.Setup.Start = "8/8/8/8/8/8/8/K1k5 w - - 0 1" },
		"option":         func(m *table.Message) { m.Request.Setup.Options["takeback"] = "free" },
		"more options":   func(m *table.Message) { m.Request.Setup.Options["draws"] = "automatic" },
		"time":           func(m *table.Message) { m.Request.Setup.Clock.Initial = 1 },
		"no time":        func(m *table.Message) { m.Request.Setup.Clock = nil },
	} {
		m := asks(north)
		if change(&m); vouched(m) {
			t.Errorf("%s: what north has not signed is heard", name)
		}
	}
	of := asks(north)
	good, err := south.Verify(&of.Game, of.Seals)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(h *game.RemoteGame){
		"another game":  func(h *game.RemoteGame) { h.ID = "g2" },
		"another move":  func(h *game.RemoteGame) { h.Moves = append(h.Moves, "e7e5") },
		"a takeback":    func(h *game.RemoteGame) { h.Takebacks++ },
		"another board": func(h *game.RemoteGame) { h.Board = "west" },
	} {
		m := of
		if change(&m.Game); south.Vouches(&m, good) {
			t.Errorf("%s: what north has signed elsewhere is heard", name)
		}
	}
	south.TrustFirst("north", good)
	seatless := asks(nil)
	seatless.Game.White, seatless.Game.Black = game.Engine, game.Engine // so that its moves need no signature
	if vouched(seatless) {
		t.Error("north's key is known, and what it has not signed is heard")
	}
	if m := asks(north); !vouched(m) || south.Key() == nil {
		t.Error("north's key is known, and what it has signed is not heard")
	}
	alone := asks(north)
	if alone.Game.Black = game.Engine; north.SignSaid(&alone) != "" {
		t.Error("a game without another board is signed for nobody")
	}
}
