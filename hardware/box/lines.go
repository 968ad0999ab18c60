// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sync/wire"
)

// The readings of a board at rest with its interrupt line in use (sensing/reeds). They are those of four expanders
// every 40 ms, and twice a second the settings of one of them. Without the line it looks every 10 ms.
const (
	sweep  = 4 // transfers
	check  = 3
	atRest = 25*sweep + 2*check // a second
)

// rests counts what goes over the bus while nobody touches the board, and the interrupts that the guest takes when
// somebody does.
func (b *box) rests(ctx context.Context) (string, error) {
	bus := b.parts.board.Bus()
	before, began := bus.Counters().Transactions, time.Now()
	if _, err := b.m.Run(ctx, fmt.Sprintf("sleep %d", int(restSpan.Seconds()))); err != nil {
		return "", err
	}
	n, took := bus.Counters().Transactions-before, time.Since(began).Seconds()
	rate := float64(n) / took
	b.noteFigure("transfers on I2C at rest", "%.0f a second", rate)
	if float64(n) > atRest*took+sweep+check { // one of each may fall on the edge
		return "", fmt.Errorf("%.0f transfers a second while the board rests: with the interrupt line in use "+
			"want %d at most", rate, atRest)
	}
	edges, err := b.interrupts(ctx)
	if err != nil {
		return "", err
	}
	const lifts = 10
	square, err := rules.ParseSquare("e2")
	if err != nil {
		return "", err
	}
	for range lifts {
		if err := b.parts.board.Lift("right", sensing.Lower, square, 1); err != nil {
			return "", err
		}
		if _, err := b.table.await(ctx, "the lifted piece is missed",
			func(g *wire.Game) bool { return g.Wood.State != wire.Synced }); err != nil {
			return "", err
		}
		if err := b.parts.board.Place("right", sensing.Lower, square); err != nil {
			return "", err
		}
		if _, err := b.table.await(ctx, "it stands again",
			func(g *wire.Game) bool { return g.Wood.State == wire.Synced }); err != nil {
			return "", err
		}
	}
	now, err := b.interrupts(ctx)
	if err != nil {
		return "", err
	}
	if now-edges < lifts { // a sweep may come before an interrupt and let the line go
		return "", fmt.Errorf("a piece lifted and put back %d times gave %d interrupts: want %d at least", lifts, now-edges,
			lifts)
	}
	return fmt.Sprintf("%.0f transfers a second, %d interrupts when a piece was lifted and put back %d times", rate,
		now-edges, lifts), nil
}

var counts = regexp.MustCompile(`\d+`)

// interrupts is how many edges of the expanders' line the guest's kernel has taken.
func (b *box) interrupts(ctx context.Context) (n int, err error) {
	// A line of /proc/interrupts: number, a count for each processor, controller, line, kind, who asked for it.
	out, err := b.m.Run(ctx, fmt.Sprintf("grep -E 'virtio.*gpio.* %d +Edge|gpio.*virtio.* %d +Edge' /proc/interrupts",
		lineINT, lineINT))
	if err != nil {
		all, _ := b.m.Run(ctx, "cat /proc/interrupts")
		return 0, fmt.Errorf("nobody waits for interrupts of line %d: %w\n%s", lineINT, err, all)
	}
	fields := counts.FindAllString(out, 3)
	if len(fields) < 3 {
		return 0, errors.New("no counts in " + out)
	}
	for _, f := range fields[1:] { // after the interrupt's number, one for each of the two processors
		k, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

// buttons pushes the buttons of the clock: Black's starts it before the first move.
func (b *box) buttons(ctx context.Context) (string, error) {
	const hour = int(time.Hour / time.Millisecond)
	if err := b.begin(ctx, map[string]any{"kind": "fischer", "initial_ms": hour, "increment_ms": 5000}); err != nil {
		return "", err
	}
	if g, err := b.table.game(ctx); err != nil || g.Clock == nil || g.Clock.Running != "" {
		return "", fmt.Errorf("a clock that nobody started: %+v, %w", g.Clock, err)
	}
	b.parts.board.Push(1, firm)
	if _, err := b.table.await(ctx, "Black's button has started White's clock",
		func(g *wire.Game) bool { return g.Clock != nil && g.Clock.Running == "white" }); err != nil {
		return "", err
	}
	return "Black's button started White's clock", b.begin(ctx, nil)
}
