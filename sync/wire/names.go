// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"boardd/rules/say"
)

// mostNested is how deep JSON may nest, as for encoding/json.
const mostNested = 10_000

// level is an object or a list that is being read, and what it is read into.
type level struct {
	object bool
	name   bool                    // the next token is a name
	fields map[string]reflect.Type // of an object; nil where any name may stand
	value  reflect.Type            // of what comes next, nil if nobody looks at it
	seen   map[string]bool
}

// exact returns a payload in which only the exact names of fields count. encoding/json takes "DO" for "do": such a
// name is made unknown, and so ignored. A field that stands twice in one object is an error, because readers differ
// in which of the two they take. JSON with a fault of syntax is returned as it is.
func exact(payload []byte, into any) ([]byte, error) {
	known := map[reflect.Type]map[string]reflect.Type{}
	out, value := payload, reflect.TypeOf(into)
	var open []*level
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	for {
		before := d.InputOffset()
		token, err := d.Token()
		if err != nil || len(open) > mostNested {
			return out, nil // the end, or a fault that whoever reads the whole will tell
		}
		var in *level
		if len(open) > 0 {
			in = open[len(open)-1]
			value = in.value
		}
		mark, _ := token.(json.Delim)
		if mark == '}' || mark == ']' {
			open = open[:len(open)-1]
			continue
		}
		if in != nil && in.name {
			in.name = false
			name := token.(string)
			field, is := in.fields[name]
			if in.fields != nil {
				in.value = field
			}
			switch {
			case is && in.seen[name]:
				return out, say.Error("field %q stands twice", name)
			case is && in.seen == nil:
				in.seen = map[string]bool{name: true}
			case is:
				in.seen[name] = true
			case folds(name, in.fields):
				if &out[0] == &payload[0] {
					out = bytes.Clone(payload)
				}
				for i := before + int64(bytes.IndexByte(payload[before:], '"')) + 1; i < d.InputOffset()-1; i++ {
					out[i] = '~'
				}
			}
			continue
		}
		if in != nil {
			in.name = in.object
		}
		if mark != 0 {
			open = append(open, begin(mark == '{', value, known))
		}
	}
}

// begin is the object or the list that begins where a value of a type is read.
func begin(object bool, t reflect.Type, known map[reflect.Type]map[string]reflect.Type) *level {
	l := &level{object: object, name: object}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return l
	}
	switch k := t.Kind(); {
	case object && k == reflect.Struct:
		if known[t] == nil {
			known[t] = map[string]reflect.Type{}
			fields(t, known[t])
		}
		l.fields = known[t]
	case object && k == reflect.Map, !object && (k == reflect.Slice || k == reflect.Array):
		l.value = t.Elem()
	}
	return l
}

// fields adds the fields of a struct, by their names in JSON.
func fields(t reflect.Type, to map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch name, _, _ := strings.Cut(f.Tag.Get("json"), ","); {
		case name == "-":
		case name != "":
			to[name] = f.Type
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			fields(f.Type, to)
		case f.IsExported():
			to[strings.ToLower(f.Name)] = f.Type
		}
	}
}

// folds reports whether a name is that of a field in other letters, large or small. The Kelvin sign is a k for this.
func folds(name string, fields map[string]reflect.Type) bool {
	if strings.IndexFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 0x80 }) < 0 {
		return false
	}
	for n := range fields {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
