// SPDX-License-Identifier: Apache-2.0

package rules

// Result is how a game stands or ended, in the words of RULES.md; "" while it goes on.
type Result string

// The results that a position has by itself.
const (
	Playing       Result = ""
	Checkmate     Result = "checkmate"
	Stalemate     Result = "stalemate"
	Lockmate      Result = "lockmate"       // 3.9: the mated king is locked
	RefugeeMate   Result = "refugee-mate"   // 3.9: the mated king is overlaid
	RoyalLockmate Result = "royal-lockmate" // 3.9: a locked king mated by the enemy king
	RoyalMate     Result = "royal-mate"     // 3.9: any other king mated by the enemy king
	Lockout       Result = "lockout"        // 3.9: no move, king locked under an enemy: a draw
	Deadlock      Result = "deadlock"       // 3.9: no move, king overlaid: a draw
	DeadPosition  Result = "dead-position"  // 8
)

// The results that only the history of a game, a clock or a player gives.
const (
	ThreefoldRepetition Result = "threefold-repetition"
	FiftyMoves          Result = "fifty-moves"
	FivefoldRepetition  Result = "fivefold-repetition"
	SeventyFiveMoves    Result = "seventy-five-moves"
	Resignation         Result = "resignation"
	Agreement           Result = "agreement"
	Time                Result = "time"
	Aborted             Result = "aborted"
)

// IsMate reports whether the side to move has lost by the position.
func (r Result) IsMate() bool {
	switch r {
	case Checkmate, Lockmate, RefugeeMate, RoyalLockmate, RoyalMate:
		return true
	}
	return false
}

// String is the word, and "playing" while the game goes on.
func (r Result) String() string {
	if r == Playing {
		return "playing"
	}
	return string(r)
}

// Result is what the position says of the game by itself, whatever its history.
func (p *Position) Result() Result {
	if p.CountMoves() == 0 {
		if p.rules().stuck != nil {
			return p.rules().stuck(p)
		}
		if p.InCheck() {
			return Checkmate
		}
		return Stalemate
	}
	if p.rules().dead(p) {
		return DeadPosition
	}
	return Playing
}

// bareKings reports whether nothing but kings is left at any level (8).
func bareKings(p *Position) bool { return p.lower.occupied().Count()+p.upper.occupied().Count() == 2 }
