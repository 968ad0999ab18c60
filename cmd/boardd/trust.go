// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/wire"
)

// trust is whose key is whose: those that the owner has fixed, and those that were met first with a board's first signed
// message. The latter are kept in the journal, all of them again with each game, so that they outlive old segments.
type trust struct {
	fixed map[string]ed25519.PublicKey
	known map[string]ed25519.PublicKey
}

// trusted is the journal's record of known keys, in base64; the latest counts.
type trusted struct {
	Keys map[string]string `json:"trusted"`
}

// readTrust finds the known keys in the journal, and the fixed ones in their file.
func readTrust(file string, records []journal.Record) (trust, error) {
	t := trust{known: map[string]ed25519.PublicKey{}}
	for _, r := range records {
		var last trusted
		if json.Unmarshal(r.Payload, &last) != nil || last.Keys == nil {
			continue
		}
		clear(t.known)
		for board, text := range last.Keys {
			if key, err := seal.ParseKey(text); err == nil {
				t.known[board] = key
			}
		}
	}
	if file == "" {
		return t, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return t, fmt.Errorf("mqtt.keys_file: %w", err)
	}
	defer f.Close()
	if t.fixed, err = seal.ReadKeys(f); err != nil {
		return t, fmt.Errorf("mqtt.keys_file: %s: %w", file, err)
	}
	return t, nil
}

// of is the key that a board must sign by, nil when none is known.
func (t *trust) of(board string) ed25519.PublicKey {
	if key, ok := t.fixed[board]; ok {
		return key
	}
	return t.known[board]
}

// record is what the journal keeps, nil while no key is known.
func (t *trust) record() []byte {
	if len(t.known) == 0 {
		return nil
	}
	keys := map[string]string{}
	for board, key := range t.known {
		keys[board] = base64.StdEncoding.EncodeToString(key)
	}
	data, err := json.Marshal(trusted{keys})
	if err != nil {
		return nil // a map of strings always encodes
	}
	return data
}

// doubt is why a board's message is not believed. Key is the one that it bears, nil for none.
type doubt struct {
	board  string
	why    string
	key    ed25519.PublicKey
	forged bool // the signature does not fit what the message says
}

func (d *doubt) Error() string { return "board " + d.board + ": " + d.why }

// advice is what people can do about it.
func (d *doubt) advice() string {
	if d.forged {
		return "nothing of it was taken: it is forged or damaged, and the board's own next message will be heard"
	}
	return "nothing of it was taken: somebody else may write in its name. If that board was set up anew, say so (settle)"
}

// believe checks the signatures of a message of another board for the sides that it holds: a board that has signed once, or whose
// key is fixed, must sign its last move, the last takeback and the end by the same key. It gives the signatures that fit.
func (t *trust) believe(h *game.Heard, seals *wire.Seals) (map[game.Side]seal.Seal, error) {
	good := map[game.Side]seal.Seal{}
	for side, seat := range map[game.Side]string{game.White: h.White, game.Black: h.Black} {
		if seat != h.Board {
			continue
		}
		s, err := t.check(h, side, sealOf(seals, side))
		if err != nil {
			return nil, err
		}
		if s != nil {
			good[side] = *s
		}
	}
	return good, nil
}

func sealOf(s *wire.Seals, side game.Side) *wire.Seal {
	switch {
	case s == nil:
		return nil
	case side == game.White:
		return s.White
	}
	return s.Black
}

// check is believe for one side; nil without an error when nothing is signed and nothing has to be.
func (t *trust) check(h *game.Heard, side game.Side, w *wire.Seal) (*seal.Seal, error) {
	key := t.of(h.Board)
	if w == nil && key == nil {
		return nil, nil
	}
	if w == nil {
		return nil, &doubt{board: h.Board, why: fmt.Sprintf("its message is not signed, but its key %s is known here", seal.Fingerprint(key))}
	}
	s, err := sealHeard(w)
	if err != nil {
		return nil, &doubt{board: h.Board, why: "its signature cannot be read: " + err.Error(), forged: true}
	}
	g := seal.Game{ID: h.ID, Variant: h.Variant, White: h.White, Black: h.Black, Start: h.Start, Moves: h.Moves, Takebacks: h.Takebacks,
		Outcome: h.Outcome, Reason: h.Reason}
	if err := s.Covers(string(side), firstOf(h.Start), &g); err != nil {
		return nil, &doubt{board: h.Board, why: err.Error(), key: s.Key, forged: true}
	}
	if key != nil && !key.Equal(s.Key) {
		return nil, &doubt{board: h.Board, key: s.Key,
			why: fmt.Sprintf("its message is signed by the key %s, but its key here is %s", seal.Fingerprint(s.Key), seal.Fingerprint(key))}
	}
	return &s, nil
}

// firstOf is the side to move in a stack FEN.
func firstOf(fen string) string {
	if words := strings.Fields(fen); len(words) > 1 && words[1] == "b" {
		return "black"
	}
	return "white"
}

// meet keeps the key of a board whose first signed message was taken.
func (b *board) meet(board string, good map[game.Side]seal.Seal) {
	for _, s := range good {
		if b.trust.of(board) == nil {
			b.learn(board, s.Key)
			b.log.Info("this board signs its moves; from now on others are not believed", "board", board, "fingerprint", seal.Fingerprint(s.Key))
		}
	}
}

// learn changes a known key; nil forgets it.
func (b *board) learn(board string, key ed25519.PublicKey) {
	b.trust.known = maps.Clone(b.trust.known)
	delete(b.trust.known, board)
	if key != nil {
		b.trust.known[board] = key
	}
	data := b.trust.record()
	if data == nil {
		data = []byte(`{"trusted":{}}`)
	}
	b.written(b.journal.Append(data))
}

// stamped adds to the events of a merge the signatures that came with them.
func (b *board) stamped(events []game.Event, good map[game.Side]seal.Seal) []game.Event {
	next, err := b.game.After(events)
	if err != nil {
		return events
	}
	g := sealGame(next)
	for side, s := range good {
		last, err := seal.Parse(next.Seal(side))
		newer := err != nil || s.Ply > last.Ply || s.Takebacks > last.Takebacks || s.Outcome != last.Outcome && s.Outcome != ""
		if newer && s.Takebacks == next.Takebacks() && s.Check(string(side), &g) == nil {
			events = append(events, game.Event{Kind: game.Sealed, At: time.Now(), By: side, Ply: s.Ply, Seal: s.String()})
		}
	}
	return events
}

// settleDoubt believes a board that was not believed: people say that it is itself, with a new key or with none.
func (b *board) settleDoubt(d *doubt) error {
	g, ok := b.rivals[d.board]
	switch {
	case d.forged || !ok:
		return errors.New("a message whose signature does not fit is forged or damaged: there is nothing to take over; wait for the board's next message")
	case b.trust.fixed[d.board] != nil:
		return fmt.Errorf("the key of board %s is fixed in mqtt.keys_file: change it there and start again", d.board)
	}
	b.learn(d.board, d.key)
	b.clash(nil)
	b.hear(d.board, &g, true)
	return nil
}
