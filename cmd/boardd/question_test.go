// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// TestExtraPieceAnswers: a pawn has come to e3, but the reed of e2 still shows one there. Lifting the pawn and putting
// it back answers that this was the move. If it is put elsewhere, the question is another one. If it is taken away,
// there is none.
func TestExtraPieceAnswers(t *testing.T) {
	asks := func(move string) func(*wire.Game) bool {
		return func(g *wire.Game) bool {
			return g.Wood.State == wire.Asking && slices.Equal(g.Wood.Choices, []string{move}) &&
				g.Wood.Answers[0].Square == move[2:]
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

// TestPromotionAnsweredOnTheBoard: a pawn stands on its last rank. A piece of the kind that it becomes answers when it
// is put back, not when it is lifted, and nothing is called wrong meanwhile. When the pawn is put back where it came
// from, the question ends.
func TestPromotionAnsweredOnTheBoard(t *testing.T) {
	for _, back := range []bool{false, true} {
		asked := func(g *wire.Game) bool { return g.Wood.State == wire.Asking && len(g.Wood.Choices) == 4 }
		log, _ := suffer(t, "reeds", func(_ context.Context, w *troubled) {
			w.command(`{"id":"1","do":"new","start":"4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"}`)
			var stands wood.Wood
			for square, letter := range map[string]byte{"e8": 'k', "a7": 'P', "h2": 'p', "e1": 'K'} {
				stands[at(square)] = wood.Pile(letter)
			}
			w.v.Put(stands)
			w.until("it stands", synced)
			w.carry("a7", "a8")
			g := w.until("it asks", asked)
			if i := slices.Index(g.Wood.Choices, "a7a8q"); len(g.Wood.SAN) != 4 || !strings.HasPrefix(g.Wood.SAN[i], "a8=Q") {
				t.Errorf("choices %v are written %v", g.Wood.Choices, g.Wood.SAN)
			}
			if back {
				w.carry("a8", "a7")
				time.Sleep(time.Second)
				if g := w.shown(); !synced(&g) || len(g.Wood.Choices) > 0 || len(g.Moves) > 0 {
					t.Errorf("the pawn is back: state %s, choices %v, moves %v", g.Wood.State, g.Wood.Choices, g.Moves)
				}
				return
			}
			for _, a := range g.Wood.Answers {
				if a.Square != "h2" {
					continue
				}
				must(t, w.v.Lift("right", sensing.Lower, at("h2").Square(), 1))
				time.Sleep(2 * time.Second)
				if g := w.shown(); !asked(&g) || len(g.Moves) > 0 {
					t.Errorf("the piece that answers is in the hand: state %s, moves %v", g.Wood.State, g.Moves)
				}
				must(t, w.v.Place("right", sensing.Lower, at("h2").Square()))
				w.until(a.Move, moved(a.Move))
				return
			}
			t.Errorf("h2 answers nothing: %v", g.Wood.Answers)
		}, time.Minute)
		if all := strings.Join(log, ""); !strings.Contains(all, "which move was it?") ||
			!strings.Contains(all, "a8=Q+: e1; a8=R+: h2") || strings.Contains(all, "a7a8q on") {
			t.Errorf("the question is not asked in plain words:\n%s", all)
		}
		for _, line := range log {
			if back && strings.Contains(line, "illegal") {
				t.Errorf("called wrong: %s", line)
			}
		}
	}
}
