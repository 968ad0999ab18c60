package sensing

import (
	"context"
	"time"
)

// Pace is how long a bank's sweeps take and how punctual they are. The zero Pace has seen none.
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
func (p *Pace) Part(name string) Part {
	return Part{Name: name, OK: true, Sweep: p.last, Worst: p.worst, Jitter: p.late}
}

// Until waits for an absolute time, so that a sweep that began late does not make all later ones late. It returns
// ctx's error if that ends first, and nil at once if the time has passed.
func Until(ctx context.Context, t time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	left := time.Until(t)
	if left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
