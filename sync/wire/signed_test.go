// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestSignedIsWhatIsDone: what is carried out of a signed command is what its text says that was signed. JSON with a
// repeated name has one meaning for whoever signs, and another for whoever merges the values. By that whoever passes
// the command on could add seats, options, or a position.
func TestSignedIsWhatIsDone(t *testing.T) {
	const signed = `,"signed":"arbiter 1 c2ln"}`
	fields := []string{`"do":"new"`, `"do":"name"`, `"seats":{"white":"local"}`, `"seats":{"black":"engine"}`,
		`"options":{"takeback":"free"}`, `"options":{"draws":"claim"}`, `"start":"8/8/8/8/8/8/8/8 w - - 0 1"`,
		`"start":null`, `"clock":{"kind":"fischer","initial_ms":60000}`, `"clock":{"kind":"fischer","increment_ms":5}`,
		`"clock":null`, `"names":{"white":"A"}`, `"names":{"black":"B"}`, `"to":7`, `"to":null`, `"variant":null`,
		`"variant":"pillar"`, `"DO":"resign"`, `"Variant":"locking"`, `"by":"white"`, `"by":null`}
	r := rand.New(rand.NewPCG(21, 1))
	taken := 0
	for range 20000 {
		text := `{"id":"1","do":"new"`
		for range 1 + r.IntN(6) {
			text += "," + fields[r.IntN(len(fields))]
		}
		got, err := wire.DecodeCommand([]byte(text + signed))
		if err != nil {
			continue
		}
		want, err := wire.DecodeCommand([]byte(got.Text()))
		if err != nil {
			t.Fatalf("%s is carried out, and what was signed is refused: %v", text, err)
		}
		taken++
		if a, b := told(got), told(want); a != b {
			t.Fatalf("%s\nis carried out as %s\nand was signed as %s", text, a, b)
		}
	}
	if taken < 1000 {
		t.Errorf("%d commands were accepted, want many", taken)
	}
}

// told is all that a command says, its signature left out.
func told(c wire.Command) string {
	v := reflect.ValueOf(c)
	var b strings.Builder
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Name == "Signed" || !f.IsExported() {
			continue
		}
		x := v.Field(i)
		if x.Kind() == reflect.Pointer && !x.IsNil() {
			x = x.Elem()
		}
		fmt.Fprintf(&b, "%s=%+v ", f.Name, x.Interface())
	}
	return b.String()
}
