package heights

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/pca9548"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Opts tunes a bank; the zero value of each field is its default.
type Opts struct {
	Above  physic.Distance                  // of the sensors over the lower deck; 147 mm: the decks' 150 mm less the module under the upper one
	Period time.Duration                    // from the start of a sweep to the next; 80 ms
	Shot   time.Duration                    // how long after its start a measurement is first asked for; 13 ms
	Limit  time.Duration                    // after which it is given up; 35 ms
	Sensor map[rules.Square]vl6180x.Opts    // calibration of single sensors
	Muxes  []uint16                         // addresses, rank 1 first; 0x70 to 0x77
	Wiring func(rules.Square) (mux, ch int) // which multiplexer of Muxes and which channel; rank and file
}

func (o *Opts) fill() {
	if o.Above == 0 {
		o.Above = 147 * physic.MilliMetre
	}
	for _, d := range []struct {
		v *time.Duration
		d time.Duration
	}{{&o.Period, 80 * time.Millisecond}, {&o.Shot, 13 * time.Millisecond}, {&o.Limit, 35 * time.Millisecond}} {
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

// Bank is the height sensors of a board. It is a sensing.Source.
type Bank struct {
	o   Opts
	mux *pca9548.Group

	mu    sync.Mutex // guards what follows against Health
	eyes  [64]eye
	sweep sensing.Pace
	next  rules.Square // the sensor to verify next
}

var _ sensing.Source = (*Bank)(nil)

// New makes a bank on a bus. Nothing is asked of the chips yet: the first sweep sets them up, and one that is missing
// costs its squares only.
func New(bus i2c.Bus, o Opts) (*Bank, error) {
	o.fill()
	mux, err := pca9548.At(bus, o.Muxes...)
	if err != nil {
		return nil, fmt.Errorf("heights: %w", err)
	}
	b := &Bank{o: o, mux: mux}
	for sq := range rules.Square(64) {
		m, ch := o.Wiring(sq)
		if m < 0 || m >= len(o.Muxes) || ch < 0 || ch > 7 {
			return nil, fmt.Errorf("heights: %v is wired to multiplexer %d channel %d: want 0 to %d and 0 to 7", sq, m, ch, len(o.Muxes)-1)
		}
		b.eyes[sq] = eye{dev: vl6180x.At(mux.Channel(m, ch), o.Sensor[sq]), lost: true}
	}
	return b, nil
}

// Run sweeps until ctx ends, as sensing.Source says.
func (b *Bank) Run(ctx context.Context, out chan<- sensing.Reading) error {
	b.setup(ctx)
	due := time.Now()
	for {
		start := time.Now()
		r, err := b.round(ctx)
		if err != nil {
			return errors.Join(err, b.mux.Close())
		}
		b.ended(start, r.At, due)
		select {
		case out <- r:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), b.mux.Close())
		}
		b.verify(start)
		if due = due.Add(b.o.Period); due.Before(start) {
			due = time.Now() // a sweep took longer than the period: go on from here
		}
		if err := sensing.Until(ctx, due); err != nil {
			return errors.Join(err, b.mux.Close())
		}
	}
}

// setup sets all sensors up, a third of a second in all, so that the first sweep is one like the others.
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

// Sweep measures every square once, as Run does: for a look at the board when nothing runs, and for measuring.
func (b *Bank) Sweep(ctx context.Context) (sensing.Reading, error) { return b.round(ctx) }

// round is one sweep.
func (b *Bank) round(ctx context.Context) (sensing.Reading, error) {
	r := sensing.Reading{Kind: sensing.Heights}
	for color := range 2 {
		for sq := range squares(color) {
			b.start(sq)
		}
		for sq := range squares(color) {
			if err := b.fetch(ctx, sq, &r); err != nil {
				return r, err
			}
		}
	}
	r.At = time.Now()
	return r, nil
}

// squares is the dark squares for 0 and the light ones for 1, rank by rank, so that each multiplexer is visited once.
func squares(color int) func(yield func(rules.Square) bool) {
	return func(yield func(rules.Square) bool) {
		for sq := range rules.Square(64) {
			if (sq.File()+sq.Rank())%2 == color && !yield(sq) {
				return
			}
		}
	}
}

func (b *Bank) start(sq rules.Square) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.eyes[sq].start(time.Now())
}

// fetch waits for a sensor that was started and puts its range into the reading.
func (b *Bank) fetch(ctx context.Context, sq rules.Square, r *sensing.Reading) error {
	e := &b.eyes[sq]
	if !e.started {
		return ctx.Err()
	}
	for at := e.at.Add(b.o.Shot); ; at = time.Now().Add(time.Millisecond) {
		if err := sensing.Until(ctx, at); err != nil {
			return err
		}
		if d, done, ok := b.result(e); done {
			if ok {
				r.Known |= sq.Bit()
				r.Value[sq] = int32((b.o.Above - d) / physic.MicroMetre)
			}
			return nil
		}
	}
}

func (b *Bank) result(e *eye) (d physic.Distance, done, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return e.result(time.Now(), b.o.Limit)
}

func (b *Bank) ended(start, end, due time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sweep.Note(start, end, due)
}

// checks is how many sensors are asked in every sweep whether they were reset.
const checks = 4

func (b *Bank) verify(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range checks {
		b.eyes[b.next].verify(now)
		b.next = (b.next + 1) % 64
	}
}
