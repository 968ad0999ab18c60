// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/broker/gate"
)

// TestAdopt: accounts change while the broker runs. Whoever has lost his account, or whose password has changed, is
// disconnected and not let in again. Everybody else stays connected and keeps what is retained.
func TestAdopt(t *testing.T) {
	b := start(t, broker.Options{Users: accounts, Quota: &gate.Quota{Connections: 3}})
	reader := connect(t, b.URL(), "reader", "home", "h")
	boards := listen(t, reader, "boardd/v1/#", 1)
	north := connect(t, b.URL(), "north", "north", "n")
	south, spectator := connect(t, b.URL(), "south", "south", "s"), connect(t, b.URL(), "look", "spectator", "v")
	ends := map[string]<-chan string{"gone": listen(t, south, "boardd/v1/none", 1),
		"another password": listen(t, spectator, "boardd/v1/none", 1)}
	wait(t, "publish", north.Publish("boardd/v1/north/game", 1, true, "one"))
	if got := receive(t, boards); got != "boardd/v1/north/game one" {
		t.Fatal(got)
	}
	next := []broker.User{accounts[0], {Name: "spectator", Password: "new"}, {Name: "home", Password: "h",
		Commands: []string{"north"}}, {Name: "east", Password: "e", Board: "east"}}
	if err := b.SetUsers(next); err != nil {
		t.Fatal(err)
	}
	for why, end := range ends {
		if got := <-end; !strings.HasPrefix(got, thrownOff) {
			t.Errorf("%s: %s", why, got)
		}
	}
	for _, old := range [][2]string{{"south", "s"}, {"spectator", "v"}} {
		c := mqtt.NewClient(options(b.URL(), "again", old[0], old[1]))
		if k := c.Connect(); !k.WaitTimeout(patience) || k.Error() == nil {
			t.Errorf("%s is let in with its old password", old)
		}
	}
	wait(t, "publish", north.Publish("boardd/v1/north/game", 1, true, "two"))
	wait(t, "publish", connect(t, b.URL(), "east", "east", "e").Publish("boardd/v1/east/game", 1, true, "three"))
	wait(t, "publish", reader.Publish("boardd/v1/east/command", 1, false, "no right any more"))
	wait(t, "publish", reader.Publish("boardd/v1/north/command", 1, false, "still a right"))
	for _, want := range []string{"boardd/v1/north/game two", "boardd/v1/east/game three",
		"boardd/v1/north/command still a right"} {
		if got := receive(t, boards); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	got := receive(t, listen(t, connect(t, b.URL(), "look", "spectator", "new"), "boardd/v1/north/game", 1))
	if got != "boardd/v1/north/game two" {
		t.Errorf("what is retained: %q", got)
	}
	for i := range 3 { // a new account has its quota
		c := mqtt.NewClient(options(b.URL(), strings.Repeat("e", i+1), "east", "e"))
		k := c.Connect()
		t.Cleanup(func() { c.Disconnect(0) })
		if !k.WaitTimeout(patience) || (k.Error() == nil) != (i < 2) {
			t.Errorf("connection %d of a new account that may have 3: %v", i+2, k.Error())
		}
	}
}

// TestAdoptRefuses: accounts with faults change nothing, and a broker without accounts gets none.
func TestAdoptRefuses(t *testing.T) {
	b := start(t, broker.Options{Users: accounts})
	for want, users := range map[string][]broker.User{"given twice": {accounts[0], accounts[0]}, "started anew": nil} {
		if err := b.SetUsers(users); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	connect(t, b.URL(), "north", "north", "n")
	if err := start(t, broker.Options{}).SetUsers(accounts); err == nil {
		t.Error("a broker without accounts takes some, and no quota is enforced")
	}
}
