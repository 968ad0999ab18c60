// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"bytes"
	"crypto/ed25519"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// shown is what a board publishes of a game with these seats, after some moves.
func shown(t *testing.T, board, white, black string, by *Keys) *wire.Game {
	t.Helper()
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: white, Black: black, Board: board}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"e2e4", "e7e5", "d1h5", "b8c6"} {
		if err := g.Apply(game.Event{Kind: game.Moved, Move: m}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range by.Sign(g, time.Time{}) {
		if err := g.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	p, start := g.Position(), g.Start()
	return &wire.Game{Game: "g", Variant: "chess", Seats: wire.Seats{White: white, Black: black}, Start: start.FEN(),
		Moves: g.Coords(), SAN: g.SAN(), FEN: p.FEN(), Turn: "white", Seals: WireSeals(g)}
}

// TestWatch: of a board whose key is known, those who look on see what it has signed, and the position to which its
// moves lead. Of a board whose key is not known they see what comes.
func TestWatch(t *testing.T) {
	north, _ := board(t, "north")
	impostor, _ := board(t, "north")
	west, _ := board(t, "west")
	west.SetKey("north", north.Key().Public().(ed25519.PublicKey))
	var text bytes.Buffer
	w := NewWatch("west", func() *Keys { return west.Copy() }, slog.New(slog.NewTextHandler(&text, nil)))
	for name, seats := range map[string][2]string{"against another board": {"north", "south"},
		"alone": {game.Local, game.Local}, "against the engine": {game.Engine, "north"},
		"at Lichess": {"north", game.Lichess}} {
		for range 2 {
			if g := shown(t, "north", seats[0], seats[1], north); w.Shown("north", g) != g {
				t.Errorf("%s: what north has signed is not shown: %s", name, &text)
			}
		}
		if w.Shown("north", shown(t, "north", seats[0], seats[1], impostor)) != nil {
			t.Errorf("%s: what somebody else has signed is shown as north's", name)
		}
	}
	if g := shown(t, "west", game.Local, "north", west); w.Shown("west", g) != g {
		t.Errorf("its own game is not shown: %s", &text)
	}
	if w.Shown("west", shown(t, "west", game.Local, "north", impostor)) != nil {
		t.Error("what somebody else has signed is shown as its own")
	}
	if g := shown(t, "south", "north", "south", impostor); w.Shown("south", g) != g {
		t.Error("a board whose key is not known is not shown")
	}
	text.Reset()
	if other := shown(t, "north", "east", "south", north); w.Shown("north", other) != nil {
		t.Error("a game of other boards is shown as north's")
	}
	if !strings.Contains(text.String(), "of=north") {
		t.Errorf("the log says %q", &text)
	}
	for name, forge := range map[string]func(g *wire.Game){
		"no signature": func(g *wire.Game) { g.Seals = nil },
		"a move more":  func(g *wire.Game) { g.Moves, g.SAN = append(g.Moves, "h5f7"), append(g.SAN, "Qxf7#") },
		"a move less":  func(g *wire.Game) { g.Moves, g.SAN = g.Moves[:2], g.SAN[:2] },
		"another move": func(g *wire.Game) { g.Moves[2] = "d1g4" },
		"a result":     func(g *wire.Game) { g.Outcome, g.Reason = "0-1", "resignation" },
		"the other side's": func(g *wire.Game) {
			g.Seats = wire.Seats{White: g.Seats.Black, Black: g.Seats.White}
		},
		"another position": func(g *wire.Game) { g.FEN = g.Start },
		"another turn":     func(g *wire.Game) { g.Turn = "black" },
		"check":            func(g *wire.Game) { g.Check = true },
		"another text":     func(g *wire.Game) { g.SAN[3] = "Qxf7#" },
		"another id":       func(g *wire.Game) { g.Game = "g2" },
	} {
		g := shown(t, "north", "north", "south", north)
		forge(g)
		if w.Shown("north", g) != nil {
			t.Errorf("%s: what north has not signed is shown", name)
		}
	}
	if w.Shown("north", nil) != nil {
		t.Error("no game is shown as one")
	}
}

// TestWatchHearsOfKeys: a key that becomes known, or is changed, counts soon for those who look on. It costs no
// question at each message.
func TestWatchHearsOfKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		north, _ := board(t, "north")
		former, _ := board(t, "north")
		west, _ := board(t, "west")
		asked := 0
		w := NewWatch("west", func() *Keys {
			asked++
			return west.Copy()
		}, slog.New(slog.DiscardHandler))
		g := shown(t, "north", "north", "south", north)
		sees := func() bool { return w.Shown("north", g) != nil }
		if !sees() || len(w.Known()) != 0 {
			t.Error("a board whose key is not known is not shown")
		}
		west.SetKey("north", former.Key().Public().(ed25519.PublicKey))
		if time.Sleep(keysFor + time.Second); sees() || len(w.Known()) != 1 {
			t.Error("a key has become known, and does not count")
		}
		west.SetKey("north", north.Key().Public().(ed25519.PublicKey))
		if time.Sleep(keysFor + time.Second); !sees() {
			t.Error("another key counts now, and its board is not shown")
		}
		before := asked
		for range 1000 {
			sees()
		}
		if asked != before {
			t.Errorf("the keys were asked for %d times", asked-before)
		}
	})
}
