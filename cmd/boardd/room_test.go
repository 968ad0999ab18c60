// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/table"
)

// TestRoom: from nine tenths of its budget on, the journal says that it is nearly full, before anything is removed.
// Later it says what was removed.
func TestRoom(t *testing.T) {
	var log bytes.Buffer
	c := config.Default()
	c.Board, c.StateDir, c.Virtual, c.BudgetMB = "room", t.TempDir(), true, 1
	b, err := newBoard(c, rig.Open, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { must(t, b.journal.Close()); must(t, b.rig.Close()) }()
	health := func() string {
		b.health()
		return string(b.feed.Get("health"))
	}
	note := fmt.Appendf(nil, `{"note":"%s"}`, strings.Repeat("x", 20_000))
	warned := int64(0)
	for range 200 {
		must(t, b.journal.Append(note))
		must(t, b.append([]table.Record{{Boundary: true}}))
		used, budget := b.journal.Usage()
		full := strings.Contains(health(), "the journal has")
		if removed := strings.Contains(log.String(), "were removed"); removed {
			if warned == 0 {
				t.Error("games were removed before anybody was warned")
			}
			return
		}
		if full != (used >= budget/10*9) {
			t.Fatalf("%d of %d bytes are used, warned: %v", used, budget, full)
		}
		if full != strings.Contains(log.String(), "nearly full") {
			t.Fatalf("%d of %d bytes are used, and the log says:\n%s", used, budget, log.String())
		}
		if full {
			warned = used
		}
	}
	t.Errorf("nothing was removed; warned at %d bytes", warned)
}
