package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"boardd/sensing"
	"boardd/sync/wire"
)

// TestExtraPieceAnswers: a pawn has come to e3, and by its reed the one of e2 still stands there. Whether that was the move is answered with the pawn itself,
// which is lifted and put back. Put elsewhere it is another question, and taken away none.
func TestExtraPieceAnswers(t *testing.T) {
	asks := func(move string) func(*wire.Game) bool {
		return func(g *wire.Game) bool {
			return g.Wood.State == wire.Asking && slices.Equal(g.Wood.Choices, []string{move}) && g.Wood.Answers[0].Square == move[2:]
		}
	}
	for _, c := range []struct {
		name, goes string // where the pawn goes when it is lifted
		want       func(*wire.Game) bool
	}{
		{"put back", "e3", moved("e2e3")},
		{"put elsewhere", "e4", asks("e2e4")},
		{"taken away", "", synced},
	} {
		t.Run(c.name, func(t *testing.T) {
			suffer(t, "reeds", func(_ context.Context, w *troubled) {
				must(t, w.v.Take("right", []byte("P")))
				must(t, w.v.Place("right", sensing.Lower, at("e3").Square()))
				w.until("it asks", asks("e2e3"))
				must(t, w.v.Lift("right", sensing.Lower, at("e3").Square(), 1))
				time.Sleep(time.Second)
				if c.goes != "" {
					must(t, w.v.Place("right", sensing.Lower, at(c.goes).Square()))
				} else {
					must(t, w.v.Discard("right"))
				}
				g := w.until(c.name, c.want)
				if c.goes != "e3" && len(g.Moves) > 0 {
					t.Errorf("moves %v, want none", g.Moves)
				}
			}, time.Minute)
		})
	}
}
