// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
)

// TestTakesOver: a broker retains what another one did, in place of what is in its store: what is missing there goes.
func TestTakesOver(t *testing.T) {
	users := []broker.User{{Name: "north", Password: "n", Board: "north", Discovery: true},
		{Name: "home", Password: "h", Discovery: true}}
	for name, users := range map[string][]broker.User{"accounts": users, "no accounts": nil} {
		t.Run(name, func(t *testing.T) {
			say := func(b *broker.Broker, texts map[string]string) {
				t.Helper()
				c := connect(t, b.URL(), "north", "north", "n")
				for topic, text := range texts {
					wait(t, "publish", c.Publish(topic, 1, true, text))
				}
				c.Disconnect(100)
			}
			const discovery = "homeassistant/device/boardd-north/config"
			first := start(t, broker.Options{Users: users})
			say(first, map[string]string{"boardd/v1/north/game": "new", "boardd/v1/north/status": "online", discovery: "{}"})
			kept, err := first.Retained()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			second := start(t, broker.Options{Users: users, Dir: dir})
			say(second, map[string]string{"boardd/v1/north/game": "old", "boardd/v1/north/gone": "x"})
			second.Close()
			for range 2 { // it is in the store then
				third := start(t, broker.Options{Users: users, Dir: dir, Retained: kept})
				kept = nil
				got, end := map[string]string{}, make(chan struct{})
				c := connect(t, third.URL(), "look", "home", "h")
				hear := func(_ mqtt.Client, m mqtt.Message) {
					if m.Topic() == "homeassistant/end" {
						close(end)
						return
					}
					got[m.Topic()] = string(m.Payload())
				}
				wait(t, "subscribe", c.Subscribe("boardd/v1/#", 0, hear))
				wait(t, "subscribe", c.Subscribe("homeassistant/#", 0, hear))
				wait(t, "publish", c.Publish("homeassistant/end", 0, false, "x"))
				<-end
				want := map[string]string{"boardd/v1/north/game": "new", "boardd/v1/north/status": "online", discovery: "{}"}
				if !maps.Equal(got, want) {
					t.Errorf("retained are %v, want %v", got, want)
				}
				c.Disconnect(100)
				third.Close()
			}
		})
	}
}

// TestNoRetainedCommand: a command that is to be retained reaches nobody, now or later. It would be carried out again
// by a board that comes back. Its sender is answered, and other commands are passed on.
func TestNoRetainedCommand(t *testing.T) {
	b := start(t, broker.Options{})
	const topic = "boardd/v1/north/command"
	got := listen(t, connect(t, b.URL(), "north", "", ""), "boardd/v1/north/#", 1)
	from := connect(t, b.URL(), "from", "", "")
	for qos := range byte(3) {
		wait(t, "publish to be retained", from.Publish(topic, qos, true, fmt.Sprintf(`{"retained":%d}`, qos)))
	}
	diesWith(t, b, "dying", "", "", topic, `{"will":1}`)
	wait(t, "publish", from.Publish(topic, 1, false, `{"id":"1"}`))
	wait(t, "publish", from.Publish("boardd/v1/north/game", 1, true, "{}"))
	for _, want := range []string{topic + ` {"id":"1"}`, "boardd/v1/north/game {}"} {
		if heard := receive(t, got); heard != want {
			t.Errorf("heard %s, want %s", heard, want)
		}
	}
	late := listen(t, connect(t, b.URL(), "late", "", ""), "boardd/v1/north/#", 1)
	if heard := receive(t, late); !strings.Contains(heard, "{}") || strings.Contains(heard, "command") {
		t.Errorf("a client that comes late heard %s", heard)
	}
}
