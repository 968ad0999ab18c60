// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"boardd/hardware/virtual"
	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// How long the hands wait for a board to show what it should: until they touch the pieces once more, and after that.
const (
	looksAgain = 5 * time.Second
	patience   = 20 * time.Second

	ponders    = 700 * time.Millisecond // how long a virtual person thinks before a move
	looksAfter = time.Second            // and after how long it looks at its board again though nothing has changed
)

// Board is a virtual board at which hands play, and what it shows.
type Board struct {
	ID       string
	Virtual  *virtual.Board
	Geometry *wood.Geometry
	Turned   func() bool            // the game lies the other way round; nil: it never does
	Moved    func(error) error      // is told how each movement of the wood ended
	Game     func() []byte          // what the board published last, in JSON; nil: nothing yet
	Changed  func() <-chan struct{} // closed when it shows something else
	Ask      func(context.Context, wire.Command) wire.Reply
}

// under is the place of the board under a place of the game.
func (b *Board) under(q wood.Place) wood.Place {
	if b.Turned != nil && b.Turned() {
		return wood.PlaceAt(q.Deck(), 63-q.Square())
	}
	return q
}

// stands is what stands on the places of the game.
func (b *Board) stands() (w wood.Wood) {
	there := b.Virtual.Wood()
	for q := range wood.Place(wood.Places) {
		w[q] = there[b.under(q)]
	}
	return w
}

// do carries out one act, which names places of the game.
func (b *Board) do(a hands.Act) error {
	a.Place = b.under(a.Place)
	return Do(b.Virtual, a)
}

// Do carries out one act of hands at a virtual board.
func Do(b *virtual.Board, a hands.Act) error {
	hand := map[hands.Hand]string{hands.Left: "left", hands.Right: "right"}[a.Hand]
	switch a.Do {
	case hands.Lift:
		return b.Lift(hand, a.Place.Deck(), a.Place.Square(), a.Count)
	case hands.Put:
		return b.Place(hand, a.Place.Deck(), a.Place.Square())
	case hands.Discard:
		return b.Discard(hand)
	case hands.Take:
		return b.Take(hand, []byte(a.Pieces))
	case hands.Graze, hands.Knock:
		b.Knock(a.Place.Deck(), a.Place.Square(), a.Span)
	case hands.Adjust:
		b.Adjust(a.Place.Deck(), a.Place.Square())
	case hands.Hover:
		b.HoldOver(a.Place.Square(), a.Span)
	default:
		return fmt.Errorf("these hands cannot do %v", a)
	}
	return nil
}

// player is the pair of virtual hands at one board, and what the board shows.
type player struct {
	b      *Board
	person hands.Person
	style  *hands.Style // nil: tidy
	moved  []wood.Place // where the hands have put something down for the last ply
	out    io.Writer    // is told what the board had to be shown twice
}

// newPlayer makes a pair of hands that move as a level of physics says. Acts that would be taken for another move for
// a while, and be published as one, are left out. These are a change of mind, a dropped piece, and a reply before the
// move is accepted.
func newPlayer(out io.Writer, b *Board, pace float64, level string, seed uint64) *player {
	var style *hands.Style
	if level == "club" || level == "rough" {
		st := hands.StyleByName(level)
		st.Mind, st.Drop, st.QuickReply, st.PawnFirst = 0, 0, 0, 0
		st.Pace = st.Pace.Times(pace)
		style = &st
	}
	do := func(a hands.Act) error { return b.Moved(b.do(a)) }
	return &player{out: out, style: style, b: b, person: hands.Person{Do: do, Pace: hands.Brisk().Times(pace),
		Rand: rand.New(rand.NewPCG(seed, 7))}}
}

// game is what the board published last.
func (p *player) game() (g wire.Game, err error) {
	data := p.b.Game()
	if data == nil {
		return g, fmt.Errorf("board %s shows no game", p.b.ID)
	}
	return g, json.Unmarshal(data, &g)
}

// await waits until the board's game satisfies the condition.
func (p *player) await(ctx context.Context, what string, ok func(*wire.Game) bool) (wire.Game, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var g wire.Game
	for {
		changed := p.b.Changed()
		var err error
		if g, err = p.game(); err == nil && ok(&g) {
			return g, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return g, fmt.Errorf("board %s: waited in vain until %s; it shows ply %d, %s, squares %v", p.b.ID, what,
					len(g.Moves), g.Wood.State, g.Wood.Squares)
			}
			return g, ctx.Err()
		}
	}
}

// shows waits until the board shows the ply that the hands have made. A busy machine may not have seen a piece being
// lifted. So after a while the hands lift again what they have put down, as people do.
func (p *player) shows(ctx context.Context, what string, ok func(*wire.Game) bool) (wire.Game, error) {
	for range 2 {
		soon, cancel := context.WithTimeout(ctx, looksAgain)
		g, err := p.await(soon, what, ok)
		cancel()
		if err == nil || ctx.Err() != nil {
			return g, err
		}
		for _, q := range p.moved {
			fmt.Fprintf(p.out, "%s lifts %v once more: the board has not noticed it\n", p.b.ID, q)
			if err := p.person.Perform(ctx, []hands.Act{{Do: hands.Lift, Place: q, Count: 1},
				{Do: hands.Put, Place: q, After: time.Second}}); err != nil {
				return g, err
			}
		}
	}
	return p.await(ctx, what, ok)
}

// bring moves the wood by hand until it stands as the position has it.
func (p *player) bring(ctx context.Context, to *rules.Position) error {
	geometry := p.b.Geometry
	now := p.b.stands()
	want := geometry.Lay(to)
	p.moved = p.moved[:0]
	for q := range wood.Place(wood.Places) {
		if now[q] != want[q] && want[q] != "" {
			p.moved = append(p.moved, q)
		}
	}
	if p.style == nil {
		return p.person.Perform(ctx, hands.Plan(&now, &want))
	}
	err := p.person.Perform(ctx, hands.Vary(p.person.Rand, p.style, &now, &want))
	p.b.Virtual.Straighten()
	return err
}

// copies checks that the lights show every square on which the wood must change, and no other.
func (p *player) copies(to *rules.Position) error {
	now := p.b.stands()
	want := p.b.Geometry.Lay(to)
	differ := now.Diff(&want)
	f := p.b.Virtual.Lights()
	for q := range wood.Place(wood.Places) {
		c := f[q.Deck()][p.b.under(q).Square()]
		// the blue light of arrival, the amber one of departure
		asks := c.B > c.R && c.G > c.R || c.R > c.B && c.G > c.B && c.R > 100
		if differ.Has(q) && !asks {
			return fmt.Errorf("board %s: %v must be touched to copy the move, but its light is %v", p.b.ID, q, c)
		}
	}
	return nil
}

// File lets hands play a game on two boards. Each side's moves are made on its own board, and the other one copies
// what its lights ask. At the end the boards, what they say to the broker, and the file must agree.
func File(ctx context.Context, out io.Writer, brokerURL string, pace float64, level string, file *pgn.Game,
	boards []*Board) error {
	watch, err := watchTopics(brokerURL)
	if err != nil {
		return err
	}
	defer watch.stop()
	players := []*player{newPlayer(out, boards[0], pace, level, 1), newPlayer(out, boards[1], pace, level, 2)}
	for _, p := range players {
		p.b.Virtual.Straighten()
	}
	pos := file.Start
	for i, ply := range file.Plies {
		mover, copier := players[pos.Turn()], players[pos.Turn().Other()]
		name := pos.Coord(ply.Move)
		next := pos
		next.Play(ply.Move)
		if err := playPly(ctx, mover, copier, i, name, &next); err != nil {
			return fmt.Errorf("ply %d, %s (%s): %w", i+1, ply.SAN, name, err)
		}
		fmt.Fprintf(out, "%s %s%s\n", mover.b.ID, moveNumber(&pos), ply.SAN)
		pos = next
	}
	for _, p := range players {
		if _, err := p.await(ctx, "the wood shows the end",
			func(g *wire.Game) bool { return g.Wood.State == wire.Synced }); err != nil {
			return err
		}
	}
	return agree(ctx, file, players, watch)
}

func moveNumber(p *rules.Position) string {
	if p.Turn() == rules.White {
		return fmt.Sprintf("%d.", p.MoveNumber())
	}
	return fmt.Sprintf("%d...", p.MoveNumber())
}

func playPly(ctx context.Context, mover, copier *player, i int, name string, next *rules.Position) error {
	if _, err := mover.await(ctx, "it is ready",
		func(g *wire.Game) bool { return len(g.Moves) == i && g.Wood.State == wire.Synced }); err != nil {
		return err
	}
	if err := mover.bring(ctx, next); err != nil {
		return err
	}
	made := func(g *wire.Game) bool { return len(g.Moves) == i+1 }
	asks := func(g *wire.Game) bool { return g.Wood.State == wire.Asking }
	known := func(g *wire.Game) bool { return made(g) || asks(g) }
	g, err := mover.shows(ctx, "the move is recognised", known)
	for err == nil && !made(&g) {
		// The board asks which of several moves it was: the hands answer as a player does on the page.
		if r := mover.b.Ask(ctx, wire.Command{ID: "hands", Do: wire.DoAnswer, Move: name}); r.OK {
			g, err = mover.await(ctx, "the answer counts", made)
		} else if g, err = mover.game(); err == nil && asks(&g) {
			return errors.New(r.Error)
		} else if err == nil {
			g, err = mover.shows(ctx, "the move is recognised", known) // it has seen by now what it asked for
		}
	}
	if err != nil {
		return err
	}
	if got := g.Moves[i]; got != name {
		return fmt.Errorf("board %s recognised %s", mover.b.ID, got)
	}
	executing := func(g *wire.Game) bool { return made(g) && g.Wood.State == wire.Executing && len(g.Wood.Squares) > 0 }
	if _, err := copier.await(ctx, "it lights the move to copy", executing); err != nil {
		return err
	}
	if err := copier.lights(ctx, next); err != nil {
		return err
	}
	if err := copier.bring(ctx, next); err != nil {
		return err
	}
	_, err = copier.shows(ctx, "the copied move stands",
		func(g *wire.Game) bool { return made(g) && g.Wood.State == wire.Synced })
	return err
}

// lights waits until the lights ask for the move.
func (p *player) lights(ctx context.Context, next *rules.Position) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		changed := p.b.Changed()
		err := p.copies(next)
		if err == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return err
			}
			return ctx.Err() // told to stop: no fault of the lights
		}
	}
}
