// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/sensing/reconcile"
	"boardd/sync/wire"
)

// answer carries a command out and makes its reply.
func (b *board) answer(c *wire.Command) wire.Reply {
	if err := b.command(c); err != nil {
		return refusal(c.ID, err)
	}
	return wire.Reply{ID: c.ID, OK: true}
}

func (b *board) command(c *wire.Command) error {
	switch c.Do {
	case wire.DoNew:
		return b.commandNew(c)
	case wire.DoSetup:
		return b.commandSetup(c)
	case wire.DoRematch:
		return b.newGame(b.game.Setup().Rematch(b.nextID()), wire.Setup)
	case wire.DoMove:
		if err := b.do(action(c)); err != nil {
			return err
		}
		b.aim(wire.Executing)
		return nil
	case wire.DoAnswer:
		return b.commandAnswer(c)
	case wire.DoFlip:
		return b.commandFlip(c)
	case wire.DoSettle:
		return b.settle()
	case wire.DoResume:
		if _, timed := b.game.Clocks(time.Now()); !timed && !b.game.Paused() {
			return errors.New("resume: this game has no clock to go on, and it is not paused")
		}
	}
	before := b.game.Plies()
	if err := b.do(action(c)); err != nil {
		return err
	}
	b.refresh(before)
	return nil
}

// action is a command in the words of the game, which are the same.
func action(c *wire.Command) game.Action {
	return game.Action{Do: game.Deed(c.Do), By: game.Side(c.By), Move: c.Move, Plies: c.Plies}
}

// refresh lets the decoder know what may happen now, after something else than the wood changed the game.
func (b *board) refresh(before int) {
	switch {
	case b.game.Plies() != before:
		b.aim(wire.Executing)
		return
	case b.wood.goal != "":
		b.aim(b.wood.goal) // as before, but for what may happen now
		return
	}
	b.expect()
	b.look(b.seen())
}

// commandNew begins a game. What is not said stays as it is.
func (b *board) commandNew(c *wire.Command) error {
	s := b.game.Setup().From(b.nextID(), c.Start)
	s.Clock = timing(c.Clock)
	if c.Variant != "" {
		s.Variant = c.Variant
	}
	if c.Options != nil {
		if err := knownOptions(c.Options); err != nil {
			return err
		}
		s.Options = c.Options
	}
	if c.Seats != nil {
		s.White, s.Black = c.Seats.White, c.Seats.Black
	}
	if err := b.playable(&s); err != nil {
		return err
	}
	return b.newGame(s, wire.Setup)
}

// knownOptions refuses options that mean nothing here: whoever mistypes one would play by other rules than asked for. A game that
// another board begins may have more, and is joined; what the known ones may be is for the game to check.
func knownOptions(given wire.Options) error {
	known := []string{game.OptionTakeback, game.OptionDraws, game.OptionOutage}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			faults = append(faults, fmt.Errorf("option %q is unknown, want %s", name, strings.Join(known, ", ")))
		}
	}
	return errors.Join(faults...)
}

// playable checks what the rules of the game cannot: whether this board can follow it, and who sits here.
func (b *board) playable(s *game.Setup) error {
	v, err := rules.ByID(s.Variant)
	if err != nil {
		return err
	}
	if err := reconcile.CanFollow(&b.rig.Geometry, v); err != nil {
		return err
	}
	if s.White == game.Engine || s.Black == game.Engine {
		return errors.New("a computer opponent is not built yet: seats are local or a board's name")
	}
	if !s.Here(game.White) && !s.Here(game.Black) {
		return fmt.Errorf("neither seat is this board's: one of them must be local or %s", b.id)
	}
	return nil
}

func (b *board) commandSetup(c *wire.Command) error {
	if c.Start == "" {
		return errors.New(`setup needs "start": the position as stack FEN`)
	}
	s := b.game.Setup().From(b.nextID(), c.Start)
	return b.newGame(s, wire.Setup)
}

// commandAnswer answers the open question.
func (b *board) commandAnswer(c *wire.Command) error {
	if b.wood.state != wire.Asking {
		return errors.New("no question is open")
	}
	names := b.choices()
	i := slices.Index(names, c.Move)
	if i < 0 {
		return fmt.Errorf("%q is not one of the choices %v", c.Move, names)
	}
	b.answered(b.wood.choices[i].Move)
	return nil
}

// commandFlip turns the game round on the board; what was sensed before counts no more.
func (b *board) commandFlip(c *wire.Command) error {
	if err := b.do(action(c)); err != nil {
		return err
	}
	b.decoder = decode(b.rig, &b.conf)
	b.aim(wire.Setup)
	return nil
}

func timing(c *wire.ClockSpec) *game.Timing {
	if c == nil {
		return nil
	}
	t := &game.Timing{Kind: c.Kind, Initial: c.Initial, Increment: c.Increment, Moves: c.Moves}
	for _, p := range c.Periods {
		t.Periods = append(t.Periods, game.Period(p))
	}
	if c.White != nil {
		a := game.Allowance(*c.White)
		t.White = &a
	}
	if c.Black != nil {
		a := game.Allowance(*c.Black)
		t.Black = &a
	}
	return t
}

// clockSpec is timing the other way round.
func clockSpec(t *game.Timing) *wire.ClockSpec {
	if t == nil {
		return nil
	}
	c := &wire.ClockSpec{Kind: t.Kind, Initial: t.Initial, Increment: t.Increment, Moves: t.Moves}
	for _, p := range t.Periods {
		c.Periods = append(c.Periods, wire.Period(p))
	}
	if t.White != nil {
		a := wire.Allowance(*t.White)
		c.White = &a
	}
	if t.Black != nil {
		a := wire.Allowance(*t.Black)
		c.Black = &a
	}
	return c
}
