// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/pca9548"
	"boardd/sensing/sweep"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Opts tunes a bank; the zero value of each field is its default.
type Opts struct {
	// height of the sensors above the lower deck; 147 mm: the decks' 150 mm less the module under the upper one
	Above  physic.Distance
	Period time.Duration // from the start of a round to the next on a board at rest; 80 ms
	// how long after the last change rounds follow each other without a pause; 2 s
	Linger time.Duration
	Step   physic.Distance // difference from the last reading from which on a height has changed; 10 mm
	// how long after its start a result is first asked for, until the bank has learned the time; 12 ms
	Usual  time.Duration
	Limit  time.Duration                    // after which a measurement is given up; 35 ms
	Muxes  []uint16                         // addresses, rank 1 first; 0x70 to 0x77
	First  bool                             // Run comes before all other work on the computer, if that allows it
	Wiring func(rules.Square) (mux, ch int) // which multiplexer of Muxes and which channel; rank and file
}

func (o *Opts) fill() {
	for _, d := range []struct {
		v *physic.Distance
		d physic.Distance
	}{{&o.Above, 147 * physic.MilliMetre}, {&o.Step, 10 * physic.MilliMetre}} {
		if *d.v == 0 {
			*d.v = d.d
		}
	}
	for _, d := range []struct {
		v *time.Duration
		d time.Duration
	}{{&o.Period, period}, {&o.Linger, linger}, {&o.Usual, usual}, {&o.Limit, limit}} {
		if *d.v == 0 {
			*d.v = d.d
		}
	}
	if o.Muxes == nil {
		o.Muxes = []uint16{0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77}
	}
	if o.Wiring == nil {
		o.Wiring = func(sq rules.Square) (int, int) { return sq.Rank(), sq.File() }
	}
}

// Bank holds the height sensors of a board. It is a sensing.Source.
type Bank struct {
	o     Opts
	mux   *pca9548.Group
	stirs chan struct{} // capacity 1: one pending stir is enough

	// What follows belongs to the goroutine of Run.
	next  sensing.Reading // with what was measured until now
	fresh rules.Bitboard  // measured since the last reading was sent
	said  sensing.Reading // the last reading
	keen  time.Time       // no pauses until then
	focus Focus

	awaited atomic.Uint64 // the squares on which the game waits

	mu    sync.Mutex       // guards what follows against Health
	eyes  [64]eye          // by the square they are over
	over  [64]rules.Square // by the wiring
	sweep sweep.Pace
}

var _ sensing.Source = (*Bank)(nil)

// New makes a bank on a bus. It does not access the chips yet: Run sets them up. A missing chip costs its own squares
// only.
func New(bus i2c.Bus, o Opts) (*Bank, error) {
	o.fill()
	mux, err := pca9548.At(bus, o.Muxes...)
	if err != nil {
		return nil, fmt.Errorf("heights: %w", err)
	}
	b := &Bank{o: o, mux: mux, stirs: make(chan struct{}, 1), next: sensing.Reading{Kind: sensing.Heights}}
	for sq := range rules.Square(64) {
		m, ch := o.Wiring(sq)
		if m < 0 || m >= len(o.Muxes) || ch < 0 || ch > 7 {
			return nil, fmt.Errorf("heights: %v is wired to multiplexer %d channel %d: want 0 to %d and 0 to 7", sq, m, ch,
				len(o.Muxes)-1)
		}
		b.over[sq] = sq
		b.eyes[sq] = eye{dev: vl6180x.At(mux.Channel(m, ch), vl6180x.Opts{}), mux: m, channel: ch, lost: true,
			takes: o.Usual}
	}
	return b, nil
}

// SetSquares sets over which square the sensor that the wiring has for square i really is. Otherwise sensors that are
// not neighbours wait for each other, and readings name wrong squares. Call it before Run.
func (b *Bank) SetSquares(over [64]rules.Square) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wired [64]eye
	for i, sq := range b.over {
		wired[i] = b.eyes[sq]
	}
	for i, sq := range over {
		b.eyes[sq] = wired[i]
	}
	b.over = over
}

// Spoilt returns the squares whose sensors were measured together with a neighbour's. The sensors are really over the
// squares of over, and the bank had another order until now.
func (b *Bank) Spoilt(over [64]rules.Square) (squares rules.Bitboard) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var thought [64]rules.Square // by the square over which a sensor really is
	for i, sq := range over {
		thought[sq] = b.over[i]
	}
	dark := func(sq rules.Square) bool { return (sq.File()+sq.Rank())%2 == 0 }
	for sq := range rules.Square(64) {
		for n := range beside[sq].Squares() {
			if dark(thought[sq]) == dark(thought[n]) {
				squares |= sq.Bit()
			}
		}
	}
	return squares
}

// NoteMotion says that something moves on the board. For a while rounds then follow each other without a pause. It
// never waits.
func (b *Bank) NoteMotion() {
	select {
	case b.stirs <- struct{}{}:
	default:
	}
}

// Run measures until ctx ends, as sensing.Source says.
func (b *Bank) Run(ctx context.Context, out chan<- sensing.Reading) error {
	if b.o.First {
		after, _ := sweep.First() // who can tell people asks sweep.Allowed
		defer after()
	}
	b.setup(ctx)
	err := b.run(ctx, out)
	return errors.Join(err, b.mux.Close())
}

func (b *Bank) run(ctx context.Context, out chan<- sensing.Reading) error {
	due := time.Now()
	for {
		start := time.Now()
		if err := b.rounds(ctx, out, start, due); err != nil {
			return err
		}
		if due = due.Add(b.o.Period); due.Before(time.Now()) {
			due = time.Now() // rounds had no pause, or took longer than the period: go on from now
		}
		if err := b.rest(ctx, due); err != nil {
			return err
		}
	}
}

// rounds measures the whole board, and goes on as long as something moves.
func (b *Bank) rounds(ctx context.Context, out chan<- sensing.Reading, start, due time.Time) error {
	w := wave{b: b, ctx: ctx, out: out}
	w.pass(none, dark)
	for w.err == nil {
		began := time.Now()
		b.refocus(b.focus.Round)
		w.pass(dark, light)
		w.send()
		again := b.moving()
		next := time.Now()
		if again {
			w.pass(light, dark)
		} else {
			b.focus.Leave()
			w.pass(light, none)
		}
		w.send()
		b.ended(start, time.Now(), due)
		if !again || w.err != nil {
			break
		}
		start, due = next, next
		w.err = sweep.Until(ctx, began.Add(2*least)) // when no sensor answers, a round would take no time
	}
	return w.err
}

// moving reports whether something has moved within Opts.Linger, or a square is awaited.
func (b *Bank) moving() bool {
	select {
	case <-b.stirs:
		b.keen = time.Now().Add(b.o.Linger)
	default:
	}
	return b.awaited.Load() != 0 || time.Now().Before(b.keen)
}

// rest waits for a time, or until something moves.
func (b *Bank) rest(ctx context.Context, until time.Time) error {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
	case <-b.stirs:
		b.keen = time.Now().Add(b.o.Linger)
	case <-ctx.Done():
	}
	return ctx.Err()
}

// setup sets up all sensors that are not set up, so that the first round is like the others. That takes a third of a
// second.
func (b *Bank) setup(ctx context.Context) {
	for sq := range b.eyes {
		if ctx.Err() != nil {
			return
		}
		b.mu.Lock()
		b.eyes[sq].revive(time.Now())
		b.mu.Unlock()
	}
}

// Sweep measures every square once. It is for use while Run does not run.
func (b *Bank) Sweep(ctx context.Context) (sensing.Reading, error) {
	b.setup(ctx)
	w := wave{b: b, ctx: ctx}
	w.pass(none, dark)
	w.pass(dark, light)
	w.pass(light, none)
	r := b.next
	r.At = time.Now()
	return r, w.err
}

func (b *Bank) ended(start, end, due time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sweep.Note(start, end, due)
}
