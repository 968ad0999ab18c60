// SPDX-License-Identifier: Apache-2.0

package history

import (
	"slices"

	"boardd/rules/game"
	"boardd/sync/trust"
)

// Newest is the newest game of a board, nil when there is none. The folder may hold the journal of another one: a card
// was copied, or a file was put back to the wrong place. Its games are kept, but they are not played on here.
func (b *Book) Newest(owner trust.Owner) *Kept {
	for _, k := range slices.Backward(b.Games) {
		if k.of(owner) {
			return k
		}
	}
	return nil
}

// of reports whether a board plays this game: it has its name, or it has its key and another name now.
func (k *Kept) of(owner trust.Owner) bool {
	set := k.Setup()
	signed := func(side game.Side) bool { return set.Here(side) && trust.Signer(k.Game, side) == owner.Key }
	return set.Board == owner.Board || owner.Key != "" && (signed(game.White) || signed(game.Black))
}

// Signed reports whether a board has signed a game for a side that was played at it.
func (b *Book) Signed(board string) bool {
	return slices.ContainsFunc(b.Games, func(k *Kept) bool {
		set := k.Setup()
		return set.Board == board && (set.Here(game.White) && k.Seal(game.White) != "" ||
			set.Here(game.Black) && k.Seal(game.Black) != "")
	})
}
