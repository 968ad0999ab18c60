// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardd/sync/asyncapi"
	"boardd/sync/broker"
	"boardd/sync/wire"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// spectator is a client of the broker that keeps every message.
type spectator struct {
	t      *testing.T
	client mqtt.Client
	heard  chan mqtt.Message // capacity 1000: more than any test sends
}

func spectate(t *testing.T, url string) *spectator {
	t.Helper()
	s := &spectator{t: t, heard: make(chan mqtt.Message, 1000)}
	s.client = mqtt.NewClient(mqtt.NewClientOptions().AddBroker(url).SetClientID("test-spectator"))
	if k := s.client.Connect(); !k.WaitTimeout(soonEnough) || k.Error() != nil {
		t.Fatalf("cannot connect to %s: %v", url, k.Error())
	}
	t.Cleanup(func() { s.client.Disconnect(100) })
	k := s.client.Subscribe(wire.Root+"#", 1, func(_ mqtt.Client, m mqtt.Message) { s.heard <- m })
	if !k.WaitTimeout(soonEnough) || k.Error() != nil {
		t.Fatalf("cannot subscribe: %v", k.Error())
	}
	return s
}

// until takes messages until one satisfies the condition.
func (s *spectator) until(what string, ok func(board, leaf string, payload []byte) bool) {
	s.t.Helper()
	if !s.within(soonEnough, ok) {
		s.t.Fatalf("waited in vain until %s", what)
	}
}

// within takes messages until one satisfies the condition, and reports whether one did in time.
func (s *spectator) within(most time.Duration, ok func(board, leaf string, payload []byte) bool) bool {
	s.t.Helper()
	limit := time.NewTimer(most)
	defer limit.Stop()
	for {
		select {
		case m := <-s.heard:
			board, leaf, err := wire.ParseTopic(m.Topic())
			if err != nil {
				s.t.Errorf("%s: %v", m.Topic(), err)
			}
			if ok(board, leaf, m.Payload()) {
				return true
			}
		case <-limit.C:
			return false
		}
	}
}

func (s *spectator) send(topic, payload string) {
	s.t.Helper()
	if k := s.client.Publish(topic, 1, false, payload); !k.WaitTimeout(soonEnough) || k.Error() != nil {
		s.t.Fatalf("cannot publish: %v", k.Error())
	}
}

// TestContract: all messages during a move are as the published contract says, and commands are answered.
func TestContract(t *testing.T) {
	t.Parallel()
	contract, err := asyncapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	r := startDemo(t, "--variant", "locking")
	r.await("north", "the array stands", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	s := spectate(t, r.mqtt)
	checked := map[string]int{}
	check := func(f func(board, leaf string, payload []byte) bool) func(string, string, []byte) bool {
		return func(board, leaf string, payload []byte) bool {
			checked[leaf]++
			if err := contract.Check(wire.Topic(board, leaf), payload); err != nil {
				t.Errorf("%s/%s: %v\n%s", board, leaf, err, payload)
			}
			return f(board, leaf, payload)
		}
	}
	s.send(wire.Topic("north", wire.LeafCommand), `{"id":"draw","do":"offer-draw"}`)
	s.until("the command is answered", check(func(board, leaf string, payload []byte) bool {
		var reply wire.Reply
		return leaf == wire.LeafReply && json.Unmarshal(payload, &reply) == nil && reply.ID == "draw" && reply.OK
	}))
	r.move("north", "e2", "e4", 1)
	s.until("the other board has the move", check(func(board, leaf string, payload []byte) bool {
		var g wire.Game
		return leaf == wire.LeafGame && board == "south" && json.Unmarshal(payload, &g) == nil && moved("e2e4")(&g)
	}))
	for _, leaf := range []string{wire.LeafStatus, wire.LeafGame, wire.LeafEvent, wire.LeafHealth, wire.LeafReply} {
		if checked[leaf] == 0 {
			s.until("something is said on "+leaf, check(func(string, string, []byte) bool { return checked[leaf] > 0 }))
		}
	}
}

// TestTwoMachines: two daemons in processes of their own play each other through a third party's broker. One is killed
// and started again, and has missed nothing. After a clean stop it says offline.
func TestTwoMachines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: filepath.Join(dir, "broker")})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	conf := func(name, white, black string) string {
		home := filepath.Join(dir, name)
		if err := os.MkdirAll(home, 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(home, "board.yaml")
		text := fmt.Sprintf("board: %s\nstate_dir: %s\nhardware:\n  virtual: true\ngame:\n  variant: meirav\n  white: %s\n"+
			"  black: %s\nmqtt:\n  url: %s\nweb:\n  listen: 127.0.0.1:0\n",
			name, home, white, black, br.URL())
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	oslo := start(t, "run", "--config", conf("oslo", "local", "rome"))
	romeConf := conf("rome", "oslo", "local")
	rome := start(t, "run", "--config", romeConf)
	g := oslo.await("oslo", "the array stands", synced)
	rome.await("rome", "both hold the same game",
		func(h *wire.Game) bool { return synced(h) && (h.Game == g.Game || h.Game > g.Game) })
	same := rome.await("rome", "the array stands", synced).Game
	oslo.await("oslo", "both hold the same game", func(h *wire.Game) bool { return synced(h) && h.Game == same })

	oslo.move("oslo", "e2", "e4", 1)
	rome.await("rome", "the move is to be copied", func(g *wire.Game) bool { return g.Wood.State == wire.Executing })
	if err := rome.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rome.end() //nolint:errcheck // it was killed
	rome = start(t, "run", "--config", romeConf)
	rome.await("rome", "it still asks for the copy",
		func(g *wire.Game) bool { return moved("e2e4")(g) && g.Wood.State == wire.Executing })
	rome.move("rome", "e2", "e4", 1)
	rome.await("rome", "the copy stands", synced)
	rome.move("rome", "e7", "e5", 1)
	oslo.await("oslo", "the answer has come", moved("e2e4", "e7e5"))

	s := spectate(t, br.URL())
	rome.stop()
	s.until("rome says that it is offline", func(board, leaf string, payload []byte) bool {
		return board == "rome" && leaf == wire.LeafStatus && string(payload) == wire.Offline
	})
}
