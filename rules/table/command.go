// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing/reconcile/capability"
)

// The commands that are for the table, not for the game.
const (
	NewGame game.ActionKind = "new"
	SetUp   game.ActionKind = "setup"
	Rematch game.ActionKind = "rematch"
	Answer  game.ActionKind = "answer"
	Hint    game.ActionKind = "hint"
	Settle  game.ActionKind = "settle"
	Accept  game.ActionKind = "accept"
	Decline game.ActionKind = "decline"
)

// Command is a command to this table, in the words of the messages.
type Command struct {
	game.Action
	Variant      string            // NewGame: "" for the one of the game before
	Options      map[string]string // NewGame: nil for those of the game before
	White, Black string            // NewGame: seats, where Seated
	Seated       bool
	Start        string       // NewGame, SetUp: stack FEN
	Clock        *game.Timing // NewGame: nil for none
	To           int64        // the step that whoever gives it has seen, see Step; 0: not told
}

// Command carries out a command. If it returns an error, nothing has changed.
func (t *Table) Command(now time.Time, c *Command) ([]Effect, error) {
	t.take(now)
	t.via = c.Via
	if t.late(c) {
		return t.finish(), say.Error("this command came late: what it was meant for is over")
	}
	if err := t.command(c); err != nil {
		return t.finish(), err
	}
	return t.finish(), nil
}

func (t *Table) command(c *Command) error {
	switch c.Do {
	case NewGame:
		return t.commandNew(c)
	case SetUp:
		if c.Start == "" {
			return say.Error(`setup needs "start": the position as stack FEN`)
		}
		return t.wantGame(t.another(c.Start))
	case Rematch:
		if t.exercise.number > 0 {
			return t.commandProblem("", "next")
		}
		s, names := t.game.Setup().Rematch(t.NextID(t.now)), t.game.Names().Swapped()
		s.Names = &names
		return t.wantGame(s)
	case Accept, Decline:
		return t.commandReply(c.Do == Accept)
	case game.Abort, game.Adjust:
		c.Agreed = c.Do == game.Abort && t.abandoned()
		if t.running() && !c.Agreed || c.Do == game.Adjust && t.rival() != "" {
			if _, timed := t.game.Clocks(t.now); c.Do == game.Adjust && (!timed || c.Left[0] <= 0 || c.Left[1] <= 0) {
				break // refused below, with the reason
			}
			return t.request(Request{What: c.Do, Left: c.Left})
		}
	case game.Move:
		if t.engines() {
			return say.Error("move: it is the engine's turn")
		}
		if err := t.decide(c.Action, elsewhere); err != nil {
			return err
		}
		t.aim(Executing)
		t.look(t.seen())
		return nil
	case game.Takeback:
		if t.unmakeHeld(c) {
			return nil
		}
	case game.DeclineTakeback:
		if t.playOn() {
			return nil
		}
	case game.AcceptTakeback:
		if _, m := t.Coach(); m != rules.NoMove {
			c.Do = game.Takeback
		}
	case game.AcceptDraw, game.DeclineDraw, game.Resign, game.OfferDraw:
		if err := t.person(c); err != nil {
			return err
		}
	case Answer:
		return t.commandAnswer(c.Move)
	case game.Flip:
		return t.commandFlip(c)
	case Hint:
		return t.commandHint()
	case Settle:
		return t.settle()
	case game.Resume:
		if _, timed := t.game.Clocks(t.now); !timed && !t.game.Paused() {
			return say.Error("resume: this game has no clock to go on, and it is not paused")
		}
	}
	before := t.game.Plies()
	if err := t.decide(c.Action, elsewhere); err != nil {
		return err
	}
	t.refresh(before)
	return nil
}

// refresh tells the decoder what may happen now, after something other than the wood has changed the game.
func (t *Table) refresh(before int) {
	switch {
	case t.game.Plies() != before:
		t.aim(Executing)
	case t.wood.goal != "":
		t.aim(t.wood.goal) // as before, except for what may happen now
	default:
		t.expect()
	}
	t.look(t.seen())
}

// commandNew begins a game. What the command does not say stays as in the game before.
func (t *Table) commandNew(c *Command) error {
	if word, asked := c.Options[OptionProblem]; asked {
		return t.commandProblem(c.Variant, word)
	}
	s := t.another(c.Start)
	s.Clock = c.Clock
	if c.Variant != "" {
		s.Variant = c.Variant
	}
	if c.Options != nil {
		if err := knownOptions(c.Options); err != nil {
			return err
		}
		s.Options = c.Options
	}
	if c.Seated {
		s.White, s.Black = c.White, c.Black
	}
	s.Names = c.Names
	if err := t.playable(&s); err != nil {
		return err
	}
	return t.wantGame(s)
}

// wantGame begins a game. While a game against another board goes on, it asks that board for the new game instead.
func (t *Table) wantGame(s game.Setup) error {
	if t.running() && t.game.Setup().Judged() {
		return say.Error("a game at Lichess goes on: resign it, or offer a draw, before another one begins")
	}
	if n := named(s); t.running() && (n.White == t.rival() || n.Black == t.rival()) {
		if _, err := game.Start(n, t.now); err != nil {
			return err
		}
		return t.request(Request{What: NewGame, Setup: n})
	}
	return t.begins(s)
}

// begins begins a game and looks at the wood.
func (t *Table) begins(s game.Setup) error {
	if err := t.newGame(s, Setup); err != nil {
		return err
	}
	t.look(t.seen())
	return nil
}

// knownOptions refuses options that mean nothing here: people would play by other rules than they asked for. A game
// begun by another board may have more, and is joined all the same. The game itself checks the values.
func knownOptions(given map[string]string) error {
	known := []string{game.OptionTakeback, game.OptionDraws, game.OptionOutage, game.OptionLevel, game.OptionSeconds,
		OptionProblem}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			faults = append(faults, say.Error("option %q is unknown, want %s", name, strings.Join(known, ", ")))
		}
	}
	return errors.Join(faults...)
}

// playable checks what the rules of the game cannot check: whether this board can recognise its moves, and who sits
// here.
func (t *Table) playable(s *game.Setup) error {
	v, err := rules.ByID(s.Variant)
	if err != nil {
		return err
	}
	if err := capability.CanFollow(t.decoder.Geometry(), v); err != nil {
		return err
	}
	if err := t.seats(s); err != nil {
		return err
	}
	if !s.Here(game.White) && !s.Here(game.Black) {
		return say.Error("neither seat is this board's: one of them must be local or %s", t.o.Board)
	}
	return nil
}

// commandFlip turns the game round on the board. Readings from before no longer count.
func (t *Table) commandFlip(c *Command) error {
	if err := t.decide(c.Action, elsewhere); err != nil {
		return err
	}
	t.decoder = t.o.Decode()
	t.lit = false // the same view lights other squares
	t.aim(Setup)
	t.look(t.seen())
	return nil
}

// newGame begins another game. The caller has to look at the wood then.
func (t *Table) newGame(s game.Setup, goal State) error {
	s = named(s)
	t.introduce(&s)
	e, err := game.Start(s, t.now)
	if err != nil {
		return err
	}
	e.Via = t.via
	return t.begin(e, goal)
}

// introduce fills in the names of the players where the command gave none. They are those of the game before if the
// seats are the same, and otherwise of those who are known to sit here.
func (t *Table) introduce(s *game.Setup) {
	if s.Names != nil {
		return
	}
	names := t.sitting(s)
	if t.game != nil {
		switch before := t.game.Setup(); {
		case before.White == s.White && before.Black == s.Black:
			names = t.game.Names()
		case before.White == s.Black && before.Black == s.White:
			names = t.game.Names().Swapped()
		}
	}
	if names != (game.Names{}) {
		s.Names = &names
	}
}

// sitting returns the names of those who are known to sit here, for the sides that people play here.
func (t *Table) sitting(s *game.Setup) game.Names {
	names := t.o.Names
	if !s.ByHand(game.White) {
		names.White, names.WhiteTitle, names.WhiteFederation, names.WhiteFIDE = "", "", "", 0
	}
	if !s.ByHand(game.Black) {
		names.Black, names.BlackTitle, names.BlackFederation, names.BlackFIDE = "", "", "", 0
	}
	return names
}

// named puts this board's name in place of "local" in a game against another board. Both boards must name the same
// seats, and the other one would take "local" for itself.
func named(s game.Setup) game.Setup {
	if s.Here(game.White) && s.Here(game.Black) {
		return s
	}
	if s.White == game.Local {
		s.White = s.Board
	}
	if s.Black == game.Local {
		s.Black = s.Board
	}
	return s
}

func (t *Table) begin(started game.Event, goal State) error {
	g, err := game.New(started)
	if err != nil {
		return err
	}
	if t.game != nil {
		t.store.records = append(t.store.records, Record{Boundary: true})
	}
	t.game, t.clash, t.store.seals, t.lit = g, clash{}, nil, false
	t.takeProblem()
	if keys := t.o.Trust.Keys(); len(keys) > 0 {
		t.store.records = append(t.store.records, Record{Keys: keys})
	}
	t.stepGame()
	t.wood = standing{state: goal}
	t.requests = requests{number: t.requests.number, answered: t.requests.answered, refused: t.requests.refused, put: -1}
	t.keep([]game.Event{started}, elsewhere)
	t.sign(started.At)
	t.do(Begin{t.game.Position(), t.game.Plies()})
	t.aim(goal)
	t.follow()
	t.store.changed = true
	s := g.Setup()
	t.tell(Event{Kind: Started, Text: say.That("a game of %s: White %s, Black %s", g.Variant().Name(), s.White, s.Black)})
	t.ability(g.Variant())
	return nil
}

// minutes is a time as a clock shows it, such as 9:55.
func minutes(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", d/time.Minute, d%time.Minute/time.Second)
}

// NextID returns an id later than that of any game seen here.
func (t *Table) NextID(now time.Time) string {
	latest := ""
	if t.game != nil {
		latest = t.game.ID()
	}
	for _, m := range t.rivals {
		if game.CheckID(m.Game.ID) == nil { // otherwise no other board would accept the id after it
			latest = max(latest, m.Game.ID)
		}
	}
	return game.NewID(now, t.o.Random(), latest)
}
