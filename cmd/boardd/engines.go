// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"boardd/cmd/boardd/engine"
	"boardd/rules/search/mate"
)

// playEngine is the command engine.
func playEngine(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("engine", flag.ContinueOnError)
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much: what is to be done comes on standard input, in UCI", rest[0])
	}
	return engine.Run(ctx, s.in, s.out, version)
}

// proverBytes is the table of the prover.
const proverBytes = 64 << 20

// proveMate prints every first move that mates in so many moves, and in how many it does.
func proveMate(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("mate", flag.ContinueOnError)
	variant := variantFlag(f)
	n := f.Int("in", 0, fmt.Sprintf("moves of the side to move, 1 to %d; each one more takes some forty times as long", mate.Most))
	fen, err := parse(f, s, args)
	if err != nil {
		return err
	}
	v, err := variant()
	if err != nil {
		return err
	}
	if *n < 1 || *n > mate.Most {
		return misuse("--in is missing or out of range: give 1 to %d", mate.Most)
	}
	if strings.TrimSpace(strings.Join(fen, " ")) == "" {
		return misuse("the position is missing: give a stack FEN, or startpos")
	}
	p, err := positionOf(v, fen)
	if err != nil {
		return err
	}
	solver := mate.New(proverBytes)
	solver.Stop = func() bool { return ctx.Err() != nil }
	found, whole := solver.Mates(p, *n)
	for _, m := range found {
		fmt.Fprintf(s.out, "mate in %d: %s\n", m.In, p.Coord(m.Move))
	}
	if !whole {
		return fmt.Errorf("stopped before all was proven: %w", ctx.Err())
	}
	if len(found) == 0 {
		_, err = fmt.Fprintf(s.out, "no mate in %d\n", *n)
	}
	return err
}
