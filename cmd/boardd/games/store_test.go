// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/cli"
	"boardd/rules/pgn"
	"boardd/sync/journal"
	"boardd/sync/web"
)

// TestTimeOfKeptGames: two games of one evening are told apart by their times. Those from files have the time of their
// tags, if that is one.
func TestTimeOfKeptGames(t *testing.T) {
	dir := t.TempDir()
	var played [][]byte
	for _, r := range resigned(t, "north", "north") {
		played = append(played, r.Payload)
	}
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, journal.Version, played); err != nil {
		t.Fatal(err)
	}
	src := ""
	for _, tags := range []string{`[Time "19:40:05"]`, `[UTCTime "18:40:05"]`, `[Time "evening"]`, ""} {
		src += "[Date \"2026.11.23\"]\n" + tags + "\n\n1. e4 e5 *\n\n"
	}
	std := cli.Std{In: strings.NewReader(src), Out: io.Discard, Err: io.Discard}
	if err := Import(t.Context(), std, []string{"--state", dir, "-"}); err != nil {
		t.Fatal(err)
	}
	s := Store{State: dir, Analyst: analysis.New(filepath.Join(dir, "analysis"), nil, nil, nil)}
	list, _, err := s.Games(0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range list {
		got = append(got, k.Date+" "+k.Time)
	}
	want := []string{"2026-11-20 13:00", "2026-11-20 12:00", "2026-11-23 19:40", "2026-11-23 18:40", "2026-11-23 ",
		"2026-11-23 "}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyImported: very many games from files would take a hundred times their size of memory, so one list has only
// the first ones. Each game is found there or in the next lists, all are exported, and a file that cannot be read
// hides no other one.
func TestManyImported(t *testing.T) {
	dir := t.TempDir()
	var src bytes.Buffer
	const n = 3 * mostImported
	for i := range n {
		fmt.Fprintf(&src, "[White \"%d\"]\n[Annotator \"%s\"]\n\n1. e4 e5 2. Nf3 *\n\n", i, strings.Repeat("x", 3500))
	}
	var out bytes.Buffer
	std := cli.Std{In: &src, Out: &out, Err: &out}
	if err := Import(t.Context(), std, []string{"--state", dir, "-"}); err != nil ||
		!strings.Contains(out.String(), fmt.Sprintf("games kept in %s: %d\n", filepath.Join(dir, imported), n)) {
		t.Fatalf("import: %v, %s", err, out.String())
	}
	files, err := os.ReadDir(filepath.Join(dir, imported))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v; want some", len(files), err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Size() > pgn.Limit/2 {
			t.Errorf("%s has %d bytes, %v; want less than is read", f.Name(), info.Size(), err)
		}
	}
	large := filepath.Join(dir, imported, "0.pgn")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 1<<40); err != nil {
		t.Fatal(err)
	}
	s := Store{State: dir, Analyst: analysis.New(filepath.Join(dir, "analysis"), nil, nil, nil)}
	var list []web.StoredGame
	for after := range 3 {
		after *= mostImported
		some, next, err := s.Games(after)
		if want := (after + mostImported) % n; err != nil || len(some) != mostImported || next != want {
			t.Fatalf("%d games after %d, next %d, %v; want %d, next %d", len(some), after, next, err, mostImported, want)
		}
		list = append(list, some...)
	}
	for _, k := range []int{0, mostImported, n - 1} {
		if text, err := s.PGN(list[k].Game); err != nil ||
			!strings.Contains(string(text), fmt.Sprintf("[White %q]", list[k].White)) {
			t.Errorf("game %d: %v, %.100s", k, err, text)
		}
	}
	if _, err := s.PGN("file-0-1"); err == nil {
		t.Error("a game that is none was found")
	}
	if err := os.Remove(large); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := Export(t.Context(), std, []string{"--state", dir}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "[White ") {
			seen[line] = true
		}
	}
	if len(seen) != n || !slices.Contains(strings.Split(out.String(), "\n"), `[White "2999"]`) {
		t.Errorf("%d games are exported, want %d", len(seen), n)
	}
}

// asks is a context that notes whether somebody asks it for its end.
type asks struct {
	context.Context
	asked bool
}

func (a *asks) Done() <-chan struct{} {
	a.asked = true
	return a.Context.Done()
}

// TestImportWritesWhole: an interrupt ends an import while it reads, and waits while it writes.
func TestImportWritesWhole(t *testing.T) {
	for text, want := range map[string]bool{"1. e4 e5 *\n": true, "1. e4 e9 *\n": false} {
		ctx := &asks{Context: t.Context()}
		std := cli.Std{In: strings.NewReader(text), Out: io.Discard, Err: io.Discard}
		if err := Import(ctx, std, []string{"--state", t.TempDir(), "-"}); (err == nil) != want || ctx.asked != want {
			t.Errorf("%q: error %v, kept whole %v, want %v", text, err, ctx.asked, want)
		}
	}
}

// TestExportCutsNothing: a file of games is written whole, however large it is.
func TestExportCutsNothing(t *testing.T) {
	state := t.TempDir()
	if err := os.MkdirAll(filepath.Join(state, imported), 0o750); err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("[Event \"?\"]\n\n1. e4 *\n\n", 1<<20)
	if err := os.WriteFile(filepath.Join(state, imported, "old.pgn"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := writeImported(&out, state); err != nil || out.Len() != len(text) {
		t.Errorf("%d of %d bytes, %v", out.Len(), len(text), err)
	}
}
