// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

const patience = 10 * time.Minute // for what must happen: a busy machine is no fault

// live runs a mirror against a real broker until the test ends.
func live(t *testing.T, o mirror.Options) *mirror.Mirror {
	t.Helper()
	m := mirror.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := m.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return m
}

// spectator subscribes to everything under the root and returns what arrives as "topic payload".
func spectator(t *testing.T, url string, auth func(*mqtt.ClientOptions)) (mqtt.Client, <-chan string) {
	t.Helper()
	got := make(chan string, 1024)
	o := mqtt.NewClientOptions().AddBroker(url).SetClientID("spectator-" + t.Name()).SetMaxReconnectInterval(time.Second)
	o.SetOnConnectHandler(func(c mqtt.Client) {
		c.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() + " " + string(m.Payload()) })
	})
	if auth != nil {
		auth(o)
	}
	c := mqtt.NewClient(o)
	if token := c.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("spectator connects: %v", token.Error())
	}
	t.Cleanup(func() { c.Disconnect(100) })
	return c, got
}

// until waits for a message that has all these parts.
func until(t *testing.T, got <-chan string, parts ...string) string {
	t.Helper()
	return untilEach(t, got, parts)
}

// untilEach waits until a message with all parts has come for each list, in any order, and returns the last one.
func untilEach(t *testing.T, got <-chan string, wanted ...[]string) string {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case s := <-got:
			if wanted = slices.DeleteFunc(wanted, func(parts []string) bool { return all(s, parts) }); len(wanted) == 0 {
				return s
			}
		case <-limit:
			t.Fatalf("nothing with each of %q within %v", wanted, patience)
		}
	}
}

func all(s string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

func movesOf(n int) string {
	b, err := json.Marshal(sample("g", n).Moves)
	if err != nil {
		return err.Error()
	}
	return `"moves":` + string(b)
}

func TestEmbeddedBrokerStopsAndStarts(t *testing.T) {
	dir := t.TempDir()
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	north := live(t, mirror.Options{Board: "north", URL: b.URL()})
	south := live(t, mirror.Options{Board: "south", URL: b.URL()})
	south.Follow("north")
	_, got := spectator(t, b.URL(), nil)
	north.Publish(sample("g", 1))
	until(t, got, northGame, movesOf(1))
	next(t, south, func(in mirror.Incoming) bool { return in.Game != nil && len(in.Game.Moves) == 1 })

	b.Close()
	next(t, north, func(in mirror.Incoming) bool { return in.Link != nil && !in.Link.Up })
	north.Publish(sample("g", 2)) // moves go on while the broker is away
	north.Publish(sample("g", 3))
	b, err = broker.Start(broker.Options{Listen: b.Addr(), Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	next(t, south, func(in mirror.Incoming) bool { return in.Game != nil && len(in.Game.Moves) == 3 })
	until(t, got, northGame, movesOf(3))
	// Whoever subscribes now gets both, as retained messages or new ones, in any order.
	_, late := spectator(t, b.URL(), func(o *mqtt.ClientOptions) { o.SetClientID("late") })
	untilEach(t, late, []string{northGame, movesOf(3)}, []string{northStatus, wire.Online})
}

func TestSameClientIDAtTheEmbeddedBroker(t *testing.T) {
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	one := live(t, mirror.Options{Board: "north", URL: b.URL()})
	live(t, mirror.Options{Board: "north", URL: b.URL()})
	next(t, one, func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Conflict })
}

func TestAccountsAtTheEmbeddedBroker(t *testing.T) {
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(), Users: []broker.User{
		{Name: "north", Password: "n", Board: "north"}, {Name: "look", Password: "v"}, {Name: "arbiter", Password: "a",
			Commands: []string{"*"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	north := live(t, mirror.Options{Board: "north", URL: b.URL(), User: "north", Password: "n"})
	_, got := spectator(t, b.URL(), func(o *mqtt.ClientOptions) { o.SetUsername("look").SetPassword("v") })
	north.Publish(sample("g", 1))
	until(t, got, northGame, movesOf(1))
	a, _ := spectator(t, b.URL(),
		func(o *mqtt.ClientOptions) { o.SetUsername("arbiter").SetPassword("a").SetClientID("arbiter") })
	a.Publish(northCommand, 1, false, `{"id":"7","do":"flip"}`)
	if in := next(t, north, isCommand); in.Command.ID != "7" {
		t.Errorf("got %+v", in.Command)
	}
	if l := north.Link(); !l.Up || len(l.Refused) != 0 {
		t.Errorf("link %+v", l)
	}
	wrong := live(t, mirror.Options{Board: "north", URL: b.URL(), ClientID: "wrong", User: "north", Password: "x"})
	in := next(t, wrong, func(in mirror.Incoming) bool { return in.Link != nil && !in.Link.Up })
	if !strings.Contains(strings.ToLower(in.Link.Trouble.English), "bad user name or password") &&
		!strings.Contains(in.Link.Trouble.English, "not Authorized") {
		t.Errorf("trouble is %q, want the password to be named", in.Link.Trouble.English)
	}
}

// TestMosquitto plays against Debian's mosquitto with TLS, client certificates and rights by the tree.
func TestMosquitto(t *testing.T) {
	m := startMosquitto(t, `
user north
topic readwrite boardd/v1/north/#
topic read boardd/v1/#
user south
topic readwrite boardd/v1/south/#
topic read boardd/v1/#
user look
topic read boardd/v1/#
`)
	as := func(name string) *tls.Config { return m.ca.client(t, name) }
	north := live(t, mirror.Options{Board: "north", URL: m.url, TLS: given(as("north"))})
	south := live(t, mirror.Options{Board: "south", URL: m.url, TLS: given(as("south"))})
	south.Follow("north")
	look, got := spectator(t, m.url, func(o *mqtt.ClientOptions) { o.SetTLSConfig(as("look")) })
	north.Publish(sample("g", 1))
	until(t, got, northGame, movesOf(1))
	next(t, south, func(in mirror.Incoming) bool { return in.Game != nil && len(in.Game.Moves) == 1 })

	// A spectator and a foreign board write where they must not. None of it arrives before the next game.
	foreign := live(t, mirror.Options{Board: "north", ClientID: "foreign", URL: m.url, TLS: given(as("south"))})
	foreign.Publish(sample("g", 9))
	if token := look.Publish(northCommand, 1, false, `{"id":"1","do":"flip"}`); !token.WaitTimeout(patience) {
		t.Fatal("the spectator's publish is not answered")
	}
	next(t, foreign, func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Up })
	south.Event(wire.Event{Kind: wire.EventMove, Text: "after the forbidden ones"})
	for s := ""; !strings.Contains(s, "after the forbidden ones"); {
		if s = until(t, got, "boardd/v1/"); strings.Contains(s, movesOf(9)) || strings.HasPrefix(s, northCommand) {
			t.Fatalf("a forbidden message arrived: %s", s)
		}
	}

	m.restart(t) // in the middle of the game; the broker has forgotten what was retained
	north.Publish(sample("g", 2))
	until(t, got, northGame, movesOf(2))

	stranger := live(t, mirror.Options{Board: "west", URL: m.url, TLS: given(newAuthority(t).client(t, "west"))})
	in := next(t, stranger, func(in mirror.Incoming) bool { return in.Link != nil && !in.Link.Up })
	if !strings.Contains(in.Link.Trouble.English, "certificate") {
		t.Errorf("trouble is %q, want the certificate to be named", in.Link.Trouble.English)
	}
}

// TestStrangerWithTheBoardsID: a client connects again and again with the board's client id. It cannot keep the board
// off a broker that does not bind ids to accounts. The board takes another id, and says so.
func TestStrangerWithTheBoardsID(t *testing.T) {
	b, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	spectator(t, b.URL(), func(o *mqtt.ClientOptions) {
		o.SetClientID("boardd-north").SetAutoReconnect(true).SetMaxReconnectInterval(100 * time.Millisecond)
	})
	north := live(t, mirror.Options{Board: "north", URL: b.URL()})
	next(t, north, func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Conflict })
	next(t, north, func(in mirror.Incoming) bool { return in.Link != nil && in.Link.Up })
	_, got := spectator(t, b.URL(), func(o *mqtt.ClientOptions) { o.SetClientID("looker") })
	north.Publish(sample("g", 1))
	until(t, got, northGame, movesOf(1))
}

// given is a configuration for each connection.
func given(t *tls.Config) func() (*tls.Config, error) {
	return func() (*tls.Config, error) { return t, nil }
}
