// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"slices"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/broker"
)

var accounts = []broker.User{
	{Name: "north", Password: "n", Board: "north", Discovery: true},
	{Name: "south", Password: "s", Board: "south"},
	{Name: "arbiter", Password: "a", Commands: []string{"*"}},
	{Name: "spectator", Password: "v"},
	{Name: "home", Password: "h", Discovery: true, Commands: []string{"*"}},
}

// TestRightsFollowTheTree lets every account write every topic, and checks what arrives.
func TestRightsFollowTheTree(t *testing.T) {
	b := start(t, broker.Options{Users: accounts})
	may := map[string][]string{
		"north": {"boardd/v1/north", "boardd/v1/north/command", "boardd/v1/north/game",
			"homeassistant/device/boardd-north/config"},
		"south":     {"boardd/v1/south/game"},
		"arbiter":   {"boardd/v1/north/command"},
		"spectator": nil,
	}
	tries := []string{
		"boardd/v1", "boardd/v1/north", "boardd/v1/north/command", "boardd/v1/north/game", "boardd/v1/south/game",
		"homeassistant/device/boardd-north/config", "homeassistant/status",
	}
	reader := connect(t, b.URL(), "reader", "home", "h")
	boards, house := listen(t, reader, "boardd/v1/#", 1), listen(t, reader, "homeassistant/#", 1)
	end := connect(t, b.URL(), "end", "home", "h")
	for _, u := range accounts {
		want, listed := may[u.Name]
		if !listed {
			continue
		}
		c := connect(t, b.URL(), u.Name, u.Name, u.Password)
		for _, topic := range tries {
			wait(t, "publish "+topic, c.Publish(topic, 1, false, "x")) // a forbidden message is acknowledged and dropped
		}
		wait(t, "end", end.Publish("boardd/v1/end/command", 1, false, "end"))
		wait(t, "end", end.Publish("homeassistant/end", 1, false, "end"))
		got := append(until(t, boards, "boardd/v1/end/command end"), until(t, house, "homeassistant/end end")...)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: arrived %q, want %q", u.Name, got, want)
		}
	}
}

// until collects the topics of what arrives before the message end.
func until(t *testing.T, got <-chan string, end string) (topics []string) {
	t.Helper()
	for {
		s := receive(t, got)
		if s == end {
			return topics
		}
		topics = append(topics, s[:len(s)-len(" x")])
	}
}

func TestReadingOutsideTheTreeIsRefused(t *testing.T) {
	b := start(t, broker.Options{Users: accounts})
	c := connect(t, b.URL(), "spectator", "spectator", "v")
	for filter, want := range map[string]bool{
		"boardd/v1/#": true, "boardd/v1/+/game": true, "boardd/v1/north/status": true,
		"#": false, "+/v1/#": false, "boardd/#": false, "homeassistant/#": false, "other": false,
	} {
		token := c.Subscribe(filter, 1, nil)
		wait(t, filter, token)
		if got := token.(*mqtt.SubscribeToken).Result()[filter] != 128; got != want {
			t.Errorf("%s: allowed %v, want %v", filter, got, want)
		}
	}
}

func TestStrangersAreRefused(t *testing.T) {
	b := start(t, broker.Options{Users: accounts})
	for _, u := range [][2]string{{"", ""}, {"north", "wrong"}, {"nobody", "n"}} {
		c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker(b.URL()).SetUsername(u[0]).SetPassword(u[1]))
		token := c.Connect()
		if !token.WaitTimeout(patience) || token.Error() == nil {
			t.Errorf("%q is let in", u)
		}
	}
}
