// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/game"
	"boardd/sync/wire"
)

// TestForeignJournal: the newest game of the journal is played on only by the board whose game it is, whatever it is
// called now. Another board says whose it is, keeps it, and plays its own.
func TestForeignJournal(t *testing.T) {
	state := t.TempDir()
	var log bytes.Buffer
	run := func(name string, do func(b *board)) {
		log.Reset()
		c := config.Default()
		c.Board, c.StateDir, c.Virtual, c.Variant, c.Level = name, state, true, "chess", "clean"
		b, err := newBoard(c, rig.Open, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		b.tellMended()
		do(b)
		must(t, b.journal.Close())
		must(t, b.rig.Close())
	}
	move := func(b *board, m string) {
		if r := b.answer(&wire.Command{ID: "1", Do: wire.DoMove, Move: m}, game.ByPage); !r.OK {
			t.Errorf("%s: %s", m, r.Error)
		}
	}
	holds := func(b *board, want string) {
		t.Helper()
		if got := strings.Join(b.table.Game().Coords(), " "); got != want {
			t.Errorf("%s plays on %q, want %q", b.id, got, want)
		}
	}
	run("south", func(b *board) { move(b, "e2e4") })
	run("renamed", func(b *board) { holds(b, "e2e4"); move(b, "e7e5") })
	key, others := filepath.Join(state, "board.key"), filepath.Join(t.TempDir(), "key")
	swap := func() {
		for _, way := range [][2]string{{key, others + ".next"}, {others, key}, {others + ".next", others}} {
			must(t, os.Rename(way[0], way[1]))
		}
	}
	must(t, os.Rename(key, others))
	run("north", func(b *board) {
		holds(b, "")
		if text := log.String(); !strings.Contains(text, "is of the board south") || strings.Contains(text, "key is gone") {
			t.Errorf("whose game it found is not said:\n%s", text)
		}
		move(b, "d2d4")
	})
	swap()
	run("south", func(b *board) { holds(b, "e2e4 e7e5"); move(b, "g1f3") })
	swap()
	run("north", func(b *board) { holds(b, "d2d4"); move(b, "d7d5") })
	var out bytes.Buffer
	conf := filepath.Join(t.TempDir(), "board.yaml")
	must(t, os.WriteFile(conf, fmt.Appendf(nil, "board: north\nstate_dir: %s\n", state), 0o600))
	r := program(t.Context(), "journal", "check", "--config", conf)
	r.Stdout, r.Stderr = &out, &out
	must(t, r.Run())
	for _, want := range []string{"chess, 3 moves, goes on (board south)", "chess, 2 moves, goes on (board north)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("journal check says\n%s\nwant %q", &out, want)
		}
	}
}
