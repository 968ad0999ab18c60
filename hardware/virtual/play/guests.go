// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"boardd/rules"
)

// Guests holds the virtual persons who can play at the boards of a demo. The first one is at the last board, another
// at the board before it.
type Guests struct {
	mu   sync.Mutex
	list []*guest
	both atomic.Bool // more than one was asked to play
}

// guest is one of them.
type guest struct {
	ctx    context.Context // of the demo
	person Person
	log    *slog.Logger

	stop func() // nil: nobody sits there
	done chan struct{}
}

// NewGuests makes a guest for each board; nobody sits there yet. choose gives a legal move, NoMove where there is
// none. Where several play, whose game is watched, they begin at random, so that no two games are alike.
func NewGuests(ctx context.Context, boards []*Board, choose func(rules.Position) rules.Move,
	log *slog.Logger) *Guests {
	g := &Guests{}
	begin := func(p rules.Position) rules.Move {
		if moves := p.AppendMoves(nil); g.both.Load() && p.MoveNumber() <= atRandom && len(moves) > 0 {
			return moves[rand.IntN(len(moves))]
		}
		return choose(p)
	}
	for _, b := range slices.Backward(boards) {
		g.list = append(g.list, &guest{ctx: ctx, person: Person{Board: b, Choose: begin, Pace: unhurried}, log: log})
	}
	return g
}

const (
	atRandom  = 2   // moves of each side
	unhurried = 1.5 // times the pace of who knows what to do: people look on
)

// Persons is how many of them sit at a board.
func (g *Guests) Persons() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, one := range g.list {
		if one.sits() {
			n++
		}
	}
	return n
}

// SetPersons lets this many sit down, and the others get up, and waits until these have.
func (g *Guests) SetPersons(persons int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.both.Store(persons > 1)
	for i, one := range g.list {
		one.play(i < persons)
	}
}

func (g *guest) sits() bool {
	if g.stop == nil {
		return false
	}
	select {
	case <-g.done: // somebody else has touched the board
		return false
	default:
		return true
	}
}

// play lets the guest sit down, or get up and waits until it has.
func (g *guest) play(on bool) {
	if on == g.sits() {
		return
	}
	if !on {
		g.stop()
		<-g.done
		g.stop = nil
		return
	}
	ctx, stop := context.WithCancel(g.ctx)
	done := make(chan struct{})
	g.stop, g.done = stop, done
	go func() {
		defer close(done)
		if err := g.person.Sit(ctx); err != nil {
			g.log.Warn("the virtual person leaves the board", "board", g.person.Board.ID, "error", err)
		}
	}()
}
