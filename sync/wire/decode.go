// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"boardd/rules/say"
)

// DecodeGame reads a game message of another board. The error joins every fault that was found.
func DecodeGame(payload []byte) (Game, error) {
	var g Game
	if err := decode("game", payload, MaxGame, &g); err != nil {
		return Game{}, err
	}
	var f faults
	if g.Schema != Schema {
		f.flaw("schema: %d is unknown, this version reads %d", g.Schema, Schema)
	}
	f.message("", reflect.ValueOf(g))
	f.sameLength("san", len(g.SAN), len(g.Moves))
	f.sameLength("clocks", len(g.Clocks), len(g.Moves))
	f.sameLength("wood.san", len(g.Wood.SAN), len(g.Wood.Choices))
	return keep(g, "game", &f)
}

// DecodeCommand reads a command. The error says which words and fields are allowed. Even with an error the command has
// its id, if that could be read, so that a refusal can be sent. A signed command is read from the text that was
// signed: names that are repeated in the payload add nothing to it.
func DecodeCommand(payload []byte) (Command, error) {
	c, err := command(payload)
	if err != nil || c.Signed == "" {
		return c, err
	}
	text, err := Plain(payload)
	if err != nil {
		return Command{ID: short(c.ID)}, err
	}
	signature := c.Signed
	if c, err = command([]byte(text)); err == nil {
		c.Signed, c.text = signature, text
	}
	return c, err
}

func command(payload []byte) (Command, error) {
	var c Command
	if err := decode("command", payload, MaxCommand, &c); err != nil {
		return Command{ID: idOf(payload)}, err
	}
	var f faults
	f.message("", reflect.ValueOf(c))
	f.need(&c)
	if err := f.join("command"); err != nil {
		return Command{ID: short(c.ID)}, err
	}
	return c, nil
}

// Plain is the text of a command that is signed: the object without its field signed, with its names sorted, without
// spaces and without escapes. It is what json.dumps of Python writes with sort_keys, separators=(",", ":") and
// ensure_ascii=False.
func Plain(command []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(command))
	d.UseNumber() // a number stays as it was written
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return "", fmt.Errorf("command: %w", err)
	}
	delete(fields, "signed")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(fields); err != nil {
		return "", fmt.Errorf("command: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// DecodeReply reads a reply.
func DecodeReply(payload []byte) (Reply, error) {
	var r Reply
	if err := decode("reply", payload, MaxReply, &r); err != nil {
		return Reply{}, err
	}
	var f faults
	f.message("", reflect.ValueOf(r))
	return keep(r, "reply", &f)
}

// DecodeEvent reads an event.
func DecodeEvent(payload []byte) (Event, error) {
	var e Event
	if err := decode("event", payload, MaxEvent, &e); err != nil {
		return Event{}, err
	}
	var f faults
	f.message("", reflect.ValueOf(e))
	return keep(e, "event", &f)
}

// DecodeHealth reads a health message.
func DecodeHealth(payload []byte) (Health, error) {
	var h Health
	if err := decode("health", payload, MaxHealth, &h); err != nil {
		return Health{}, err
	}
	var f faults
	f.message("", reflect.ValueOf(h))
	return keep(h, "health", &f)
}

func keep[T any](v T, what string, f *faults) (T, error) {
	if err := f.join(what); err != nil {
		var none T
		return none, err
	}
	return v, nil
}

func decode(what string, payload []byte, limit int, into any) error {
	if err := shape(payload, limit); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	if err := Unmarshal(payload, into); err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	return nil
}

// shape refuses a message that is too long, too deep, not UTF-8 or not an object, before any value is built from it.
func shape(payload []byte, limit int) error {
	if len(payload) > limit {
		return say.Error("%d bytes, at most %d are taken", len(payload), limit)
	}
	if !utf8.Valid(payload) {
		return say.Error("not UTF-8")
	}
	if first := firstByte(payload); first != '{' {
		return say.Error("want a JSON object")
	}
	if depth(payload) > MaxDepth {
		return say.Error("nested deeper than %d", MaxDepth)
	}
	return nil
}

func firstByte(payload []byte) byte {
	for _, c := range payload {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

// depth is how deeply objects and lists nest, brackets inside strings left out.
func depth(payload []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(payload); i++ {
		switch c := payload[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// idOf finds the id in a command that is otherwise unreadable; "" when there is none.
func idOf(payload []byte) string {
	if shape(payload, MaxCommand) != nil {
		return ""
	}
	var fields map[string]json.RawMessage
	var id string
	if json.Unmarshal(payload, &fields) != nil || json.Unmarshal(fields["id"], &id) != nil {
		return ""
	}
	return short(id)
}

func short(id string) string {
	if len(id) > maxWord || !printable(id) {
		return ""
	}
	return id
}
