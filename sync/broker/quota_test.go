// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/broker/gate"
	"boardd/systemd/steady/steadytest"
)

var two = []broker.User{{Name: "north", Password: "n", Board: "north"}, {Name: "look", Password: "v"}}

// by is a client of an account that does not reconnect by itself. lost gets the reason when it is disconnected.
func by(url, user, pass, id string) (c mqtt.Client, lost chan error, token mqtt.Token) {
	lost = make(chan error, 1)
	c = mqtt.NewClient(options(url, id, user, pass).
		SetConnectionLostHandler(func(_ mqtt.Client, err error) { lost <- err }))
	return c, lost, c.Connect()
}

// TestOwnIDs: an account that connects with the client id of another account disconnects nobody, however often. With
// its own id again it does, as MQTT says.
func TestOwnIDs(t *testing.T) {
	b := start(t, broker.Options{Users: two})
	north, lost, k := by(b.URL(), "north", "n", "boardd-north")
	wait(t, "connect", k)
	for i := range 5 {
		c, _, k := by(b.URL(), "look", "v", "boardd-north")
		// Later ones may come before the last has gone. The server refuses those for a second.
		if k.WaitTimeout(patience); i == 0 {
			wait(t, "the stranger connects", k)
		}
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

// TestPasswordsAreGuessedSlowly: of many wrong passwords only a few are checked, and after that not even the right
// one. Meanwhile a client of another account on the same machine, with the right password, can connect.
func TestPasswordsAreGuessedSlowly(t *testing.T) {
	var said steadytest.Said
	b := start(t, broker.Options{Users: two, Log: slog.New(slog.NewTextHandler(&said, nil))})
	_, _, k := by(b.URL(), "north", "n", "one")
	wait(t, "the board", k)
	n := 0
	try := func(user, pass string) error {
		n++
		k := mqtt.NewClient(options(b.URL(), fmt.Sprint("try", n), user, pass).SetProtocolVersion(4)).Connect()
		if !k.WaitTimeout(patience) {
			t.Fatal("no answer")
		}
		return k.Error()
	}
	looked := 0
	for range 100 {
		switch err := try("look", "wrong"); {
		case err == nil:
			t.Fatal("a wrong password is let in")
		case strings.Contains(strings.ToLower(err.Error()), "not authorized"):
			looked++
		}
	}
	if looked < 10 || looked > 50 { // ten, and one for every two seconds that this takes
		t.Errorf("%d of 100 guesses were looked at, want some ten", looked)
	}
	for range 20 {
		if err := try("north", "n"); err != nil {
			t.Fatalf("the other account: %v", err)
		}
	}
	if !strings.Contains(said.String(), "wrong password") {
		t.Errorf("nothing is said: %s", said.String())
	}
}

// TestStrangersTakeNoMemory: a client that has not logged in can send only a little.
func TestStrangersTakeNoMemory(t *testing.T) {
	b := start(t, broker.Options{Users: two})
	conn, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// a CONNECT of 1 MiB
	hello := append([]byte{0x10, 0xff, 0xff, 0x3f}, make([]byte, 1<<20)...)
	conn.Write(hello) //nolint:errcheck // it is closed in the middle
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 1)); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a CONNECT of 1 MiB: %d bytes of an answer, %v; want it closed", n, err)
	}
}

// TestConnections: each account has a limited number of connections of its own. A wrong password does not use any of
// them.
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

// TestSlowed: an account that publishes more than its quota has to wait, but loses nothing.
func TestSlowed(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Messages: 40}})
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	const all = 440
	got := make(chan string, all+1)
	wait(t, "subscribe",
		look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- string(m.Payload()) }))
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

// TestRetainedShare: if an account retains more than its quota, its oldest messages are removed.
func TestRetainedShare(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Retained: 55_000}})
	north, _, k := by(b.URL(), "north", "n", "north")
	wait(t, "connect", k)
	for i := range 12 {
		wait(t, "publish", north.Publish(fmt.Sprint("boardd/v1/north/", i), 1, true, strings.Repeat("x", 10_000)))
	}
	topics := retainedOfNorth(t, b)
	if len(topics) != 5 {
		t.Errorf("retained are %v, want the last five", topics)
	}
	for _, topic := range topics {
		var n int
		if _, err := fmt.Sscanf(topic, "boardd/v1/north/%d", &n); err != nil || n < 7 {
			t.Errorf("%s is retained, and newer ones went", topic)
		}
	}
}

// TestSessions: an account has a number of sessions that outlive their connections. Its further clients are connected
// too, but nothing waits for them. A client that no longer wants its session makes room.
func TestSessions(t *testing.T) {
	var said steadytest.Said
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Sessions: 2},
		Log: slog.New(slog.NewTextHandler(&said, nil))})
	north := connect(t, b.URL(), "board", "north", "n")
	away := func(id string, clean bool) (waits bool) {
		t.Helper()
		c := mqtt.NewClient(options(b.URL(), id, "look", "v").SetCleanSession(clean))
		k := c.Connect()
		wait(t, "connect", k)
		wait(t, "subscribe", c.Subscribe("boardd/v1/#", 1, func(mqtt.Client, mqtt.Message) {}))
		c.Disconnect(100)
		connected, ok := k.(*mqtt.ConnectToken)
		return ok && connected.SessionPresent()
	}
	for _, id := range []string{"one", "two", "three"} {
		away(id, false)
	}
	wait(t, "publish", north.Publish("boardd/v1/north/event", 1, false, "x"))
	for id, want := range map[string]bool{"one": true, "two": true, "three": false} {
		if got := away(id, false); got != want {
			t.Errorf("client %s has a session: %v, want %v", id, got, want)
		}
	}
	if n := strings.Count(said.String(), "as many sessions as it may"); n != 1 {
		t.Errorf("logged %d times, want once:\n%s", n, said.String())
	}
	away("one", true)
	away("three", false)
	if !away("three", false) {
		t.Error("a session was given up, and another client gets none")
	}
}

// TestFiltersShare: an account that subscribes to more than its quota is refused, and stays connected. Others are not.
func TestFiltersShare(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Filters: 20_000}})
	look := connect(t, b.URL(), "look", "look", "v")
	topic := func(i int) string { return fmt.Sprint("boardd/v1/", i, strings.Repeat("x", 2000)) }
	codes := map[byte]int{}
	for i := range 20 {
		k := look.Subscribe(topic(i), 0, nil)
		if !k.WaitTimeout(patience) {
			t.Fatal("no answer")
		}
		codes[k.(*mqtt.SubscribeToken).Result()[topic(i)]]++
	}
	if codes[0] < 5 || codes[0] > 10 || codes[0]+codes[0x80] != 20 {
		t.Errorf("answers: %v, want some accepted and the others refused", codes)
	}
	wait(t, "give one up", look.Unsubscribe(topic(0)))
	wait(t, "there is room", look.Subscribe(topic(50), 0, nil))
	north := connect(t, b.URL(), "north", "north", "n")
	wait(t, "another account", north.Subscribe(topic(1), 0, nil))
}

// TestManyCatchUp: clients of one account that subscribe at once all get everything that is retained.
func TestManyCatchUp(t *testing.T) {
	b := start(t, broker.Options{Users: two})
	north := connect(t, b.URL(), "north", "north", "n")
	for i := range 20 {
		wait(t, "publish", north.Publish(fmt.Sprint("boardd/v1/north/", i), 1, true, strings.Repeat("x", 10_000)))
	}
	got := make(chan string, 1000)
	for i := range 10 {
		c := connect(t, b.URL(), fmt.Sprint("look", i), "look", "v")
		c.Subscribe("boardd/v1/#", byte(i%2), func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() })
	}
	for i := range 200 {
		select {
		case <-got:
		case <-time.After(patience):
			t.Fatalf("%d of 200 messages came", i)
		}
	}
}

// TestWaitingShare: an account that publishes more than its quota with QoS 1 does not displace messages of others that
// wait. Above the quota its messages go only to connected clients. The quota comes back with time (TestKeeps).
func TestWaitingShare(t *testing.T) {
	b := start(t, broker.Options{Users: append(slices.Clone(two),
		broker.User{Name: "south", Password: "s", Board: "south"}), Quota: &gate.Quota{Waiting: 100_000}})
	hear := func(session bool) (mqtt.Client, chan string) {
		got := make(chan string, 100)
		c := mqtt.NewClient(options(b.URL(), fmt.Sprint("hears", session), "look",
			"v").SetCleanSession(!session).SetDefaultPublishHandler(func(_ mqtt.Client,
			m mqtt.Message) {
			got <- string(m.Payload())
		}))
		wait(t, "connect", c.Connect())
		return c, got
	}
	away, _ := hear(true)
	wait(t, "subscribe", away.Subscribe("boardd/v1/#", 1, nil))
	away.Disconnect(100)
	here, heard := hear(false)
	wait(t, "subscribe", here.Subscribe("boardd/v1/#", 1, nil))
	say := func(user, password, text string, n int) {
		c, _, k := by(b.URL(), user, password, user)
		wait(t, "connect", k)
		for i := range n {
			wait(t, "publish", c.Publish("boardd/v1/"+user+"/event", 1, false, fmt.Sprint(text, i)+strings.Repeat(" ", 10_000)))
		}
	}
	say("south", "s", "south", 1)
	say("north", "n", "north", 20)
	say("south", "s", "end", 1)
	count := func(got chan string) (north, south int) {
		for late := time.After(patience); ; {
			select {
			case text := <-got:
				switch {
				case strings.HasPrefix(text, "north"):
					north++
				default:
					south++
				}
				if strings.HasPrefix(text, "end") {
					return north, south
				}
			case <-late:
				t.Fatalf("the end did not come; heard %d and %d", north, south)
			}
		}
	}
	// the last few may come after the end, by another way through the server
	if north, south := count(heard); north < 15 || south != 2 {
		t.Errorf("who was there heard %d of north and %d of south, want nearly all 20, and 2", north, south)
	}
	_, waited := hear(true)
	if north, south := count(waited); north != 4 || south != 2 {
		t.Errorf("%d messages of north waited and %d of south, want 4 (half of its share at once) and 2", north, south)
	}
}
