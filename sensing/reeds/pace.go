package reeds

import (
	"time"

	"boardd/sensing"
)

// pace remembers how long sweeps take and how punctual they are.
type pace struct {
	last, worst, late time.Duration
}

// note counts one sweep: due is when it should have begun.
func (p *pace) note(start, end, due time.Time) {
	p.last = end.Sub(start)
	p.worst = max(p.worst, p.last)
	p.late = max(p.late, start.Sub(due))
}

func (p *pace) part(name string) sensing.Part {
	return sensing.Part{Name: name, OK: true, Sweep: p.last, Worst: p.worst, Jitter: p.late}
}
