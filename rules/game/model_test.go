// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
)

// schedules is how many random histories the model check plays. There are fewer under the race detector, which finds
// nothing in a package without goroutines and is many times slower.
var schedules = flag.Int("schedules", defaultSchedules, "random histories of two boards and a bad network")

// starts are positions from which games end soon in many ways, beside the arrays.
var starts = []struct{ variant, fen string }{
	{"chess", ""},
	{"chess", "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"},
	{"chess", "k7/8/1K6/8/8/8/8/7R w - - 0 1"},
	{"chess", "7k/6pp/8/8/8/8/1r6/R6K b - - 0 1"},
	{"chess", "7k/P7/8/8/8/8/7p/K7 w - - 0 1"},
	{"chess", "k7/8/8/8/8/8/1R6/K7 w - - 96 70"},
	{"locking", ""},
	{"pillar", ""},
	{"superchess", ""},
	{"flying", ""},
	{"meirav", ""},
}

// board is one board of the model: what is on its disk, and what it would lose in a crash.
type board struct {
	name string
	disk []game.Event
	g    *game.Game
}

// world is two boards and what is on the way between them. Messages are lost, doubled and overtake each other.
type world struct {
	r      *rand.Rand
	talk   int // how much is talked instead of moved, percent
	now    time.Time
	boards [2]*board
	mail   [2][]game.RemoteGame // by addressee
	trace  []string
}

func newWorld(seed uint64) (*world, error) {
	w := &world{r: rand.New(rand.NewPCG(seed, 6)), now: noon}
	w.talk = 10 + w.r.IntN(70)
	s := game.Setup{ID: "g", White: "north", Black: "south"}
	if w.r.IntN(2) == 0 {
		s.White, s.Black = "south", "north"
	}
	at := starts[w.r.IntN(len(starts))]
	s.Variant, s.Start = at.variant, at.fen
	if w.r.IntN(2) == 0 {
		kinds := []string{game.SuddenDeath, game.Fischer, game.Bronstein, game.Delay, game.Hourglass}
		s.Clock = &game.Timing{Kind: kinds[w.r.IntN(len(kinds))], Initial: 30000, Increment: 1000}
	}
	for i, name := range []string{"north", "south"} {
		s.Board = name
		e, err := game.Start(s, w.now)
		if err != nil {
			return nil, err
		}
		w.boards[i] = &board{name: name, disk: []game.Event{e}}
		if err := w.restart(i); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// restart gives a board the game that its disk holds.
func (w *world) restart(i int) (err error) {
	b := w.boards[i]
	b.g, err = game.Replay(b.disk)
	return err
}

// keep journals events; then they are acknowledged, and may happen, unless the board crashes first.
func (w *world) keep(i int, events []game.Event) error {
	b := w.boards[i]
	b.disk = append(b.disk, events...)
	if len(events) > 0 && w.r.IntN(20) == 0 {
		w.log("%s crashes after journalling", b.name)
		return w.restart(i)
	}
	for _, e := range events {
		w.log("%s: %s %s%s%s by %s, ply %d count %d number %d", b.name, e.Kind, e.Move, e.Outcome, e.Reason, e.By, e.Ply,
			e.Count, e.Number)
		if err := b.g.Apply(e); err != nil {
			return err
		}
	}
	if len(events) > 0 && w.r.IntN(4) > 0 {
		w.mail[1-i] = append(w.mail[1-i], b.say(w.now))
	}
	return nil
}

func (w *world) log(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

// say is a board's message, as it stands in the game topic.
func (b *board) say(now time.Time) game.RemoteGame {
	g, s := b.g, b.g.Setup()
	h := game.RemoteGame{
		Board: b.name, ID: g.ID(), Variant: s.Variant, White: s.White, Black: s.Black, Start: s.Start, Moves: g.Coords(),
		Outcome: g.Outcome(), Reason: string(g.Reason()), Offer: g.Offer(), Takebacks: g.Takebacks(),
		Paused: g.Paused(), Pauses: g.Pauses(),
	}
	if c, ok := g.Clocks(now); ok {
		white, black := c.White.Milliseconds(), c.Black.Milliseconds()
		h.WhiteLeft, h.BlackLeft, h.Running = &white, &black, c.Running != game.Nobody
	}
	for _, side := range []game.Side{game.White, game.Black} {
		if !s.Here(side) {
			continue
		}
		if number, ply, open := g.TakebackRequest(side); open {
			h.AskBy, h.AskNumber, h.AskTo = side, number, ply
		}
		h.Declined = g.DeclinedTakeback(side)
	}
	return h
}

// step lets one random thing happen.
func (w *world) step() error {
	w.now = w.now.Add(time.Duration(w.r.IntN(3000)) * time.Millisecond)
	i := w.r.IntN(2)
	k := w.r.IntN(100)
	switch {
	case k < 40:
		return w.act(i)
	case k < 44:
		w.mail[1-i] = append(w.mail[1-i], w.boards[i].say(w.now))
	case k < 47:
		w.log("%s crashes", w.boards[i].name)
		return w.restart(i)
	}
	if len(w.mail[i]) == 0 {
		return nil
	}
	if k < 52 { // lost
		n := w.r.IntN(len(w.mail[i]))
		w.mail[i] = slices.Delete(w.mail[i], n, n+1)
		return nil
	}
	return w.deliver(i)
}

// act lets the people at a board do something; most of it is refused, and then nothing happens.
func (w *world) act(i int) error {
	actions := []game.ActionKind{
		game.Resign, game.OfferDraw, game.AcceptDraw, game.DeclineDraw, game.ClaimDraw, game.Takeback, game.AcceptTakeback,
		game.DeclineTakeback, game.Abort, game.Flag, game.Pause, game.Resume, game.Takeback, game.Takeback,
		game.AcceptTakeback, game.AcceptTakeback,
		game.AcceptDraw,
	}
	a := game.Action{Do: game.Move}
	if w.r.IntN(100) < w.talk {
		a.Do = actions[w.r.IntN(len(actions))]
	}
	if a.Do == game.Move {
		legal := w.boards[i].g.Legal()
		if len(legal) == 0 {
			return nil
		}
		a.Move = legal[w.r.IntN(len(legal))]
	}
	if (a.Do == game.Resign || a.Do == game.Abort) && w.r.IntN(8) > 0 {
		return nil // games should last a while
	}
	if a.Do == game.Takeback {
		a.Plies = w.r.IntN(4)
	}
	events, err := w.boards[i].g.Decide(a, w.now)
	if err != nil {
		return nil
	}
	return w.keep(i, events)
}

// deliver hands a board any of its messages, which may come again.
func (w *world) deliver(i int) error {
	n := len(w.mail[i]) - 1
	if w.r.IntN(3) == 0 {
		n = w.r.IntN(n + 1) // overtaken by later ones
	}
	h := w.mail[i][n]
	if w.r.IntN(4) > 0 {
		w.mail[i] = slices.Delete(w.mail[i], n, n+1)
	}
	return w.hear(i, h)
}

func (w *world) hear(i int, h game.RemoteGame) error {
	events, err := w.boards[i].g.Merge(h, w.now)
	if err != nil {
		return fmt.Errorf("%s hears %v %s %s takebacks %d: %w", w.boards[i].name, h.Moves, h.Outcome, h.Reason, h.Takebacks,
			err)
	}
	return w.keep(i, events)
}

// agree checks that both boards hold prefixes of one game, as far as they know of the same takebacks.
func (w *world) agree() error {
	a, b := w.boards[0].g, w.boards[1].g
	if a.Takebacks() != b.Takebacks() {
		return nil
	}
	x, y := a.Coords(), b.Coords()
	n := min(len(x), len(y))
	if !slices.Equal(x[:n], y[:n]) {
		return fmt.Errorf("the boards hold %v and %v", x, y)
	}
	return nil
}

// durable checks that a board that crashed now would come back with what it has acknowledged.
func (w *world) durable() error {
	for _, b := range w.boards {
		again, err := game.Replay(b.disk)
		if err != nil {
			return err
		}
		if !slices.Equal(again.Coords(), b.g.Coords()) || again.Outcome() != b.g.Outcome() {
			return fmt.Errorf("%s holds %v, its disk %v", b.name, b.g.Coords(), again.Coords())
		}
	}
	return nil
}

// heal lets the network work again: each board's latest message arrives until nobody learns anything.
func (w *world) heal() error {
	w.log("the network heals")
	for range 12 {
		for i := range w.boards {
			if err := w.hear(i, w.boards[1-i].say(w.now)); err != nil {
				return err
			}
		}
	}
	a, b := w.boards[0].g, w.boards[1].g
	if !slices.Equal(a.Coords(), b.Coords()) || a.Outcome() != b.Outcome() || a.Reason() != b.Reason() ||
		a.Takebacks() != b.Takebacks() {
		return fmt.Errorf("after healing: %v %s %s and %v %s %s", a.Coords(), a.Outcome(), a.Reason(), b.Coords(),
			b.Outcome(), b.Reason())
	}
	return w.sameClocks()
}

// sameClocks checks that both boards stop and run together, and show the same when the game has ended. A clock that
// runs may differ by what a message needs.
func (w *world) sameClocks() error {
	a, b := w.boards[0].g, w.boards[1].g
	x, timed := a.Clocks(w.now)
	y, _ := b.Clocks(w.now)
	if !timed {
		return nil
	}
	if a.Over() && (x.White != y.White || x.Black != y.Black) || !a.Over() &&
		(x.Paused != y.Paused || x.Running != y.Running) {
		return fmt.Errorf("after healing the clocks are %+v and %+v, %s by %s, setup %+v", x, y, a.Outcome(), a.Reason(),
			a.Setup().Clock)
	}
	return nil
}

func (w *world) run() error {
	for range 120 {
		if err := w.step(); err != nil {
			return err
		}
		if err := w.agree(); err != nil {
			return err
		}
	}
	return errors.Join(w.durable(), w.heal(), w.durable())
}

// TestTwoBoardsAndABadNetwork is the model check. Messages are lost, doubled or late, and crashes forget things. Both
// boards always hold prefixes of one legal game, agree when the network is repaired, and lose nothing of their
// journals.
func TestTwoBoardsAndABadNetwork(t *testing.T) {
	ends, takebacks, moves := map[string]int{}, 0, 0
	for seed := range *schedules {
		w, err := newWorld(uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.run(); err != nil {
			t.Fatalf("schedule %d: %v\n%s", seed, err, strings.Join(w.trace, "\n"))
		}
		g := w.boards[0].g
		ends[string(g.Reason())]++
		takebacks += g.Takebacks()
		moves += g.Plies()
	}
	t.Logf("%d schedules, %d moves, %d takebacks, ends %v", *schedules, moves, takebacks, ends)
	for _, want := range []string{"", "checkmate", "resignation", "agreement", "aborted", "time"} {
		if ends[want] == 0 {
			t.Errorf("no schedule ends by %q: the check does not reach it", want)
		}
	}
}
