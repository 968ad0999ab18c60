// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/history"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/journal"
)

// stored are the records of three games, each of two moves.
func stored(t *testing.T) (payloads [][]byte) {
	t.Helper()
	var s history.Scribe
	add := func(e game.Event) {
		data, err := s.Encode(&table.Record{Event: &e})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, data)
	}
	for i, line := range []string{"e2e4 e7e5", "d2d4 d7d5", "c2c4 c7c5"} {
		at := time.Date(2026, 11, 20, 12+i, 0, 0, 0, time.UTC)
		e, err := game.Start(game.Setup{ID: fmt.Sprintf("g%d", i), Variant: "chess", White: game.Local, Black: game.Local,
			Board: "north"}, at)
		if err != nil {
			t.Fatal(err)
		}
		add(e)
		for n, m := range strings.Fields(line) {
			add(game.Event{Kind: game.Moved, At: at.Add(time.Duration(n+1) * time.Second), Move: m})
		}
	}
	return payloads
}

// state is a state folder with a journal of a version.
func state(t *testing.T, v uint32) (dir, segment string) {
	t.Helper()
	dir = t.TempDir()
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, v, stored(t)); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, "journal", "00000001.journal")
}

// command runs boardd journal.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &out}, args)
	return out.String(), err
}

// courses are the games in a journal folder.
func courses(t *testing.T, dir string) string {
	t.Helper()
	records, report, err := journal.Read(dir, journal.Options{})
	if err != nil || report.String() != "" {
		t.Fatal(err, report)
	}
	b := history.Read(records)
	if b.String() != "" {
		t.Fatal(b)
	}
	var all []string
	for _, g := range b.Games {
		all = append(all, g.ID()+" "+strings.Join(g.Coords(), " "))
	}
	return strings.Join(all, ", ")
}

func damage(t *testing.T, segment, where string) int {
	t.Helper()
	data, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(data), where)
	if i < 0 {
		t.Fatalf("%s is not in %s", where, segment)
	}
	data[i+1] ^= 1
	if err := os.WriteFile(segment, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return i
}

func TestCheckAndSalvage(t *testing.T) {
	for _, v := range []uint32{1, 2} {
		dir, segment := state(t, v)
		if out, err := command(t, "check", "--state", dir); err != nil ||
			!strings.Contains(out, "game g1: chess, 2 moves, goes on") {
			t.Errorf("a whole journal: %v\n%s", err, out)
		}
		damage(t, segment, `"d7d5"`)
		before, err := os.ReadFile(segment)
		if err != nil {
			t.Fatal(err)
		}
		out, err := command(t, "check", "--state", dir)
		if err == nil || !strings.Contains(out, "damaged: ") || !strings.Contains(out, "game g1: chess, 1 move") ||
			!strings.Contains(out, "game g2: chess, 2 moves") {
			t.Errorf("a damaged one: %v\n%s", err, out)
		}
		for _, format := range []string{"1", "2"} {
			to := filepath.Join(t.TempDir(), "new")
			if out, err := command(t, "salvage", "--state", dir, "--format", format, to); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, want := courses(t, to), "g0 e2e4 e7e5, g1 d2d4, g2 c2c4 c7c5"; got != want {
				t.Errorf("version %d, saved as %s: %q, want %q", v, format, got, want)
			}
			head, err := os.ReadFile(filepath.Join(to, "00000001.journal"))
			if err != nil || head[8] != format[0]-'0' {
				t.Errorf("the format is %d, want %s: %v", head[8], format, err)
			}
			if _, err := command(t, "salvage", "--state", dir, to); err == nil ||
				!strings.Contains(err.Error(), "holds a journal already") {
				t.Errorf("into the same folder again: %v", err)
			}
		}
		if after, err := os.ReadFile(segment); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the old journal was changed: %v", err)
		}
	}
}

// TestSalvageWhatWasCut: before version 2 everything after a damage was cut off, even whole games.
func TestSalvageWhatWasCut(t *testing.T) {
	dir, segment := state(t, 1)
	at := damage(t, segment, `"e7e5"`)
	data, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	at = bytes.LastIndex(data[:at], []byte(`{"v"`)) - 8 // the frame of the damaged record
	if err := os.WriteFile(fmt.Sprintf("%s.%d.cut", segment, at), data[at:], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(segment, data[:at], 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "new")
	out, err := command(t, "salvage", "--state", dir, to)
	if err != nil || !strings.Contains(out, "2 of them from what was cut off earlier") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := courses(t, to), "g1 d2d4 d7d5, g2 c2c4 c7c5, g0 e2e4"; got != want {
		t.Errorf("saved %q, want %q: the game that goes on stands last", got, want)
	}
}

// TestSalvageKeepsTheUnknown: records of kinds and versions that this one does not know stay in their place. For
// version 0.1.0, which would read no further than to them, they are set aside.
func TestSalvageKeepsTheUnknown(t *testing.T) {
	all := stored(t)
	unknown := [][]byte{[]byte(`{"v":3,"kind":{"is":"an object"}}`),
		[]byte(`{"v":2,"game":"g1","board":"north","kind":"adjourned","at":"2026-11-20T13:00:01Z","plies":1}`),
		[]byte(`{"v":9,"kind":"moved"}`)}
	all = slices.Insert(all, 5, unknown[1]) // after the first move of g1
	all = append(slices.Insert(all, 0, unknown[0]), unknown[2])
	dir := t.TempDir()
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, journal.Version, all); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]struct {
		payloads [][]byte
		says     string
	}{
		"1": {nil, "records that this version does not know, set aside: 3\n"},
		"2": {all, "records that this version does not know, kept in their place: 3\n"},
	} {
		to := filepath.Join(t.TempDir(), "new")
		out, err := command(t, "salvage", "--state", dir, "--format", format, to)
		if err != nil || !strings.Contains(out, want.says) {
			t.Errorf("format %s: %v, want %q in\n%s", format, err, want.says, out)
		}
		if got, want := courses(t, to), "g0 e2e4 e7e5, g1 d2d4 d7d5, g2 c2c4 c7c5"; got != want {
			t.Errorf("format %s: %q, want %q", format, got, want)
		}
		records, _, err := journal.Read(to, journal.Options{})
		got := journal.Payloads(records)
		if err != nil || want.payloads != nil && !reflect.DeepEqual(got, want.payloads) {
			t.Errorf("format %s: %v, the new journal holds\n%s\nwant\n%s", format, err, bytes.Join(got, []byte("\n")),
				bytes.Join(want.payloads, []byte("\n")))
		}
		aside, err := os.ReadFile(filepath.Join(to, "aside.jsonl"))
		for _, p := range unknown {
			if there := bytes.Contains(aside, p); there != (format == "1") {
				t.Errorf("format %s: set aside %t: %s: %v", format, there, p, err)
			}
			if format == "1" && bytes.Contains(bytes.Join(got, nil), p) {
				t.Errorf("version 0.1.0 would read no further than to %s", p)
			}
		}
	}
}

// TestSalvageIntoAnEmptyFolder: what lies in the folder that is named is not overwritten.
func TestSalvageIntoAnEmptyFolder(t *testing.T) {
	dir, segment := state(t, 2)
	damage(t, segment, `"d7d5"`)
	for _, name := range []string{"aside.jsonl", "00000001.journal", "letter"} {
		to := t.TempDir()
		file := filepath.Join(to, name)
		if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := command(t, "salvage", "--state", dir, to)
		if text, _ := os.ReadFile(file); err == nil || string(text) != "mine" { //nolint:errcheck // then it is gone
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if list, err := os.ReadDir(to); len(list) != 1 {
			t.Errorf("%s: %d files, %v: want nothing new", name, len(list), err)
		}
	}
}

func TestWrongUse(t *testing.T) {
	dir, _ := state(t, 2)
	for _, args := range [][]string{{}, {"mend"}, {"check"}, {"check", "--state", dir, "x"}, {"salvage", "--state", dir},
		{"salvage", "--state", dir, "--format", "3", "x"}} {
		if _, err := command(t, args...); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	if _, err := command(t, "check", "--state", filepath.Join(dir, "nowhere")); err == nil ||
		!strings.Contains(err.Error(), "no state folder") {
		t.Errorf("no journal there: %v", err)
	}
}

// TestGone: a journal that somebody has emptied or removed is not one of a board that has never played. Neither is one
// that cannot be read.
func TestGone(t *testing.T) {
	dir, segment := state(t, journal.Version)
	if err := os.WriteFile(filepath.Join(dir, "live.pgn"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{segment, filepath.Dir(segment)} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		out, err := command(t, "check", "--state", dir)
		if err == nil || !strings.Contains(out+err.Error(), "although this board has played") {
			t.Errorf("%s is gone: %v, %s", name, err, out)
		}
	}
	if err := os.WriteFile(filepath.Dir(segment), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := command(t, "check", "--state", dir); err == nil {
		t.Errorf("a file in place of the folder: %s", out)
	}
	if out, err := command(t, "check", "--state", filepath.Dir(segment)); err == nil {
		t.Errorf("a file in place of the state folder: %s", out)
	}
}

// TestPlain: a stranger's journal cannot control the terminal that shows it.
func TestPlain(t *testing.T) {
	var s history.Scribe
	e, err := game.Start(game.Setup{ID: "g", Variant: "chess", White: game.Local, Black: "\x1b[2J\u202e\u009b",
		Board: "\x1b]0;owned\x07"}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Encode(&table.Record{Event: &e})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, journal.Version,
		append(stored(t), data)); err != nil {
		t.Fatal(err)
	}
	out, err := command(t, "check", "--state", dir)
	if err != nil || !strings.Contains(out, "owned") || out != cli.Clean(out) {
		t.Errorf("%v, %q", err, out)
	}
}
