// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"boardd/config/size"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/sync/seal"
)

// Keys knows which key is whose. Some keys the owner has fixed, or people have compared their words. Others were met
// with a board's first signed message. The latter are kept in the journal, all of them again with each game, so that
// they outlive old segments.
type Keys struct {
	file  string             // with the keys that the owner has fixed, "" for none
	own   ed25519.PrivateKey // nil: the moves are not signed
	fixed map[string]ed25519.PublicKey
	known map[string]ed25519.PublicKey
	pairs map[string]string // fingerprints of boards with which this one is paired
	lost  error             // why the paired boards are not known
}

var _ table.Trust = (*Keys)(nil)

// Record is what the journal keeps of the keys that were met, in base64; the latest counts.
type Record struct {
	Keys map[string]string `json:"trusted"`
	Owner
}

// Owner is whose journal it is: the board's name, and its public key in base64, "" where it has none. Older versions
// did not write it.
type Owner struct {
	Board string `json:"board,omitempty"`
	Key   string `json:"key,omitempty"`
}

// of reports whether a record may be this board's own. A board that was renamed still has its key, and one that has
// lost its key still has its name.
func (r *Record) of(o Owner) bool {
	return r.Owner == Owner{} || r.Board == o.Board || r.Key != "" && r.Key == o.Key
}

// Owner is this board by its name and the own key.
func (k *Keys) Owner(board string) Owner {
	if k.own == nil {
		return Owner{Board: board}
	}
	return Owner{board, base64.StdEncoding.EncodeToString(seal.Public(k.own))}
}

// Recall finds the keys that were met in the records of a journal. What another board has met counts for nothing.
func (k *Keys) Recall(owner Owner, records [][]byte) {
	for _, r := range records {
		var last Record
		if json.Unmarshal(r, &last) != nil || last.Keys == nil || !last.of(owner) {
			continue
		}
		clear(k.known)
		for board, text := range last.Keys {
			if key, err := seal.ParseKey(text); err == nil {
				k.known[board] = key
			}
		}
	}
}

// Read reads the fixed keys from a file; "" for none.
func Read(file string) (*Keys, error) {
	k := &Keys{file: file, known: map[string]ed25519.PublicKey{}}
	return k, k.readFixed()
}

// readFixed reads the file of the fixed keys. If it has faults, those from before remain.
func (k *Keys) readFixed() error {
	if k.file == "" {
		return nil
	}
	f, err := size.Open(k.file)
	if err != nil {
		return fmt.Errorf("mqtt.keys_file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	fixed, err := seal.ReadKeys(f)
	if err != nil {
		return fmt.Errorf("mqtt.keys_file: %s: %w", k.file, err)
	}
	k.fixed = fixed
	return nil
}

// of is the key with which a board must sign, nil when none is known.
func (k *Keys) of(board string) ed25519.PublicKey {
	if key, ok := k.fixed[board]; ok {
		return key
	}
	if words, ok := k.pairs[board]; ok && k.known[board] != nil && seal.Fingerprint(k.known[board]) != words {
		return nil // another key, met before the boards were paired
	}
	return k.known[board]
}

// words returns the words of the key with which a board must sign, "" when none is known.
func (k *Keys) words(board string) string {
	if key := k.of(board); key != nil {
		return seal.Fingerprint(key)
	}
	return k.pairs[board]
}

// Keys returns the keys that were met, in base64.
func (k *Keys) Keys() map[string]string {
	keys := map[string]string{}
	for board, key := range k.known {
		keys[board] = base64.StdEncoding.EncodeToString(key)
	}
	return keys
}

// Verify checks the signatures in another board's message for the sides that it holds. This is for a board that has
// signed once, or whose key is fixed. It must sign its last move, the last takeback and the end with the same key. It
// returns the signatures that fit. It notes in the message how many of its moves this board itself has signed, and how
// many nobody has.
func (k *Keys) Verify(h *game.RemoteGame, seals table.Seals) (table.Seals, error) {
	good, signed := table.Seals{}, 0
	for side, seat := range map[game.Side]string{game.White: h.White, game.Black: h.Black} {
		if seat != h.Board {
			h.Own = max(h.Own, k.signed(h, side, seals[side]))
			continue
		}
		s, err := k.check(h, side, seals[side])
		if err != nil {
			return nil, err
		}
		if s != nil {
			good[side] = s.String()
			signed = max(signed, s.Ply)
			if said := stated(s); said.Compare(h.Signed) > 0 {
				h.Signed = said
			}
		}
	}
	if len(good) > 0 {
		h.Unsigned = len(h.Moves) - max(signed, h.Own)
	}
	return good, nil
}

// check is Verify for one side. It returns nil without an error when nothing is signed and nothing has to be.
func (k *Keys) check(h *game.RemoteGame, side game.Side, text string) (*seal.Seal, error) {
	key, words := k.of(h.Board), k.words(h.Board)
	if words == "" && k.lost != nil {
		return nil, &table.TrustError{Board: h.Board, Why: say.That(
			"with which boards this one is paired cannot be read: %v",
			k.lost)}
	}
	if text == "" && words == "" {
		return nil, nil
	}
	if text == "" {
		return nil, &table.TrustError{Board: h.Board, Why: say.That(
			"its message is not signed, but its key (%s) is known here",
			words)}
	}
	s, err := seal.Parse(text)
	if err == nil {
		_, err = seal.ParseKey(base64.StdEncoding.EncodeToString(s.Key))
	}
	if err != nil {
		return nil, &table.TrustError{Board: h.Board, Why: say.That("its signature cannot be read: %v", err), Forged: true}
	}
	g := heard(h)
	if err := s.Covers(string(side), firstOf(h.Start), &g); err != nil {
		return nil, &table.TrustError{Board: h.Board, Why: say.That("%v", err), Key: s.Key, Forged: true}
	}
	if key != nil && !key.Equal(s.Key) || words != "" && seal.Fingerprint(s.Key) != words {
		return nil, &table.TrustError{Board: h.Board, Key: s.Key, Signed: stated(&s),
			Why: say.That("its message is signed by the key (%s), but its key here is (%s)", seal.Fingerprint(s.Key), words)}
	}
	return &s, nil
}

// stated is what a signature is given for.
func stated(s *seal.Seal) game.Statement {
	return game.Statement{Takebacks: s.Takebacks, Moves: s.Ply + 1, Over: s.Outcome != ""}
}

// Stated returns the most that a board has signed in a game, by the key; nil: by its last one.
func (k *Keys) Stated(g *game.Game, board string, key []byte) (most game.Statement) {
	add := func(text string) {
		s, err := seal.Parse(text)
		if said := stated(&s); err == nil && (key == nil || s.Key.Equal(ed25519.PublicKey(key))) && said.Compare(most) > 0 {
			most = said
		}
	}
	for _, side := range []game.Side{game.White, game.Black} {
		if g.Setup().Seat(side) == board {
			add(g.Seal(side))
		}
	}
	for ply := range g.Plies() {
		if key != nil {
			add(g.SealAt(ply + 1))
		}
	}
	return most
}

// signed is how many of a message's moves this board has signed for a side, after as many takebacks as the message
// knows.
func (k *Keys) signed(h *game.RemoteGame, side game.Side, text string) int {
	s, err := seal.Parse(text)
	g := heard(h)
	if err != nil || k.own == nil || !k.own.Public().(ed25519.PublicKey).Equal(ed25519.PublicKey(s.Key)) ||
		s.Takebacks != h.Takebacks || s.Check(string(side), &g) != nil {
		return 0
	}
	return s.Ply
}

// heard is the game of a message as it is signed.
func heard(h *game.RemoteGame) seal.Game {
	return seal.Game{ID: h.ID, Variant: h.Variant, White: h.White, Black: h.Black, Start: h.Start, Moves: h.Moves,
		Takebacks: h.Takebacks,
		Outcome:   h.Outcome, Reason: h.Reason}
}

// firstOf is the side to move in a stack FEN.
func firstOf(fen string) string {
	if words := strings.Fields(fen); len(words) > 1 && words[1] == "b" {
		return "black"
	}
	return "white"
}

// TrustFirst keeps the key of a board whose first signed message was accepted, and returns its fingerprint; "" when
// nothing is new.
func (k *Keys) TrustFirst(board string, good table.Seals) (fingerprint string) {
	for _, text := range good {
		s, err := seal.Parse(text)
		if err == nil && k.of(board) == nil {
			k.SetKey(board, s.Key)
			fingerprint = seal.Fingerprint(s.Key)
		}
	}
	return fingerprint
}

// Pinned reports whether people have fixed the key of a board: in the file, or by comparing words.
func (k *Keys) Pinned(board string) bool { return k.fixed[board] != nil || k.pairs[board] != "" }

// SetKey changes a known key. An empty key forgets it.
func (k *Keys) SetKey(board string, key []byte) {
	k.known = maps.Clone(k.known)
	delete(k.known, board)
	if len(key) > 0 {
		k.known[board] = key
	}
}

// NewSignatures returns, as events, those of the signatures that fit the game and are newer than its own.
func (k *Keys) NewSignatures(g *game.Game, good table.Seals, at time.Time) (events []game.Event) {
	sg := GameOf(g)
	for side, text := range good {
		s, err := seal.Parse(text)
		if err != nil {
			continue
		}
		last, err := seal.Parse(g.Seal(side))
		newer := err != nil || s.Ply > last.Ply || s.Takebacks > last.Takebacks || s.Outcome != last.Outcome &&
			s.Outcome != ""
		if newer && s.Takebacks == g.Takebacks() && s.Check(string(side), &sg) == nil {
			events = append(events, game.Event{Kind: game.Sealed, At: at, By: side, Ply: s.Ply, Seal: s.String()})
		}
	}
	return events
}
