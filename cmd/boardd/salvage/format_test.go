// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/history"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// kindsOf010 are the kinds of events that version 0.1.0 knows. It reads a journal up to the first other one.
var kindsOf010 = []string{"started", "moved", "offered", "declined", "asked", "ask-declined", "taken-back", "ended",
	"paused", "resumed", "flipped", "outage", "settled", "sealed", "timed"}

// played are the records of today of a game of each variant, in which everything happens that a record can hold.
func played(t *testing.T) (payloads [][]byte, plies int) {
	t.Helper()
	keys, err := trust.Read("")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := keys.Own(t.TempDir(), "north"); err != nil {
		t.Fatal(err)
	}
	s := history.Scribe{Owner: keys.Owner("north")}
	add := func(r *table.Record) {
		t.Helper()
		data, err := s.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, data)
	}
	r := rand.New(rand.NewPCG(7, 7))
	line := seal.Line("south", bytes.Repeat([]byte{1}, 32))
	add(&table.Record{Keys: map[string]string{"south": strings.Fields(line)[1]}})
	for i, v := range rules.Variants() {
		at := time.Date(2026, 11, 20, 12+i, 0, 0, 0, time.UTC)
		e, err := game.Start(game.Setup{ID: "g-" + v.ID(), Variant: v.ID(), White: game.Local, Black: game.Local,
			Board: "north", Names: &game.Names{White: "Anna", Event: "Cup"}, Options: map[string]string{
				game.OptionTakeback: game.TakebackFree},
			Clock: &game.Timing{Kind: game.Fischer, Initial: 600_000, Increment: 5_000}}, at)
		if err != nil {
			t.Fatal(err)
		}
		g, err := game.New(e)
		if err != nil {
			t.Fatal(err)
		}
		add(&table.Record{Event: &e})
		do := func(a game.Action) {
			t.Helper()
			at = at.Add(1500 * time.Millisecond)
			events, err := g.Decide(a, at)
			if err != nil {
				t.Fatalf("%s, ply %d: %+v: %v", v.ID(), g.Plies(), a, err)
			}
			for _, e := range events {
				if err := g.Apply(e); err != nil {
					t.Fatal(err)
				}
				add(&table.Record{Event: &e})
			}
			for _, e := range keys.Sign(g, at) {
				if err := g.Apply(e); err != nil {
					t.Fatal(err)
				}
				add(&table.Record{Event: &e})
			}
		}
		for ply := 0; ply < 40 && !g.Over(); ply++ {
			legal := g.Legal()
			do(game.Action{Do: game.Move, Move: legal[r.IntN(len(legal))], Via: game.ByHand})
			if g.Over() {
				break
			}
			switch ply {
			case 5:
				do(game.Action{Do: game.Name, Names: &game.Names{White: "Anna", Black: "Ben", Event: "Cup"}})
			case 8:
				do(game.Action{Do: game.OfferDraw, By: other(g.Turn())})
				do(game.Action{Do: game.DeclineDraw, By: g.Turn()})
			case 12:
				do(game.Action{Do: game.Takeback, Plies: 2, Via: game.ByPage})
			case 15:
				do(game.Action{Do: game.Pause, Reason: "tea"})
				do(game.Action{Do: game.Resume})
			case 18:
				do(game.Action{Do: game.Flip})
			case 20:
				do(game.Action{Do: game.Adjust, Left: [2]time.Duration{time.Minute, 2 * time.Minute}})
			}
		}
		if !g.Over() {
			do(game.Action{Do: game.Resign, By: g.Turn()})
		}
		plies += g.Plies()
	}
	return payloads, plies
}

// TestFormat1: a journal of today with all games is saved in the form of version 0.1.0. Everything has happened in it
// that a record can hold. That version reads it to its end, with every move and every result.
func TestFormat1(t *testing.T) {
	dir := t.TempDir()
	payloads, plies := played(t)
	if err := journal.Create(filepath.Join(dir, "journal"), journal.Options{}, journal.Version, payloads); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "journal")
	out, err := command(t, "salvage", "--state", dir, "--format", "1", to)
	if err != nil || !strings.Contains(out, fmt.Sprintf("games in the new journal %s: %d\n", to, len(rules.Variants()))) {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "version 0.1.0 does not know") {
		t.Errorf("what is left out is not named:\n%s", out)
	}
	head, err := os.ReadFile(filepath.Join(to, "00000001.journal"))
	if err != nil || head[8] != 1 {
		t.Errorf("the format is %d: %v", head[8], err)
	}
	read := func(dir string) *history.Book {
		records, report, err := journal.Read(dir, journal.Options{})
		if err != nil || report.String() != "" {
			t.Fatal(err, report)
		}
		b := history.Read(records)
		if b.String() != "" {
			t.Fatal(b)
		}
		return b
	}
	records, _, err := journal.Read(to, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		var e struct {
			Kind string `json:"kind"`
			V    int    `json:"v"`
		}
		err := json.Unmarshal(r.Payload, &e)
		if err != nil || e.V > 1 || e.Kind != "" && !slices.Contains(kindsOf010, e.Kind) {
			t.Errorf("version 0.1.0 would read no further: %s", r.Payload)
		}
	}
	before, after := read(filepath.Join(dir, "journal")), read(to)
	sum := 0
	for i, g := range before.Games {
		h := after.Games[i]
		got := fmt.Sprint(h.ID(), h.Coords(), h.Outcome(), h.Reason(), h.Takebacks())
		want := fmt.Sprint(g.ID(), g.Coords(), g.Outcome(), g.Reason(), g.Takebacks())
		if got != want {
			t.Errorf("read again: %s, want %s", got, want)
		}
		for ply := 1; ply <= g.Plies(); ply++ {
			a, _ := g.ClockAt(ply)
			if b, _ := h.ClockAt(ply); a != b {
				t.Errorf("%s: after ply %d %d ms are left, want %d", g.ID(), ply, b, a)
			}
		}
		if h.Seal(game.White) != g.Seal(game.White) || h.Seal(game.Black) != g.Seal(game.Black) || g.Seal(game.White) == "" {
			t.Errorf("%s: the signatures are not the same", g.ID())
		}
		sum += h.Plies()
	}
	if sum != plies || len(after.Games) != len(before.Games) {
		t.Errorf("%d moves of %d games, want %d of %d", sum, len(after.Games), plies, len(before.Games))
	}
}

func other(s game.Side) game.Side {
	if s == game.White {
		return game.Black
	}
	return game.White
}
