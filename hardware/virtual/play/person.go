// SPDX-License-Identifier: Apache-2.0

package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sync/wire"
)

// Person is a virtual person at a board. It follows the lights, moves by hand, and says yes to all requests except a
// draw.
type Person struct {
	Board  *Board
	Choose func(rules.Position) rules.Move // a legal move; NoMove where there is none
	Pace   float64                         // of the hands
}

// Sit plays at the board until ctx ends, or until somebody else touches it: then the board is theirs.
func (p *Person) Sit(ctx context.Context) error {
	h := newPlayer(io.Discard, p.Board, p.Pace, "tidy", 3)
	left := p.stands() // as these hands left it
	h.person.Do = func(a hands.Act) error {
		if p.stands() != left {
			return errTouched
		}
		err := p.Board.do(a)
		left = p.stands()
		return p.Board.Moved(err)
	}
	answered := ""
	for ctx.Err() == nil {
		changed := p.Board.Changed()
		if p.stands() != left {
			return nil
		}
		g, err := h.game()
		if err != nil {
			return err
		}
		before := left
		acted, err := p.act(ctx, h, &g, &answered)
		if errors.Is(err, errTouched) {
			return nil
		}
		if err != nil {
			return withoutEnd(ctx, err)
		}
		if acted && left != before {
			continue
		}
		select {
		case <-changed:
		case <-time.After(looksAfter):
		case <-ctx.Done():
		}
	}
	return nil
}

// stands is what stands on the board, and what its hands hold.
func (p *Person) stands() any {
	b := p.Board.Virtual
	return [3]any{b.Wood(), string(b.Hand("left")), string(b.Hand("right"))}
}

// withoutEnd drops an error that comes of having been told to stop.
func withoutEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// act does the next thing that the board asks for, and reports whether there was one.
func (p *Person) act(ctx context.Context, h *player, g *wire.Game, answered *string) (bool, error) {
	v, err := rules.ByID(g.Variant)
	if err != nil {
		return false, err
	}
	pos, err := v.ParseFEN(g.FEN)
	if err != nil {
		return false, err
	}
	if p.reply(ctx, g, answered) {
		return true, nil
	}
	switch {
	case (g.Wood.State == wire.Executing || g.Wood.State == wire.Setup || g.Wood.State == wire.Wrong) &&
		len(g.Wood.Squares) > 0:
		return true, p.bring(ctx, h, &pos)
	case g.Wood.State != wire.Synced || g.Outcome != "" || g.Paused || g.Seats.By(g.Turn) != p.Board.ID:
		return false, nil
	}
	m := p.Choose(pos)
	if m == rules.NoMove {
		return false, nil
	}
	select {
	case <-time.After(ponders):
	case <-ctx.Done():
		return false, nil
	}
	next, name := pos, pos.Coord(m)
	next.Play(m)
	if err := p.bring(ctx, h, &next); err != nil {
		return true, err
	}
	n := len(g.Moves)
	now, err := h.shows(ctx, "the move is recognised",
		func(g *wire.Game) bool { return len(g.Moves) != n || g.Wood.State == wire.Asking || g.Outcome != "" })
	if err == nil && now.Wood.State == wire.Asking {
		p.Board.Ask(ctx, wire.Command{ID: "person", Do: wire.DoAnswer, Move: name})
	}
	return true, err
}

// errTouched is why these hands leave a board: somebody else moves its wood.
var errTouched = errors.New("somebody else touches the board")

// bring moves the wood until it stands as a position has it, and sees whether it does.
func (p *Person) bring(ctx context.Context, h *player, to *rules.Position) error {
	if err := h.bring(ctx, to); err != nil {
		return err
	}
	if p.Board.stands() != p.Board.Geometry.Lay(to) {
		return errTouched
	}
	return nil
}

// reply answers what the other side asks, once, and reports whether there was something to answer.
func (p *Person) reply(ctx context.Context, g *wire.Game, answered *string) bool {
	says := map[string]string{"takeback": wire.DoAcceptTakeback, "draw": wire.DoDeclineDraw}
	for _, r := range g.Requests {
		key := fmt.Sprint(g.Game, len(g.Moves), r.What, r.By, r.Number, g.Takebacks)
		if g.Seats.By(r.By) == p.Board.ID || key == *answered {
			continue
		}
		*answered = key
		p.Board.Ask(ctx, wire.Command{ID: "person", Do: cmp.Or(says[r.What], wire.DoAccept)})
		return true
	}
	return false
}
