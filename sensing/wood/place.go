// SPDX-License-Identifier: Apache-2.0

package wood

import (
	"boardd/rules"
	"boardd/sensing"
)

// Place is a square of a deck: 0 to 63 the lower deck's a1, b1 ... h8, 64 to 127 the upper deck's.
type Place uint8

// Places is how many places a board with two decks has.
const Places = 128

// Nowhere is no place of a board.
const Nowhere Place = Places

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
