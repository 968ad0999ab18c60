// SPDX-License-Identifier: Apache-2.0

package game

import (
	"fmt"
	"slices"
	"time"

	"boardd/rules"
)

// Game is one game. Only Apply changes it; copies made by assignment must not both be applied to.
type Game struct {
	setup    Setup
	variant  *rules.Variant
	start    rules.Position
	line     []step
	end      End
	endTold  bool // another board has said how it ended
	endVia   string
	begunVia string
	clock    clock
	first    clock // as it stood before the first move
	flipped  bool
	names    Names

	offers    [2]bool // by side: its draw offer stands
	declined  [2]bool // by side: its offer was declined and is not heard again before the other side moves
	asks      [2]ask  // by side: its request to take moves back
	refused   [2]int  // by side: number of the last request of the other side that it declined
	takebacks int
	pauses    int       // how often the clock was stopped and let go on again, by either side
	why       string    // why it is stopped, in the words of the event
	seals     [2]string // by side: its last signature, gone with a takeback
	stamps    []stamp   // by ply: the signature that the mover gave with the move
}

// stamp is a signature over this many plies.
type stamp struct {
	ply  int
	by   Side
	seal string
}

// step is one ply.
type step struct {
	move   rules.Move
	coord  string
	san    string
	pos    rules.Position // after the move
	clock  clock          // after the move
	at     time.Time
	remote bool
	via    string
}

// ask is a request to take moves back; open while it is not answered.
type ask struct {
	number int
	to     int
	open   bool
}

// New makes the game that an event of kind Started begins.
func New(started Event) (*Game, error) {
	if started.Kind != Started || started.Setup == nil {
		return nil, fmt.Errorf("begin a game with event %q: want %q with a set-up", started.Kind, Started)
	}
	p, err := started.Setup.position()
	if err != nil {
		return nil, fmt.Errorf("begin a game: %w", err)
	}
	g := &Game{setup: *started.Setup, variant: p.Variant(), start: p, clock: newClock(started.Setup.Clock),
		begunVia: started.Via}
	g.clock.since = started.At
	if n := started.Setup.Names; n != nil {
		g.names = *n
	}
	g.first = g.clock
	g.finish(g.onBoard(), 0)
	return g, nil
}

// Replay makes the game that a list of events gives, the first of kind Started.
func Replay(events []Event) (*Game, error) {
	if len(events) == 0 {
		return nil, fmt.Errorf("replay a game: no events")
	}
	g, err := New(events[0])
	if err != nil {
		return nil, err
	}
	for i, e := range events[1:] {
		if err := g.Apply(e); err != nil {
			return nil, fmt.Errorf("replay game %s, event %d: %w", g.ID(), i+2, err)
		}
	}
	return g, nil
}

// ID is the game's id.
func (g *Game) ID() string { return g.setup.ID }

// Setup is what was fixed at the beginning. Its maps and pointers must not be written to.
func (g *Game) Setup() Setup { return g.setup }

// Variant is the rule set.
func (g *Game) Variant() *rules.Variant { return g.variant }

// StartedAt is when the game began.
func (g *Game) StartedAt() time.Time { return g.first.since }

// Start is the first position.
func (g *Game) Start() rules.Position { return g.start }

// Position is the position after the last move.
func (g *Game) Position() rules.Position { return *g.last() }

// PositionAt is the position after this many plies, 0 to Plies.
func (g *Game) PositionAt(ply int) rules.Position { return *g.at(ply) }

// Plies is the number of moves made by both sides.
func (g *Game) Plies() int { return len(g.line) }

// Turn is the side to move.
func (g *Game) Turn() Side { return SideOf(g.last().Turn()) }

// Moves lists the moves from the first position on.
func (g *Game) Moves() []rules.Move { return each(g.line, func(s step) rules.Move { return s.move }) }

// Coords lists the moves in coordinate form.
func (g *Game) Coords() []string { return each(g.line, func(s step) string { return s.coord }) }

// SAN lists the moves for people.
func (g *Game) SAN() []string { return each(g.line, func(s step) string { return s.san }) }

// MovedAt is when the move that led to this ply was made or arrived, 1 to Plies, and whether it came from another
// board.
func (g *Game) MovedAt(ply int) (at time.Time, remote bool) {
	return g.line[ply-1].at, g.line[ply-1].remote
}

// Via is the way in which the move that led to this ply was given, 1 to Plies. It is "" when no way was noted.
func (g *Game) Via(ply int) string { return way(g.line[ply-1].via, g.line[ply-1].remote) }

// BegunVia is the way in which the game was begun. It is "" when no way was noted, as where a configuration began it.
func (g *Game) BegunVia() string { return g.begunVia }

// EndVia is the way in which the end was given. It is "" when no way was noted, or when moves ended the game.
func (g *Game) EndVia() string {
	if g.end.byBoard() {
		return ""
	}
	return g.endVia
}

func way(via string, remote bool) string {
	if remote && via == "" {
		return ByBoard
	}
	return via
}

// Legal lists the legal moves in coordinate form, sorted; none once the game is over.
func (g *Game) Legal() []string {
	if g.Over() {
		return nil
	}
	p := g.last()
	out := each(p.AppendMoves(nil), p.Coord)
	slices.Sort(out)
	return out
}

// Outcome is "", "1-0", "0-1", "1/2-1/2", or "*" for an aborted game.
func (g *Game) Outcome() string { return g.end.Outcome }

// Reason is why the game ended; rules.Playing while it goes on.
func (g *Game) Reason() rules.Result { return g.end.Reason }

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.end.over() }

// Final reports whether the game was ended by a word or by the clock. Taking back a move takes nothing of that back.
func (g *Game) Final() bool { return g.Over() && g.end != g.onBoard() }

// Paused reports whether somebody has stopped the clocks.
func (g *Game) Paused() bool { return g.clock.paused }

// WhyPaused is the reason that was given when the clocks were stopped on this board; "" for none.
func (g *Game) WhyPaused() string { return g.why }

// Pauses is how often either board has stopped the clocks or let them go on again.
func (g *Game) Pauses() int { return g.pauses }

// Begun reports whether the clocks were started, by the first move or before it.
func (g *Game) Begun() bool { return g.clock.begun }

// Flipped reports whether the board is turned round, so that White's first rank is far from White's side.
func (g *Game) Flipped() bool { return g.flipped }

// Seal is a side's last signature over the moves, "" when it gave none since the last takeback.
func (g *Game) Seal(side Side) string { return g.seals[side.Color()] }

// SealAt is the signature that the side gave which made the move that led to this ply, 1 to Plies; "" when none is
// known.
func (g *Game) SealAt(ply int) string {
	mover := SideOf(g.at(ply - 1).Turn())
	for _, s := range slices.Backward(g.stamps) {
		if s.ply == ply && s.by == mover {
			return s.seal
		}
	}
	return ""
}

// Takebacks is how many takebacks were carried out.
func (g *Game) Takebacks() int { return g.takebacks }

// Offer is whose draw offer stands. Where both do it is that of the side not to move.
func (g *Game) Offer() Side {
	for _, side := range []Side{g.Turn().Other(), g.Turn()} {
		if g.offers[side.Color()] && !g.Over() {
			return side
		}
	}
	return Nobody
}

// DeclinedDraw is the side whose draw offer was declined here since the last move.
func (g *Game) DeclinedDraw() Side {
	for _, side := range []Side{White, Black} {
		if g.declined[side.Color()] && !g.Over() && !g.setup.Here(side) {
			return side
		}
	}
	return Nobody
}

// TakebackRequest is one side's open request to take moves back to Ply; false when it has none.
func (g *Game) TakebackRequest(side Side) (number, ply int, open bool) {
	a := g.asks[side.Color()]
	return a.number, a.to, a.open && !g.Over()
}

// DeclinedTakeback is the number of the last request of the other side that this side declined; 0 for none.
func (g *Game) DeclinedTakeback(side Side) int { return g.refused[side.Color()] }

func (g *Game) last() *rules.Position { return g.at(len(g.line)) }

func (g *Game) at(ply int) *rules.Position {
	if ply == 0 {
		return &g.start
	}
	return &g.line[ply-1].pos
}

// clone is a game that can be applied to without changing g.
func (g *Game) clone() *Game {
	c := *g
	c.line, c.stamps = slices.Clip(c.line), slices.Clip(c.stamps)
	return &c
}

// After is the game as it would be after these events. Nothing is changed.
func (g *Game) After(events []Event) (*Game, error) {
	c := g.clone()
	for _, e := range events {
		if err := c.Apply(e); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func each[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = f(a)
	}
	return out
}
