// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boardd/rules/say"
)

// memoryMB is the default limit of memory. Stockfish 15 with its network takes 150.
const memoryMB = 256

// told is what a program was told to play.
type told struct {
	variant string
	level   int  // 1 to 8; 0: as it likes
	chosen  bool // the level was chosen for the game, and counts more than the user's options
	game    int  // see Client
	seed    uint32
}

// ready starts the program if it does not run, and makes it play the game at the level.
func (c *Client) ready(ctx context.Context, want told) error {
	if c.child != nil && c.child.offer.sticks(c.told, want, &c.options) {
		c.end()
	}
	if c.child == nil {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	if want == c.told {
		return nil
	}
	lines, err := c.child.offer.choose(want, &c.options)
	if err != nil {
		return &refusal{err}
	}
	if err := c.child.write(c.times.Reply, append(lines, "ucinewgame", "isready")...); err != nil {
		return err
	}
	if err := c.child.until(ctx, "readyok", c.times.StartSilence, nil); err != nil {
		c.abandon(ctx)
		return err
	}
	c.told = want
	return nil
}

// Plays starts the program, and returns its name and which of the games it plays. Then it ends the program.
func (c *Client) Plays(ctx context.Context, games []string) (name string, plays []string, err error) {
	<-c.turn
	defer func() { c.turn <- struct{}{} }()
	defer c.end()
	for _, game := range games {
		err := c.ready(ctx, told{game, c.options.Level, false, 0, 0})
		switch {
		case err == nil:
			plays = append(plays, game)
		case !errors.As(err, new(*NotPlayed)):
			return "", nil, err
		}
		name = c.child.offer.called()
	}
	return name, plays, nil
}

func (c *Client) begin(ctx context.Context) error {
	memory := c.options.MemoryMB
	if memory == 0 {
		memory = memoryMB
	}
	child, err := start(c.options.Command, memory, c.options.priority())
	if err != nil {
		return err
	}
	c.child, c.told = child, told{}
	begun := time.Now()
	if err := child.write(c.times.Reply, "uci"); err != nil {
		return err
	}
	if err := child.until(ctx, "uciok", c.times.StartSilence, child.offer.take); err != nil {
		c.abandon(ctx)
		return err
	}
	c.say(say.Said{English: fmt.Sprintf("%s is ready after %d ms", child.offer.called(),
		time.Since(begun).Milliseconds())}, false)
	return nil
}

// abandon ends a program whose start-up dialogue was interrupted, so that the next question does not take the rest of
// it for an answer.
func (c *Client) abandon(ctx context.Context) {
	if ctx.Err() != nil {
		c.end()
	}
}
