// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"boardd/rules/say"
)

// Kind is what a field contains. The tag `is` of a field names its kind, and `most` the limit of its list. The checks
// of messages, the AsyncAPI document and the tests with nonsense are all made from these tags.
type Kind struct {
	Type    string   // of JSON Schema: string, integer, number, boolean, object
	Words   []string // of a string: what it may be; nil for any
	Pattern string   // of a string: a regular expression for the whole string, "" for any
	Longest int      // of a string, in bytes; 0: the words or the pattern limit it
	Needed  bool     // of a string: it must not be empty
	Least   float64  // of a number
	Most    float64  //
	Like    say.Word // what is right, without its article, for people
}

// kindOf is the kind with a name. An unknown name is a mistake in this package, which a test finds.
func kindOf(name string) (k Kind, ok bool) {
	sides, outcomes := []string{"white", "black"}, []string{"", "1-0", "0-1", "1/2-1/2", "*"}
	states := []string{Synced, Moving, Executing, Asking, Wrong, Setup}
	whole := func(least, most float64) Kind { return Kind{Type: "integer", Least: least, Most: most} }
	text := func(longest int) Kind { return Kind{Type: "string", Longest: longest} }
	word := func(words ...string) Kind { return Kind{Type: "string", Words: words} }
	switch name {
	case "flag":
		return Kind{Type: "boolean"}, true
	case "schema":
		return whole(Schema, Schema), true
	case "id":
		return Kind{Type: "string", Longest: maxWord, Needed: true}, true
	case "word":
		return text(maxWord), true
	case "text":
		return text(maxText), true
	case "reply":
		return text(MaxReply), true
	case "fen":
		return text(maxFEN), true
	case "san", "said": // people may send SAN as a move; the rules say what it means
		return text(maxSAN), true
	case "base64":
		return text(maxSeal), true
	case "seat":
		return Kind{Type: "string", Pattern: seatPattern, Needed: true, Like: say.Word(`board id, "local", "engine" or "lichess"`)},
			true
	case "move", "move?":
		return Kind{Type: "string", Pattern: movePattern, Needed: name == "move", Like: say.Word(`coordinate move such as "e2e4"`)},
			true
	case "square":
		return Kind{Type: "string", Pattern: squarePattern, Needed: true, Like: say.Word(`square such as "e4"`)}, true
	case "piece":
		return Kind{Type: "string", Pattern: piecePattern, Needed: true, Like: say.Word("letter of a piece")}, true
	case "options":
		return Kind{Type: "object", Longest: maxWord}, true
	case "request":
		return word("takeback", "draw", "new", "abort", "adjust", "hint"), true
	case "deck":
		return word("lower", "upper"), true
	case "side":
		return word(sides...), true
	case "side?":
		return word(append([]string{""}, sides...)...), true
	case "outcome":
		return word(outcomes...), true
	case "state?":
		return word(append([]string{""}, states...)...), true
	case "command":
		return word(CommandWords()...), true
	case "clock":
		return word(ClockKinds()...), true
	case "ply":
		return whole(0, MaxPlies), true
	case "count":
		return whole(0, maxCount), true
	case "step":
		return whole(0, maxStep), true
	case "number":
		return whole(1, maxCount), true
	case "seen":
		return whole(-1, MaxStack), true
	case "ms":
		return whole(0, maxClock), true
	case "ms+":
		return whole(1, maxClock), true
	case "real":
		return Kind{Type: "number", Least: -maxReal, Most: maxReal}, true
	}
	return Kind{}, false
}

// longest is the limit of a list, from the tag most of its field.
func longest(name string) int {
	return map[string]int{"plies": MaxPlies, "legal": MaxLegal, "squares": MaxSquares, "stack": MaxStack,
		"periods": MaxPeriods, "parts": maxParts,
		"faults": 2 * MaxSquares, "said": maxSaid}[name]
}

// Field is a field of a message.
type Field struct {
	Name    string // in JSON
	Kind    Kind
	Nested  bool // a message of its own, or a list of such
	List    bool
	Longest int  // of the list
	Maybe   bool // it may be left out
	index   int
	kind    string
}

// Fields are the fields of a message, in their order.
func Fields(message reflect.Type) (list []Field) {
	for i := range message.NumField() {
		f := message.Field(i)
		if !f.IsExported() {
			continue // no part of the message
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		t := f.Type
		field := Field{Name: name, Maybe: rest != "" || t.Kind() == reflect.Pointer, Longest: longest(f.Tag.Get("most")),
			index: i, kind: f.Tag.Get("is")}
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if field.List = t.Kind() == reflect.Slice; field.List {
			t = t.Elem()
		}
		field.Nested = t.Kind() == reflect.Struct
		field.Kind, _ = kindOf(field.kind)
		list = append(list, field)
	}
	return list
}

// message checks every field of a message by its kind; at names the message within the whole, "" for the whole.
func (f *faults) message(at string, v reflect.Value) { f.fields(at, Fields(v.Type()), v) }

func (f *faults) fields(at string, fields []Field, v reflect.Value) {
	if at != "" {
		at += "."
	}
	for i := range fields {
		f.field(at+fields[i].Name, &fields[i], v.Field(fields[i].index))
	}
}

func (f *faults) field(at string, field *Field, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if !field.List {
		f.one(at, field, v)
		return
	}
	if !f.length(at, v.Len(), field.Longest) {
		return
	}
	if v.Len() > 0 && field.Nested {
		fields := Fields(v.Type().Elem())
		for i := range v.Len() {
			f.fields(fmt.Sprintf("%s[%d]", at, i), fields, v.Index(i))
		}
		return
	}
	for i := range v.Len() {
		f.one(fmt.Sprintf("%s[%d]", at, i), field, v.Index(i))
	}
}

func (f *faults) one(at string, field *Field, v reflect.Value) {
	switch {
	case field.Nested:
		f.message(at, v)
	case v.Kind() == reflect.String:
		f.string(at, &field.Kind, v.String())
	case v.CanInt():
		f.between(at, float64(v.Int()), field.Kind.Least, field.Kind.Most)
	case v.CanUint():
		f.between(at, float64(v.Uint()), field.Kind.Least, field.Kind.Most)
	case v.CanFloat():
		f.between(at, v.Float(), field.Kind.Least, field.Kind.Most)
	case v.Kind() == reflect.Map:
		f.options(at, v)
	}
}

func (f *faults) string(at string, k *Kind, s string) {
	switch {
	case k.Words != nil:
		f.oneOf(at, s, k.Words...)
	case s == "" && k.Needed && k.Pattern == "":
		f.flaw("%s: missing", at)
	case s == "" && !k.Needed:
	case k.Pattern != "" && !k.fits(s):
		f.flaw("%s: %.40q is no %s", at, s, k.Like)
	case k.Pattern == "":
		f.text(at, s, k.Longest)
	}
}

// patterns holds the compiled patterns of the kinds. A message may have thousands of moves.
var patterns = map[string]*regexp.Regexp{
	seatPattern: regexp.MustCompile(`^` + seatPattern + `$`), movePattern: regexp.MustCompile(`^` + movePattern + `$`),
	squarePattern: regexp.MustCompile(`^` + squarePattern + `$`),
	piecePattern:  regexp.MustCompile(`^` + piecePattern + `$`),
}

const (
	seatPattern   = `[a-z0-9-]{1,32}`
	movePattern   = `[a-h][1-8][a-h1-8qrnx^:*_90]{2,14}`
	squarePattern = `[a-h][1-8]`
	piecePattern  = `[PNBRQKpnbrqk#-]`
)

// fits reports whether a text matches the pattern of the kind.
func (k *Kind) fits(s string) bool {
	return len(s) <= maxWord && patterns[k.Pattern].MatchString(s)
}

func (f *faults) options(at string, v reflect.Value) {
	if !f.length(at, v.Len(), MaxOptions) {
		return
	}
	for name, value := range v.Seq2() {
		f.text(at, name.String(), maxWord)
		f.text(at, value.String(), maxWord)
	}
}

func (f *faults) between(at string, n, least, most float64) {
	if n < least || n > most || math.IsNaN(n) {
		f.flaw("%s: %v is not between %s and %s", at, n, fmt.Sprintf("%.0f", least), fmt.Sprintf("%.0f", most))
	}
}

// sameLength checks the moves for people, of which there is one for each move or none.
func (f *faults) sameLength(at string, san, moves int) {
	if san != 0 && san != moves {
		f.flaw("%s: %d entries for %d moves", at, san, moves)
	}
}

// need checks that the fields that a command needs are there.
func (f *faults) need(c *Command) {
	switch {
	case (c.Do == DoMove || c.Do == DoAnswer) && c.Move == "":
		f.flaw("move: missing, %q needs a coordinate move", c.Do)
	case c.Do == DoName && c.Names == nil:
		f.flaw("names: missing, \"name\" needs them")
	case c.Do == DoSetup && c.Start == "":
		f.flaw("start: missing, \"setup\" needs a stack FEN")
	}
}
