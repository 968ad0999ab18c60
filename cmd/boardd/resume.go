// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"boardd/cmd/boardd/games"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sync/journal"
	"boardd/sync/trust"
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
	if b.keys, err = trust.Read(b.conf.KeysFile, payloads(records)); err != nil {
		return errors.Join(err, j.Close())
	}
	b.openKey()
	b.table = table.New(table.Options{Board: b.id, Decode: func() table.Decoder { return decode(b.rig, &b.conf) }, Trust: b.keys, QueenAfter: queenAfter(&b.conf),
		Random: entropy, Engine: true, Unsaved: report.Warning})
	games, err := games.Replay(records)
	if err != nil {
		// Everything before is intact: the game goes on from there, and what does not fit is named.
		b.log.Error("a record of the journal does not fit the game; the game goes on from the record before", "error", err)
		b.mended = strings.TrimPrefix(b.mended+"; ", "; ") + "a record does not fit the game, which goes on from the record before: " + err.Error()
	}
	effects, failed := b.takeGame(games, records, err == nil)
	if failed != nil {
		return errors.Join(failed, j.Close())
	}
	b.carry(effects)
	return nil
}

// takeGame goes on with the last of the games, or begins the configured one on a board that never played. What is said of the wood
// counts if the records are whole: otherwise it may belong to what does not fit.
func (b *board) takeGame(games []*game.Game, records []journal.Record, whole bool) ([]table.Effect, error) {
	now, c := time.Now(), &b.conf
	if len(games) == 0 {
		id := table.Automatic + b.table.NextID(now)[len(table.Automatic):]
		return b.table.Start(now, game.Setup{ID: id, Variant: c.Variant, Board: b.id, White: c.White, Black: c.Black,
			Options: map[string]string{game.OptionTakeback: c.Takeback}})
	}
	var stood *table.Stance
	if whole {
		stood = stoodAt(records)
	}
	return b.table.Resume(now, games[len(games)-1], stood)
}

// decode makes the decoder of a board: what its hardware is, and what a move waits for before it counts.
func decode(r *rig.Rig, c *config.Config) table.Decoder {
	t := reconcile.DefaultTiming()
	if p, err := reconcile.ParsePolicy(c.Commit); err == nil { // checked when the file was read
		t.Commit = p
	}
	return reconcile.New(r.Geometry, t)
}

func queenAfter(c *config.Config) time.Duration { return time.Duration(c.QueenAfterS) * time.Second }

// entropy is a number that nobody can guess, for ids of games.
func entropy() uint64 {
	var r [8]byte
	rand.Read(r[:]) //nolint:errcheck // crypto/rand never fails
	return binary.LittleEndian.Uint64(r[:])
}

func payloads(records []journal.Record) (all [][]byte) {
	for _, r := range records {
		all = append(all, r.Payload)
	}
	return all
}

// openKey reads this board's key, or makes one on the first start. Without a key play goes on: the moves are not signed, and health
// says why.
func (b *board) openKey() {
	if !b.conf.Sign {
		return
	}
	made, unpublished, err := b.keys.Own(b.conf.StateDir, b.id)
	if b.unsigned = err; err != nil {
		b.log.Error("the moves of this board are not signed; boards that know its key will not take them", "error", err)
		return
	}
	if made != "" {
		b.log.Info("this board has a key now, by which it signs its moves", "fingerprint", made)
	}
	if unpublished != nil {
		b.log.Warn("the public key is not written out for others", "error", unpublished)
	}
}

// recorded is a record of the journal: an event, and how the wood stands after it.
type recorded struct {
	game.Event
	Wood *table.Stance `json:"wood,omitempty"`
}

// stoodAt finds how the wood stood when the journal ended; nil when the last event that changed the moves does not say it.
func stoodAt(records []journal.Record) *table.Stance {
	var last *table.Stance
	for _, r := range records {
		var e recorded
		if json.Unmarshal(r.Payload, &e) != nil {
			continue
		}
		if _, parted := table.Parts(&e.Event); parted || e.Wood != nil {
			last = e.Wood
		}
	}
	if last != nil && !last.Known() {
		return nil // of a later version
	}
	return last
}
