// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"boardd/rules/say"
)

// exact returns a payload in which only the exact names of fields count. encoding/json takes "DO" for "do": such a
// name is made unknown, and so ignored. A field that stands twice in one object is an error, because readers differ in
// which of the two they take. JSON with a fault of syntax is returned as it is.
func exact(payload []byte, into any) ([]byte, error) {
	names := namesOf(reflect.TypeOf(into))
	type level struct {
		object bool
		name   bool // the next token is a name
		seen   map[string]bool
	}
	out := payload
	var open []*level
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	for {
		before := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return out, nil // the end, or a fault that whoever reads the whole will tell
		}
		var in *level
		if len(open) > 0 {
			in = open[len(open)-1]
		}
		name, _ := token.(string)
		switch mark, _ := token.(json.Delim); {
		case mark == '}' || mark == ']':
			open = open[:len(open)-1]
			continue
		case in != nil && in.object && in.name:
			in.name = false
			switch {
			case names[name] && in.seen[name]:
				return out, say.Error("field %q stands twice", name)
			case names[name]:
				in.seen[name] = true
			case folds(name, names):
				if &out[0] == &payload[0] {
					out = bytes.Clone(payload)
				}
				for i := before + int64(bytes.IndexByte(payload[before:], '"')) + 1; i < d.InputOffset()-1; i++ {
					out[i] = '~'
				}
			}
			continue
		case mark == '{' || mark == '[':
			open = append(open, &level{object: mark == '{', name: mark == '{', seen: map[string]bool{}})
		}
		if in != nil {
			in.name = in.object
		}
	}
}

// folds reports whether a name is that of a field in other letters, large or small. The Kelvin sign is a k for this.
func folds(name string, names map[string]bool) bool {
	if strings.IndexFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 0x80 }) < 0 {
		return false
	}
	for n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// namesOf are the names of all fields of a type and of what it holds.
func namesOf(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				switch {
				case name == "-" || !f.IsExported() && !f.Anonymous:
					continue
				case name == "" && !f.Anonymous:
					name = strings.ToLower(f.Name)
				}
				if name != "" {
					names[name] = true
				}
				walk(f.Type)
			}
		}
	}
	walk(t)
	return names
}
