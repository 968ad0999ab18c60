// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestHomeAssistantFindsWhatIsSent checks the form that Home Assistant asks for, and that every template reads fields
// that the messages have.
func TestHomeAssistantFindsWhatIsSent(t *testing.T) {
	a, err := wire.HomeAssistant("north", "1.0")
	if err != nil {
		t.Fatal(err)
	}
	if want := "homeassistant/device/boardd-north/config"; a.Topic != want {
		t.Errorf("topic %q, want %q", a.Topic, want)
	}
	var d struct {
		Dev struct {
			IDs []string `json:"ids"`
		} `json:"dev"`
		O struct {
			Name string `json:"name"`
		} `json:"o"`
		Cmps map[string]struct {
			P          string `json:"p"`
			UniqueID   string `json:"unique_id"`
			StateTopic string `json:"state_topic"`
			Template   string `json:"value_template"`
		} `json:"cmps"`
	}
	if err := json.Unmarshal(a.Payload, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Dev.IDs) != 1 || d.O.Name == "" || len(d.Cmps) == 0 {
		t.Errorf("got %s, want a device with an id, an origin and entities", a.Payload)
	}
	messages := map[string]any{wire.LeafGame: wire.Game{}, wire.LeafHealth: wire.Health{Temperature: new(float64)},
		wire.LeafStatus: nil, wire.LeafEvent: wire.Event{Text: "x", Ply: 1}}
	ids := map[string]bool{}
	for name, e := range d.Cmps {
		if e.P == "" || e.UniqueID == "" || ids[e.UniqueID] {
			t.Errorf("%s: platform %q, id %q: want both, and the id once", name, e.P, e.UniqueID)
		}
		ids[e.UniqueID] = true
		_, leaf, err := wire.ParseTopic(e.StateTopic)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sent, err := json.Marshal(messages[leaf])
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(e.Template, "value_json.")[1:] {
			field := part[:strings.IndexFunc(part+" ",
				func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz_", r) })]
			if !strings.Contains(string(sent), `"`+field+`":`) {
				t.Errorf("%s: the template reads %q, which %s does not have", name, field, leaf)
			}
		}
	}
}
