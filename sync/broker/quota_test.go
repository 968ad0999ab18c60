// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/broker/gate"
)

var two = []broker.User{{Name: "north", Password: "n", Board: "north"}, {Name: "look", Password: "v"}}

// by is a client of an account that does not come back by itself; lost is told when it is thrown off.
func by(url, user, pass, id string) (c mqtt.Client, lost chan error, token mqtt.Token) {
	lost = make(chan error, 1)
	c = mqtt.NewClient(options(url, id, user, pass).
		SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err }))
	return c, lost, c.Connect()
}

// TestOwnIDs: an account that connects by the client id of another one throws nobody off, however often; one that connects by its own again
// does, as MQTT has it.
func TestOwnIDs(t *testing.T) {
	b := start(t, broker.Options{Users: two})
	north, lost, k := by(b.URL(), "north", "n", "boardd-north")
	wait(t, "connect", k)
	for range 5 {
		c, _, k := by(b.URL(), "look", "v", "boardd-north")
		wait(t, "the stranger connects", k)
		c.Disconnect(10)
	}
	wait(t, "north still publishes", north.Publish("boardd/v1/north/game", 1, true, "{}"))
	select {
	case err := <-lost:
		t.Fatalf("the board was thrown off: %v", err)
	default:
	}
	_, _, k = by(b.URL(), "north", "n", "boardd-north")
	wait(t, "north connects anew", k)
	select {
	case <-lost:
	case <-time.After(patience):
		t.Fatal("one account has two connections by the same id")
	}
}

// TestConnections: an account has so many connections and no more, which takes none from others, and a wrong password none from it.
func TestConnections(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Connections: 2}})
	for i := range 5 {
		if _, _, k := by(b.URL(), "north", "wrong", fmt.Sprint("guess", i)); k.WaitTimeout(patience) && k.Error() == nil {
			t.Fatal("a wrong password is let in")
		}
	}
	first, _, k := by(b.URL(), "north", "n", "one")
	wait(t, "the first", k)
	_, _, k = by(b.URL(), "north", "n", "two")
	wait(t, "the second", k)
	if _, _, k = by(b.URL(), "north", "n", "three"); !k.WaitTimeout(patience) || k.Error() == nil {
		t.Error("the third is let in")
	}
	_, _, k = by(b.URL(), "look", "v", "one")
	wait(t, "another account", k)
	first.Disconnect(10)
	for end := time.Now().Add(patience); ; {
		if _, _, k = by(b.URL(), "north", "n", "four"); k.WaitTimeout(patience) && k.Error() == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("after one has gone there is no room for another")
		}
	}
}

// TestSlowed: an account that publishes more than its share waits, and loses nothing.
func TestSlowed(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Messages: 40}})
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	const all = 440
	got := make(chan string, all+1)
	wait(t, "subscribe", look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- string(m.Payload()) }))
	north, _, k := by(b.URL(), "north", "n", "north")
	wait(t, "connect", k)
	var last mqtt.Token
	for i := range all {
		last = north.Publish("boardd/v1/north/event", 1, false, fmt.Sprint(i))
	}
	wait(t, "the last is taken", last)
	seen := map[string]bool{}
	for end := time.After(patience); len(seen) < all; {
		select {
		case text := <-got:
			seen[text] = true
		case <-end:
			t.Fatalf("%d of %d messages came", len(seen), all)
		}
	}
}

// TestRetainedShare: of what an account retains the oldest goes where it is more than its share.
func TestRetainedShare(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Retained: 55_000}})
	north, _, k := by(b.URL(), "north", "n", "north")
	wait(t, "connect", k)
	for i := range 12 {
		wait(t, "publish", north.Publish(fmt.Sprint("boardd/v1/north/", i), 1, true, strings.Repeat("x", 10_000)))
	}
	got := make(chan string, 20)
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	wait(t, "subscribe", look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() }))
	wait(t, "publish", north.Publish("boardd/v1/north/end", 1, false, "x"))
	var topics []string
	for end := time.After(patience); ; {
		select {
		case topic := <-got:
			topics = append(topics, topic)
		case <-end:
			t.Fatalf("the end did not come; heard %v", topics)
		}
		if topics[len(topics)-1] == "boardd/v1/north/end" {
			break
		}
	}
	if len(topics) != 6 {
		t.Errorf("retained are %v, want the last five", topics[:len(topics)-1])
	}
	for _, topic := range topics[:len(topics)-1] {
		var n int
		if _, err := fmt.Sscanf(topic, "boardd/v1/north/%d", &n); err != nil || n < 7 {
			t.Errorf("%s is retained, and newer ones went", topic)
		}
	}
}
