// SPDX-License-Identifier: Apache-2.0

// Package button reads push buttons on GPIO pins: the two of a chess clock.
package button

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"boardd/sensing"
	"boardd/sensing/sweep"

	"periph.io/x/conn/v3/gpio"
)

// Press is one push of a button, or the news that it was held down for HoldFor after that.
type Press struct {
	Name string    // of the button
	At   time.Time // of the first contact
	Held bool
}

// HoldFor is how long a button is held down to mean more than a push.
const HoldFor = 2 * time.Second

// Opts tunes a button; the zero value of each field is its default.
type Opts struct {
	ActiveHigh bool // pressed is high; false is a button to ground with the controller's pull-up
	// how long the level must rest before it counts; 10 ms, because contacts bounce for at most 5
	Debounce time.Duration
}

// Button is one push button.
type Button struct {
	name   string
	pin    gpio.PinIn
	o      Opts
	pushes atomic.Uint64
}

// New makes a button of a pin, with detection of both edges.
func New(name string, pin gpio.PinIn, o Opts) (*Button, error) {
	if o.Debounce == 0 {
		o.Debounce = 10 * time.Millisecond
	}
	pull := gpio.PullUp
	if o.ActiveHigh {
		pull = gpio.PullDown
	}
	if err := pin.In(pull, gpio.BothEdges); err != nil {
		return nil, fmt.Errorf("button %s on pin %s: %w", name, pin.Name(), err)
	}
	return &Button{name: name, pin: pin, o: o}, nil
}

// poll is how long to wait for an edge before reading the level anyway. An edge may be lost, and periph's gpioioctl
// has no other way to end a wait.
const poll = 100 * time.Millisecond

// Run sends every push to out until ctx ends, and returns ctx's error. It blocks while out is full. If the button is
// down when Run begins, only the next push counts.
func (b *Button) Run(ctx context.Context, out chan<- Press) error {
	down, held := b.level(), true
	var pushed time.Time
	for ctx.Err() == nil {
		at := time.Now()
		if down && !held && at.Sub(pushed) >= HoldFor && b.level() {
			held = true
			b.send(ctx, out, Press{b.name, pushed, true})
		}
		if !b.pin.WaitForEdge(poll) && b.level() == down {
			// A pin that cannot wait returns at once. This keeps the loop from spinning.
			if err := sweep.Until(ctx, at.Add(poll/2)); err != nil {
				return err
			}
			continue
		}
		at = time.Now()
		now, err := b.rest(ctx)
		if err != nil {
			return err
		}
		if now == down {
			continue
		}
		if down = now; !down {
			continue
		}
		b.pushes.Add(1)
		pushed, held = at, false
		b.send(ctx, out, Press{Name: b.name, At: at})
	}
	return ctx.Err()
}

func (b *Button) send(ctx context.Context, out chan<- Press, p Press) {
	select {
	case out <- p:
	case <-ctx.Done():
	}
}

// rest waits until the level has not changed for the debouncing time, and returns it. A button that never rests never
// counts.
func (b *Button) rest(ctx context.Context) (down bool, err error) {
	last := b.level()
	for step, still := b.o.Debounce/10, 0; still < 10; {
		if err := sweep.Until(ctx, time.Now().Add(step)); err != nil {
			return last, err
		}
		still++
		if now := b.level(); now != last {
			last, still = now, 0
		}
	}
	return last, nil
}

// level reports whether the button is down now.
func (b *Button) level() bool { return b.pin.Read() == gpio.Level(b.o.ActiveHigh) }

// Part is the button's line in health.
func (b *Button) Part() sensing.Part {
	return sensing.Part{Name: "button " + b.name, OK: true, Detail: fmt.Sprintf("%d pushes", b.pushes.Load())}
}
