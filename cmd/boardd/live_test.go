// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/corentings/chess/v2"

	"boardd/sync/wire"
)

// TestLivePGN: while a game is played by hand, the page, the state folder and the export of the journal have the same
// growing PGN. It has names, date and clocks, and an independent library reads it.
func TestLivePGN(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, "run", "--config", writeConfig(t, dir, "chess", "stack", "names:\n  event: Club evening\n"+
		"  white: Polgar, Judit\n  white_title: GM\n"))
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"new","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`)
	r.await("table", "a game with a clock has begun", func(g *wire.Game) bool { return synced(g) && g.Clock != nil })
	get := func() string {
		t.Helper()
		resp, err := r.client.Get(r.page + "api/boards/table/pgn")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %v: %s", resp.StatusCode, err, data)
		}
		return string(data)
	}
	var made []string
	for _, m := range []string{"e2e4", "e7e5", "g1f3"} {
		r.move("table", m[:2], m[2:], 1)
		made = append(made, m)
		r.await("table", m+" is made", moved(made...))
		read, err := chess.NewScanner(strings.NewReader(get())).ParseNext()
		if err != nil || len(read.Moves()) != len(made) {
			t.Fatalf("after %s: %v\n%s", m, err, get())
		}
		if clk, _ := read.Moves()[len(made)-1].GetCommand("clk"); !strings.HasPrefix(clk, "0:") {
			t.Errorf("%s has the clock %q", m, clk)
		}
	}
	r.command("table",
		`{"id":"2","do":"name","names":{"event":"Club evening","round":"2","table":"5","white":"Polgar, Judit","white_title":"GM","black":"Blunt, R."}}`)
	r.command("table", `{"id":"3","do":"resign","by":"black"}`)
	g := r.await("table", "Black has resigned", func(g *wire.Game) bool { return g.Outcome == "1-0" })
	if g.Names == nil || g.Names.Black != "Blunt, R." || len(g.Clocks) != 3 || g.Date == "" {
		t.Errorf("the message has names %+v, clocks %v, date %q", g.Names, g.Clocks, g.Date)
	}
	text := get()
	for _, want := range []string{`[Event "Club evening"]`, `[Round "2.5"]`, `[White "Polgar, Judit"]`,
		`[Black "Blunt, R."]`, `[Result "1-0"]`, `[TimeControl "600+5"]`, `[Board "5"]`, "[WhiteTitle \"GM\"]", "1-0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if games, ok := otherReaders(t, text); ok {
		if len(games) != 1 || !slices.Equal(games[0].Moves, made) || len(games[0].Parsed) != len(made) ||
			games[0].tag("WhiteTitle") != "GM" || games[0].tag("Result") != "1-0" {
			t.Errorf("others read %+v", games)
		}
		for i, clk := range games[0].Clocks {
			if !strings.HasPrefix(clk, "0:") {
				t.Errorf("others read the clock %q behind %s", clk, made[i])
			}
		}
	}
	if strings.Contains(text, "Variant") {
		t.Errorf("an orthodox game bears a tag Variant:\n%s", text)
	}
	r.stop()
	state := filepath.Join(dir, "state")
	for what, name := range map[string]string{"the live file": filepath.Join(state, "live.pgn"),
		"the file of the game that ended": filepath.Join(state, "games", g.Game+".pgn")} {
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%s: %v\n%s\nwant what the page gave:\n%s", what, err, got, text)
		}
	}
	out, err := program(t.Context(), "export", "--state", state, "--game", g.Game).Output()
	if err != nil || string(out) != text {
		t.Errorf("the export: %v\n%s\nwant what the page gave:\n%s", err, out, text)
	}
}
