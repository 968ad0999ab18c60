package config

import (
	"encoding/json"
	"strings"
)

// schema is what this package says in JSON Schema (draft 2020-12), in the order in which it is printed.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type"`
	Default     any                `json:"default,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  *bool              `json:"additionalProperties,omitempty"`
}

// Schema is the JSON schema of the file, by which editors complete names and tell mistakes.
func Schema() []byte {
	none := false
	top := &schema{
		Dialect: "https://json-schema.org/draft/2020-12/schema", Title: "boardd", Type: "object",
		Description: "Configuration of the controller of a board on which chess pieces are stacked.",
		Properties:  map[string]*schema{}, Additional: &none,
	}
	c := Default()
	for _, s := range settings() {
		at := top
		head, name, nested := strings.Cut(s.name, ".")
		if nested {
			if top.Properties[head] == nil {
				top.Properties[head] = &schema{Type: "object", Properties: map[string]*schema{}, Additional: &none}
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

func schemaOf(s *setting, c *Config) *schema {
	x := &schema{Description: s.help}
	switch v := s.field(c).(type) {
	case *string:
		x.Type, x.Default, x.Enum = "string", *v, words(s.name)
		if x.Enum != nil && *v == "" {
			x.Enum = append(x.Enum, "")
		}
	case *int:
		x.Type, x.Default = "integer", *v
	case *float64:
		x.Type, x.Default = "number", *v
	case *bool:
		x.Type, x.Default = "boolean", *v
	case *map[string]float64:
		none := false
		x.Type, x.Default, x.Properties, x.Additional = "object", *v, map[string]*schema{}, &none
		for _, letter := range letters {
			x.Properties[letter] = &schema{Type: "number"}
		}
	}
	return x
}

// letters is the keys of pieces.weights_g.
var letters = strings.Split("p n b r q k P N B R Q K #", " ")
