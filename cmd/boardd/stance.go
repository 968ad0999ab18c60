// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"

	"boardd/rules/game"
	"boardd/sync/journal"
	"boardd/sync/wire"
)

// stance is what the journal keeps of the wood: which ply it shows while it still has to be brought to the game, and why. A restart
// would otherwise take a wood that is behind for one on which moves were taken back, and one that is ahead for a new move.
type stance struct {
	Ply  int    `json:"ply,omitempty"`  // plies from the beginning; it may be beyond the last one while a takeback is carried out
	Goal string `json:"goal,omitempty"` // wire.Executing or wire.Setup; "" when the wood shows the game, as far as is known
}

// recorded is a record of the journal: an event, and how the wood stands after it. Both are in one record so that no power cut parts them.
// An event that changes the moves without a word of the wood was made by hand, or by an older version. A record of the wood alone has
// no kind.
type recorded struct {
	game.Event
	Wood *stance `json:"wood,omitempty"`
}

// parts tells whether an event that was not made by hand parts the game from the wood, and as what the wood then has to follow.
func parts(e game.Event) (goal string, ok bool) {
	switch e.Kind {
	case game.Started, game.Flipped:
		return wire.Setup, true
	case game.Moved, game.TakenBack, game.Settled:
		return wire.Executing, true
	}
	return "", false
}

// stance is how the wood stands now.
func (b *board) stance() stance {
	if g := b.wood.goal; g == wire.Executing || g == wire.Setup {
		return stance{Ply: b.wood.ply, Goal: g}
	}
	return stance{}
}

// keepStance writes to the journal how the wood stands, where that is not what the journal has.
func (b *board) keepStance() {
	s := b.stance()
	if s == b.kept {
		return
	}
	data, err := json.Marshal(struct {
		Wood stance `json:"wood"`
	}{s})
	if err != nil {
		b.log.Error("how the wood stands does not encode", "error", err)
		return
	}
	b.kept = s
	b.written(b.journal.Append(data))
}

// stoodAt finds how the wood stood when the journal ended; nil when the last event that changed the moves does not say it.
func stoodAt(records []journal.Record) *stance {
	var last *stance
	for _, r := range records {
		var e recorded
		if json.Unmarshal(r.Payload, &e) != nil {
			continue
		}
		if _, parted := parts(e.Event); parted || e.Wood != nil {
			last = e.Wood
		}
	}
	if last != nil && (last.Ply < 0 || last.Goal != "" && last.Goal != wire.Executing && last.Goal != wire.Setup) {
		return nil // of a later version
	}
	return last
}
