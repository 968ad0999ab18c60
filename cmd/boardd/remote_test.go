// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"boardd/config"
	"boardd/rules/game"
	"boardd/sync/broker"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// atPage is who gives commands on the page of a test.
var atPage = web.Visitor{Here: true, Address: "127.0.0.1"}

// duelist lets the other board of invite publish a game, and returns the game that this board then shows.
func (w *troubled) duelist(id, rest string, moves ...string) wire.Game {
	list := "[]"
	if len(moves) > 0 {
		list = `["` + strings.Join(moves, `","`) + `"]`
	}
	w.say("other", wire.LeafGame,
		fmt.Sprintf(`{"schema":1,"game":%q,"variant":"chess","seats":{"white":"table","black":"other"},"moves":%s%s}`, id,
			list, rest))
	time.Sleep(time.Second)
	return w.shown()
}

// TestOtherGameIsNoOverwriting: a game that the other board cannot have begun does not replace the one being played.
// That is said once, and people choose the way out. A game that it can have begun is followed.
func TestOtherGameIsNoOverwriting(t *testing.T) {
	t.Parallel()
	var id string
	log, _ := suffer(t, "reeds", func(ctx context.Context, w *troubled) {
		id = w.invite()
		w.command(`{"id":"1","do":"move","move":"e2e4","by":"white"}`)
		time.Sleep(time.Second)
		if g := w.duelist(id, "", "e2e4", "e7e5"); len(g.Moves) != 2 {
			t.Errorf("moves %v, want e5 to be taken", g.Moves)
		}
		for _, c := range []struct{ id, rest, want string }{
			{"BAD ID!", "", "no id of a game"},
			{"zz/../../x", "", "no id of a game"},
			{"other-1", "", "move 1, e2e4: white is played by table"},
			{id + "x", `,"outcome":"1-0","reason":"resignation"`, "move 1, e2e4: white is played by table"},
		} {
			for _, extra := range []string{"", `,"turn":"white"`} { // the same again, and in another form
				g := w.duelist(c.id, c.rest+extra, "e2e4", "e7e5", "g1f3", "b8c6")
				if g.Game != id || len(g.Moves) != 2 || g.Outcome != "" || !strings.Contains(g.Conflict, c.want) {
					t.Errorf("%s: game %s, moves %v, outcome %q, conflict %q; want %s as it was and a conflict with %q", c.id, g.Game,
						g.Moves, g.Outcome, g.Conflict, id, c.want)
				}
			}
		}
		if g := w.duelist(id, "", "e2e4", "e7e5"); g.Conflict != "" || g.Game != id {
			t.Errorf("game %s, conflict %q: want none once the other board speaks of this game again", g.Game, g.Conflict)
		}

		// A game that cannot be played here is told once, and forgotten when the other board no longer publishes it.
		w.say("other", wire.LeafGame,
			`{"schema":1,"game":"other-0","variant":"locking","seats":{"white":"table","black":"other"},"moves":[]}`)
		time.Sleep(time.Second)
		if g := w.shown(); !strings.Contains(g.Conflict, "cannot be played here") || g.Game != id {
			t.Errorf("game %s, conflict %q: want a game that reeds cannot follow to be refused", g.Game, g.Conflict)
		}
		if g := w.duelist("0-old", "", "e2e4"); g.Conflict != "" || g.Game != id {
			t.Errorf("game %s, conflict %q: want none once the other board speaks of an older game", g.Game, g.Conflict)
		}

		// A game that no board can have begun cannot be taken over either. The id of the next game comes after that of a
		// game that can.
		w.duelist("~", "")
		if r := w.b.ask(ctx, wire.Command{ID: "2", Do: wire.DoSettle}, atPage); r.OK ||
			!strings.Contains(r.Error, "no id of a game") {
			t.Errorf("settle: %+v, want the id to be refused", r)
		}
		w.duelist("other-1", "", "e2e4", "e7e5", "g1f3", "b8c6")
		if r := w.b.ask(ctx, wire.Command{ID: "3", Do: wire.DoSettle}, atPage); !r.OK {
			t.Errorf("settle: %s", r.Error)
		}
		if g := w.shown(); g.Game != "other-1" || !slices.Equal(g.Moves, []string{"e2e4", "e7e5", "g1f3", "b8c6"}) ||
			g.Conflict != "" {
			t.Errorf("after settle: game %s, moves %v, conflict %q; want the other board's list", g.Game, g.Moves, g.Conflict)
		}
		if g := w.duelist("other-2", ""); g.Game != "other-1" || !asks("new", "black")(&g) {
			t.Errorf("game %s, asked %+v; want the running game, and the new one to be asked for", g.Game, g.Requests)
		}
		w.ordered(wire.Command{Do: wire.DoAccept})
		if g := w.shown(); g.Game != "other-2" || len(g.Moves) > 0 || g.Conflict != "" {
			t.Errorf("game %s, moves %v, conflict %q; want the new game of the other board", g.Game, g.Moves, g.Conflict)
		}
	}, time.Minute)
	for _, bad := range []string{"BAD ID!", "zz/../../x"} {
		said := 0
		for _, line := range log {
			if strings.Contains(line, bad) && strings.Contains(line, "nothing was changed") {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%q is said %d times, want once:\n%s", bad, said, strings.Join(log, ""))
		}
	}
}

// TestVirtualPersonsAreNamed: what a virtual person of the demo asks a board is noted as that, not as a command from a
// browser.
func TestVirtualPersonsAreNamed(t *testing.T) {
	t.Parallel()
	suffer(t, "reeds", func(ctx context.Context, w *troubled) {
		person := playBoards([]*board{w.b})[0].Ask
		for i, c := range []wire.Command{{Do: wire.DoNew, Variant: "chess"}, {Do: wire.DoMove, Move: "e2e4", By: "white"}} {
			if r := person(ctx, c); !r.OK {
				t.Errorf("command %d: %s", i, r.Error)
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if g := w.b.table.Game(); g.Plies() != 1 || game.Given(g.Via(1)) != "by a virtual person" {
			t.Errorf("after %d moves the last was given %q", g.Plies(), game.Given(g.Via(g.Plies())))
		}
	}, time.Minute)
}

// TestStrangersCommandNothing: unless the owner allows it, those who may write to the command topic cannot change a
// game that a person plays. They are told why, and the log shows it. They can begin a new game only while none is
// played. settle is never taken there.
func TestStrangersCommandNothing(t *testing.T) {
	t.Parallel()
	log, _ := suffer(t, "reeds", func(ctx context.Context, w *troubled) {
		synctest.Wait() // the board's loop reads it
		w.b.conf.MQTTCommands = nil
		id := w.invite()
		for _, do := range wire.CommandWords() {
			if slices.Contains([]string{wire.DoNew, wire.DoSetup, wire.DoRematch, wire.DoName}, do) {
				continue // while no move is made
			}
			w.command(fmt.Sprintf(`{"id":"x","do":%q,"by":"white","move":"e2e4"}`, do))
		}
		time.Sleep(time.Second)
		if g := w.shown(); g.Game != id || len(g.Moves) > 0 || g.Outcome != "" || g.Offer != "" || g.Paused {
			t.Errorf("before the first move: game %s, moves %v, outcome %q, offer %q", g.Game, g.Moves, g.Outcome, g.Offer)
		}
		w.command(`{"id":"mine","do":"move","move":"e2e4","by":"white"}`)
		time.Sleep(time.Second)
		if g := w.shown(); len(g.Moves) > 0 {
			t.Errorf("moves %v, want none by a stranger", g.Moves)
		}
		if r := w.b.ask(ctx, wire.Command{ID: "1", Do: wire.DoMove, Move: "e2e4", By: "white"}, atPage); !r.OK {
			t.Errorf("from the page: %s", r.Error)
		}
		for _, do := range wire.CommandWords() {
			w.command(fmt.Sprintf(`{"id":"x","do":%q,"by":"white","start":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`, do))
		}
		time.Sleep(time.Second)
		if g := w.shown(); g.Game != id || !slices.Equal(g.Moves, []string{"e2e4"}) || g.Outcome != "" || g.Offer != "" ||
			g.Paused {
			t.Errorf("after all commands: game %s, moves %v, outcome %q, offer %q", g.Game, g.Moves, g.Outcome, g.Offer)
		}
		if way := w.b.table.Game().Via(1); way != game.ByPageHere {
			t.Errorf("the move was noted as given by %q, want %q", way, game.ByPageHere)
		}
		synctest.Wait()
		w.b.conf.MQTTCommands = []string{"resign"}
		w.command(`{"id":"r","do":"resign","by":"white"}`)
		time.Sleep(time.Second)
		if g := w.shown(); g.Outcome != "0-1" {
			t.Errorf("outcome %q: want what the owner allows to be done", g.Outcome)
		}
		synctest.Wait()
		w.b.conf.MQTTCommands = nil
		w.command(`{"id":"n","do":"name","names":{"white":"Mallory","black":"Eve"}}`)
		time.Sleep(time.Second)
		if g := w.shown(); g.Game != id || g.Names != nil && (g.Names.White == "Mallory" || g.Names.Black == "Eve") {
			t.Errorf("after the game its players are called %+v by a stranger", g.Names)
		}
	}, time.Minute)
	for _, want := range []string{"a command was refused", `given="by MQTT, not signed"`,
		`do=move id=1 given="on the page, asked over the loopback address" from=127.0.0.1`, "settle is not taken over MQTT",
		"a person plays at this board"} {
		if !strings.Contains(strings.Join(log, ""), want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
}

// TestSignedCommands: where signed commands are accepted, each is carried out once and noted with its signer. A
// command that is not signed, was changed, is for another board or is repeated changes nothing. Whoever is taken out
// of the file of keys commands nothing after a reload.
func TestSignedCommands(t *testing.T) {
	t.Parallel()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, []byte(seal.Line("arbiter", public)), 0o600); err != nil {
		t.Fatal(err)
	}
	log, _ := suffer(t, "reeds", func(ctx context.Context, w *troubled) {
		synctest.Wait() // the board's loop reads them
		w.b.conf.MQTTCommands, w.b.conf.CommandKeysFile = []string{config.Signed}, file
		w.reload(ctx, w.b.conf)
		w.invite()
		order := func(board, text, sent string, number int64) {
			t.Helper()
			plain, err := wire.Plain([]byte(text))
			if err != nil {
				t.Error(err)
			}
			w.command(strings.TrimSuffix(sent, "}") + `,"signed":"` + trust.SignCommand(key, board, "arbiter", number, plain) +
				`"}`)
		}
		const move, other = `{"do":"move", "id":"1","move":"e2e4","by":"white"}`,
			`{"id":"1","do":"move","move":"d2d4","by":"white"}`
		w.command(move)
		order(w.b.id, move, other, 1)
		order("elsewhere", move, move, 1)
		time.Sleep(time.Second)
		if g := w.shown(); len(g.Moves) > 0 {
			t.Errorf("moves %v, want none", g.Moves)
		}
		order(w.b.id, move, move, 2)
		time.Sleep(time.Second)
		if g := w.shown(); !slices.Equal(g.Moves, []string{"e2e4"}) {
			t.Errorf("moves %v, want the one that was signed", g.Moves)
		} else if way := w.b.table.Game().Via(1); way != "mqtt by arbiter" {
			t.Errorf("the move was noted as given by %q", way)
		}
		pause := `{"id":"2","do":"resign","by":"black"}`
		order(w.b.id, pause, pause, 2) // a number that was used already
		time.Sleep(time.Second)
		if g := w.shown(); g.Outcome != "" {
			t.Errorf("outcome %q by a command with a number that was used", g.Outcome)
		}
		must(t, os.WriteFile(file, nil, 0o600))
		w.reload(ctx, w.b.conf)
		order(w.b.id, pause, pause, 3)
		time.Sleep(time.Second)
		if g := w.shown(); g.Outcome != "" {
			t.Errorf("outcome %q by a command of somebody who was taken out of the file", g.Outcome)
		}
	}, time.Minute)
	if want := `given="by MQTT, signed by arbiter"`; !strings.Contains(strings.Join(log, ""), want) {
		t.Errorf("the log does not say %q:\n%s", want, log)
	}
}

// arbitrated is a daemon with the board oslo, which takes over MQTT what an arbiter has signed. file has his key.
type arbitrated struct {
	*running
	s    *spectator
	file string
	key  ed25519.PrivateKey
}

func startArbitrated(t *testing.T) *arbitrated {
	t.Helper()
	d := &duel{t: t, dir: t.TempDir()}
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(d.dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(br.Close)
	d.url = br.URL()
	public, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	a := &arbitrated{file: filepath.Join(d.dir, "keys"), key: key}
	must(t, os.WriteFile(a.file, []byte(seal.Line("arbiter", public)), 0o600))
	a.running = start(t, "run", "--config", d.config("oslo", "local", "local",
		"  commands: [signed]\n  command_keys_file: "+a.file+"\n"))
	a.s = spectate(t, d.url)
	a.s.until("oslo is there", func(_, leaf string, payload []byte) bool {
		return leaf == wire.LeafStatus && string(payload) == "online"
	})
	return a
}

// sign is a command with its signature.
func (a *arbitrated) sign(text string, number int64) string {
	plain, err := wire.Plain([]byte(text))
	must(a.t, err)
	return strings.TrimSuffix(text, "}") + `,"signed":"` + trust.SignCommand(a.key, "oslo", "arbiter", number, plain) + `"}`
}

// give sends a command and returns its reply.
func (a *arbitrated) give(command string) (reply string) {
	a.t.Helper()
	a.s.send(wire.Topic("oslo", wire.LeafCommand), command)
	a.s.until("oslo replies", func(_, leaf string, payload []byte) bool {
		reply = string(payload)
		return leaf == wire.LeafReply
	})
	return reply
}

// TestHeldBackCommand: the broker may hold a signed command back, and pass it on in a later game. It is not carried
// out there. One signed since the game began is, and one that names the step of this game.
func TestHeldBackCommand(t *testing.T) {
	t.Parallel()
	a := startArbitrated(t)
	begun := a.await("oslo", "a game", func(*wire.Game) bool { return true })
	now := time.Now().Add(-time.Hour).UnixMilli()
	held := a.sign(`{"do":"resign","id":"r","by":"white"}`, now)
	a.post("oslo", "command", `{"id":"n","do":"new","variant":"chess"}`)
	next := a.await("oslo", "another game", func(g *wire.Game) bool { return g.Game != begun.Game })
	for _, c := range []struct{ command, want string }{
		{held, "signed before this game began"},
		{held, "was used"},
		{a.sign(fmt.Sprintf(`{"do":"flip","id":"f","to":%d}`, next.Step), now+1), `{"id":"f","ok":true}`},
		{a.sign(`{"do":"flip","id":"w"}`, time.Now().UnixMilli()), `{"id":"w","ok":true}`},
	} {
		if reply := a.give(c.command); !strings.Contains(reply, c.want) {
			t.Errorf("%s: the reply is %s, want %s", c.command, reply, c.want)
		}
	}
	if g := a.await("oslo", "its game", func(*wire.Game) bool { return true }); g.Outcome != "" {
		t.Errorf("a command that was held back ended another game: %s by %s", g.Outcome, g.Reason)
	}
}

// TestReloadWithoutSigners: if the file of those who may sign commands is removed, nobody may after a reload. The same
// holds for a signer taken out of it while the configuration has a fault.
func TestReloadWithoutSigners(t *testing.T) {
	t.Parallel()
	for _, revoke := range []func(a *arbitrated) error{
		func(a *arbitrated) error { return os.Remove(a.file) },
		func(a *arbitrated) error {
			return errors.Join(os.WriteFile(a.file, nil, 0o600),
				os.WriteFile(filepath.Join(filepath.Dir(a.file), "oslo", "board.yaml"), []byte("bored: oslo\n"), 0o600))
		},
	} {
		a := startArbitrated(t)
		flip := func() string { return a.give(a.sign(`{"do":"flip","id":"f"}`, time.Now().UnixMilli())) }
		if reply := flip(); !strings.Contains(reply, `"ok":true`) {
			t.Fatalf("a signed command: %s", reply)
		}
		if err := errors.Join(revoke(a), a.cmd.Process.Signal(syscall.SIGHUP)); err != nil {
			t.Fatal(err)
		}
		for late := time.Now().Add(soonEnough / 10); !strings.Contains(flip(), "not in mqtt.command_keys_file"); {
			if time.Now().After(late) {
				t.Fatal("a signer who was taken out of the file still commands")
			}
		}
		a.stop()
	}
}
