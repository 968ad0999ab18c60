// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/sync/journal"
	"boardd/sync/wire"
)

// resume opens the journal and takes up the last game in it, or begins the configured one.
func (b *board) resume(o journal.Options) error {
	dir := filepath.Join(b.conf.StateDir, "journal")
	j, records, report, err := journal.Open(dir, o)
	if errors.Is(err, journal.ErrLocked) {
		return fmt.Errorf("%w: another boardd runs with this state_dir, stop it first", err)
	}
	if err != nil {
		return fmt.Errorf("%w: state_dir must be a folder that this user may write to", err)
	}
	b.journal = j
	if text := report.String(); text != "" {
		b.log.Warn("the journal was mended", "what", text)
		b.mended = text
	}
	b.broken = report.Warning
	if b.trust, err = readTrust(b.conf.KeysFile, records); err != nil {
		return errors.Join(err, j.Close())
	}
	b.openKey()
	games, err := replay(records)
	if err != nil {
		// Everything before is intact: the game goes on from there, and what does not fit is named.
		b.log.Error("a record of the journal does not fit the game; the game goes on from the record before", "error", err)
		b.mended = strings.TrimPrefix(b.mended+"; ", "; ") + "a record does not fit the game, which goes on from the record before: " + err.Error()
	}
	if len(games) == 0 {
		return b.first()
	}
	b.game = games[len(games)-1]
	b.follow()
	if err != nil {
		return b.back(nil) // what is said of the wood may belong to what does not fit
	}
	return b.back(stoodAt(records))
}

// first begins the game of the configuration on a board that never played.
func (b *board) first() error {
	c := &b.conf
	id := automatic + b.nextID()[len(automatic):]
	return b.newGame(game.Setup{ID: id, Variant: c.Variant, Board: b.id, White: c.White, Black: c.Black,
		Options: map[string]string{game.OptionTakeback: c.Takeback}}, wire.Setup)
}

// back goes on with a game after a power cut, however long it took. The wood may show it, or what it showed when the journal ended.
// Where the journal does not say that (nil), it may be the position before a move of the other board. What differs is lit.
func (b *board) back(stood *stance) error {
	n := b.game.Plies()
	b.wood = woodState{ply: n, goal: wire.Wrong}
	if stood != nil && stood.Goal != "" {
		b.kept = *stood
		b.wood.ply, b.wood.goal = stood.Ply, stood.Goal
	} else if stood == nil && n > 0 {
		if _, remote := b.game.MovedAt(n); remote {
			b.wood.goal = wire.Executing
		}
	}
	b.wood.state = b.wood.goal
	if err := b.do(game.Action{Do: game.EndOutage}); err != nil {
		return err
	}
	b.commit(b.seals(b.game, time.Now())) // where an earlier version or another key has played
	b.trace()
	b.aim(b.wood.goal)
	b.log.Info("the game goes on", "game", b.game.ID(), "plies", n)
	return nil
}

// replay makes all games that the records hold, oldest first. On an error the games up to there are returned.
func replay(records []journal.Record) ([]*game.Game, error) {
	var games []*game.Game
	for _, r := range records {
		var e game.Event
		if err := json.Unmarshal(r.Payload, &e); err != nil {
			return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
		}
		if e.Kind == "" {
			continue // a game that was imported, not played here
		}
		if e.Kind == game.Started {
			g, err := game.New(e)
			if err != nil {
				return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
			}
			games = append(games, g)
			continue
		}
		if len(games) == 0 {
			continue // the game's beginning was in a segment that the disk budget removed
		}
		if err := games[len(games)-1].Apply(e); err != nil {
			return games, fmt.Errorf("segment %d, offset %d: %w", r.Segment, r.Offset, err)
		}
	}
	return games, nil
}

// untilFlag is how long the flag of the side to move stays up, false when no time runs here.
func (b *board) untilFlag(now time.Time) (time.Duration, bool) {
	at, ok := b.game.FlagAt()
	return at.Sub(now), ok
}
