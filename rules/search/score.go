// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules/search/eval"

// Scores are in hundredths of a pawn for the side to move, and beyond eval.Limit they are mates: mate less the plies
// to it.
const (
	mate     = 32000
	infinite = mate + 1
	maxPly   = 120
	sureMate = mate - 2*maxPly
)

var _ = [1]struct{}{}[min(0, sureMate-eval.Limit)] // an evaluation is never taken for a mate

// MateIn is the number of moves in which the side to move mates, negative if it is mated, 0 if the score is no mate.
func MateIn(score int) int {
	switch {
	case score > sureMate:
		return (mate - score + 1) / 2
	case score < -sureMate:
		return -(mate + score) / 2
	}
	return 0
}

// toTable and fromTable turn mates counted from the root into mates counted from the position, and back.
func toTable(score, ply int) int {
	switch {
	case score > sureMate:
		return score + ply
	case score < -sureMate:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score > sureMate:
		return score - ply
	case score < -sureMate:
		return score + ply
	}
	return score
}
