// SPDX-License-Identifier: Apache-2.0

package reeds

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/sweep"

	"periph.io/x/conn/v3/gpio"
)

// Opts tunes a bank; the zero value of each field is its default.
type Opts struct {
	Active time.Duration // from the start of a sweep to the next while something changes; 2 ms
	Idle   time.Duration // the same on a quiet board; 40 ms with an interrupt line, 10 ms without
	Linger time.Duration // how long after the last change the board counts as busy; 150 ms
	Check  time.Duration // from the check of one chip's configuration to that of the next; 500 ms
	Moved  func()        // called, by Run's goroutine, when a sweep differs from the one before; may be nil
	First  bool          // Run comes before all other work on the computer, if that allows it
	INT    gpio.PinIn    // the expanders' shared open-drain interrupt line, low when something changed; nil is none
}

func (o *Opts) fill() {
	if o.Idle == 0 && o.INT != nil {
		o.Idle = idleINT
	}
	for _, d := range []struct {
		v *time.Duration
		d time.Duration
	}{{&o.Active, active}, {&o.Idle, idle}, {&o.Linger, linger}, {&o.Check, check}} {
		if *d.v == 0 {
			*d.v = d.d
		}
	}
}

// Bank holds the reeds of a board. It is a sensing.Source.
type Bank struct {
	o    Opts
	line *line

	mu    sync.Mutex // guards what follows against Health
	chips []*member
	pace  sweep.Pace
}

var _ sensing.Source = (*Bank)(nil)

// New checks the wiring and makes a bank. Two inputs for one square are an error. A square without an input is not; it
// stays unknown. The error joins all faults.
func New(chips []Chip, o Opts) (*Bank, error) {
	o.fill()
	b := &Bank{o: o, line: newLine(o.INT)}
	var errs []error
	var taken [2]rules.Bitboard
	for _, c := range chips {
		m := &member{Chip: c, lost: true}
		for i, sq := range c.Squares {
			if sq >= 64 {
				continue
			}
			if c.Deck > sensing.Upper || taken[c.Deck].Has(sq) {
				errs = append(errs, fmt.Errorf("reeds: input %d of %v: %v on the %v deck has an input already", i, c.Expander, sq,
					c.Deck))
				continue
			}
			taken[c.Deck] |= 1 << sq
			m.wired |= 1 << sq
		}
		b.chips = append(b.chips, m)
	}
	if len(chips) == 0 {
		errs = append(errs, errors.New("reeds: no expander: want at least one"))
	}
	return b, errors.Join(errs...)
}

// Run sweeps until ctx ends, as sensing.Source says.
func (b *Bank) Run(ctx context.Context, out chan<- sensing.Reading) error {
	if b.o.First {
		after, _ := sweep.First() // who can tell people asks sweep.Allowed
		defer after()
	}
	due := time.Now()
	busy := due // busy until
	check, next := due.Add(b.o.Check), 0
	var before [2]sensing.Reading
	for {
		start := time.Now()
		now := b.sweep(start, due)
		if differ(&now, &before) {
			busy = start.Add(b.o.Linger)
			if b.o.Moved != nil {
				b.o.Moved()
			}
		}
		for d := range now {
			if err := b.send(ctx, out, &now[d]); err != nil {
				return err
			}
		}
		before = now
		if !start.Before(check) {
			check = start.Add(b.o.Check)
			b.verify(next%len(b.chips), start)
			next++
		}
		soon := start.Add(b.o.Active)
		due = soon
		if !start.Before(busy) {
			due = start.Add(b.o.Idle)
		}
		woken, err := b.line.wait(ctx, soon, due)
		if err != nil {
			return err
		}
		if woken {
			due = time.Now()
			busy = due.Add(b.o.Linger)
		}
	}
}

// differ reports whether two sweeps differ in their readings.
func differ(a, b *[2]sensing.Reading) bool {
	for d := range a {
		if a[d].Closed != b[d].Closed || a[d].Known != b[d].Known {
			return true
		}
	}
	return false
}

// Sweep reads every chip once, as Run does. It is for use while Run does not run. The reading of a deck without chips
// is zero except for its time.
func (b *Bank) Sweep() [2]sensing.Reading {
	now := time.Now()
	return b.sweep(now, now)
}

// sweep reads every chip once. A deck without a chip has the zero reading.
func (b *Bank) sweep(start, due time.Time) [2]sensing.Reading {
	b.mu.Lock()
	defer b.mu.Unlock()
	var r [2]sensing.Reading
	for _, m := range b.chips {
		closed, ok := m.read(start)
		if ok {
			r[m.Deck].Known |= m.wired
			r[m.Deck].Closed |= closed
		}
	}
	end := time.Now()
	for d := range r {
		r[d].At, r[d].Kind, r[d].Deck = end, sensing.Reeds, sensing.Deck(d)
	}
	b.pace.Note(start, end, due)
	return r
}

// send passes a reading on, if its deck has any chip.
func (b *Bank) send(ctx context.Context, out chan<- sensing.Reading, r *sensing.Reading) error {
	for _, m := range b.chips {
		if m.Deck != r.Deck {
			continue
		}
		select {
		case out <- *r:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (b *Bank) verify(i int, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chips[i].verify(now)
}

// Health returns a part for the bank with its sweep times, and then one for each chip.
func (b *Bank) Health() []sensing.Part {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []sensing.Part{b.pace.Part("reeds")}
	for _, m := range b.chips {
		p := m.part()
		list[0].OK = list[0].OK && p.OK
		list[0].Errors += p.Errors
		list = append(list, p)
	}
	if d := b.line.fault(); d != "" {
		list[0].Detail = d
	}
	return list
}
