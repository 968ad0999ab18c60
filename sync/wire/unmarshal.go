// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Unmarshal is json.Unmarshal with errors for people who write JSON and no Go.
func Unmarshal(payload []byte, into any) error {
	err := json.Unmarshal(payload, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset > 0 && strings.HasPrefix(syntax.Error(), "invalid character"):
		at := int(min(syntax.Offset, int64(len(payload)))) - 1
		return fmt.Errorf("no JSON: %q cannot stand at byte %d, behind %q; names and texts stand in double quotes, with a "+
			"comma between two entries",
			payload[at], at+1, payload[max(0, at-20):at])
	case errors.As(err, &syntax):
		return errors.New("no JSON: it breaks off, a quote or a bracket is not closed")
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("it is %s, want %s", found(wrong.Value), wanted(wrong.Type))
	case errors.As(err, &wrong):
		return fmt.Errorf("field %q is %s, want %s", wrong.Field, found(wrong.Value), wanted(wrong.Type))
	}
	return err
}

// found is a kind of value in words.
func found(value string) string {
	switch value {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return "a " + value // a number, sometimes with the number
}

// wanted is what would have been right, in words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text in double quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list in brackets"
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number that is not too large"
	}
	return "an object in braces"
}
