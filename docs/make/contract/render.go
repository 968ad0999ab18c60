// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// messages is docs/messages.md.
func messages(mqtt *document, all object) string {
	var b strings.Builder
	b.WriteString("# All messages and requests\n\n" + wrap("Written by `go run ./docs/make/contract` from "+
		"[sync/asyncapi/asyncapi.json](../sync/asyncapi/asyncapi.json) and [openapi.json](openapi.json); do not edit. "+
		"[contract.md](contract.md) says what they are for.") +
		"\n## Topics\n\n| topic | the board | QoS | retained | content |\n" +
		"|---|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(mqtt.Operations)) {
		o := mqtt.Operations[name]
		channel := o.Channel.Ref[strings.LastIndexByte(o.Channel.Ref, '/')+1:]
		c := mqtt.Channels[channel]
		verb := map[string]string{"send": "publishes", "receive": "receives"}[o.Action]
		fmt.Fprintf(&b, "| `%s` | %s | %d | %s | %s [%s](#%s) |\n", c.Address, verb, o.Bindings.MQTT.QoS,
			yes(o.Bindings.MQTT.Retain), c.Description, channel, strings.ToLower(channel))
	}
	b.WriteString("\n## Requests\n\n| request | right | does | takes | answers |\n|---|---|---|---|---|\n")
	for _, r := range routes {
		path := r.path
		mark := "?"
		for _, q := range r.query {
			path += mark + q.name + "="
			mark = "&"
		}
		fmt.Fprintf(&b, "| `%s %s` | %s | %s | %s | %s |\n", r.method, path, strings.ToLower(r.right), r.does,
			link(r.body, all), link(r.answer, all))
	}
	b.WriteString("\n" + wrap("A request that is refused answers with [failed](#failed). A stream is server-sent "+
		"events; its first one, `hello`, "+
		"says the version and what the visitor may do.") + "\n## Schemas\n")
	for _, name := range slices.SortedFunc(maps.Keys(all),
		func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) }) {
		fmt.Fprintf(&b, "\n### %s\n\n", name)
		schema := all[name].(object)
		properties, ok := schema["properties"].(object)
		if !ok {
			b.WriteString(wrap(describe(schema) + "."))
			continue
		}
		if does, ok := schema["description"].(string); ok {
			b.WriteString(wrap(strings.TrimSuffix(does, ".")+".") + "\n")
		}
		b.WriteString("| field | | content |\n|---|---|---|\n")
		for _, field := range slices.Sorted(maps.Keys(properties)) {
			needed := ""
			if requires(schema, field) {
				needed = "always"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", field, needed, describe(properties[field].(object)))
		}
	}
	return b.String()
}

// wrap breaks a paragraph into lines that end before column 120.
func wrap(text string) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		switch {
		case at > 0 && at+1+len(word) > 116:
			b.WriteString("\n")
			at = 0
		case at > 0:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String() + "\n"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func link(name string, all object) string {
	if all[name] == nil || name == "token" {
		return name
	}
	return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
}

func requires(schema object, field string) bool {
	switch all := schema["required"].(type) {
	case []string:
		return slices.Contains(all, field)
	case []any:
		return slices.Contains(all, any(field))
	}
	return false
}

// describe says in a cell of a table what a schema is.
func describe(s object) string { return strings.ReplaceAll(say(s), "|", `\|`) }

func say(s object) string {
	var parts []string
	if r, ok := s["$ref"].(string); ok {
		name := r[strings.LastIndexByte(r, '/')+1:]
		parts = append(parts, fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)))
	}
	kind := fmt.Sprint(s["type"])
	if several, ok := s["type"].([]any); ok {
		kind = strings.Trim(strings.Join(strings.Fields(fmt.Sprint(several)), " or "), "[]")
	}
	switch {
	case kind == "array" && s["items"] != nil:
		parts = append(parts, "list of "+say(s["items"].(object)))
	case kind == "object" && s["properties"] != nil:
		var fields []string
		properties := s["properties"].(object)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			fields = append(fields, "`"+name+"` "+say(properties[name].(object)))
		}
		parts = append(parts, "object with "+strings.Join(fields, ", "))
	case kind == "object" && s["additionalProperties"] != nil:
		if of, ok := s["additionalProperties"].(object); ok {
			parts = append(parts, "object of "+say(of))
		} else {
			parts = append(parts, "object")
		}
	case s["type"] != nil && s["enum"] == nil:
		parts = append(parts, kind)
	}
	parts = append(parts, alternatives(s)...)
	if words := enum(s); len(words) > 0 {
		parts = append(parts, strings.Join(words, " or "))
	}
	if does, ok := s["description"].(string); ok {
		parts = append(parts, does)
	}
	return strings.Join(parts, ": ")
}

func alternatives(s object) (parts []string) {
	for _, key := range []string{"oneOf", "anyOf"} {
		some, _ := s[key].([]any)
		var texts []string
		for _, one := range some {
			texts = append(texts, say(one.(object)))
		}
		if len(texts) > 0 {
			parts = append(parts, strings.Join(texts, " or "))
		}
	}
	return parts
}

func enum(s object) (words []string) {
	switch all := s["enum"].(type) {
	case []string:
		for _, w := range all {
			words = append(words, "`"+w+"`")
		}
	case []any:
		for _, w := range all {
			if w == "" {
				w = `""`
			}
			words = append(words, fmt.Sprintf("`%v`", w))
		}
	}
	return words
}
