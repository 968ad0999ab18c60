// SPDX-License-Identifier: Apache-2.0

package games

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/history"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/journal"
)

// TestEnded: a game that ended gets its file when that is possible again. So do those of the journal that have none at
// a start, but not a game whose end was taken back, or of another board.
func TestEnded(t *testing.T) {
	state := t.TempDir()
	folder := filepath.Join(state, "games")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := NewEnded(state, slog.New(slog.DiscardHandler))
	for _, id := range []string{"a", "b", "c"} {
		e.Keep(id, []byte(id))
	}
	e.Remove("b")
	e.Retry()
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	e.Keep("d", []byte("d"))
	for range 5 {
		e.Retry()
	}
	if got := names(t, folder); got != "a.pgn c.pgn d.pgn" {
		t.Errorf("files %q, want those of a, c and d", got)
	}
	e.Miss(history.Read(resigned(t, "north", "north", "south", "")), "north", nil)
	for range 5 {
		e.Retry()
	}
	if got := names(t, folder); got != "a.pgn c.pgn d.pgn g0.pgn g1.pgn" {
		t.Errorf("files %q, want those of the games g0 and g1 as well", got)
	}
	if text, err := os.ReadFile(e.Path("g1")); err != nil || !strings.Contains(string(text), "1.e4 0-1") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestEndedEmptied: the file of a game that was emptied, as by a power cut, is written again from the journal. What
// else stands in its place stays, and is named.
func TestEndedEmptied(t *testing.T) {
	var log strings.Builder
	e := NewEnded(t.TempDir(), slog.New(slog.NewTextHandler(&log, nil)))
	book := history.Read(resigned(t, "north", "north", "north"))
	e.Miss(book, "north", nil)
	for range 5 {
		e.Retry()
	}
	whole, err := os.ReadFile(e.Path("g0"))
	if err = errors.Join(err, os.WriteFile(e.Path("g0"), nil, 0o600), os.Remove(e.Path("g1")),
		os.Mkdir(e.Path("g1"), 0o700), os.WriteFile(e.Path("g2"), []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	e.Miss(book, "north", nil)
	for range 5 {
		e.Retry()
	}
	if text, err := os.ReadFile(e.Path("g0")); err != nil || string(text) != string(whole) || len(whole) == 0 {
		t.Errorf("emptied, and now %q: %v", text, err)
	}
	if !strings.Contains(log.String(), e.Path("g1")) || len(e.waiting) > 0 {
		t.Errorf("a folder in the place of a file is not named, or tried for ever: %s", &log)
	}
	if text, err := os.ReadFile(e.Path("g2")); err != nil || string(text) != "mine" {
		t.Errorf("what somebody wrote is gone: %q, %v", text, err)
	}
}

// TestEndedBounded: where no file can be written for ever, not all games are in memory.
func TestEndedBounded(t *testing.T) {
	e := NewEnded("/dev/null", slog.New(slog.DiscardHandler))
	for i := range 2 * mostWaiting {
		e.Keep(fmt.Sprint(i), nil)
	}
	if len(e.waiting) != mostWaiting || e.waiting[0].id != fmt.Sprint(mostWaiting) {
		t.Errorf("%d games wait, the first is %s", len(e.waiting), e.waiting[0].id)
	}
}

func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// resigned are the records of a game of each board, which ended by resignation; "" is a game of north that goes on.
func resigned(t *testing.T, boards ...string) (records []journal.Record) {
	t.Helper()
	var s history.Scribe
	add := func(e game.Event) {
		data, err := s.Encode(&table.Record{Event: &e})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, journal.Record{Payload: data})
	}
	for i, board := range boards {
		at := time.Date(2026, 11, 20, 12+i, 0, 0, 0, time.UTC)
		set := game.Setup{ID: fmt.Sprintf("g%d", i), Variant: "chess", White: game.Local, Black: game.Local, Board: board}
		if board == "" {
			set.Board = "north"
		}
		e, err := game.Start(set, at)
		if err != nil {
			t.Fatal(err)
		}
		add(e)
		add(game.Event{Kind: game.Moved, At: at.Add(time.Second), Move: "e2e4"})
		if board != "" {
			add(game.Event{Kind: game.Ended, At: at.Add(2 * time.Second), Outcome: "0-1", Reason: "resignation"})
		}
	}
	return records
}
