// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules/game"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// player is a board without wood. It merges what it receives, answers with a random legal move after a second, and
// writes its journal before it publishes.
type player struct {
	t    *testing.T
	name string
	b    *bench
	r    *rand.Rand

	mu      sync.Mutex
	journal []game.Event
	m       *mirror.Mirror
	off     func() // ends the present life of the daemon
}

func newPlayer(t *testing.T, b *bench, name string, r *rand.Rand) *player {
	t.Helper()
	e, err := game.Start(game.Setup{ID: "g1", Variant: "locking", White: "north", Black: "south", Board: name},
		time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, b: b, name: name, r: r, journal: []game.Event{e}}
	p.on()
	return p
}

// on starts the daemon, from the journal.
func (p *player) on() {
	m, stop := p.b.run(mirror.Options{Board: p.name})
	other := map[string]string{"north": "south", "south": "north"}[p.name]
	m.Follow(other)
	g, err := game.Replay(p.journal)
	if err != nil {
		p.t.Error(err)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { p.live(g, m) })
	p.m, p.off = m, func() { stop(); wg.Wait() }
}

// live is the daemon's loop. It ends when the mirror ends.
func (p *player) live(g *game.Game, m *mirror.Mirror) {
	m.Publish(message(g))
	think := time.NewTimer(time.Second)
	for {
		var events []game.Event
		var err error
		select {
		case in, open := <-m.Incoming():
			if !open {
				return
			}
			if in.Game == nil {
				continue
			}
			events, err = g.Merge(heard(in.Board, in.Game), time.Now())
		case <-think.C:
			think.Reset(time.Second)
			if legal := g.Legal(); len(legal) > 0 && g.Setup().Here(g.Turn()) {
				events, err = g.Decide(game.Action{Do: game.Move, Move: legal[p.r.IntN(len(legal))]}, time.Now())
			}
		}
		if err != nil {
			p.t.Error(err)
			return
		}
		p.commit(g, events)
		if len(events) > 0 {
			m.Publish(message(g))
		}
	}
}

func (p *player) commit(g *game.Game, events []game.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.journal = append(p.journal, events...)
	for _, e := range events {
		if err := g.Apply(e); err != nil {
			p.t.Error(err)
		}
	}
}

// moves returns the moves in the journal.
func (p *player) moves() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, err := game.Replay(p.journal)
	if err != nil {
		p.t.Error(err)
		return nil
	}
	return g.Coords()
}

// ended reports whether the journal holds a game that is over: random moves may mate early.
func (p *player) ended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, err := game.Replay(p.journal)
	return err == nil && g.Over()
}

func message(g *game.Game) wire.Game {
	p, start, s := g.Position(), g.Start(), g.Setup()
	return wire.Game{
		Schema: wire.Schema, Game: g.ID(), Variant: s.Variant, Seats: wire.Seats{White: s.White, Black: s.Black},
		Start: start.FEN(),
		Moves: g.Coords(), SAN: g.SAN(), FEN: p.FEN(), Turn: p.Turn().String(), Outcome: g.Outcome(),
		Reason: string(g.Reason()), Legal: g.Legal(),
	}
}

func heard(board string, g *wire.Game) game.RemoteGame {
	return game.RemoteGame{
		Board: board, ID: g.Game, Variant: g.Variant, White: g.Seats.White, Black: g.Seats.Black, Start: g.Start,
		Moves:   g.Moves,
		Outcome: g.Outcome, Reason: g.Reason,
	}
}

// seeds is how many games TestGameThroughABadNetwork plays, each with other troubles.
var seeds = flag.Uint64("seeds", 4, "games through a network and a broker with random troubles")

// TestGameThroughABadNetwork lets two boards play over a slow network. Its links break, its broker goes away for a
// minute and forgets everything, and the boards are switched off and on.
func TestGameThroughABadNetwork(t *testing.T) {
	games := *seeds
	if raceDetector {
		games = min(games, 2)
	}
	for seed := range games {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { badNetwork(t, rand.New(rand.NewPCG(seed, 3))) })
		})
	}
}

func badNetwork(t *testing.T, r *rand.Rand) {
	b := newSlowBench(t, 200*time.Millisecond)
	names := []string{"north", "south"}
	players := []*player{}
	for i, name := range names {
		players = append(players, newPlayer(t, b, name, rand.New(rand.NewPCG(r.Uint64(), uint64(i)))))
	}
	for range 15 {
		settle(time.Duration(r.IntN(20)) * time.Second)
		i := r.IntN(2)
		switch r.IntN(4) {
		case 0:
			b.Cut(names[i])
		case 1:
			b.Leave(true)
			b.Cut("north")
			b.Cut("south")
			settle(time.Minute)
			b.Leave(false)
		case 2: // what was retained is gone, as with a broker without a disk
			b.publish(wire.Topic(names[i], wire.LeafGame), "", true)
			b.Cut(names[i])
		case 3:
			players[i].off()
			settle(time.Duration(r.IntN(30)) * time.Second)
			players[i].on()
		}
		agree(t, players)
	}
	settle(2 * time.Minute)
	agree(t, players)
	north, south := players[0].moves(), players[1].moves()
	if d := len(north) - len(south); len(north) < 40 && !players[0].ended() || d < -1 || d > 1 {
		t.Errorf("%d and %d moves after all has healed, want at least 40 and nearly the same", len(north), len(south))
	}
	for _, p := range players {
		p.off()
	}
	settle(time.Second) // what is still on its way arrives
}

// agree checks that both journals hold prefixes of one game.
func agree(t *testing.T, players []*player) {
	t.Helper()
	x, y := players[0].moves(), players[1].moves()
	if n := min(len(x), len(y)); !slices.Equal(x[:n], y[:n]) {
		t.Fatalf("the boards hold %v and %v", x, y)
	}
}
