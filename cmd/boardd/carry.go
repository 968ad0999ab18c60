// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"boardd/cmd/boardd/analysis"
	"boardd/cmd/boardd/games"
	"boardd/cmd/boardd/page"
	"boardd/cmd/boardd/screen"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/wire"
)

// carry carries out effects, one after the other. After an append the table returns the effects that depend on its
// result. They come before the rest.
func (b *board) carry(effects []table.Effect) {
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		switch e := e.(type) {
		case table.Append:
			effects = slices.Concat(b.table.Stored(time.Now(), b.append(e.Records)), effects)
		case table.Retry:
			effects = slices.Concat(b.table.Stored(time.Now(), b.journal.Retry()), effects)
		case table.Publish:
			b.publish(e.Stored)
		case table.Tell:
			b.tell(&e.Event)
		case table.Show:
			b.feed.Set("lights", page.Meanings(&e.View))
			b.hands().Turn(b.table.Game().Flipped())
			if b.lighting != nil {
				b.lighting.Show(turnFrame(b.table.Game().Flipped(), e.View))
			}
		case table.Await:
			b.await(e.Squares)
		case table.Follow:
			b.follow(e.Board)
		case table.Think:
			b.engine.Think(e)
		case table.StopThinking:
			b.engine.StopThinking()
		case table.Link:
			b.showLink()
		case table.File:
			if id := e.Game.ID(); e.Remove {
				b.ended.Remove(id)
			} else {
				b.ended.Keep(id, games.Text(e.Game, b.analysisOf(id), b.keys.Key()))
			}
		case table.Begin:
			b.record.Begin(filepath.Join(b.conf.StateDir, "traces"), &e, b.table.Geometry(), b.log)
		case table.Sensed:
			b.record.Reading(&e.Reading)
		case table.Recorded:
			b.record.Moves(&e)
		case table.Warn:
			b.log.Warn(e.Text, e.Args...)
		case table.Note:
			b.log.Info(e.Text, e.Args...)
		}
	}
	b.analyst.Permit(b.table.WhyNoAnalysis())
	if b.screen != nil {
		b.screen.Show(screen.Face(b.table, b.voice, time.Now()))
	}
}

// analysisOf is the analysis of a game. It is nil while there is none, and while it may not be shown because a game at
// Lichess goes on.
func (b *board) analysisOf(game string) *analysis.Sheet {
	if b.table.WhyNoAnalysis() == table.AgainstLichess {
		return nil
	}
	if b.sheet.Game != game { // read once for each game
		s, err := b.analyst.Sheet(game)
		if err != nil {
			b.log.Warn("a game is shown without what was found out about it", "error", err)
		}
		b.sheet = analysis.Finished{Game: game, Sheet: s}
	}
	return b.sheet.Sheet
}

// saveAnalysis writes the analysis of a game to its files.
func (b *board) saveAnalysis() {
	if err := games.Annotate(b.ended.Path(b.sheet.Game), b.sheet.Sheet); err != nil {
		b.log.Warn("what was found out about a game is not in its file; boardd export has it", "error", err)
	}
	if b.sheet.Game == b.table.Game().ID() {
		b.publish(b.table.Unsaved() == nil)
	}
}

// append writes records to the journal. Those of one game are synced together.
func (b *board) append(records []table.Record) error {
	var errs []error
	var payloads [][]byte
	flush := func() {
		if payloads != nil {
			errs = append(errs, b.journal.Append(payloads...))
		}
		payloads = nil
	}
	for i := range records {
		if records[i].Boundary {
			flush()
			errs = append(errs, b.journal.Boundary())
			b.tellRoom()
			continue
		}
		data, err := b.scribe.Encode(&records[i])
		if err != nil {
			b.log.Error("a record of the journal does not encode", "error", err)
			continue
		}
		payloads = append(payloads, data)
	}
	flush()
	return errors.Join(errs...)
}

// publish shows everybody the whole game. It is encoded once. A game that is not stored is shown on the own page
// alone.
func (b *board) publish(stored bool) {
	g := b.message()
	g.Unstored = !stored
	data, err := json.Marshal(g)
	if err != nil {
		b.log.Error("the game does not encode", "error", err)
		return
	}
	if stored {
		b.online.Show(&g)
		// before the game is published, so that whoever sees it finds the file up to date
		b.live.Set(games.Text(b.table.Game(), b.analysisOf(g.Game), b.keys.Key()))
	}
	b.feed.SetGame(data, stored)
	if b.mirror != nil && stored {
		b.mirror.PublishJSON(data, g.Clock != nil && g.Clock.Running != "")
	}
}

// tell says that something happened.
func (b *board) tell(told *table.Event) {
	e := eventMessage(told)
	var said []any
	for _, f := range [][2]string{{"move", e.Move}, {"san", e.SAN}, {"given", game.Given(told.Via)}, {"text", e.Text}} {
		if f[1] != "" {
			said = append(said, f[0], f[1])
		}
	}
	level := slog.LevelInfo
	if slices.Contains([]string{wire.EventFault, wire.EventConflict, wire.EventJournal, wire.EventLink}, e.Kind) {
		level = slog.LevelWarn
	}
	b.log.Log(context.Background(), level, e.Kind, said...)
	b.feed.Event(e)
	if b.mirror != nil && !told.Private {
		b.mirror.Event(e)
	}
}

// await tells the height sensors which squares the game waits for.
func (b *board) await(squares rules.Bitboard) {
	if b.rig.Eyes != nil {
		b.rig.Eyes.Await(squares)
	}
}

// follow subscribes to the games of the board that plays against this one.
func (b *board) follow(rival string) {
	switch {
	case b.mirror == nil:
	case rival == "", rival == game.Lichess: // not a board at the broker
		b.mirror.Follow()
	default:
		b.mirror.Follow(rival)
	}
}

// turnFrame paints a view, turned if the game lies the other way round.
func turnFrame(flipped bool, v leds.View) leds.Frame {
	f := leds.Paint(&v)
	if !flipped {
		return f
	}
	var t leds.Frame
	for d := range f {
		for s := range f[d] {
			t[d][63-s] = f[d][s]
		}
	}
	return t
}
