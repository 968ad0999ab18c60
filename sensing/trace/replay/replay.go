// SPDX-License-Identifier: Apache-2.0

// Package replay is a bank of sensors that replays a recorded trace, at its times.
package replay

import (
	"context"
	"time"

	"boardd/sensing"
	"boardd/sensing/sweep"
	"boardd/sensing/trace"
)

// Bank is a sensing.Source that replays one bank of sensors of a trace, at its times.
type Bank struct {
	kind     sensing.Kind
	readings []trace.Entry // those of the kind
	name     string
}

var _ sensing.Source = (*Bank)(nil)

// New plays the readings of one kind of sensor.
func New(t *trace.Trace, kind sensing.Kind) *Bank {
	r := &Bank{kind: kind, name: "replay of " + kind.String()}
	for _, e := range t.Entries {
		if e.Reading != nil && e.Reading.Kind == kind {
			r.readings = append(r.readings, e)
		}
	}
	return r
}

// every is how often a bank repeats its reading while nothing changes. A trace does not have these readings.
const every = 12500 * time.Microsecond

// Run sends the readings at their times. Between them and after the last one it repeats the newest. If the trace has
// none of the kind, it sends nothing.
func (r *Bank) Run(ctx context.Context, out chan<- sensing.Reading) error {
	began := time.Now()
	var held [2]*sensing.Reading // by deck
	for next := 0; ; {
		at := time.Now().Add(every)
		if next < len(r.readings) {
			if due := began.Add(r.readings[next].At); due.Before(at) {
				at = due
			}
		}
		if err := sweep.Until(ctx, at); err != nil {
			return err
		}
		send := held[:] // nothing is new: repeat
		if next < len(r.readings) && !time.Now().Before(at) && at.Equal(began.Add(r.readings[next].At)) {
			now := r.readings[next].Reading
			again := *now
			again.Stale = 0
			held[now.Deck] = &again
			send, next = []*sensing.Reading{now}, next+1
		}
		for _, what := range send {
			if err := r.send(ctx, out, what); err != nil {
				return err
			}
		}
	}
}

// send sends a reading as one of now.
func (r *Bank) send(ctx context.Context, out chan<- sensing.Reading, what *sensing.Reading) error {
	if what == nil {
		return nil
	}
	now := *what
	now.At = time.Now()
	for sq := range (^now.Known).Squares() {
		now.Value[sq] = 0 // a trace keeps the last value of a square even while it does not answer
	}
	select {
	case out <- now:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Health is one part, which is always well.
func (r *Bank) Health() []sensing.Part { return []sensing.Part{{Name: r.name, OK: true}} }
