// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
)

// returning is a client of an account that keeps its session, and whether the broker still had it.
func returning(t *testing.T, b *broker.Broker, id string) (c mqtt.Client, had bool, heard chan string) {
	t.Helper()
	heard = make(chan string, 100)
	c = mqtt.NewClient(options(b.URL(), id, "look", "v").SetCleanSession(false).
		SetDefaultPublishHandler(func(_ mqtt.Client, m mqtt.Message) { heard <- string(m.Payload()) }))
	k := c.Connect()
	wait(t, "connect", k)
	return c, k.(*mqtt.ConnectToken).SessionPresent(), heard
}

// gone waits until a client has gone.
func gone(t *testing.T, b *broker.Broker, id string) {
	t.Helper()
	if err := b.AwaitGone(id); err != nil {
		t.Fatal(err)
	}
}

// sessions waits until the store has this many sessions: the server removes one a moment after its client has gone.
func sessions(t *testing.T, b *broker.Broker, want int, when string) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		got, err := b.Sessions()
		switch {
		case err != nil:
			t.Fatal(err)
		case got == want:
			return
		case got < want || time.Now().After(end):
			t.Fatalf("%s there are %d sessions, want %d", when, got, want)
		}
	}
}

// TestSessionsExpire: an hour after its client has gone, a session is gone from the store, also if the broker was
// started anew meanwhile. A session whose client is there stays. A client that comes back later begins anew, and hears
// what is said then.
func TestSessionsExpire(t *testing.T) {
	o := broker.Options{Dir: t.TempDir(), Users: two}
	b := start(t, o)
	begin := time.Now()
	pass := func(b *broker.Broker, after time.Duration) {
		t.Helper()
		if err := b.Forget(begin.Add(after)); err != nil {
			t.Fatal(err)
		}
	}
	away, _, _ := returning(t, b, "away")
	stays, _, _ := returning(t, b, "stays")
	for _, c := range []mqtt.Client{away, stays} {
		wait(t, "subscribe", c.Subscribe("boardd/v1/#", 1, nil))
	}
	away.Disconnect(100)
	gone(t, b, "away")
	pass(b, 0)
	pass(b, 59*time.Minute)
	sessions(t, b, 2, "within the hour")
	pass(b, 61*time.Minute)
	sessions(t, b, 1, "an hour after one client of two has gone")
	away, had, heard := returning(t, b, "away")
	if had {
		t.Error("the session is there an hour later")
	}
	wait(t, "subscribe", away.Subscribe("boardd/v1/#", 1, nil))
	wait(t, "publish", connect(t, b.URL(), "north", "north", "n").Publish("boardd/v1/north/event", 1, false, "later"))
	if got := receive(t, heard); got != "later" {
		t.Errorf("heard %q, want what is said later", got)
	}
	away.Disconnect(100)
	stays.Disconnect(100)
	b.Close()

	b = start(t, o)
	pass(b, 2*time.Hour)
	pass(b, 2*time.Hour+59*time.Minute)
	away, had, _ = returning(t, b, "away")
	if !had {
		t.Error("the session is gone after a restart, within the hour")
	}
	away.Disconnect(100)
	gone(t, b, "away")
	pass(b, 3*time.Hour)
	pass(b, 3*time.Hour+59*time.Minute)
	sessions(t, b, 1, "an hour after the restart, with one client that came back")
	pass(b, 4*time.Hour+time.Minute)
	sessions(t, b, 0, "an hour after the last one has gone")
}

// TestOldMessagesGo: what waits for a client that is away goes with time. What is said later still waits for it.
func TestOldMessagesGo(t *testing.T) {
	b := start(t, broker.Options{Users: two}.WithKeep(time.Second))
	away, _, _ := returning(t, b, "away")
	wait(t, "subscribe", away.Subscribe("boardd/v1/#", 1, nil))
	away.Disconnect(100)
	north := connect(t, b.URL(), "north", "north", "n")
	wait(t, "publish", north.Publish("boardd/v1/north/event", 1, false, "old"))
	for end := time.Now().Add(patience); ; {
		n, err := b.Waiting()
		if err != nil || time.Now().After(end) {
			t.Fatalf("%d messages wait, %v", n, err)
		}
		if n == 0 {
			break
		}
	}
	_, had, heard := returning(t, b, "away")
	if !had {
		t.Fatal("the session went with the messages")
	}
	wait(t, "publish", north.Publish("boardd/v1/north/event", 1, false, "new"))
	if got := receive(t, heard); got != "new" {
		t.Errorf("heard %q, want what is new alone", got)
	}
}
