// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// toyGame is a game in one file: chess without castling.
const toyGame = `package rules

var toy = Variant{
	id: "toy", name: "Toy Chess",
	moves: toyMoves, wood: chessWood, passing: chessPassing, checkers: chessCheckers,
	words: orthodox.words, dead: chessDead, why: chessWhy, checked: "1",
	setup: orthodox.setup,
}

func toyMoves(p *Position, s *sink) {
	q := *p
	q.rights = 0
	chessMoves(&q, s)
}
`

// endsWithTests ends the program with the tests, however they end; see endWithParent.
const endsWithTests = `package main

import (
	"os"
	"time"
)

func init() {
	go func(parent int) {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}(os.Getppid())
}
`

// TestSeventhGame: one more game needs one file and one line. It is added in a copy of the tree. Hands then play it
// over the broker on two boards, and the page knows it.
func TestSeventhGame(t *testing.T) {
	thorough(t)
	t.Parallel()
	tree := t.TempDir()
	if err := os.CopyFS(tree, sources{os.DirFS("../..")}); err != nil {
		t.Fatal(err)
	}
	put := func(name, old, text string) {
		name = filepath.Join(tree, name)
		if old != "" {
			was, err := os.ReadFile(name)
			if err != nil || strings.Count(string(was), old) != 1 {
				t.Fatalf("%s: %v, want %q once", name, err, old)
			}
			text = strings.Replace(string(was), old, text, 1)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("rules/toy.go", "", toyGame)
	put("cmd/boardd/orphan.go", "", endsWithTests)
	put("rules/variant.go", "	&flying,\n", "	&flying,\n	&toy,\n")
	record := filepath.Join(tree, "toy.pgn")
	put("toy.pgn", "", "[Variant \"toy\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n")
	// with -trimpath, packages that no game touches are not compiled again
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", "boardd", "./cmd/boardd")
	build.Dir, build.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}

	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	args := []string{"demo", "--variant", "toy", "--play", record, "--pace", "0.3", "--listen", "127.0.0.1:0", "--mqtt",
		"127.0.0.1:0"}
	demo := exec.CommandContext(ctx, filepath.Join(tree, "boardd"), args...)
	demo.Cancel = func() error { return demo.Process.Signal(os.Interrupt) }
	r := startProgram(t, cancel, demo)
	if reply, err := http.Get(r.page + "games.js"); err != nil {
		t.Error(err)
	} else {
		games, err := io.ReadAll(reply.Body)
		reply.Body.Close() //nolint:errcheck // it was only read
		if err != nil || !strings.Contains(string(games), `"toy": {"name":"Toy Chess"`) {
			t.Errorf("the page does not know the game: %v, %s", err, games)
		}
	}
	watch := spectate(t, r.mqtt)
	for _, board := range []string{"north", "south"} {
		g := r.await(board, "the game is played out", func(g *wire.Game) bool { return g.Outcome == "1-0" })
		if g.Variant != "toy" || len(g.Moves) != 7 || g.Reason != "checkmate" {
			t.Errorf("%s shows %s, %v, %s", board, g.Variant, g.Moves, g.Reason)
		}
		if !watch.within(soonEnough, func(from, leaf string, payload []byte) bool {
			return from == board && leaf == wire.LeafGame && strings.Contains(string(payload), `"variant":"toy"`) &&
				strings.Contains(string(payload), `"outcome":"1-0"`)
		}) {
			t.Errorf("the broker does not have the game of %s", board)
		}
	}
}

// sources is a tree with only what is needed to build the program.
type sources struct{ fs.FS }

// ReadDir leaves out hidden folders, built files, drawings, pictures and recorded traces.
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	kept := list[:0]
	for _, e := range list {
		n := e.Name()
		if strings.HasPrefix(n, ".") || n == "build" || n == "testdata" || n == "schematics" || n == "pictures" ||
			strings.HasSuffix(n, "_test.go") {
			continue
		}
		kept = append(kept, e)
	}
	return kept, err
}
