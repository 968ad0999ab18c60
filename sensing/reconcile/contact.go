// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// open is how long a reed must have been open for a piece to have been lifted: a piece that is only knocked against is back
// sooner, and no hand changes pieces so quickly.
const open = 36 * time.Millisecond

// pauses is for how long a reed that toggles without rest is never open: an exchange of pieces takes longer, and is not doubted because of how the reed
// bounced before and after it.
const pauses = 60 * time.Millisecond

// blink is how long a reed must have been open for a very quick exchange of pieces with two hands.
const blink = 20 * time.Millisecond

// takeReeds takes a sweep of reeds in. heard is the reeds that answered at any time before: what changed while one did not
// answer has changed all the same. late says that the sweep before was long ago.
func (s *seen) takeReeds(r *sensing.Reading, heard rules.Bitboard, late bool) {
	known, closed := r.Known, r.Closed&r.Known
	if s.crossed {
		known, closed = s.unswap(r.Deck, known, closed)
	}
	changed := (s.closed[r.Deck] ^ closed) & known & heard
	s.known[r.Deck] = known | s.patient(r.Deck, s.known[r.Deck]&^known, r.At)
	s.closed[r.Deck] = s.closed[r.Deck]&^known | closed
	for rest := changed; rest != 0; rest &= rest - 1 {
		for q := range (rest & -rest).Squares() {
			s.toggle(wood.PlaceAt(r.Deck, q), r.At)
			s.unwatched.Put(wood.PlaceAt(r.Deck, q), late)
		}
	}
}

// unanswered is for how long what a reed showed last still counts when it does not answer: a transfer that is lost says nothing, and on
// a quiet board the next sweep is 40 ms in coming.
const unanswered = 100 * time.Millisecond

// patient is those reeds, of the ones that do not answer any more, that are still waited for.
func (s *seen) patient(d sensing.Deck, lost rules.Bitboard, at time.Time) rules.Bitboard {
	switch {
	case lost == 0:
		s.missed[d] = time.Time{}
	case s.missed[d].IsZero():
		s.missed[d] = at
	case at.Sub(s.missed[d]) >= unanswered:
		return 0
	}
	return lost
}

// unswap gives the reeds of swapped wires back to their places. Wires are swapped within a deck.
func (s *seen) unswap(d sensing.Deck, known, closed rules.Bitboard) (k, c rules.Bitboard) {
	k, c = known, closed
	for q := range rules.Square(64) {
		from := s.swap[wood.PlaceAt(d, q)]
		if from == wood.PlaceAt(d, q) {
			continue
		}
		k, c = k&^q.Bit(), c&^q.Bit()
		if known.Has(from.Square()) {
			k |= q.Bit()
		}
		if closed.Has(from.Square()) {
			c |= q.Bit()
		}
	}
	return k, c
}

// toggle notes that a reed changed.
func (s *seen) toggle(p wood.Place, at time.Time) {
	if s.closed.Has(p) && at.Sub(s.changed[p]) >= open {
		s.lifted.Add(p)
		s.opened[p] = s.changed[p]
		if at.Sub(s.changed[p]) >= pauses && !s.noisy.Has(p) {
			s.away.Add(p)
		}
		s.landings[p] = min(s.landings[p]+1, 9)
	} else if s.closed.Has(p) && at.Sub(s.changed[p]) >= blink {
		s.blinked.Add(p)
	}
	s.restless(p, at)
	s.changed[p] = at
	if !s.turned.Has(p) {
		s.touched[p] = at
	}
	s.turned.Add(p)
	if s.noisy.Has(p) || s.mute[sensing.Reeds].Has(p) {
		s.stirred.Drop(p)
		if !s.away.Has(p) {
			s.lifted.Drop(p)
		}
		return
	}
	s.stirred.Add(p)
	if at.After(s.moved) {
		s.moved = at
	}
}

// A reed is noisy when it toggled more than often times at once, or keeps on toggling more than leak times a second: no
// hand does that. It counts again when it was quiet for so long.
const (
	often = 6.0
	leak  = 4.0
	calms = 500 * time.Millisecond
)

// restless counts a change of a reed and finds out whether it is noisy. Then it no longer keeps the board from resting.
func (s *seen) restless(p wood.Place, at time.Time) {
	s.level[p] = max(0, s.level[p]-leak*at.Sub(s.changed[p]).Seconds()) + 1
	if s.level[p] <= often || s.noisy.Has(p) {
		return
	}
	s.noisy.Add(p)
	s.moved = time.Time{}
	for q := range wood.Place(wood.Places) {
		if !s.noisy.Has(q) && !s.mute[sensing.Reeds].Has(q) && s.changed[q].After(s.moved) {
			s.moved = s.changed[q]
		}
	}
}

// quieten lets reeds count again that have come to rest.
func (s *seen) quieten(at time.Time) {
	if s.noisy.Empty() {
		return
	}
	for p := range wood.Place(wood.Places) {
		if s.noisy.Has(p) && at.Sub(s.changed[p]) > calms {
			s.noisy.Drop(p)
			s.level[p] = 0
			if s.changed[p].After(s.moved) {
				s.moved = s.changed[p]
			}
		}
	}
}
