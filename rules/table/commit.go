// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table/solving"
)

// store is what is to be written to the journal, and what waits for that.
type store struct {
	records []Record     // of the input that is being taken
	seals   []game.Event // signatures; they count once the records are stored
	changed bool         // the game is to be published
	broken  error        // the journal's last failure, nil while it writes
	retried time.Time
	rest    []Effect // what waits for the result of an append
}

// how is how a move came about.
type how uint8

const (
	elsewhere  how = iota // said by a command or another board: the wood has to follow
	byWord                // by hand, one of several possible moves; people have said which
	recognised            // by hand
)

// decide has the game decide on an action, and commits the events that follow. If the action is refused, nothing
// changes.
func (t *Table) decide(a game.Action, h how) error {
	events, err := t.game.Decide(a, t.now)
	if err != nil {
		return err
	}
	for i := range events {
		events[i].Via = cmp.Or(a.Via, t.via)
	}
	t.commit(events, h)
	if t.consents() {
		t.announce(events)
	}
	return nil
}

// commit applies events to the game and makes records of them, which are stored before anybody is told. Signatures are
// stored together with the events. While the journal cannot write, nothing is signed.
func (t *Table) commit(events []game.Event, h how) {
	if len(events) == 0 {
		return
	}
	over, end, before := t.game.Over(), t.ending().English, t.game.Plies()
	t.alarm = t.alarm && h == elsewhere
	t.keep(events, h)
	t.noteWood()
	for _, e := range events {
		if err := t.game.Apply(e); err != nil {
			// Apply accepts what Decide and Merge return. If it ever does not, the event is dropped and the game goes on
			// unchanged.
			t.do(Warn{"an event does not fit the game", []any{"event", e.Kind, "error", err}})
		}
		t.stepEvent(e.Kind)
	}
	t.sign(events[0].At)
	t.record(before, h == recognised)
	t.store.changed = true
	t.call(before)
	if t.game.Over() && t.ending().English != end {
		t.tell(Event{Kind: Ended, Text: t.ending()})
	}
	switch {
	case t.game.Over() && (t.ending().English != end || t.game.Plies() != before || events[0].Kind == game.Named):
		t.do(File{Game: t.game})
	case over && !t.game.Over():
		t.do(File{Game: t.game, Remove: true})
	}
}

// call tells people that it is their move, after a move of somebody who does not sit here.
func (t *Table) call(before int) {
	g, set := t.game, t.game.Setup()
	if g.Plies() > before && !g.Over() && set.ByHand(g.Turn()) && !set.ByHand(g.Turn().Other()) {
		t.tell(Event{Kind: YourMove, Text: say.That("%s has played %s: %s to move", g.Turn().Other(), g.SAN()[g.Plies()-1],
			g.Turn())})
	}
}

// ending says how the game ended. It means nothing while the game goes on.
func (t *Table) ending() say.Said {
	return say.That("%s by %s", t.game.Outcome(), t.game.Reason())
}

// keep makes records of events and of the stance of the wood, which has to follow every move that was not made by
// hand.
func (t *Table) keep(events []game.Event, h how) {
	for _, e := range events {
		if e.Kind == game.Started {
			e.Via = t.via
		}
		r := Record{Event: &e}
		if e.Kind == game.Started && t.exercise.number > 0 {
			r.Solving = t.progress()
		}
		if goal, ok := Diverges(&e); ok && h != elsewhere {
			t.kept = Stance{}
		} else if ok {
			t.wood.goal = goal
			t.kept = t.stance()
			kept := t.kept
			r.Wood = &kept
		}
		t.store.records = append(t.store.records, r)
	}
}

// sign appends the signatures that the game lacks to the records. They count once the records are stored.
func (t *Table) sign(at time.Time) {
	if t.store.broken != nil {
		return
	}
	for _, e := range t.o.Trust.Sign(t.game, at) {
		t.store.records = append(t.store.records, Record{Event: &e})
		t.store.seals = append(t.store.seals, e)
	}
}

// record tells the trace what was played since the game had before plies, or what was taken back.
func (t *Table) record(before int, here bool) {
	n := t.game.Plies()
	if n == before {
		return
	}
	t.do(Recorded{At: t.now, Back: max(0, before-n), Moves: t.game.Coords()[min(before, n):], Here: here})
}

// finish returns the effects of an input. If records have to be stored, it returns only that effect; Stored returns
// the rest when the result is known.
func (t *Table) finish() []Effect {
	t.consult()
	out := t.out
	t.out = nil
	if len(t.store.records) == 0 {
		return t.shown(out)
	}
	a := Append{t.store.records}
	t.store.records = nil
	t.store.rest = append(t.store.rest, out...)
	return []Effect{a}
}

// Stored takes in the result of an Append or a Retry, nil for success. It returns the effects that waited for it.
func (t *Table) Stored(now time.Time, err error) []Effect {
	t.now = now
	was := t.store.broken
	t.store.broken = err
	out := t.store.rest
	t.store.rest = nil
	switch {
	case err != nil:
		if t.store.retried = now; was == nil {
			t.tell(Event{Kind: Journal, Text: say.That("the game cannot be saved: %v; play goes on, but a power cut now "+
				"loses it: free the disk or mend the card", err)})
			t.store.changed = true
		}
		t.store.seals = nil // it is signed again when it is stored
	default:
		for _, e := range t.store.seals {
			t.seal(e)
		}
		if t.store.seals = nil; was != nil {
			t.tell(Event{Kind: Journal, Text: say.That("the game is saved again")})
			t.store.changed = true
			t.sign(now)
		}
	}
	t.out = append(out, t.out...)
	return t.finish()
}

// seal puts a signature that is stored into the game.
func (t *Table) seal(e game.Event) {
	if err := t.game.Apply(e); err != nil {
		t.do(Warn{"a signature does not fit the game", []any{"error", err}})
	}
	t.store.changed = true
}

// shown returns the effects that show the table, as far as it has changed: the game first, then what has happened,
// then the lights.
func (t *Table) shown(happened []Effect) (out []Effect) {
	if t.game == nil {
		return happened
	}
	if w := t.Wood(); t.store.changed || !same(&w, &t.told) {
		t.store.changed, t.told, t.toldAt = false, w.clone(), t.now
		out = append(out, Publish{Stored: t.store.broken == nil})
	}
	for _, e := range happened {
		if said, ok := e.(Tell); ok {
			said.Event.Private = t.store.broken != nil && said.Event.Kind.ofGame()
			e = said
		}
		out = append(out, e)
	}
	if view := t.paint(); view != t.view || !t.lit {
		t.view, t.lit = view, true
		out = append(out, Show{view})
	}
	squares := t.decoder.HeightsNeeded()
	if t.game.Flipped() {
		squares = rules.Bitboard(bits.Reverse64(uint64(squares)))
	}
	if squares != t.awaited {
		t.awaited = squares
		out = append(out, Await{squares})
	}
	return out
}

// Stance is what the journal keeps of the wood: which ply it shows while it still has to be brought to the game, and
// why. Without it, a restart would take wood that is behind the game for a takeback. It would take wood that is ahead
// of it for a new move.
type Stance struct {
	// plies from the beginning; may be beyond the last one while a takeback is carried out on the board
	Ply  int   `json:"ply,omitempty"`
	Goal State `json:"goal,omitempty"` // Executing or Setup; "" when the wood shows the game, as far as is known
}

// Known reports whether this version of the program knows the words of a stance.
func (s *Stance) Known() bool {
	return s.Ply >= 0 && (s.Goal == "" || s.Goal == Executing || s.Goal == Setup)
}

// Diverges reports whether an event that was not made by hand makes the game differ from the wood. The goal says what
// the wood then has to be brought to.
func Diverges(e *game.Event) (goal State, ok bool) {
	switch e.Kind {
	case game.Started, game.Flipped:
		return Setup, true
	case game.Moved, game.TakenBack, game.Settled:
		return Executing, true
	}
	return "", false
}

// stance is how the wood stands now.
func (t *Table) stance() Stance {
	if g := t.wood.goal; g == Executing || g == Setup {
		return Stance{Ply: t.wood.ply, Goal: g}
	}
	return Stance{}
}

// keepStance makes a record of how the wood stands, if the journal has something else.
func (t *Table) keepStance() {
	s := t.stance()
	if s == t.kept {
		return
	}
	t.kept = s
	t.store.records = append(t.store.records, Record{Wood: &s})
}

// progress is how the solving stands now.
func (t *Table) progress() *solving.Progress {
	p := t.exercise.Progress.Clone()
	return &p
}

// keepProgress makes a record of how the solving stands.
func (t *Table) keepProgress() {
	t.store.records = append(t.store.records, Record{Solving: t.progress()})
}

// setOurs sets the open request of this board, nil for none, and makes a record of it. Without that, a board that has
// lost power would not know the agreement that the other board answers with.
func (t *Table) setOurs(r *Request) {
	t.requests.ours = r
	t.step(ofOurs)
	if r == nil {
		r = &Request{Number: t.requests.number}
	}
	t.store.records = append(t.store.records, Record{Asked: r})
}

// ofGame reports whether an event tells how the game goes on. Nobody else hears of it before it is stored.
func (k Kind) ofGame() bool {
	return slices.Contains([]Kind{Moved, TakenBack, Question, Started, Ended, YourMove}, k)
}
