// SPDX-License-Identifier: Apache-2.0

package game

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// merger works out, on a copy, what a message adds to a game.
type merger struct {
	g      *Game
	h      RemoteGame
	at     time.Time
	theirs []Side // the seats that the speaker holds
	events []Event
}

// Merge gives the events that the message of another board adds to this game. These are the speaker's draw offer,
// request, answer and result, and the moves that extend the list. Each move must be legal, and made by a seat that
// the speaker holds or signed here. A board that only looks on takes all legal moves, but of a speaker that signs only
// the signed ones. A message that is old, repeated or of no interest adds nothing. The error is a *ConflictError when
// the message contradicts what is known, and then nothing of it counts; Merge itself changes nothing.
func (g *Game) Merge(h RemoteGame, at time.Time) ([]Event, error) {
	m := &merger{g: g.clone(), h: h, at: at, theirs: g.setup.sidesOf(h.Board)}
	if err := m.same(); err != nil {
		return nil, err
	}
	if h.Takebacks < g.takebacks {
		return nil, nil // said before the takeback
	}
	if g.setup.neither() {
		m.h.Moves = h.Moves[:len(h.Moves)-h.Unsigned] // the broker may have made up the rest
	}
	for _, step := range []func() error{
		m.takenBack, m.moves, m.answers, m.noDraw, m.offer, m.ask, m.result, m.pause, m.clock,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return m.events, nil
}

// emit applies an event to the copy and keeps it.
func (m *merger) emit(e Event) error {
	e.At = m.at
	if err := m.g.Apply(e); err != nil {
		return err
	}
	m.events = append(m.events, e)
	return nil
}

func (m *merger) conflict(format string, args ...any) *ConflictError {
	return &ConflictError{Board: m.h.Board, Why: say.That(format, args...)}
}

// same checks that the message is from one of the players and about this game.
func (m *merger) same() error {
	if len(m.theirs) == 0 {
		return fmt.Errorf("merge game %s: board %q plays no side of it", m.g.ID(), m.h.Board)
	}
	return m.sameGame()
}

func (m *merger) sameGame() error {
	s, h := m.g.setup, m.h
	switch {
	case h.ID != s.ID:
		return fmt.Errorf("merge game %s: board %s speaks of game %s", s.ID, h.Board, h.ID)
	case h.Variant != s.Variant:
		return m.conflict("the variant is %s there and %s here", h.Variant, s.Variant)
	case h.White != s.White || h.Black != s.Black:
		return m.conflict("the seats are %s, %s there and %s, %s here", h.White, h.Black, s.White, s.Black)
	}
	return m.sameStart()
}

func (m *merger) sameStart() error {
	theirs, err := m.g.variant.ParseFEN(m.h.Start)
	if m.h.Start == "" {
		theirs, err = m.g.variant.Start(), nil
	}
	if err != nil {
		return m.conflict("its first position is impossible: %v", err)
	}
	if theirs != m.g.start {
		return m.conflict("the first position is %s there and %s here", m.h.Start, m.g.start.FEN())
	}
	return nil
}

// takenBack follows a takeback that the speaker carried out at the request of this board.
func (m *merger) takenBack() error {
	if m.h.Takebacks == m.g.takebacks {
		return nil
	}
	if m.g.setup.neither() {
		return m.emit(Event{Kind: TakenBack, Ply: m.common(), Count: m.h.Takebacks})
	}
	if m.h.Takebacks == m.g.takebacks+1 {
		for _, side := range []Side{White, Black} {
			if a := m.g.asks[side.Color()]; a.open && m.g.setup.Here(side) {
				return m.emit(Event{Kind: TakenBack, Ply: min(a.to, len(m.g.line)), Count: m.h.Takebacks})
			}
		}
	}
	return m.conflict("it counts %d takebacks, here are %d and none was asked for", m.h.Takebacks, m.g.takebacks)
}

// common is how many moves both lists begin with.
func (m *merger) common() int {
	n := min(len(m.h.Moves), len(m.g.line))
	for i := range n {
		if m.h.Moves[i] != m.g.line[i].coord {
			return i
		}
	}
	return n
}

// moves takes the moves that extend the list.
func (m *merger) moves() error {
	from := m.common()
	if from < len(m.g.line) && from < len(m.h.Moves) {
		c := m.conflict("move %d is %s there and %s here", from+1, m.h.Moves[from], m.g.line[from].coord)
		c.Ply, c.Ours, c.Theirs = from+1, m.g.line[from].coord, m.h.Moves[from]
		return c
	}
	for i := from; i < len(m.h.Moves); i++ {
		if err := m.extend(i); err != nil {
			return err
		}
	}
	return nil
}

// extend takes the speaker's move of index i, which is the next one here.
func (m *merger) extend(i int) error {
	coord, mover := m.h.Moves[i], m.g.Turn()
	fault := func(format string, args ...any) error {
		c := m.conflict("move %d, %s: %s", i+1, coord, fmt.Sprintf(format, args...))
		c.Ply, c.Theirs = i+1, coord
		return c
	}
	if m.g.end.byBoard() {
		return fault("the game had ended %s by %s", m.g.end.Outcome, m.g.end.Reason)
	}
	if !m.g.setup.neither() && !slices.Contains(m.theirs, mover) && i >= m.h.Own {
		return fault("%s is played by %s, which has not made it", mover, m.g.setup.Seat(mover))
	}
	p := m.g.last()
	move, err := find(p, coord)
	if err != nil {
		return fault("%v", err)
	}
	if p.Coord(move) != coord {
		return fault("want the coordinate form %s", p.Coord(move))
	}
	e := Event{Kind: Moved, Move: coord, Remote: true, Spent: inMS(m.g.clock.spent(m.at))}
	if i == len(m.h.Moves)-1 {
		e.Left = m.h.left(mover)
	}
	return m.emit(e)
}

// answers closes our request when the speaker declined it.
func (m *merger) answers() error {
	for _, side := range m.theirs {
		ours := m.g.asks[side.Other().Color()]
		if m.h.Declined > m.g.refused[side.Color()] && ours.open && m.h.Declined >= ours.number {
			return m.emit(Event{Kind: AskDeclined, By: side, Number: m.h.Declined})
		}
	}
	return nil
}

// noDraw takes in that the speaker declines the draw that was offered here. It is said until the speaker moves.
func (m *merger) noDraw() error {
	side := m.h.NoDraw
	if m.g.Over() || side == Nobody || !m.g.offers[side.Color()] || !m.g.setup.Here(side) ||
		!slices.Contains(m.theirs, side.Other()) || len(m.h.Moves) != len(m.g.line) {
		return nil
	}
	return m.emit(Event{Kind: Declined, By: side.Other()})
}

// offer takes in the speaker's draw offer. One that came with fewer moves than are known was answered by moving on. If
// an offer of this board stands, the two have crossed on their way, and both sides agree. If both are of other boards,
// this one waits to hear that they agree: offers are not signed.
func (m *merger) offer() error {
	by := m.h.Offer
	if m.g.Over() || !slices.Contains(m.theirs, by) || len(m.h.Moves) != len(m.g.line) {
		return nil
	}
	if m.g.offers[by.Color()] || m.g.declined[by.Color()] {
		return nil
	}
	err := m.emit(Event{Kind: Offered, By: by})
	if err != nil || m.g.setup.neither() || !m.g.offers[by.Other().Color()] {
		return err
	}
	return m.emit(m.g.ended(Draw, rules.Agreement, m.at)[0])
}

// ask takes in the speaker's request to take moves back.
func (m *merger) ask() error {
	by := m.h.AskBy
	if m.g.Over() || !slices.Contains(m.theirs, by) {
		return nil
	}
	if m.h.AskNumber <= m.g.asks[by.Color()].number || m.h.AskNumber <= m.g.refused[by.Other().Color()] ||
		m.h.AskTo < 0 || m.h.AskTo > len(m.h.Moves) {
		return nil
	}
	return m.emit(Event{Kind: Asked, By: by, Number: m.h.AskNumber, Ply: m.h.AskTo})
}

// result takes the speaker's end of the game where the speaker has the right to it. A player ends a game once. After
// that only the ends of both boards are known, of which join makes one. Another end is a contradiction.
func (m *merger) result() error {
	end := End{m.h.Outcome, rules.Result(m.h.Reason)}
	if !end.over() || end == m.g.end || join(m.g.end, end) == m.g.end {
		return nil
	}
	if why := m.mayEnd(end); why != "" {
		return m.conflict("it says %s by %s, but %s", end.Outcome, end.Reason, why)
	}
	if m.g.endTold && !m.g.setup.neither() {
		return m.conflict("it says %s by %s, but the game had ended %s by %s", end.Outcome, end.Reason, m.g.end.Outcome,
			m.g.end.Reason)
	}
	return m.emit(Event{Kind: Ended, Outcome: end.Outcome, Reason: string(end.Reason), Spent: m.g.spent(m.at),
		Remote: true})
}

// pause follows the speaker in stopping the clocks and letting them go on, and in starting them before the first move.
func (m *merger) pause() error {
	switch {
	case m.g.Over() || m.g.setup.neither() && m.h.Pauses == 0:
		return nil
	case m.h.Pauses > m.g.pauses && m.h.Paused:
		return m.emit(Event{Kind: Paused, Spent: m.g.spent(m.at), Count: m.h.Pauses, Reason: m.pauseReason()})
	case m.h.Pauses > m.g.pauses:
		if m.g.clock.running() { // nobody here knows of the pause: the time of until now was used
			if err := m.emit(Event{Kind: Paused, Spent: m.g.spent(m.at), Count: m.h.Pauses}); err != nil {
				return err
			}
		}
		return m.emit(Event{Kind: Resumed, Count: m.h.Pauses})
	case m.h.Running && !m.g.clock.begun && !m.g.clock.paused:
		return m.emit(Event{Kind: Resumed, Count: m.g.pauses})
	}
	return nil
}

// OfRival stands before the reason of a pause that the other board began for a reason of its own, see [RemoteGame].
const OfRival = "rival-"

// pauseReason is the speaker's reason with its name before it: it is not for this board to end that pause by itself.
// What the speaker had from this board is this board's own reason.
func (m *merger) pauseReason() string {
	if m.h.PauseReason == "" {
		return ""
	}
	if own, ok := strings.CutPrefix(m.h.PauseReason, OfRival); ok {
		return own
	}
	return m.h.Board + ": " + m.h.PauseReason
}

// clock takes in the time of the speaker's side: while that side thinks, and after a pause or an outage there. It also
// takes in what the side had left in the end.
func (m *merger) clock() error {
	if m.g.clock.timing == nil || len(m.h.Moves) != len(m.g.line) {
		return nil
	}
	if m.g.Over() {
		return m.finalClock()
	}
	turn := m.g.Turn()
	if m.h.Board == Lichess {
		return m.judgedClock()
	}
	left := m.h.left(turn)
	if left == nil || !slices.Contains(m.theirs, turn) {
		return nil
	}
	shown := m.g.shown(turn, m.at)
	switch d := shown - ms(*left); {
	case d > -2*time.Second && d < 2*time.Second:
		return nil // the difference is the way of the message; every one of them would fill the journal
	case d < 0 && m.h.Old:
		return nil // it has less by now
	}
	return m.emit(Event{Kind: Timed, By: turn, Left: left})
}

// judgedClock takes both times from a server that judges the game, where they have drifted apart from those here.
func (m *merger) judgedClock() error {
	for _, side := range []Side{White, Black} {
		left := m.h.left(side)
		if left == nil || m.h.Old && side == m.g.Turn() && m.g.clock.running() {
			continue
		}
		if d := m.g.shown(side, m.at) - ms(*left); d > -2*time.Second && d < 2*time.Second {
			continue // the way of the message
		}
		if err := m.emit(Event{Kind: Timed, By: side, Left: left}); err != nil {
			return err
		}
	}
	return nil
}

// finalClock takes the speaker's reading of its own side once both know the same end, so that both boards show the
// same. In an hourglass one side's time is the other's as well: there White's board tells both.
func (m *merger) finalClock() error {
	if m.h.Outcome != m.g.end.Outcome || m.h.Reason != string(m.g.end.Reason) {
		return nil
	}
	for _, side := range m.theirs {
		left := m.h.left(side)
		if left == nil || m.g.clock.timing.Kind == Hourglass && side == Black || m.g.shown(side, m.at) == ms(*left) {
			continue
		}
		if err := m.emit(Event{Kind: Timed, By: side, Left: left}); err != nil {
			return err
		}
	}
	return nil
}

// shown is what a side's clock shows.
func (g *Game) shown(side Side, at time.Time) time.Duration {
	return g.clock.left(side, g.Turn(), g.clock.spent(at))
}
