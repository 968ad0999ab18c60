// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"slices"
	"strings"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// ImpossibleError is a request that hands cannot carry out; nothing was changed.
type ImpossibleError struct{ error }

// Unwrap is why it is impossible.
func (e *ImpossibleError) Unwrap() error { return e.error }

func impossible(form string, args ...any) error { return &ImpossibleError{say.Error(form, args...)} }

// gap is the height between the decks in micrometres: what stands on the lower one must fit under the upper one.
const gap = 150000

// letters is every piece that can be taken from the box.
const letters = "PNBRQKpnbrqk#"

// Wood is what stands on the board.
func (b *Board) Wood() wood.Wood {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wood
}

// Put sets all squares at once, as when the array is set up, and empties the hands. What the board cannot hold is
// cleared away: a second deck that is not there, letters that are no piece.
func (b *Board) Put(w wood.Wood) {
	b.change(func() {
		clear(b.hands)
		for p := range wood.Place(wood.Places) {
			var pile []byte
			for _, c := range []byte(w[p]) {
				if strings.IndexByte(letters, c) >= 0 && int(p.Deck()) < b.o.Kind.decks() {
					pile = append(pile, c)
				}
			}
			b.set(p.Deck(), p.Square(), wood.Pile(pile))
		}
	})
}

// Lift takes the top count pieces of a square into a hand, on top of what it holds already.
func (b *Board) Lift(hand string, d sensing.Deck, sq rules.Square, count int) error {
	return b.try(func() error {
		if err := b.square(d, sq); err != nil {
			return err
		}
		pile := b.wood[wood.PlaceAt(d, sq)]
		if count < 1 || count > len(pile) {
			return impossible("lift %d from %v on the %v deck, which holds %d pieces", count, sq, d, len(pile))
		}
		n := len(pile) - count
		b.hands[hand] = append(b.hands[hand], pile[n:]...)
		b.set(d, sq, pile[:n])
		b.hover(d, sq)
		return nil
	})
}

// Place puts all that a hand holds down on a square, first lifted lowest.
func (b *Board) Place(hand string, d sensing.Deck, sq rules.Square) error {
	return b.try(func() error {
		if err := b.square(d, sq); err != nil {
			return err
		}
		held, pile := b.hands[hand], b.wood[wood.PlaceAt(d, sq)]
		if len(held) == 0 {
			return impossible("place on %v: the %s hand is empty", sq, hand)
		}
		if high := len(pile) + len(held); b.o.Kind == Twin && d == sensing.Lower && int64(high)*int64(b.o.CubeHeight) > gap {
			return impossible("place on %v: %d cubes of %d mm do not fit under the upper deck", sq, high,
				b.o.CubeHeight/1000)
		}
		b.set(d, sq, pile+wood.Pile(held))
		delete(b.hands, hand)
		b.hover(d, sq)
		return nil
	})
}

// Discard puts what a hand holds beside the board.
func (b *Board) Discard(hand string) error {
	return b.try(func() error {
		if len(b.hands[hand]) == 0 {
			return impossible("discard: the %s hand is empty", hand)
		}
		delete(b.hands, hand)
		return nil
	})
}

// Take takes spare pieces from the box into a hand, on top of what it holds already.
func (b *Board) Take(hand string, pieces []byte) error {
	return b.try(func() error {
		if len(pieces) == 0 {
			return impossible("take: no pieces named")
		}
		for _, c := range pieces {
			if strings.IndexByte(letters, c) < 0 {
				return impossible("take %q: want letters of %s", c, letters)
			}
		}
		b.hands[hand] = append(b.hands[hand], pieces...)
		return nil
	})
}

// Hand is a copy of what a hand holds, first lifted first.
func (b *Board) Hand(hand string) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.hands[hand])
}

// try carries out one movement.
func (b *Board) try(f func() error) (err error) {
	b.change(func() { err = f() })
	return err
}

// change alters the wood and then lets the chips see it.
func (b *Board) change(f func()) {
	b.mu.Lock()
	f()
	b.mu.Unlock()
	b.bus.Changed()
}
