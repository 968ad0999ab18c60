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

// TestWillsCount: what an account has published by its wills counts like what it publishes itself, so that it cannot
// fill the store by connections that break.
func TestWillsCount(t *testing.T) {
	b := start(t, broker.Options{Users: two, Quota: &gate.Quota{Retained: 55_000}})
	look, _, k := by(b.URL(), "look", "v", "look")
	wait(t, "connect", k)
	died := make(chan string, 100)
	wait(t, "subscribe", look.Subscribe("boardd/v1/#", 1, func(_ mqtt.Client, m mqtt.Message) { died <- m.Topic() }))
	const all = 12
	for i := range all {
		var link net.Conn
		topic := fmt.Sprint("boardd/v1/north/", i)
		o := options(b.URL(), fmt.Sprint("north", i), "north", "n").SetWill(topic, strings.Repeat("x", 10_000), 1, true).
			SetCustomOpenConnectionFn(func(u *url.URL, _ mqtt.ClientOptions) (conn net.Conn, err error) {
				link, err = net.Dial("tcp", u.Host)
				return link, err
			})
		c := mqtt.NewClient(o)
		wait(t, "connect", c.Connect())
		link.Close()
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
	late, _, k := by(b.URL(), "look", "v", "late")
	wait(t, "connect", k)
	got := make(chan string, 100)
	wait(t, "subscribe", late.Subscribe("boardd/v1/north/#", 1, func(_ mqtt.Client, m mqtt.Message) { got <- m.Topic() }))
	north, _, k := by(b.URL(), "north", "n", "again")
	wait(t, "connect", k)
	wait(t, "publish", north.Publish("boardd/v1/north/end", 1, false, "x"))
	var kept []string
	for end := time.After(patience); ; {
		select {
		case topic := <-got:
			kept = append(kept, topic)
		case <-end:
			t.Fatalf("the end did not come; heard %v", kept)
		}
		if kept[len(kept)-1] == "boardd/v1/north/end" {
			break
		}
	}
	if len(kept) != 6 {
		t.Errorf("retained are %v, want the last five", kept[:len(kept)-1])
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
