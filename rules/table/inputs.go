// SPDX-License-Identifier: Apache-2.0

package table

import (
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table/solving"
	"boardd/sensing"
	"fmt"
	"slices"
	"strings"
	"time"
)

// take begins an input.
func (t *Table) take(now time.Time) { t.now, t.via = now, "" }

// as says by which way that was given which is taken in from now on, until back.
func (t *Table) as(via string) (back func()) {
	was := t.via
	t.via = via
	return func() { t.via = was }
}

// Sense takes in a reading and looks at the wood. On a busy machine readings come late and out of order. Each counts
// from the time at which it was taken, but the wood is looked at as it is when the reading has come.
func (t *Table) Sense(now time.Time, r *sensing.Reading) []Effect {
	t.take(now)
	t.observe(r)
	t.look(r.At)
	return t.finish()
}

// Observe takes in a reading without looking at the wood yet.
func (t *Table) Observe(r *sensing.Reading) []Effect {
	t.observe(r)
	return t.finish()
}

func (t *Table) observe(r *sensing.Reading) {
	if t.game.Flipped() {
		turned := turn(r)
		r = &turned
	}
	t.decoder.Observe(r)
	t.do(Sensed{*r})
}

// Message is what another board publishes of its game.
type Message struct {
	Game     game.RemoteGame
	Seals    Seals
	Said     string   // its signature over what it asks and answers, "" for none
	Conflict string   // what contradicts the game there
	Request  *Request // its open request that has a number, nil for none
	Answered Reply    // its answer to the last request of this board
}

// Receive merges the game that the other board publishes. The message may be an old one.
func (t *Table) Receive(now time.Time, m Message) []Effect {
	t.take(now)
	t.hear(m)
	return t.finish()
}

// ReceiveAgain takes in the last message of the other board again, after the set of believed keys has changed.
func (t *Table) ReceiveAgain(now time.Time) []Effect {
	t.take(now)
	m, ok := t.rivals[t.rival()]
	if d := t.clash.doubt; d != nil && d.Board == t.rival() {
		m, ok = d.message, true
		t.clash.doubt = nil // whoever is believed now, it is judged anew
	}
	if ok {
		m.Game.Old = true
		t.hear(m)
	}
	return t.finish()
}

// Look looks at the wood after nothing has come in for a while.
func (t *Table) Look(now time.Time) []Effect {
	t.take(now)
	t.look(now)
	return t.finish()
}

// Tick does what is due at a time, without any other input.
func (t *Table) Tick(now time.Time) []Effect {
	t.take(now)
	t.loseOnTime()
	if t.store.broken != nil && now.Sub(t.store.retried) > retryEvery {
		t.store.retried = now
		t.do(Retry{})
	}
	t.republishNow()
	t.missRival()
	t.queen(now)
	t.playThought()
	t.startClock()
	t.drill()
	t.sayHint()
	return t.finish()
}

// Press takes in a push of a clock button: what rests on the board is then the move of that side. Before the first
// move it starts the clock. If the side to move holds its own button down, it gets a hint, or is told why there is
// none.
func (t *Table) Press(now, at time.Time, side game.Side, held bool) []Effect {
	t.take(now)
	defer t.as(game.ByHand)()
	if held {
		t.hold.pressed = false
		err := say.Error("hint: it is not your turn")
		if side == t.game.Turn() {
			err = t.commandHint()
		}
		if err != nil {
			t.hint.refusedAt, t.hint.refused = t.now, side
			t.tell(Event{Kind: Offer, Text: say.Of(err)})
		}
		return t.finish()
	}
	if c, ok := t.game.Clocks(at); ok && c.Running == game.Nobody && t.game.Plies() == 0 && side != t.game.Turn() {
		if err := t.decide(game.Action{Do: game.Resume}, elsewhere); err != nil {
			t.do(Warn{"the clock does not start", []any{"error", err}})
		}
		return t.finish()
	}
	if side == t.game.Turn().Other() && t.playOn() {
		return t.finish()
	}
	if side == t.game.Turn() {
		t.decoder.PressClock()
		t.hold.pressed = true
		t.look(t.seen())
	}
	return t.finish()
}

// Reconfigure says that settings have changed. If those of the decoder have, it is made again between two moves.
func (t *Table) Reconfigure(queenAfter time.Duration, decoder bool) {
	t.o.QueenAfter = queenAfter
	t.renew = t.renew || decoder
}

// Start begins a game. The wood has to be set up for it.
func (t *Table) Start(now time.Time, s game.Setup) ([]Effect, error) {
	t.take(now)
	if err := t.newGame(s, Setup); err != nil {
		return nil, err
	}
	t.look(t.seen())
	return t.finish(), nil
}

// Resume goes on with a game after a power cut, however long it took. The wood may show the game, or what it showed
// when the journal ended (stood). Where the journal does not say that (nil), the wood may show the position before a
// move of the other board. What differs is lit. The solving of problems, and what this board asks of the other one, go
// on as the journal has them (nil: it has nothing).
func (t *Table) Resume(now time.Time, g *game.Game, stood *Stance, solved *solving.Progress,
	asked *Request) ([]Effect, error) {
	t.take(now)
	t.game = g
	t.stepGame()
	if asked != nil {
		t.requests.number = asked.Number
	}
	if asked != nil && asked.What != "" {
		t.requests.ours = asked
	}
	if solved != nil {
		t.exercise.Progress = *solved
	}
	t.thinking.shown = now // a move that is not copied yet has copyTime from here on
	t.takeProblem()
	if t.exercise.Counted && g.Over() {
		t.exercise.over, t.exercise.at = now, now
	}
	n := g.Plies()
	t.wood = standing{ply: n, goal: Wrong}
	if stood != nil && stood.Goal != "" {
		t.kept = *stood
		t.wood.ply, t.wood.goal = stood.Ply, stood.Goal
	} else if stood == nil && n > 0 {
		if _, remote := g.MovedAt(n); remote {
			t.wood.goal = Executing
		}
	}
	t.wood.state = t.wood.goal
	if err := t.decide(game.Action{Do: game.EndOutage}, elsewhere); err != nil {
		return nil, err
	}
	// begun by the board itself, or before it was known who plays
	if s := g.Setup(); n == 0 && g.Names() == (game.Names{}) {
		names := t.sitting(&s)
		if err := t.decide(game.Action{Do: game.Name, Names: &names}, elsewhere); err != nil {
			return nil, err
		}
	}
	t.do(Begin{t.game.Position(), t.game.Plies()})
	t.follow()
	t.sign(now) // where an earlier version or another key has played
	t.aim(t.wood.goal)
	t.look(t.seen())
	t.store.changed = true
	t.do(Note{"the game goes on", []any{"game", g.ID(), "plies", n}})
	return t.finish(), nil
}

// StartAt begins a game in the middle, at a position that stands on the board already. The game has no clock, and both
// sides sit here. How the position came about is known elsewhere.
func (t *Table) StartAt(now time.Time, start *rules.Position) error {
	t.take(now)
	started, err := game.Start(game.Setup{ID: game.NewID(now, t.o.Random(), ""), Board: t.o.Board,
		Variant: start.Variant().ID(), Start: start.FEN(),
		White: game.Local, Black: game.Local}, now)
	if err != nil {
		return err
	}
	if t.game, err = game.New(started); err != nil {
		return err
	}
	t.wood = standing{state: Synced}
	t.expect()
	return nil
}

// Replace takes over how the game went on elsewhere: this many plies back, then these moves. The wood may show them
// already.
func (t *Table) Replace(now time.Time, back int, moves []rules.Move) ([]Effect, error) {
	t.take(now)
	var events []game.Event
	p := t.past(back)
	if back > 0 || t.game.Over() {
		events = append(events, game.Event{Kind: game.TakenBack, At: now, Ply: t.game.Plies() - back,
			Count: t.game.Takebacks() + 1})
	}
	for _, m := range moves {
		if !slices.Contains(p.AppendMoves(nil), m) {
			return nil, fmt.Errorf("%s is not legal after %d plies", p.Coord(m), t.game.Plies()-back)
		}
		events = append(events, game.Event{Kind: game.Moved, At: now, Move: p.Coord(m)})
		p.Play(m)
	}
	t.commit(events, elsewhere)
	t.aim(Executing)
	t.look(t.seen())
	return t.finish(), nil
}

// Desync is the reason of a pause that lasts until the wood shows the game again.
const Desync = "desync"

// keepTime pauses the clocks while the wood shows no position of the game. While nothing is known of it, at a start,
// they go on. They stand while a move of the engine waits to be played.
func (t *Table) keepTime() {
	c, timed := t.game.Clocks(t.now)
	switch {
	case !timed || t.game.Over() || t.hasMove():
	case t.State() == Wrong && c.Running != game.Nobody:
		t.clockDo(game.Action{Do: game.Pause, Reason: Desync})
	case t.wood.state == Synced && (t.game.WhyPaused() == Desync || t.game.WhyPaused() == Copying):
		t.clockDo(game.Action{Do: game.Resume})
	}
}

func (t *Table) clockDo(a game.Action) {
	if err := t.decide(a, elsewhere); err != nil {
		t.do(Warn{"the clock does not follow the wood", []any{"error", err}})
	}
}

// Advising is the reason of a pause while the engine waits for a person to take back a blunder. The wait is no
// thinking, so it costs the engine no time.
const Advising = "advising"

// startClock starts the person's clock when the engine's move has not been copied for copyTime. It starts the clocks
// again when the engine no longer waits for a blunder to be taken back.
func (t *Table) startClock() {
	_, advice := t.Coach()
	switch why := t.game.WhyPaused(); {
	case why == Copying && !t.hasMove() && t.now.Sub(t.thinking.shown) >= copyTime,
		why == Advising && advice == rules.NoMove:
		t.clockDo(game.Action{Do: game.Resume})
	}
}

// Stopped reports whether people have paused the game. A pause that keeps nobody from moving does not count. The wood
// is then wrong, here or at the other board, or it follows the engine, or the engine waits.
func (t *Table) Stopped() bool {
	why := t.game.WhyPaused()
	return t.game.Paused() && !strings.HasSuffix(why, Desync) && why != Copying && why != Advising
}

// republishNow publishes a game with a running clock again, once every republish, and when the computer's clock was
// set. What was published says by that clock how old it is.
func (t *Table) republishNow() {
	if t.now.Sub(t.toldAt) < republish && !wasSet(t.toldAt, t.now) {
		return
	}
	if c, ok := t.game.Clocks(t.now); ok && c.Running != game.Nobody {
		t.store.changed = true
	}
}

// wasSet reports whether the computer's clock was set between two times. A Raspberry Pi has no clock of its own: it
// begins in the past, and jumps when a time server is found.
func wasSet(before, now time.Time) bool {
	return (now.Round(0).Sub(before.Round(0)) - now.Sub(before)).Abs() > drift
}

// loseOnTime ends the game on time when the side to move has none left.
func (t *Table) loseOnTime() {
	at, ok := t.game.FlagAt()
	if !ok || at.After(t.now) {
		return
	}
	if err := t.decide(game.Action{Do: game.Flag}, elsewhere); err != nil {
		t.do(Warn{"the flag did not fall", []any{"error", err}})
	}
	t.refresh(t.game.Plies())
}
