// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual"
	"boardd/hardware/virtual/wires"
	"boardd/sensing"
	"boardd/sensing/heights"
	"boardd/sensing/reeds"
)

// The least that the datasheets allow, in bits, a byte being nine with its acknowledge.
//
// An expander (TCA9535, "read transaction"): address, command byte, repeated start, address, two data bytes. A read
// without the command byte would be 29 bits. But after an interrupted transfer the datasheet allows the pointer to be
// at either port.
//
// The result of a sensor (VL6180X) is one read, from the range status to the newest range of the history. It is an
// address, two index bytes, repeated start, address and six data bytes. Before it the channel of the multiplexer
// (TCA9548A) is set: an address and a byte. To start, interrupts are cleared and the start register is written: an
// address, two index bytes and a data byte each. That is done for four sensors of a rank at once, after the
// multiplexer has opened their channels. The multiplexer is closed when another one's turn comes: 16 times in a round.
// If neighbours allowed it, one visit could fetch the results of one color and start the other.
const (
	expanderBits = 1 + 9 + 9 + 1 + 9 + 18 + 1
	writeBits    = 1 + 9 + 18 + 9 + 1
	resultBits   = 1 + 9 + 18 + 1 + 9 + 6*9 + 1
	muxBits      = 1 + 9 + 9 + 1
	visits       = 2 * 8
	heightsBits  = 64*(muxBits+resultBits) + visits*(muxBits+2*writeBits+muxBits)
)

// sweepCost is what a number of sweeps have cost on a bus.
type sweepCost struct {
	what  string
	least int // bits
	n     int // sweeps
	used  wires.Counters
}

// row is the cost in a table: bits, transfers, time on the wire, and their share of the least.
func (c *sweepCost) row(clock physic.Frequency) []string {
	bits := float64(c.used.Bits) / float64(c.n)
	us := func(bits float64) string {
		return fmt.Sprintf("%.2f ms", bits*float64(clock.Period())/float64(time.Millisecond))
	}
	return []string{
		c.what, fmt.Sprint(c.least), us(float64(c.least)), fmt.Sprintf("%.0f", bits), us(bits),
		fmt.Sprintf("%.3f", bits/float64(c.least)), fmt.Sprintf("%.1f", float64(c.used.Transactions)/float64(c.n)),
	}
}

// wire measures the bits of sweeps on both boards at one clock.
func wire(ctx context.Context, clock physic.Frequency) error {
	var rows [][]string
	for _, kind := range []virtual.Kind{virtual.Stack, virtual.Twin} {
		costs, err := sweeps(ctx, kind, clock)
		if err != nil {
			return err
		}
		for _, c := range costs {
			rows = append(rows, c.row(clock))
		}
	}
	table(fmt.Sprintf("On the wire at %v", clock), []string{"sweep", "least bits", "least time", "bits", "time", "ratio",
		"kernel calls"}, rows)
	return nil
}

// sweeps runs a board's sources for a while, checks of the chips' health included, and counts.
func sweeps(ctx context.Context, kind virtual.Kind, clock physic.Frequency) (costs []*sweepCost, err error) {
	b, err := virtual.New(virtual.Options{Name: "report", Kind: kind, Clock: clock})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	bus, err := i2creg.Open(b.I2C())
	if err != nil {
		return nil, err
	}
	bank, decks, err := reedBank(bus, kind, reeds.Opts{})
	if err != nil {
		return nil, err
	}
	list := []struct {
		what  string
		least int
		src   sensing.Source
		each  int // readings a sweep, or squares
	}{{fmt.Sprintf("%v board, reeds, quiet", kind), decks * 4 * expanderBits, bank, decks}}
	if kind == virtual.Twin {
		eyes, err := heights.New(bus, heights.Opts{})
		if err != nil {
			return nil, err
		}
		list = append(list, struct {
			what  string
			least int
			src   sensing.Source
			each  int
		}{"twin board, heights", heightsBits, eyes, 64})
	}
	for _, l := range list {
		c := &sweepCost{what: l.what, least: l.least}
		if c.n, c.used, err = count(ctx, b, l.src, l.each); err != nil {
			return nil, err
		}
		costs = append(costs, c)
	}
	return costs, nil
}

// reedBank returns the reeds of a board.
func reedBank(bus i2c.Bus, kind virtual.Kind, o reeds.Opts) (*reeds.Bank, int, error) {
	decks := 1
	if kind == virtual.Twin {
		decks = 2
	}
	var chips []reeds.Chip
	for d := range sensing.Deck(decks) {
		list, err := reeds.Deck(bus, d)
		if err != nil {
			return nil, 0, err
		}
		chips = append(chips, list...)
	}
	bank, err := reeds.New(chips, o)
	return bank, decks, err
}

// counts is how much of a sweep a reading is: of heights, the squares that were measured.
func counts(r *sensing.Reading) int {
	if r.Kind == sensing.Heights {
		return (r.Known &^ r.Stale).Count()
	}
	return 1
}

const (
	span       = 3 * time.Second       // how long a source is watched
	settle     = 3 * time.Second       // how long a board rests before it is measured: the heights have become calm
	stirs      = 20 * time.Millisecond // from one knock to the next
	stride     = 15 * time.Millisecond // how long a knock goes on
	twinActive = 4 * time.Millisecond  // reeds.Opts.Active of two decks
	rounding   = 10 * time.Microsecond // to which times are rounded
)

// count runs a source and counts its sweeps and what they cost, leaving out the first, which sets chips up.
func count(ctx context.Context, b *virtual.Board, s sensing.Source, each int) (n int, used wires.Counters, err error) {
	ctx, stop := context.WithCancel(ctx)
	out := make(chan sensing.Reading)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, out) }()
	for n < each {
		r := <-out
		n += counts(&r)
	}
	n = 0
	before := b.Bus().Counters()
	for end := time.After(span); ; {
		select {
		case r := <-out:
			n += counts(&r)
			continue
		case <-end:
		}
		break
	}
	now := b.Bus().Counters()
	stop()
	<-ended
	used = wires.Counters{Transactions: now.Transactions - before.Transactions, Bits: now.Bits - before.Bits,
		Time: now.Time - before.Time}
	return n / each, used, nil
}
