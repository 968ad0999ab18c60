// SPDX-License-Identifier: Apache-2.0

package game

import "boardd/rules/say"

// takeBack takes moves back at once where both sides are here, and asks the other board where it is not. If nobody has
// to be asked, a takeback makes a game that has ended go on, because its end may have been a mistake. Nobody can
// answer requests in a game that has ended.
func (g *Game) takeBack(a Action) ([]Event, error) {
	policy := g.setup.Takeback()
	if policy == TakebackNever {
		return nil, say.Error("not allowed in this game")
	}
	if g.Over() && (!g.setup.both() || policy != TakebackFree) {
		return nil, say.Error("the game has ended %s by %s", g.end.Outcome, g.end.Reason)
	}
	by, err := g.who(a.By)
	if err != nil {
		return nil, err
	}
	to, err := g.backTo(a, by)
	if err != nil {
		return nil, err
	}
	if g.setup.both() && !g.setup.engine() && a.By == Nobody && (len(g.line)-to)%2 == 1 {
		by = g.Turn().Other() // whose move it was
	}
	if g.setup.both() && policy == TakebackFree {
		return []Event{{Kind: TakenBack, Ply: to, Count: g.takebacks + 1}}, nil
	}
	mine := g.asks[by.Color()]
	if mine.open {
		return nil, say.Error("%s has asked already", by)
	}
	return []Event{{Kind: Asked, By: by, Number: mine.number + 1, Ply: to}}, nil
}

// backTo is the number of plies that remain: as many fewer as asked, or all before the last move of the side that
// asks. Where people play both sides here the last move goes, whoever made it.
func (g *Game) backTo(a Action, by Side) (int, error) {
	plies := a.Plies
	if plies == 0 {
		plies = 1
		if (!g.setup.both() || g.setup.engine()) && g.Turn() == by {
			plies = 2
		}
	}
	if plies < 0 || plies > len(g.line) {
		return 0, say.Error("%d moves cannot be taken back, as %d were made", plies, len(g.line))
	}
	return len(g.line) - plies, nil
}

// answerTakeback accepts or declines the other side's request. While White's own request is open, White cannot accept
// Black's. Otherwise both could accept each other's request at the same time on two boards, and go back to different
// positions.
func (g *Game) answerTakeback(a Action) ([]Event, error) {
	by, err := g.asked(a.By)
	if err != nil {
		return nil, err
	}
	theirs := g.asks[by.Other().Color()]
	if a.Do == DeclineTakeback {
		return []Event{{Kind: AskDeclined, By: by, Number: theirs.number}}, nil
	}
	if by == White && g.asks[White.Color()].open && !g.setup.both() {
		return nil, say.Error("white's own request is open and comes first; decline this one or wait for the answer")
	}
	return []Event{{Kind: TakenBack, Ply: min(theirs.to, len(g.line)), Count: g.takebacks + 1}}, nil
}

// asked is the side here that an open request is addressed to.
func (g *Game) asked(by Side) (Side, error) {
	for _, side := range []Side{g.Turn(), g.Turn().Other()} {
		if g.asks[side.Other().Color()].open && g.setup.Here(side) && (by == Nobody || by == side) {
			return side, nil
		}
	}
	return by, say.Error("the other side has not asked to take moves back")
}
