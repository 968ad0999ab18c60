// SPDX-License-Identifier: Apache-2.0

package asyncapi_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardd/sync/asyncapi"
	"boardd/sync/wire"
)

func read(t *testing.T) *asyncapi.Contract {
	t.Helper()
	c, err := asyncapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryTopicHasAChannelAndAMessage(t *testing.T) {
	c := read(t)
	for _, leaf := range wire.Leaves() {
		if got, want := c.Channels[leaf].Address, wire.Topic("{board}", leaf); got != want {
			t.Errorf("%s: address %q, want %q", leaf, got, want)
		}
		if c.Components.Messages[leaf].Payload == nil {
			t.Errorf("%s has no message", leaf)
		}
	}
	if len(c.Channels) != len(wire.Leaves()) {
		t.Errorf("%d channels for %d topics", len(c.Channels), len(wire.Leaves()))
	}
}

// TestEveryFieldIsDocumented compares the fields of the messages in Go with the properties in the document, both ways.
func TestEveryFieldIsDocumented(t *testing.T) {
	c := read(t)
	for name, v := range map[string]any{
		"game": wire.Game{}, "event": wire.Event{}, "health": wire.Health{}, "command": wire.Command{},
		"reply": wire.Reply{},
		"wood":  wire.Wood{}, "touch": wire.Touch{}, "clock": wire.Clock{}, "timing": wire.ClockSpec{}, "seal": wire.Seal{},
		"seats":     wire.Seats{},
		"allowance": wire.Allowance{}, "names": wire.Names{},
	} {
		schema := c.Components.Schemas[name]
		if schema == nil {
			t.Errorf("no schema %s", name)
			continue
		}
		var fields, always []string
		for f := range reflect.TypeOf(v).Fields() {
			if !f.IsExported() {
				continue // no part of the message
			}
			tag, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields = append(fields, tag)
			if rest == "" {
				always = append(always, tag)
			}
		}
		for _, f := range fields {
			if schema.Properties[f] == nil {
				t.Errorf("%s.%s is not documented", name, f)
			}
		}
		for p := range schema.Properties {
			if !slices.Contains(fields, p) {
				t.Errorf("%s.%s is documented and does not exist", name, p)
			}
		}
		for _, r := range schema.Required {
			if !slices.Contains(always, r) {
				t.Errorf("%s.%s is required, but may be left out", name, r)
			}
		}
	}
}

// TestFieldsAreAsTheyAreChecked: the document describes each field as package wire checks it. Both are made from the
// tags of the types.
func TestFieldsAreAsTheyAreChecked(t *testing.T) {
	c := read(t)
	for name, v := range map[string]any{
		"game": wire.Game{}, "event": wire.Event{}, "health": wire.Health{}, "command": wire.Command{},
		"reply": wire.Reply{},
		"wood":  wire.Wood{}, "touch": wire.Touch{}, "clock": wire.Clock{}, "timing": wire.ClockSpec{}, "seal": wire.Seal{},
		"seats":     wire.Seats{},
		"allowance": wire.Allowance{},
	} {
		compare(t, c, name, c.Components.Schemas[name], reflect.TypeOf(v))
	}
}

func compare(t *testing.T, c *asyncapi.Contract, at string, schema *asyncapi.Schema, message reflect.Type) {
	for i, f := range wire.Fields(message) {
		where, s := at+"."+f.Name, c.Resolve(schema.Properties[f.Name])
		if f.List {
			if s.MaxItems == nil || *s.MaxItems != f.Longest {
				t.Errorf("%s: maxItems is not %d", where, f.Longest)
			}
			s = c.Resolve(s.Items)
		}
		if f.Nested {
			inner := message.Field(i).Type
			for inner.Kind() != reflect.Struct {
				inner = inner.Elem()
			}
			compare(t, c, where, s, inner)
			continue
		}
		k := f.Kind
		if !slices.Contains(s.Type, k.Type) && k.Type != "object" {
			t.Errorf("%s: type %v, want %s", where, s.Type, k.Type)
		}
		if k.Pattern != "" && s.Pattern != "^"+k.Pattern+"$" {
			t.Errorf("%s: pattern %q, want ^%s$", where, s.Pattern, k.Pattern)
		}
		if k.Type == "string" && k.Longest > 0 && s.Enum == nil && (s.MaxLength == nil || *s.MaxLength != k.Longest) {
			t.Errorf("%s: maxLength is not %d", where, k.Longest)
		}
		if (k.Type == "integer" || k.Type == "number") && s.Enum == nil && (s.Minimum == nil || *s.Minimum != k.Least ||
			s.Maximum == nil || *s.Maximum != k.Most) {
			t.Errorf("%s: minimum and maximum are not %.0f and %.0f", where, k.Least, k.Most)
		}
		for _, word := range k.Words {
			if !slices.Contains(s.Enum, any(word)) && word != "" { // an empty word may be missing
				t.Errorf("%s: %q is not documented", where, word)
			}
		}
		for _, word := range s.Enum {
			if w, ok := word.(string); ok && k.Words != nil && !slices.Contains(k.Words, w) {
				t.Errorf("%s: %q is documented and refused", where, w)
			}
		}
	}
}

func TestWordsAreThoseOfTheContract(t *testing.T) {
	c := read(t)
	for place, words := range map[string]struct {
		schema *asyncapi.Schema
		want   []string
	}{
		"command.do":  {c.Components.Schemas["command"].Properties["do"], wire.CommandWords()},
		"timing.kind": {c.Components.Schemas["timing"].Properties["kind"], wire.ClockKinds()},
	} {
		var got []string
		for _, w := range words.schema.Enum {
			got = append(got, w.(string))
		}
		if !slices.Equal(got, words.want) {
			t.Errorf("%s: documented %q, want %q", place, got, words.want)
		}
	}
}

func TestMessagesAreChecked(t *testing.T) {
	c := read(t)
	game := wire.Game{
		Schema: 1, Game: "g", Variant: "chess", Seats: wire.Seats{White: "north", Black: "local"}, Turn: "white",
		Moves: []string{"e2e4"}, SAN: []string{"e4"},
		Options: wire.Options{"takeback": "free"}, Clock: &wire.Clock{White: 1},
		Timing: &wire.ClockSpec{Kind: "fischer", Initial: 1},
		Wood: wire.Wood{State: wire.Wrong,
			Squares: []wire.Touch{{Square: "e2", Deck: "lower", Want: []string{"P"}, See: -1}}},
		Seals: &wire.Seals{White: &wire.Seal{Ply: 1, Key: "a", Sig: "b"}},
	}
	good, err := json.Marshal(game)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check("boardd/v1/north/game", good); err != nil {
		t.Errorf("a good game: %v", err)
	}
	if err := c.Check("boardd/v1/north/status", []byte("online")); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct{ topic, payload, want string }{
		{"boardd/v1/north/status", "maybe", "none of"},
		{"boardd/v1/north/game", "{}", "schema is missing"},
		{"boardd/v1/north/game", strings.Replace(string(good), `"e2e4"`, `"e4"`, 1), "game.moves[0]"},
		{"boardd/v1/north/game", strings.Replace(string(good), `"see":-1`, `"see":-2`, 1), "at least -1"},
		{"boardd/v1/north/game", strings.Replace(string(good), `"check":false`, `"check":"no"`, 1),
			"is a string, want boolean"},
		{"boardd/v1/north/game", strings.Replace(string(good), `{"schema"`, `{"colour":1,"schema"`, 1),
			"colour is not in the document"},
		{"boardd/v1/north/reply", "x", "invalid character"},
		{"elsewhere", "{}", "not below"},
	} {
		if err := c.Check(bad.topic, []byte(bad.payload)); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s %.40s: got %v, want an error with %q", bad.topic, bad.payload, err, bad.want)
		}
	}
}
