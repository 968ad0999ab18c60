// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/sensing"
	"boardd/sync/wire"
)

// TestReplay: replaying what a board sensed during a game gives the same moves.
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
	r.await("table", "the move is copied",
		func(g *wire.Game) bool { return len(g.Moves) == 3 && g.Wood.State == wire.Synced })
	r.move("table", "e8", "e6", 1)
	r.await("table", "Qe6 is made", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	r.stop()

	traces, err := filepath.Glob(filepath.Join(dir, "state/traces/*.trace"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("traces %v, %v; want one", traces, err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"replay", traces[0]}, cli.Std{In: strings.NewReader(""), Out: &out,
		Err: &errs}); status != 0 {
		t.Fatalf("status %d, %s\n%s", status, &errs, &out)
	}
	for _, want := range []string{"e2e4 ", "d8e8* ", "e8e6 ", "0 differ"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the replay lacks %q:\n%s", want, &out)
		}
	}
}

// TestReplayNoEscapes: what a stranger's trace gives as a move cannot control a terminal.
func TestReplayNoEscapes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace")
	text := "boardd-trace 1\ngame chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" +
		"r 5671 0 ffffffffffffffff ffff00000000ffff\nm 9000 \x1b[2J\u202e\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	run(t.Context(), []string{"replay", name}, cli.Std{In: strings.NewReader(""), Out: &out, Err: &errs})
	if got := out.String(); !strings.Contains(got, "[2J") || got != cli.Clean(got) {
		t.Errorf("printed: %q; %s", got, &errs)
	}
}

// TestReplayOfSlips: in the trace moves were corrected and taken back, by hand and on the page, and one was asked
// about. It replays as it was played, and says itself on which board that was.
func TestReplayOfSlips(t *testing.T) {
	aboard(t, func(w *troubled, end func()) func() {
		traces := filepath.Join(w.b.conf.StateDir, "traces")
		must(t, os.Remove(traces))
		w.ordered(wire.Command{Do: wire.DoNew})
		w.until("the array stands", synced)
		carry := func(from, to string) {
			time.Sleep(300 * time.Millisecond) // people do not move at the instant at which the board has noticed a move
			w.carry(from, to)
		}
		made := func(moves ...string) func(*wire.Game) bool {
			return func(g *wire.Game) bool { return moved(moves...)(g) && synced(g) }
		}
		carry("e2", "e3")
		w.until("a move", made("e2e3"))
		carry("e3", "e4")
		w.until("it is corrected", made("e2e4"))
		carry("e7", "e5")
		w.until("the reply", made("e2e4", "e7e5"))
		carry("e5", "e7")
		w.until("it is taken back", made("e2e4"))
		carry("d7", "d5")
		w.until("another reply", made("e2e4", "d7d5"))
		time.Sleep(time.Second) // somebody walks to the page
		w.ordered(wire.Command{Do: wire.DoTakeback})
		carry("d5", "d7")
		w.until("that is taken back", made("e2e4"))
		w.ordered(wire.Command{Do: wire.DoMove, Move: "c7c5"})
		carry("c7", "c5")
		w.until("the move is copied", made("e2e4", "c7c5"))
		carry("c5", "c7")
		w.until("the copy is taken back", made("e2e4"))
		carry("g8", "f6")
		w.until("one more", made("e2e4", "g8f6"))
		takes := func(from, to string) {
			must(w.t, w.v.Lift("left", sensing.Lower, at(to).Square(), 1))
			must(w.t, w.v.Discard("left"))
			time.Sleep(300 * time.Millisecond)
			carry(from, to)
		}
		last := func(move string) func(*wire.Game) bool {
			return func(g *wire.Game) bool { return len(g.Moves) > 0 && g.Moves[len(g.Moves)-1] == move && synced(g) }
		}
		carry("e4", "e5")
		w.until("a move", last("e4e5"))
		carry("a7", "a6")
		w.until("a move", last("a7a6"))
		takes("e5", "f6")
		w.until("a capture", last("e5f6"))
		carry("a6", "a5")
		w.until("a move", last("a6a5"))
		takes("f6", "g7")
		w.until("a capture", last("f6g7"))
		carry("a5", "a4")
		w.until("a move", last("a5a4"))
		takes("g7", "h8")
		w.until("it is asked what the pawn becomes", func(g *wire.Game) bool { return g.Wood.State == wire.Asking })
		w.ordered(wire.Command{Do: wire.DoAnswer, Move: "g7h8n"})
		must(w.t, w.v.Lift("right", sensing.Lower, at("h8").Square(), 1))
		must(w.t, w.v.Discard("right"))
		time.Sleep(300 * time.Millisecond)
		must(w.t, w.v.Take("right", []byte("N")))
		must(w.t, w.v.Place("right", sensing.Lower, at("h8").Square()))
		w.until("it is a knight", last("g7h8n"))
		carry("a4", "a3")
		w.until("a move", last("a4a3"))
		end()
		files, err := filepath.Glob(filepath.Join(traces, "*.trace"))
		if err != nil || len(files) != 1 {
			t.Fatalf("traces %v, %v; want one", files, err)
		}
		var out, errs bytes.Buffer
		if status := run(w.t.Context(), []string{"replay", files[0]}, cli.Std{In: strings.NewReader(""), Out: &out,
			Err: &errs}); status != 0 || !strings.Contains(out.String(), " 0 differ") {
			t.Errorf("status %d, %s\n%s", status, &errs, &out)
		}
		return func() {}
	})
}
