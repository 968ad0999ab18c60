// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"boardd/sync/wire"
)

// array stands the pieces up.
func (b *box) array(ctx context.Context) (string, error) {
	if err := b.table.standAs(ctx, &b.line[0]); err != nil {
		return "", err
	}
	_, err := b.table.await(ctx, "the array stands",
		func(g *wire.Game) bool { return len(g.Moves) == 0 && g.Wood.State == wire.Synced })
	return "piece by piece", err
}

// begin begins a new game, with a clock or without, and stands the pieces up.
func (b *box) begin(ctx context.Context, clock map[string]any) error {
	if err := b.table.post(ctx, "command", map[string]any{"id": "new", "do": wire.DoNew,
		"variant": b.line[0].Variant().ID(), "clock": clock}); err != nil {
		return err
	}
	_, err := b.array(ctx)
	return err
}

// half plays the first half of the game.
func (b *box) half(ctx context.Context) (string, error) {
	said := ""
	busy, whole, err := b.busy(ctx, func() (err error) {
		said, err = b.playTo(ctx, len(b.coords)/2)
		return err
	})
	if err != nil {
		return "", err
	}
	b.noteFigure("processor while hands play without a pause", share, busy, whole)
	return said, nil
}

// rest plays the other half: then the broker outside has all moves, and the result.
func (b *box) rest(ctx context.Context) (string, error) {
	said, err := b.playTo(ctx, len(b.coords))
	if err != nil {
		return "", err
	}
	g, err := b.out.awaitMoves(ctx, b.coords)
	if err != nil {
		return "", err
	}
	seen := ""
	if b.parts != nil {
		if seen, err = b.lights(false); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s; the broker outside has all %d moves and %s, %s%s", said, len(g.Moves), g.Outcome, g.Reason,
		seen), nil
}

// playTo goes on from where the game stands.
func (b *box) playTo(ctx context.Context, ply int) (string, error) {
	g, err := b.table.await(ctx, "the wood is in order", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	if err != nil {
		return "", err
	}
	if err := b.table.play(ctx, b.line, b.coords[:ply], len(g.Moves)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d moves by hand", ply-len(g.Moves)), nil
}

// more plays this many moves more.
func (b *box) more(ctx context.Context, n int) (string, error) {
	g, err := b.table.game(ctx)
	if err != nil {
		return "", err
	}
	return b.playTo(ctx, min(len(g.Moves)+n, len(b.coords)))
}
