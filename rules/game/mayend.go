// SPDX-License-Identifier: Apache-2.0

package game

import "boardd/rules"

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
		if end.Outcome != NoResult || len(m.h.Moves) > 2 {
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
	if loser != Nobody || end.Outcome == Draw && (m.g.end.Reason == end.Reason || end.Reason == rules.Time && m.againstBare()) {
		return ""
	}
	return "nobody lost"
}

// againstBare says that the speaker plays against a bare king, which wins nothing on time.
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
	if end.Reason == rules.ThreefoldRepetition && m.g.Repetitions() >= 3 || end.Reason == rules.FiftyMoves && m.g.last().HalfMoves() >= 100 {
		return ""
	}
	return "the position gives no right to it"
}
