// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
)

const patience = 10 * time.Minute // for what must happen: a busy machine is no fault

func start(t *testing.T, o broker.Options) *broker.Broker {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	o.Patience = patience
	b, err := broker.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// wait ends the test when a token does not complete.
func wait(t *testing.T, what string, token mqtt.Token) {
	t.Helper()
	if !token.WaitTimeout(patience) {
		t.Fatalf("%s: not completed within %v", what, patience)
	}
	if err := token.Error(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// options returns the options of a client that does not reconnect by itself, and that waits long before it gives up
// the broker.
func options(url, id, user, password string) *mqtt.ClientOptions {
	return mqtt.NewClientOptions().AddBroker(url).SetClientID(id).SetUsername(user).SetPassword(password).
		SetAutoReconnect(false).
		SetConnectTimeout(patience).SetKeepAlive(patience).SetPingTimeout(patience)
}

// client is a client that reports why it was disconnected.
type client struct {
	mqtt.Client
	mu    sync.Mutex
	heard []chan string
}

const thrownOff = "the connection was lost: "

func newClient(o *mqtt.ClientOptions) *client {
	c := &client{}
	c.Client = mqtt.NewClient(o.SetConnectionLostHandler(func(_ mqtt.Client, err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, got := range c.heard {
			got <- thrownOff + err.Error()
		}
	}))
	return c
}

func connect(t *testing.T, url, id, user, password string) *client {
	t.Helper()
	c := newClient(options(url, id, user, password))
	wait(t, id+" connects", c.Connect())
	t.Cleanup(func() { c.Disconnect(100) })
	return c
}

// listen subscribes and returns what arrives as "topic payload".
func listen(t *testing.T, c *client, filter string, qos byte) <-chan string {
	t.Helper()
	got := make(chan string, 256)
	c.mu.Lock()
	c.heard = append(c.heard, got)
	c.mu.Unlock()
	token := c.Subscribe(filter, qos,
		func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() + " " + string(m.Payload()) })
	wait(t, "subscribe "+filter, token)
	if code := token.(*mqtt.SubscribeToken).Result()[filter]; code > 2 {
		t.Fatalf("subscribe %s: refused with %d", filter, code)
	}
	return got
}

func receive(t *testing.T, got <-chan string) string {
	t.Helper()
	select {
	case s := <-got:
		if strings.HasPrefix(s, thrownOff) {
			t.Fatal(s)
		}
		return s
	case <-time.After(patience):
		t.Fatalf("nothing arrived within %v", patience)
		return ""
	}
}

func TestRetainedGameSurvivesTheBroker(t *testing.T) {
	dir := t.TempDir()
	b := start(t, broker.Options{Dir: dir})
	wait(t, "publish", connect(t, b.URL(), "north", "", "").Publish("boardd/v1/north/game", 1, true, "the game"))
	b.Close()
	b = start(t, broker.Options{Dir: dir})
	for i, filter := range []string{"boardd/v1/#", "boardd/v1/+/game", "boardd/v1/north/game"} {
		got := receive(t, listen(t, connect(t, b.URL(), fmt.Sprint("spectator", i), "", ""), filter, 1))
		if want := "boardd/v1/north/game the game"; got != want {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
	}
}

func TestMosquittoReadsIt(t *testing.T) {
	b := start(t, broker.Options{})
	wait(t, "publish", connect(t, b.URL(), "north", "", "").Publish("boardd/v1/north/game", 1, true, "the game"))
	_, port, err := net.SplitHostPort(b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("mosquitto_sub", "-h", "127.0.0.1", "-p", port, "-v", "-t", "boardd/v1/#", "-C", "1", "-W",
		fmt.Sprint(patience.Seconds())).CombinedOutput()
	if err != nil {
		t.Fatalf("mosquitto_sub (Debian package mosquitto-clients): %v: %s", err, out)
	}
	if got, want := strings.TrimSpace(string(out)), "boardd/v1/north/game the game"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWillIsPublishedWhenTheLinkBreaks(t *testing.T) {
	b := start(t, broker.Options{})
	got := listen(t, connect(t, b.URL(), "spectator", "", ""), "boardd/v1/+/status", 1)
	diesWith(t, b, "north", "", "", "boardd/v1/north/status", "offline")
	if got, want := receive(t, got), "boardd/v1/north/status offline"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTakenPortIsSaid(t *testing.T) {
	b := start(t, broker.Options{})
	_, err := broker.Start(broker.Options{Listen: b.Addr(), Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), b.Addr()) || !strings.Contains(err.Error(), "choose another port") {
		t.Errorf("got %v, want an error that names %s and what to do", err, b.Addr())
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		want string
		o    broker.Options
	}{
		{"no directory", broker.Options{Listen: "127.0.0.1:0"}},
		{"want host:port", broker.Options{Listen: "1883", Dir: dir}},
		{"add accounts", broker.Options{Listen: ":0", Dir: dir}},
		{"add accounts", broker.Options{Listen: "0.0.0.0:0", Dir: dir}},
		{"name and password", broker.Options{Listen: "127.0.0.1:0", Dir: dir, Users: []broker.User{{Name: "north"}}}},
		{"given twice", broker.Options{Listen: "127.0.0.1:0", Dir: dir, Users: []broker.User{{Name: "n", Password: "p"},
			{Name: "n", Password: "p"}}}},
		{`board ">"`, broker.Options{Listen: "127.0.0.1:0", Dir: dir,
			Users: []broker.User{{Name: "n", Password: "p", Board: ">"}}}},
		{`commands to "a.b"`, broker.Options{Listen: "127.0.0.1:0", Dir: dir,
			Users: []broker.User{{Name: "n", Password: "p", Commands: []string{"a.b"}}}}},
	} {
		if b, err := broker.Start(c.o); err == nil {
			b.Close()
			t.Errorf("%+v: started, want an error with %q", c.o, c.want)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}
