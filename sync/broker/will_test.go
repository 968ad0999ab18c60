// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
	"boardd/sync/broker/gate"
)

// TestWillsCount: what an account has published by its wills counts like what it publishes itself. So it cannot fill
// the store by connections that break.
func TestWillsCount(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Retained: 55_000}})
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	died := make(chan string, 100)
	wait(t, "subscribe", look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { died <- m.Topic() }))
	for i := range 12 {
		topic := fmt.Sprint("boardd/v1/north/", i)
		diesWith(t, b, fmt.Sprint("north", i), "north", "n", topic, strings.Repeat("x", 10_000))
		for end := time.After(patience); ; {
			var got string
			select {
			case got = <-died:
			case <-end:
				t.Fatalf("the will of %s did not come", topic)
			}
			if got == topic {
				break
			}
		}
	}
	if kept := retainedOfNorth(t, b); len(kept) != 5 {
		t.Errorf("retained are %v, want the last five", kept)
	}
}

// diesWith connects a client with a will, and breaks its link.
func diesWith(t *testing.T, b *broker.Broker, id, user, password, topic, will string) {
	t.Helper()
	var link net.Conn
	o := options(b.URL(), id, user, password).SetWill(topic, will, 1, true).
		SetCustomOpenConnectionFn(func(u *url.URL, _ mqtt.ClientOptions) (conn net.Conn, err error) {
			link, err = net.Dial("tcp", u.Host)
			return link, err
		})
	c := mqtt.NewClient(o)
	wait(t, "connect", c.Connect())
	link.Close()
	t.Cleanup(func() { c.Disconnect(0) })
}

// retainedOfNorth lists the topics of the account north that are retained, as who comes late hears of them.
func retainedOfNorth(t *testing.T, b *broker.Broker) (topics []string) {
	t.Helper()
	const last = "boardd/v1/north/end"
	got := make(chan string, 100)
	late, _, k := by(b.URL(), "look", "v", "late")
	wait(t, "connect", k)
	wait(t, "subscribe", late.Subscribe("boardd/v1/north/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() }))
	north, _, k := by(b.URL(), "north", "n", "again")
	wait(t, "connect", k)
	wait(t, "publish", north.Publish(last, 1, false, "x"))
	for end := time.After(patience); ; {
		select {
		case topic := <-got:
			if topic == last {
				return topics
			}
			topics = append(topics, topic)
		case <-end:
			t.Fatalf("the end did not come; heard %v", topics)
		}
	}
}

// TestNoWill: whoever is refused for too many connections, or says farewell, leaves no will.
func TestNoWill(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Connections: 1, Retained: 1 << 20}})
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	heard := make(chan string, 100)
	wait(t, "subscribe", look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { heard <- m.Topic() }))
	with := func(id string) mqtt.Client {
		return mqtt.NewClient(options(b.URL(), id, "north", "n").SetWill("boardd/v1/north/"+id, "gone", 1, true))
	}
	first, second := with("first"), with("second")
	wait(t, "the first", first.Connect())
	if k := second.Connect(); !k.WaitTimeout(patience) || k.Error() == nil {
		t.Fatal("the second is let in")
	}
	first.Disconnect(100)
	var third mqtt.Client
	for end := time.Now().Add(patience); ; { // until the first is seen to have gone
		third = with("third")
		if k := third.Connect(); k.WaitTimeout(patience) && k.Error() == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the third is refused")
		}
	}
	wait(t, "publish", third.Publish("boardd/v1/north/end", 1, false, "x"))
	if got := receive(t, heard); got != "boardd/v1/north/end" {
		t.Errorf("heard %s", got)
	}
	third.Disconnect(100)
}
