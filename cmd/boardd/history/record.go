// SPDX-License-Identifier: Apache-2.0

package history

import (
	"encoding/json"
	"errors"
	"fmt"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/rules/table/solving"
	"boardd/sync/trust"
)

// version is that of a record. A record of a later one is kept and passed over, like one of a kind that is not known.
const version = 2

// restored is the kind of a record that holds a whole game again, after a part of it was damaged. It is one record,
// so that it is there whole or not at all.
const restored game.Kind = "restored"

// record is one record of the journal. It names its game, and the plies and takebacks before it, so that records can
// be put together. Version 1 had neither; there a game's records follow its beginning.
type record struct {
	Version int    `json:"v,omitempty"`
	Game    string `json:"game,omitempty"` // id
	// the board that keeps the game; "" in records of older versions, and with the event that begins it
	Board string `json:"board,omitempty"`
	Plies int    `json:"plies,omitempty"`
	Back  int    `json:"back,omitempty"` // takebacks
	game.Event
	// how the wood stands after the event, or stands now where there is none
	Wood    *table.Stance     `json:"wood,omitempty"`
	Solving *solving.Progress `json:"solving,omitempty"` // how the solving of problems stands, likewise
	Asked   *table.Request    `json:"asked,omitempty"`   // what this board asks of the other one
	// the beginning of the game again, with its first move: without it nothing of the game could be read
	Began   *game.Event     `json:"began,omitempty"`
	Events  []game.Event    `json:"restored,omitempty"` // of a record of that kind
	Trusted json.RawMessage `json:"trusted,omitempty"`  // the keys that were met, see trust.Record
	PGN     string          `json:"imported,omitempty"` // a game that came from a file, until version 1
}

// bare is an event in a record of its own: without kind and time where nothing happened.
type bare struct {
	Version int               `json:"v"`
	Game    string            `json:"game,omitempty"`
	Board   string            `json:"board,omitempty"`
	Wood    *table.Stance     `json:"wood,omitempty"`
	Solving *solving.Progress `json:"solving,omitempty"`
	Asked   *table.Request    `json:"asked,omitempty"`
}

// Scribe makes records. It knows how far the game has come.
type Scribe struct {
	Owner trust.Owner // whose journal it is

	id, board   string
	plies, back int
	began       *game.Event
}

// Resume takes up a game that goes on.
func (s *Scribe) Resume(k *Kept) {
	s.id, s.board, s.plies, s.back, s.began = k.ID(), k.Setup().Board, k.Plies(), k.Takebacks(), &k.events[0]
}

// Encode is a record in the form of the journal. An event and the stance of the wood after it are one record, so that
// no power cut separates them.
func (s *Scribe) Encode(r *table.Record) ([]byte, error) {
	switch {
	case r.Keys != nil:
		return json.Marshal(struct {
			Version int `json:"v"`
			trust.Record
		}{version, trust.Record{Keys: r.Keys, Owner: s.Owner}})
	case r.Event == nil:
		return json.Marshal(bare{version, s.id, s.board, r.Wood, r.Solving, r.Asked})
	case r.Event.Kind == game.Started && r.Event.Setup != nil:
		s.id, s.board, s.plies, s.back, s.began = r.Event.Setup.ID, r.Event.Setup.Board, 0, 0, r.Event
	}
	e := record{Version: version, Game: s.id, Board: s.board, Plies: s.plies, Back: s.back, Event: *r.Event, Wood: r.Wood,
		Solving: r.Solving}
	if r.Event.Setup != nil {
		e.Board = "" // the set-up says it
	}
	if e.Kind == game.Moved && s.plies == 0 {
		e.Began = s.began
	}
	data, err := json.Marshal(e)
	switch e := r.Event; e.Kind {
	case game.Moved:
		s.plies++
	case game.TakenBack, game.Settled:
		s.plies, s.back = e.Ply, e.Count
	}
	return data, err
}

// Restore is the whole game as one new record.
func (k *Kept) Restore() ([]byte, error) {
	data, err := json.Marshal(record{Version: version, Game: k.ID(),
		Event: game.Event{Kind: restored, At: k.events[0].At}, Events: k.events, Wood: k.Wood, Solving: k.Solving,
		Asked: k.Asked})
	if err == nil && len(data) > mostRestored {
		err = fmt.Errorf("game %s is too long for one record", k.ID())
	}
	return data, err
}

// mostRestored is the longest record that a journal takes, in bytes.
const mostRestored = 1 << 20

// saysNothing reports whether nothing of a record is known here.
func (r *record) saysNothing() bool {
	return r.Kind == "" && r.Wood == nil && r.Solving == nil && r.Asked == nil && r.Trusted == nil && r.PGN == ""
}

func decode(payload []byte) (record, error) {
	var r record
	err := json.Unmarshal(payload, &r)
	switch {
	case err != nil && r.Version <= version:
		return r, err
	case r.Version > version:
		return record{}, errLater
	}
	return r, nil
}

var errLater = errors.New("a record of a later version")
