// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"strconv"

	"boardd/rules/say"
)

// Options holds the settings of one game by name. They are written as strings; true, false and numbers are read as
// their text.
type Options map[string]string

// UnmarshalJSON reads an object whose values are strings, booleans or numbers; null is no options.
func (o *Options) UnmarshalJSON(data []byte) error {
	var raw map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return say.Error(`field "options" is no object, want one such as {"takeback":"never"}`)
	}
	out := make(Options, len(raw))
	for name, value := range raw {
		text, ok := optionText(value)
		if !ok {
			return say.Error("option %.40q: want a string, a number, true or false", name)
		}
		out[name] = text
	}
	*o = out
	return nil
}

// optionText is a value as text; ok is false for one that options cannot have.
func optionText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	}
	return "", false
}
