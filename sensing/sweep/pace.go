// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"boardd/sensing"
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// Pace measures how long a bank's sweeps take and how punctual they are. The zero Pace has no sweeps.
type Pace struct {
	last, worst, late time.Duration
}

// Note counts one sweep: due is when it should have begun.
func (p *Pace) Note(start, end, due time.Time) {
	p.last = end.Sub(start)
	p.worst = max(p.worst, p.last)
	p.late = max(p.late, start.Sub(due))
}

// Part is the bank's line in health.
func (p *Pace) Part(name string) sensing.Part {
	return sensing.Part{Name: name, OK: true, Sweep: p.last, Worst: p.worst, Jitter: p.late}
}

// Until waits for an absolute time, so that a sweep that began late does not make all later ones late. It returns
// ctx's error if that ends first, and nil at once if the time has passed.
//
// Go's timers are half a millisecond late in the median, and over a millisecond one time in twenty. So the last
// stretch is slept in the kernel, by its absolute timer, which is about 60 us late. In that stretch ctx is ignored.
func Until(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	left := time.Until(t)
	if left <= 0 {
		return nil
	}
	kernel := !virtual()
	if kernel && left <= stretch {
		block(left)
		return nil
	}
	if kernel {
		left -= stretch
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	if kernel {
		block(time.Until(t))
	}
	return nil
}

// stretch is the part of a wait that the kernel sleeps. It is longer than the delay of Go's timers, except one time in
// fifty.
const stretch = 1500 * time.Microsecond

// virtual reports whether time is the virtual time of a test.
func virtual() bool {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME, &now) != nil {
		return true
	}
	off := time.Since(time.Unix(now.Unix()))
	return off < -time.Hour || off > time.Hour
}

// block sleeps in the kernel. It sleeps until an absolute time, because the signals by which Go interrupts threads end
// a sleep early.
func block(left time.Duration) {
	var t unix.Timespec
	if left <= 0 || unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return
	}
	t = unix.NsecToTimespec(t.Nano() + int64(left))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil) == unix.EINTR {
	}
}
