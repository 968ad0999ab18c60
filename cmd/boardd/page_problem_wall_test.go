// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"testing"

	"boardd/rules"
	"boardd/rules/search/problems"
	"boardd/sync/broker"
	"boardd/sync/wire"

	"github.com/chromedp/chromedp"
)

// TestProblemWall: the wall shows a table with a problem by its position, the score, and later the key. The table
// publishes the key when the problem has stood for two minutes (TestKeyReachesTheWall of rules/table).
func TestProblemWall(t *testing.T) {
	t.Parallel()
	looked(t)
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	c := newClub(t, br.URL(), 1)
	v, err := rules.ByID("meirav")
	if err != nil {
		t.Fatal(err)
	}
	list, err := problems.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	pr := list[0]
	p, err := v.ParseFEN(pr.FEN)
	if err != nil {
		t.Fatal(err)
	}
	key, err := p.ParseMove(pr.Key)
	if err != nil {
		t.Fatal(err)
	}
	say := func(key *wire.Best, solved int) {
		c.games[0] = wire.Game{Schema: wire.Schema, Game: c.games[0].Game, Variant: v.ID(), Seats: c.games[0].Seats,
			Start: pr.FEN, FEN: pr.FEN, Turn: p.Turn().String(), Wood: wire.Wood{State: wire.Synced},
			Problem: &wire.Problem{Number: 1, Of: len(list), In: pr.In, State: "find", Solved: solved, Shown: solved,
				Key: key}}
		if c.tell(0); c.bad(0) != nil {
			t.Fatal(c.bad(0))
		}
	}
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", "mqtt:\n  url: "+br.URL()+"\n"))
	ctx := browser(t, 1440, 900, r.page+"wall")
	words := func(what, want string) {
		t.Helper()
		soon(t, ctx, what, fmt.Sprintf(
			`document.querySelector(".table[data-board='table-1'] .words")?.textContent.startsWith(%q)`, want))
	}
	pieces := 0
	for s := range rules.NoSquare {
		for _, pc := range p.AppendStack(nil, s) {
			if pc != rules.NoPiece {
				pieces++
			}
		}
	}
	mate := fmt.Sprintf("Mate in %d", pr.In)
	say(nil, 0)
	words("the problem", mate+" · table-1 · ")
	soon(t, ctx, "its position", fmt.Sprintf(
		`document.querySelectorAll(".table[data-board='table-1'] .mini .glyph").length === %d`, pieces))
	say(nil, 2)
	words("the score", mate+" · 2 of 2 solved · table-1 · ")
	san := p.SAN(key)
	say(&wire.Best{Move: pr.Key, SAN: san}, 2)
	words("the key", mate+" · 2 of 2 solved · key: "+san+" · table-1 · ")
	keep(t, ctx, "problem-wall-key.png")
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	keep(t, ctx, "problem-wall-key-390.png")
	noErrors(t, ctx)
}
