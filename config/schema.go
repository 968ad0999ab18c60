// SPDX-License-Identifier: Apache-2.0

package config

import (
	"encoding/json"
	"strings"
)

// schema is a part of the JSON Schema (draft 2020-12) of the file, with its fields in the order in which they are
// printed.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"` // a word, or several
	Default     any                `json:"default,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Minimum     *float64           `json:"minimum,omitempty"`
	Maximum     *float64           `json:"maximum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  *bool              `json:"additionalProperties,omitempty"`
}

// Schema is the JSON schema of the file, with which editors complete names and show mistakes.
func Schema() []byte {
	none := false
	top := &schema{
		Dialect: "https://json-schema.org/draft/2020-12/schema", Title: "boardd", Type: orNothing("object"),
		Description: "Configuration of the controller of a board on which chess pieces are stacked.",
		Properties:  map[string]*schema{}, Additional: &none,
	}
	c := Default()
	for _, s := range settings() {
		at := top
		head, name, nested := strings.Cut(s.name, ".")
		if nested {
			if top.Properties[head] == nil {
				top.Properties[head] = &schema{Type: orNothing("object"), Properties: map[string]*schema{}, Additional: &none}
			}
			at = top.Properties[head]
		} else {
			name = head
		}
		at.Properties[name] = schemaOf(&s, &c)
	}
	out, err := json.MarshalIndent(top, "", "  ")
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return append(out, '\n')
}

// orNothing is a type, or nothing at all, as in a section whose lines are all comments or in an empty text.
func orNothing(kind string) []string { return []string{kind, "null"} }

func schemaOf(s *setting, c *Config) *schema {
	x := &schema{Description: s.help}
	if l, ok := span(s.name); ok {
		x.Minimum, x.Maximum = &l.lo, &l.hi
	}
	switch v := s.field(c).(type) {
	case *string:
		x.Default = *v
		x.texts(s)
	case *int:
		x.Type, x.Default = "integer", *v
	case *float64:
		x.Type, x.Default = "number", *v
	case *bool:
		x.Type, x.Default = "boolean", *v
	case *[]string:
		x.Type, x.Default, x.Items = orNothing("array"), *v, &schema{Type: "string"}
		if strings.HasPrefix(s.name, "hardware.") {
			x.Items.Pattern = lineForm
		}
		if s.name == "mqtt.commands" {
			x.AnyOf = []*schema{{Type: x.Type, Items: &schema{Type: "string"}}, {Enum: []any{"on", "off"}}}
			x.Type, x.Items = nil, nil
		}
	case *map[string]float64:
		x.numbers(*v)
	case *map[string]string:
		x.Type, x.Default = orNothing("object"), *v
	}
	return x
}

// texts sets what a text may be.
func (x *schema) texts(s *setting) {
	x.Type = orNothing("string")
	empty := false
	for _, w := range words(s.name) {
		x.Enum = append(x.Enum, w)
		empty = empty || w == ""
	}
	switch {
	case s.name == "board":
		x.Type, x.Pattern = "string", boardForm
	case x.Enum != nil && empty:
		x.Enum = append(x.Enum, nil)
	case x.Enum != nil:
		x.Type = "string"
	}
}

// numbers sets the names of a mapping of numbers, and the limits of its values.
func (x *schema) numbers(v map[string]float64) {
	none := false
	x.Type, x.Default, x.Properties, x.Additional = orNothing("object"), v, map[string]*schema{}, &none
	for _, letter := range letters {
		x.Properties[letter] = &schema{Type: "number", Minimum: x.Minimum, Maximum: x.Maximum}
	}
	x.Minimum, x.Maximum = nil, nil
}

// lineForm is the form of a line of hardware.expanders and hardware.multiplexers.
const lineForm = `^0x[0-9a-fA-F]{2}( upper| lower)?( ([a-h][1-8](-[a-h][1-8])?|-))+$`

// letters holds the keys of pieces.weights_g.
var letters = strings.Split("p n b r q k P N B R Q K #", " ")
