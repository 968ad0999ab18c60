// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"boardd/cmd/boardd/screen"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestNamesReachTheDisplay: the players' names stand over the clocks for the whole game, and in full before the first
// move.
func TestNamesReachTheDisplay(t *testing.T) {
	now, g := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), wood.Reference()
	b := &board{table: table.New(table.Options{Board: "home",
		Decode: func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }})}
	_, err := b.table.Start(now, game.Setup{ID: b.table.NextID(now), Board: "home", Variant: "chess", White: game.Local,
		Black: game.Local,
		Clock: &game.Timing{Kind: game.Fischer, Initial: 600_000},
		Names: &game.Names{White: "Polgár, Judit", Black: "Иванов, Иван"}})
	if err != nil {
		t.Fatal(err)
	}
	f := screen.Face(b.table, nil, now)
	if f.WhiteName != "Polgár" || f.BlackName != "Иванов" || !f.Clocks {
		t.Errorf("the display gets %+v", f)
	}
	if f.Wrong == "" { // the wood is not set up yet
		t.Error("the display does not say that the array has to be set up")
	}
}
