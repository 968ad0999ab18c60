// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"boardd/cmd/boardd/senses"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sync/wire"
)

// health publishes the state of the board's parts.
func (b *board) health() {
	b.openKey()
	b.ended.Retry()
	h := wire.Health{Version: release(), Uptime: int64(time.Since(b.started).Seconds()),
		Temperature: senses.Temperature(), Journal: "ok"}
	for _, f := range b.table.Faults() {
		h.Faults = append(h.Faults, wire.SquareFault{Square: f.Place.Square().String(), Deck: f.Place.Deck().String(),
			Text: f.String(), Said: sentences(f.Said())})
	}
	ill := b.full
	if err := b.table.Unsaved(); err != nil {
		ill = say.Error("the game cannot be saved: %v", err)
	} else if ill == nil && b.mended != "" {
		ill = say.Error("mended at the start: %s", clip(b.mended, 1000))
	}
	if ill != nil {
		h.Journal, h.JournalSaid = ill.Error(), sentences(say.Of(ill))
	}
	parts := append(b.rig.Health(), b.beside.Health()...)
	parts = sensing.AppendBroken(parts, "key", b.unsigned)
	parts = sensing.AppendBroken(parts, "calibration", b.illFit)
	parts = sensing.AppendBroken(parts, "paired boards", b.keys.Lost())
	parts = sensing.AppendBroken(parts, "signed commands", b.unasked)
	parts = sensing.AppendBroken(parts, "recording", b.record.Err())
	for _, p := range parts {
		h.Parts = append(h.Parts, wire.Part{Name: p.Name, OK: p.OK, Errors: p.Errors, Sweep: p.Sweep.Microseconds(),
			Worst: p.Worst.Microseconds(), Detail: clip(p.Detail, 200), Said: sentences(say.Said{Parts: p.Said}),
			Named: sentences(say.Said{Parts: p.Named})})
		h.BusErrors += p.Errors
		h.Sweep, h.SweepWorst = max(h.Sweep, p.Sweep.Microseconds()), max(h.SweepWorst, p.Worst.Microseconds())
	}
	if b.mirror != nil {
		h.Dropped = b.mirror.Dropped()
		b.mirror.Health(h)
	}
	b.feed.Set("health", h)
}

// tellMended says what the journal had lost when the daemon started, so that nobody takes that game for complete.
func (b *board) tellMended() {
	if b.mended != "" {
		played := b.table.Game()
		b.tell(&table.Event{Kind: table.Journal, At: time.Now(), Game: played.ID(), Ply: played.Plies(),
			Text: say.That("what this board keeps was damaged: %s; the game goes on from what is left, compare it with the "+
				"score sheet", b.mended)})
	}
	if b.foreign != nil {
		b.tell(&table.Event{Kind: table.Journal, At: time.Now(), Text: say.That("the newest game in the journal, %s, is of "+
			"the board %s: it is kept, and this board goes on with its own", b.foreign.ID(), b.foreign.Setup().Board)})
	}
}

// tellRoom says when the journal is nearly full, and how much of it was removed.
func (b *board) tellRoom() {
	used, budget := b.journal.Usage()
	b.full = nil
	if used >= budget/10*9 {
		b.full = say.Error("the journal has %d of %d MB: the oldest games go when a new one begins; save them (boardd "+
			"export) or raise journal.budget_mb", used>>20, budget>>20)
		b.log.Warn("the journal is nearly full", "what", b.full)
	}
	if b.removed > 0 {
		b.tell(&table.Event{Kind: table.Journal, At: time.Now(), Text: say.That("the journal was full: its oldest games, "+
			"%d kB, were removed; those that ended are still in the folder games of state_dir", b.removed>>10)})
		b.removed = 0
	}
}
