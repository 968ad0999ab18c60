// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/rig"
	"boardd/sync/journal"
	"boardd/sync/wire"
)

// writeConfig writes the configuration of a virtual board with both sides at it.
func writeConfig(t *testing.T, dir, variant, kind, more string) string {
	t.Helper()
	name := filepath.Join(dir, "board.yaml")
	text := fmt.Sprintf("board: table\nstate_dir: %s/state\nhardware:\n  virtual: true\n  kind: %s\ngame:\n"+
		"  variant: %s\nweb:\n  listen: 127.0.0.1:0\n%s", dir, kind, variant, more)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func (r *running) move(board, from, to string, count int) {
	r.t.Helper()
	r.hand(board, fmt.Sprintf(`{"do":"lift","square":%q,"count":%d}`, from, count))
	r.hand(board, fmt.Sprintf(`{"do":"place","square":%q}`, to))
}

// TestPlaysWithASpoiltCalibration: a damaged file beside the game does not keep anybody from playing.
func TestPlaysWithASpoiltCalibration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := writeConfig(t, dir, "chess", "stack", "")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "state"), 0o750),
		os.WriteFile(filepath.Join(dir, "state", rig.CalibrationFile), []byte("kind: twin\n"), 0o640)); err != nil {
		t.Fatal(err)
	}
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "the move counts", moved("e2e4"))
	r.listen("table", "health", func(data []byte) bool {
		return strings.Contains(string(data), "is of a twin board") && strings.Contains(string(data), "calibrate --anew")
	}, func() string { return "the calibration is reported" })
}

// TestKilled: after kill -9 the daemon goes on with the game as it had told it, and says which squares differ.
func TestKilled(t *testing.T) {
	t.Parallel()
	conf := writeConfig(t, t.TempDir(), "locking", "stack", "")

	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	r.move("table", "d8", "e8", 1)
	r.await("table", "Qe8* is made", moved("e2e4", "d8e8*"))
	r.hand("table", `{"do":"lift","square":"g1"}`)
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	r.end() //nolint:errcheck // it was killed

	r = start(t, "run", "--config", conf)
	g := r.await("table", "it says what differs", func(g *wire.Game) bool { return len(g.Wood.Squares) == 1 })
	if !moved("e2e4", "d8e8*")(&g) || g.Wood.State != wire.Wrong || g.Wood.Squares[0].Square != "g1" ||
		g.Wood.Squares[0].See != 0 {
		t.Errorf("resumed with %v, wood %+v; want e2e4 d8e8* and g1 missing", g.Moves, g.Wood)
	}
	r.hand("table", `{"do":"take","pieces":["N"]}`)
	r.hand("table", `{"do":"place","square":"g1"}`)
	r.await("table", "the wood is mended", synced)
	r.move("table", "g1", "f3", 1)
	r.await("table", "play goes on", moved("e2e4", "d8e8*", "g1f3"))
}

// TestCommands: the commands of the contract over the web, with their refusals.
func TestCommands(t *testing.T) {
	t.Parallel()
	r := start(t, "run", "--config", writeConfig(t, t.TempDir(), "chess", "stack", ""))
	r.await("table", "the array stands", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	for _, c := range []struct {
		command, errorHas string
		want              func(*wire.Game) bool
	}{
		{`{"id":"1","do":"move","move":"e2e5"}`, "e2e5", nil},
		{`{"id":"2","do":"move","move":"e2e4"}`, "", moved("e2e4")},
		{`{"id":"3","do":"takeback"}`, "", moved()},
		{`{"id":"4","do":"answer","move":"e2e4"}`, "no question is open", nil},
		{`{"id":"5","do":"new","variant":"shogi"}`, "shogi", nil},
		{`{"id":"6","do":"new","variant":"pillar","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`, "",
			func(g *wire.Game) bool {
				return g.Variant == "pillar" && g.Clock != nil && g.Clock.White == 600000
			}},
		{`{"id":"7","do":"setup","start":"4k3/8/8/8/8/8/8/4K2[PR] w - - 0 1"}`, "", func(g *wire.Game) bool {
			return g.Start == "4k3/8/8/8/8/8/8/4K2[PR] w - - 0 1" && g.Wood.State == wire.Setup
		}},
		{`{"id":"8","do":"setup","start":"8/8/8/8/8/8/8/8 w - - 0 1"}`, "king", nil},
		{`{"id":"9","do":"dance"}`, "dance", nil},
		{`{"id":"10","do":"resign","by":"white"}`, "",
			func(g *wire.Game) bool { return g.Outcome == "0-1" && g.Reason == "resignation" }},
		{`{"id":"11","do":"resign"}`, "ended", nil},
	} {
		status, reply := r.post("table", "command", c.command)
		text, _ := reply["error"].(string)
		if ok := reply["ok"] == true; ok != (c.errorHas == "") || !strings.Contains(text, c.errorHas) {
			t.Errorf("%s: status %d, reply %v; want an error with %q", c.command, status, reply, c.errorHas)
			continue
		}
		if c.want != nil {
			r.await("table", c.command, c.want)
		}
	}
	if status, reply := r.post("table", "command", `nonsense`); reply["ok"] != false || status != http.StatusBadRequest {
		t.Errorf("nonsense: status %d, %v", status, reply)
	}
	if status, reply := r.post("nowhere", "command", `{"id":"1","do":"flip"}`); status != http.StatusNotFound ||
		!strings.Contains(reply["error"].(string), "table") {
		t.Errorf("a board that is not here: status %d, %v", status, reply)
	}
}

// TestDamagedJournal: a changed byte in the middle of the running game loses what came after it in this game. The game
// goes on from the last whole position. The corners are lit, and the page says so, until a move is made. Earlier games
// are untouched. The same if somebody has cut off whole records at the end, though nothing there is damaged.
func TestDamagedJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := writeConfig(t, dir, "chess", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	for _, c := range []string{`"move","move":"d2d4"`, `"resign","by":"black"`, `"new"`, `"move","move":"e2e4"`,
		`"move","move":"e7e5"`, `"move","move":"g1f3"`} {
		if _, reply := r.post("table", "command", `{"id":"1","do":`+c+`}`); reply["ok"] != true {
			t.Fatal(reply)
		}
	}
	r.awaitJournal("table", "ok")
	r.stop()
	name := filepath.Join(dir, "state", "journal", "00000001.journal")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(data), `"e7e5"`)
	if i < 0 {
		t.Fatalf("the journal does not hold e7e5: %q", data)
	}
	data[i+1] ^= 1
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r = start(t, "run", "--config", conf)
	r.await("table", "what stands before the damage is there", moved("e2e4"))
	r.awaitCorners("table")
	r.awaitJournal("table", "mended at the start: ", "a damaged record cannot be read", "is kept up to move 1")
	if _, reply := r.post("table", "command", `{"id":"1","do":"move","move":"c7c5"}`); reply["ok"] != true {
		t.Fatal(reply)
	}
	r.stop()
	if text := r.errs.String(); !strings.Contains(text, "a damaged record cannot be read") ||
		!strings.Contains(text, "is kept up to move 1") || !strings.Contains(text, "compare it with the score sheet") {
		t.Errorf("it does not say what was lost:\n%s", text)
	}
	r = start(t, "run", "--config", conf)
	r.await("table", "what was played on counts", moved("e2e4", "c7c5"))
	r.stop()
	out, err := program(t.Context(), "export", "--state", filepath.Join(dir, "state")).Output()
	if err != nil || !strings.Contains(string(out), "1.d4 {") || !strings.Contains(string(out), "1...c5 {") {
		t.Errorf("export: %v\n%s", err, out)
	}
	records, _, err := journal.Read(filepath.Dir(name), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, records[len(records)-1].Offset); err != nil {
		t.Fatal(err)
	}
	r = start(t, "run", "--config", conf)
	r.awaitCorners("table")
	r.awaitJournal("table", "mended at the start: ", "what was played last")
	r.stop()
	if text := r.errs.String(); !strings.Contains(text, "what was played last") {
		t.Errorf("it does not say that the end was cut off:\n%s", text)
	}
}

// awaitCorners waits until the corners of a board are lit, which says that a part of the game was lost.
func (r *running) awaitCorners(board string) {
	r.listen(board, "leds", func(data []byte) bool {
		var lit struct{ Lower []string }
		return json.Unmarshal(data, &lit) == nil && len(lit.Lower) == 64 && lit.Lower[0] != "#000000" &&
			lit.Lower[63] != "#000000"
	}, func() string { return "the corners are lit" })
}

// awaitJournal waits until the page is told this of the journal of a board, and has the words for other languages.
func (r *running) awaitJournal(board string, all ...string) {
	r.t.Helper()
	var h wire.Health
	r.listen(board, "health", func(data []byte) bool {
		h = wire.Health{}
		lacks := func(text string) bool { return !strings.Contains(h.Journal, text) }
		return json.Unmarshal(data, &h) == nil && !slices.ContainsFunc(all, lacks) &&
			(h.Journal == "ok") == (len(h.JournalSaid) == 0)
	}, func() string { return fmt.Sprintf("the page is told of the journal %q, want %q", h.Journal, all) })
}

// TestMissingKeyIsAnAlarm: a board that has signed before and finds its key gone says so, lights its corners, and goes
// on with a new key.
func TestMissingKeyIsAnAlarm(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := writeConfig(t, dir, "chess", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.command("table", `{"id":"1","do":"move","move":"e2e4"}`)
	r.stop()
	if text := r.errs.String(); strings.Contains(text, "key is gone") {
		t.Errorf("on the first start:\n%s", text)
	}
	if err := os.Remove(filepath.Join(dir, "state", "board.key")); err != nil {
		t.Fatal(err)
	}
	r = start(t, "run", "--config", conf)
	r.await("table", "the game goes on", moved("e2e4"))
	r.listen("table", "health",
		func(data []byte) bool { return strings.Contains(string(data), "the board's key is gone") },
		func() string { return "the page says that the key is gone" })
	r.stop()
}

// TestKeyComesLater: a board whose key cannot be made at the start, as on a full disk, says so and plays. It gets its
// key as soon as that is possible, and from then on it signs the game.
func TestKeyComesLater(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "board.key")
	if err := os.Mkdir(key, 0o700); err != nil { // in the way, also for root
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := &troubled{t: t}
		done := w.open("reeds", dir)
		ctx, stop := context.WithCancel(t.Context())
		var daemon sync.WaitGroup
		daemon.Go(func() { must(t, w.b.run(ctx)) })
		w.until("the array stands", synced)
		w.carry("e2", "e4")
		w.until("a move counts unsigned", func(g *wire.Game) bool { return moved("e2e4")(g) && g.Seals == nil })
		time.Sleep(time.Minute)
		must(t, os.Remove(key))
		time.Sleep(healthEvery)
		w.carry("e7", "e5")
		w.until("the game is signed", func(g *wire.Game) bool { return moved("e2e4", "e7e5")(g) && g.Seals != nil })
		stop()
		daemon.Wait()
		done()
		log := strings.Join(w.told(), "")
		for want, n := range map[string]int{"are not signed": 1, "has a key now": 1} {
			if got := strings.Count(log, want); got != n {
				t.Errorf("the log says %d times %q, want %d:\n%s", got, want, n, log)
			}
		}
		must(t, w.v.Close())
		time.Sleep(time.Minute)
		must(t, w.net.Close())
		synctest.Wait()
	})
}
