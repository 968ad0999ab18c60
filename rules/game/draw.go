// SPDX-License-Identifier: Apache-2.0

package game

import (
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// drawTalk is offering a draw and answering the offer. An offer stands until the other side declines it or moves.
func (g *Game) drawTalk(a Action, at time.Time) ([]Event, error) {
	if a.Do == OfferDraw {
		by, err := g.who(a.By)
		if err != nil {
			return nil, err
		}
		return g.offer(by, at)
	}
	by, err := g.answerer(a.By)
	if err != nil {
		return nil, err
	}
	if a.Do == DeclineDraw {
		return []Event{{Kind: Declined, By: by}}, nil
	}
	return g.ended(Draw, rules.Agreement, at), nil
}

// offer offers a draw. Whoever does so while the other side's offer stands accepts it.
func (g *Game) offer(by Side, at time.Time) ([]Event, error) {
	if g.offers[by.Other().Color()] {
		return g.ended(Draw, rules.Agreement, at), nil
	}
	if g.offers[by.Color()] {
		return nil, say.Error("the offer of %s stands already", by)
	}
	if g.declined[by.Color()] && !g.setup.both() {
		return nil, say.Error("the draw that %s offered is declined: offer again after the next move", by)
	}
	return []Event{{Kind: Offered, By: by}}, nil
}

// answerer is the side that answers a draw offer.
func (g *Game) answerer(by Side) (Side, error) {
	if by != Nobody {
		if _, err := g.who(by); err != nil {
			return by, err
		}
	}
	for _, side := range []Side{g.Turn(), g.Turn().Other()} {
		if g.offers[side.Other().Color()] && g.setup.Here(side) && (by == Nobody || by == side) {
			return side, nil
		}
	}
	return by, say.Error("no draw is offered by the other side")
}

// claim ends the game by threefold repetition or fifty moves, if the position on the board gives the right to.
func (g *Game) claim(at time.Time) ([]Event, error) {
	turn := g.Turn()
	if !g.setup.Here(turn) {
		return nil, say.Error("only the side to move can claim, and %s is played on board %s", turn, g.setup.Seat(turn))
	}
	reason := g.Claimable()
	if reason == rules.Playing {
		return nil, say.Error("no draw can be claimed yet: this position has come up %d of 3 times, and %d of 100 "+
			"half-moves have passed without a capture or pawn move",
			g.Repetitions(), g.last().HalfMoves())
	}
	return g.ended(Draw, reason, at), nil
}

// Claimable is the draw that the side to move may claim; rules.Playing when there is none.
func (g *Game) Claimable() rules.Result {
	switch {
	case g.Over():
		return rules.Playing
	case g.Repetitions() >= 3:
		return rules.ThreefoldRepetition
	case g.last().HalfMoves() >= 100:
		return rules.FiftyMoves
	}
	return rules.Playing
}
