// SPDX-License-Identifier: Apache-2.0

package game

import (
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
