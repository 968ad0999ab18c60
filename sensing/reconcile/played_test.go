// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules/table/solo"
	"boardd/sensing/reconcile"
)

// slowly is for make soak: the scripts are played with all games that they name, and a second time, with a rest after
// each act.
var slowly = flag.Bool("slowly", false, "play the scripts in all their games, and slowly as well")

// TestScenariosAsPlayed: a referee follows the scripts and accepts what is recognised at once, as the daemon does. It
// does so even in the middle of a script, where TestScenarios goes on without. In the end the moves of the script
// stand, and no others, or the last of them is asked about. Each script is played on all its boards, with the first
// game that it names. With -slowly it is played with all of them. Then it is played again with a rest after each act
// that is long enough to let go.
func TestScenariosAsPlayed(t *testing.T) {
	used := map[string]bool{}
	limits := readLimits(t, "testdata/limits.txt")
	paces := []time.Duration{100 * time.Millisecond}
	if *slowly {
		paces = append(paces, 300*time.Millisecond)
	}
	for _, pace := range paces {
		for _, sc := range scripts(t) {
			if !sc.first && !*slowly {
				continue
			}
			name, why := pace.String()+"/"+sc.name, ""
			for part := range asPlayed {
				if strings.Contains(name, part) {
					used[part], why = true, asPlayed[part]
				}
			}
			t.Run(name, func(t *testing.T) {
				if why != "" {
					t.Skip(why)
				}
				t.Parallel()
				g := &played{scenario: newScenario(t, sc)}
				g.scenario.pace, g.scenario.pass, g.scenario.want = pace, g.pass, g.want
				if err := g.run(sc.body); err != nil {
					t.Fatal(err)
				}
				g.until(3*time.Second, func() bool { return g.b.last.State == reconcile.Synced })
				var err error
				if !g.right() {
					err = fmt.Errorf("got %v, want %v (state %v, touch %v)",
						g.stand(), g.made, g.b.last.State, g.b.last.Discrepancies)
				}
				limits.hold(t, "played", name, err)
			})
		}
	}
	for part := range asPlayed {
		if !used[part] && *slowly {
			t.Errorf("no script %q", part)
		}
	}
}

// asPlayed holds the scripts that do not fit a game in which moves are accepted at once. They stand by a part of their
// name, with the reason.
var asPlayed = map[string]string{
	// Over before it begins: with so little wood left it is a draw, and no move is expected.
	"chess/a king that stands in the centre announces nothing, when the other is put down": "two kings are a draw",
	"table/a king put down where it stood four plies ago, on its way to its square/": "kings and a bishop are a " +
		"draw",

	// The table offers a new game where the script takes all moves back.
	"table/a kibitzer shows a line of three plies and puts all back/":         "the array stands again after three plies",
	"more/the array is set up again out of a fight, everything in the hands/": "the array stands again after three plies",

	// A question is open, and the count of a pile flutters. The table takes that for the piece that answers the question.
	"people/two of three follow their like/twin/": "the count of a pile flutters while it is asked about",

	// Ends as wrong because two moves explain nothing together. Accepted one by one they are right.
	"people/locking: the climb is answered by a lock on top at once/": "the first move is " +
		"right, the reply to it illegal",
	"pillar/a pile comes to where nothing counts it, and the reply to an empty square like that/": "both moves are right",

	// About quick hands.
	"300ms/people/the queen goes from a hostile rook, and the rook follows under her/": "with the queen in the " +
		"hand for so long the rook took her",
	"300ms/people/a queen goes from a bishop, the bishop follows under her, quickly/stack/": "the correction is not " +
		"asked about when it is slow",
}

// played is a script that a referee follows.
type played struct {
	*scenario
	r    *solo.Table
	made []string // the moves that should stand
}

// pass lets time go by; what is recognised meanwhile is accepted.
func (g *played) pass(d time.Duration) bool {
	if g.r == nil {
		g.r = solo.New(g.b.g, g.p)
		g.b.d = g.r.Decoder
	}
	for end := g.b.now.Add(d); g.b.now.Before(end); {
		g.b.now = g.b.now.Add(reedSweep)
		g.b.sweep()
		g.r.Look(g.b.now)
		g.b.last = *g.r.Last()
	}
	return false
}

// stand returns the moves of the game as it stands.
func (g *played) stand() (names []string) {
	for i, m := range g.r.Moves() {
		names = append(names, g.r.At(i).Coord(m))
	}
	return names
}

// right reports whether the moves that were made stand, or are an answer to the open question.
func (g *played) right() bool {
	got, e := g.stand(), g.r.Last()
	if e.State != reconcile.Asking || slices.Equal(got, g.made) {
		return slices.Equal(got, g.made)
	}
	// A question about the move before may be answered by it: then the last one follows.
	got = got[:len(got)-e.Base]
	return len(g.made)-len(got) <= 1+e.Base && slices.ContainsFunc(e.Choices, func(c reconcile.Choice) bool {
		answered := append(slices.Clone(got), g.r.At(len(got)).Coord(c.Move))
		return len(answered) <= len(g.made) && slices.Equal(answered, g.made[:len(answered)])
	})
}

// until waits for something, but not for ever.
func (g *played) until(d time.Duration, ok func() bool) {
	for end := g.b.now.Add(d); !ok() && g.b.now.Before(end); {
		g.pass(reedSweep)
	}
}

// want notes which moves should stand, and gives the decoder time to find them. What else a line says is tested by
// TestScenarios.
func (g *played) want(w []string) error {
	switch w[0] {
	case "corrected":
		g.made = g.made[:max(0, len(g.made)-1)]
		fallthrough
	case "moved":
		g.made = append(g.made, w[1])
		g.until(time.Second, func() bool {
			got := g.stand()
			return len(got) >= len(g.made) && slices.Equal(got[:len(g.made)], g.made)
		})
	case "back":
		g.until(time.Second, func() bool { return len(g.r.Moves()) < len(g.made) && g.b.last.State == reconcile.Synced })
		g.made = g.made[:min(len(g.r.Moves()), max(0, len(g.made)-1))]
	case "ask":
		g.until(time.Second, func() bool { return g.b.last.State == reconcile.Asking })
	case "answer":
		e := &g.b.last
		base := 0
		if e.State == reconcile.Asking {
			base = min(e.Base, len(g.made))
		}
		g.made = append(g.made[:len(g.made)-base], w[1])
		for _, c := range e.Choices {
			if g.r.At(len(g.r.Moves())-base).Coord(c.Move) == w[1] {
				g.r.Answer(g.b.now, c.Move)
				break
			}
		}
	}
	return nil
}
