// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// Decide gives the events by which an action happens; it changes nothing. No events and no error mean that the action
// has no effect now. The error says why it is refused.
func (g *Game) Decide(a Action, at time.Time) ([]Event, error) {
	events, err := g.decide(a, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Do, err)
	}
	for i := range events {
		events[i].At = at
	}
	return events, nil
}

func (g *Game) decide(a Action, at time.Time) ([]Event, error) {
	switch a.Do {
	case Flip:
		return []Event{{Kind: Flipped}}, nil
	case EndOutage:
		return g.endOutage()
	case Takeback:
		return g.takeBack(a)
	case Name:
		return g.rename(a)
	}
	if g.Over() {
		return nil, say.Error("the game has ended %s by %s", g.end.Outcome, g.end.Reason)
	}
	switch a.Do {
	case Move:
		return g.move(a, at)
	case Resign:
		return g.resign(a, at)
	case OfferDraw, AcceptDraw, DeclineDraw:
		return g.drawTalk(a, at)
	case ClaimDraw:
		return g.claim(at)
	case AcceptTakeback, DeclineTakeback:
		return g.answerTakeback(a)
	case Abort:
		return g.abort(a, at)
	case Adjust:
		return g.adjust(a)
	case Kings:
		return g.kings(a, at)
	case Flag:
		return g.flagFalls(at)
	case Pause, Resume:
		return g.pause(a, at)
	}
	return nil, errors.New("no such action")
}

// who is the side that an action comes from.
func (g *Game) who(by Side) (Side, error) {
	switch {
	case by != Nobody && by != White && by != Black:
		return by, say.Error("by %q, want white or black", by)
	case by != Nobody && !g.setup.Here(by):
		return by, say.Error("%s is played on board %s", by, g.setup.Seat(by))
	case by != Nobody:
		return by, nil
	case g.setup.neither():
		return by, say.Error("this board only looks on, the game is played by %s and %s", g.setup.White, g.setup.Black)
	case g.setup.ByHand(g.Turn()) || g.setup.Here(g.Turn()) && !g.setup.ByHand(g.Turn().Other()):
		return g.Turn(), nil
	}
	return g.Turn().Other(), nil
}

func (g *Game) move(a Action, at time.Time) ([]Event, error) {
	turn := g.Turn()
	if a.By != Nobody && a.By != turn {
		return nil, say.Error("it is %s's move", turn)
	}
	if !g.setup.Here(turn) {
		return nil, say.Error("it is %s's move, which is made on board %s", turn, g.setup.Seat(turn))
	}
	p := g.last()
	m, err := a.Play, error(nil)
	if m == rules.NoMove {
		m, err = p.ParseMove(a.Move)
	} else if !slices.Contains(p.AppendMoves(nil), m) {
		err = say.Error("%s is not legal here", p.Coord(m))
	}
	if err != nil {
		return nil, err
	}
	if flag, runs := g.clock.flag(turn); runs && !at.Before(flag) && !g.setup.Judged() {
		return nil, say.Error("the time of %s is up", turn)
	}
	return append(g.refuseAsk(turn),
		Event{Kind: Moved, Move: p.Coord(m), Spent: g.spent(at), made: m, ply: len(g.line) + 1}), nil
}

// refuseAsk declines the other side's open request: who moves on does not take back. Where both sides are here, a move
// ends what the mover has asked as well.
func (g *Game) refuseAsk(mover Side) (events []Event) {
	for _, by := range []Side{mover, mover.Other()} {
		if a := g.asks[by.Other().Color()]; a.open && (by == mover || g.setup.both()) {
			events = append(events, Event{Kind: AskDeclined, By: by, Number: a.number})
		}
	}
	return events
}

func (g *Game) spent(at time.Time) int64 {
	if g.clock.timing == nil {
		return 0
	}
	return inMS(g.clock.spent(at))
}

func (g *Game) ended(outcome string, reason rules.Result, at time.Time) []Event {
	return []Event{{Kind: Ended, Outcome: outcome, Reason: string(reason), Spent: g.spent(at)}}
}

func (g *Game) resign(a Action, at time.Time) ([]Event, error) {
	by, err := g.who(a.By)
	if err != nil {
		return nil, err
	}
	return g.ended(win(by.Other()), rules.Resignation, at), nil
}

// abort ends a game that has hardly begun; where both sides are here it may be any time.
func (g *Game) abort(a Action, at time.Time) ([]Event, error) {
	if g.setup.neither() {
		return nil, say.Error("this board only looks on")
	}
	if !g.setup.both() && len(g.line) > 1 && !a.Agreed {
		return nil, say.Error("%d moves are made, a game against another board can be aborted before the second; resign "+
			"or offer a draw", len(g.line))
	}
	return g.ended(NoResult, rules.Aborted, at), nil
}

// adjust sets the clocks, as an arbiter does.
func (g *Game) adjust(a Action) ([]Event, error) {
	switch {
	case g.clock.timing == nil:
		return nil, say.Error("this game has no clock")
	case a.Left[0] <= 0 || a.Left[1] <= 0:
		return nil, say.Error("say what both clocks are to show: white_ms and black_ms, in milliseconds, above zero")
	case g.clock.timing.Kind == Hourglass && (a.Left[0]+a.Left[1]-g.clock.both()).Abs() > time.Millisecond:
		return nil, say.Error("in an hourglass both clocks together show %d ms: what one side gets, the other loses",
			g.clock.both().Milliseconds())
	case !g.setup.both() && !a.Agreed:
		return nil, say.Error("against another board the clocks are set when it agrees")
	}
	white, black := inMS(a.Left[0]), inMS(a.Left[1])
	return []Event{{Kind: Timed, By: White, Left: &white}, {Kind: Timed, By: Black, Left: &black}}, nil
}

// kings ends a game by kings on the centre squares. Against another board a player can only announce a loss of the own
// side, or a draw, which is an offer or its acceptance.
func (g *Game) kings(a Action, at time.Time) ([]Event, error) {
	loser := End{Outcome: a.Outcome}.loser()
	if a.Outcome != Draw && loser == Nobody {
		return nil, say.Error("outcome %q, want %s, %s or %s", a.Outcome, WhiteWins, BlackWins, Draw)
	}
	switch {
	case loser != Nobody && g.setup.Here(loser):
		return g.ended(a.Outcome, rules.Resignation, at), nil
	case loser != Nobody:
		return nil, say.Error("%s is played on board %s, only that board can resign it", loser, g.setup.Seat(loser))
	case g.setup.both():
		return g.ended(Draw, rules.Agreement, at), nil
	}
	by, err := g.who(Nobody)
	if err != nil {
		return nil, err
	}
	return g.offer(by, at)
}

func (g *Game) flagFalls(at time.Time) ([]Event, error) {
	turn := g.Turn()
	if !g.setup.Here(turn) {
		return nil, say.Error("the time of %s is measured on board %s", turn, g.setup.Seat(turn))
	}
	flag, runs := g.clock.flag(turn)
	if !runs || at.Before(flag) {
		return nil, say.Error("the time of %s is not up", turn)
	}
	outcome := win(turn.Other())
	if bare(g.last(), turn.Other()) {
		outcome = Draw // FIDE 6.9
	}
	return g.ended(outcome, rules.Time, at), nil
}

// pause stops the clocks or lets them go on. Each change is numbered: both boards may do it, and the higher number is
// the newer. A pause for another reason takes the place of the first.
func (g *Game) pause(a Action, at time.Time) ([]Event, error) {
	stop := a.Do == Pause
	switch {
	case stop && g.clock.paused && a.Reason == g.why, !stop && !g.clock.paused && g.clock.begun:
		return nil, nil
	case stop:
		return []Event{{Kind: Paused, Spent: g.spent(at), Count: g.pauses + 1, Reason: a.Reason}}, nil
	case g.clock.paused:
		return []Event{{Kind: Resumed, Count: g.pauses + 1}}, nil
	}
	return []Event{{Kind: Resumed, Count: g.pauses}}, nil // the clock is started
}

// endOutage lets the running clock go on from what was used at the last event, unless the option says that it ran on.
// If the computer's clock had not been set at that event, nobody knows how long the outage was.
func (g *Game) endOutage() ([]Event, error) {
	if !g.clock.running() || g.setup.Options[OptionOutage] == OutageRun && Dated(g.clock.since) {
		return nil, nil
	}
	return []Event{{Kind: OutageEnded, Spent: inMS(g.clock.used)}}, nil
}
