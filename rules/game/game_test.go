// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// begin starts a game as one board sees it; seats are "north" and "south" unless given.
func begin(t *testing.T, s game.Setup) *game.Game {
	t.Helper()
	if s.ID == "" {
		s.ID = "g1"
	}
	if s.Variant == "" {
		s.Variant = "chess"
	}
	if s.White == "" {
		s.White, s.Black = "north", "south"
	}
	if s.Board == "" {
		s.Board = "north"
	}
	e, err := game.Start(s, noon)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.New(viaJSON(t, e))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func local(t *testing.T) *game.Game {
	t.Helper()
	return begin(t, game.Setup{White: game.Local, Black: game.Local})
}

// viaJSON sends an event through the form in which the journal keeps it.
func viaJSON(t *testing.T, e game.Event) game.Event {
	t.Helper()
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back game.Event
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func apply(t *testing.T, g *game.Game, events []game.Event) {
	t.Helper()
	for _, e := range events {
		if err := g.Apply(viaJSON(t, e)); err != nil {
			t.Fatal(err)
		}
	}
}

// do decides an action and lets it happen.
func do(t *testing.T, g *game.Game, a game.Action, at time.Time) {
	t.Helper()
	events, err := g.Decide(a, at)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, g, events)
}

func play(t *testing.T, g *game.Game, moves ...string) {
	t.Helper()
	for _, m := range moves {
		do(t, g, game.Action{Do: game.Move, Move: m}, noon)
	}
}

// refuses checks that an action is refused with a text and changes nothing.
func refuses(t *testing.T, g *game.Game, a game.Action, want string) {
	t.Helper()
	if events, err := g.Decide(a, noon); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%+v: got events %v, error %v, want an error with %q", a, events, err, want)
	}
}

func wantEnd(t *testing.T, g *game.Game, outcome string, reason rules.Result) {
	t.Helper()
	if g.Outcome() != outcome || g.Reason() != reason {
		t.Errorf("got %q by %q, want %q by %q", g.Outcome(), g.Reason(), outcome, reason)
	}
}

func TestMovesAreKeptInBothForms(t *testing.T) {
	g := local(t)
	play(t, g, "e2e4", "e5", "g1f3", "Nc6")
	if got, want := strings.Join(g.Coords(), " "), "e2e4 e7e5 g1f3 b8c6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(g.SAN(), " "), "e4 e5 Nf3 Nc6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if g.Plies() != 4 || g.Turn() != game.White || len(g.Legal()) == 0 {
		t.Errorf("got %d plies, %s to move, %d legal moves", g.Plies(), g.Turn(), len(g.Legal()))
	}
	refuses(t, g, game.Action{Do: game.Move, Move: "e4e6"}, "move: ")
	refuses(t, g, game.Action{Do: game.Move, Move: "d2d4", By: game.Black}, "it is white's move")
	refuses(t, g, game.Action{Do: "juggle"}, "no such action")
}

func TestMateEndsTheGame(t *testing.T) {
	g := local(t)
	play(t, g, "f3", "e5", "g4", "Qh4")
	wantEnd(t, g, game.BlackWins, rules.Checkmate)
	if g.Legal() != nil {
		t.Error("an ended game has legal moves")
	}
	refuses(t, g, game.Action{Do: game.Move, Move: "a2a3"}, "ended 0-1 by checkmate")
	do(t, g, game.Action{Do: game.Takeback}, noon)
	wantEnd(t, g, "", rules.Playing)
	play(t, g, "a6")
}

func TestSampleGameOfLockingChess(t *testing.T) {
	g := begin(t, game.Setup{Variant: "locking", White: game.Local, Black: game.Local})
	for _, m := range strings.Fields(`e4 e5 Nf3 Qe8* Bg2* Bg7* O-O* Nf6 Re1 Be5* Ra2* d5 d3 Nc6 Be3 d4 Bxd4 Nxd4 Nxd4 Bd4* Rd1* Ba7*
		Nb5 Qb5* Rb1* Bg4 f3 Bxf3 Bf3* Qxb1 Qxb1 Bg1* Nxc7+ Ke7 Nxa8 Rxa8 Ra8* Nh5 gxBf3* Nf4 Qf1 Kf6
		Bd5 Kg5 Bxb7 Kh4 Qf2+ Bf2* BxRa8* Kh3 Ra2* h5 RxBf2* h4 Rf4* f6 Qxh4+ Kxh4 Rh4* Ng6 Kh2* NxRh4* Kg3#`) {
		play(t, g, m)
	}
	wantEnd(t, g, game.WhiteWins, rules.RoyalLockmate)
}

func TestResultsByPlayers(t *testing.T) {
	for _, c := range []struct {
		name    string
		do      []game.Action
		outcome string
		reason  rules.Result
	}{
		{"the side to move resigns", []game.Action{{Do: game.Resign}}, game.BlackWins, rules.Resignation},
		{"black resigns", []game.Action{{Do: game.Resign, By: game.Black}}, game.WhiteWins, rules.Resignation},
		{"a draw is agreed", []game.Action{{Do: game.OfferDraw}, {Do: game.AcceptDraw}}, game.Draw, rules.Agreement},
		{"a draw is offered out of turn", []game.Action{{Do: game.OfferDraw, By: game.Black}, {Do: game.AcceptDraw}},
			game.Draw, rules.Agreement},
		{"declined", []game.Action{{Do: game.OfferDraw}, {Do: game.DeclineDraw}}, "", rules.Playing},
		{"both offer", []game.Action{{Do: game.OfferDraw, By: game.White}, {Do: game.OfferDraw, By: game.Black}}, game.Draw,
			rules.Agreement},
		{"aborted", []game.Action{{Do: game.Abort}}, game.NoResult, rules.Aborted},
		{"both kings on light squares", []game.Action{{Do: game.Kings, Outcome: game.WhiteWins}}, game.WhiteWins,
			rules.Resignation},
		{"both kings on dark squares", []game.Action{{Do: game.Kings, Outcome: game.BlackWins}}, game.BlackWins,
			rules.Resignation},
		{"a king on each", []game.Action{{Do: game.Kings, Outcome: game.Draw}}, game.Draw, rules.Agreement},
	} {
		g := local(t)
		for _, a := range c.do {
			do(t, g, a, noon)
		}
		if g.Outcome() != c.outcome || g.Reason() != c.reason {
			t.Errorf("%s: got %q by %q, want %q by %q", c.name, g.Outcome(), g.Reason(), c.outcome, c.reason)
		}
	}
}

func TestMovingDeclinesTheOffer(t *testing.T) {
	g := local(t)
	do(t, g, game.Action{Do: game.OfferDraw}, noon)
	play(t, g, "e4")
	if g.Offer() != game.White {
		t.Errorf("offer of %q, want white's to stand after white's own move", g.Offer())
	}
	refuses(t, g, game.Action{Do: game.OfferDraw, By: game.White}, "stands already")
	play(t, g, "e5")
	if g.Offer() != game.Nobody {
		t.Errorf("offer of %q, want none after black moved on", g.Offer())
	}
	refuses(t, g, game.Action{Do: game.AcceptDraw}, "no draw is offered")
}

// shuffle moves both knights out and back n times.
func shuffle(t *testing.T, g *game.Game, n int) {
	t.Helper()
	for range n {
		play(t, g, "Nf3", "Nf6", "Ng1", "Ng8")
	}
}

func TestRepetition(t *testing.T) {
	g := local(t)
	shuffle(t, g, 1)
	refuses(t, g, game.Action{Do: game.ClaimDraw}, "2 of 3 times")
	shuffle(t, g, 1)
	if g.Claimable() != rules.ThreefoldRepetition {
		t.Errorf("claimable is %q, want threefold repetition", g.Claimable())
	}
	shuffle(t, g, 2)
	wantEnd(t, g, game.Draw, rules.FivefoldRepetition)

	g = local(t)
	shuffle(t, g, 2)
	do(t, g, game.Action{Do: game.ClaimDraw}, noon)
	wantEnd(t, g, game.Draw, rules.ThreefoldRepetition)

	g = begin(t, game.Setup{White: game.Local, Black: game.Local, Options: map[string]string{"draws": "automatic"}})
	shuffle(t, g, 2)
	wantEnd(t, g, game.Draw, rules.ThreefoldRepetition)
}

func TestFiftyAndSeventyFiveMoves(t *testing.T) {
	g := begin(t, game.Setup{White: game.Local, Black: game.Local, Start: "k7/8/8/8/8/8/8/K6R w - - 98 80"})
	play(t, g, "Rh2")
	refuses(t, g, game.Action{Do: game.ClaimDraw}, "99 of 100")
	play(t, g, "Kb8")
	do(t, g, game.Action{Do: game.ClaimDraw}, noon)
	wantEnd(t, g, game.Draw, rules.FiftyMoves)

	g = begin(t, game.Setup{White: game.Local, Black: game.Local, Start: "k7/8/8/8/8/8/8/K6R w - - 149 80"})
	play(t, g, "Rh2")
	wantEnd(t, g, game.Draw, rules.SeventyFiveMoves)

	g = begin(t, game.Setup{White: game.Local, Black: game.Local, Start: "k7/8/1K6/8/8/8/8/7R w - - 149 80"})
	play(t, g, "Rh8")
	wantEnd(t, g, game.WhiteWins, rules.Checkmate) // FIDE 9.6.2: mate comes first
}

func TestTakebackPolicies(t *testing.T) {
	g := begin(t, game.Setup{White: game.Local, Black: game.Local, Options: map[string]string{"takeback": "never"}})
	play(t, g, "e4")
	refuses(t, g, game.Action{Do: game.Takeback}, "not allowed")

	g = begin(t, game.Setup{White: game.Local, Black: game.Local, Options: map[string]string{"takeback": "consent"}})
	play(t, g, "e4", "e5", "d4")
	do(t, g, game.Action{Do: game.Takeback}, noon) // whose move it was asks
	if _, ply, open := g.TakebackRequest(game.White); !open || ply != 2 || g.Plies() != 3 {
		t.Fatalf("asked %v to go back to %d with %d plies made, want to 2 with 3", open, ply, g.Plies())
	}
	do(t, g, game.Action{Do: game.AcceptTakeback}, noon)
	if g.Plies() != 2 || g.Takebacks() != 1 {
		t.Errorf("got %d plies, %d takebacks, want 2 and 1", g.Plies(), g.Takebacks())
	}

	g = local(t)
	play(t, g, "e4", "e5", "d4")
	do(t, g, game.Action{Do: game.Takeback, Plies: 2}, noon)
	if got := strings.Join(g.SAN(), " "); got != "e4" {
		t.Errorf("got %q, want e4", got)
	}
	refuses(t, g, game.Action{Do: game.Takeback, Plies: 2}, "2 moves cannot be taken back, as 1 were made")
}

// TestTakebackAfterTheEnd: an end may have been a slip, and is taken back with the last move where nobody has to be
// asked.
func TestTakebackAfterTheEnd(t *testing.T) {
	draws := map[string]string{"draws": "automatic"}
	knights := strings.Fields("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
	for _, c := range []struct {
		name  string
		setup game.Setup
		moves []string
		do    []game.Action
		want  string // "": the takeback is made
	}{
		{"mate", game.Setup{}, []string{"f3", "e5", "g4", "Qh4"}, nil, ""},
		{"an automatic draw", game.Setup{Options: draws}, knights, nil, ""},
		{"a draw that was claimed", game.Setup{}, knights, []game.Action{{Do: game.ClaimDraw}}, ""},
		{"agreement", game.Setup{}, []string{"e4"}, []game.Action{{Do: game.OfferDraw}, {Do: game.AcceptDraw}}, ""},
		{"resignation", game.Setup{}, []string{"e4"}, []game.Action{{Do: game.Resign}}, ""},
		{"mate, where the other side is asked", game.Setup{Options: map[string]string{"takeback": "consent"}},
			[]string{"f3", "e5", "g4", "Qh4"}, nil, "ended 0-1 by checkmate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.setup.White, c.setup.Black = game.Local, game.Local
			g := begin(t, c.setup)
			play(t, g, c.moves...)
			for _, a := range c.do {
				do(t, g, a, noon)
			}
			if c.want != "" {
				refuses(t, g, game.Action{Do: game.Takeback}, c.want)
				refuses(t, g, game.Action{Do: game.Pause}, c.want)
				return
			}
			do(t, g, game.Action{Do: game.Takeback}, noon)
			if g.Over() || g.Plies() != len(c.moves)-1 {
				t.Errorf("over %v with %d moves, want it to go on with %d", g.Over(), g.Plies(), len(c.moves)-1)
			}
		})
	}
}

func TestOnlyOwnSidesAct(t *testing.T) {
	g := begin(t, game.Setup{Board: "south"})
	refuses(t, g, game.Action{Do: game.Move, Move: "e2e4"}, "made on board north")
	refuses(t, g, game.Action{Do: game.Resign, By: game.White}, "white is played on board north")
	refuses(t, g, game.Action{Do: game.Kings, Outcome: game.BlackWins}, "only that board can resign it")
	do(t, g, game.Action{Do: game.Resign}, noon)
	wantEnd(t, g, game.WhiteWins, rules.Resignation)

	g = begin(t, game.Setup{Board: "tower"})
	refuses(t, g, game.Action{Do: game.Resign}, "only looks on")
	refuses(t, g, game.Action{Do: game.Abort}, "only looks on")
}

func TestWrongSetupsAreRefused(t *testing.T) {
	for _, c := range []struct {
		s    game.Setup
		want []string
	}{
		{game.Setup{}, []string{"no id", "none may be empty", "chess"}},
		{game.Setup{ID: "../1", Board: "a", White: "a", Black: "b", Variant: "chess"},
			[]string{`"../1"`, "no id of a game"}},
		{game.Setup{ID: "1", Board: "a", White: "a", Black: "b", Variant: "checkers"}, []string{"locking"}},
		{game.Setup{ID: "1", Board: "a", White: "a", Black: "b", Variant: "chess", Start: "8/8/8/8/8/8/8/8 w - - 0 1"},
			[]string{"king"}},
		{game.Setup{ID: "1", Board: "a", White: "a", Black: "b", Variant: "chess",
			Options: map[string]string{"takeback": "maybe"}}, []string{"consent"}},
		{game.Setup{ID: "1", Board: "a", White: "a", Black: "b", Variant: "chess", Clock: &game.Timing{Kind: "sand"}},
			[]string{"hourglass", "more than 0"}},
	} {
		_, err := game.Start(c.s, noon)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: got %v, want an error with %q", c.s, err, want)
			}
		}
	}
}

func TestReplayGivesTheSameGame(t *testing.T) {
	s := game.Setup{ID: "g", Variant: "chess", White: game.Local, Black: game.Local, Board: "north",
		Clock: &game.Timing{Kind: game.Fischer, Initial: 60000, Increment: 2000}}
	e, err := game.Start(s, noon)
	if err != nil {
		t.Fatal(err)
	}
	events := []game.Event{viaJSON(t, e)}
	g, err := game.New(events[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []game.Action{
		{Do: game.Move, Move: "e4"}, {Do: game.Move, Move: "e5"}, {Do: game.Pause}, {Do: game.Resume}, {Do: game.OfferDraw},
		{Do: game.Move, Move: "Nf3"}, {Do: game.Takeback}, {Do: game.Flip}, {Do: game.Move, Move: "d4"}, {Do: game.Resign},
	} {
		more, err := g.Decide(a, noon.Add(time.Duration(i)*1500*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range more {
			e = viaJSON(t, e)
			events = append(events, e)
			if err := g.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	again, err := game.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, g) {
		t.Errorf("got  %+v\nwant %+v", again, g)
	}
	if _, err := game.Replay(append(events, game.Event{Kind: game.Moved, Move: "a7a6"})); err == nil {
		t.Error("a move after the end is replayed")
	}
}

func TestConflictIsAnErrorOfItsOwn(t *testing.T) {
	g := begin(t, game.Setup{})
	play(t, g, "e4")
	_, err := g.Merge(game.RemoteGame{Board: "south", ID: "g1", Variant: "chess", White: "north", Black: "south",
		Moves: []string{"d2d4"}}, noon)
	var c *game.ConflictError
	if !errors.As(err, &c) || c.Ply != 1 || c.Ours != "e2e4" || c.Theirs != "d2d4" ||
		!strings.Contains(err.Error(), "board south contradicts") {
		t.Errorf("got %v, %+v", err, c)
	}
}

func TestIDsSort(t *testing.T) {
	first := game.NewID(noon, 7, "")
	for _, c := range []struct{ name, id, after string }{
		{"later", game.NewID(noon.Add(time.Millisecond), 0, ""), first},
		{"the same time, told of the first", game.NewID(noon, 0, first), first},
		{"a clock that is wrong by years", game.NewID(time.Unix(0, 0), 1, first), first},
		{"before 1970", game.NewID(time.Unix(-1000, 0), 1, first), first},
		{"an id of another kind", game.NewID(noon, 1, "zebra"), "zebra"},
		{"the last id there is", game.NewID(noon, 1, "zzzzzzzzzz-zzzzzz"), "zzzzzzzzzz-zzzzzz"},
	} {
		if c.id <= c.after || len(c.id) > 64 {
			t.Errorf("%s: %q does not sort after %q", c.name, c.id, c.after)
		}
		if err := game.CheckID(c.id); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestIDsStayShort: after an id that another program made up, many games can begin before a message takes their ids no
// more.
func TestIDsStayShort(t *testing.T) {
	for _, id := range []string{"zebra", "zzzz-1", "zzzzzzzzzz-aaaaaa", strings.Repeat("y", 64),
		"z" + strings.Repeat("-", 63)} {
		for n := range uint64(10_000) {
			next := game.NewID(noon, n*2_654_435_761, id)
			if next <= id || len(next) > 64 {
				t.Fatalf("game %d: %q after %q", n, next, id)
			}
			id = next
		}
	}
}
