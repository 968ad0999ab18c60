// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"boardd/rules"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// arrayAgain acts on the array that is put up again: after the end it is the next game. In the middle of a game it may be meant as the end, or as a new game,
// which is for people to say: where both sides sit here, a king that is lifted and put back says it.
func (b *board) arrayAgain() {
	if b.game.Over() || b.wood.crowned {
		b.rematch()
		return
	}
	here := b.rival() == ""
	switch {
	case here && b.wood.kings == nil:
		array := b.laidArray()
		b.wood.kings = []wood.Place{kingPlace(&array, rules.White), kingPlace(&array, rules.Black)}
		b.tell(wire.Event{Kind: wire.EventOffer, Text: "the array is put up in the middle of a game: for a new game lift a king and put it back, else put the pieces back as the game has them"})
	case !here && b.wood.state != wire.Wrong:
		b.tell(wire.Event{Kind: wire.EventOffer, Text: "the array is put up in the middle of a game: end the game first (resign, kings in the centre, or a new game on the page), or put the pieces back"})
	}
	b.setState(wire.Wrong)
}

// hearKing follows the answer to a new game that is offered: a king of the array is lifted, and nothing else. Whatever else is moved ends the offer.
func (b *board) hearKing() {
	if b.wood.kings == nil {
		return
	}
	array := b.laidArray()
	for p, n := range b.counts() {
		switch {
		case (n > 0) == (array[p] != ""): // a hand may look like more pieces
		case n == 0 && slices.Contains(b.wood.kings, wood.Place(p)):
			b.wood.crowned = true
		default:
			b.wood.kings, b.wood.crowned = nil, false
			return
		}
	}
}

// offering is the squares of the kings that begin a new game, as the messages have them.
func (b *board) offering() (squares []string) {
	for _, k := range b.wood.kings {
		squares = append(squares, k.Square().String())
	}
	return squares
}

// laidArray is the wood of the game's array.
func (b *board) laidArray() wood.Wood {
	p := b.game.Variant().Start()
	return b.decoder.Geometry().Lay(&p)
}

// neverLeft says that the array still stands from the beginning: the game ended before its moves were copied here. That is no
// array put up again.
func (b *board) neverLeft() bool {
	return b.wood.goal == wire.Executing && b.game.PositionAt(min(b.wood.ply, b.game.Plies())) == b.game.Variant().Start()
}

// rematch begins another game between the same seats: the array was put up again.
func (b *board) rematch() {
	if err := b.newGame(b.game.Setup().From(b.nextID(), ""), wire.Setup); err != nil {
		b.log.Error("the next game cannot begin", "error", err)
	}
}
