// SPDX-License-Identifier: Apache-2.0

package hypotheses

import (
	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// Base is a position from which the wood may be explained.
type Base struct {
	Position rules.Position
	// the legal moves of this position are hypotheses; two moves back they are so only if those two were taken together
	Moves        bool
	OpponentHere bool // the opponent sits at this board too: a touch of theirs ends the wait for a move that could go on
	// a move made here is sent to another board for good: it is held until it is surer, and people are asked otherwise
	Irrevocable bool
	Takeback    bool // the wood of this position is itself a hypothesis: the moves since were taken back
}

// Change is a pile that a hypothesis has on a place where the game has another one.
type Change struct {
	evidence.Target
	Moved evidence.Loads
	Place wood.Place
	Next  int32     // the next change of the same place, -1 for none
	Stamp uint32    // the evaluation to which gain, half and part belong
	Gain  float64   // nats by which the pile fits better than what the game has there
	Half  float64   // nats by which part fits better than what the game has there; at least 0
	Part  wood.Pile // the part that fits best while the pile is not complete, that of the game if nothing was done
}

// Hypothesis is one way in which the wood may stand.
type Hypothesis struct {
	Base       int        // index of the base it starts from
	Move       rules.Move // the move from there, NoMove for the base itself
	Reply      rules.Move // the move made after it, NoMove for none
	Result     string     // the result that kings in the centre announce, "" for other hypotheses
	Ask        bool       // a pawn was left on its last rank: all of the move is known except the piece it becomes
	Changes    []int32    // what it changes of the wood of base 0
	Places     wood.Set   // the places of the changes
	Prior      float64    // nats
	Onward     float64    // how likely the same piece comes over the square on its way to a farther one, 0 to 1
	Mover      rules.Color
	Shared     [MaxShared]Flips // of a pair: the places that both moves change; the rest is zero
	Undone     wood.Place       // of a pair: a place that the reply makes as it was before the move, Nowhere for none
	Between    evidence.Target  // of a pair: the pile on that place between the moves
	ReplyFlips [2]uint8         // of a pair: the flips of the reply where the move landed, on either deck
	Restores   bool             // of a pair: its first move was accepted once, before the last correction
	PartScore  float64          // nats in the last evaluation if the move is only half made
	Score      float64          // nats in the last evaluation; logprob.Never when it was not worked out
}

// Flips is how often a reed has to flip at least.
type Flips struct {
	Place wood.Place
	Least uint8 // 0: no place
}

// MaxShared is how many places two moves both change at most that are counted. Two moves share three squares with two
// decks, as when a rook takes the other on its square after castling.
const MaxShared = 6

// priorInPlace is the prior of a move in place of so many, in nats.
var priorInPlace = [MaxReplaced + 1]float64{1: world.PriorCorrect, 2: world.PriorCorrect + world.PriorChain}

// MaxReplaced is the largest number of moves that another one may replace.
const MaxReplaced = 2

// Departing returns the places of both decks that a move may leave.
func Departing(m rules.Move) [2]wood.Place {
	return [2]wood.Place{wood.Place(m.From()), wood.Place(m.From()) + 64}
}

// Landing returns the places of both decks on which a move may land.
func Landing(m rules.Move) [2]wood.Place {
	return [2]wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64}
}
