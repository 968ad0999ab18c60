// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/sync/broker"
	"boardd/sync/seal"
	"boardd/sync/wire"
)

// duel is two daemons in processes of their own that play each other through a broker.
type duel struct {
	t          *testing.T
	dir        string
	url        string // of the broker
	oslo, rome *running
}

// config writes a board's configuration; more are lines of the section mqtt.
func (d *duel) config(name, white, black, more string) string {
	d.t.Helper()
	home := filepath.Join(d.dir, name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		d.t.Fatal(err)
	}
	file := filepath.Join(home, "board.yaml")
	text := fmt.Sprintf("board: %s\nstate_dir: %s\nhardware:\n  virtual: true\ngame:\n  variant: chess\n  white: %s\n"+
		"  black: %s\nweb:\n  listen: 127.0.0.1:0\nmqtt:\n  url: %s\n%s",
		name, home, white, black, d.url, more)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return file
}

// startDuel starts oslo with White and rome with Black, and waits until both have and show the same game.
func startDuel(t *testing.T, more string) *duel {
	t.Helper()
	d := &duel{t: t, dir: t.TempDir()}
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(d.dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	d.url = br.URL()
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", more))
	d.rome = start(t, "run", "--config", d.config("rome", "oslo", "local", more))
	d.meet()
	return d
}

// meet waits until both boards have the same game and the wood shows it.
func (d *duel) meet() {
	d.t.Helper()
	same := max(d.oslo.await("oslo", "the array stands", synced).Game,
		d.rome.await("rome", "the array stands", synced).Game)
	d.oslo.await("oslo", "both hold the same game", func(g *wire.Game) bool { return synced(g) && g.Game == same })
	d.rome.await("rome", "both hold the same game", func(g *wire.Game) bool { return synced(g) && g.Game == same })
}

// play makes one move by hand on its own board, and waits until the other one shows it as well.
func (d *duel) play(n int, from, to string) {
	d.t.Helper()
	mover, board, other, copying := d.oslo, "oslo", d.rome, "rome"
	if n%2 == 0 {
		mover, board, other, copying = d.rome, "rome", d.oslo, "oslo"
	}
	has := func(g *wire.Game) bool { return len(g.Moves) == n }
	mover.move(board, from, to, 1)
	mover.await(board, "the move is made", has)
	other.await(copying, "the move has come", has)
	other.move(copying, from, to, 1)
	other.await(copying, "the copy stands", func(g *wire.Game) bool { return has(g) && synced(g) })
}

// export returns a board's games as boardd export writes them.
func (d *duel) export(board string) string {
	d.t.Helper()
	var out, errs bytes.Buffer
	if status := run(d.t.Context(), []string{"export", "--state", filepath.Join(d.dir, board)},
		cli.Std{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		d.t.Fatalf("export: status %d: %s", status, errs.String())
	}
	return out.String()
}

// TestForger: somebody who may write to the broker cannot make, drop or replace a move of a board that signs. Nor can
// they end its game, take moves back or begin another game in its name. Afterwards the board itself is heard again,
// and the exported game proves who made which move.
func TestForger(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	d.play(1, "e2", "e4")
	d.play(2, "e7", "e5")
	d.oslo.move("oslo", "g1", "f3", 1)
	d.oslo.await("oslo", "Nf3 is made", func(g *wire.Game) bool { return len(g.Moves) == 3 })
	real := d.rome.await("rome", "Nf3 has come", func(g *wire.Game) bool { return len(g.Moves) == 3 })
	if real.Seals == nil || real.Seals.Black == nil || real.Seals.White == nil {
		t.Fatalf("seals %+v, want those of both sides", real.Seals)
	}

	forger := spectate(t, d.url)
	own := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	sealed := func(g *wire.Game) {
		sg := seal.Game{ID: g.Game, Variant: g.Variant, White: g.Seats.White, Black: g.Seats.Black, Start: g.Start,
			Moves:     g.Moves,
			Takebacks: g.Takebacks, Outcome: g.Outcome, Reason: g.Reason}
		s := seal.Sign(own, "black", &sg)
		b := base64.StdEncoding
		g.Seals = &wire.Seals{Black: &wire.Seal{Ply: s.Ply, Takebacks: s.Takebacks, Outcome: s.Outcome, Reason: s.Reason,
			Key: b.EncodeToString(s.Key), Sig: b.EncodeToString(s.Sig)}}
	}
	for _, f := range []struct {
		name, want string
		forge      func(*wire.Game)
	}{
		{"an unsigned move", "is not signed", func(g *wire.Game) { g.Moves, g.Seals = append(g.Moves, "d7d6"), nil }},
		{"a move under an old signature", "the last one of black is number 4",
			func(g *wire.Game) { g.Moves = append(g.Moves, "d7d6") }},
		{"a move signed by another key", "signed by the key",
			func(g *wire.Game) { g.Moves = append(g.Moves, "d7d6"); sealed(g) }},
		{"another move under the signature of e5", "does not fit",
			func(g *wire.Game) { g.Moves = []string{"e2e4", "c7c5"} }},
		{"a resignation", "does not vouch for 1-0 by resignation",
			func(g *wire.Game) { g.Outcome, g.Reason = "1-0", "resignation" }},
		{"moves taken back", "after 0 takebacks, the game has 1",
			func(g *wire.Game) { g.Moves, g.Takebacks = g.Moves[:2], 1 }},
		{"another game", "the signature does not fit",
			func(g *wire.Game) { g.Game, g.Moves = "z"+g.Game, nil; g.Seals.Black.Ply = 0 }},
		{"an unsigned game", "is not signed", func(g *wire.Game) { g.Game, g.Moves, g.Seals = "z"+g.Game, nil, nil }},
		{"a signature that is none", "cannot be read",
			func(g *wire.Game) { g.Moves = append(g.Moves, "d7d6"); g.Seals.Black.Key = "AAAA" }},
	} {
		bad := copyOf(t, &real)
		bad.SAN = nil
		f.forge(&bad)
		data, err := json.Marshal(bad)
		if err != nil {
			t.Fatal(err)
		}
		// Rome publishes its own game again. That may reach oslo before oslo has seen the forgery; rome does not repeat it
		// at once.
		refused := false
		for try := 0; try < 10 && !refused; try++ {
			k := forger.client.Publish(wire.Topic("rome", wire.LeafGame), 1, true, data)
			if k.Wait(); k.Error() != nil {
				t.Fatal(k.Error())
			}
			refused = forger.within(3*time.Second, func(board, leaf string, payload []byte) bool {
				return board == "oslo" && leaf == wire.LeafEvent && strings.Contains(string(payload), f.want)
			})
		}
		if !refused {
			t.Fatalf("oslo does not say of %s that it %s", f.name, f.want)
		}
		g := d.oslo.await("oslo", "its game", func(*wire.Game) bool { return true })
		if len(g.Moves) != 3 || g.Game != real.Game || g.Outcome != "" || g.Takebacks != 0 {
			t.Fatalf("%s: moves %v, game %s, outcome %q, takebacks %d", f.name, g.Moves, g.Game, g.Outcome, g.Takebacks)
		}
	}
	d.rome.move("rome", "g1", "f3", 1)
	d.rome.await("rome", "the copy stands", synced)
	d.play(4, "b8", "c6") // what rome signs now is new
	d.oslo.await("oslo", "rome is heard again", func(g *wire.Game) bool { return g.Conflict == "" })

	text := d.export("oslo")
	keys := filepath.Join(d.dir, "keys")
	var lines []byte
	for _, name := range []string{"oslo", "rome"} {
		line, err := os.ReadFile(filepath.Join(d.dir, name, "board.pub"))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
	}
	if err := os.WriteFile(keys, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	status, out := verified(t, text[strings.LastIndex(text, "[Event "):], "--keys", keys)
	if status != 0 || !strings.Contains(out, "white signed the first 3 moves of 4") ||
		!strings.Contains(out, "black signed all 4 moves") {
		t.Errorf("status %d\n%s\n%s", status, out, text)
	}
	if status, out := verified(t, strings.Replace(text, "Nc6", "d6", 1), "--keys", keys); status != 1 ||
		!strings.Contains(out, "move 2...d6 is not what black signed") {
		t.Errorf("after a forgery: status %d\n%s", status, out)
	}
}

func copyOf(t *testing.T, g *wire.Game) (c wire.Game) {
	t.Helper()
	data, err := json.Marshal(g)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNewKey: a board that lost its key is not trusted until people confirm that it is the same board. A board whose
// key is fixed by the owner is not trusted even then. A first start is remembered over a restart.
func TestNewKey(t *testing.T) {
	t.Parallel()
	d := startDuel(t, "")
	d.play(1, "e2", "e4")
	d.play(2, "e7", "e5")
	renew := func() {
		d.rome.stop()
		if err := os.Remove(filepath.Join(d.dir, "rome", "board.key")); err != nil {
			t.Fatal(err)
		}
		d.rome = start(t, "run", "--config", filepath.Join(d.dir, "rome", "board.yaml"))
	}
	d.oslo.stop()
	d.oslo = start(t, "run", "--config", filepath.Join(d.dir, "oslo", "board.yaml"))
	renew()
	g := d.oslo.await("oslo", "the new key is refused",
		func(g *wire.Game) bool { return strings.Contains(g.Conflict, "signed by the key") })
	if len(g.Moves) != 2 {
		t.Errorf("moves %v", g.Moves)
	}
	tab := browser(t, 900, 1000, d.rome.page)
	soon(t, tab, "rome's page says that its new key is refused",
		`/oslo takes nothing from this board[^]*signed by the key/.test(document.querySelector(".faults")?.textContent)`)
	if _, reply := d.oslo.post("oslo", "command", `{"id":"1","do":"settle"}`); reply["ok"] != true {
		t.Fatalf("settle: %v", reply)
	}
	d.oslo.await("oslo", "the new key is believed", func(g *wire.Game) bool { return g.Conflict == "" })
	d.play(3, "g1", "f3")

	line, err := os.ReadFile(filepath.Join(d.dir, "rome", "board.pub"))
	if err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(d.dir, "keys")
	if err := os.WriteFile(keys, line, 0o600); err != nil {
		t.Fatal(err)
	}
	d.oslo.stop()
	if log := d.oslo.errs.String(); !strings.Contains(log, "has confirmed that the other board has another key") {
		t.Errorf("nothing in the log of the key that somebody has accepted:\n%s", log)
	}
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", "  keys_file: "+keys+"\n"))
	d.play(4, "b8", "c6")
	renew()
	d.oslo.await("oslo", "the new key is refused",
		func(g *wire.Game) bool { return strings.Contains(g.Conflict, "signed by the key") })
	if _, reply := d.oslo.post("oslo", "command", `{"id":"2","do":"settle"}`); reply["ok"] != false ||
		!strings.Contains(fmt.Sprint(reply["error"]), "keys_file") {
		t.Errorf("settle: %v, want the file of keys to be named", reply)
	}
}

// verified runs boardd verify on a text and returns its status and its output.
func verified(t *testing.T, text string, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), append([]string{"verify", "-"}, args...), cli.Std{In: strings.NewReader(text), Out: &out,
		Err: &out})
	return status, out.String()
}
