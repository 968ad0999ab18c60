// SPDX-License-Identifier: Apache-2.0

package search

import (
	"math"

	"boardd/rules"
)

// What the search does without looking at every move. Each rule of thumb comes from orthodox chess. What makes it hold
// in the other games is that a move which gives check is never cut off and never reduced. So neither a lockmate
// (locking), a check by a whole stack (superchess) nor one from the air (flying) is missed for it. TestMates holds
// every game to that.
const (
	// of captures after the last full move: in Meirav and Pillar Chess captures do not simplify, and more never end
	quiescencePlies = 6

	nullDepth    = 3 // least depth at which a pass is tried
	nullOfficers = 2 // and the officers that the side must have, or it may be better off without a move

	futilityPlies = 3 // greatest depth at which quiet moves are left out when the position is far below alpha

	// Greatest depth at which late moves are pruned, and after how many: this many and the square of the depth. It is
	// half of both if the side does not stand better than at its move before.
	lateMovePruningPlies = 8
	lateMovePruningBase  = 4

	historyPruningPlies  = 5    // greatest depth at which quiet moves are left out that were bad so far
	historyPruningMargin = 3000 // if their history is so far below 0, a ply

	exchangePruningPlies  = 6   // greatest depth at which moves that lose the exchange are left out
	exchangeMarginCapture = 100 // if they lose so much a ply, hundredths of a pawn
	exchangeMarginQuiet   = 50  // and quiet ones

	internalReductionDepth = 4 // least depth that is cut by a ply when the table names no move to begin with
	singularDepth          = 7 // least depth at which the table's move is held against all the others

	reduceDepth = 3 // least depth at which late moves are searched less deep
	reduceAfter = 3 // and how many moves come first

	// By how many plies: the product of the logarithms of depth and number, divided by the slope, plus the base.
	reduceBase  = 1.0
	reduceSlope = 2.3

	// After the captures that follow the last full move, some quiet checks are looked at. The position must fall short of
	// alpha by less than this.
	checkMargin = 300

	aspirationDepth  = 4 // least depth that begins with a narrow window
	aspirationWindow = 35
)

// tuning is what differs between the games. Margins are in hundredths of a pawn.
type tuning struct {
	reverseFutilityPlies  int // greatest depth at which a position far above beta is left
	reverseFutilityMargin int // if it is by so much a ply
	reverseFutilityBetter int // less this, if the side stands better than at its move before

	nullSlope int // plies of depth for each of which the search after a pass is a ply less deep

	futilityMargin int // of a position far below alpha, a ply
	quietChecks    int // how many quiet moves that give check are looked at with the captures
	deltaMargin    int // by how much a capture may fall short of alpha and still be looked at
	reduceHistory  int // for each so much of history a late move is reduced by a ply less

	lastWeight, beforeWeight int // halves of the histories after the last move and after the one before it
	aspirationGrowth         int // by how many of its widths a window grows

	// What a refutation adds to the history of a move: this and the square of the depth, up to a most. The table's move
	// is noted with its own number where the table alone refutes a position.
	historyBonus, tableBonus, mostBonus int
}

// Orthodox chess was tuned by thousands of games, which say nothing of the other games. So these keep what they had.
var (
	orthodox = tuning{
		reverseFutilityPlies: 7, reverseFutilityMargin: 80, reverseFutilityBetter: 60,
		nullSlope: 5, futilityMargin: 105, quietChecks: 3, deltaMargin: 400,
		reduceHistory: 11000, lastWeight: 3, beforeWeight: 1, aspirationGrowth: 1,
		historyBonus: 24, tableBonus: 8, mostBonus: 2000,
	}
	unorthodox = tuning{
		reverseFutilityPlies: 4, reverseFutilityMargin: 90,
		nullSlope: 4, futilityMargin: 120, deltaMargin: 180,
		reduceHistory: 8192, lastWeight: 2, beforeWeight: 2, aspirationGrowth: 4,
		historyBonus: 16, mostBonus: 1200,
	}
)

// tuningOf is the tuning of a game.
func tuningOf(v *rules.Variant) *tuning {
	if v.Trades() {
		return &orthodox
	}
	return &unorthodox
}

// reductions is by how many plies less a late move is searched, by depth and by the number of the move.
type reductions [64][64]int8

func newReductions() *reductions {
	var r reductions
	for depth := 1; depth < 64; depth++ {
		for move := 1; move < 64; move++ {
			r[depth][move] = int8(reduceBase + math.Log(float64(depth))*math.Log(float64(move))/reduceSlope)
		}
	}
	return &r
}

func (r *reductions) of(depth, move int) int { return int(r[min(depth, 63)][min(move, 63)]) }
