// SPDX-License-Identifier: Apache-2.0

package game

import (
	"fmt"
	"slices"

	"boardd/rules"
)

// Apply lets an event happen. An event that Decide or Merge just made never fails; one from a damaged journal may, and
// then nothing has changed.
func (g *Game) Apply(e Event) error {
	switch e.Kind {
	case Moved:
		return g.applyMoved(e)
	case TakenBack, Settled:
		return g.applyTakenBack(e)
	case Asked, AskDeclined:
		return g.applyAsk(e)
	case Offered:
		g.offers[e.By.Color()] = true
	case Declined:
		g.decline(e.By.Other())
	case Ended:
		g.endTold = g.endTold || e.Remote
		end := join(g.end, End{e.Outcome, rules.Result(e.Reason)})
		if end != g.end {
			g.endVia = way(e.Via, e.Remote)
		}
		g.finish(end, e.Spent)
	case Sealed:
		g.applySealed(e)
	case Timed:
		g.tell(e)
	case Paused:
		g.clock.hold(ms(e.Spent))
		g.pauses, g.why = max(g.pauses, e.Count), e.Reason
	case Resumed:
		g.clock.resume(e.At)
		g.pauses, g.why = max(g.pauses, e.Count), ""
	case OutageEnded:
		g.clock.used, g.clock.since = ms(e.Spent), e.At
	case Flipped:
		g.flipped = !g.flipped
	case Named:
		if e.Names != nil {
			g.names = *e.Names
		}
	default:
		return fmt.Errorf("apply event %q to game %s: this version does not know it", e.Kind, g.ID())
	}
	return nil
}

// applyMoved adds a move. After the end only a move of another board is taken, one that it made before it knew.
func (g *Game) applyMoved(e Event) error {
	if g.Over() && (!e.Remote || g.end.byBoard()) {
		return fmt.Errorf("apply move %s to game %s: it ended %s by %s", e.Move, g.ID(), g.end.Outcome, g.end.Reason)
	}
	p := *g.last()
	m, err := e.made, error(nil)
	if m == rules.NoMove || e.ply != len(g.line)+1 {
		m, err = find(&p, e.Move)
	}
	if err != nil {
		return fmt.Errorf("apply move %d of game %s: %w", len(g.line)+1, g.ID(), err)
	}
	mover := g.Turn()
	s := step{move: m, coord: coordOf(&p, m, &e), san: p.SAN(m), at: e.At, remote: e.Remote, via: e.Via}
	p.Play(m)
	s.pos = p
	g.clock.press(mover, ms(e.Spent), e.At)
	if e.Left != nil {
		g.clock.tell(mover, ms(*e.Left))
	}
	s.clock = g.clock
	g.line = append(g.line, s)
	g.offers[mover.Other().Color()] = false
	g.declined[mover.Other().Color()] = false
	g.finish(join(g.end, g.onBoard()), 0)
	return nil
}

// coordOf is the coordinate form of a move, which an event that was just decided has.
func coordOf(p *rules.Position, m rules.Move, e *Event) string {
	if e.made == m {
		return e.Move
	}
	return p.Coord(m)
}

// find is the legal move of a coordinate form; much faster than ParseMove, which understands more and explains what is
// wrong.
func find(p *rules.Position, coord string) (rules.Move, error) {
	if len(coord) >= 4 {
		from, err := rules.ParseSquare(coord[:2])
		for _, m := range p.AppendMoves(nil) {
			if err == nil && m.From() == from && p.Coord(m) == coord {
				return m, nil
			}
		}
	}
	return p.ParseMove(coord)
}

// finish sets the end, if there is one, and stops the clock. Offers and requests stay: the other board may have
// answered them before it knew of the end.
func (g *Game) finish(end End, spent int64) {
	g.end = end
	if !end.over() {
		return
	}
	if !g.clock.stopped {
		g.clock.used = ms(spent)
	}
	g.clock.stopped = true
}

// applyTakenBack shortens the list and turns the clocks back with it. What ended the game was taken back as well.
func (g *Game) applyTakenBack(e Event) error {
	if e.Ply < 0 || e.Ply > len(g.line) {
		return fmt.Errorf("take game %s back to ply %d: it has %d", g.ID(), e.Ply, len(g.line))
	}
	now := g.clock
	g.clock = g.first
	if e.Ply > 0 {
		g.clock = g.line[e.Ply-1].clock
	}
	g.clock.paused, g.clock.begun = now.paused, now.begun
	g.clock.used, g.clock.since = 0, e.At
	g.line = g.line[:e.Ply:e.Ply]
	g.end, g.endTold, g.endVia, g.takebacks = End{}, false, "", e.Count
	g.clock.stopped = false
	g.offers, g.declined, g.seals = [2]bool{}, [2]bool{}, [2]string{}
	g.stamps = slices.DeleteFunc(slices.Clone(g.stamps), func(s stamp) bool { return s.ply > e.Ply })
	g.asks[0].open, g.asks[1].open = false, false
	g.finish(g.onBoard(), 0)
	return nil
}

// applySealed keeps a signature. One that was given with a move stays with the move.
func (g *Game) applySealed(e Event) {
	g.seals[e.By.Color()] = e.Seal
	if e.Ply > 0 && e.Ply <= len(g.line) && SideOf(g.at(e.Ply-1).Turn()) == e.By {
		g.stamps = append(g.stamps, stamp{e.Ply, e.By, e.Seal})
	}
}

func (g *Game) applyAsk(e Event) error {
	if e.By != White && e.By != Black {
		return fmt.Errorf("apply event %q to game %s: by %q, want white or black", e.Kind, g.ID(), e.By)
	}
	if e.Kind == Asked {
		g.asks[e.By.Color()] = ask{e.Number, e.Ply, true}
		return nil
	}
	g.refused[e.By.Color()] = max(g.refused[e.By.Color()], e.Number)
	if a := &g.asks[e.By.Other().Color()]; a.number <= e.Number {
		a.open = false
	}
	return nil
}

// decline closes a side's draw offer and remembers it. So neither a repeated message nor the offerer's next move,
// which still has the offer, opens it again. For the other board the offer stands until a move answers it.
func (g *Game) decline(offerer Side) {
	g.offers[offerer.Color()] = false
	g.declined[offerer.Color()] = true
}

func (g *Game) tell(e Event) {
	if e.Left == nil {
		return
	}
	if c := &g.clock; c.stopped && c.timing != nil && c.timing.Kind == Hourglass {
		total := g.shown(White, e.At) + g.shown(Black, e.At)
		c.used, c.of(e.By).left, c.of(e.By.Other()).left = 0, ms(*e.Left), max(0, total-ms(*e.Left))
		return
	}
	g.clock.tell(e.By, ms(*e.Left))
	if e.By == g.Turn() {
		g.clock.used, g.clock.since = 0, e.At
	}
}
