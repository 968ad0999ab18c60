// SPDX-License-Identifier: Apache-2.0

// Package words converts between the values of the game and those of the messages.
package words

import (
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// Timing converts a clock of the messages to one of the game; nil is none.
func Timing(c *wire.ClockSpec) *game.Timing {
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

// Clock is the inverse of Timing.
func Clock(t *game.Timing) *wire.ClockSpec {
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

// Left is what the clocks of White and Black show in a message, in milliseconds.
func Left(white, black int64) [2]time.Duration {
	return [2]time.Duration{time.Duration(white) * time.Millisecond, time.Duration(black) * time.Millisecond}
}

// Names is who plays, nil if nothing is known.
func Names(n game.Names) *wire.Names {
	if n == (game.Names{}) {
		return nil
	}
	w := wire.Names(n)
	return &w
}

// Times returns the day on which a game began, "" if the computer's clock was wrong. It also returns what the clock of
// each mover showed after its move, nil without a clock.
func Times(g *game.Game) (date string, clocks []int64) {
	for ply := 1; ply <= g.Plies(); ply++ {
		if at, _ := g.MovedAt(ply); ply == 1 && game.Dated(at) {
			date = at.Format("2006-01-02")
		}
		if left, ok := g.ClockAt(ply); ok {
			clocks = append(clocks, left)
		}
	}
	return date, clocks
}
