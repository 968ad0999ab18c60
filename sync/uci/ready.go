// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"context"
	"time"
)

// memoryMB is the default limit of memory. Stockfish 15 with its network takes 150.
const memoryMB = 256

// ready starts the program if it does not run, and makes it play the game.
func (c *Client) ready(ctx context.Context, variant string) error {
	if c.child == nil {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	if variant == c.variant {
		return nil
	}
	lines, err := c.child.offer.choose(variant, &c.options)
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
	c.variant = variant
	return nil
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
	c.child, c.variant = child, ""
	begun := time.Now()
	if err := child.write(c.times.Reply, "uci"); err != nil {
		return err
	}
	if err := child.until(ctx, "uciok", c.times.StartSilence, child.offer.take); err != nil {
		c.abandon(ctx)
		return err
	}
	c.say(false, "%s is ready after %d ms", child.offer.called(), time.Since(begun).Milliseconds())
	return nil
}

// abandon ends a program whose start-up dialogue was interrupted, so that the next question does not take the rest of
// it for an answer.
func (c *Client) abandon(ctx context.Context) {
	if ctx.Err() != nil {
		c.end()
	}
}
