// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// How long the hands wait for a board to show what it should: until they touch once more what it has not noticed, and after that.
const (
	looksAgain = 5 * time.Second
	patience   = 20 * time.Second
)

// player is the pair of virtual hands at one board, and what the board shows.
type player struct {
	b      *board
	person hands.Person
	style  *hands.Style // nil: tidy
	moved  []wood.Place // where the hands have put something down for the last ply
	out    io.Writer    // is told what the board had to be shown twice
}

// newPlayer makes a pair of hands that move as a level of physics says. What would be taken for another move for a while, and
// published as one, is left out: a change of mind, a piece dropped, a reply before the move is accepted.
func newPlayer(out io.Writer, b *board, pace float64, level string, seed uint64) *player {
	var style *hands.Style
	if level == "club" || level == "rough" {
		st := hands.StyleByName(level)
		st.Mind, st.Drop, st.QuickReply, st.PawnFirst = 0, 0, 0, 0
		st.Pace = st.Pace.Times(pace)
		style = &st
	}
	h := b.hands()
	do := func(a hands.Act) error {
		left := a.Hand == hands.Left
		switch a.Do {
		case hands.Lift:
			return h.Lift(left, a.Place.Deck(), a.Place.Square(), a.Count)
		case hands.Put:
			return h.Place(left, a.Place.Deck(), a.Place.Square())
		case hands.Discard:
			return h.Discard(left)
		case hands.Graze, hands.Knock:
			b.rig.Virtual.Knock(a.Place.Deck(), a.Place.Square(), a.Span)
			return nil
		case hands.Adjust:
			b.rig.Virtual.Adjust(a.Place.Deck(), a.Place.Square())
			return nil
		case hands.Hover:
			b.rig.Virtual.HoldOver(a.Place.Square(), a.Span)
			return nil
		}
		return h.Take(left, []byte(a.Pieces))
	}
	return &player{out: out, style: style, b: b, person: hands.Person{Do: do, Pace: hands.Brisk().Times(pace), Rand: rand.New(rand.NewPCG(seed, 7))}}
}

// game is what the board published last.
func (p *player) game() (g wire.Game, err error) {
	data := p.b.feed.Get("game")
	if data == nil {
		return g, fmt.Errorf("board %s shows no game", p.b.id)
	}
	return g, json.Unmarshal(data, &g)
}

// await waits until the board's game satisfies the condition.
func (p *player) await(ctx context.Context, what string, ok func(*wire.Game) bool) (wire.Game, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var g wire.Game
	for {
		changed := p.b.feed.Changed()
		var err error
		if g, err = p.game(); err == nil && ok(&g) {
			return g, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return g, fmt.Errorf("board %s: waited in vain until %s; it shows ply %d, %s, squares %v", p.b.id, what, len(g.Moves), g.Wood.State, g.Wood.Squares)
			}
			return g, ctx.Err()
		}
	}
}

// shows waits until the board shows the ply that the hands have made. Where it does not for long, on a machine with so much to do that it has not seen a
// piece being lifted, they lift once more what they have put down, as people do.
func (p *player) shows(ctx context.Context, what string, ok func(*wire.Game) bool) (wire.Game, error) {
	for range 2 {
		soon, cancel := context.WithTimeout(ctx, looksAgain)
		g, err := p.await(soon, what, ok)
		cancel()
		if err == nil || ctx.Err() != nil {
			return g, err
		}
		for _, q := range p.moved {
			fmt.Fprintf(p.out, "%s lifts %v once more: the board has not noticed it\n", p.b.id, q)
			if err := p.person.Perform(ctx, []hands.Act{{Do: hands.Lift, Place: q, Count: 1}, {Do: hands.Put, Place: q, After: time.Second}}); err != nil {
				return g, err
			}
		}
	}
	return p.await(ctx, what, ok)
}

// bring moves the wood by hand until it stands as the position has it.
func (p *player) bring(ctx context.Context, to *rules.Position) error {
	geometry := p.b.rig.Geometry
	stands := p.b.rig.Virtual.Wood()
	now := stands.Piles()
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
	p.b.rig.Virtual.Straighten()
	return err
}

// copies checks that the lights show every square on which the wood must change, and no other.
func (p *player) copies(to *rules.Position) error {
	stands := p.b.rig.Virtual.Wood()
	now := stands.Piles()
	want := p.b.rig.Geometry.Lay(to)
	differ := now.Diff(&want)
	f := p.b.rig.Virtual.Lights()
	for q := range wood.Place(wood.Places) {
		c := f[q.Deck()][q.Square()]
		asks := c.B > c.R && c.G > c.R || c.R > c.B && c.G > c.B && c.R > 100 // the blue light of arrival, the amber one of departure
		if differ.Has(q) && !asks {
			return fmt.Errorf("board %s: %v must be touched to copy the move, but its light is %v", p.b.id, q, c)
		}
	}
	return nil
}

// playFile lets hands play a game on two boards: each side's moves are made on its own board, and the other one copies what
// its lights ask for. At the end the boards, what they say to the broker, and the file must agree.
func playFile(ctx context.Context, out io.Writer, brokerURL string, pace float64, level string, file *pgn.Game, boards []*board) error {
	watch, err := watchTopics(brokerURL)
	if err != nil {
		return err
	}
	defer watch.stop()
	players := []*player{newPlayer(out, boards[0], pace, level, 1), newPlayer(out, boards[1], pace, level, 2)}
	for _, p := range players {
		p.b.rig.Virtual.Straighten()
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
		fmt.Fprintf(out, "%s %s%s\n", mover.b.id, moveNumber(&pos), ply.SAN)
		pos = next
	}
	for _, p := range players {
		if _, err := p.await(ctx, "the wood shows the end", func(g *wire.Game) bool { return g.Wood.State == wire.Synced }); err != nil {
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
	if _, err := mover.await(ctx, "it is ready", func(g *wire.Game) bool { return len(g.Moves) == i && g.Wood.State == wire.Synced }); err != nil {
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
		if r := mover.b.ask(ctx, wire.Command{ID: "hands", Do: wire.DoAnswer, Move: name}); r.OK {
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
		return fmt.Errorf("board %s recognised %s", mover.b.id, got)
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
	_, err = copier.shows(ctx, "the copied move stands", func(g *wire.Game) bool { return made(g) && g.Wood.State == wire.Synced })
	return err
}

// lights waits until the lights ask for the move.
func (p *player) lights(ctx context.Context, next *rules.Position) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		changed := p.b.feed.Changed()
		err := p.copies(next)
		if err == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return err
		}
	}
}

// topics hears what the boards say to the broker, as any spectator can.
type topics struct {
	client mqtt.Client
	mu     sync.Mutex
	said   map[string]wire.Game // guarded by mu
	news   chan struct{}        // capacity 1: something was said
}

func watchTopics(url string) (*topics, error) {
	w := &topics{said: map[string]wire.Game{}, news: make(chan struct{}, 1)}
	o := mqtt.NewClientOptions().AddBroker(url).SetClientID("boardd-demo-spectator").SetConnectTimeout(patience)
	w.client = mqtt.NewClient(o)
	if t := w.client.Connect(); !t.WaitTimeout(patience) || t.Error() != nil {
		return nil, fmt.Errorf("the spectator cannot connect to %s: %v", url, t.Error())
	}
	t := w.client.Subscribe(wire.Topic("+", wire.LeafGame), 1, w.hear)
	if !t.WaitTimeout(patience) || t.Error() != nil {
		w.stop()
		return nil, fmt.Errorf("the spectator cannot subscribe at %s: %v", url, t.Error())
	}
	return w, nil
}

func (w *topics) stop() { w.client.Disconnect(100) }

// hear keeps the newest game of each board. It runs on the client's goroutine and never blocks.
func (w *topics) hear(_ mqtt.Client, m mqtt.Message) {
	board, _, err := wire.ParseTopic(m.Topic())
	if err != nil {
		return
	}
	g, err := wire.DecodeGame(m.Payload())
	if err != nil {
		return // a topic that cannot be read does not agree: that is found at the end
	}
	w.mu.Lock()
	w.said[board] = g
	w.mu.Unlock()
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// agree checks that file, boards and topics hold the same moves and the same result.
func agree(ctx context.Context, file *pgn.Game, players []*player, w *topics) error {
	var want []string
	pos := file.Start
	for _, ply := range file.Plies {
		want = append(want, pos.Coord(ply.Move))
		pos.Play(ply.Move)
	}
	result := string(pos.Result())
	check := func(who string, g *wire.Game) error {
		if !slices.Equal(g.Moves, want) {
			return fmt.Errorf("%s holds the moves %v, the file %v", who, g.Moves, want)
		}
		if g.Reason != result {
			return fmt.Errorf("%s says the result is %q, the rules say %q", who, g.Reason, result)
		}
		if result != "" && file.Result != "*" && g.Outcome != file.Result {
			return fmt.Errorf("%s says %s, the file %s", who, g.Outcome, file.Result)
		}
		return nil
	}
	for _, p := range players {
		g, err := p.game()
		if err == nil {
			err = check("board "+p.b.id, &g)
		}
		if err != nil {
			return err
		}
	}
	return w.agree(ctx, players, check)
}

// agree waits until each board's topic says the same as the file.
func (w *topics) agree(ctx context.Context, players []*player, check func(string, *wire.Game) error) error {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		var wrong error
		for _, p := range players {
			w.mu.Lock()
			g := w.said[p.b.id]
			w.mu.Unlock()
			if err := check("topic "+wire.Topic(p.b.id, wire.LeafGame), &g); err != nil {
				wrong = err
			}
		}
		if wrong == nil {
			return nil
		}
		select {
		case <-w.news:
		case <-limit.C:
			return wrong
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
