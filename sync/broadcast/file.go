// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/sync/wire"
	"boardd/sync/words"
)

// noClock is the time after a move in a game without clocks.
const noClock = -time.Millisecond

// File is a game as a game file.
func File(g *game.Game) *pgn.Game {
	s := g.Setup()
	h := header(g.Names(), s.Clock, s.White, s.Black, s.Board)
	h.ID = g.ID()
	out := &pgn.Game{Variant: g.Variant(), Start: g.Start(), Result: result(g.Outcome())}
	if g.Over() {
		h.Reason = string(g.Reason())
	}
	date, clocks := words.Times(g)
	h.Date = day(date)
	out.Tags = h.Tags()
	san := g.SAN()
	for i, m := range g.Moves() {
		out.Plies = append(out.Plies, pgn.Ply{Move: m, SAN: san[i], Clock: left(clocks, i)})
	}
	return out
}

// Message is the game of a board's message as a game file: the same as [File] of it. A message with a move that is not
// legal is an error.
func Message(board string, m *wire.Game) (*pgn.Game, error) {
	v, err := rules.ByID(m.Variant)
	if err != nil {
		return nil, err
	}
	p, err := v.ParseFEN(m.Start)
	if err != nil {
		return nil, err
	}
	names := game.Names{}
	if m.Names != nil {
		names = game.Names(*m.Names)
	}
	h := header(names, words.Timing(m.Timing), m.Seats.White, m.Seats.Black, board)
	h.ID, h.Reason, h.Date = m.Game, m.Reason, day(m.Date)
	out := &pgn.Game{Variant: v, Start: p, Result: result(m.Outcome), Tags: h.Tags()}
	for i, name := range m.Moves {
		move, err := p.ParseMove(name)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		out.Plies = append(out.Plies, pgn.Ply{Move: move, SAN: p.SAN(move), Clock: left(m.Clocks, i)})
		p.Play(move)
	}
	return out, nil
}

// left is the time behind a move.
func left(clocks []int64, i int) time.Duration {
	if i >= len(clocks) {
		return noClock
	}
	return time.Duration(clocks[i]) * time.Millisecond
}

func header(n game.Names, t *game.Timing, white, black, board string) pgn.Header {
	h := pgn.Header{
		Event: n.Event, Site: n.Site, Round: n.Round, White: cmp.Or(n.White, called(white)),
		Black:      cmp.Or(n.Black, called(black)),
		WhiteTitle: n.WhiteTitle, BlackTitle: n.BlackTitle, WhiteFederation: n.WhiteFederation,
		BlackFederation: n.BlackFederation,
		WhiteFIDE:       n.WhiteFIDE, BlackFIDE: n.BlackFIDE, TimeControl: t.Tag(), WhiteTime: t.SideTag(game.White),
		BlackTime: t.SideTag(game.Black),
		Table:     cmp.Or(n.Table, board),
	}
	if h.White != white {
		h.WhiteSeat = white
	}
	if h.Black != black {
		h.BlackSeat = black
	}
	if n.Round != "" && n.Table != "" && !strings.Contains(n.Round, ".") {
		h.Round = n.Round + "." + n.Table
	}
	return h
}

// called is the name of a player of whom only the seat is known, "" when the seat says nothing.
func called(seat string) string {
	switch seat {
	case game.Local:
		return ""
	case game.Engine:
		return "Computer"
	}
	return seat
}

func result(outcome string) string { return cmp.Or(outcome, "*") }

// day is a date as game files have it.
func day(date string) string { return strings.ReplaceAll(date, "-", ".") }
