// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"time"

	"boardd/leds/ssd1306"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
)

// face is what the display says now.
func (b *board) face(now time.Time) ssd1306.Face {
	f := ssd1306.Face{Turn: string(b.table.Game().Turn()) + " to move"}
	if b.table.Game().Over() {
		f.Turn = b.table.Game().Outcome() + " " + strings.ReplaceAll(string(b.table.Game().Reason()), "-", " ")
	}
	if c, ok := b.table.Game().Clocks(now); ok {
		f.Clocks, f.White, f.Black = true, c.White.Truncate(time.Second), c.Black.Truncate(time.Second)
		f.Running = map[game.Side]ssd1306.Side{game.White: ssd1306.White, game.Black: ssd1306.Black}[c.Running]
	}
	names := b.table.Game().Names()
	f.WhiteName, f.BlackName = surname(names.White), surname(names.Black)
	switch {
	case b.table.Unsaved() != nil:
		f.Wrong = "the game cannot be saved: mend the card"
	case b.table.Conflict() != "":
		f.Wrong = "the other board has other moves: settle it"
	case slices.Contains([]table.State{table.Wrong, table.Executing, table.Setup}, b.table.State()):
		f.Wrong = map[table.State]string{table.Wrong: "mend", table.Executing: "copy", table.Setup: "set up"}[b.table.State()]
		if steps := reconcile.Guide(b.table.Explanation().Touch); len(steps) > 0 {
			f.Wrong += " " + steps[0].String() // one step at a time: the lights show all of them
		}
	case b.table.State() == table.Moving && len(b.table.Goes()) > 0:
		f.Wrong = "take the captured piece off: " + b.table.Goes()[0].String()
	case b.table.State() == table.Asking:
		f.Wrong = "which move? lift a piece on a white light and put it back"
	default:
		f.Wrong = b.faultLine()
		if white, black := ssd1306.Latin(names.White), ssd1306.Latin(names.Black); f.Wrong == "" && b.table.Game().Plies() == 0 && white+black != "" {
			f.Wrong = white + " - " + black // before the first move: who is to sit here
		}
	}
	return f
}

// surname is the part of a name that pairings put before the comma.
func surname(name string) string {
	last, _, _ := strings.Cut(name, ",")
	return strings.TrimSpace(last)
}

// faultLine is what the display says of faults, "" when there are none.
func (b *board) faultLine() string {
	fs := b.table.Faults()
	switch len(fs) {
	case 0:
		return ""
	case 1:
		return fs[0].Name() + " " + fs[0].Kind.String() + ": play on"
	}
	return fs[0].Name() + " and others at fault: play on"
}
