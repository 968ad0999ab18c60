// SPDX-License-Identifier: Apache-2.0

package reeds

import (
	"context"
	"sync/atomic"
	"time"

	"boardd/sensing/sweep"

	"periph.io/x/conn/v3/gpio"
)

// line waits for the interrupt or for time to pass.
type line struct {
	pin  gpio.PinIn
	dead atomic.Pointer[string] // why the pin is not used
}

// newLine asks the pin for falling edges. Without a pin, or with one that has no edges, the bank only polls.
func newLine(pin gpio.PinIn) *line {
	l := &line{pin: pin}
	if pin == nil {
		return l
	}
	if err := pin.In(gpio.PullUp, gpio.FallingEdge); err != nil {
		l.giveUp("interrupt line " + pin.Name() + ": " + err.Error() + "; polling only")
	}
	return l
}

func (l *line) giveUp(why string) {
	l.pin = nil
	l.dead.Store(&why)
}

// fault is why the line is not used. It is "" when the line is used or there is none.
func (l *line) fault() string {
	if p := l.dead.Load(); p != nil {
		return *p
	}
	return ""
}

// wait returns when the line is low, but not before soon, and at due at the latest; woken: the line was low. So with a
// line that is stuck low, or toggles all the time, every sweep comes at soon, not at once.
func (l *line) wait(ctx context.Context, soon, due time.Time) (woken bool, err error) {
	if l.pin != nil && due.After(soon) {
		woken = l.edge(due)
	}
	if woken {
		due = soon
	}
	// If WaitForEdge returns early without an edge, this wait prevents a busy loop.
	return woken, sweep.Until(ctx, due)
}

// edge waits for the interrupt until due, and reports whether it came. The time-out is always above zero, because
// periph's gpioioctl takes zero for no limit (periph/host issue 78).
func (l *line) edge(due time.Time) bool {
	if l.pin.Read() == gpio.Low {
		return true
	}
	left := time.Until(due)
	return left > 0 && l.pin.WaitForEdge(left)
}
