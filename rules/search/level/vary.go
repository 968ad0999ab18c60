// SPDX-License-Identifier: Apache-2.0

package level

import (
	"math/rand/v2"

	"boardd/rules"
	"boardd/rules/search"
)

// How a level varies its play. Chosen, not measured.
const (
	openingMoves = 8  // of each side, in which it does
	near         = 20 // hundredths of a pawn by which a move may be worse than the best one
	candidates   = 4  // moves that it chooses from, at most
)

// Vary returns what a level plays where found is what its search has found. In the opening it is any of the moves that
// are nearly as good, the better the likelier, as the seed has it. So a person who plays the same moves again meets
// another game, and the same seed gives the same game. Seed 0 changes nothing. Where a mate is near, nothing is left
// to chance. The highest level never varies: its games differ by the time that it has, and a second search would take
// half of that.
func Vary(s *search.Search, p rules.Position, past []uint64, n int, seed uint64, found search.Info,
	stop func() bool) search.Info {
	if seed == 0 || n >= Most || p.MoveNumber() > openingMoves || len(found.Lines) != 1 {
		return found
	}
	return vary(s, p, past, n, seed, found, stop)
}

// vary is Vary at any move of the game.
func vary(s *search.Search, p rules.Position, past []uint64, n int, seed uint64, found search.Info,
	stop func() bool) search.Info {
	if search.MateIn(found.Lines[0].Score) != 0 {
		return found
	}
	l := Limits(p.Variant(), n)
	l.MultiPV, l.Stop = candidates, stop
	info := s.Run(p, past, l, nil)
	if len(info.Lines) == 0 || search.MateIn(info.Lines[0].Score) != 0 {
		return found
	}
	total, weights := 0, make([]int, len(info.Lines))
	for i := range info.Lines {
		weights[i] = max(0, near+1-(info.Lines[0].Score-info.Lines[i].Score))
		total += weights[i]
	}
	draw := rand.New(rand.NewPCG(seed, p.Key())).IntN(total)
	for i := range weights {
		if draw -= weights[i]; draw < 0 {
			info.Lines = info.Lines[i : i+1]
			break
		}
	}
	return info
}
