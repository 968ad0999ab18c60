// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math/bits"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
)

// store is what of the game is kept, and what waits for it.
type store struct {
	records []Record     // of the input that is being taken
	seals   []game.Event // that count once the records are stored
	changed bool         // the game is to be published
	broken  error        // the journal's last failure, nil while it writes
	retried time.Time
	rest    []Effect // what waits for the result of an append
}

// how is by whom a move was made.
type how uint8

const (
	elsewhere  how = iota // said by a command or another board: the wood has to follow
	byWord                // by hand, and people have said which of several moves it was
	recognised            // by hand
)

// decide decides an action, and commits what follows from it. Nothing is changed when it is refused.
func (t *Table) decide(a game.Action, h how) error {
	events, err := t.game.Decide(a, t.now)
	if err != nil {
		return err
	}
	for i := range events {
		events[i].Via = a.Via
	}
	t.commit(events, h)
	return nil
}

// commit puts events into the game, and into the records that are stored before anybody hears of them. They are signed
// with what is stored: while nothing can be, nothing is signed.
func (t *Table) commit(events []game.Event, h how) {
	if len(events) == 0 {
		return
	}
	over, end, before := t.game.Over(), t.ending().English, t.game.Plies()
	t.alarm = t.alarm && h == elsewhere
	t.keep(events, h)
	for _, e := range events {
		if err := t.game.Apply(e); err != nil {
			// What Decide and Merge give, Apply takes. If not, the game goes on as it was and the event counts for nothing.
			t.do(Warn{"an event does not fit the game", []any{"event", e.Kind, "error", err}})
		}
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

// ending is how the game ended; before that it means nothing.
func (t *Table) ending() say.Said {
	return say.That("%s by %s", t.game.Outcome(), t.game.Reason())
}

// keep makes records of events, and with them of how the wood stands: what was not made by hand it has to follow.
func (t *Table) keep(events []game.Event, h how) {
	for _, e := range events {
		r := Record{Event: &e}
		if e.Kind == game.Started && t.exercise.number > 0 {
			r.Solving = t.progress()
		}
		if goal, ok := Parts(&e); ok && h != elsewhere {
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

// sign puts the signatures that the game lacks behind the records; they count once these are stored.
func (t *Table) sign(at time.Time) {
	if t.store.broken != nil {
		return
	}
	for _, e := range t.o.Trust.Sign(t.game, at) {
		t.store.records = append(t.store.records, Record{Event: &e})
		t.store.seals = append(t.store.seals, e)
	}
}

// record tells the trace what was played since the game had so many plies, or what was taken back.
func (t *Table) record(before int, here bool) {
	n := t.game.Plies()
	if n == before {
		return
	}
	t.do(Recorded{Back: max(0, before-n), Moves: t.game.Coords()[min(before, n):], Here: here})
}

// finish is the effects of an input, those of the journal first: what follows them is given when it is known how that
// ended.
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

// Stored takes in how an append or a retry ended, and gives what waited for it.
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
		t.store.seals = nil // it is signed when it is stored
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

// seal lets a signature count.
func (t *Table) seal(e game.Event) {
	if err := t.game.Apply(e); err != nil {
		t.do(Warn{"a signature does not fit the game", []any{"error", err}})
	}
	t.store.changed = true
}

// shown is what everybody sees of the table, as far as that has changed, around what has happened: the game before,
// the lights after.
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
	squares := t.decoder.Awaited()
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
// why. A restart would otherwise take a wood that is behind for one on which moves were taken back, and one that is
// ahead for a new move.
type Stance struct {
	// plies from the beginning; it may be beyond the last one while a takeback is carried out
	Ply  int   `json:"ply,omitempty"`
	Goal State `json:"goal,omitempty"` // Executing or Setup; "" when the wood shows the game, as far as is known
}

// Known reports whether this version knows what a stance of a journal means.
func (s *Stance) Known() bool {
	return s.Ply >= 0 && (s.Goal == "" || s.Goal == Executing || s.Goal == Setup)
}

// Parts reports whether an event that was not made by hand parts the game from the wood, and as what the wood then has
// to follow.
func Parts(e *game.Event) (goal State, ok bool) {
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

// keepStance makes a record of how the wood stands, where that is not what the journal has.
func (t *Table) keepStance() {
	s := t.stance()
	if s == t.kept {
		return
	}
	t.kept = s
	t.store.records = append(t.store.records, Record{Wood: &s})
}

// Progress is what the journal keeps of the solving of problems, with the game that is the problem. A restart would
// otherwise set the score to nothing, show problems again, and forget who sat here before them.
type Progress struct {
	Solved int `json:"solved,omitempty"` // problems, since somebody began to solve them here
	Shown  int `json:"shown,omitempty"`  // that are over
	Tries  int `json:"tries,omitempty"`  // wrong ones, at this problem
	// takebacks before the last of these, and one; 0: there was none
	Wrong   int                `json:"wrong,omitempty"`
	Counted bool               `json:"counted,omitempty"` // this problem is over, and in the numbers above
	Seen    map[string]numbers `json:"seen,omitempty"`    // problems, by rule set
	White   string             `json:"white,omitempty"`   // the seats of the game before the problems
	Black   string             `json:"black,omitempty"`
}

// clone is a copy of its own, to which may be added.
func (p *Progress) clone() Progress {
	c := *p
	c.Seen = map[string]numbers{}
	for id, n := range p.Seen {
		c.Seen[id] = slices.Clone(n)
	}
	return c
}

// count takes a problem that is over into the score, once.
func (p *Progress) count(solved bool) {
	if p.Counted {
		return
	}
	if p.Counted, p.Shown = true, p.Shown+1; solved {
		p.Solved++
	}
}

// progress is how the solving stands now.
func (t *Table) progress() *Progress {
	p := t.exercise.Progress.clone()
	return &p
}

// keepProgress makes a record of how the solving stands.
func (t *Table) keepProgress() {
	t.store.records = append(t.store.records, Record{Solving: t.progress()})
}

// numbers are numbers from 1, a bit each.
type numbers []byte

func (s numbers) has(n int) bool { return n/8 < len(s) && s[n/8]>>(n%8)&1 != 0 }

func (s numbers) with(n int) numbers {
	for n/8 >= len(s) {
		s = append(s, 0)
	}
	s[n/8] |= 1 << (n % 8)
	return s
}

func (s numbers) len() (n int) {
	for _, b := range s {
		n += bits.OnesCount8(b)
	}
	return n
}

// ofGame reports whether an event tells how the game goes on, which nobody else hears before it is stored.
func (k Kind) ofGame() bool {
	return slices.Contains([]Kind{Moved, TakenBack, Question, Started, Ended, YourMove}, k)
}
