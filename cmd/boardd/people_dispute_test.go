// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardd/sync/wire"
)

// TestDisputeOnBothPages: a board comes back with an old copy of its disk, and another move is made there than the one
// that was sent. Both pages show the contradiction, and neither board changes anything. Then one player gives way. The
// lights of that board ask for the other move, and both pages show the same game again.
func TestDisputeOnBothPages(t *testing.T) {
	t.Parallel()
	looked(t)
	d := onOneBroker(t)
	online := d.config("rome", "oslo", "local", "")
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", ""))
	d.rome = start(t, "run", "--config", online)
	d.meet()
	d.play(1, "e2", "e4")
	home, old := filepath.Dir(online), filepath.Join(d.dir, "old")
	d.rome.stop()
	if err := os.CopyFS(old, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	d.rome = start(t, "run", "--config", online)
	d.rome.await("rome", "it has come back", synced)
	d.play(2, "e7", "e5")
	d.rome.stop()
	if err := errors.Join(os.RemoveAll(home), os.CopyFS(home, os.DirFS(old))); err != nil {
		t.Fatal(err)
	}
	url := d.url
	d.url = "tcp://127.0.0.1:1" // nothing answers there
	d.rome = start(t, "run", "--config", d.config("rome", "oslo", "local", ""))
	d.rome.await("rome", "it is as it was before its move",
		func(g *wire.Game) bool { return synced(g) && len(g.Moves) == 1 })
	d.rome.move("rome", "c7", "c5", 1)
	d.rome.await("rome", "another move is made", func(g *wire.Game) bool { return moved("e2e4", "c7c5")(g) && synced(g) })
	d.rome.stop()
	d.url = url
	d.rome = start(t, "run", "--config", d.config("rome", "oslo", "local", ""))

	oslo, rome := d.oslo.person("oslo", 1440, 900), d.rome.person("rome", 390, 844)
	for p, mine := range map[*person]string{oslo: "e7e5", rome: "c7c5"} {
		p.soon("the line is the one of a conflict", `document.querySelector("[data-board] .now").dataset.kind === "conflict"`)
		g := p.r.await(p.board, "a conflict", func(g *wire.Game) bool { return g.Conflict != "" })
		if !slices.Equal(g.Moves, []string{"e2e4", mine}) || !synced(&g) {
			t.Errorf("%s shows %s, want its own move", p.board, standsAs(&g))
		}
		keep(t, p.ctx, "dispute-"+p.board+".png")
	}
	oslo.push(".answers [data-do=settle]")
	oslo.says(".moves", "c5")
	g := d.oslo.await("oslo", "the other move is lit", func(g *wire.Game) bool {
		return moved("e2e4", "c7c5")(g) && g.Conflict == "" && slices.Equal(touched(g), []string{"c5", "c7", "e5", "e7"})
	})
	d.oslo.mend("oslo", &g)
	for _, p := range []*person{oslo, rome} {
		p.r.await(p.board, "they agree again", func(g *wire.Game) bool {
			return moved("e2e4", "c7c5")(g) && g.Conflict == "" && synced(g)
		})
		p.says(".state", "White to move")
	}
}
