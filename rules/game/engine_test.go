// SPDX-License-Identifier: Apache-2.0

package game

import (
	"strings"
	"testing"
	"time"
)

// TestAgainstAnEngine: if no side is named, the person resigns or takes back, whoever is to move. A takeback goes back
// to before the person's own last move.
func TestAgainstAnEngine(t *testing.T) {
	at := time.Unix(1000, 0)
	begin := func(moves ...string) *Game {
		started, err := Start(Setup{ID: "g", Variant: "chess", White: Local, Black: Engine, Board: "table"}, at)
		if err != nil {
			t.Fatal(err)
		}
		g, err := New(started)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			apply(t, g, Action{Do: Move, Move: m}, at)
		}
		return g
	}
	for _, moves := range [][]string{{}, {"e2e4"}, {"e2e4", "e7e5"}} {
		g := begin(moves...)
		apply(t, g, Action{Do: Resign}, at)
		if got := g.Outcome(); got != BlackWins {
			t.Errorf("after %v a resignation gives %s, want that the engine wins", moves, got)
		}
	}
	for _, moves := range [][]string{{"e2e4"}, {"e2e4", "e7e5"}} {
		g := begin(moves...)
		apply(t, g, Action{Do: Takeback}, at)
		if g.Plies() != 0 {
			t.Errorf("after %v and a takeback %d plies remain, want none", moves, g.Plies())
		}
	}
}

func apply(t *testing.T, g *Game, a Action, at time.Time) {
	t.Helper()
	events, err := g.Decide(a, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := g.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEngineOptions: a game says how strongly and how long the engine plays, or says nothing. What is no such number
// is refused.
func TestEngineOptions(t *testing.T) {
	start := func(options map[string]string) (Setup, error) {
		e, err := Start(Setup{ID: "g", Variant: "chess", White: Local, Black: Engine, Board: "table", Options: options},
			time.Unix(1000, 0))
		if err != nil {
			return Setup{}, err
		}
		return *e.Setup, nil
	}
	if s, err := start(nil); err != nil || s.Level() != 0 || s.Think() != 0 {
		t.Errorf("nothing said: level %d, %v, %v", s.Level(), s.Think(), err)
	}
	if s, err := start(map[string]string{OptionLevel: "8", OptionSeconds: "3600"}); err != nil || s.Level() != 8 ||
		s.Think() != time.Hour {
		t.Errorf("level %d, %v, %v; want 8 and an hour", s.Level(), s.Think(), err)
	}
	for _, bad := range []map[string]string{{OptionLevel: "0"}, {OptionLevel: "9"}, {OptionLevel: "strong"},
		{OptionLevel: ""}, {OptionSeconds: "0"}, {OptionSeconds: "3601"}, {OptionSeconds: "1.5"}} {
		if _, err := start(bad); err == nil || !strings.Contains(err.Error(), "want a number from 1 to") {
			t.Errorf("%v: got %v", bad, err)
		}
	}
}
