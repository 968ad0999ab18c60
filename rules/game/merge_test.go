// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/game"
)

// south is what board south says about the game of begin, with these moves.
func south(moves ...string) game.RemoteGame {
	return game.RemoteGame{Board: "south", ID: "g1", Variant: "chess", White: "north", Black: "south", Moves: moves}
}

// hear merges a message and lets it happen.
func hear(t *testing.T, g *game.Game, h game.RemoteGame) {
	t.Helper()
	events, err := g.Merge(h, noon)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, g, events)
}

func TestMergeTakesTheOtherSeatsMove(t *testing.T) {
	g := begin(t, game.Setup{})
	play(t, g, "e2e4")
	hear(t, g, south("e2e4", "e7e5"))
	for _, old := range []game.RemoteGame{south(), south("e2e4"), south("e2e4", "e7e5")} {
		events, err := g.Merge(old, noon)
		if err != nil || len(events) != 0 {
			t.Errorf("%v again: got %v, %v, want nothing", old.Moves, events, err)
		}
	}
	if _, remote := g.MovedAt(2); !remote || g.Plies() != 2 {
		t.Errorf("%d plies, the second remote: %v, want 2 and true", g.Plies(), remote)
	}
}

func TestContradictionsChangeNothing(t *testing.T) {
	with := func(change func(*game.RemoteGame)) game.RemoteGame {
		h := south("e2e4", "e7e5")
		change(&h)
		return h
	}
	for _, c := range []struct {
		name, want string
		h          game.RemoteGame
	}{
		{"another move", "move 1 is d2d4 there and e2e4 here", south("d2d4")},
		{"an illegal move", "move 2, e7e4", south("e2e4", "e7e4")},
		{"an illegal move after a legal one of ours", "move 3, g1f3: white is played by north",
			south("e2e4", "e7e5", "g1f3")},
		{"not in coordinate form", "want the coordinate form", south("e2e4", "e5")},
		{"another variant", "variant", with(func(h *game.RemoteGame) { h.Variant = "locking" })},
		{"other seats", "seats", with(func(h *game.RemoteGame) { h.White = "west" })},
		{"another beginning", "first position", with(func(h *game.RemoteGame) { h.Start = "k7/8/8/8/8/8/8/K6R w - - 0 1" })},
		{"an impossible beginning", "impossible", with(func(h *game.RemoteGame) { h.Start = "nonsense" })},
		{"a takeback that was not asked for", "1 takeback,", with(func(h *game.RemoteGame) { h.Takebacks = 1 })},
		{"we resigned, it says", "for north to say",
			with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.BlackWins, "resignation" })},
		{"a draw that was not offered", "no draw was offered",
			with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.Draw, "agreement" })},
		{"a draw by resignation", "nobody lost",
			with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.Draw, "resignation" })},
		{"a draw on time", "nobody lost", with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.Draw, "time" })},
		{"a claim without right", "no right",
			with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.Draw, "threefold-repetition" })},
		{"a mate that is none", "do not say so",
			with(func(h *game.RemoteGame) { h.Outcome, h.Reason = game.BlackWins, "checkmate" })},
		{"aborted late", "has begun", func() game.RemoteGame {
			h := south("e2e4", "e7e5")
			h.Moves, h.Outcome, h.Reason = append(h.Moves, "g1f3"), game.NoResult, "aborted"
			return h
		}()},
	} {
		g := begin(t, game.Setup{})
		play(t, g, "e2e4")
		if c.name == "aborted late" {
			hear(t, g, south("e2e4", "e7e5"))
			play(t, g, "g1f3")
		}
		before := g.Coords()
		events, err := g.Merge(c.h, noon)
		var conflict *game.ConflictError
		if !errors.As(err, &conflict) || !strings.Contains(err.Error(), c.want) || len(events) != 0 {
			t.Errorf("%s: got %v, %v, want a conflict with %q", c.name, events, err, c.want)
		}
		if !slices.Equal(g.Coords(), before) || g.Over() {
			t.Errorf("%s: the game has changed", c.name)
		}
	}
}

func TestStrangersAreNotMerged(t *testing.T) {
	g := begin(t, game.Setup{})
	h := south("e2e4")
	h.Board = "west"
	if _, err := g.Merge(h, noon); err == nil || !strings.Contains(err.Error(), "plays no side") {
		t.Errorf("got %v", err)
	}
	h = south("e2e4")
	h.ID = "g2"
	var c *game.ConflictError
	if _, err := g.Merge(h, noon); err == nil || errors.As(err, &c) {
		t.Errorf("another game: got %v, want an error that is no conflict", err)
	}
}

func TestOnlookerTakesTheWholeList(t *testing.T) {
	g := begin(t, game.Setup{Board: "tower"})
	h := south("e2e4", "e7e5", "g1f3")
	hear(t, g, h)
	h.Takebacks, h.Moves = 1, []string{"e2e4", "c7c5"}
	hear(t, g, h)
	h.Outcome, h.Reason = game.WhiteWins, "resignation"
	hear(t, g, h)
	if got := strings.Join(g.Coords(), " "); got != "e2e4 c7c5" {
		t.Errorf("got %s", got)
	}
	wantEnd(t, g, game.WhiteWins, rules.Resignation)
}

// TestOnlookerTakesWhatIsSigned: of a board that signs, a board that looks on takes no move that nobody has signed.
func TestOnlookerTakesWhatIsSigned(t *testing.T) {
	g := begin(t, game.Setup{Board: "tower"})
	h := south("e2e4", "e7e5", "g1f3")
	h.Unsigned = 1
	hear(t, g, h)
	if got := strings.Join(g.Coords(), " "); got != "e2e4 e7e5" {
		t.Errorf("got %s", got)
	}
}

// TestOnlookerEndsNothing: offers are not signed. Two that cross end no game for a board that looks on, until one of
// the boards says so.
func TestOnlookerEndsNothing(t *testing.T) {
	g := begin(t, game.Setup{Board: "tower"})
	h := south("e2e4")
	h.Offer = game.Black
	hear(t, g, h)
	h.Board, h.Offer = "north", game.White
	hear(t, g, h)
	if g.Over() {
		t.Error("it is over")
	}
	h.Offer, h.Outcome, h.Reason = game.Nobody, game.Draw, string(rules.Agreement)
	hear(t, g, h)
	wantEnd(t, g, game.Draw, rules.Agreement)
}

// TestStatementsCompare: a takeback counts more than moves, and moves more than an end.
func TestStatementsCompare(t *testing.T) {
	sorted := []game.Statement{{}, {Moves: 1}, {Moves: 3}, {Moves: 3, Over: true}, {Moves: 4}, {Takebacks: 1, Moves: 2}}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := a.Compare(b); got != cmp.Compare(i, j) {
				t.Errorf("%+v, %+v: got %d, want %d", a, b, got, cmp.Compare(i, j))
			}
		}
	}
}

func TestAgreementAcrossBoards(t *testing.T) {
	g := begin(t, game.Setup{})
	play(t, g, "e2e4")
	h := south("e2e4")
	h.Offer = game.Black
	hear(t, g, h)
	if g.Offer() != game.Black {
		t.Fatalf("offer of %q, want black's", g.Offer())
	}
	do(t, g, game.Action{Do: game.DeclineDraw}, noon)
	hear(t, g, h) // the same message again
	if g.Offer() != game.Nobody {
		t.Error("a declined offer is back")
	}
	do(t, g, game.Action{Do: game.Kings, Outcome: game.Draw}, noon) // offers a draw
	h.Offer, h.Outcome, h.Reason = game.Nobody, game.Draw, "agreement"
	hear(t, g, h)
	wantEnd(t, g, game.Draw, rules.Agreement)
}

// TestOffersCross: both sides offer a draw before either has heard of the other's offer. That is an agreement, on both
// boards.
func TestOffersCross(t *testing.T) {
	g := begin(t, game.Setup{})
	play(t, g, "e2e4")
	do(t, g, game.Action{Do: game.OfferDraw}, noon)
	h := south("e2e4")
	h.Offer = game.Black
	hear(t, g, h)
	wantEnd(t, g, game.Draw, rules.Agreement)
	h.Offer, h.Outcome, h.Reason = game.Nobody, game.Draw, "agreement"
	hear(t, g, h)
	wantEnd(t, g, game.Draw, rules.Agreement)
}

// TestAnEndIsSaidOnce: a board that has said how the game ended says nothing else later. An end that arose here
// without knowing of it is joined with it, whichever comes first.
func TestAnEndIsSaidOnce(t *testing.T) {
	says := func(outcome, reason string) game.RemoteGame {
		h := south("e2e4", "e7e5")
		h.Outcome, h.Reason = outcome, reason
		return h
	}
	for _, c := range []struct{ first, then game.RemoteGame }{
		{says(game.WhiteWins, "time"), says(game.WhiteWins, "resignation")},
		{says(game.WhiteWins, "resignation"), says(game.NoResult, "aborted")},
	} {
		g := begin(t, game.Setup{})
		play(t, g, "e2e4")
		hear(t, g, c.first)
		events, err := g.Merge(c.then, noon)
		var conflict *game.ConflictError
		if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "had ended "+c.first.Outcome) || len(events) > 0 {
			t.Errorf("%s after %s: got %v, %v, want a conflict", c.then.Reason, c.first.Reason, events, err)
		}
		wantEnd(t, g, c.first.Outcome, rules.Result(c.first.Reason))
		hear(t, g, c.first) // and is no trouble again
	}

	g := begin(t, game.Setup{})
	play(t, g, "e2e4")
	hear(t, g, south("e2e4", "e7e5"))
	do(t, g, game.Action{Do: game.Resign}, noon)
	hear(t, g, says(game.WhiteWins, "resignation"))
	wantEnd(t, g, game.Draw, rules.Resignation)
	hear(t, g, says(game.Draw, "resignation"))
	hear(t, g, says(game.WhiteWins, "resignation")) // late
	wantEnd(t, g, game.Draw, rules.Resignation)
}

func TestAdoptSettlesAConflict(t *testing.T) {
	g := begin(t, game.Setup{})
	play(t, g, "e2e4")
	h := south("e2e4", "e7e5")
	hear(t, g, h)
	h.Moves = []string{"e2e4", "c7c5", "g1f3"}
	if _, err := g.Merge(h, noon); err == nil {
		t.Fatal("a contradiction is merged")
	}
	events, err := g.Adopt(h, noon)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, g, events)
	if got := strings.Join(g.Coords(), " "); got != "e2e4 c7c5 g1f3" {
		t.Errorf("got %s, want the other board's list", got)
	}
	hear(t, g, h)
}

func TestInvitations(t *testing.T) {
	current := begin(t, game.Setup{Board: "north"})
	h := game.RemoteGame{Board: "south", ID: "g2", Variant: "locking", White: "south", Black: "north"}
	s, err := game.Invited(h, "north", current)
	if err != nil || !s.Here(game.Black) || s.Remote(game.White) != "south" || s.Variant != "locking" {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, c := range []struct {
		change func(*game.RemoteGame)
		want   string
	}{
		{func(h *game.RemoteGame) { h.ID = "g1" }, "not newer"},
		{func(h *game.RemoteGame) { h.Black = "west" }, "not between"},
		{func(h *game.RemoteGame) { h.Board = "west" }, "not between"},
		{func(h *game.RemoteGame) { h.Black = game.Engine }, "not between"}, // an engine of the other board's
		{func(h *game.RemoteGame) { h.Variant = "checkers" }, "checkers"},
		{func(h *game.RemoteGame) { h.ID = "z 1" }, `speaks of another game, "z 1"`},
		{func(h *game.RemoteGame) { h.ID = "zz/../z" }, "no id of a game"},
		{func(h *game.RemoteGame) { h.ID = "~" }, "no id of a game"},
	} {
		bad := h
		c.change(&bad)
		if _, err := game.Invited(bad, "north", current); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

// TestContradictoryInvitations: what another board can have done alone in a game that it began is no contradiction.
// What only this board could have done is one, and the conflict names the game.
func TestContradictoryInvitations(t *testing.T) {
	for _, c := range []struct {
		change func(*game.RemoteGame)
		want   string // "": it can be followed
	}{
		{func(*game.RemoteGame) {}, ""},
		{func(h *game.RemoteGame) { h.Moves = []string{"e2e4"} }, ""},
		{func(h *game.RemoteGame) {
			h.Moves, h.Outcome, h.Reason = []string{"e2e4"}, game.BlackWins, "resignation"
		}, ""},
		{func(h *game.RemoteGame) { h.Moves, h.Outcome, h.Reason = []string{"e2e4"}, game.BlackWins, "time" }, ""},
		{func(h *game.RemoteGame) { h.Outcome, h.Reason = game.NoResult, "aborted" }, ""},
		{func(h *game.RemoteGame) { h.Moves, h.Offer, h.Paused, h.Pauses = []string{"e2e4"}, game.White, true, 1 }, ""},
		{func(h *game.RemoteGame) { h.Start, h.Moves = "k7/8/8/8/8/8/8/K6R w - - 0 1", []string{"h1h2"} }, ""},
		{func(h *game.RemoteGame) { h.Moves = []string{"e2e4", "e7e5"} }, "move 2, e7e5: black is played by north"},
		{func(h *game.RemoteGame) { h.Start, h.Moves = "k7/8/8/8/8/8/8/K6R b - - 0 1", []string{"a8b8"} },
			"move 1, a8b8: black is played by north"},
		{func(h *game.RemoteGame) { h.Moves = []string{"e2e5"} }, "not legal"},
		{func(h *game.RemoteGame) { h.Outcome, h.Reason = game.WhiteWins, "resignation" }, "for north to say"},
		{func(h *game.RemoteGame) { h.Takebacks = 1 }, "none was asked for"},
	} {
		h := game.RemoteGame{Board: "south", ID: "g2", Variant: "chess", White: "south", Black: "north"}
		c.change(&h)
		s, err := game.Invited(h, "north", begin(t, game.Setup{}))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Contradiction(h, noon)
		var conflict *game.ConflictError
		if c.want == "" && err != nil {
			t.Errorf("%+v: %v, want it to be followed", h, err)
		}
		if c.want != "" && (!errors.As(err, &conflict) || conflict.Game != "g2" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got %v, want a conflict about g2 with %q", h, err, c.want)
		}
	}
}

// TestStampsStayWithTheirMoves: a signature given with a move is kept with it, also when moves after it are taken
// back.
func TestStampsStayWithTheirMoves(t *testing.T) {
	g := begin(t, game.Setup{White: game.Local, Black: game.Local})
	for i, m := range []string{"e4", "e5", "Nf3"} {
		do(t, g, game.Action{Do: game.Move, Move: m}, noon)
		side := []game.Side{game.White, game.Black}[i%2]
		if err := g.Apply(game.Event{Kind: game.Sealed, By: side, Ply: i + 1, Seal: m}); err != nil {
			t.Fatal(err)
		}
	}
	do(t, g, game.Action{Do: game.Takeback}, noon)
	if a, b, c := g.SealAt(1), g.SealAt(2), g.Seal(game.White); a != "e4" || b != "e5" || c != "" {
		t.Errorf("got %q, %q and last %q; want those of the moves that are left, and no last one", a, b, c)
	}
	do(t, g, game.Action{Do: game.Move, Move: "Nc3"}, noon)
	if s := g.SealAt(3); s != "" {
		t.Errorf("the new move bears %q, which was given for the one taken back", s)
	}
	next, err := g.After([]game.Event{{Kind: game.Sealed, By: game.White, Ply: 3, Seal: "Nc3"}})
	if err != nil || next.SealAt(3) != "Nc3" || g.SealAt(3) != "" {
		t.Errorf("after: %v, there %q, here %q; want the event to happen there alone", err, next.SealAt(3), g.SealAt(3))
	}
}
