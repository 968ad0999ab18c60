// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// messages returns all messages that are decoded, with all fields, and their decoders.
func messages() map[string]struct {
	whole  any
	decode func([]byte) error
} {
	type m = struct {
		whole  any
		decode func([]byte) error
	}
	figure, stored := 41.5, false
	touch := wire.Touch{Square: "e2", Deck: "lower", Want: []string{"P"}, See: 2}
	seal := &wire.Seal{Ply: 1, Key: "a", Sig: "b"}
	spec := &wire.ClockSpec{Kind: "fischer", Initial: 1000, Periods: []wire.Period{{Moves: 1, Initial: 1}},
		White: &wire.Allowance{Initial: 1}, Black: &wire.Allowance{Initial: 1}}
	said := []wire.Sentence{{Code: "it is %s's move", Args: []string{"white"}}}
	seats := wire.Seats{White: "north", Black: "south"}
	return map[string]m{
		"game": {wire.Game{Schema: 1, Game: "g", Variant: "chess", Options: wire.Options{"takeback": "free"}, Seats: seats,
			Moves: []string{"e2e4"},
			SAN:   []string{"e4"}, Turn: "black", Legal: []string{"e7e5"},
			Clock: &wire.Clock{White: 1, Black: 2, Running: "black", At: "now"},
			Wood: wire.Wood{State: wire.Asking, Squares: []wire.Touch{touch}, Choices: []string{"e7e5"}, SAN: []string{"e5"},
				Answers: []wire.Answer{{Move: "e7e5", Square: "e5", Deck: "lower"}}, Kings: []string{"e1"}},
			Timing: spec, Ask: &wire.Ask{By: "white", Number: 1}, ConflictSaid: said,
			Seals: &wire.Seals{White: seal, Black: seal}},
			func(p []byte) error { _, err := wire.DecodeGame(p); return err }},
		"event": {wire.Event{Kind: "move", Move: "e2e4", Squares: []wire.Touch{touch}, Choices: []string{"e2e4"},
			Said: said},
			func(p []byte) error { _, err := wire.DecodeEvent(p); return err }},
		"health": {wire.Health{Temperature: &figure, Parts: []wire.Part{{Name: "a"}},
			Faults: []wire.SquareFault{{Square: "e2", Deck: "upper", Said: said}}},
			func(p []byte) error { _, err := wire.DecodeHealth(p); return err }},
		"command": {wire.Command{ID: "1", Do: "new", Options: wire.Options{"takeback": "free"}, Seats: &seats, Clock: spec},
			func(p []byte) error { _, err := wire.DecodeCommand(p); return err }},
		"reply": {wire.Reply{ID: "1", OK: true, Stored: &stored, Said: said},
			func(p []byte) error { _, err := wire.DecodeReply(p); return err }},
	}
}

// nonsense is values, in JSON, that a field of a kind cannot have: of another type, too long, out of range, or an
// unknown word.
func nonsense(f *wire.Field) (all []string) {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	switch f.Kind.Type {
	case "string":
		all = append(all, `7`, `true`, `{}`, quote("a\nb"), quote(strings.Repeat("x", 5000)))
		if f.Kind.Words != nil || f.Kind.Pattern != "" {
			all = append(all, `"moon"`, `"E9"`, `" "`)
		}
		if f.Kind.Pattern == "[a-z0-9-]{1,32}" {
			all = all[:len(all)-3]
			all = append(all, `"So uth"`, `""`)
		}
	case "integer":
		all = append(all, `"7"`, `1.5`, `{}`, fmt.Sprintf("%.0f", f.Kind.Least-1), fmt.Sprintf("%.0f", f.Kind.Most+1),
			`99999999999999999999`)
	case "number":
		all = append(all, `"7"`, `[]`, `1e300`)
	case "boolean":
		all = append(all, `"true"`, `0`, `[]`)
	case "object":
		all = append(all, `[]`, `"x"`, `{"a":{}}`, `{"a\nb":"c"}`, `{"a":"`+strings.Repeat("x", 5000)+`"}`)
	}
	if f.Nested {
		all = append(all, `7`, `"x"`, `true`)
	}
	if !f.List {
		return all
	}
	for i := range all {
		all[i] = "[" + all[i] + "]"
	}
	one := "0"
	switch {
	case f.Nested:
		one = "{}"
	case f.Kind.Type == "string":
		one = `"e2e4"`
	}
	return append(all, `7`, `"x"`, `{}`, "["+strings.Repeat(one+",", f.Longest)+one+"]")
}

// TestNonsense sets every field of every message to all its nonsense values. Each is refused with a reason that names
// the field.
func TestNonsense(t *testing.T) {
	count := 0
	for name, m := range messages() {
		data, err := json.Marshal(m.whole)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.decode(data); err != nil {
			t.Fatalf("%s: the whole message is refused: %v", name, err)
		}
		var tree map[string]any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		walk(reflect.TypeOf(m.whole), tree, func(field *wire.Field, parent map[string]any) {
			was, there := parent[field.Name]
			for _, bad := range nonsense(field) {
				parent[field.Name] = json.RawMessage(bad)
				payload, err := json.Marshal(tree)
				if err != nil {
					t.Fatal(err)
				}
				count++
				if err := m.decode(payload); err == nil {
					t.Errorf("%s: %s is taken with %.60s", name, field.Name, bad)
				} else if !strings.Contains(err.Error(), strings.TrimSuffix(field.Name, "s")) &&
					!strings.Contains(err.Error(), "bytes") {
					t.Errorf("%s: %s with %.60s is refused without naming it: %.200v", name, field.Name, bad, err)
				}
			}
			if parent[field.Name] = was; !there {
				delete(parent, field.Name)
			}
		})
	}
	if count < 500 {
		t.Errorf("only %d pieces of nonsense were tried", count)
	}
	t.Logf("%d pieces of nonsense", count)
}

// walk visits every field of a message, and of the messages in it.
func walk(message reflect.Type, at map[string]any, visit func(*wire.Field, map[string]any)) {
	for _, f := range wire.Fields(message) {
		visit(&f, at)
		if !f.Nested {
			continue
		}
		var inner reflect.Type
		for i := range message.NumField() {
			if name, _, _ := strings.Cut(message.Field(i).Tag.Get("json"), ","); name == f.Name {
				inner = message.Field(i).Type
			}
		}
		if inner.Kind() != reflect.Struct {
			inner = inner.Elem()
		}
		switch child := at[f.Name].(type) {
		case map[string]any:
			walk(inner, child, visit)
		case []any:
			walk(inner, child[0].(map[string]any), visit)
		}
	}
}

// TestEveryFieldHasAKind: no field is read without a check.
func TestEveryFieldHasAKind(t *testing.T) {
	for name, m := range messages() {
		data, _ := json.Marshal(m.whole)
		var tree map[string]any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		walk(reflect.TypeOf(m.whole), tree, func(f *wire.Field, _ map[string]any) {
			if !f.Nested && f.Kind.Type == "" {
				t.Errorf("%s: %s has no kind that is known", name, f.Name)
			}
			if f.List && f.Longest == 0 {
				t.Errorf("%s: the list %s may be of any length", name, f.Name)
			}
		})
	}
}
