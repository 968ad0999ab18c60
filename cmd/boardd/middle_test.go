// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// middle sits between two boards, each of which takes it for the broker of both. To each it plays the other one, with
// a key of its own.
type middle struct {
	t      *testing.T
	mu     sync.Mutex
	honest bool                    // pass everything on as it is
	keys   map[string]*trust.Keys  // with which it signs in a board's name
	seen   map[string]*wire.Seal   // by board: the last true signature
	to     map[string]mqtt.Client  // by board: the broker on which others hear it
	last   map[string]mqtt.Message // by topic
}

// between starts a middle and returns the addresses that oslo and rome take for their broker.
func between(t *testing.T) (m *middle, ofOslo, ofRome string) {
	t.Helper()
	m = &middle{t: t, keys: map[string]*trust.Keys{}, seen: map[string]*wire.Seal{},
		to: map[string]mqtt.Client{}, last: map[string]mqtt.Message{}}
	client := func(url string) mqtt.Client {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID("test-middle").SetOrderMatters(true))
		if k := c.Connect(); !k.WaitTimeout(soonEnough) || k.Error() != nil {
			t.Fatalf("cannot connect: %v", k.Error())
		}
		t.Cleanup(func() { c.Disconnect(100) })
		return c
	}
	var urls []string
	var clients []mqtt.Client
	for _, board := range []string{"oslo", "rome"} {
		br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "broker")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(br.Close)
		urls, clients = append(urls, br.URL()), append(clients, client(br.URL()))
		if m.keys[board], err = trust.Read(""); err == nil {
			_, _, err = m.keys[board].Own(t.TempDir(), board)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m.to["oslo"], m.to["rome"] = clients[1], clients[0]
	for i, board := range []string{"oslo", "rome"} {
		k := clients[i].Subscribe(wire.Root+board+"/#", 1, func(_ mqtt.Client, said mqtt.Message) { m.pass(board, said) })
		if !k.WaitTimeout(soonEnough) || k.Error() != nil {
			t.Fatalf("cannot subscribe: %v", k.Error())
		}
	}
	return m, urls[0], urls[1]
}

// pass hands a board's message on to the other one.
func (m *middle) pass(board string, said mqtt.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last[said.Topic()] = said
	text := said.Payload()
	if said.Topic() == wire.Topic(board, wire.LeafGame) && !m.honest {
		text = m.signed(board, text)
	}
	m.to[board].Publish(said.Topic(), 1, true, text)
}

// signed is a board's game, signed by the key that the middle has in its name.
func (m *middle) signed(board string, text []byte) []byte {
	var g wire.Game
	if err := json.Unmarshal(text, &g); err != nil {
		m.t.Errorf("%s says %s: %v", board, text, err)
		return text
	}
	if g.Seals == nil {
		return text
	}
	own, others, side, other := &g.Seals.White, &g.Seals.Black, "white", g.Seats.Black
	if g.Seats.Black == board {
		own, others, side, other = others, own, "black", g.Seats.White
	}
	if *own != nil {
		m.seen[board] = *own
		s := seal.Sign(m.keys[board].Key(), side, &seal.Game{ID: g.Game, Variant: g.Variant, White: g.Seats.White,
			Black: g.Seats.Black, Start: g.Start, Moves: g.Moves, Takebacks: g.Takebacks, Outcome: g.Outcome, Reason: g.Reason})
		b := base64.StdEncoding
		*own = &wire.Seal{Ply: s.Ply, Takebacks: s.Takebacks, Outcome: s.Outcome, Reason: s.Reason,
			Key: b.EncodeToString(s.Key), Sig: b.EncodeToString(s.Sig)}
	}
	if *others != nil {
		*others = m.seen[other] // what it has signed itself, so that it knows its own moves again
	}
	asks := tableMessage(board, &g, false)
	g.Seals.Said = m.keys[board].SignSaid(&asks)
	text, err := json.Marshal(g)
	if err != nil {
		m.t.Error(err)
	}
	return text
}

// giveUp passes everything on as it is from now on, and what was said last once more.
func (m *middle) giveUp() {
	m.mu.Lock()
	m.honest = true
	m.mu.Unlock()
	for _, board := range []string{"oslo", "rome"} {
		m.mu.Lock()
		said := m.last[wire.Topic(board, wire.LeafGame)]
		m.mu.Unlock()
		m.pass(board, said)
	}
}

// words are those under which a board lists another one's key.
func (r *running) words(board string) (words, how string) {
	r.t.Helper()
	text, _ := r.text("api/settings/keys")
	var list struct{ Others []trust.Known }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	for _, o := range list.Others {
		if o.Board == board {
			words, how = o.Words, o.How
		}
	}
	return words, how
}

// TestManInTheMiddle: somebody between two boards who plays each to the other shows by the six words. Nothing makes
// his key more than met while nobody confirms words, not even a restart. Where somebody enters the true words, nothing
// of his comes onto the wood, whatever the other side does. When he has gone, the boards play on.
func TestManInTheMiddle(t *testing.T) {
	t.Parallel()
	m, ofOslo, ofRome := between(t)
	d := &duel{t: t, dir: t.TempDir(), url: ofOslo}
	d.oslo = start(t, "run", "--config", d.config("oslo", "local", "rome", ""))
	d.url = ofRome
	d.rome = start(t, "run", "--config", d.config("rome", "oslo", "local", ""))
	d.meet()
	d.play(1, "e2", "e4") // before anybody has compared words nothing tells him from the boards
	d.play(2, "e7", "e5")

	_, wordsOslo, _ := d.oslo.keys("")
	_, wordsRome, _ := d.rome.keys("")
	met := func(when string) {
		t.Helper()
		his, how := d.oslo.words("rome")
		if his == wordsRome || his != m.keys["rome"].Words() || how != trust.Met {
			t.Errorf("%s: oslo has (%s), %s, for rome, which shows (%s)", when, his, how, wordsRome)
		}
		his, how = d.rome.words("oslo")
		if his == wordsOslo || his != m.keys["oslo"].Words() || how != trust.Met {
			t.Errorf("%s: rome has (%s), %s, for oslo, which shows (%s)", when, his, how, wordsOslo)
		}
		for _, board := range []string{"oslo", "rome"} {
			if _, err := os.Stat(filepath.Join(d.dir, board, trust.PairsFile)); err == nil {
				t.Errorf("%s: %s is paired though nobody has confirmed anything", when, board)
			}
		}
	}
	met("at first")
	d.rome.stop()
	d.rome = start(t, "run", "--config", filepath.Join(d.dir, "rome", "board.yaml"))
	d.rome.await("rome", "the game is there", func(g *wire.Game) bool { return len(g.Moves) == 2 })
	met("after a restart")

	// The words of rome are read out by telephone and entered at oslo. At rome they refuse, and enter nothing.
	pair := func(r *running, board, words string) {
		t.Helper()
		if status, _, how := r.keys(fmt.Sprintf(`{"board":%q,"words":%q}`, board, words)); status != http.StatusOK ||
			how[board] != trust.Paired {
			t.Fatalf("pairing with %s: status %d, %s is %q", board, status, board, how[board])
		}
	}
	pair(d.oslo, "rome", wordsRome)
	d.oslo.move("oslo", "g1", "f3", 1)
	d.oslo.await("oslo", "its move is made", func(g *wire.Game) bool { return len(g.Moves) == 3 })
	d.rome.await("rome", "the move has come", func(g *wire.Game) bool { return len(g.Moves) == 3 })
	d.rome.move("rome", "g1", "f3", 1)
	d.rome.await("rome", "the copy stands", synced)
	d.rome.move("rome", "b8", "c6", 1)
	d.rome.await("rome", "its move is made", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	if g := d.oslo.await("oslo", "what is signed by him is refused",
		func(g *wire.Game) bool { return g.Conflict != "" }); len(g.Moves) != 3 {
		t.Errorf("oslo has taken %v", g.Moves)
	}
	if _, how := d.rome.words("oslo"); how != trust.Met {
		t.Errorf("rome, where nobody has entered words, has oslo as %q", how)
	}
	pair(d.rome, "oslo", wordsOslo)
	d.rome.await("rome", "rome refuses him too", func(g *wire.Game) bool { return g.Conflict != "" })

	m.giveUp()
	d.oslo.await("oslo", "the true rome is heard",
		func(g *wire.Game) bool { return g.Conflict == "" && len(g.Moves) == 4 })
	d.oslo.move("oslo", "b8", "c6", 1)
	d.oslo.await("oslo", "the copy stands", synced)
	d.play(5, "f1", "c4")
}
