// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/wire"

	"github.com/google/renameio/v2"
)

// do decides an action, keeps what follows from it, and applies it. Nothing is changed when it is refused.
func (b *board) do(a game.Action) error {
	events, err := b.game.Decide(a, time.Now())
	if err != nil {
		return err
	}
	b.commit(events)
	return nil
}

// commit brings events into the journal, synced, then into the game, then to everybody. A journal that cannot be
// written is said everywhere, and play goes on: the records wait in memory.
func (b *board) commit(events []game.Event) {
	if len(events) == 0 {
		return
	}
	events = b.signed(events)
	b.keep(events)
	over, end, before := b.game.Over(), b.ending(), b.game.Plies()
	for _, e := range events {
		if err := b.game.Apply(e); err != nil {
			// What Decide and Merge give, Apply takes. If not, the game goes on as it was and the event counts for nothing.
			b.log.Error("an event does not fit the game", "event", e.Kind, "error", err)
		}
	}
	b.recordMoves(before, b.handMade && !b.byWord)
	b.publish()
	if b.game.Over() && b.ending() != end {
		b.tell(wire.Event{Kind: wire.EventEnded, Text: b.ending()})
	}
	switch {
	case b.game.Over() && (b.ending() != end || b.game.Plies() != before):
		b.file()
	case over && !b.game.Over():
		b.unfile()
	}
}

// ending is how the game ended; before that it means nothing.
func (b *board) ending() string { return b.game.Outcome() + " by " + string(b.game.Reason()) }

// keep writes events to the journal, and with them how the wood stands: what was not made by hand it has to follow.
func (b *board) keep(events []game.Event) {
	var records [][]byte
	for _, e := range events {
		r := recorded{Event: e}
		if goal, ok := parts(e); ok && b.handMade {
			b.kept = stance{}
		} else if ok {
			b.wood.goal = goal
			b.kept = b.stance()
			r.Wood = &b.kept
		}
		data, err := json.Marshal(r)
		if err != nil {
			b.log.Error("an event does not encode", "event", e.Kind, "error", err)
			continue
		}
		records = append(records, data)
	}
	b.written(b.journal.Append(records...))
}

// written notes whether the journal writes, and says so when that changes.
func (b *board) written(err error) {
	switch {
	case err != nil && b.broken == nil:
		b.tell(wire.Event{Kind: wire.EventJournal, Text: "the game cannot be saved: " + err.Error() + "; play goes on, but a power cut now loses it: free the disk or mend the card"})
	case err == nil && b.broken != nil:
		b.tell(wire.Event{Kind: wire.EventJournal, Text: "the game is saved again"})
	}
	b.broken = err
}

// newGame begins another game.
func (b *board) newGame(s game.Setup, goal string) error {
	e, err := game.Start(named(s), time.Now())
	if err != nil {
		return err
	}
	return b.begin(e, goal)
}

// named puts this board's own name where it says local, in a game against another board: to the other one, local would be
// itself, and both must name the same seats.
func named(s game.Setup) game.Setup {
	if s.Here(game.White) && s.Here(game.Black) {
		return s
	}
	if s.White == game.Local {
		s.White = s.Board
	}
	if s.Black == game.Local {
		s.Black = s.Board
	}
	return s
}

func (b *board) begin(started game.Event, goal string) error {
	g, err := game.New(started)
	if err != nil {
		return err
	}
	if b.game != nil {
		b.written(b.journal.Boundary())
	}
	b.game, b.conflict, b.clashing, b.doubt = g, "", "", nil
	if data := b.trust.record(); data != nil {
		b.written(b.journal.Append(data))
	}
	b.wood = woodState{state: goal}
	seals := b.seals(g, started.At)
	b.keep(append([]game.Event{started}, seals...))
	for _, e := range seals {
		if err := g.Apply(e); err != nil {
			return err
		}
	}
	b.trace()
	b.aim(goal)
	b.follow()
	b.publish()
	s := g.Setup()
	b.tell(wire.Event{Kind: wire.EventStarted, Text: fmt.Sprintf("a game of %s: White %s, Black %s", g.Variant().Name(), s.White, s.Black)})
	b.ability(g.Variant())
	return nil
}

// nextID is an id later than that of any game seen here.
func (b *board) nextID() string {
	var r [8]byte
	rand.Read(r[:]) //nolint:errcheck // crypto/rand never fails
	latest := ""
	if b.game != nil {
		latest = b.game.ID()
	}
	for _, g := range b.rivals {
		if game.CheckID(g.Game) == nil { // no other board would take the id after it
			latest = max(latest, g.Game)
		}
	}
	return game.NewID(time.Now(), binary.LittleEndian.Uint64(r[:]), latest)
}

// file writes the game that has ended to a file of its own, for people; the journal remains what counts.
func (b *board) file() {
	var text bytes.Buffer
	err := pgn.Write(&text, gameFile(b.game))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(b.endedFile()), 0o750)
	}
	if err == nil {
		err = renameio.WriteFile(b.endedFile(), text.Bytes(), 0o640)
	}
	if err != nil {
		b.log.Warn("the game cannot be written to a file of its own; the journal has it", "error", err)
	}
}

// unfile removes that file: the end was taken back.
func (b *board) unfile() {
	if err := os.Remove(b.endedFile()); err != nil && !errors.Is(err, os.ErrNotExist) {
		b.log.Warn("the file of a game whose end was taken back cannot be removed", "error", err)
	}
}

// endedFile is the file of its own that the game has when it has ended.
func (b *board) endedFile() string {
	return filepath.Join(b.conf.StateDir, "games", b.game.ID()+".pgn")
}
