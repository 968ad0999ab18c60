// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"

	"boardd/rules"
	"boardd/sensing/wood"
)

// arrayAgain acts on the array that is put up again: after the end it is the next game. In the middle of a game it may be meant as the end, or as a new game,
// which is for people to say: where both sides sit here, a king that is lifted and put back says it.
func (t *Table) arrayAgain() (again bool) {
	if t.game.Over() || t.wood.crowned && !t.running() {
		return t.rematch()
	}
	if t.wood.crowned {
		t.wood.crowned = false
		if err := t.wants(t.game.Setup().From(t.NextID(t.now), "")); err != nil {
			t.tell(Event{Kind: Offer, Text: "a new game: " + err.Error()})
		}
		return false
	}
	switch {
	case t.requests.ours != nil && t.requests.ours.What == NewGame:
		t.setState(Moving) // the other board is asked
		return false
	case t.wood.kings == nil:
		array := t.laidArray()
		t.wood.kings = []wood.Place{kingPlace(&array, rules.White), kingPlace(&array, rules.Black)}
		t.tell(Event{Kind: Offer, Text: "the array is put up in the middle of a game: for a new game lift a king and put it back, else put the pieces back as the game has them"})
	}
	t.setState(Wrong)
	return false
}

// hearKing follows the answer to a new game that is offered: a king of the array is lifted, and nothing else. Whatever else is moved ends the offer.
func (t *Table) hearKing() {
	if t.wood.kings == nil {
		return
	}
	array := t.laidArray()
	for p, n := range t.counts() {
		switch {
		case (n > 0) == (array[p] != ""): // a hand may look like more pieces
		case n == 0 && slices.Contains(t.wood.kings, wood.Place(p)):
			t.wood.crowned = true
		default:
			t.wood.kings, t.wood.crowned = nil, false
			return
		}
	}
}

// laidArray is the wood of the game's array.
func (t *Table) laidArray() wood.Wood {
	p := t.game.Variant().Start()
	return t.decoder.Geometry().Lay(&p)
}

// neverLeft says that the array still stands from the beginning: the game ended before its moves were copied here. That is no
// array put up again.
func (t *Table) neverLeft() bool {
	return t.wood.goal == Executing && t.game.PositionAt(min(t.wood.ply, t.game.Plies())) == t.game.Variant().Start()
}

// rematch begins another game between the same seats: the array was put up again. It reports whether the wood has to be looked at again.
func (t *Table) rematch() (again bool) {
	if err := t.newGame(t.game.Setup().From(t.NextID(t.now), ""), Setup); err != nil {
		t.do(Warn{"the next game cannot begin", []any{"error", err}})
		return false
	}
	return true
}
