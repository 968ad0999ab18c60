// SPDX-License-Identifier: Apache-2.0

package game

import (
	"boardd/rules"
)

// The outcomes of a game; "" while it goes on.
const (
	WhiteWins = "1-0"
	BlackWins = "0-1"
	Draw      = "1/2-1/2"
	NoResult  = "*" // aborted
)

// End is how a game ended; the zero End means that it goes on.
//
// Two boards may end the same game at the same time without knowing of each other: one resigns while the other moves
// on. Both keep the end that join gives, so that both end up with the same. What the last position says by itself
// comes first, then a claim, the abort, the agreement, the resignation, and time last. When both sides lost for the
// same reason it is a draw.
type End struct {
	Outcome string
	Reason  rules.Result
}

func (e End) over() bool { return e.Outcome != "" }

// win is the outcome when a side wins.
func win(side Side) string {
	if side == White {
		return WhiteWins
	}
	return BlackWins
}

// loser is the side that lost, Nobody when none did.
func (e End) loser() Side {
	switch e.Outcome {
	case WhiteWins:
		return Black
	case BlackWins:
		return White
	}
	return Nobody
}

// rank orders ends by what counts first; higher wins.
func (e End) rank() int {
	switch e.Reason {
	case rules.Playing:
		return 0
	case rules.Time:
		return 1
	case rules.Resignation:
		return 2
	case rules.Agreement:
		return 3
	case rules.Aborted:
		return 4
	case rules.FiftyMoves:
		return 5
	case rules.ThreefoldRepetition:
		return 6
	}
	return 7 // by the position
}

// byBoard reports whether the moves alone give this end, so that every board finds it without being told.
func (e End) byBoard() bool { return e.rank() == 7 }

// join is the one of two ends that counts.
func join(a, b End) End {
	switch {
	case a.rank() > b.rank():
		return a
	case a.rank() < b.rank() || a == b:
		return b
	}
	return End{Draw, a.Reason}
}

// onBoard is the end that the last position and what led to it give.
func (g *Game) onBoard() End {
	p := g.last()
	if r := p.Result(); r != rules.Playing {
		if r.IsMate() {
			return End{win(SideOf(p.Turn().Other())), r}
		}
		return End{Draw, r}
	}
	automatic := g.setup.Options[OptionDraws] == DrawsAutomatic
	switch times := g.Repetitions(); {
	case times >= 5:
		return End{Draw, rules.FivefoldRepetition}
	case p.HalfMoves() >= 150:
		return End{Draw, rules.SeventyFiveMoves}
	case automatic && times >= 3:
		return End{Draw, rules.ThreefoldRepetition}
	case automatic && p.HalfMoves() >= 100:
		return End{Draw, rules.FiftyMoves}
	}
	return End{}
}

// Repetitions counts how often the position has stood on the board, this time included.
func (g *Game) Repetitions() int {
	now, count, same := g.last(), 1, ""
	key := now.Key()
	for i := range g.line { // every position but the last
		p := g.at(i)
		if p.Key() != key {
			continue
		}
		if same == "" {
			same = sameFields(now.FEN())
		}
		if sameFields(p.FEN()) == same {
			count++
		}
	}
	return count
}

// sameFields cuts a FEN to the four fields that count for repetition (RULES 2.1).
func sameFields(fen string) string {
	fields := 0
	for i := range len(fen) {
		if fen[i] == ' ' {
			if fields++; fields == 4 {
				return fen[:i]
			}
		}
	}
	return fen
}

// bare reports whether a side has nothing but its king at any level, so that it can never mate (FIDE 6.9, on the safe
// side).
func bare(p *rules.Position, side Side) bool {
	count := 0
	var stack [64]rules.Piece
	for sq := range p.Occupied().Squares() {
		for _, piece := range p.AppendStack(stack[:0], sq) {
			if piece != rules.NoPiece && piece.Color() == side.Color() {
				count++
			}
		}
	}
	return count <= 1
}

// mayEnd says why the speaker cannot end the game like this; "" when it can.
func (m *merger) mayEnd(end End) string {
	if m.g.setup.neither() || m.h.Board == Lichess {
		return ""
	}
	switch end.Reason {
	case rules.Resignation, rules.Time:
		return m.mayLose(end)
	case rules.Agreement:
		return m.mayAgree(end)
	case rules.Aborted:
		if end.Outcome != NoResult || len(m.h.Moves) > 2 && !m.h.Asked {
			return "the game has begun"
		}
		return ""
	case rules.ThreefoldRepetition, rules.FiftyMoves:
		return m.mayClaim(end)
	}
	return "the moves do not say so"
}

// mayLose: a side can lose for itself only. A draw comes from both having lost, or from time against a bare king.
func (m *merger) mayLose(end End) string {
	loser := end.loser()
	if loser != Nobody && m.g.setup.Remote(loser) != m.h.Board {
		return "that is for " + m.g.setup.Seat(loser) + " to say"
	}
	if loser != Nobody || end.Outcome == Draw && (m.g.end.Reason == end.Reason || end.Reason == rules.Time &&
		m.againstBare()) {
		return ""
	}
	return "nobody lost"
}

// againstBare reports whether the speaker plays against a bare king, which wins nothing on time.
func (m *merger) againstBare() bool {
	for _, side := range m.theirs {
		if bare(m.g.last(), side.Other()) {
			return true
		}
	}
	return false
}

func (m *merger) mayAgree(end End) string {
	for _, side := range []Side{White, Black} {
		if end.Outcome == Draw && m.g.setup.Here(side) && m.g.offers[side.Color()] {
			return ""
		}
	}
	return "no draw was offered"
}

func (m *merger) mayClaim(end End) string {
	if end.Outcome != Draw || len(m.h.Moves) != len(m.g.line) {
		return "the position is another"
	}
	if end.Reason == rules.ThreefoldRepetition && m.g.Repetitions() >= 3 || end.Reason == rules.FiftyMoves &&
		m.g.last().HalfMoves() >= 100 {
		return ""
	}
	return "the position gives no right to it"
}
