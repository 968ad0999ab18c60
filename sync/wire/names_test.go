// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"strings"
	"testing"

	"boardd/sync/wire"
)

// TestNamesAsWritten: a field counts only under its own name. Names in other letters are unknown, and so ignored, also
// inside of objects; a field that stands twice is refused.
func TestNamesAsWritten(t *testing.T) {
	for _, c := range []struct{ payload, do, move, fault string }{
		{`{"id":"1","do":"hint","DO":"resign"}`, "hint", "", ""},
		{`{"id":"1","Do":"resign","do":"hint"}`, "hint", "", ""},
		{`{"id":"1","do":"move","move":"e2e4","Move":"d2d4"}`, "move", "e2e4", ""},
		{`{"id":"1","do":"move","move":"e2e4","M\u004fve":"d2d4"}`, "move", "e2e4", ""},
		{`{"id":"1","do":"move","move":"e2e4","unknown":{"do":1,"DO":2,"do":3,"x":1,"x":2}}`, "move", "e2e4", ""},
		{`{"id":"1","DO":"resign"}`, "", "", "do"},
		{`{"id":"1","do":"move","move":"e2e4","move":"d2d4"}`, "", "", `"move" stands twice`},
		{`{"id":"1","do":"move","move":"e2e4","\u006dove":"d2d4"}`, "", "", `"move" stands twice`},
		{`{"id":"1","do":"new","seats":{"white":"local","white":"engine"}}`, "", "", `"white" stands twice`},
	} {
		got, err := wire.DecodeCommand([]byte(c.payload))
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want an error with %s", c.payload, err, c.fault)
			}
			continue
		}
		if err != nil || string(got.Do) != c.do || got.Move != c.move {
			t.Errorf("%s: %q %q, %v; want %q %q", c.payload, got.Do, got.Move, err, c.do, c.move)
		}
	}
	var into struct{ Board, Words string }
	if err := wire.Unmarshal([]byte(`{"board":"a","\u212aords":"b","wordſ":"c","words":"d"}`), &into); err != nil ||
		into.Board != "a" || into.Words != "d" {
		t.Errorf("got %+v, %v", into, err)
	}
}
