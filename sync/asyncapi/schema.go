// SPDX-License-Identifier: Apache-2.0

package asyncapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Schema is the part of JSON Schema that the document uses.
type Schema struct {
	Ref        string             `json:"$ref"`
	Type       types              `json:"type"`
	Properties map[string]*Schema `json:"properties"`
	Required   []string           `json:"required"`
	Additional *Schema            `json:"additionalProperties"` // of any other property; nil forbids them
	Items      *Schema            `json:"items"`
	MaxItems   *int               `json:"maxItems"`
	Enum       []any              `json:"enum"`
	Pattern    string             `json:"pattern"`
	MaxLength  *int               `json:"maxLength"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
}

// types is one type or several.
type types []string

func (t *types) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]string)(t))
	}
	var one string
	err := json.Unmarshal(b, &one)
	*t = types{one}
	return err
}

// Resolve is the schema that another one refers to, or itself; nil when there is none.
func (c *Contract) Resolve(s *Schema) *Schema {
	if s == nil || s.Ref == "" {
		return s
	}
	return c.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
}

// check returns an error that joins all faults of a value. at names the place.
func (c *Contract) check(s *Schema, v any, at string) error {
	if ref := s.Ref; c.Resolve(s) == nil {
		return fmt.Errorf("%s: the document has no schema %q", at, ref)
	}
	s = c.Resolve(s)
	if kind := kindOf(v); !slices.Contains(s.Type, kind) && !(kind == "integer" && slices.Contains(s.Type, "number")) {
		return fmt.Errorf("%s: is a %s, want %s", at, kind, strings.Join(s.Type, " or "))
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return fmt.Errorf("%s: %v is none of %v", at, v, s.Enum)
	}
	switch v := v.(type) {
	case string:
		return s.text(v, at)
	case float64:
		if s.Minimum != nil && v < *s.Minimum {
			return fmt.Errorf("%s: %v, want at least %v", at, v, *s.Minimum)
		}
		if s.Maximum != nil && v > *s.Maximum {
			return fmt.Errorf("%s: %v, want at most %v", at, v, *s.Maximum)
		}
	case []any:
		return c.list(s, v, at)
	case map[string]any:
		return c.object(s, v, at)
	}
	return nil
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func (s *Schema) text(v, at string) error {
	if s.MaxLength != nil && len(v) > *s.MaxLength {
		return fmt.Errorf("%s: %d bytes, at most %d", at, len(v), *s.MaxLength)
	}
	if s.Pattern == "" {
		return nil
	}
	if ok, err := regexp.MatchString(s.Pattern, v); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("%s: %q does not match %s", at, v, s.Pattern))
	}
	return nil
}

func (c *Contract) list(s *Schema, v []any, at string) error {
	if s.MaxItems != nil && len(v) > *s.MaxItems {
		return fmt.Errorf("%s: %d entries, at most %d", at, len(v), *s.MaxItems)
	}
	var faults []error
	for i, item := range v {
		faults = append(faults, c.check(s.Items, item, fmt.Sprintf("%s[%d]", at, i)))
	}
	return errors.Join(faults...)
}

func (c *Contract) object(s *Schema, v map[string]any, at string) error {
	var faults []error
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			faults = append(faults, fmt.Errorf("%s: %s is missing", at, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		p := s.Properties[name]
		if p == nil {
			p = s.Additional
		}
		if p == nil {
			faults = append(faults, fmt.Errorf("%s: %s is not in the document", at, name))
			continue
		}
		faults = append(faults, c.check(p, v[name], at+"."+name))
	}
	return errors.Join(faults...)
}
