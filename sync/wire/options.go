// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Options is the settings of one game by name. They are written as strings; true, false and numbers are read as their
// text.
type Options map[string]string

// UnmarshalJSON reads an object whose values are strings, booleans or numbers; null is no options.
func (o *Options) UnmarshalJSON(data []byte) error {
	var raw map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return errors.New(`field "options" is no object, want one such as {"takeback":"never"}`)
	}
	out := make(Options, len(raw))
	for name, value := range raw {
		text, err := optionText(value)
		if err != nil {
			return fmt.Errorf("option %.40q: %w", name, err)
		}
		out[name] = text
	}
	*o = out
	return nil
}

func optionText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case json.Number:
		return v.String(), nil
	}
	return "", fmt.Errorf("want a string, a number, true or false")
}
