// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"

	"boardd/rules"
	"boardd/sync/wire"
)

// TestProblemAfterPowerCut: a power cut loses nothing of the solving. The wrong try that stands on the board counts
// once, and the score, the problems that were shown and the earlier players are kept.
func TestProblemAfterPowerCut(t *testing.T) {
	t.Parallel()
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	number, _, key, wrong := solvable(t, v)
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "")
	r := start(t, "run", "--config", conf)
	cut := func() {
		if err := r.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		r.end() //nolint:errcheck // it was killed
		r = start(t, "run", "--config", conf)
	}
	r.await("table", "the array stands", synced)
	r.command("table", fmt.Sprintf(`{"id":"1","do":"new","options":{"problem":"%d"}}`, number))
	g := r.await("table", "the problem is lit", func(g *wire.Game) bool {
		return g.Problem != nil && g.Wood.State == wire.Setup && len(g.Wood.Squares) > 0
	})
	r.copied(&g)
	try := func(move string) {
		r.command("table", fmt.Sprintf(`{"id":"2","do":"move","move":%q}`, move))
		g = r.await("table", move+" is made", func(g *wire.Game) bool { return len(g.Moves) == 1 })
		r.copied(&g)
	}
	refuted := func(g *wire.Game) bool { return g.Problem != nil && g.Problem.State == "refuted" && synced(g) }
	try(wrong)
	r.await("table", "it is refuted", refuted)
	cut()
	g = r.await("table", "it is refuted after the power cut", refuted)
	if g.Problem.Tries != 1 {
		t.Errorf("%d wrong tries after the power cut, want 1", g.Problem.Tries)
	}
	r.command("table", `{"id":"3","do":"takeback"}`)
	g = r.await("table", "it is taken back",
		func(g *wire.Game) bool { return g.Problem.State == "find" && len(g.Moves) == 0 })
	cut()
	if g = r.await("table", "it is taken back after the power cut",
		func(g *wire.Game) bool { return g.Problem != nil }); g.Problem.Tries != 1 || g.Problem.State != "find" {
		t.Errorf("after the takeback it stands as %+v, want one wrong try", g.Problem)
	}
	r.copied(&g)
	try(key)
	g = r.await("table", "the key is answered", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	r.copied(&g)
	p, err := v.ParseFEN(g.FEN)
	if err != nil {
		t.Fatal(err)
	}
	r.command("table", fmt.Sprintf(`{"id":"6","do":"move","move":%q}`, mating(t, &p)))
	counted := func(g *wire.Game) bool { return g.Problem != nil && g.Problem.Solved == 1 && g.Problem.Shown == 1 }
	r.await("table", "it counts", counted)
	cut()
	r.await("table", "it counts after the power cut", counted)
	r.command("table", `{"id":"7","do":"new","options":{"problem":"next"}}`)
	g = r.await("table", "the next one is shown",
		func(g *wire.Game) bool { return g.Problem != nil && g.Problem.Number != number })
	if !counted(&g) || g.Problem.Tries != 0 {
		t.Errorf("the next one begins with %+v", g.Problem)
	}
	cut()
	if g = r.await("table", "it is there after the power cut",
		func(g *wire.Game) bool { return g.Problem != nil }); !counted(&g) {
		t.Errorf("after the power cut it stands as %+v", g.Problem)
	}
	second := g.Problem.Number
	r.command("table", `{"id":"8","do":"new","options":{"problem":"next"}}`)
	r.await("table", "the third one is neither of those", func(g *wire.Game) bool {
		return g.Problem != nil && g.Problem.Number != number && g.Problem.Number != second
	})
	r.command("table", `{"id":"9","do":"new"}`)
	g = r.await("table", "the problems are over", func(g *wire.Game) bool { return g.Problem == nil })
	if g.Seats.White != "local" || g.Seats.Black != "local" {
		t.Errorf("afterwards %+v, want the two people who sat here before", g.Seats)
	}
}
