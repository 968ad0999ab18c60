package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestReplay: what a board sensed while a game was played is felt again, and gives the same moves.
func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, "run", "--config", writeConfig(t, dir, "locking", "stack", ""))
	r.await("table", "the array stands", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	r.move("table", "d8", "e8", 1)
	r.await("table", "Qe8* is made", moved("e2e4", "d8e8*"))
	if _, reply := r.post("table", "command", `{"id":"1","do":"move","move":"g1f3"}`); reply["ok"] != true {
		t.Fatalf("the command is refused: %v", reply)
	}
	r.move("table", "g1", "f3", 1)
	r.await("table", "the move is copied", func(g *wire.Game) bool { return len(g.Moves) == 3 && g.Wood.State == wire.Synced })
	r.move("table", "e8", "e6", 1)
	r.await("table", "Qe6 is made", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	r.stop()

	traces, err := filepath.Glob(filepath.Join(dir, "state/traces/*.trace"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("traces %v, %v; want one", traces, err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"replay", traces[0]}, std{strings.NewReader(""), &out, &errs}); status != 0 {
		t.Fatalf("status %d, %s\n%s", status, &errs, &out)
	}
	for _, want := range []string{"e2e4 ", "d8e8* ", "e8e6 ", "0 differ"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the replay lacks %q:\n%s", want, &out)
		}
	}
}
