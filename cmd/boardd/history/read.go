// SPDX-License-Identifier: Apache-2.0

package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table"
	"boardd/rules/table/solving"
	"boardd/sync/journal"
)

// Book is what a journal says.
type Book struct {
	Games    []*Kept  // oldest first
	Imported []string // games that came from files, in PGN
	Aside    []Aside
	Passed   []journal.Record // of kinds or versions that are not known here; they stay where they are

	before []journal.Record // those of Passed that follow no game
	// Those of one id, in the order of their beginnings. The two boards that play a game each keep it under the same id.
	// A file of the other one's journal may have come into the folder.
	byID map[string][]*Kept
	// The game that began last, to which records of version 1 belong; nil when its beginning does not fit.
	current *Kept
}

// Kept is a game as far as its records fit together.
type Kept struct {
	*game.Game
	Wood    *table.Stance     // how the wood stood at the end; nil when the records do not say it
	Solving *solving.Progress // how the solving of problems stood; nil when the records do not say it
	Asked   *table.Request    // what this board asked of the other one at last; nil when the records do not say it
	Damage  error             // why something of it is set aside or missing; nil when it is whole

	events  []game.Event // that count
	closed  bool         // what follows does not count any more
	last    []byte       // the newest record that counts
	segment uint64       // in which it begins
	passed  []passed
}

// passed is a record that is not known here. It stays after as many events of the game as it followed.
type passed struct {
	events int
	record journal.Record
}

// Aside are records that do not count, and why.
type Aside struct {
	Game    string // id; "" when none is known
	Why     error
	Records []journal.Record
}

// Last is the newest game of any board, nil when there is none.
func (b *Book) Last() *Kept {
	if len(b.Games) == 0 {
		return nil
	}
	return b.Games[len(b.Games)-1]
}

// Read makes games of records. A record that does not fit ends its own game there, and does not affect other games.
func Read(records []journal.Record) *Book {
	b := &Book{byID: map[string][]*Kept{}}
	lost := false // version 1: a beginning may be missing, and what follows belongs to nobody knows what
	for _, r := range records {
		e, err := decode(r.Payload)
		if r.Gap && e.Version < 2 && e.Kind != game.Started {
			lost = true
			if b.current != nil {
				b.current.breakOff(errors.New("a record of it cannot be read"))
			}
		}
		switch {
		case err != nil || e.saysNothing() || e.Kind != "" && e.Kind != restored && !e.Kind.Known():
			b.Passed = append(b.Passed, r)
			b.pass(&e, r)
		case e.Kind == "" && e.PGN != "":
			b.Imported = append(b.Imported, e.PGN)
		case e.Kind == "":
			b.stand(&e, r, lost)
		case e.Kind == game.Started:
			lost = false
			b.begin(&e, r)
		case e.Kind == restored:
			lost = false
			b.restore(&e, r)
		default:
			b.happen(&e, r, lost)
		}
	}
	return b
}

// of is the game that a record belongs to, nil for none. Records of two games may lie between one another.
func (b *Book) of(e *record, r journal.Record) *Kept {
	if e.Version < 2 {
		return b.current
	}
	all := b.byID[e.Game]
	for _, k := range slices.Backward(all) {
		if e.Board == k.Setup().Board || e.Board == "" && (len(all) == 1 || k.segment == r.Segment) {
			return k
		}
	}
	if len(all) > 0 && e.Board == "" {
		return all[len(all)-1]
	}
	return nil
}

// pass keeps a record that is not known here in its place.
func (b *Book) pass(e *record, r journal.Record) {
	k := cmp.Or(b.of(e, r), b.Last())
	if k == nil {
		b.before = append(b.before, r)
		return
	}
	k.passed = append(k.passed, passed{len(k.events), r})
}

// twin is the game of a board that has an id, nil for none.
func (b *Book) twin(id, board string) *Kept {
	i := slices.IndexFunc(b.byID[id], func(k *Kept) bool { return k.Setup().Board == board })
	if i < 0 {
		return nil
	}
	return b.byID[id][i]
}

// keep takes a game in as the newest one.
func (b *Book) keep(k *Kept) {
	b.Games = append(b.Games, k)
	b.byID[k.ID()], b.current = append(b.byID[k.ID()], k), k
}

// begin takes the beginning of a game.
func (b *Book) begin(e *record, r journal.Record) {
	if e.Setup != nil && b.twin(e.Setup.ID, e.Setup.Board).has(&e.Event) {
		return // the same record again
	}
	if last := b.Last(); last != nil && r.Gap && last.Damage == nil {
		last.Damage = errors.New("a record at its end cannot be read")
	}
	b.current = nil
	g, err := game.New(e.Event)
	switch {
	case err != nil && e.Setup == nil:
		b.aside("", err, r)
	case err != nil:
		b.aside(e.Setup.ID, err, r)
	case b.twin(g.ID(), g.Setup().Board) != nil:
		b.aside(g.ID(), errors.New("another game has its name"), r)
	default:
		b.keep(&Kept{Game: g, Wood: e.Wood, Solving: e.Solving, events: []game.Event{e.Event}, last: r.Payload,
			segment: r.Segment})
	}
}

// restore takes a game that was written again: it counts instead of what stood here under its name.
func (b *Book) restore(e *record, r journal.Record) {
	g, err := game.Replay(e.Events)
	if err != nil {
		b.aside(e.Game, err, r)
		return
	}
	k := &Kept{Game: g, Wood: e.Wood, Solving: e.Solving, Asked: e.Asked, events: e.Events, last: r.Payload,
		segment: r.Segment}
	if old := b.twin(g.ID(), g.Setup().Board); old != nil {
		k.Damage, k.passed = old.Damage, old.passed
		replaced := func(g *Kept) bool { return g == old }
		b.Games, b.byID[g.ID()] = slices.DeleteFunc(b.Games, replaced), slices.DeleteFunc(b.byID[g.ID()], replaced)
	}
	b.keep(k)
}

// beginAgain begins a game whose first record cannot be read from its first move, which says it again. It returns nil
// if that does not fit.
func (b *Book) beginAgain(e *record, r journal.Record) *Kept {
	g, err := game.New(*e.Began)
	if err != nil || g.ID() != e.Game {
		return nil
	}
	k := &Kept{Game: g, events: []game.Event{*e.Began}, segment: r.Segment,
		Damage: errors.New("its first record cannot be read; no move is missing")}
	b.keep(k)
	return k
}

// happen takes what happened to a game. lost says that the beginning of a game of version 1 may be missing.
func (b *Book) happen(e *record, r journal.Record, lost bool) {
	k := b.of(e, r)
	if k == nil && e.Began != nil {
		k = b.beginAgain(e, r)
	}
	if k == nil {
		if e.Version >= 2 || len(b.Aside) > 0 || lost {
			b.aside(e.Game, errors.New("its beginning is missing"), r)
		}
		return // in version 1 its beginning may have been in a segment that the disk budget removed
	}
	if bytes.Equal(k.last, r.Payload) && !k.closed {
		return // the same record again
	}
	switch err := k.take(e, r.Payload); {
	case err != nil && !k.closed && k.has(&e.Event):
		return // an earlier record again
	case err != nil:
		k.breakOff(err)
		b.aside(k.ID(), k.Damage, r)
	case r.Gap && k.Damage == nil:
		k.Damage = errors.New("a record of it cannot be read; no move is missing")
	}
}

// has reports whether the very same event counts already.
func (k *Kept) has(e *game.Event) bool {
	return k != nil && slices.ContainsFunc(k.events, func(old game.Event) bool { return reflect.DeepEqual(&old, e) })
}

// take lets an event count, if it fits.
func (k *Kept) take(e *record, payload []byte) error {
	switch {
	case k.closed:
		return k.Damage
	case e.Version >= 2 && (e.Plies != k.Plies() || e.Back != k.Takebacks()):
		return errors.New(say.Counted("a record after %d moves and %d takebacks follows on %d and %d: one between them is "+
			"missing", e.Plies, e.Back, k.Plies(), k.Takebacks()))
	}
	if err := k.Apply(e.Event); err != nil {
		return err
	}
	if _, parted := table.Diverges(&e.Event); parted || e.Wood != nil {
		k.Wood = known(e.Wood)
	}
	k.events, k.last = append(k.events, e.Event), payload
	return nil
}

// stand takes how the wood stands, the solving of problems, and what this board asks.
func (b *Book) stand(e *record, r journal.Record, lost bool) {
	k := b.of(e, r)
	if k == nil || lost {
		return
	}
	if e.Wood != nil && !k.closed {
		k.Wood = known(e.Wood)
	}
	if e.Solving != nil {
		k.Solving = e.Solving
	}
	if e.Asked != nil {
		k.Asked = e.Asked
	}
}

// known is a stance that this version understands, nil for any other.
func known(s *table.Stance) *table.Stance {
	if s != nil && !s.Known() {
		return nil
	}
	return s
}

// breakOff ends what counts of a game.
func (k *Kept) breakOff(why error) {
	if !k.closed {
		k.closed, k.Damage, k.Wood = true, why, nil // the stance of the wood may belong to a record that does not fit
	}
}

// Broken reports whether a part of the game was set aside, so that further events would not count.
func (k *Kept) Broken() bool { return k.closed }

// Stance is how the wood stood at the end of the game, nil if the records do not say it. Of a broken game nobody knows
// it. An earlier position of the wood is no takeback then, so the wood counts as behind.
func (k *Kept) Stance() *table.Stance {
	if k.closed {
		return &table.Stance{Ply: k.Game.Plies(), Goal: table.Executing}
	}
	return k.Wood
}

// aside keeps a record that does not count, with those of the same game.
func (b *Book) aside(id string, why error, r journal.Record) {
	if n := len(b.Aside); n > 0 && b.Aside[n-1].Game == id && (id != "" || !r.Gap) {
		b.Aside[n-1].Records = append(b.Aside[n-1].Records, r)
		return
	}
	b.Aside = append(b.Aside, Aside{id, why, []journal.Record{r}})
}

// String says in one line for people what is damaged and set aside; "" when everything fits.
func (b *Book) String() string {
	faults := b.Faults()
	if more := len(faults) - mostSaid; more > 0 {
		faults = append(faults[:mostSaid], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(faults, "; ")
}

// Faults lists what is damaged and set aside, a line each.
func (b *Book) Faults() (faults []string) {
	told := func(text string) { faults = append(faults, text) }
	for _, g := range b.Games {
		if g.Damage != nil {
			told(fmt.Sprintf("game %s is kept up to move %d: %v", g.ID(), g.Plies(), g.Damage))
		}
	}
	for _, a := range b.Aside {
		told(fmt.Sprintf("set aside of game %s (boardd journal salvage saves it): records: %d: %v", name(a.Game),
			len(a.Records), a.Why))
	}
	return faults
}

// mostSaid is how many faults are named in one line.
const mostSaid = 5

// name is a game's id, or what it is called when none is known.
func name(id string) string {
	if id == "" {
		return "unknown"
	}
	return id
}
