// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"path/filepath"
	"time"

	"boardd/rules/game"
	"boardd/sync/seal"
	"boardd/sync/wire"

	"github.com/google/renameio/v2"
)

// openKey reads this board's key, or makes one on the first start, and puts what others need of it beside it. Without a key
// play goes on: the moves are not signed, and health says why.
func (b *board) openKey() {
	if !b.conf.Sign {
		return
	}
	key, made, err := seal.LoadKey(filepath.Join(b.conf.StateDir, "board.key"))
	if b.unsigned = err; err != nil {
		b.log.Error("the moves of this board are not signed; boards that know its key will not take them", "error", err)
		return
	}
	b.key = key
	public := key.Public().(ed25519.PublicKey)
	if made {
		b.log.Info("this board has a key now, by which it signs its moves", "fingerprint", seal.Fingerprint(public))
	}
	name, line := filepath.Join(b.conf.StateDir, "board.pub"), seal.Line(b.id, public)
	if old, err := os.ReadFile(name); err == nil && string(old) == line {
		return
	}
	if err := renameio.WriteFile(name, []byte(line), 0o644); err != nil {
		b.log.Warn("the public key is not written out for others", "error", err)
	}
}

// signed adds to events the signatures of the sides played here over the game as it will be after them.
func (b *board) signed(events []game.Event) []game.Event {
	if b.key == nil || len(events) == 0 {
		return events
	}
	next, err := b.game.After(events)
	if err != nil {
		return events // Apply will say the same
	}
	return append(events, b.seals(next, events[0].At)...)
}

// seals signs a game for every side here whose last signature does not reach its last move, the last takeback and the end.
func (b *board) seals(g *game.Game, at time.Time) []game.Event {
	var events []game.Event
	for _, side := range []game.Side{game.White, game.Black} {
		if b.key == nil || !g.Setup().Here(side) {
			continue
		}
		sg := sealGame(g)
		last, err := seal.Parse(g.Seal(side))
		if err == nil && bytes.Equal(last.Key, b.key.Public().(ed25519.PublicKey)) && last.Covers(string(side), firstTurn(g), &sg) == nil {
			continue
		}
		s := seal.Sign(b.key, string(side), &sg)
		events = append(events, game.Event{Kind: game.Sealed, At: at, By: side, Ply: s.Ply, Seal: s.String()})
	}
	return events
}

// sealGame is a game as it is signed.
func sealGame(g *game.Game) seal.Game {
	s, start := g.Setup(), g.Start()
	return seal.Game{ID: s.ID, Variant: s.Variant, White: s.White, Black: s.Black, Start: start.FEN(), Moves: g.Coords(),
		Takebacks: g.Takebacks(), Outcome: g.Outcome(), Reason: string(g.Reason())}
}

// firstTurn is the side that made the first move.
func firstTurn(g *game.Game) string {
	start := g.Start()
	return start.Turn().String()
}

// sealsMessage is both sides' signatures as the messages have them, nil when there are none.
func sealsMessage(g *game.Game) *wire.Seals {
	white, black := sealMessage(g.Seal(game.White)), sealMessage(g.Seal(game.Black))
	if white == nil && black == nil {
		return nil
	}
	return &wire.Seals{White: white, Black: black}
}

func sealMessage(text string) *wire.Seal {
	s, err := seal.Parse(text)
	if err != nil {
		return nil // there is none
	}
	b := base64.StdEncoding
	return &wire.Seal{Ply: s.Ply, Takebacks: s.Takebacks, Outcome: s.Outcome, Reason: s.Reason, Key: b.EncodeToString(s.Key), Sig: b.EncodeToString(s.Sig)}
}

// sealHeard reads a signature of a message.
func sealHeard(w *wire.Seal) (seal.Seal, error) {
	key, err := seal.ParseKey(w.Key)
	if err != nil {
		return seal.Seal{}, err
	}
	sig, err := base64.StdEncoding.DecodeString(w.Sig)
	return seal.Seal{Ply: w.Ply, Takebacks: w.Takebacks, Outcome: w.Outcome, Reason: w.Reason, Key: key, Sig: sig}, err
}
