// SPDX-License-Identifier: Apache-2.0

package match

import (
	"math/rand/v2"
	"slices"

	"boardd/rules"
)

// Player chooses moves. Past has the keys of the positions before this one, the latest last. The score is in
// hundredths of a pawn for the side to move.
type Player interface {
	Choose(p rules.Position, past []uint64) (m rules.Move, score int)
}

// Follower is a player that wants to know the game so far, such as a program that is told it through a pipe. Play
// calls Follow before each Choose, with the first position and the moves from there.
type Follower interface {
	Follow(start rules.Position, moves []rules.Move)
}

// longest is after how many plies a game is given up as drawn.
const longest = 400

// Play plays a game and returns White's score: 1, a half or 0. See, if not nil, is shown each move before it is
// played, and ends the game, as a draw, by returning false. A position seen three times and fifty moves without
// progress are draws, as if a player had claimed them (RULES 8).
func Play(p rules.Position, white, black Player, see func(p *rules.Position, m rules.Move, score int) bool) float64 {
	players := [2]Player{white, black}
	var past []uint64
	var moves []rules.Move
	start := p
	for range longest {
		switch r := p.Result(); {
		case r.IsMate():
			return float64(p.Turn()) // White is to move and lost, or Black is
		case r != rules.Playing || p.HalfMoves() >= 100 || count(past, p.Key()) >= 2:
			return 0.5
		}
		if f, ok := players[p.Turn()].(Follower); ok {
			f.Follow(start, moves)
		}
		m, score := players[p.Turn()].Choose(p, past)
		if see != nil && !see(&p, m, score) {
			return 0.5
		}
		past, moves = append(past, p.Key()), append(moves, m)
		p.Play(m)
	}
	return 0.5
}

func count(keys []uint64, key uint64) (n int) {
	for _, k := range keys {
		if k == key {
			n++
		}
	}
	return n
}

// RandomOpening is a position after this many random moves from the array, in which the game goes on.
func RandomOpening(v *rules.Variant, r *rand.Rand, plies int) rules.Position {
	for {
		p := v.Start()
		for range plies {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			slices.Sort(moves) // the draw must not hang on the order of the generator
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Result() == rules.Playing && !p.InCheck() {
			return p
		}
	}
}

// When both players hold a game to be over, as fishtest has it. For three moves of each their scores say that the same
// side is ahead by six pawns. Or from the 34th move on, for eight of each, nobody is ahead by a fifth of a pawn.
const (
	lostBy, lostFor            = 600, 2 * 3
	levelBy, levelFor, levelAt = 20, 2 * 8, 2 * 34
)

// A judge ends games about whose result both players agree.
type judge struct {
	plies   int
	ahead   [2]int // for how many plies the scores have said that White is ahead, and Black
	level   int    // and that nobody is
	decided bool
	score   float64 // White's
}

// see takes in the score that a player gave with its move, and reports whether the game goes on.
func (j *judge) see(p *rules.Position, _ rules.Move, score int) bool {
	side := int(p.Turn())
	j.plies++
	j.ahead[side] = after(j.ahead[side], score >= lostBy)
	j.ahead[1-side] = after(j.ahead[1-side], score <= -lostBy)
	j.level = after(j.level, -levelBy <= score && score <= levelBy)
	switch {
	case j.ahead[0] >= lostFor:
		j.decided, j.score = true, 1
	case j.ahead[1] >= lostFor:
		j.decided, j.score = true, 0
	case j.plies >= levelAt && j.level >= levelFor:
		j.decided, j.score = true, 0.5
	}
	return !j.decided
}

// after is a count that goes on, or begins anew.
func after(n int, on bool) int {
	if !on {
		return 0
	}
	return n + 1
}

// PlayJudged plays a game, as Play does, until both players agree about its result, and returns White's score. So a
// match that takes seconds a move spends none on games that are decided.
func PlayJudged(p rules.Position, white, black Player) float64 {
	var j judge
	result := Play(p, white, black, j.see)
	if j.decided {
		return j.score
	}
	return result
}

// PlayPair plays an opening twice, with the sides exchanged, and adds the first player's results to the tally.
func (t *Tally) PlayPair(p rules.Position, one, two Player) {
	t.Add(Play(p, one, two, nil))
	t.Add(1 - Play(p, two, one, nil))
}

// PlayJudgedPair does the same with games that end as PlayJudged ends them.
func (t *Tally) PlayJudgedPair(p rules.Position, one, two Player) {
	t.Add(PlayJudged(p, one, two))
	t.Add(1 - PlayJudged(p, two, one))
}
