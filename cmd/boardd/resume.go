// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"boardd/cmd/boardd/doctor"
	"boardd/cmd/boardd/history"
	"boardd/cmd/boardd/pairing"
	"boardd/config"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/rules/table/guard"
	"boardd/sensing/reconcile"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// resume opens the journal and resumes the last game in it, or begins the configured one.
func (b *board) resume(o journal.Options) error {
	dir := filepath.Join(b.conf.StateDir, "journal")
	o.BudgetBytes, o.OnRemoved = int64(b.conf.BudgetMB)<<20, func(file string, size int64) { b.removed += size }
	o.ExpectRecords = b.live.There()
	o.OnRecreated = func(file string) {
		b.log.Error("somebody removed or moved the journal while the board runs: the newest part is written anew, and "+
			"older games are not in it if their files went as well", "file", file)
	}
	j, records, report, err := journal.Open(dir, o)
	if err != nil {
		return doctor.NoState(b.conf.StateDir, err)
	}
	b.journal = j
	b.tellRoom()
	if text := report.String(); text != "" {
		b.log.Warn("the journal was mended", "what", text)
		b.mended = text
	}
	b.keys, _ = trust.Read(b.conf.KeysFile)
	b.rereadKeys() // says it if they cannot be read
	b.table = table.New(table.Options{Board: b.id, Decode: b.decoder, Trust: b.keys, QueenAfter: queenAfter(&b.conf),
		Random: seal.Random, Engine: true, Resigns: b.conf.EngineResigns, Draws: b.conf.EngineDraws,
		Ponder: b.conf.EnginePonder, Coach: b.conf.EngineCoach, Level: b.conf.EngineLevel, Problems: b.conf.Problems,
		Lichess: b.online != nil, Fair: b.online.Going, Names: game.Names(b.conf.Names), Unsaved: report.Warning,
		Partner: game.Setup{Board: b.id, White: b.conf.White, Black: b.conf.Black}.Rival()})
	if report.NewestLost() {
		b.table.Alarm()
	}
	book := history.Read(records)
	b.signed, b.scribe.Owner = book.Signed(b.id), b.keys.Owner(b.id)
	b.openKey()
	b.keys.Recall(b.scribe.Owner, journal.Payloads(records))
	if text := book.String(); text != "" {
		b.log.Error("records of the journal do not fit their games; boardd journal check lists them", "what", text)
		b.mended = strings.TrimPrefix(b.mended+"; ", "; ") + text
	}
	if n := len(book.Passed); n > 0 {
		b.log.Warn("the journal holds records that this version does not know: they are kept and passed over", "records",
			n)
	}
	b.ended.Miss(book, b.id, b.keys.Key())
	effects, err := b.takeGame(book)
	if err != nil {
		return errors.Join(err, j.Close())
	}
	b.carry(effects)
	return nil
}

// takeGame goes on with the last of this board's games. On a board that has never played it begins the configured one.
// If a part of the game does not fit, the game is written again up to there, so that what follows counts.
func (b *board) takeGame(book *history.Book) ([]table.Effect, error) {
	now, c, last := time.Now(), &b.conf, book.Newest(b.scribe.Owner)
	if newest := book.Last(); newest != last {
		b.foreign = newest
		b.log.Warn("the newest game of the journal is another board's: it is kept, and not played on here", "game",
			newest.ID(), "its board", newest.Setup().Board)
	}
	if last == nil {
		id := table.Automatic + b.table.NextID(now)[len(table.Automatic):]
		return b.table.Start(now, game.Setup{ID: id, Variant: c.Variant, Board: b.id, White: c.White, Black: c.Black,
			Options: map[string]string{game.OptionTakeback: c.Takeback}})
	}
	if last.Broken() {
		b.table.Alarm()
		data, err := last.Restore()
		if err = errors.Join(err, b.journal.Append(data)); err != nil {
			b.log.Error("what is left of the game is not written anew", "error", err)
		}
	}
	b.scribe.Resume(last)
	return b.table.Resume(now, last.Game, last.Stance(), last.Solving, last.Asked)
}

// decoder makes the decoder of the board from its hardware and from the setting of what a move waits for.
func (b *board) decoder() table.Decoder {
	t := reconcile.DefaultTiming()
	if p, err := reconcile.ParseCommitPolicy(b.conf.Commit); err == nil { // the word was checked when the file was read
		t.Commit = p
	}
	return guard.Logged(func() table.Decoder { return reconcile.New(b.rig.Geometry, t) }, b.log)
}

func queenAfter(c *config.Config) time.Duration { return time.Duration(c.QueenAfterS) * time.Second }

// openKey gives the board its key, if it has none yet: after a start on a full disk it is made later.
func (b *board) openKey() {
	if !b.conf.Sign || b.scribe.Owner.Key != "" {
		return
	}
	var lost string
	lost, b.unsigned = pairing.OpenKey(b.keys, b.conf.StateDir, b.id, b.signed, b.unsigned, b.log)
	b.scribe.Owner = b.keys.Owner(b.id)
	if lost != "" {
		b.table.Alarm()
		b.mended = strings.TrimPrefix(b.mended+"; ", "; ") + lost
	}
}

// rereadKeys reads which keys others have: boards that are paired with this one, and who may sign commands.
func (b *board) rereadKeys() {
	if b.orders, b.unasked = trust.ReadSignedCommands(b.conf.CommandKeysFile, b.conf.StateDir); b.unasked != nil {
		b.log.Error("no signed command is taken", "error", b.unasked)
	}
	if err := b.keys.Reread(b.conf.StateDir); err != nil {
		b.log.Error("with which boards this one is paired cannot be read: boards whose key is not known otherwise are not "+
			"believed", "error", err)
	}
}
