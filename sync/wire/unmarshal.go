// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// Unmarshal is json.Unmarshal with errors for people who write JSON and no Go. Names count only as they are written in
// the contract, and none of them may stand twice in an object.
func Unmarshal(payload []byte, into any) error {
	payload, err := exact(payload, into)
	if err != nil {
		return err
	}
	err = json.Unmarshal(payload, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "after top-level value"):
		at := int(min(syntax.Offset, int64(len(payload)))) - 1
		return say.Error("no JSON: it has ended before byte %d, and %q stands behind it", at+1,
			string(payload[at:min(len(payload), at+20)]))
	case errors.As(err, &syntax) && syntax.Offset > 0 && strings.HasPrefix(syntax.Error(), "invalid character"):
		at := int(min(syntax.Offset, int64(len(payload)))) - 1
		return say.Error("no JSON: %s cannot stand at byte %d, behind %q; names and texts stand in double quotes, with a "+
			"comma between two entries", strconv.QuoteRune(rune(payload[at])), at+1, string(payload[max(0, at-20):at]))
	case errors.As(err, &syntax):
		return say.Error("no JSON: it breaks off, a quote or a bracket is not closed")
	case errors.As(err, &wrong) && wrong.Field == "":
		value, more := found(wrong.Value)
		return say.Error("it is %s%s, want %s", value, more, wanted(wrong.Type))
	case errors.As(err, &wrong):
		value, more := found(wrong.Value)
		return say.Error("field %q is %s%s, want %s", wrong.Field, value, more, wanted(wrong.Type))
	}
	return err
}

// found is a kind of value in words; more is the number where it is one that is known.
func found(value string) (what say.Word, more string) {
	switch value {
	case "string":
		return say.Word("a text"), ""
	case "array":
		return say.Word("a list"), ""
	case "object":
		return say.Word("an object"), ""
	case "bool":
		return say.Word("true or false"), ""
	}
	return say.Word("a number"), strings.TrimPrefix(value, "number")
}

// wanted is what would have been right, in words.
func wanted(t reflect.Type) say.Word {
	switch t.Kind() {
	case reflect.String:
		return say.Word("a text in double quotes")
	case reflect.Bool:
		return say.Word("true or false")
	case reflect.Slice, reflect.Array:
		return say.Word("a list in brackets")
	case reflect.Float64:
		return say.Word("a number")
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return say.Word("a whole number without quotes and a decimal point, not too large")
	}
	return say.Word("an object in braces")
}
