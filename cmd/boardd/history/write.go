// SPDX-License-Identifier: Apache-2.0

package history

import (
	"encoding/json"
	"slices"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/rules/table/solving"
	"boardd/sync/journal"
	"boardd/sync/trust"
)

// Join inserts the games of another book that are missing in this one before its last game, and returns their number.
func (b *Book) Join(other *Book) (added int) {
	for _, g := range other.Games {
		if have := b.twin(g.ID(), g.Setup().Board); have != nil {
			have.passed = append(have.passed, g.passed...)
			continue
		}
		at := slices.IndexFunc(b.Games, func(have *Kept) bool { return have.events[0].At.After(g.events[0].At) })
		if at < 0 {
			at = max(0, len(b.Games)-1) // the last one is the game that goes on
		}
		b.Games = slices.Insert(b.Games, at, g)
		added++
	}
	b.Imported = append(b.Imported, other.Imported...)
	b.Aside = append(b.Aside, other.Aside...)
	b.Passed = append(b.Passed, other.Passed...)
	for _, r := range other.before {
		e, _ := decode(r.Payload) //nolint:errcheck // then nothing says which game it followed
		b.pass(&e, r)
	}
	return added
}

// firstKinds are the kinds of events that version 1 knows. It would read no further than to the first other one.
var firstKinds = []game.Kind{game.Started, game.Moved, game.Offered, game.Declined, game.Asked, game.AskDeclined,
	game.TakenBack, game.Ended, game.Paused, game.Resumed, game.Flipped, game.OutageEnded, game.Settled, game.Sealed,
	game.Timed}

// Write makes the records of a book again, in the form of a version. The known keys are the latest of each board in
// the old records. left is how many events that version does not know: they are left out. Records that are not known
// here stay in their place. In version 1 there are none of them: it would read no further than to the first.
func (b *Book) Write(v uint32, old []journal.Record) (payloads [][]byte, left int, err error) {
	add := func(what any) {
		if err == nil {
			var data []byte
			data, err = json.Marshal(what)
			payloads = append(payloads, data)
		}
	}
	for _, text := range b.Imported {
		add(map[string]string{"imported": text})
	}
	for _, keys := range latestKeys(old) {
		add(keys)
	}
	if v > 1 {
		payloads = append(payloads, journal.Payloads(b.before)...)
	}
	var s Scribe
	for _, g := range b.Games {
		for i := range g.events {
			e := g.events[i]
			if v == 1 && !slices.Contains(firstKinds, e.Kind) {
				left++
				continue
			}
			if v == 1 {
				add(e)
				continue
			}
			data, failed := s.Encode(&table.Record{Event: &e})
			if err == nil {
				err = failed
			}
			payloads = append(payloads, data)
			payloads = append(payloads, g.passedAfter(i+1)...)
		}
		if g.Wood != nil {
			add(struct {
				Wood *table.Stance `json:"wood"`
			}{g.Wood})
		}
		if g.Solving != nil {
			add(struct {
				Solving *solving.Progress `json:"solving"`
			}{g.Solving})
		}
		if g.Asked != nil && v > 1 {
			add(bare{Version: version, Game: g.ID(), Board: g.Setup().Board, Asked: g.Asked})
		}
	}
	return payloads, left, err
}

// passedAfter are the records that are not known here after so many events.
func (k *Kept) passedAfter(events int) (payloads [][]byte) {
	for _, p := range k.passed {
		if min(p.events, len(k.events)) == events {
			payloads = append(payloads, p.record.Payload)
		}
	}
	return payloads
}

// latestKeys are the keys that the records say last, of each board that has met some.
func latestKeys(records []journal.Record) (latest []trust.Record) {
	for _, r := range records {
		var k trust.Record
		if json.Unmarshal(r.Payload, &k) == nil && k.Keys != nil {
			latest = slices.DeleteFunc(latest, func(old trust.Record) bool { return old.Board == k.Board })
			latest = append(latest, k)
		}
	}
	return latest
}
