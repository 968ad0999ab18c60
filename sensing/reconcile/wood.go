// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"iter"

	"boardd/rules"
	"boardd/sensing"
)

// Place is a square of a deck: 0 to 63 the lower deck's a1, b1 ... h8, 64 to 127 the upper deck's.
type Place uint8

// Places is how many places a board with two decks has.
const Places = 128

// PlaceAt names the place of a square on a deck.
func PlaceAt(d sensing.Deck, s rules.Square) Place { return Place(d)*64 + Place(s) }

// Deck is the deck that the place is on.
func (p Place) Deck() sensing.Deck { return sensing.Deck(p / 64) }

// Square is the square of its deck.
func (p Place) Square() rules.Square { return rules.Square(p % 64) }

// String names the place as people do: "e4", and "e4^" on the upper deck.
func (p Place) String() string {
	if p.Deck() == sensing.Upper {
		return p.Square().String() + "^"
	}
	return p.Square().String()
}

// Pile is the pieces that stand on one place, a letter each, bottom to top; '#' is a pedestal cube. The empty pile is "".
type Pile string

// Pedestal is the letter of the neutral cube on which a flying piece stands over an empty square.
const Pedestal = '#'

// Wood is what stands on every place.
type Wood [Places]Pile

// Set is a set of places: [0] the lower deck, [1] the upper deck.
type Set [2]rules.Bitboard

// Has tells whether the place is in the set.
func (s *Set) Has(p Place) bool { return s[p/64]&(1<<(p%64)) != 0 }

// Add puts the place into the set.
func (s *Set) Add(p Place) { s[p/64] |= 1 << (p % 64) }

// Drop takes the place out of the set.
func (s *Set) Drop(p Place) { s[p/64] &^= 1 << (p % 64) }

// put says whether the place is in the set.
func (s *Set) put(p Place, in bool) {
	if s.Drop(p); in {
		s.Add(p)
	}
}

// Empty tells whether nothing is in the set.
func (s Set) Empty() bool { return s[0]|s[1] == 0 }

// Count is the number of places in the set.
func (s Set) Count() int { return s[0].Count() + s[1].Count() }

// places yields the places of the set, a1 of the lower deck first.
func (s Set) places() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for d := range s {
			for q := range s[d].Squares() {
				if !yield(Place(d*64) + Place(q)) {
					return
				}
			}
		}
	}
}

// less is the set without the places of another.
func (s Set) less(o Set) Set { return Set{s[0] &^ o[0], s[1] &^ o[1]} }

// Diff is the set of places on which the two differ.
func (w *Wood) Diff(o *Wood) Set {
	var s Set
	for p := range Place(Places) {
		if w[p] != o[p] {
			s.Add(p)
		}
	}
	return s
}
