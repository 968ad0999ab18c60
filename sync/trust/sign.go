// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"bytes"
	"crypto/ed25519"
	"path/filepath"
	"time"

	"boardd/config/size"
	"boardd/rules/game"
	"boardd/sync/seal"
	"boardd/sync/wire"

	"encoding/base64"

	"github.com/google/renameio/v2"
)

// Own reads the key of a board from its state folder, or makes one on the first start. From now on it is used for
// signing, and the public key is written beside it. made is the fingerprint of a new key. unpublished is why the
// public key could not be written. On an error nothing is signed.
func (k *Keys) Own(dir, board string) (made string, unpublished, err error) {
	key, isNew, err := seal.LoadKey(seal.KeyFile(dir))
	if err != nil {
		return "", nil, err
	}
	k.own = key
	public := key.Public().(ed25519.PublicKey)
	if isNew {
		made = seal.Fingerprint(public)
	}
	name, line := filepath.Join(dir, "board.pub"), seal.Line(board, public)
	if old, err := size.Read(name, size.Kept); err == nil && string(old) == line {
		return made, nil, nil
	}
	return made, renameio.WriteFile(name, []byte(line), 0o644), nil
}

// Key is the key that Own has read, nil if the board does not sign.
func (k *Keys) Key() ed25519.PrivateKey { return k.own }

// Sign signs a game for every side here whose last signature does not reach its last move, the last takeback and the
// end.
func (k *Keys) Sign(g *game.Game, at time.Time) []game.Event {
	var events []game.Event
	for _, side := range []game.Side{game.White, game.Black} {
		if k.own == nil || !g.Setup().Here(side) {
			continue
		}
		sg := GameOf(g)
		last, err := seal.Parse(g.Seal(side))
		if err == nil && bytes.Equal(last.Key, k.own.Public().(ed25519.PublicKey)) &&
			last.Covers(string(side), FirstTurn(g), &sg) == nil {
			continue
		}
		s := seal.Sign(k.own, string(side), &sg)
		events = append(events, game.Event{Kind: game.Sealed, At: at, By: side, Ply: s.Ply, Seal: s.String()})
	}
	return events
}

// GameOf is the signed content of a game.
func GameOf(g *game.Game) seal.Game {
	s, start := g.Setup(), g.Start()
	return seal.Game{ID: s.ID, Variant: s.Variant, White: s.White, Black: s.Black, Start: start.FEN(), Moves: g.Coords(),
		Takebacks: g.Takebacks(), Outcome: g.Outcome(), Reason: string(g.Reason())}
}

// FirstTurn is the side that made the first move.
func FirstTurn(g *game.Game) string {
	start := g.Start()
	return start.Turn().String()
}

// Signer is the key by which a side has signed a game, in base64; "" where it has not.
func Signer(g *game.Game, side game.Side) string {
	s, err := seal.Parse(g.Seal(side))
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(s.Key)
}

// WireSeals is both sides' signatures of a game as the messages have them, nil when there are none.
func WireSeals(g *game.Game) *wire.Seals {
	white, black := message(g.Seal(game.White)), message(g.Seal(game.Black))
	if white == nil && black == nil {
		return nil
	}
	return &wire.Seals{White: white, Black: black}
}

func message(text string) *wire.Seal {
	s, err := seal.Parse(text)
	if err != nil {
		return nil // there is none
	}
	b := base64.StdEncoding
	return &wire.Seal{Ply: s.Ply, Takebacks: s.Takebacks, Outcome: s.Outcome, Reason: s.Reason,
		Key: b.EncodeToString(s.Key), Sig: b.EncodeToString(s.Sig)}
}

// SealTexts returns the signatures of a message as text, unchecked. Verify checks whether they can be read.
func SealTexts(s *wire.Seals) map[game.Side]string {
	seals := map[game.Side]string{}
	if s == nil {
		return seals
	}
	for side, w := range map[game.Side]*wire.Seal{game.White: s.White, game.Black: s.Black} {
		if w != nil {
			seals[side] = w.String()
		}
	}
	return seals
}
