// SPDX-License-Identifier: Apache-2.0

package wood

import (
	"iter"

	"boardd/rules"
)

// Set is a set of places: [0] the lower deck, [1] the upper deck.
type Set [2]rules.Bitboard

// Has reports whether the place is in the set.
func (s *Set) Has(p Place) bool { return s[p/64]&(1<<(p%64)) != 0 }

// Add puts the place into the set.
func (s *Set) Add(p Place) { s[p/64] |= 1 << (p % 64) }

// Drop takes the place out of the set.
func (s *Set) Drop(p Place) { s[p/64] &^= 1 << (p % 64) }

// Put adds the place to the set, or removes it if in is false.
func (s *Set) Put(p Place, in bool) {
	if s.Drop(p); in {
		s.Add(p)
	}
}

// Empty reports whether nothing is in the set.
func (s Set) Empty() bool { return s[0]|s[1] == 0 }

// Count is the number of places in the set.
func (s Set) Count() int { return s[0].Count() + s[1].Count() }

// Places yields the places of the set, a1 of the lower deck first.
func (s Set) Places() iter.Seq[Place] {
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

// Minus is the set without the places of another.
func (s Set) Minus(o Set) Set { return Set{s[0] &^ o[0], s[1] &^ o[1]} }

// Union is the set of places that are in either set.
func (s Set) Union(o Set) Set { return Set{s[0] | o[0], s[1] | o[1]} }

// Intersect is the set of places that are in both sets.
func (s Set) Intersect(o Set) Set { return Set{s[0] & o[0], s[1] & o[1]} }
